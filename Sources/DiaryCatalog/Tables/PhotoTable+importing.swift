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
    for record in records {
      if case .new(let photo) = record.content { try photo.renditions.forEach(confirm) }
      try record.metadata?.replacement?.renditions.forEach(confirm)
    }
    return try records.map { record in
      switch record.content {
      case .known(let photo):
        return try recordAgain(
          photo, record, isRetagged: record.metadata?.isRetagged ?? false, now)
      case .new(let photo):
        if let known = try known(photo) {
          return try recordAgain(known.photo, record, isRetagged: known.isRetagged, now)
        }
        let (id, row) = try insert(photo, now)
        if let file = record.file { try tables.sourceFiles.set(file, photo: row, record.metadata) }
        return .added(id)
      }
    }
  }

  /// The photo with the same bytes, or the same picture of the same time: another process may have added it since
  /// this one looked, or the same import.
  package func known(_ photo: NewPhoto) throws -> (photo: KnownPhoto, isRetagged: Bool)? {
    let statement = try database.cachedStatement(
      sql: """
        SELECT e.id, e.publicID, e.deletedAt FROM photo p JOIN entry e ON e.id = p.entryID
        WHERE p.sourceDigest = ?
        """)
    if let row = try Row.fetchOne(statement, arguments: [Data(photo.sourceDigest.bytes)]) {
      return (KnownPhoto(row), false)
    }
    guard let picture = photo.pictureDigest,
      case .same(let known, _) = try known(withPicture: picture, of: photo.foundTime)
    else { return nil }
    return (known, true)
  }

  /// Records a file of a known photo: restores the photo if it is in the trash and that is wanted, and takes new
  /// facts and bytes over. As long as it has not taken the bytes of a file with other metadata, the file's record says so.
  private func recordAgain(
    _ photo: KnownPhoto, _ record: ImportRecord, isRetagged: Bool, _ now: Timestamp
  ) throws -> RecordOutcome {
    let outcome = try restored(photo, record.readmits)
    // A photo that stays in the trash has not come again.
    if outcome != .inTrash(photo.id) {
      try tables.sentPhotos.noteAgain(photo.row, by: record.sender)
    }
    let isLeft = isRetagged && (record.metadata?.replacement == nil || !outcome.isDuplicate)
    let pending: ImportWarning? = isLeft ? .otherMetadata : nil
    guard let metadata = record.metadata, outcome.isDuplicate else {
      if let file = record.file {
        try tables.sourceFiles.set(file, photo: photo.row, nil, pending: pending)
      }
      return isLeft && outcome.isDuplicate ? .outdated(photo.id, .otherMetadata) : outcome
    }
    let taken = try tables.sourceFiles.facts(
      of: photo.row, at: record.file?.path, like: metadata.facts)
    // Exact bytes that take the place of a copy of them bring no words that the photo has not had.
    let isSameFile = metadata.replacement != nil && !isRetagged
    let former = taken ?? (isSameFile ? metadata.facts : nil)
    let isNews =
      isRetagged || metadata.replacement != nil
      || (metadata.isTaken || metadata.sidecars != nil) && former != metadata.facts
    if isNews, !metadata.isTaken {
      let notice: ImportWarning = isRetagged ? .otherMetadata : .sidecarChanged
      if let file = record.file {
        try tables.sourceFiles.set(file, photo: photo.row, nil, pending: notice)
      }
      return .outdated(photo.id, notice)
    }
    let change =
      try isNews ? take(metadata, former, photo, now) : (isChanged: false, hasTime: false)
    if let file = record.file {
      try tables.sourceFiles.set(file, photo: photo.row, metadata, pending: pending)
    }
    if change.isChanged {
      return .updated(photo.id, isHourRepeated: change.hasTime && metadata.isHourRepeated)
    }
    return isLeft ? .outdated(photo.id, .otherMetadata) : outcome
  }

  /// Takes over the facts that differ from those taken over before; an edit of others stays.
  ///
  /// - Returns: whether anything changed, and whether the time was taken over.
  private func take(
    _ metadata: FileMetadata, _ former: FileFacts?, _ photo: KnownPhoto, _ now: Timestamp
  ) throws -> (isChanged: Bool, hasTime: Bool) {
    let facts = metadata.facts
    var edit = EntryEdit(photo.id)
    let known = try former ?? FileFacts(time: foundTime(of: photo.row))
    if facts.time != known.time {
      (edit.time, edit.isHourRepeated) = (metadata.time, metadata.isHourRepeated)
    }
    if facts.notes != known.notes { edit.notes = facts.notes ?? "" }
    if facts.isFavourite != known.isFavourite { edit.isFavourite = facts.isFavourite ?? false }
    if metadata.namesPlant, facts.plant != known.plant, let name = facts.plant {
      edit.plant = try .some(
        tables.plants.id(ofRow: tables.plants.rowOrNew(named: name, now: now)))
    }
    if facts.tags != known.tags {
      let gone = Set(known.tags ?? []).subtracting(facts.tags ?? [])
      let added = (facts.tags ?? []).filter { known.tags?.contains($0) != true }
      edit.tags = { $0.filter { !gone.contains($0) } + added }
    }
    let isEdited = try tables.entries.apply(edit, now: now)
    guard var replacement = metadata.replacement else { return (isEdited, edit.time != nil) }
    let former = try warnings(of: photo.row)
    let staying = former.filter { $0.outlastsBytes || $0.isAboutDate && edit.time == nil }
    let new = replacement.warnings.filter {
      !$0.outlastsBytes && (!$0.isAboutDate || edit.time != nil)
    }
    replacement.warnings = (staying + new).sorted()
    try replaceBytes(of: photo.row, by: replacement, now)
    return (true, edit.time != nil)
  }

  /// Replaces everything that is kept of a photo's bytes, and all that was found out from them.
  func replaceBytes(of row: Int64, by photo: NewPhoto, _ now: Timestamp) throws {
    for role in RenditionRole.allCases {
      try tables.renditions.remove(role, ofPhoto: row, now: now)
    }
    for rendition in photo.renditions {
      try tables.renditions.insert(rendition, photo: row, now: now)
    }
    // A file that has lost its time is one of the photo of that time still.
    try database.cachedStatement(
      sql: """
        UPDATE photo SET sourceDigest = ?, sourceByteCount = ?, sourceMediaType = ?,
          foundTime = coalesce(?, foundTime), width = ?, height = ?, placeholder = ?,
          sharpness = ?, warnings = ?
        WHERE entryID = ?
        """
    ).execute(arguments: [
      Data(photo.sourceDigest.bytes), photo.sourceByteCount, photo.sourceMediaType,
      photo.foundTime?.iso8601, photo.size.width, photo.size.height, Data(photo.placeholder),
      photo.sharpness, photo.warnings.map(\.rawValue).joined(separator: " "), row,
    ])
  }

  /// Adds or removes the warning that the clocks showed a photo's time twice.
  ///
  /// - Returns: whether that changed anything.
  func setRepeatedHour(_ isRepeated: Bool, of row: Int64) throws -> Bool {
    let others = try warnings(of: row).filter { $0 != .repeatedHour }
    return try setWarnings(others + (isRepeated ? [.repeatedHour] : []), of: row)
  }

  /// Replaces the warnings about a photo's date by those of these that are about a date.
  func setDateWarnings(_ others: [ImportWarning], of id: EntryID) throws {
    guard let row = try tables.entries.row(of: id) else { return }
    let own = try warnings(of: row).filter { !$0.isAboutDate }
    _ = try setWarnings(own + others.filter(\.isAboutDate), of: row)
  }

  private func setWarnings(_ warnings: [ImportWarning], of row: Int64) throws -> Bool {
    let new = warnings.sorted()
    guard try self.warnings(of: row).sorted() != new else { return false }
    try database.cachedStatement(sql: "UPDATE photo SET warnings = ? WHERE entryID = ?")
      .execute(arguments: [new.map(\.rawValue).joined(separator: " "), row])
    return true
  }

  package func warnings(of id: EntryID) throws -> [ImportWarning] {
    try tables.entries.row(of: id).map { try warnings(of: $0) } ?? []
  }

  func warnings(of row: Int64) throws -> [ImportWarning] {
    let text = try String.fetchOne(
      database.cachedStatement(sql: "SELECT warnings FROM photo WHERE entryID = ?"),
      arguments: [row])
    return (text ?? "").split(separator: " ").compactMap { ImportWarning(rawValue: String($0)) }
  }

  private func foundTime(of row: Int64) throws -> String? {
    try String.fetchOne(
      database.cachedStatement(sql: "SELECT foundTime FROM photo WHERE entryID = ?"),
      arguments: [row])
  }

  /// Restores a known photo from the trash, if it is there and `readmits` is true.
  private func restored(_ photo: KnownPhoto, _ readmits: Bool) throws -> RecordOutcome {
    let find = try database.cachedStatement(
      sql: "SELECT plantID, deletedAt FROM entry WHERE id = ? AND publicID = ?")
    // A prune may have removed it since.
    guard let row = try Row.fetchOne(find, arguments: [photo.row, photo.id.description]) else {
      throw CatalogError(.notFound, "The photo \(photo.id) was pruned meanwhile. Import it again.")
    }
    guard row[1] as Int64? != nil else { return .duplicate(photo.id) }
    guard readmits else { return .inTrash(photo.id) }
    let plant = try (row[0] as Int64?).map { try tables.plants.undeletedRow($0) }
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
    let find = try database.cachedStatement(sql: Self.sameMoment)
    let others = try Row.fetchCursor(
      find,
      arguments: [
        photo.time.localDay.description, photo.time.place.moment.milliseconds,
        Self.maxMovedCount + 1,
      ])
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

  /// The SQL of the photos of a day and a moment, the last of them first.
  package static let sameMoment = """
    SELECT e.id, e.seq, p.originalName FROM entry e JOIN photo p ON p.entryID = e.id
    WHERE e.localDay = ? AND e.occurredAt = ? AND e.deletedAt IS NULL ORDER BY e.seq DESC LIMIT ?
    """

  private static let maxMovedCount = 200

  func insert(_ photo: NewPhoto, _ now: Timestamp) throws -> (EntryID, row: Int64) {
    let plant = try photo.plant.map { try tables.plants.rowOrNew(of: $0, now: now) }
    let row = try tables.entries.nextRow()
    // A photo whose bytes were replaced keeps its id.
    let free = try [photo.id, EntryID(sourceDigest: photo.sourceDigest)].compactMap { $0 }
      .first { try tables.entries.row(of: $0) == nil }
    let id = free ?? .random()
    try tables.entries.insert(
      row, id, .photo, photo.time, sequence: makeRoom(for: photo, row), plant: plant,
      notes: photo.notes,
      isFavourite: photo.isFavourite, now: now)
    if !photo.tags.isEmpty { try tables.tags.set(photo.tags, of: row) }
    try database.cachedStatement(
      sql: """
        INSERT INTO photo (entryID, sourceDigest, sourceByteCount, sourceMediaType, pictureDigest,
          foundTime, originalName, width, height, captureSource, placeholder, sharpness, warnings)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      row, Data(photo.sourceDigest.bytes), photo.sourceByteCount, photo.sourceMediaType,
      photo.pictureDigest.map { Data($0.bytes) }, photo.foundTime?.iso8601, photo.originalName,
      photo.size.width, photo.size.height, photo.captureSource.rawValue, Data(photo.placeholder),
      photo.sharpness,
      photo.warnings.map(\.rawValue).joined(separator: " "),
    ])
    for rendition in photo.renditions {
      try tables.renditions.insert(rendition, photo: row, now: now)
    }
    if let sender = photo.sender { try tables.sentPhotos.set(sender, ofPhoto: row) }
    return (id, row)
  }
}
