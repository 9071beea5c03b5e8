package import DiaryModel
internal import Foundation
internal import GRDB

/// The owner of `retiredKey`: blobs with retired keys in an object store.
///
/// A DELETE whose answer was lost may be carried out at any later time, and would remove whatever was stored under the
/// same key since. A blob that is stored again therefore gets another key, of the next generation.
package struct RetiredKeyTable: CatalogTable {
  let database: Database

  /// A blob with retired keys: those of all generations before `generation`.
  package struct Retired: Sendable, Hashable {
    package let id: BlobID
    package let generation: Int
    /// Whether objects with these keys may still exist.
    package let isDeleting: Bool
  }

  /// The generation of the key that a blob has, or would get.
  package func generation(of id: BlobID) throws -> Int {
    try Int.fetchOne(
      database.cachedStatement(sql: "SELECT generation FROM retiredKey WHERE digest = ?"),
      arguments: [Data(id.bytes)]) ?? 0
  }

  /// The generations of all blobs with retired keys.
  package func generations() throws -> [BlobID: Int] {
    var generations: [BlobID: Int] = [:]
    let rows = try Row.fetchCursor(database, sql: "SELECT digest, generation FROM retiredKey")
    while let row = try rows.next() {
      generations[try CataloguedBlob(stored: row).id] = row[1]
    }
    return generations
  }

  /// At most `limit` blobs whose retired keys are not known to be deleted.
  package func deleting(limit: Int) throws -> [Retired] {
    try retired("WHERE isDeleting = 1 LIMIT ?", [limit])
  }

  /// All blobs with retired keys.
  package func all() throws -> [Retired] { try retired("") }

  private func retired(
    _ condition: String, _ arguments: StatementArguments = []
  ) throws -> [Retired] {
    try Row.fetchAll(
      database, sql: "SELECT digest, generation, isDeleting FROM retiredKey " + condition,
      arguments: arguments
    ).map {
      Retired(id: try CataloguedBlob(stored: $0).id, generation: $0[1], isDeleting: $0[2])
    }
  }

  /// Adds the retired keys of another catalog of the same library. Of two generations, the later one counts.
  func add(_ others: [Retired]) throws {
    let insert = try database.cachedStatement(
      sql: """
        INSERT INTO retiredKey (digest, generation, isDeleting) VALUES (?, ?, ?)
        ON CONFLICT (digest) DO UPDATE SET generation = max(generation, excluded.generation),
          isDeleting = max(isDeleting, excluded.isDeleting)
        """)
    for other in others {
      try insert.execute(arguments: [Data(other.id.bytes), other.generation, other.isDeleting])
    }
  }

  /// Records that keys are deleted, unless further keys of the same blobs were retired since.
  package func setDeleted(_ retired: [Retired]) throws {
    let update = try database.cachedStatement(
      sql: "UPDATE retiredKey SET isDeleting = 0 WHERE digest = ? AND generation = ?")
    for blob in retired {
      try update.execute(arguments: [Data(blob.id.bytes), blob.generation])
    }
  }

  func retire(_ id: BlobID) throws {
    try database.cachedStatement(
      sql: """
        INSERT INTO retiredKey (digest, generation, isDeleting) VALUES (?, 1, 1)
        ON CONFLICT (digest) DO UPDATE SET generation = generation + 1, isDeleting = 1
        """
    ).execute(arguments: [Data(id.bytes)])
  }
}
