package import DiaryModel
internal import Foundation
internal import GRDB

/// The owner of `trashedBlob`: blobs that were moved to the store's trash.
package struct TrashedBlobTable: CatalogTable {
  let database: Database

  /// At most `limit` blobs that were moved to the trash before a moment.
  package func all(before time: Timestamp, limit: Int = .max) throws -> [CataloguedBlob] {
    try blobs(
      "SELECT digest, byteCount FROM trashedBlob WHERE trashedAt <= ? LIMIT ?",
      [time.milliseconds, limit])
  }

  /// All blobs that were moved to the trash before a moment.
  package func share(before time: Timestamp) throws -> BlobShare {
    try share(
      "SELECT count(*), coalesce(sum(byteCount), 0) FROM trashedBlob WHERE trashedAt <= ?",
      [time.milliseconds])
  }

  /// Moves blobs to the trash now that were moved there in the future, when the clock was wrong.
  func restartGraces(now: Timestamp) throws {
    try database.execute(
      sql: "UPDATE trashedBlob SET trashedAt = ?1 WHERE trashedAt > ?1",
      arguments: [now.milliseconds])
  }

  /// Unlinks blobs, under the library's lock; one that was taken out of the trash no longer has a row and
  /// stays.
  package func unlink(
    _ blobs: [CataloguedBlob], unlink: ([BlobID]) throws -> Void
  ) throws -> BlobShare {
    var ids: [BlobID] = []
    var unlinked = BlobShare()
    for blob in blobs where try remove(blob.id) {
      ids.append(blob.id)
      unlinked.add(blob)
    }
    try unlink(ids)
    return unlinked
  }

  /// Retires the keys of blobs in an object store; one that was taken out of the trash keeps its key. The objects may
  /// be deleted once this is durable, and not before.
  package func retire(_ blobs: [CataloguedBlob]) throws -> BlobShare {
    var retired = BlobShare()
    for blob in blobs where try remove(blob.id) {
      try tables.retiredKeys.retire(blob.id)
      retired.add(blob)
    }
    return retired
  }

  func insert(_ blob: CataloguedBlob, row: Int64, now: Timestamp) throws {
    try database.cachedStatement(
      sql: """
        INSERT INTO trashedBlob (digest, blobID, byteCount, trashedAt) VALUES (?, ?, ?, ?)
        ON CONFLICT (digest) DO UPDATE
          SET blobID = excluded.blobID, trashedAt = excluded.trashedAt
        """
    ).execute(arguments: [Data(blob.id.bytes), row, blob.byteCount, now.milliseconds])
  }

  /// - Returns: whether there was a row.
  @discardableResult
  func remove(_ blob: BlobID) throws -> Bool {
    try database.cachedStatement(sql: "DELETE FROM trashedBlob WHERE digest = ?")
      .execute(arguments: [Data(blob.bytes)])
    return database.changesCount > 0
  }

  /// Restores the row that a blob had before it was moved to the trash, if it is there.
  func takeBack(row: Int64, now: Timestamp) throws {
    try database.cachedStatement(
      sql: """
        INSERT OR IGNORE INTO blob (id, digest, byteCount, createdAt)
        SELECT blobID, digest, byteCount, ? FROM trashedBlob WHERE blobID = ?
        """
    ).execute(arguments: [now.milliseconds, row])
    try database.cachedStatement(sql: "DELETE FROM trashedBlob WHERE blobID = ?")
      .execute(arguments: [row])
  }
}
