package import DiaryModel
package import Foundation
internal import GRDB

/// A key that makes a request happen once, however often it is sent.
package struct RequestKey: Sendable, Hashable, Codable {
  /// The first 16 bytes of the SHA-256 of the client's key.
  package let hash: Data
  /// The first 8 bytes of the SHA-256 of the request: a key stands for a single request.
  package let fingerprint: Data
  /// Whether the key is random enough to be remembered without an end.
  package let isLasting: Bool

  package static let hashCount = 16
  package static let fingerprintCount = 8

  /// - Parameters:
  ///   - digest: the SHA-256 of the key.
  ///   - request: the SHA-256 of the request.
  package init(digest: Data, request: Data, isLasting: Bool) {
    hash = Data(digest.prefix(Self.hashCount))
    fingerprint = Data(request.prefix(Self.fingerprintCount))
    self.isLasting = isLasting
  }

  /// A lasting key of which only the hashes are known.
  init(hash: Data, fingerprint: Data) {
    (self.hash, self.fingerprint, isLasting) = (hash, fingerprint, true)
  }

  /// How long a key that is not lasting is remembered, and the words of an answer, in milliseconds: a day.
  fileprivate static let keptFor: Int64 = 86_400_000

  /// Whether the key is still remembered.
  ///
  /// - Parameter time: the time of its request.
  package func isRemembered(since time: Timestamp, now: Timestamp) -> Bool {
    isLasting || time >= now.advanced(byMilliseconds: -Self.keptFor)
  }

  private enum CodingKeys: String, CodingKey { case hash = "k", fingerprint = "f" }

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    hash = try values.decode(Data.self, forKey: .hash)
    fingerprint = try values.decode(Data.self, forKey: .fingerprint)
    isLasting = true
  }
}

/// The owner of `answeredRequest`: requests that are carried out once, however often they are sent.
///
/// The table is in no changeset, so that after a change is undone, a late repetition of its request does not make it
/// again. A lasting key stands in the label of its frame, too, so that it is known wherever the frame is applied.
package struct AnsweredRequestTable: CatalogTable {
  let database: Database

  /// A request that was carried out already.
  package struct Repeated: Error {
    /// The fingerprint of the original request.
    package let fingerprint: Data
    /// The commit with which it was carried out.
    package let commit: Int
    /// The answer; nil when the process ended before it was known, and after a day.
    package let answer: Data?
  }

  /// A request that a catalog has carried out, for another catalog that replaces it.
  package struct CarriedOut: Sendable, Hashable {
    let hash: Data
    let fingerprint: Data
    let commit: Int
  }

  /// The request with a key, if there was one.
  package func request(_ key: RequestKey) throws -> Repeated? {
    try Row.fetchOne(
      database,
      sql: "SELECT fingerprint, number, answer FROM answeredRequest WHERE key = ?",
      arguments: [key.hash]
    ).map { Repeated(fingerprint: $0[0], commit: $0[1], answer: $0[2]) }
  }

  /// Records a request in the transaction that carries it out, and forgets the words of those older than a day.
  ///
  /// - Throws: `Repeated` when it was carried out before.
  func begin(_ key: RequestKey, commit: Int, now: Timestamp) throws {
    let bound = now.advanced(byMilliseconds: -RequestKey.keptFor).milliseconds
    try database.execute(
      sql: """
        DELETE FROM answeredRequest WHERE answeredAt < ? AND NOT isLasting;
        \(Self.forget("answeredAt < ?"))
        """, arguments: [bound, bound])
    if let repeated = try request(key) { throw repeated }
    try database.execute(
      sql: """
        INSERT INTO answeredRequest (key, fingerprint, number, isLasting, answeredAt, digest)
        VALUES (?1, ?2, ?3, ?4, ?5, \(Self.digest("?1, ?2, ?3, ?4, ?5, NULL")))
        """,
      arguments: [key.hash, key.fingerprint, commit, key.isLasting, now.milliseconds])
  }

  /// Stores the answer for repetitions of the request.
  package func answer(_ key: RequestKey, _ answer: Data) throws {
    try database.execute(
      sql: """
        UPDATE answeredRequest SET answer = ?1,
          digest = \(Self.digest("key, fingerprint, number, isLasting, answeredAt, ?1"))
        WHERE key = ?2
        """, arguments: [answer, key.hash])
  }

  /// All requests with lasting keys.
  package func carriedOut() throws -> [CarriedOut] {
    try Row.fetchAll(
      database, sql: "SELECT key, fingerprint, number FROM answeredRequest WHERE isLasting"
    ).map { CarriedOut(hash: $0[0], fingerprint: $0[1], commit: $0[2]) }
  }

  /// Those of some requests that this catalog has not carried out.
  func unknown(among requests: [CarriedOut]) throws -> [RequestKey] {
    try requests.map { RequestKey(hash: $0.hash, fingerprint: $0.fingerprint) }
      .filter { try request($0) == nil }
  }

  /// Adds requests that another catalog of the library has carried out.
  package func add(_ requests: [CarriedOut]) throws {
    for request in requests {
      try database.execute(
        sql: """
          INSERT OR IGNORE INTO answeredRequest (key, fingerprint, number, isLasting, digest)
          VALUES (?1, ?2, ?3, 1, \(Self.digest("?1, ?2, ?3, 1, NULL, NULL")))
          """, arguments: [request.hash, request.fingerprint, request.commit])
    }
  }

  func add(_ key: RequestKey, commit: Int) throws {
    try add([CarriedOut(hash: key.hash, fingerprint: key.fingerprint, commit: commit)])
  }

  /// Forgets the words of all answers, but not that the requests were carried out.
  func forgetAnswers() throws {
    try database.execute(
      sql: """
        DELETE FROM answeredRequest WHERE NOT isLasting;
        \(Self.forget("answeredAt IS NOT NULL"))
        """)
  }

  /// - Parameter columns: all columns but the digest.
  private static func digest(_ columns: String) -> String {
    "rowDigest('answeredRequest', \(columns))"
  }

  private static func forget(_ condition: String) -> String {
    """
    UPDATE answeredRequest SET answer = NULL, answeredAt = NULL,
      digest = \(digest("key, fingerprint, number, isLasting, NULL, NULL"))
    WHERE \(condition)
    """
  }
}
