package import DiaryModel
internal import Foundation
internal import GRDB

extension PhotoTable {
  /// Records a batch of files.
  ///
  /// - Parameter confirm: called for each rendition, under the library's lock; throws when its blob is no
  ///   longer in the store: a prune may have moved it to the trash since it was put there.
  package func record(
    _ records: [ImportRecord], now: Timestamp, confirm: (Rendition) throws -> Void
  ) throws -> [RecordOutcome] {
    for case .new(let photo) in records.map(\.content) { try photo.renditions.forEach(confirm) }
    return try records.map { record in
      let (outcome, row) = try self.record(record, now)
      if let file = record.file { try tables.sourceFiles.set(file, photo: row) }
      return outcome
    }
  }

  private func record(
    _ record: ImportRecord, _ now: Timestamp
  ) throws -> (RecordOutcome, row: Int64) {
    switch record.content {
    case .known(let photo): return try (recordAgain(photo, record.readmits), photo.row)
    case .new(let photo):
      // Another process may have added it since this one looked.
      let statement = try database.cachedStatement(
        sql: """
          SELECT e.id, e.deletedAt FROM photo p JOIN entry e ON e.id = p.entryID
          WHERE p.sourceDigest = ?
          """)
      if let row = try Row.fetchOne(statement, arguments: [Data(photo.sourceDigest.bytes)]) {
        let known = KnownPhoto(
          id: EntryID(sourceDigest: photo.sourceDigest), isDeleted: (row[1] as Int64?) != nil,
          row: row[0])
        return try (recordAgain(known, record.readmits), known.row)
      }
      return try (.added(EntryID(sourceDigest: photo.sourceDigest)), insert(photo, now))
    }
  }

  /// Restores a known photo from the trash, if it is there and `readmits` is true.
  private func recordAgain(_ photo: KnownPhoto, _ readmits: Bool) throws -> RecordOutcome {
    let find = try database.cachedStatement(
      sql: "SELECT plantID, deletedAt FROM entry WHERE id = ? AND publicID = ?")
    // A prune may have removed it since.
    guard let row = try Row.fetchOne(find, arguments: [photo.row, photo.id.description]) else {
      throw CatalogError(.notFound, "The photo \(photo.id) was pruned meanwhile. Import it again.")
    }
    guard row[1] as Int64? != nil else { return .duplicate(photo.id) }
    guard readmits else { return .inTrash(photo.id) }
    let plant = try (row[0] as Int64?).map { try tables.plants.livingRow($0) }
    try database.execute(
      sql: "UPDATE entry SET deletedAt = NULL, plantID = ? WHERE id = ?",
      arguments: [plant, photo.row])
    return .restored(photo.id)
  }

  /// Moves the photos of the same moment whose names come later up by one place, so that frames of one second keep the
  /// order of their names, in whatever order they come. Places are only exchanged: no two entries ever have the same.
  ///
  /// - Returns: the place of the new photo among entries of the same time.
  private func makeRoom(for photo: NewPhoto, _ row: Int64) throws -> Int64 {
    let find = try database.cachedStatement(
      sql: """
        SELECT e.id, e.seq, p.originalName FROM entry e JOIN photo p ON p.entryID = e.id
        WHERE e.occurredAt = ? AND e.deletedAt IS NULL ORDER BY e.seq DESC LIMIT ?
        """)
    let others = try Row.fetchCursor(
      find, arguments: [photo.time.instant.milliseconds, Self.maxMovedCount + 1])
    var later: [(row: Int64, place: Int64)] = []
    while let other = try others.next() {
      let name: String = other[2]
      guard name.compare(photo.originalName, options: .numeric) == .orderedDescending else { break }
      later.append((other[0], other[1]))
    }
    // Photos of which only the day is known may be thousands.
    guard later.count <= Self.maxMovedCount else { return row }
    var place = row
    for other in later {
      for (table, key) in [("entry", "id"), ("entryTag", "entryID")] {
        try database.cachedStatement(sql: "UPDATE \(table) SET seq = ? WHERE \(key) = ?")
          .execute(arguments: [place, other.row])
      }
      place = other.place
    }
    return place
  }

  private static let maxMovedCount = 200

  private func insert(_ photo: NewPhoto, _ now: Timestamp) throws -> Int64 {
    let plant = try photo.plantName.map { try tables.plants.rowOrNew(named: $0, now: now) }
    let row = try tables.entries.nextRow()
    try tables.entries.insert(
      row, EntryID(sourceDigest: photo.sourceDigest), .photo, photo.time,
      sequence: makeRoom(for: photo, row), plant: plant, notes: photo.notes,
      isFavourite: photo.isFavourite, now: now)
    if !photo.tags.isEmpty { try tables.tags.set(photo.tags, of: row) }
    try database.cachedStatement(
      sql: """
        INSERT INTO photo (entryID, sourceDigest, sourceByteCount, sourceMediaType, originalName,
          width, height, captureSource, placeholder, sharpness, warnings)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      row, Data(photo.sourceDigest.bytes), photo.sourceByteCount, photo.sourceMediaType,
      photo.originalName, photo.size.width, photo.size.height, photo.captureSource.rawValue,
      Data(photo.placeholder), photo.sharpness,
      photo.warnings.map(\.rawValue).joined(separator: " "),
    ])
    for rendition in photo.renditions {
      try tables.renditions.insert(rendition, photo: row, now: now)
    }
    return row
  }
}
