package import DiaryModel
internal import Foundation
internal import GRDB

/// The owner of `sourceFile`: the files that photos were imported from.
package struct SourceFileTable: CatalogTable {
  let database: Database

  /// The files that a photo was imported from.
  package func all(of photo: EntryID) throws -> [FileFingerprint] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT path, byteCount, modifiedAt, changedAt, inode FROM sourceFile
        WHERE photoID = (SELECT id FROM entry WHERE publicID = ?) ORDER BY path
        """, arguments: [photo.description]
    ).map {
      FileFingerprint(
        path: Array($0[0] as Data), byteCount: $0[1], modifiedAt: $0[2],
        changedAt: $0[3], inode: UInt64(bitPattern: $0[4]))
    }
  }

  /// Records the photo of a file, replacing the record of an earlier file at its path.
  ///
  /// - Parameters:
  ///   - taken: the facts that were taken over; nil leaves those of an earlier record of the same photo.
  ///   - pending: the warning about facts that were not taken over.
  func set(
    _ file: FileFingerprint, photo: Int64, _ taken: FileMetadata?, pending: ImportWarning? = nil
  ) throws {
    let facts = try taken.map { String(decoding: try Self.encoder.encode($0.facts), as: UTF8.self) }
    try database.cachedStatement(
      sql: """
        INSERT INTO sourceFile
          (path, byteCount, modifiedAt, changedAt, inode, facts, sidecars, pending, photoID)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (path) DO UPDATE SET byteCount = excluded.byteCount,
          modifiedAt = excluded.modifiedAt, changedAt = excluded.changedAt,
          inode = excluded.inode, pending = excluded.pending,
          facts = CASE WHEN excluded.facts IS NULL AND photoID = excluded.photoID
            THEN facts ELSE excluded.facts END,
          sidecars = CASE WHEN excluded.facts IS NULL AND photoID = excluded.photoID
            THEN sidecars ELSE excluded.sidecars END,
          photoID = excluded.photoID
        """
    ).execute(arguments: [
      Data(file.path), file.byteCount, file.modifiedAt, file.changedAt,
      Int64(bitPattern: file.inode), facts,
      taken?.sidecars.map { Data($0.bytes) }, pending?.rawValue, photo,
    ])
  }

  /// Forgets what was taken over from the files of a photo, so that each is read again when it is imported.
  func forget(ofPhoto photo: Int64) throws {
    // No file was changed in 1970.
    try database.cachedStatement(
      sql: """
        UPDATE sourceFile SET changedAt = 0, facts = NULL, sidecars = NULL, pending = NULL
        WHERE photoID = ?
        """
    ).execute(arguments: [photo])
  }

  private static let encoder: JSONEncoder = {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }()

  /// The facts that were last taken over from a photo's file at a path. A file at another path may be the same one,
  /// moved, so then those of any of its files that had the same facts count, or else those of one of its files.
  func facts(of photo: Int64, at path: [UInt8]?, like facts: FileFacts) throws -> FileFacts? {
    let same = String(decoding: try Self.encoder.encode(facts), as: UTF8.self)
    let (ofPath, alike, ofAny) = (Self.factsQueries[0], Self.factsQueries[1], Self.factsQueries[2])
    let known =
      try path.flatMap { try text(ofPath, [photo, Data($0)]) }
      ?? text(alike, [photo, same]) ?? text(ofAny, [photo])
    return known.flatMap { try? JSONDecoder().decode(FileFacts.self, from: Data($0.utf8)) }
  }

  /// The SQL of the facts of one of a photo's files: that of a path, one with the same facts, and any. The plus keeps SQLite
  /// from putting the facts that are looked for into the index's expression, which it would not know again.
  package static let factsQueries = [
    "path = ?2 AND facts IS NOT NULL", "\(Schema.factsKey) = substr(?2, 1, 100) AND +facts = ?2",
    "\(Schema.factsKey) > '' ORDER BY \(Schema.factsKey), path",
  ].map { "SELECT facts FROM sourceFile WHERE photoID = ?1 AND \($0) LIMIT 1" }

  private func text(_ query: String, _ arguments: StatementArguments) throws -> String? {
    try String.fetchOne(database.cachedStatement(sql: query), arguments: arguments)
  }
}
