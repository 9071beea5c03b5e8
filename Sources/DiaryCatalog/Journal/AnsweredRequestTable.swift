package import DiaryModel
package import Foundation
internal import GRDB

/// The owner of `answeredRequest`: requests that are carried out once, however often they come.
///
/// It is in no changeset: undoing a change does not let a late repetition of its request make it again.
package struct AnsweredRequestTable: CatalogTable {
  let database: Database

  /// How long a request is remembered, in milliseconds: a day.
  private static let keptFor: Int64 = 86_400_000

  /// A request that was carried out already.
  package struct Repeated: Error {
    /// Of what was asked for then.
    package let fingerprint: Data
    /// Nil when the process ended before it was known.
    package let answer: Data?
  }

  /// The request that was made by a key, if one was.
  package func request(_ key: String) throws -> Repeated? {
    try Row.fetchOne(
      database, sql: "SELECT fingerprint, answer FROM answeredRequest WHERE key = ?",
      arguments: [key]
    ).map { Repeated(fingerprint: $0["fingerprint"], answer: $0["answer"]) }
  }

  /// Notes a request in the transaction that carries it out, and forgets those of more than a day ago.
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

  /// Keeps the answer for those who ask again.
  package func answer(_ key: String, _ answer: Data) throws {
    try database.execute(
      sql: "UPDATE answeredRequest SET answer = ? WHERE key = ?", arguments: [answer, key])
  }

  func removeAll() throws { try database.execute(sql: "DELETE FROM answeredRequest") }
}
