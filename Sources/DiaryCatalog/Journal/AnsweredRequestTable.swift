package import DiaryModel
package import Foundation
internal import GRDB

/// The owner of `answeredRequest`: requests that are carried out once, however often they are sent.
///
/// The table is in no changeset, so that after a change is undone, a late repetition of its request does not
/// make it again.
package struct AnsweredRequestTable: CatalogTable {
  let database: Database

  /// How long a request is remembered, in milliseconds: a day.
  private static let keptFor: Int64 = 86_400_000

  /// A request that was carried out already.
  package struct Repeated: Error {
    /// The fingerprint of the original request.
    package let fingerprint: Data
    /// The answer; nil when the process ended before it was known.
    package let answer: Data?
  }

  /// The request with a key, if there was one.
  package func request(_ key: String) throws -> Repeated? {
    try Row.fetchOne(
      database, sql: "SELECT fingerprint, answer FROM answeredRequest WHERE key = ?",
      arguments: [key]
    ).map { Repeated(fingerprint: $0["fingerprint"], answer: $0["answer"]) }
  }

  /// Records a request in the transaction that carries it out, and forgets those older than a day.
  ///
  /// - Throws: `Repeated` when it was carried out before.
  package func begin(_ key: String, _ fingerprint: Data, now: Timestamp) throws {
    try database.execute(
      sql: "DELETE FROM answeredRequest WHERE madeAt < ?",
      arguments: [now.advanced(byMilliseconds: -Self.keptFor).milliseconds])
    if let repeated = try request(key) { throw repeated }
    try database.execute(
      sql: "INSERT INTO answeredRequest (key, fingerprint, madeAt) VALUES (?, ?, ?)",
      arguments: [key, fingerprint, now.milliseconds])
  }

  /// Stores the answer for repetitions of the request.
  package func answer(_ key: String, _ answer: Data) throws {
    try database.execute(
      sql: "UPDATE answeredRequest SET answer = ? WHERE key = ?", arguments: [answer, key])
  }

  func removeAll() throws { try database.execute(sql: "DELETE FROM answeredRequest") }
}
