package import DiaryModel
internal import Foundation
internal import GRDB

/// The owner of `blob` and `blobUpkeep`. An unreferenced blob is first condemned, later moved to the trash, and finally
/// unlinked.
package struct BlobTable: CatalogTable {
  let database: Database

  private static let isReferenced = "EXISTS (SELECT 1 FROM rendition r WHERE r.blobID = blob.id)"
  private static let isCondemned =
    "EXISTS (SELECT 1 FROM blobUpkeep WHERE blobID = blob.id AND condemnedAt IS NOT NULL)"
  private static let share = "SELECT count(*), coalesce(sum(byteCount), 0)"

  static func beginning(with byte: UInt8) -> (String, StatementArguments) {
    byte < .max
      ? ("digest >= ? AND digest < ?", [Data([byte]), Data([byte + 1])])
      : ("digest >= ?", [Data([byte])])
  }

  /// The blobs that renditions refer to and whose digests begin with a byte.
  package func referenced(beginningWith byte: UInt8) throws -> [CataloguedBlob] {
    let (condition, arguments) = Self.beginning(with: byte)
    return try blobs(
      "SELECT digest, byteCount FROM blob WHERE \(condition) AND \(Self.isReferenced)", arguments)
  }

  /// All blobs that renditions refer to.
  package func referenced() throws -> Set<BlobID> {
    let rows = try Row.fetchCursor(
      database, sql: "SELECT digest, byteCount FROM blob WHERE " + Self.isReferenced)
    return try Set(rows.map { try CataloguedBlob(stored: $0).id })
  }

  /// The blobs that renditions refer to, in order of verification: those never verified first, then oldest first.
  package func toVerify() throws -> [CataloguedBlob] {
    try blobs(
      """
      SELECT blob.digest, byteCount FROM blob LEFT JOIN blobUpkeep u ON u.blobID = blob.id
      WHERE \(Self.isReferenced) ORDER BY verifiedAt, id
      """)
  }

  /// The time of a new run of verification: later than that of every other, even if the clock was set back.
  package func verificationTime(now: Timestamp) throws -> Timestamp {
    let last = try Int64.fetchOne(database, sql: "SELECT max(verifiedAt) FROM blobUpkeep")
    return max(now, Timestamp(milliseconds: (last ?? .min) &+ (last == nil ? 0 : 1)))
  }

  /// The next blobs to verify in a run: first those that were never verified, then those verified longest
  /// ago. Blobs already verified in the run, at its time `start`, are not included.
  ///
  /// - Parameter last: the last blob of the previous batch; nil begins the run.
  package func toVerify(
    after last: VerificationPlace?, start: Timestamp, limit: Int
  ) throws -> [(blob: CataloguedBlob, place: VerificationPlace)] {
    if let verifiedAt = last?.verifiedAt {
      return try verified(
        "verifiedAt < ? AND (verifiedAt, blobID) > (?, ?)",
        [start.milliseconds, verifiedAt, last?.row], limit)
    }
    let never = try neverVerified(after: last?.row ?? 0, limit)
    return never.isEmpty ? try verified("verifiedAt < ?", [start.milliseconds], limit) : never
  }

  private func neverVerified(
    after row: Int64, _ limit: Int
  ) throws -> [(blob: CataloguedBlob, place: VerificationPlace)] {
    try Row.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT digest, byteCount, id FROM blob
          WHERE id > ? AND NOT EXISTS
            (SELECT 1 FROM blobUpkeep WHERE blobID = blob.id AND verifiedAt IS NOT NULL)
            AND \(Self.isReferenced) ORDER BY id LIMIT ?
          """), arguments: [row, limit]
    ).map { (try CataloguedBlob(stored: $0), VerificationPlace(verifiedAt: nil, row: $0[2])) }
  }

  private func verified(
    _ condition: String, _ arguments: StatementArguments, _ limit: Int
  ) throws -> [(blob: CataloguedBlob, place: VerificationPlace)] {
    try Row.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT blob.digest, byteCount, verifiedAt, blobID
          FROM blobUpkeep CROSS JOIN blob ON blob.id = blobID
          WHERE \(condition) AND \(Self.isReferenced) ORDER BY verifiedAt, blobID LIMIT ?
          """), arguments: arguments + [limit]
    ).map { (try CataloguedBlob(stored: $0), VerificationPlace(verifiedAt: $0[2], row: $0[3])) }
  }

  /// Records that all bytes of these blobs were found correct.
  package func setVerified(_ ids: [BlobID], at time: Timestamp) throws {
    let update = try database.cachedStatement(
      sql: """
        INSERT INTO blobUpkeep (blobID, verifiedAt, digest)
        SELECT id, ?1, \(Self.digest("id", "NULL", "?1")) FROM blob WHERE digest = ?2
        ON CONFLICT (blobID) DO UPDATE SET verifiedAt = excluded.verifiedAt,
          digest = \(Self.digest("blobID", "condemnedAt", "excluded.verifiedAt"))
        """)
    for id in ids { try update.execute(arguments: [time.milliseconds, Data(id.bytes)]) }
  }

  /// Forgets what another place knew of its blobs.
  func forgetUpkeep() throws { try database.execute(sql: "DELETE FROM blobUpkeep") }

  private static func digest(_ id: String, _ condemnedAt: String, _ verifiedAt: String) -> String {
    "rowDigest('blobUpkeep', \(id), \(condemnedAt), \(verifiedAt))"
  }

  /// The unreferenced blobs that are not condemned yet.
  ///
  /// - Parameter time: counts photos that were deleted before it as gone.
  package func unreferenced(afterPurge time: Timestamp?) throws -> BlobShare {
    let select = Self.share + " FROM blob WHERE NOT " + Self.isCondemned
    guard let time else { return try share(select + " AND NOT " + Self.isReferenced) }
    return try share(
      select + """
         AND NOT EXISTS (SELECT 1 FROM rendition r JOIN entry e ON e.id = r.photoID
          WHERE r.blobID = blob.id AND (e.deletedAt IS NULL OR e.deletedAt >= ?))
        """, [time.milliseconds])
  }

  /// The id of the last row.
  package func lastRow() throws -> Int64 {
    try Int64.fetchOne(database, sql: "SELECT max(id) FROM blob") ?? 0
  }

  /// Condemns the unreferenced blobs in a range of rows, and takes back those that are referenced again.
  package func condemn(in rows: ClosedRange<Int64>, now: Timestamp) throws {
    let (range, bounds): (String, StatementArguments) = (
      "blob.id BETWEEN ? AND ?", [rows.lowerBound, rows.upperBound]
    )
    try condemn("\(range) AND NOT \(Self.isReferenced)", bounds, now: now)
    try takeBack("\(range) AND \(Self.isReferenced)", bounds)
  }

  /// Condemns the blobs for which a condition holds and that are not condemned yet.
  private func condemn(
    _ condition: String, _ arguments: StatementArguments, now: Timestamp
  ) throws {
    try database.cachedStatement(
      sql: """
        INSERT INTO blobUpkeep (blobID, condemnedAt, digest)
        SELECT id, ?1, \(Self.digest("id", "?1", "NULL"))
        FROM blob WHERE NOT \(Self.isCondemned) AND \(condition)
        ON CONFLICT (blobID) DO UPDATE SET condemnedAt = excluded.condemnedAt,
          digest = \(Self.digest("blobID", "excluded.condemnedAt", "verifiedAt"))
        """
    ).execute(arguments: [now.milliseconds] + arguments)
  }

  /// Takes back the condemned blobs for which a condition holds.
  private func takeBack(_ condition: String, _ arguments: StatementArguments) throws {
    try database.cachedStatement(
      sql: """
        UPDATE blobUpkeep SET condemnedAt = NULL,
          digest = \(Self.digest("blobID", "NULL", "verifiedAt"))
        WHERE condemnedAt IS NOT NULL AND blobID IN (SELECT id FROM blob WHERE \(condition))
        """
    ).execute(arguments: arguments)
  }

  /// Condemns blobs that are in the store but unknown to the catalog, except those that it knows by now.
  package func condemn(unknown: [CataloguedBlob], now: Timestamp) throws {
    let insert = try database.cachedStatement(
      sql: """
        INSERT INTO blob (digest, byteCount, createdAt) SELECT ?1, ?2, 0
        WHERE NOT EXISTS (SELECT 1 FROM trashedBlob WHERE digest = ?1)
        ON CONFLICT (digest) DO NOTHING
        """)
    for blob in unknown where blob.byteCount > 0 {
      let digest = Data(blob.id.bytes)
      try insert.execute(arguments: [digest, blob.byteCount])
      if database.changesCount > 0 { try condemn("blob.digest = ?", [digest], now: now) }
    }
  }

  /// Condemns blobs now that were condemned in the future, when the clock was wrong.
  func restartGraces(now: Timestamp) throws {
    try database.execute(
      sql: """
        UPDATE blobUpkeep SET condemnedAt = ?1, digest = \(Self.digest("blobID", "?1", "verifiedAt"))
        WHERE condemnedAt > ?1
        """, arguments: [now.milliseconds])
  }

  /// The condemned blobs.
  package func condemned() throws -> BlobShare {
    try share(
      Self.share
        + " FROM blobUpkeep JOIN blob ON blob.id = blobID WHERE condemnedAt IS NOT NULL")
  }

  /// The condemned blobs that no change of this catalog has stored: when they were created is not known.
  package func condemnedUnknown() throws -> BlobShare {
    try share(
      Self.share + " FROM blobUpkeep JOIN blob ON blob.id = blobID "
        + "WHERE condemnedAt IS NOT NULL AND createdAt = 0")
  }

  /// At most `limit` unreferenced blobs that were condemned before a moment.
  package func due(before time: Timestamp, limit: Int = .max) throws -> [CataloguedBlob] {
    try blobs(
      "SELECT blob.digest, byteCount \(Self.fromDue) LIMIT ?", [time.milliseconds, limit])
  }

  /// All unreferenced blobs that were condemned before a moment.
  package func dueShare(before time: Timestamp) throws -> BlobShare {
    try share("\(Self.share) \(Self.fromDue)", [time.milliseconds])
  }

  private static let fromDue = """
    FROM blobUpkeep JOIN blob ON blob.id = blobID WHERE condemnedAt <= ? AND NOT \(isReferenced)
    """

  /// Moves condemned blobs to the store's trash, under the library's lock; those that are referenced by
  /// now stay.
  ///
  /// - Returns: the blobs that were moved.
  package func trash(
    _ blobs: [CataloguedBlob], now: Timestamp, move: (BlobID) throws -> Void
  ) throws -> BlobShare {
    let find = try database.cachedStatement(
      sql: "SELECT id FROM blob WHERE digest = ? AND \(Self.isCondemned) AND NOT "
        + Self.isReferenced)
    var moved = BlobShare()
    for blob in blobs {
      let digest = Data(blob.id.bytes)
      guard let row = try Int64.fetchOne(find, arguments: [digest]) else { continue }
      try move(blob.id)
      try database.execute(sql: "DELETE FROM blob WHERE id = ?", arguments: [row])
      try tables.trashedBlobs.insert(blob, row: row, now: now)
      moved.add(blob)
    }
    return moved
  }

  /// The row of a blob, inserted if there is none. One that is condemned or in the trash is taken back. Its size is
  /// updated, as a row for a formerly unknown file may have the size of a damaged one.
  func rowOrNew(_ blob: CataloguedBlob, now: Timestamp) throws -> Int64 {
    let digest = Data(blob.id.bytes)
    try database.cachedStatement(
      sql: """
        INSERT INTO blob (digest, byteCount, createdAt) VALUES (?, ?, ?)
        ON CONFLICT (digest) DO UPDATE SET byteCount = excluded.byteCount,
          createdAt = iif(createdAt = 0, excluded.createdAt, createdAt)
        """
    ).execute(arguments: [digest, blob.byteCount, now.milliseconds])
    try takeBack("blob.digest = ?", [digest])
    try tables.trashedBlobs.remove(blob.id)
    let find = try database.cachedStatement(sql: "SELECT id FROM blob WHERE digest = ?")
    guard let row = try Int64.fetchOne(find, arguments: [digest]) else {
      throw CatalogError(.damaged, "A blob is gone from the catalog.")
    }
    return row
  }

  func contains(_ row: Int64) throws -> Bool {
    try Int.fetchOne(
      database.cachedStatement(sql: "SELECT 1 FROM blob WHERE id = ?"), arguments: [row]) != nil
  }

  /// Condemns the blob in a row if it is unreferenced, and takes it back otherwise.
  func settle(_ row: Int64, now: Timestamp) throws {
    try condemn("blob.id = ? AND NOT \(Self.isReferenced)", [row], now: now)
    try takeBack("blob.id = ? AND \(Self.isReferenced)", [row])
  }
}

/// The position of a blob in the order of verification.
package struct VerificationPlace: Sendable {
  /// When it was last verified, in milliseconds since 1970; nil if it never was.
  let verifiedAt: Int64?
  let row: Int64
}

/// A blob in the catalog.
package struct CataloguedBlob: Sendable, Hashable {
  package let id: BlobID
  package let byteCount: Int

  package init(id: BlobID, byteCount: Int) {
    self.id = id
    self.byteCount = byteCount
  }
}

/// The number of some blobs and their total size.
package struct BlobShare: Sendable, Hashable {
  package var count = 0
  package var byteCount = 0

  package init(count: Int = 0, byteCount: Int = 0) {
    self.count = count
    self.byteCount = byteCount
  }

  package mutating func add(_ blob: CataloguedBlob) {
    count += 1
    byteCount += blob.byteCount
  }
}

extension CatalogTable {
  /// The blobs found by a query for digests and byte counts. The statement is cached, as some queries run
  /// once for each of the store's folders.
  func blobs(_ sql: String, _ arguments: StatementArguments = []) throws -> [CataloguedBlob] {
    try Array(
      Row.fetchCursor(database.cachedStatement(sql: sql), arguments: arguments)
        .map(CataloguedBlob.init(stored:)))
  }
}

extension CatalogTable {
  /// The count and the total size found by a query.
  func share(_ sql: String, _ arguments: StatementArguments = []) throws -> BlobShare {
    let row = try Row.fetchOne(database, sql: sql, arguments: arguments)
    return row.map { BlobShare(count: $0[0], byteCount: $0[1]) } ?? BlobShare()
  }
}

extension CataloguedBlob {
  init(stored row: Row) throws {
    guard let id = BlobID(bytes: row[0] as Data) else {
      throw CatalogError(.damaged, "A blob in the catalog makes no sense.")
    }
    self.init(id: id, byteCount: row[1])
  }
}
