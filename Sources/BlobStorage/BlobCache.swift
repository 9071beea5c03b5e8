package import DiaryModel
internal import Foundation
internal import Glibc
internal import Synchronization
package import SystemPackage

/// A cache of blobs from a remote store, as files of at most `limit` bytes in total. The least recently used files are
/// evicted first. Nothing is synced: a file damaged by a power cut is detected by its digest and counts as missing.
package final class BlobCache: Sendable {
  private let folder: FilePath
  private let files: any FileSystem
  package let limit: Int
  /// Larger blobs are not cached, so that no single one displaces all others.
  private let maxBlobByteCount: Int
  /// The total size of the files; nil until it has been determined.
  private let byteCount = Mutex<Int?>(nil)

  /// - Parameter limit: in bytes.
  package init(_ folder: FilePath, limit: Int = 1 << 30, files: any FileSystem = POSIXFileSystem())
  {
    (self.folder, self.limit, self.files) = (folder, limit, files)
    maxBlobByteCount = limit / 8
  }

  private func path(of id: BlobID) -> FilePath {
    folder.appending(String(id.hex.prefix(2))).appending(id.hex)
  }

  /// The whole blob; nil when it is not cached.
  package func get(_ id: BlobID) -> SharedBytes? {
    let path = path(of: id)
    guard let (bytes, found) = try? FileReader(path).readAndHash() else { return nil }
    guard found == id else {
      unlink(path.string)
      return nil
    }
    // The modification time is the time of the last use.
    path.withPlatformString { _ = utimensat(AT_FDCWD, $0, nil, 0) }
    return bytes
  }

  /// Caches a blob, and evicts others as needed. Failures to write, as for lack of room, are ignored.
  package func put(_ id: BlobID, _ bytes: SharedBytes) {
    guard bytes.count <= maxBlobByteCount else { return }
    let path = path(of: id)
    do throws(BlobStoreError) {
      try files.makeFolder(path.removingLastComponent())
      try files.writeUnsynced(bytes.withUnsafeBytes { Array($0) }, to: path)
    } catch { return }
    let isFull = byteCount.withLock { count in
      count = (count ?? contents().reduce(0) { $0 + $1.byteCount } - bytes.count) + bytes.count
      return count ?? 0 > limit
    }
    if isFull { shrink() }
  }

  /// Frees a tenth of the limit, so that not every blob causes evictions.
  private func shrink() {
    byteCount.withLock { count in
      var items = contents().sorted { $0.lastUsed > $1.lastUsed }
      var sum = items.reduce(0) { $0 + $1.byteCount }
      while sum > limit / 10 * 9, let oldest = items.popLast() {
        unlink(oldest.path.string)
        sum -= oldest.byteCount
      }
      count = sum
    }
  }

  package func remove(_ id: BlobID) { unlink(path(of: id).string) }

  /// The number of files and their total size.
  package func extent() -> (count: Int, byteCount: Int) {
    contents().reduce(into: (0, 0)) { $0 = ($0.0 + 1, $0.1 + $1.byteCount) }
  }

  private struct Item {
    let path: FilePath
    let byteCount: Int
    /// Nanoseconds.
    let lastUsed: Int
  }

  private func contents() -> [Item] {
    func names(_ folder: FilePath) -> [String] {
      (try? DirectoryItem.list(folder).map(\.text)) ?? []
    }
    return names(folder).flatMap { part in
      names(folder.appending(part)).compactMap { name in
        let path = folder.appending(part).appending(name)
        var status = stat()
        guard path.withPlatformString({ stat($0, &status) }) == 0 else { return nil }
        return Item(
          path: path, byteCount: Int(status.st_size),
          lastUsed: status.st_mtim.tv_sec * 1_000_000_000 + status.st_mtim.tv_nsec)
      }
    }
  }
}

/// A remote store, read through a cache on this machine.
package struct CachedBlobStore: BlobStore {
  private let store: any BlobStore
  package let cache: BlobCache
  /// Blobs up to this size are cached when they are put: thumbnails, which are viewed next.
  private let keptByteCount: Int

  package init(_ store: any BlobStore, _ cache: BlobCache, keptByteCount: Int = 256 << 10) {
    (self.store, self.cache, self.keptByteCount) = (store, cache, keptByteCount)
  }

  package func put(_ blobs: [PendingBlob]) throws(BlobStoreError) {
    try store.put(blobs)
    for blob in blobs where blob.bytes.count <= keptByteCount { cache.put(blob.id, blob.bytes) }
  }

  /// A range of a blob that is not cached is requested as a range, and not cached.
  package func get(_ id: BlobID, range: Range<Int>?) throws(BlobStoreError) -> SharedBytes {
    if let bytes = cache.get(id) {
      guard let range else { return bytes }
      return SharedBytes(copying: ByteRange(bytes, range.clamped(to: 0..<bytes.count)))
    }
    let bytes = try store.get(id, range: range)
    if range == nil { cache.put(id, bytes) }
    return bytes
  }

  package func delete(_ id: BlobID) throws(BlobStoreError) {
    cache.remove(id)
    try store.delete(id)
  }

  /// Checks the store and not the cached copy, as callers ask about the store.
  package func faultInBytes(
    of id: BlobID, byteCount: Int
  ) throws(BlobStoreError) -> BlobFault? {
    try store.faultInBytes(of: id, byteCount: byteCount)
  }

  package func byteCount(of id: BlobID) throws(BlobStoreError) -> Int? {
    try store.byteCount(of: id)
  }

  package func list(_ body: (StoredBlob) throws -> Void) throws { try store.list(body) }
  package func place(of id: BlobID) -> String { store.place(of: id) }
  package func confirm(_ rendition: Rendition) throws { try store.confirm(rendition) }
}
