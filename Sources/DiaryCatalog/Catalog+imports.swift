package import DiaryModel
internal import Foundation
internal import GRDB

/// A file as a folder lists it: enough to know it again without reading it.
package struct FileFingerprint: Sendable, Hashable {
  /// Absolute, as the bytes that the file system has.
  package let path: [UInt8]
  package let byteCount: Int
  /// Nanoseconds since 1970.
  package let modifiedAt: Int64
  package let inode: UInt64

  package init(path: [UInt8], byteCount: Int, modifiedAt: Int64, inode: UInt64) {
    self.path = path
    self.byteCount = byteCount
    self.modifiedAt = modifiedAt
    self.inode = inode
  }
}

/// A photo that is in the catalog already.
package struct KnownPhoto: Sendable, Hashable {
  package let id: EntryID
  package let isDeleted: Bool
  let row: Int64
}

/// A photo to record, its blobs being in the store.
package struct NewPhoto: Sendable {
  package let sourceDigest: BlobID
  package let sourceByteCount: Int
  package let sourceMediaType: String
  package let originalName: String
  /// Upright.
  package let size: PixelSize
  package let time: EntryTime
  package let captureSource: CaptureSource
  package let notes: String?
  package var tags: [String] = []
  package var isFavourite = false
  package let plantName: String?
  package let placeholder: [UInt8]
  package let warnings: [ImportWarning]
  package let renditions: [Rendition]

  package init(
    sourceDigest: BlobID, sourceByteCount: Int, sourceMediaType: String, originalName: String,
    size: PixelSize, time: EntryTime, captureSource: CaptureSource, notes: String?,
    plantName: String?, placeholder: [UInt8], warnings: [ImportWarning], renditions: [Rendition]
  ) {
    self.sourceDigest = sourceDigest
    self.sourceByteCount = sourceByteCount
    self.sourceMediaType = sourceMediaType
    self.originalName = originalName
    self.size = size
    self.time = time
    self.captureSource = captureSource
    self.notes = notes
    self.plantName = plantName
    self.placeholder = placeholder
    self.warnings = warnings
    self.renditions = renditions
  }
}

/// One file's part of a transaction.
package struct ImportRecord: Sendable {
  package enum Content: Sendable {
    case new(NewPhoto)
    case known(KnownPhoto)
  }

  package let content: Content
  /// Nil when the file will be gone (`--move`).
  package let file: FileFingerprint?
  /// Whether a photo that is in the trash comes back; else it stays there.
  package let readmits: Bool

  package init(content: Content, file: FileFingerprint?, readmits: Bool = true) {
    self.content = content
    self.file = file
    self.readmits = readmits
  }
}

/// What became of a record.
package enum RecordOutcome: Sendable, Hashable {
  case added(EntryID)
  case duplicate(EntryID)
  /// It was in the trash, and is back on the timeline.
  case restored(EntryID)
  /// It is in the trash, and stays there.
  case inTrash(EntryID)
}

extension Catalog {
  /// The photo that this very file was, as long as nothing about the file has changed.
  package func photo(of file: FileFingerprint) throws -> KnownPhoto? {
    try known(
      """
      SELECT e.id, e.publicID, e.deletedAt FROM sourceFile s JOIN entry e ON e.id = s.photoID
      WHERE s.path = ? AND s.byteCount = ? AND s.modifiedAt = ? AND s.inode = ?
      """,
      [Data(file.path), file.byteCount, file.modifiedAt, Int64(bitPattern: file.inode)])
  }

  /// The photo whose source, or one of whose full renditions, has this digest.
  package func photo(withDigest digest: BlobID) throws -> KnownPhoto? {
    let bytes = Data(digest.bytes)
    return try known(
      """
      SELECT e.id, e.publicID, e.deletedAt FROM entry e WHERE e.id = coalesce(
        (SELECT entryID FROM photo WHERE sourceDigest = ?),
        (SELECT r.photoID FROM blob b JOIN rendition r ON r.blobID = b.id
          WHERE b.digest = ? AND r.role <> 'thumbnail'))
      """, [bytes, bytes])
  }

  /// The files that a photo was imported from.
  package func sourceFiles(of photo: EntryID) throws -> [FileFingerprint] {
    try readOnce { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT path, byteCount, modifiedAt, inode FROM sourceFile
          WHERE photoID = (SELECT id FROM entry WHERE publicID = ?) ORDER BY path
          """, arguments: [photo.description]
      ).map {
        FileFingerprint(
          path: Array($0[0] as Data), byteCount: $0[1], modifiedAt: $0[2],
          inode: UInt64(bitPattern: $0[3]))
      }
    }
  }

  private func known(_ sql: String, _ arguments: StatementArguments) throws -> KnownPhoto? {
    try readOnce { database in
      let statement = try database.cachedStatement(sql: sql)
      return try Row.fetchOne(statement, arguments: arguments).map {
        KnownPhoto(
          id: EntryID(stored: $0[1]), isDeleted: ($0[2] as Int64?) != nil, row: $0[0])
      }
    }
  }

  /// Records a batch in one transaction, a part of a change. All of it is durable when this returns.
  ///
  /// `confirm` is asked of each rendition's blob, under the library's lock, and throws when it is not
  /// in the store any more: a prune may have moved it into the trash since it was put there.
  package func record(
    _ records: [ImportRecord], as change: OpenChange, now: Timestamp,
    confirm: (Rendition) throws -> Void
  ) throws -> [RecordOutcome] {
    try self.change(change, now: now) { database, _ in
      for case .new(let photo) in records.map(\.content) { try photo.renditions.forEach(confirm) }
      return try records.map { record in
        let (outcome, row) = try Self.record(record, now, database)
        if let file = record.file { try Self.remember(file, photo: row, database) }
        return outcome
      }
    }
  }

  private static func record(
    _ record: ImportRecord, _ now: Timestamp, _ database: Database
  ) throws -> (RecordOutcome, row: Int64) {
    switch record.content {
    case .known(let photo):
      return try (recordAgain(photo, record.readmits, database), photo.row)
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
        return try (recordAgain(known, record.readmits, database), known.row)
      }
      return try (
        .added(EntryID(sourceDigest: photo.sourceDigest)), insert(photo, now, database)
      )
    }
  }

  /// Takes a photo back onto the timeline when it is in the trash and may come back.
  private static func recordAgain(
    _ photo: KnownPhoto, _ readmits: Bool, _ database: Database
  ) throws -> RecordOutcome {
    let find = try database.cachedStatement(
      sql: "SELECT plantID, deletedAt FROM entry WHERE id = ? AND publicID = ?")
    // A prune may have forgotten it since, and another photo may have its row by now.
    guard let row = try Row.fetchOne(find, arguments: [photo.row, photo.id.description]) else {
      throw CatalogError(.notFound, "The photo \(photo.id) was pruned meanwhile. Import it again.")
    }
    guard row[1] as Int64? != nil else { return .duplicate(photo.id) }
    guard readmits else { return .inTrash(photo.id) }
    let plant = try (row[0] as Int64?).map { try livePlant($0, database) }
    try database.execute(
      sql: "UPDATE entry SET deletedAt = NULL, plantID = ? WHERE id = ?",
      arguments: [plant, photo.row])
    return .restored(photo.id)
  }

  private static func insert(
    _ photo: NewPhoto, _ now: Timestamp, _ database: Database
  ) throws -> Int64 {
    let plant = try photo.plantName.map { try plantRow(named: $0, now: now, database) }
    let next = try database.cachedStatement(
      sql: "SELECT coalesce(max(seq), 0) + 1 FROM sqlite_sequence WHERE name = 'entry'")
    guard let row = try Int64.fetchOne(next) else {
      throw CatalogError(.damaged, "The catalog does not count.")
    }
    try database.cachedStatement(
      sql: """
        INSERT INTO entry (id, publicID, seq, kind, occurredAt, utcOffset, timeBasis, localDay,
          plantID, notes, isFavourite, createdAt)
        VALUES (?, ?, ?, 'photo', ?, ?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      row, EntryID(sourceDigest: photo.sourceDigest).description, row,
      photo.time.instant.milliseconds, photo.time.offset.seconds, photo.time.basis.rawValue,
      photo.time.localDay.description, plant, photo.notes, photo.isFavourite, now.milliseconds,
    ])
    if !photo.tags.isEmpty { try database.setTags(photo.tags, of: row) }
    try database.cachedStatement(
      sql: """
        INSERT INTO photo (entryID, sourceDigest, sourceByteCount, sourceMediaType, originalName,
          width, height, captureSource, placeholder, warnings)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      row, Data(photo.sourceDigest.bytes), photo.sourceByteCount, photo.sourceMediaType,
      photo.originalName, photo.size.width, photo.size.height, photo.captureSource.rawValue,
      Data(photo.placeholder), photo.warnings.map(\.rawValue).joined(separator: " "),
    ])
    for rendition in photo.renditions { try insert(rendition, photo: row, now, database) }
    return row
  }

  static func insert(
    _ rendition: Rendition, photo: Int64, _ now: Timestamp, _ database: Database
  ) throws {
    // A condemned blob that is wanted again is taken back.
    try database.cachedStatement(
      sql: """
        INSERT INTO blob (digest, byteCount, createdAt) VALUES (?, ?, ?)
        ON CONFLICT (digest) DO UPDATE SET condemnedAt = NULL
        """
    ).execute(arguments: [Data(rendition.blob.bytes), rendition.byteCount, now.milliseconds])
    try database.cachedStatement(sql: "DELETE FROM trashedBlob WHERE digest = ?")
      .execute(arguments: [Data(rendition.blob.bytes)])
    try database.cachedStatement(
      sql: """
        INSERT INTO rendition (photoID, role, blobID, mediaType, width, height, recipe, createdAt)
        VALUES (?, ?, (SELECT id FROM blob WHERE digest = ?), ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      photo, rendition.role.rawValue, Data(rendition.blob.bytes), rendition.mediaType,
      rendition.size.width, rendition.size.height, rendition.recipe, now.milliseconds,
    ])
  }

  private static func remember(
    _ file: FileFingerprint, photo: Int64, _ database: Database
  ) throws {
    try database.cachedStatement(
      sql: """
        INSERT INTO sourceFile (path, byteCount, modifiedAt, inode, photoID) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (path) DO UPDATE SET byteCount = excluded.byteCount,
          modifiedAt = excluded.modifiedAt, inode = excluded.inode, photoID = excluded.photoID
        """
    ).execute(arguments: [
      Data(file.path), file.byteCount, file.modifiedAt, Int64(bitPattern: file.inode), photo,
    ])
  }
}
