package import DiaryModel

/// A way to transfer blobs from one store to another. Any number of threads may use it.
package protocol BlobTransfer: Sendable {
  /// How many blobs to transfer at a time.
  var width: Int { get }

  /// Whether the target has a blob, judged by its size, or by all its bytes if `isFull`.
  func isPresent(_ id: BlobID, byteCount: Int, isFull: Bool) throws(BlobStoreError) -> Bool

  /// Transfers a blob to the target, replacing an existing one. It is durable after `finish`.
  ///
  /// - Throws: when the target cannot be written or the source cannot be reached. A faulty blob is an outcome.
  func bring(_ id: BlobID, byteCount: Int) throws(BlobStoreError) -> BlobTransferOutcome

  /// The fault that a blob's presence and size in the source show; nil when they are as expected.
  func faultInSource(_ id: BlobID, byteCount: Int) throws(BlobStoreError) -> BlobFault?

  /// Makes all transferred blobs durable.
  func finish() throws(BlobStoreError)
}

/// The outcome of transferring a blob.
package enum BlobTransferOutcome: Sendable, Hashable {
  /// The target already had it.
  case present
  /// Transferred as a hard link to the same bytes.
  case linked
  case copied
  /// The source lacks it or has a damaged copy.
  case faulty(BlobFault)
}
