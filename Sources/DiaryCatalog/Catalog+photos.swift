package import DiaryModel
internal import Foundation
internal import GRDB

extension Catalog {
  /// Everything about the photo with this id, or with an unambiguous start of it, trash included.
  package func photo(_ idOrPrefix: String) throws -> Photo {
    try read { try Self.photo(Self.entry(idOrPrefix, of: .photo, $0), $0) }
  }

  private static func photo(_ entry: Entry, _ database: Database) throws -> Photo {
    let sql = "SELECT * FROM photo WHERE entryID = (SELECT id FROM entry WHERE publicID = ?)"
    guard let row = try Row.fetchOne(database, sql: sql, arguments: [entry.id.description]) else {
      throw CatalogError(.damaged, "The photo \(entry.id) is in the catalog only in part.")
    }
    let rowID: Int64 = row["entryID"]
    let paths = try Row.fetchAll(
      database, sql: "SELECT path FROM sourceFile WHERE photoID = ? ORDER BY path",
      arguments: [rowID]
    ).map { String(decoding: $0[0] as Data, as: UTF8.self) }
    return Photo(
      entry: entry, originalName: row["originalName"], sourceMediaType: row["sourceMediaType"],
      placeholder: Array(row["placeholder"] as Data),
      warnings: (row["warnings"] as String).split(separator: " ")
        .compactMap { ImportWarning(rawValue: String($0)) }
        // True no longer once the date was corrected.
        .filter { $0 != .dateIsFileTime || entry.photo?.captureSource == .mtime },
      renditions: try database.renditions(ofPhoto: rowID), sourcePaths: paths)
  }
}

extension Database {
  /// The renditions of the photo in a row.
  func renditions(ofPhoto row: Int64) throws -> [Rendition] {
    try Row.fetchAll(
      cachedStatement(
        sql: """
          SELECT r.*, b.digest, b.byteCount FROM rendition r JOIN blob b ON b.id = r.blobID
          WHERE r.photoID = ? ORDER BY r.role
          """), arguments: [row]
    ).map(rendition)
  }

  private func rendition(_ row: Row) throws -> Rendition {
    guard let role = RenditionRole(rawValue: row["role"]),
      let digest = BlobID(bytes: row["digest"] as Data)
    else { throw CatalogError(.damaged, "A rendition in the catalog makes no sense.") }
    return Rendition(
      role: role, blob: digest, byteCount: row["byteCount"], mediaType: row["mediaType"],
      size: PixelSize(width: row["width"], height: row["height"]), recipe: row["recipe"])
  }
}
