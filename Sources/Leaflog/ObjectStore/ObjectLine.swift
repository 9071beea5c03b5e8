internal import BlobStorage
internal import Foundation

/// The newest catalog in an object store, and the frames behind it.
struct ObjectLine {
  /// That of the newest owner; nil before the first commit.
  let lineage: UUID?
  let catalog: ObjectHistory.Name?
  let frames: [ObjectHistory.Name]

  init(_ history: ObjectHistory) throws {
    lineage = try history.ownedLineage()
    guard let lineage else {
      (catalog, frames) = (nil, [])
      return
    }
    // First the frames: a catalog that covers some of them may come meanwhile, and takes none away that is needed.
    let all = try history.names(ObjectHistory.frames).filter { $0.lineage == lineage }
    let newest = try history.names(ObjectHistory.catalogs).last { $0.lineage == lineage }
    let start = newest?.commit ?? 0
    (catalog, frames) = (newest, all.filter { $0.commit > start })
  }

  /// The newest commit.
  var lastCommit: Int { frames.last?.commit ?? catalog?.commit ?? 0 }
}

extension LibraryMarker {
  /// That of the library in an object store.
  ///
  /// - Throws: `LeaflogError` with code `noLibrary` when there is none.
  init(in client: S3Client) throws {
    guard let marker = try LibraryMarker(inStore: client) else {
      throw LeaflogError(.noLibrary, "There is no Leaflog library at \(client.location.url).")
    }
    self = marker
  }

  /// Nil when there is no library.
  init?(inStore client: S3Client) throws {
    guard let data = try client.present(ObjectHistory.marker) else { return nil }
    try self.init(Data(data), of: "\(client.location.url)/\(ObjectHistory.marker)")
  }
}
