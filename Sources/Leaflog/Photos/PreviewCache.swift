internal import BlobStorage
package import Foundation
internal import SystemPackage

/// A cache of previews as files, one for each photo and file that it was made from, with at most `limit` bytes in total; the least recently
/// used are removed first. Everything in it can be made again, so nothing is synced.
package struct PreviewCache: Sendable {
  private let folder: String
  package let limit: Int

  package struct Item {
    let path: String
    package let byteCount: Int
    let lastUsed: Date
  }

  /// - Parameter limit: the maximum size of the cache in bytes, 1 GiB by default.
  package init(folder: String, limit: Int = 1 << 30) {
    self.folder = folder
    self.limit = limit
  }

  /// - Parameter source: the blob that it was made from: the photo's may have been replaced.
  package func get(_ id: EntryID, of source: BlobID) -> Data? {
    let path = path(of: id, source)
    guard let data = FileManager.default.contents(atPath: path) else { return nil }
    // The modification time is the time of the last use. A cache that cannot be written can still be read.
    try? FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: path)
    return data
  }

  /// Adds a preview, and removes others as needed. Does nothing if the library cannot be written, or the
  /// disk is full.
  package func put(_ preview: Data, for id: EntryID, of source: BlobID) throws {
    let (files, folder) = (POSIXFileSystem(), FilePath(folder))
    do throws(BlobStoreError) {
      try files.makeFolder(folder.removingLastComponent())
      try files.makeFolder(folder)
      try files.writeUnsynced(preview, to: FilePath(path(of: id, source)))
    } catch {
      if [.permissionDenied, .readOnly, .noSpace].contains(error.code) { return }
      throw error
    }
    try remove(surplus())
  }

  /// Removes a photo's preview, if there is one, so that the next one is made again.
  func remove(_ id: EntryID, of source: BlobID) {
    try? FileManager.default.removeItem(atPath: path(of: id, source))
  }

  /// The least recently used previews, as many as exceed the limit.
  package func surplus() throws -> [Item] {
    var items = try contents().sorted { $0.lastUsed > $1.lastUsed }
    var byteCount = items.reduce(0) { $0 + $1.byteCount }
    var surplus: [Item] = []
    while byteCount > limit, let oldest = items.popLast() {
      surplus.append(oldest)
      byteCount -= oldest.byteCount
    }
    return surplus
  }

  package func remove(_ items: [Item]) throws {
    for item in items { try FileManager.default.removeItem(atPath: item.path) }
  }

  package func contents() throws -> [Item] {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
      return []
    }
    return names.compactMap { name in
      let path = folder + "/" + name
      guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
        let byteCount = (attributes[.size] as? NSNumber)?.intValue,
        let lastUsed = attributes[.modificationDate] as? Date
      else { return nil }  // another process removed it
      return Item(path: path, byteCount: byteCount, lastUsed: lastUsed)
    }
  }

  private func path(of id: EntryID, _ source: BlobID) -> String {
    "\(folder)/\(id)-\(source.hex.prefix(16)).jpg"
  }
}
