package import DiaryModel
internal import Foundation
internal import GRDB

/// A blob in the catalog.
package struct CataloguedBlob: Sendable, Hashable {
  package let id: BlobID
  package let byteCount: Int

  package init(id: BlobID, byteCount: Int) {
    self.id = id
    self.byteCount = byteCount
  }
}

/// The number of some blobs and their total size.
package struct BlobShare: Sendable, Hashable {
  package var count = 0
  package var byteCount = 0

  package init(count: Int = 0, byteCount: Int = 0) {
    self.count = count
    self.byteCount = byteCount
  }

  package mutating func add(_ blob: CataloguedBlob) {
    count += 1
    byteCount += blob.byteCount
  }
}

extension CatalogTable {
  /// The blobs found by a query for digests and byte counts. The statement is cached, as some queries run
  /// once for each of the store's folders.
  func blobs(_ sql: String, _ arguments: StatementArguments = []) throws -> [CataloguedBlob] {
    try Array(
      Row.fetchCursor(database.cachedStatement(sql: sql), arguments: arguments)
        .map(CataloguedBlob.init(stored:)))
  }
}

extension CatalogTable {
  /// The count and the total size found by a query.
  func share(_ sql: String, _ arguments: StatementArguments = []) throws -> BlobShare {
    let row = try Row.fetchOne(database, sql: sql, arguments: arguments)
    return row.map { BlobShare(count: $0[0], byteCount: $0[1]) } ?? BlobShare()
  }
}

extension CataloguedBlob {
  init(stored row: Row) throws {
    guard let id = BlobID(bytes: row[0] as Data) else {
      throw CatalogError(.damaged, "A blob in the catalog makes no sense.")
    }
    self.init(id: id, byteCount: row[1])
  }
}
