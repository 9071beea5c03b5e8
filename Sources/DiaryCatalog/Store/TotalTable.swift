package import DiaryModel
internal import GRDB

/// The owner of `total`: the numbers and sizes of entries, renditions and blobs, without counting rows.
package struct TotalTable: CatalogTable {
  let database: Database

  /// The entries on the timeline; the size is that of photos' imported files. Kinds without any are absent.
  package func entries() throws -> [EntryKind: BlobShare] {
    try shares(of: "entry") { EntryKind(rawValue: $0) }
  }

  /// The renditions of all photos, each with the size of its blob. Roles without any are absent.
  package func renditions() throws -> [RenditionRole: BlobShare] {
    try shares(of: "rendition") { RenditionRole(rawValue: $0) }
  }

  /// All blobs in the catalog.
  package func blobs() throws -> BlobShare { try blobs("all") }

  /// The blobs that renditions refer to.
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
