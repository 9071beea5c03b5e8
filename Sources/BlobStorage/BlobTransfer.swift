package import DiaryModel

/// A way to bring blobs from one store into another. Any number of threads may use it.
package protocol BlobTransfer: Sendable {
  /// How many blobs are brought at a time.
  var width: Int { get }

  /// Whether the target has a blob: by its size, or by every byte of it.
  func isPresent(_ id: BlobID, byteCount: Int, isFull: Bool) throws(BlobStoreError) -> Bool

  /// Brings a blob into the target, replacing one of its name. Durable after `finish`.
  ///
  /// - Throws: when the target cannot be written, or the source not be asked. A fault of the blob is an outcome.
  func bring(_ id: BlobID, byteCount: Int) throws(BlobStoreError) -> BlobTransferOutcome

  /// The fault that a blob's presence and size in the source show; nil when they are as expected.
  func faultInSource(_ id: BlobID, byteCount: Int) throws(BlobStoreError) -> BlobFault?

  /// Makes all that was brought durable.
  func finish() throws(BlobStoreError)
}

/// The outcome of bringing a blob.
package enum BlobTransferOutcome: Sendable, Hashable {
  /// The target had it.
  case present
  /// As a second name for the same bytes.
  case linked
  case copied
  /// The source lacks it, or has it damaged.
  case faulty(BlobFault)
}
