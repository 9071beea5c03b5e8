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
        SELECT path, byteCount, modifiedAt, inode FROM sourceFile
        WHERE photoID = (SELECT id FROM entry WHERE publicID = ?) ORDER BY path
        """, arguments: [photo.description]
    ).map {
      FileFingerprint(
        path: Array($0[0] as Data), byteCount: $0[1], modifiedAt: $0[2],
        inode: UInt64(bitPattern: $0[3]))
    }
  }

  /// Records the photo of a file, replacing the record of an earlier file at its path.
  func set(_ file: FileFingerprint, photo: Int64) throws {
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
