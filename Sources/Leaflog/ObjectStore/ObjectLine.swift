internal import BlobStorage
internal import Foundation

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
