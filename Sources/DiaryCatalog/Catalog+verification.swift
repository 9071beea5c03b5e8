package import DiaryModel
internal import Foundation
internal import GRDB

extension Catalog {
  /// What SQLite finds wrong with the file and its references, and what Leaflog finds missing in it;
  /// nothing when all is well.
  package func inconsistencies() throws -> [String] {
    try read { database in
      var found = try String.fetchAll(database, sql: "PRAGMA integrity_check(100)")
        .filter { $0 != "ok" }.map { "SQLite: \($0)" }
      for row in try Row.fetchAll(database, sql: "PRAGMA foreign_key_check") {
        found.append(
          "A row of \(row[0] as String) refers to one of \(row[2] as String) that is not there.")
      }
      let questions = [
        "SELECT publicID || ' has no photo' FROM entry WHERE kind = 'photo' "
          + "AND id NOT IN (SELECT entryID FROM photo)",
        "SELECT e.publicID || ' has no full-size rendition' FROM entry e JOIN photo p "
          + "ON p.entryID = e.id WHERE NOT EXISTS (SELECT 1 FROM rendition r "
          + "WHERE r.photoID = e.id AND r.role <> 'thumbnail')",
        "SELECT e.publicID || ' has no thumbnail' FROM entry e JOIN photo p "
          + "ON p.entryID = e.id WHERE NOT EXISTS (SELECT 1 FROM rendition r "
          + "WHERE r.photoID = e.id AND r.role = 'thumbnail')",
      ]
      for question in questions {
        found += try String.fetchAll(database, sql: question + " LIMIT 100")
          .map { "The photo \($0)." }
      }
      return found
    }
  }

  /// Whether SQLite finds nothing wrong with the file.
  package func isSound() throws -> Bool {
    try read { try String.fetchOne($0, sql: "PRAGMA integrity_check(1)") == "ok" }
  }

  /// The blobs that something refers to, those first that were verified longest ago or never.
  package func blobsToVerify() throws -> [CataloguedBlob] {
    try blobs(
      """
      SELECT digest, byteCount FROM blob
      WHERE EXISTS (SELECT 1 FROM rendition WHERE blobID = blob.id)
      ORDER BY verifiedAt, id
      """, [])
  }

  /// Notes that all bytes of these blobs were right.
  package func setVerified(_ ids: [BlobID], at time: Timestamp) throws {
    try write { database in
      let update = try database.cachedStatement(
        sql: "UPDATE blob SET verifiedAt = ? WHERE digest = ?")
      for id in ids {
        try update.execute(arguments: [time.milliseconds, Data(id.bytes)])
      }
    }
  }

  /// The photos that a blob belongs to, and as what.
  package func photos(of blob: BlobID) throws -> [(entry: Entry, role: RenditionRole)] {
    try read { database in
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT e.publicID, r.role FROM blob b JOIN rendition r ON r.blobID = b.id
          JOIN entry e ON e.id = r.photoID WHERE b.digest = ? ORDER BY e.occurredAt, e.seq
          """, arguments: [Data(blob.bytes)])
      return try rows.compactMap { row in
        let entries = try database.entries(
          EntrySelection.sql + " WHERE e.publicID = ?", [row[0] as String])
        guard let entry = entries.first, let role = RenditionRole(rawValue: row[1]) else {
          return nil
        }
        return (entry, role)
      }
    }
  }
}
