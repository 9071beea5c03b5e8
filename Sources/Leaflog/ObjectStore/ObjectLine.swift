internal import BlobStorage
internal import DiaryCatalog
internal import Foundation
internal import Journal
internal import SystemPackage

/// The newest catalog in an object store, and the frames after it.
struct ObjectLine {
  /// The lineage of the newest owner; nil before the first commit.
  let lineage: UUID?
  let catalog: ObjectHistory.Name?
  let frames: [ObjectHistory.Name]

  init(_ history: ObjectHistory) throws {
    lineage = try history.ownedLineage()
    guard let lineage else {
      (catalog, frames) = (nil, [])
      return
    }
    // Frames first: a catalog that is added meanwhile covers some of them, and none of those after it is missing.
    let all = try history.names(ObjectHistory.frames).filter { $0.lineage == lineage }
    let newest = try history.names(ObjectHistory.catalogs).last { $0.lineage == lineage }
    let start = newest?.commit ?? 0
    (catalog, frames) = (newest, all.filter { $0.commit > start })
  }

  /// The number of the newest commit.
  var lastCommit: Int { frames.last?.commit ?? catalog?.commit ?? 0 }
}

extension ObjectHistory {
  /// Downloads a catalog into a file. One that was damaged by the network is requested again.
  ///
  /// - Returns: whether it is sound; false when it is damaged in the store.
  func fetch(_ catalog: Name, to path: FilePath, _ disk: LocalBlobStore) throws -> Bool {
    for _ in 0..<S3Client.fetchCount {
      try CatalogFile(path, disk).removeAll()
      _ = try client.fetch(catalog.key, to: path, disk)
      if try Self.isSound(path) { return true }
    }
    return false
  }

  /// - Throws: `CatalogError` with code `tooNew` for the catalog of a newer program, which is not damaged.
  private static func isSound(_ path: FilePath) throws -> Bool {
    do {
      let catalog = try Catalog(path: path.string, access: .readOnlyOfAnyVersion)
      defer { try? catalog.close() }
      return try catalog.read { try $0.isSound && $0.settings.lineage != nil }
    } catch let error as CatalogError where error.code != .tooNew {
      return false
    }
  }
}

extension LibraryMarker {
  /// The marker of the library in an object store.
  ///
  /// - Throws: `LeaflogError` with code `noLibrary` when there is none.
  init(in client: S3Client) throws {
    guard let marker = try LibraryMarker(inStore: client) else {
      throw LeaflogError(.noLibrary, "There is no Leaflog library at \(client.location.url).")
    }
    self = marker
  }

  /// The marker in an object store; nil when there is no library.
  init?(inStore client: S3Client) throws {
    guard let data = try client.present(ObjectHistory.marker) else { return nil }
    try self.init(Data(data), of: "\(client.location.url)/\(ObjectHistory.marker)")
  }
}
