package import DiaryModel
internal import Foundation
internal import GRDB

/// How much there is of everything in a catalog.
package struct CatalogStatistics: Sendable {
  package let plantCount: Int
  /// Entries on the timeline by kind.
  package let entryCounts: [EntryKind: Int]
  /// Of the photos on the timeline.
  package let sourceByteCount: Int
  package let renditions: [RenditionRole: (count: Int, byteCount: Int)]
  /// The bytes of all blobs with a reference, each counted once.
  package let storedByteCount: Int
}

extension CatalogTables {
  package func statistics() throws -> CatalogStatistics {
    var entries: [EntryKind: Int] = [:]
    for row in try Row.fetchAll(
      database,
      sql: "SELECT kind, count(*) FROM entry WHERE deletedAt IS NULL GROUP BY kind")
    {
      if let kind = EntryKind(rawValue: row[0]) { entries[kind] = row[1] }
    }
    var renditions: [RenditionRole: (count: Int, byteCount: Int)] = [:]
    for row in try Row.fetchAll(
      database,
      sql: """
        SELECT r.role, count(*), sum(b.byteCount) FROM rendition r JOIN blob b ON b.id = r.blobID
        GROUP BY r.role
        """)
    {
      if let role = RenditionRole(rawValue: row[0]) { renditions[role] = (row[1], row[2]) }
    }
    func integer(_ sql: String) throws -> Int { try Int.fetchOne(database, sql: sql) ?? 0 }
    return CatalogStatistics(
      plantCount: try integer("SELECT count(*) FROM plant WHERE deletedAt IS NULL"),
      entryCounts: entries,
      sourceByteCount: try integer(
        """
        SELECT coalesce(sum(p.sourceByteCount), 0) FROM photo p JOIN entry e ON e.id = p.entryID
        WHERE e.deletedAt IS NULL
        """),
      renditions: renditions,
      storedByteCount: try integer(
        """
        SELECT coalesce(sum(byteCount), 0) FROM blob
        WHERE EXISTS (SELECT 1 FROM rendition WHERE blobID = blob.id)
        """))
  }
}
