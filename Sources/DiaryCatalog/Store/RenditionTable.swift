package import DiaryModel
internal import Foundation
internal import GRDB

/// The owner of `rendition`: the blobs of photos, by role.
package struct RenditionTable: CatalogTable {
  let database: Database

  /// Replaces renditions with new ones; blobs that become unreferenced are condemned.
  ///
  /// - Parameter confirm: called for each new rendition; throws when its blob is not in the store.
  /// - Returns: the photos that were changed; another process may have changed the others since.
  package func apply(
    _ replacements: [RenditionReplacement], now: Timestamp, confirm: (Rendition) throws -> Void
  ) throws -> Set<EntryID> {
    for change in replacements { try confirm(change.new) }
    var done: Set<EntryID> = []
    for change in replacements {
      guard let photo = try tables.entries.row(of: change.photo),
        try change.former.allSatisfy({ try has($0, photo) })
      else { continue }
      for former in change.former { try remove(former.role, ofPhoto: photo, now: now) }
      try insert(change.new, photo: photo, now: now)
      done.insert(change.photo)
    }
    return done
  }

  /// Sets a rendition of a photo, replacing the one in the same role, if any.
  package func set(
    _ rendition: Rendition, of photo: EntryID, now: Timestamp, confirm: (Rendition) throws -> Void
  ) throws {
    try confirm(rendition)
    guard let row = try tables.entries.row(of: photo) else {
      throw CatalogError(.notFound, "No photo has the id “\(photo)”.")
    }
    try remove(rendition.role, ofPhoto: row, now: now)
    try insert(rendition, photo: row, now: now)
  }

  /// Removes the rendition that a photo has in a role.
  package func remove(_ role: RenditionRole, of photo: EntryID, now: Timestamp) throws {
    if let row = try tables.entries.row(of: photo) {
      try remove(role, ofPhoto: row, now: now)
    }
  }

  /// The photos that a blob belongs to, with its role.
  package func photos(of blob: BlobID) throws -> [(entry: Entry, role: RenditionRole)] {
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT e.publicID, r.role FROM blob b JOIN rendition r ON r.blobID = b.id
        JOIN entry e ON e.id = r.photoID WHERE b.digest = ? ORDER BY \(EntrySelection.oldestFirst)
        """, arguments: [Data(blob.bytes)])
    return try rows.flatMap { row in
      let role = try RenditionRole(stored: row[1])
      return try tables.entries.all([EntryID(stored: row[0])]).map { ($0, role) }
    }
  }

  /// Some of the compressed copies of files of these media types, in the order in which the photos were added.
  ///
  /// - Parameter row: the row after which to continue; 0 at first.
  package func masters(
    ofSources mediaTypes: [String], after row: Int64, limit: Int
  ) throws -> [(row: Int64, photo: EntryID, rendition: Rendition)] {
    let places = mediaTypes.map { _ in "?" }.joined(separator: ", ")
    let rows = try Row.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT r.*, b.digest, b.byteCount, e.publicID FROM rendition r
          JOIN photo p ON p.entryID = r.photoID JOIN entry e ON e.id = r.photoID
          JOIN blob b ON b.id = r.blobID
          WHERE r.photoID > ? AND r.role = 'master' AND p.sourceMediaType IN (\(places))
          ORDER BY r.photoID LIMIT ?
          """),
      arguments: StatementArguments([row]) + StatementArguments(mediaTypes)
        + StatementArguments([limit]))
    return try rows.map { row in
      (row["photoID"], EntryID(stored: row["publicID"]), try Rendition(stored: row))
    }
  }

  /// The renditions of the photo in a row.
  func all(ofPhoto row: Int64) throws -> [Rendition] {
    try Row.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT r.*, b.digest, b.byteCount FROM rendition r JOIN blob b ON b.id = r.blobID
          WHERE r.photoID = ? ORDER BY r.role
          """), arguments: [row]
    ).map(Rendition.init(stored:))
  }

  /// Inserts a rendition; a condemned blob that is referenced again is taken back.
  func insert(_ rendition: Rendition, photo: Int64, now: Timestamp) throws {
    let blob = try tables.blobs.rowOrNew(
      CataloguedBlob(id: rendition.blob, byteCount: rendition.byteCount), now: now)
    try database.cachedStatement(
      sql: """
        INSERT INTO rendition (photoID, role, blobID, mediaType, width, height, recipe, createdAt)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      photo, rendition.role.rawValue, blob, rendition.mediaType, rendition.size.width,
      rendition.size.height, rendition.recipe, now.milliseconds,
    ])
  }

  /// Removes the rendition of the photo in a row; its blob is condemned if nothing else refers to it.
  func remove(_ role: RenditionRole, ofPhoto photo: Int64, now: Timestamp) throws {
    let find = try database.cachedStatement(
      sql: "SELECT blobID FROM rendition WHERE photoID = ? AND role = ?")
    guard let blob = try Int64.fetchOne(find, arguments: [photo, role.rawValue]) else { return }
    try database.cachedStatement(sql: "DELETE FROM rendition WHERE photoID = ? AND role = ?")
      .execute(arguments: [photo, role.rawValue])
    try tables.blobs.settle(blob, now: now)
  }

  private func has(_ rendition: Rendition, _ photo: Int64) throws -> Bool {
    try Int.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT 1 FROM rendition r JOIN blob b ON b.id = r.blobID
          WHERE r.photoID = ? AND r.role = ? AND b.digest = ?
          """),
      arguments: [photo, rendition.role.rawValue, Data(rendition.blob.bytes)]) != nil
  }
}

extension Rendition {
  fileprivate init(stored row: Row) throws {
    guard let digest = BlobID(bytes: row["digest"] as Data) else {
      throw CatalogError(.damaged, "A rendition in the catalog makes no sense.")
    }
    self.init(
      role: try .init(stored: row["role"]), blob: digest, byteCount: row["byteCount"],
      mediaType: row["mediaType"], size: PixelSize(width: row["width"], height: row["height"]),
      recipe: row["recipe"])
  }
}

/// The replacement of some of a photo's renditions by another.
package struct RenditionReplacement: Sendable {
  package let photo: EntryID
  /// The renditions to replace; nothing is replaced if the photo no longer has them.
  package let former: [Rendition]
  package let new: Rendition

  package init(photo: EntryID, former: [Rendition], new: Rendition) {
    self.photo = photo
    self.former = former
    self.new = new
  }
}
