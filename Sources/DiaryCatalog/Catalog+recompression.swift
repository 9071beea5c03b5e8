package import DiaryModel
internal import Foundation
internal import GRDB

/// A photo's change from some renditions to another.
package struct RenditionSwitch: Sendable {
  package let photo: EntryID
  /// What it has now; the change is off when that is not so any more.
  package let former: [Rendition]
  package let new: Rendition

  package init(photo: EntryID, former: [Rendition], new: Rendition) {
    self.photo = photo
    self.former = former
    self.new = new
  }
}

extension Catalog {
  /// Puts new renditions in place of former ones, in one transaction of a change; blobs that nothing refers to any
  /// more are condemned.
  ///
  /// - Returns: the photos for which it was done; another process may have changed the others since.
  package func switchRenditions(
    _ switches: [RenditionSwitch], as change: OpenChange, now: Timestamp,
    confirm: (Rendition) throws -> Void
  ) throws -> Set<EntryID> {
    try self.change(change, now: now) { database, _ in
      for change in switches { try confirm(change.new) }
      var done: Set<EntryID> = []
      for change in switches {
        guard let photo = try Self.row(of: change.photo, database),
          try change.former.allSatisfy({ try Self.has($0, photo, database) })
        else { continue }
        for former in change.former { try Self.remove(former.role, photo, now, database) }
        try Self.insert(change.new, photo: photo, now, database)
        done.insert(change.photo)
      }
      return done
    }
  }

  private static func row(of photo: EntryID, _ database: Database) throws -> Int64? {
    try Int64.fetchOne(
      database.cachedStatement(sql: "SELECT id FROM entry WHERE publicID = ?"),
      arguments: [photo.description])
  }

  private static func has(
    _ rendition: Rendition, _ photo: Int64, _ database: Database
  ) throws -> Bool {
    try Int.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT 1 FROM rendition r JOIN blob b ON b.id = r.blobID
          WHERE r.photoID = ? AND r.role = ? AND b.digest = ?
          """),
      arguments: [photo, rendition.role.rawValue, Data(rendition.blob.bytes)]) != nil
  }

  static func remove(
    _ role: RenditionRole, _ photo: Int64, _ now: Timestamp, _ database: Database
  ) throws {
    let find = try database.cachedStatement(
      sql: "SELECT blobID FROM rendition WHERE photoID = ? AND role = ?")
    guard let blob = try Int64.fetchOne(find, arguments: [photo, role.rawValue]) else { return }
    try database.cachedStatement(sql: "DELETE FROM rendition WHERE photoID = ? AND role = ?")
      .execute(arguments: [photo, role.rawValue])
    try database.cachedStatement(
      sql: """
        UPDATE blob SET condemnedAt = ? WHERE id = ?
          AND NOT EXISTS (SELECT 1 FROM rendition WHERE blobID = blob.id)
        """
    ).execute(arguments: [now.milliseconds, blob])
  }
}
