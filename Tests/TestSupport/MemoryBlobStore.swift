package import BlobStorage
package import DiaryModel
internal import Synchronization

/// Blobs in memory, for tests of code that builds on a store.
package final class MemoryBlobStore: BlobStore {
  private let blobs = Mutex<[BlobID: (bytes: SharedBytes, storedAt: Timestamp)]>([:])

  package init() {}

  package func put(_ new: [PendingBlob]) throws(BlobStoreError) {
    blobs.withLock { blobs in
      for blob in new { blobs[blob.id] = (blob.bytes, .now) }
    }
  }

  package func get(_ id: BlobID, range: Range<Int>?) throws(BlobStoreError) -> SharedBytes {
    guard let bytes = blobs.withLock({ $0[id]?.bytes }) else {
      throw BlobStoreError(code: .notFound, message: "\(id) is not there.", path: id.hex)
    }
    guard let range else { return bytes }
    return SharedBytes(copying: ByteRange(bytes, range.clamped(to: 0..<bytes.count)))
  }

  package func byteCount(of id: BlobID) throws(BlobStoreError) -> Int? {
    blobs.withLock { $0[id]?.bytes.count }
  }

  package func list(_ body: (StoredBlob) throws -> Void) throws {
    let all = blobs.withLock { $0.mapValues { ($0.bytes.count, $0.storedAt) } }
    for (id, (byteCount, storedAt)) in all.sorted(by: { $0.key.hex < $1.key.hex }) {
      try body(StoredBlob(id: id, byteCount: byteCount, storedAt: storedAt))
    }
  }

  package func place(of id: BlobID) -> String { "memory:\(id)" }

  package func delete(_ id: BlobID) throws(BlobStoreError) {
    blobs.withLock { $0[id] = nil }
  }
}
