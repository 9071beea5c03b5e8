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

  /// The photos in the trash, with the size of the blobs that no other photo has, and their renditions by role.
  package func trashedPhotos() throws -> (photos: BlobShare, renditions: [RenditionRole: BlobShare])
  {
    let trashed = "FROM entry e JOIN rendition r ON r.photoID = e.id WHERE e.deletedAt IS NOT NULL"
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT r.role, count(*), sum(b.byteCount)
        FROM entry e JOIN rendition r ON r.photoID = e.id JOIN blob b ON b.id = r.blobID
        WHERE e.deletedAt IS NOT NULL GROUP BY r.role
        """)
    var renditions: [RenditionRole: BlobShare] = [:]
    for row in rows {
      guard let role = RenditionRole(rawValue: row[0]) else { continue }
      renditions[role] = BlobShare(count: row[1], byteCount: row[2])
    }
    let photos = try share(
      """
      SELECT (SELECT count(*) FROM entry WHERE deletedAt IS NOT NULL AND kind = 'photo'),
        coalesce(sum(byteCount), 0)
      FROM blob WHERE id IN (SELECT r.blobID \(trashed)) AND NOT EXISTS (
        SELECT 1 FROM rendition r JOIN entry e ON e.id = r.photoID
        WHERE r.blobID = blob.id AND e.deletedAt IS NULL)
      """)
    return (photos, renditions)
  }

  /// A sentence for each total that is not what a count gives.
  func inconsistencies() throws -> [String] {
    var wrong = try String.fetchAll(
      database,
      sql: "SELECT subject || ' ' || kind FROM total WHERE (count, byteCount) <> \(Self.counted)")
    for (table, counted, name) in Self.byDay where try isInCatalog(table) {
      wrong += try String.fetchAll(
        database,
        sql: """
          SELECT DISTINCT \(name) FROM (
            SELECT * FROM (\(counted) EXCEPT SELECT * FROM \(table))
            UNION ALL SELECT * FROM (SELECT * FROM \(table) EXCEPT \(counted)))
          ORDER BY 1 LIMIT 100
          """)
    }
    return wrong.map { "The total of \($0) is not what a count gives." }
  }

  /// Counts everything anew.
  package func recount() throws {
    try database.execute(sql: "UPDATE total SET (count, byteCount) = \(Self.counted)")
    for (table, counted, _) in Self.byDay where try isInCatalog(table) {
      try database.execute(sql: "DELETE FROM \(table); INSERT INTO \(table) \(counted)")
    }
  }

  /// The totals by day: the table, the query that counts its rows, and what a row is called.
  private static let byDay = [
    ("dayTotal", Schema.countedDays, "localDay"),
    (
      "symptomTotal", Schema.countedSymptoms,
      "'symptoms of ' || date(day * 86400, 'unixepoch')"
    ),
  ]

  /// The count and the bytes of a row of `total`, as a row value.
  private static let counted = """
    (SELECT count(*), coalesce(sum(byteCount), 0) FROM (
      SELECT p.sourceByteCount AS byteCount FROM entry e LEFT JOIN photo p ON p.entryID = e.id
        WHERE total.subject = 'entry' AND e.kind = total.kind AND e.deletedAt IS NULL
      UNION ALL SELECT b.byteCount FROM rendition r JOIN blob b ON b.id = r.blobID
        WHERE total.subject = 'rendition' AND r.role = total.kind
      UNION ALL SELECT b.byteCount FROM blob b
        WHERE total.subject = 'blob'
          AND (total.kind = 'all' OR EXISTS (SELECT 1 FROM rendition WHERE blobID = b.id))))
    """

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
