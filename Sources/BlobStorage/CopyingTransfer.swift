package import DiaryModel

/// Transfers blobs between two stores, at least one of them remote: each blob is read as a whole, checked and put. The
/// stores are listed once instead of being queried for each blob.
package struct CopyingTransfer: BlobTransfer {
  private let source: any BlobStore
  private let target: any BlobStore
  private let present: [BlobID: Int]
  private let inSource: [BlobID: Int]
  package let width = 4

  /// - Parameter looksAtSource: whether `faultInSource` is going to be called, so that the source is listed as well.
  package init(
    from source: any BlobStore, to target: any BlobStore, looksAtSource: Bool
  ) throws {
    (self.source, self.target) = (source, target)
    present = try Self.sizes(target)
    inSource = looksAtSource ? try Self.sizes(source) : [:]
  }

  private static func sizes(_ store: any BlobStore) throws -> [BlobID: Int] {
    var sizes: [BlobID: Int] = [:]
    try store.list { sizes[$0.id] = $0.byteCount }
    return sizes
  }

  package func isPresent(
    _ id: BlobID, byteCount: Int, isFull: Bool
  ) throws(BlobStoreError) -> Bool {
    guard present[id] == byteCount else { return false }
    guard isFull else { return true }
    return try target.faultInBytes(of: id, byteCount: byteCount) == nil
  }

  package func bring(
    _ id: BlobID, byteCount: Int
  ) throws(BlobStoreError) -> BlobTransferOutcome {
    let bytes: ByteBuffer
    do throws(BlobStoreError) { bytes = try source.get(id, range: nil) } catch {
      switch error.code {
      case .notFound: return .faulty(.missing)
      case .damaged: return .faulty(.damaged)
      default: throw error
      }
    }
    guard bytes.count == byteCount else {
      return .faulty(.wrongSize(bytes.count, expected: byteCount))
    }
    let blob = PendingBlob(hashing: bytes)
    guard blob.id == id else { return .faulty(.damaged) }
    // Replaces a faulty one. A DELETE before it could be repeated late, and remove the new object.
    try target.put([blob])
    return .copied
  }

  package func faultInSource(_ id: BlobID, byteCount: Int) throws(BlobStoreError) -> BlobFault? {
    guard let found = inSource[id] else {
      // It may have been added after the listing.
      return try source.fault(of: id, byteCount: byteCount)
    }
    return found == byteCount ? nil : .wrongSize(found, expected: byteCount)
  }

  /// Does nothing: each blob was durable once it was put.
  package func finish() {}
}
