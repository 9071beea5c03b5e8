package import DiaryModel
internal import Foundation
internal import GRDB

/// The sender of a photo that came over the network.
package struct PhotoSender: Sendable, Hashable {
  /// The name of the token.
  package let name: String
  /// Whether the sender alone says that the photo was made from its source.
  package let isClaim: Bool

  package init(_ name: String, isClaim: Bool) { (self.name, self.isClaim) = (name, isClaim) }
}

/// A photo of which only its sender says that it was made from its source.
///
/// Anybody may know the digest of a file that is still to be imported. So a claim keeps nothing out: only its sender is told
/// that the source is known, and it gives way when the source itself comes.
struct ClaimedPhoto {
  let photo: KnownPhoto
  /// The name of the sender's token.
  let sender: String
  /// The time that the sender said, in ISO 8601.
  let time: String
}

/// The owner of `sentPhoto`: the tokens by which photos came.
package struct SentPhotoTable: CatalogTable {
  let database: Database

  /// A catalog of an earlier version, which is read as it is, has no senders.
  private var exists: Bool { get throws { try database.tableExists("sentPhoto") } }

  /// The SQL condition that a photo is no claim, except one of the sender that is the argument; NULL for nobody.
  ///
  /// - Parameter photo: an expression for its row.
  func isKnown(_ photo: String) throws -> String {
    guard try exists else { return "coalesce(?, TRUE) IS NOT NULL" }
    return """
      NOT EXISTS (SELECT 1 FROM sentPhoto s
        WHERE s.photoID = \(photo) AND s.claimedTime IS NOT NULL AND s.sender IS NOT ?)
      """
  }

  /// Sets the sender of a photo, replacing a former one.
  ///
  /// - Parameter sender: nil for a photo that did not come by a token.
  func set(_ sender: PhotoSender?, ofPhoto row: Int64, time: EntryTime) throws {
    guard let sender else {
      return try database.cachedStatement(sql: "DELETE FROM sentPhoto WHERE photoID = ?")
        .execute(arguments: [row])
    }
    try database.cachedStatement(
      sql: """
        INSERT INTO sentPhoto (photoID, sender, claimedTime) VALUES (?, ?, ?)
        ON CONFLICT (photoID) DO UPDATE SET sender = excluded.sender,
          claimedTime = excluded.claimedTime
        """
    ).execute(arguments: [row, sender.name, sender.isClaim ? time.recorded.iso8601 : nil])
  }

  /// The sender of a photo; nil if it did not come by a token.
  func sender(ofPhoto row: Int64) throws -> PhotoSender? {
    guard try exists else { return nil }
    return try Row.fetchOne(
      database.cachedStatement(
        sql: "SELECT sender, claimedTime IS NOT NULL FROM sentPhoto WHERE photoID = ?"),
      arguments: [row]
    ).map { PhotoSender($0[0], isClaim: $0[1]) }
  }

  /// The claim on a source; nil if there is no photo of it, or its source has come.
  func claim(on source: BlobID) throws -> ClaimedPhoto? {
    try Row.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT e.id, e.publicID, e.deletedAt, s.sender, s.claimedTime FROM photo p
          JOIN sentPhoto s ON s.photoID = p.entryID JOIN entry e ON e.id = p.entryID
          WHERE p.sourceDigest = ? AND s.claimedTime IS NOT NULL
          """), arguments: [Data(source.bytes)]
    ).map { ClaimedPhoto(photo: KnownPhoto($0), sender: $0[3], time: $0[4]) }
  }

  /// The photos on the timeline that came by the token of this name.
  package func photos(of sender: String) throws -> [EntryID] {
    guard try exists else { return [] }
    return try String.fetchAll(
      database,
      sql: """
        SELECT e.publicID FROM sentPhoto s JOIN entry e ON e.id = s.photoID
        WHERE s.sender = ? AND e.deletedAt IS NULL ORDER BY e.id
        """, arguments: [sender]
    ).map { EntryID(stored: $0) }
  }
}
