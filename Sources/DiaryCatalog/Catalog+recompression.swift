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
  /// Begins a recompression, for `undoRecompression` to take back.
  package func beginRecompression(now: Timestamp) throws -> Int64 {
    try write { database in
      try database.execute(
        sql: "INSERT INTO recompression (madeAt) VALUES (?)", arguments: [now.milliseconds])
      return database.lastInsertedRowID
    }
  }

  /// Puts new renditions in place of former ones, in one transaction; blobs that nothing refers to any
  /// more are condemned.
  ///
  /// - Returns: the photos for which it was done; another process may have changed the others since.
  package func switchRenditions(
    _ switches: [RenditionSwitch], recompression: Int64, now: Timestamp,
    confirm: (Rendition) throws -> Void
  ) throws -> Set<EntryID> {
    try write { database in
      for change in switches { try confirm(change.new) }
      var done: Set<EntryID> = []
      for change in switches {
        guard let photo = try Self.row(of: change.photo, database),
          try change.former.allSatisfy({ try Self.has($0, photo, database) })
        else { continue }
        for former in change.former {
          try Self.remember(former, photo, recompression, database)
          try Self.remove(former.role, photo, now, database)
        }
        try Self.insert(change.new, photo: photo, now, database)
        done.insert(change.photo)
      }
      return done
    }
  }

  /// Takes back the last recompression: photos have what they had before it, as far as those blobs are
  /// there still.
  ///
  /// - Returns: the photos that have it back, and those whose blobs are gone; nil when there is none.
  package func undoRecompression(
    now: Timestamp, confirm: (Rendition) throws -> Void
  ) throws -> (restored: [EntryID], gone: [EntryID])? {
    try write { database in
      guard
        let last = try Int64.fetchOne(
          database, sql: "SELECT id FROM recompression ORDER BY id DESC LIMIT 1")
      else { return nil }
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT f.*, e.publicID FROM formerRendition f JOIN entry e ON e.id = f.photoID
          WHERE f.recompressionID = ? ORDER BY f.photoID, f.role
          """, arguments: [last])
      var result: (restored: [EntryID], gone: [EntryID]) = ([], [])
      for (photo, rows) in Dictionary(grouping: rows, by: { $0["photoID"] as Int64 }).sorted(by: {
        $0.key < $1.key
      }) {
        let former = try rows.map(Self.rendition)
        let id = EntryID(stored: rows[0]["publicID"])
        do { try former.forEach(confirm) } catch {
          result.gone.append(id)
          continue
        }
        for role in [RenditionRole.original, .packed, .master] {
          try Self.remove(role, photo, now, database)
        }
        for rendition in former { try Self.insert(rendition, photo: photo, now, database) }
        result.restored.append(id)
      }
      try database.execute(sql: "DELETE FROM recompression WHERE id = ?", arguments: [last])
      return result
    }
  }

  /// Forgets a recompression that changed nothing.
  package func endRecompression(_ id: Int64) throws {
    try write { database in
      try database.execute(
        sql: """
          DELETE FROM recompression WHERE id = ?
            AND NOT EXISTS (SELECT 1 FROM formerRendition WHERE recompressionID = recompression.id)
          """, arguments: [id])
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

  private static func remember(
    _ rendition: Rendition, _ photo: Int64, _ recompression: Int64, _ database: Database
  ) throws {
    try database.cachedStatement(
      sql: """
        INSERT INTO formerRendition (recompressionID, photoID, role, digest, byteCount, mediaType,
          width, height, recipe, createdAt)
        SELECT ?, r.photoID, r.role, b.digest, b.byteCount, r.mediaType, r.width, r.height, r.recipe,
          r.createdAt
        FROM rendition r JOIN blob b ON b.id = r.blobID WHERE r.photoID = ? AND r.role = ?
        """
    ).execute(arguments: [recompression, photo, rendition.role.rawValue])
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
