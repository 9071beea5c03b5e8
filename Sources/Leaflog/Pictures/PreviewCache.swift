internal import BlobStorage
package import Foundation
internal import SystemPackage

/// Previews as files, one a photo, at most `limit` bytes together; the least recently used go first.
/// Everything in it can be made again, so nothing is synced.
package struct PreviewCache: Sendable {
  private let folder: String
  package let limit: Int

  package struct Item {
    let path: String
    package let byteCount: Int
    let lastUsed: Date
  }

  /// `limit`: in bytes, 1 GiB by default.
  package init(folder: String, limit: Int = 1 << 30) {
    self.folder = folder
    self.limit = limit
  }

  package func get(_ id: EntryID) -> Data? {
    let path = path(of: id)
    guard let data = FileManager.default.contents(atPath: path) else { return nil }
    // The modification time is the time of the last look. A cache that cannot be written still reads.
    try? FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: path)
    return data
  }

  /// Puts a preview in, and takes others out as needed. A library that cannot be written, or has no
  /// room, does without.
  package func put(_ preview: Data, for id: EntryID) throws {
    let (files, folder) = (POSIXFileSystem(), FilePath(folder))
    do throws(BlobStoreError) {
      try files.makeFolder(folder.removingLastComponent())
      try files.makeFolder(folder)
      try files.writeUnsynced(preview, to: FilePath(path(of: id)))
    } catch {
      if [.permissionDenied, .readOnly, .noSpace].contains(error.code) { return }
      throw error
    }
    try remove(surplus())
  }

  /// Those that were looked at longest ago, as many as are above the bound.
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
      else { return nil }  // another process took it out
      return Item(path: path, byteCount: byteCount, lastUsed: lastUsed)
    }
  }

  private func path(of id: EntryID) -> String { "\(folder)/\(id).jpg" }
}
