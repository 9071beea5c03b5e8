package import DiaryModel
package import SystemPackage

/// Bytes on their way into a store, with the name they will have.
package struct PendingBlob: Sendable {
  package let id: BlobID
  package let bytes: SharedBytes

  package init(hashing bytes: SharedBytes) {
    id = bytes.withUnsafeBytes { BlobID(hashing: $0) }
    self.bytes = bytes
  }

  /// For bytes that were hashed while they were read.
  package init(id: BlobID, bytes: SharedBytes) {
    self.id = id
    self.bytes = bytes
  }
}

/// A store of blobs. It needs nothing that an object store lacks: no rename, no directories, no
/// partial writes.
package protocol BlobStore: Sendable {
  /// Stores every blob that is missing. When it returns, all of them survive a power loss.
  func put(_ blobs: [PendingBlob]) throws(BlobStoreError)

  /// The bytes of a blob, or of a range of it.
  func get(_ id: BlobID, range: Range<Int>?) throws(BlobStoreError) -> SharedBytes

  /// The size of a blob; nil when it is missing.
  func byteCount(of id: BlobID) throws(BlobStoreError) -> Int?

  /// Calls `body` with every blob, its size and the time it was stored (to the second or finer), ordered by the first
  /// byte of their ids.
  func list(_ body: (StoredBlob) throws -> Void) throws

  /// Removes a blob; a missing one is not an error.
  func delete(_ id: BlobID) throws(BlobStoreError)

  /// The location of a blob, whether present or not, for messages: a file path or an address.
  func place(of id: BlobID) -> String

  /// Checks that a rendition's blob is present, in a transaction that is about to refer to it. Must be called under the
  /// library's lock, which keeps the blob present until the transaction ends.
  func confirm(_ rendition: Rendition) throws

  /// The fault that a blob's bytes show; nil when they are as expected.
  ///
  /// - Throws: when a remote store cannot be reached, which says nothing about the blob.
  func faultInBytes(of id: BlobID, byteCount: Int) throws(BlobStoreError) -> BlobFault?

  /// Moves an unreferenced blob to the store's trash, if the store has one; otherwise the blob stays, and is trash only
  /// to the catalog. Must be called under the library's lock.
  func moveToTrash(_ id: BlobID) throws(BlobStoreError)
}

extension BlobStore {
  package func faultInBytes(
    of id: BlobID, byteCount: Int
  ) throws(BlobStoreError) -> BlobFault? {
    do throws(BlobStoreError) {
      let bytes = try get(id, range: nil)
      guard bytes.count == byteCount else { return .wrongSize(bytes.count, expected: byteCount) }
      return bytes.withUnsafeBytes { BlobID(hashing: $0) } == id ? nil : .damaged
    } catch {
      switch error.code {
      case .notFound: return .missing
      case .damaged: return .damaged
      default: throw error
      }
    }
  }

  package func moveToTrash(_ id: BlobID) throws(BlobStoreError) {}

  /// The fault that a blob's presence and size show; nil when they are as expected.
  package func fault(of id: BlobID, byteCount: Int) throws(BlobStoreError) -> BlobFault? {
    guard let found = try self.byteCount(of: id) else { return .missing }
    return found == byteCount ? nil : .wrongSize(found, expected: byteCount)
  }

  package func confirm(_ rendition: Rendition) throws {
    guard try byteCount(of: rendition.blob) == rendition.byteCount else {
      let place = place(of: rendition.blob)
      throw BlobStoreError(code: .notFound, message: "Could not find \(place).", path: place)
    }
  }
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
    /// The bytes of a blob do not have the digest that it is named after.
    case damaged
    /// A remote store did not answer; a retry may succeed.
    case unreachable
    /// A remote store rejected the access key or the request.
    case refused
    /// This machine's clock is too far off for a remote store.
    case clockWrong
    /// The bucket does not exist.
    case noBucket
    /// A remote store lacks a property that blobs need.
    case unfit
    /// The address is malformed.
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

extension BlobStoreError {
  /// A system error as a sentence that names the path and, if there is one, the remedy.
  package init(_ error: Errno, _ action: String, _ path: FilePath) {
    let code: Code
    let remedy: String
    switch error {
    case .noSuchFileOrDirectory: (code, remedy) = (.notFound, "")
    case .noSpace, .diskQuotaExceeded:
      (code, remedy) = (.noSpace, " Make room on the disk, and try again.")
    case .readOnlyFileSystem: (code, remedy) = (.readOnly, " The disk is read-only.")
    case .permissionDenied, .notPermitted:
      (code, remedy) = (.permissionDenied, " Check who owns the library's folder.")
    default: (code, remedy) = (.failed, "")
    }
    self.init(
      code: code, message: "Could not \(action) \(path): \(error).\(remedy)", path: path.string)
  }
}

/// Runs system calls on a path; an error becomes a `BlobStoreError` that names the action and the path.
package func attempt<Result>(
  _ action: String, _ path: FilePath, _ body: () throws(Errno) -> Result
) throws(BlobStoreError) -> Result {
  do { return try body() } catch { throw BlobStoreError(error, action, path) }
}
