package import DiaryModel
internal import GRDB

/// The owner of `total`: how many entries, renditions and blobs there are, and of how many bytes, without counting.
package struct TotalTable: CatalogTable {
  let database: Database

  /// Entries on the timeline, and the bytes of the imported files of photos. Kinds without any are absent.
  package func entries() throws -> [EntryKind: BlobShare] {
    try shares(of: "entry") { EntryKind(rawValue: $0) }
  }

  /// Renditions of all photos, each with the bytes of its blob. Roles without any are absent.
  package func renditions() throws -> [RenditionRole: BlobShare] {
    try shares(of: "rendition") { RenditionRole(rawValue: $0) }
  }

  /// Blobs that have a row.
  package func blobs() throws -> BlobShare { try blobs("all") }

  /// Those of them that a rendition refers to.
  package func referencedBlobs() throws -> BlobShare { try blobs("referenced") }

  private func blobs(_ kind: String) throws -> BlobShare {
    try share(
      "SELECT count, byteCount FROM total WHERE subject = 'blob' AND kind = ?", [kind])
  }

  private func shares<Key: Hashable>(
    of subject: String, _ key: (String) -> Key?
  ) throws -> [Key: BlobShare] {
    let rows = try Row.fetchAll(
      database,
      sql: "SELECT kind, count, byteCount FROM total WHERE subject = ? AND count > 0",
      arguments: [subject])
    return Dictionary(
      uniqueKeysWithValues: rows.compactMap { row in
        key(row[0]).map { ($0, BlobShare(count: row[1], byteCount: row[2])) }
      })
  }
}
