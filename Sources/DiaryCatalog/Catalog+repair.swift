package import DiaryModel
internal import Foundation
internal import GRDB

extension Catalog {
  /// Puts a rendition in place of the one that a photo has in its role, if any.
  package func setRendition(
    _ rendition: Rendition, of photo: EntryID, now: Timestamp, confirm: (Rendition) throws -> Void
  ) throws {
    try write { database in
      try confirm(rendition)
      guard
        let row = try Int64.fetchOne(
          database, sql: "SELECT id FROM entry WHERE publicID = ?",
          arguments: [photo.description])
      else { throw CatalogError(.notFound, "No photo has the id “\(photo)”.") }
      try Self.remove(rendition.role, row, now, database)
      try Self.insert(rendition, photo: row, now, database)
    }
  }

  /// Forgets what a photo has in a role.
  package func removeRendition(
    _ role: RenditionRole, of photo: EntryID, now: Timestamp
  ) throws {
    try write { database in
      let row = try Int64.fetchOne(
        database, sql: "SELECT id FROM entry WHERE publicID = ?", arguments: [photo.description])
      if let row { try Self.remove(role, row, now, database) }
    }
  }
}
