package import DiaryModel
internal import Foundation
internal import GRDB

/// The sender of a photo that came over the network.
package struct PhotoSender: Sendable, Hashable {
  package let token: SenderToken
  /// The time that came with the photo, in ISO 8601, while nobody but the sender says which source it was made from.
  let claimedTime: String?

  var isClaim: Bool { claimedTime != nil }

  /// - Parameter time: the photo's, if only the sender says which source it was made from.
  package init(_ token: SenderToken, claiming time: EntryTime? = nil) {
    self.init(token, claimedTime: time?.recorded.iso8601)
  }

  init(_ token: SenderToken, claimedTime: String?) {
    (self.token, self.claimedTime) = (token, claimedTime)
  }
}

/// A photo of which nobody but its sender says which source it was made from.
///
/// Anybody may know the digest of a file that is still to be imported. So a claim keeps nothing out: only its sender is told
/// that the source is known, and the photo gives way when the source itself comes.
struct ClaimedPhoto {
  let photo: KnownPhoto
  let sender: PhotoSender
  /// Whether it went to the trash with all that its token had sent. Then it counts for no other token.
  let isWithdrawn: Bool

  /// Whether a token counts as the sender: it is the same, or has the name that a former one had.
  func isOf(_ token: SenderToken) -> Bool {
    sender.token.id == token.id || sender.token.name == token.name && !isWithdrawn
  }
}

/// The owner of `sentPhoto`: the tokens by which photos came.
package struct SentPhotoTable: CatalogTable {
  let database: Database

  /// A catalog of an earlier version, which is read as it is, has no senders.
  private var exists: Bool { get throws { try database.tableExists("sentPhoto") } }

  /// The SQL condition that a photo is no claim, except one of the sender whose id and name are the arguments; NULL for
  /// nobody (`ClaimedPhoto.isOf`).
  ///
  /// - Parameter photo: an expression for its row.
  func isKnown(_ photo: String) throws -> String {
    guard try exists else { return "coalesce(?, ?, TRUE) IS NOT NULL" }
    return """
      NOT EXISTS (SELECT 1 FROM sentPhoto claim WHERE claim.photoID = \(photo)
        AND claim.claimedTime IS NOT NULL AND claim.senderID IS NOT ?
        AND (claim.sender IS NOT ? OR claim.isWithdrawn))
      """
  }

  /// Sets the sender of a photo, replacing a former one.
  ///
  /// - Parameter sender: nil for a photo that did not come by a token.
  func set(_ sender: PhotoSender?, ofPhoto row: Int64) throws {
    guard let sender else {
      return try database.cachedStatement(sql: "DELETE FROM sentPhoto WHERE photoID = ?")
        .execute(arguments: [row])
    }
    try database.cachedStatement(
      sql: """
        INSERT INTO sentPhoto (photoID, senderID, sender, claimedTime) VALUES (?, ?, ?, ?)
        ON CONFLICT (photoID) DO UPDATE SET senderID = excluded.senderID,
          sender = excluded.sender, claimedTime = excluded.claimedTime, isWithdrawn = 0
        """
    ).execute(arguments: [row, sender.token.id, sender.token.name, sender.claimedTime])
  }

  /// Forgets the sender of a photo that has come from elsewhere, too, unless it is a claim.
  ///
  /// - Parameter token: by which it has come again; nil for none.
  func noteAgain(_ row: Int64, by token: SenderToken?) throws {
    try database.cachedStatement(
      sql: """
        DELETE FROM sentPhoto WHERE photoID = ? AND claimedTime IS NULL AND senderID IS NOT ?
        """
    ).execute(arguments: [row, token?.id])
  }

  /// The sender of a photo; nil if it did not come by a token.
  func sender(ofPhoto row: Int64) throws -> PhotoSender? {
    guard try exists else { return nil }
    return try Row.fetchOne(
      database.cachedStatement(
        sql: "SELECT senderID, sender, claimedTime FROM sentPhoto WHERE photoID = ?"),
      arguments: [row]
    ).map { PhotoSender(SenderToken(id: $0[0], name: $0[1]), claimedTime: $0[2]) }
  }

  /// Whether a photo is a claim.
  func isClaim(_ id: EntryID) throws -> Bool {
    try tables.entries.row(of: id).flatMap { try sender(ofPhoto: $0) }?.isClaim ?? false
  }

  /// Whether there is a claim on a source.
  package func isClaimed(_ source: BlobID) throws -> Bool { try claim(on: source) != nil }

  /// The claim on a source; nil if there is no photo of it, or its source has come.
  func claim(on source: BlobID) throws -> ClaimedPhoto? {
    try claims("p.sourceDigest = ?", [Data(source.bytes)]).first?.claim
  }

  /// All claims, with their sources.
  func claims() throws -> [(claim: ClaimedPhoto, source: BlobID)] { try claims("TRUE", []) }

  private func claims(
    _ condition: String, _ arguments: StatementArguments
  ) throws -> [(claim: ClaimedPhoto, source: BlobID)] {
    guard try exists else { return [] }
    return try Row.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT e.id, e.publicID, e.deletedAt, s.senderID, s.sender, s.claimedTime, p.sourceDigest,
            s.isWithdrawn
          FROM photo p JOIN sentPhoto s ON s.photoID = p.entryID JOIN entry e ON e.id = p.entryID
          WHERE s.claimedTime IS NOT NULL AND \(condition)
          """), arguments: arguments
    ).compactMap { row in
      BlobID(bytes: Array(row[6] as Data)).map { source in
        let sender = PhotoSender(SenderToken(id: row[3], name: row[4]), claimedTime: row[5])
        let claim = ClaimedPhoto(photo: KnownPhoto(row), sender: sender, isWithdrawn: row[7])
        return (claim, source)
      }
    }
  }

  /// Notes that photos go to the trash with all that their tokens have sent.
  package func withdraw(_ ids: [EntryID]) throws {
    for id in ids {
      try database.cachedStatement(
        sql: """
          UPDATE sentPhoto SET isWithdrawn = 1
          WHERE photoID = (SELECT id FROM entry WHERE publicID = ?)
          """
      ).execute(arguments: [id.description])
    }
  }

  /// The photos on the timeline that came by a token.
  package func photos(ofToken id: String) throws -> [EntryID] {
    guard try exists else { return [] }
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
    guard try exists else { return [] }
    let folded = foldedName(nameOrID)
    return try Row.fetchAll(database, sql: "SELECT DISTINCT senderID, sender FROM sentPhoto")
      .filter { $0[0] == nameOrID || foldedName($0[1]) == folded }
      .flatMap { try photos(ofToken: $0[0]) }
  }

  /// Whether photos on the timeline came by a token.
  package func hasPhotos(ofToken id: String) throws -> Bool {
    guard try exists else { return false }
    return try Int.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT 1 FROM sentPhoto s JOIN entry e ON e.id = s.photoID
          WHERE s.senderID = ? AND e.deletedAt IS NULL LIMIT 1
          """), arguments: [id]) != nil
  }
}
