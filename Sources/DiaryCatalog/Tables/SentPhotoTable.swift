package import DiaryModel
internal import Foundation
internal import GRDB

/// The owner of `sentPhoto`: the tokens by which photos came.
package struct SentPhotoTable: CatalogTable {
  let database: Database

  /// The SQL condition that a photo was not sent by a token that may only send, or has come from elsewhere, too. The holder
  /// of such a token could keep a file out by sending its picture before it, with another date; so the photos of one are
  /// the same as a file only if their bytes are.
  ///
  /// - Parameter photo: an expression for its row.
  func isTrusted(_ photo: String) throws -> String {
    guard try isInCatalog("sentPhoto") else { return "TRUE" }
    return """
      NOT EXISTS (SELECT 1 FROM sentPhoto s WHERE s.photoID = \(photo) AND s.isSendOnly)
      """
  }

  /// Sets the sender of a new photo.
  func set(_ sender: SenderToken, ofPhoto row: Int64) throws {
    try database.cachedStatement(
      sql: """
        INSERT INTO sentPhoto (photoID, senderID, sender, isSendOnly) VALUES (?, ?, ?, ?)
        """
    ).execute(arguments: [row, sender.id, sender.name, sender.isSendOnly])
  }

  /// Forgets the sender of a photo that has come from elsewhere, too. Of several senders who may only send, the first stays.
  ///
  /// - Parameter token: by which it has come again; nil for none.
  func noteAgain(_ row: Int64, by token: SenderToken?) throws {
    guard let former = try sender(ofPhoto: row), former.id != token?.id else { return }
    if let token, token.isSendOnly, former.isSendOnly { return }
    try database.cachedStatement(sql: "DELETE FROM sentPhoto WHERE photoID = ?")
      .execute(arguments: [row])
  }

  /// The sender of a photo; nil if it did not come by a token.
  func sender(ofPhoto row: Int64) throws -> SenderToken? {
    guard try isInCatalog("sentPhoto") else { return nil }
    return try Row.fetchOne(
      database.cachedStatement(
        sql: "SELECT senderID, sender, isSendOnly FROM sentPhoto WHERE photoID = ?"),
      arguments: [row]
    ).map { SenderToken(id: $0[0], name: $0[1], isSendOnly: $0[2]) }
  }

  /// The rows of the photos that came by tokens that may only send, with their sources.
  func sentOnly() throws -> [(row: Int64, source: BlobID)] {
    guard try isInCatalog("sentPhoto") else { return [] }
    return try Row.fetchAll(
      database,
      sql: """
        SELECT p.entryID, p.sourceDigest FROM sentPhoto s JOIN photo p ON p.entryID = s.photoID
        WHERE s.isSendOnly
        """
    ).compactMap { row in
      BlobID(bytes: Array(row[1] as Data)).map { (row[0], $0) }
    }
  }

  /// The photos on the timeline that came by a token.
  package func photos(ofToken id: String) throws -> [EntryID] {
    guard try isInCatalog("sentPhoto") else { return [] }
    return try String.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT e.publicID FROM sentPhoto s JOIN entry e ON e.id = s.photoID
          WHERE s.senderID = ? AND e.deletedAt IS NULL ORDER BY e.id
          """), arguments: [id]
    ).map { EntryID(stored: $0) }
  }

  /// The photos on the timeline that came by tokens of this name, regardless of case, or by the one with this id.
  package func photos(ofFormerToken nameOrID: String) throws -> [EntryID] {
    guard try isInCatalog("sentPhoto") else { return [] }
    let folded = foldedName(nameOrID)
    return try Row.fetchAll(database, sql: "SELECT DISTINCT senderID, sender FROM sentPhoto")
      .filter { $0[0] == nameOrID || foldedName($0[1]) == folded }
      .flatMap { try photos(ofToken: $0[0]) }
  }

  /// Whether photos on the timeline came by a token.
  package func hasPhotos(ofToken id: String) throws -> Bool {
    guard try isInCatalog("sentPhoto") else { return false }
    return try Int.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT 1 FROM sentPhoto s JOIN entry e ON e.id = s.photoID
          WHERE s.senderID = ? AND e.deletedAt IS NULL LIMIT 1
          """), arguments: [id]) != nil
  }
}
