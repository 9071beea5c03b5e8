package import DiaryModel
internal import Foundation
internal import Glibc
internal import Synchronization
package import SystemPackage

/// Copies of blobs that are elsewhere, as files, at most `limit` bytes together; those go first that were used longest
/// ago. Nothing is synced: a file that a power cut has damaged is found by its digest, and is as good as none.
package final class BlobCache: Sendable {
  private let folder: FilePath
  private let files: any FileSystem
  package let limit: Int
  /// Larger blobs are not kept, so that no single one takes the place of all others.
  private let maxBlobByteCount: Int
  /// Of all files; nil before they were counted.
  private let byteCount = Mutex<Int?>(nil)

  /// `limit`: in bytes.
  package init(_ folder: FilePath, limit: Int = 1 << 30, files: any FileSystem = POSIXFileSystem())
  {
    (self.folder, self.limit, self.files) = (folder, limit, files)
    maxBlobByteCount = limit / 8
  }

  private func path(of id: BlobID) -> FilePath {
    folder.appending(String(id.hex.prefix(2))).appending(id.hex)
  }

  /// The whole blob; nil when it is not here.
  package func get(_ id: BlobID) -> ByteBuffer? {
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

  /// Puts a blob in, and takes others out as needed. A cache that cannot be written, or has no room, does without.
  package func put(_ id: BlobID, _ bytes: ByteBuffer) {
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

  /// Leaves room for a tenth, so that it is not done for each blob.
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

  /// How many files there are, and how many bytes.
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

/// A store elsewhere, read through a cache on this machine.
package struct CachedBlobStore: BlobStore {
  private let store: any BlobStore
  package let cache: BlobCache
  /// Blobs up to this size are kept as they are put: thumbnails, which are looked at next.
  private let keptByteCount: Int

  package init(_ store: any BlobStore, _ cache: BlobCache, keptByteCount: Int = 256 << 10) {
    (self.store, self.cache, self.keptByteCount) = (store, cache, keptByteCount)
  }

  package func put(_ blobs: [PendingBlob]) throws(BlobStoreError) {
    try store.put(blobs)
    for blob in blobs where blob.bytes.count <= keptByteCount { cache.put(blob.id, blob.bytes) }
  }

  /// Parts of blobs that are not here are asked for as parts.
  package func get(_ id: BlobID, range: Range<Int>?) throws(BlobStoreError) -> ByteBuffer {
    if let bytes = cache.get(id) {
      guard let range else { return bytes }
      return ByteBuffer(copying: ByteRange(bytes, range.clamped(to: 0..<bytes.count)))
    }
    let bytes = try store.get(id, range: range)
    if range == nil { cache.put(id, bytes) }
    return bytes
  }

  package func delete(_ id: BlobID) throws(BlobStoreError) {
    cache.remove(id)
    try store.delete(id)
  }

  /// Not of the copy here: whoever asks wants to know about the store.
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
