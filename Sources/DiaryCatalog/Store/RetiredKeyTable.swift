package import DiaryModel
internal import Foundation
internal import GRDB

/// The owner of `retiredKey`: blobs whose keys in an object store were given up.
///
/// A DELETE whose answer was lost may be carried out at any later time. What is stored under a key that was deleted
/// would go with it, so a blob that is stored again gets another key, of the next generation.
package struct RetiredKeyTable: CatalogTable {
  let database: Database

  /// A blob with keys to be deleted: all generations before this one.
  package struct Retired: Sendable, Hashable {
    package let id: BlobID
    package let generation: Int
    /// Whether keys of generations before may still be there.
    package let isDeleting: Bool
  }

  /// The generation of the key that a blob has, or would get.
  package func generation(of id: BlobID) throws -> Int {
    try Int.fetchOne(
      database.cachedStatement(sql: "SELECT generation FROM retiredKey WHERE digest = ?"),
      arguments: [Data(id.bytes)]) ?? 0
  }

  /// The generations of all blobs that are not in their first.
  package func generations() throws -> [BlobID: Int] {
    var generations: [BlobID: Int] = [:]
    let rows = try Row.fetchCursor(database, sql: "SELECT digest, generation FROM retiredKey")
    while let row = try rows.next() {
      generations[try CataloguedBlob(stored: row).id] = row[1]
    }
    return generations
  }

  /// Some of those whose keys are not deleted yet, as far as is known.
  package func deleting(limit: Int) throws -> [Retired] {
    try retired("WHERE isDeleting = 1 LIMIT ?", [limit])
  }

  /// All of them.
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

  /// Adds those of another catalog of the same library. Of two generations the later one counts.
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

  /// Notes that keys are deleted, unless others of the same blobs were given up since.
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
