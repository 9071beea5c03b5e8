package import DiaryModel
internal import Foundation
internal import GRDB

/// Some blobs, and what they take together.
package struct BlobShare: Sendable, Hashable {
  package var count = 0
  package var byteCount = 0

  package init(count: Int = 0, byteCount: Int = 0) {
    self.count = count
    self.byteCount = byteCount
  }
}

/// A blob as the catalog knows it.
package struct CataloguedBlob: Sendable, Hashable {
  package let id: BlobID
  package let byteCount: Int

  package init(id: BlobID, byteCount: Int) {
    self.id = id
    self.byteCount = byteCount
  }
}

/// Taking blobs that nothing refers to out of the store: condemned first, moved into the trash when
/// that was long enough ago, unlinked later still.
extension Catalog {
  private static let unreferenced =
    "NOT EXISTS (SELECT 1 FROM rendition r WHERE r.blobID = blob.id)"

  /// How many photos and how many other entries were put into the trash before a moment.
  package func entriesDeleted(before time: Timestamp) throws -> (photos: Int, others: Int) {
    try readOnce { database in
      let row = try Row.fetchOne(
        database,
        sql: """
          SELECT count(*) FILTER (WHERE kind = 'photo'), count(*) FILTER (WHERE kind <> 'photo')
          FROM entry WHERE deletedAt < ?
          """, arguments: [time.milliseconds])
      return (row?[0] ?? 0, row?[1] ?? 0)
    }
  }

  /// Activities and plants that were deleted before a moment (`?1`) and that nothing would belong to once
  /// the entries are gone that were, too.
  private static let forgettableActivity = """
    a.deletedAt < ?1 AND NOT EXISTS (SELECT 1 FROM completion c JOIN entry e ON e.id = c.entryID
      WHERE c.activityID = a.id AND (e.deletedAt IS NULL OR e.deletedAt >= ?1))
    """
  private static let forgettablePlant = """
    p.deletedAt < ?1
      AND NOT EXISTS (SELECT 1 FROM entry e
        WHERE e.plantID = p.id AND (e.deletedAt IS NULL OR e.deletedAt >= ?1))
      AND NOT EXISTS (SELECT 1 FROM activity a
        WHERE a.plantID = p.id AND (a.deletedAt IS NULL OR NOT (\(forgettableActivity))))
    """

  /// How many plants and activities `purgeTrash` would forget.
  package func forgettable(
    deletedBefore time: Timestamp
  ) throws -> (plants: Int, activities: Int) {
    try readOnce { database in
      let row = try Row.fetchOne(
        database,
        sql: """
          SELECT (SELECT count(*) FROM plant p WHERE \(Self.forgettablePlant)),
            (SELECT count(*) FROM activity a WHERE \(Self.forgettableActivity))
          """, arguments: [time.milliseconds])
      return (row?[0] ?? 0, row?[1] ?? 0)
    }
  }

  /// Forgets what was put into the trash before a moment. There is no way back. Its words are in the
  /// file's free pages until `compact`, and `isForgetting` tells that for as long.
  package func purgeTrash(deletedBefore time: Timestamp) throws {
    try commit { database, _ in
      let before = database.totalChangesCount
      for sql in [
        "DELETE FROM entry WHERE deletedAt < ?1",
        "DELETE FROM activity AS a WHERE \(Self.forgettableActivity)",
        "DELETE FROM plant AS p WHERE \(Self.forgettablePlant)",
      ] { try database.execute(sql: sql, arguments: [time.milliseconds]) }
      if database.totalChangesCount > before {
        // The indexes keep the words of deleted rows until they happen to be merged.
        for index in ["entryText", "plantText"] {
          try database.execute(sql: "INSERT INTO \(index) (\(index)) VALUES ('rebuild')")
        }
        try Self.set(.isForgetting, "true", database)
        // What could be undone has the words, too.
        try HistoryTable(database: database).drop()
      }
      try database.forgetUnusedQuotes()
      let isDropped = database.totalChangesCount > before
      return ((), { _ in Frame.Label(dropsHistory: isDropped ? true : nil) })
    }
  }

  /// Whether words that were forgotten may still be in free pages, in the log, and in files that were
  /// made before.
  package func isForgetting() throws -> Bool { try setting(.isForgetting) != nil }

  /// Notes that they are not any more.
  package func endForgetting() throws {
    try write {
      try $0.execute(
        sql: "DELETE FROM setting WHERE key = ?", arguments: [SettingKey.isForgetting.rawValue])
    }
  }

  /// Blobs that nothing refers to and that are not condemned yet. `afterPurge`: as if the photos that
  /// were deleted before a moment were gone.
  package func unreferencedBlobs(afterPurge time: Timestamp?) throws -> BlobShare {
    guard let time else {
      return try share(
        "SELECT count(*), coalesce(sum(byteCount), 0) FROM blob "
          + "WHERE condemnedAt IS NULL AND " + Self.unreferenced)
    }
    return try share(
      """
      SELECT count(*), coalesce(sum(byteCount), 0) FROM blob WHERE condemnedAt IS NULL
        AND NOT EXISTS (SELECT 1 FROM rendition r JOIN entry e ON e.id = r.photoID
          WHERE r.blobID = blob.id AND (e.deletedAt IS NULL OR e.deletedAt >= ?))
      """, [time.milliseconds])
  }

  /// Condemns what nothing refers to, with blobs that the store has and the catalog does not know; what
  /// is referred to again is taken back.
  package func condemn(unknown: [CataloguedBlob], now: Timestamp) throws {
    try write { database in
      try database.execute(
        sql: """
          UPDATE blob SET condemnedAt = NULL WHERE condemnedAt IS NOT NULL AND NOT
          """ + " " + Self.unreferenced)
      try database.execute(
        sql: "UPDATE blob SET condemnedAt = ? WHERE condemnedAt IS NULL AND " + Self.unreferenced,
        arguments: [now.milliseconds])
      let insert = try database.cachedStatement(
        sql: """
          INSERT INTO blob (digest, byteCount, createdAt, condemnedAt) VALUES (?, ?, ?, ?)
          ON CONFLICT (digest) DO NOTHING
          """)
      for blob in unknown where blob.byteCount > 0 {
        try insert.execute(arguments: [
          Data(blob.id.bytes), blob.byteCount, now.milliseconds, now.milliseconds,
        ])
      }
    }
  }

  /// All that are condemned, and of them those that were so before a moment.
  package func condemnedBlobs(before time: Timestamp) throws -> (
    all: BlobShare, due: [CataloguedBlob]
  ) {
    let all = try share(
      "SELECT count(*), coalesce(sum(byteCount), 0) FROM blob WHERE condemnedAt IS NOT NULL")
    return (
      all,
      try blobs(
        "SELECT digest, byteCount FROM blob WHERE condemnedAt <= ? AND " + Self.unreferenced,
        [time.milliseconds])
    )
  }

  /// Moves condemned blobs into the store's trash, those that something refers to by now left out: in
  /// one transaction, and so under the library's lock.
  ///
  /// - Returns: what was moved.
  package func trash(
    _ blobs: [CataloguedBlob], now: Timestamp, move: (BlobID) throws -> Void
  ) throws -> BlobShare {
    try write { database in
      let check = try database.cachedStatement(
        sql: "SELECT id FROM blob WHERE digest = ? AND condemnedAt IS NOT NULL AND "
          + Self.unreferenced)
      var moved = BlobShare()
      for blob in blobs {
        let digest = Data(blob.id.bytes)
        guard let row = try Int64.fetchOne(check, arguments: [digest]) else { continue }
        try move(blob.id)
        try database.execute(sql: "DELETE FROM blob WHERE digest = ?", arguments: [digest])
        try database.execute(
          sql: """
            INSERT INTO trashedBlob (digest, blobID, byteCount, trashedAt) VALUES (?, ?, ?, ?)
            ON CONFLICT (digest) DO UPDATE
              SET blobID = excluded.blobID, trashedAt = excluded.trashedAt
            """, arguments: [digest, row, blob.byteCount, now.milliseconds])
        moved.count += 1
        moved.byteCount += blob.byteCount
      }
      return moved
    }
  }

  /// What was moved into the trash before a moment.
  package func trashedBlobs(before time: Timestamp) throws -> [CataloguedBlob] {
    try blobs(
      "SELECT digest, byteCount FROM trashedBlob WHERE trashedAt <= ?", [time.milliseconds])
  }

  /// Unlinks blobs that are in the trash, under the library's lock; what was taken out of it is not in
  /// the table any more and stays.
  package func unlinkTrashed(
    _ blobs: [CataloguedBlob], unlink: ([BlobID]) throws -> Void
  ) throws -> BlobShare {
    try write { database in
      var ids: [BlobID] = []
      var unlinked = BlobShare()
      for blob in blobs {
        try database.execute(
          sql: "DELETE FROM trashedBlob WHERE digest = ?", arguments: [Data(blob.id.bytes)])
        guard database.changesCount > 0 else { continue }
        ids.append(blob.id)
        unlinked.count += 1
        unlinked.byteCount += blob.byteCount
      }
      try unlink(ids)
      return unlinked
    }
  }

  /// Every blob that the catalog has a row for.
  package func knownBlobs() throws -> [CataloguedBlob] {
    try blobs("SELECT digest, byteCount FROM blob", [])
  }

  /// Whether there is no photo, not even in the trash.
  package func isEmptyOfPhotos() throws -> Bool {
    try readOnce { try Int.fetchOne($0, sql: "SELECT 1 FROM photo LIMIT 1") == nil }
  }

  /// The latest moment that the catalog has seen; nil while it is empty.
  package func latestTime() throws -> Timestamp? {
    try readOnce { database in
      try Int64.fetchOne(
        database,
        sql: """
          SELECT max(t) FROM (SELECT max(createdAt) AS t FROM entry
            UNION ALL SELECT max(createdAt) FROM blob UNION ALL SELECT max(condemnedAt) FROM blob
            UNION ALL SELECT max(trashedAt) FROM trashedBlob UNION ALL SELECT max(madeAt) FROM change)
          """)
    }.map { Timestamp(milliseconds: $0) }
  }

  func blobs(_ sql: String, _ arguments: StatementArguments) throws -> [CataloguedBlob] {
    try readOnce { database in
      let rows = try Row.fetchCursor(database, sql: sql, arguments: arguments)
      var blobs: [CataloguedBlob] = []
      while let row = try rows.next() {
        guard let id = BlobID(bytes: row[0] as Data) else { continue }
        blobs.append(CataloguedBlob(id: id, byteCount: row[1]))
      }
      return blobs
    }
  }

  private func share(_ sql: String, _ arguments: StatementArguments = []) throws -> BlobShare {
    try readOnce { database in
      guard let row = try Row.fetchOne(database, sql: sql, arguments: arguments) else {
        return BlobShare()
      }
      return BlobShare(count: row[0], byteCount: row[1])
    }
  }
}
