package import DiaryModel

/// Bytes on their way into a store, with the name they will have.
package struct PendingBlob: Sendable {
  package let id: BlobID
  package let bytes: ByteBuffer

  package init(hashing bytes: ByteBuffer) {
    id = bytes.withUnsafeBytes { BlobID(hashing: $0) }
    self.bytes = bytes
  }

  /// For bytes that were hashed while they were read.
  package init(id: BlobID, bytes: ByteBuffer) {
    self.id = id
    self.bytes = bytes
  }
}

/// A store of blobs. It requires nothing that an object store does not have: no rename, no
/// directories, no partial writes.
package protocol BlobStore: Sendable {
  /// Stores every blob that is missing. When it returns, all of them survive a power loss.
  func put(_ blobs: [PendingBlob]) throws(BlobStoreError)

  /// The bytes of a blob, or of a part of it.
  func get(_ id: BlobID, range: Range<Int>?) throws(BlobStoreError) -> ByteBuffer

  /// The size of a blob; nil when it is missing.
  func byteCount(of id: BlobID) throws(BlobStoreError) -> Int?

  /// Calls `body` with every blob, its size and the time it was stored, to the second at least, in the order of their
  /// first bytes.
  func list(_ body: (StoredBlob) throws -> Void) throws

  /// Removes a blob; a missing one is no error.
  func delete(_ id: BlobID) throws(BlobStoreError)
}

/// A blob as a store lists it.
package struct StoredBlob: Sendable, Hashable {
  package let id: BlobID
  package let byteCount: Int
  package let storedAt: Timestamp

  package init(id: BlobID, byteCount: Int, storedAt: Timestamp) {
    (self.id, self.byteCount, self.storedAt) = (id, byteCount, storedAt)
  }
}

/// An error of a blob store, with the path and the cause.
package struct BlobStoreError: Error, Sendable, CustomStringConvertible {
  package enum Code: Sendable {
    case notFound, noSpace, readOnly, permissionDenied, locked, failed
    /// A store elsewhere did not answer; the same again may succeed.
    case unreachable
    /// A store elsewhere takes neither the key nor what was asked with it.
    case refused
    /// This machine's clock is too far off for a store elsewhere.
    case clockWrong
    /// There is no such bucket.
    case noBucket
    /// A store elsewhere lacks a property that blobs need.
    case unfit
    /// An address that is none.
    case invalid
  }

  package let code: Code
  package let message: String
  package let path: String

  package init(code: Code, message: String, path: String) {
    self.code = code
    self.message = message
    self.path = path
  }

  package var description: String { message }
}
