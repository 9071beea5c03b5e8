package import DiaryModel
internal import Hashing
internal import SystemPackage

/// A fault of a blob's file.
package enum BlobFault: Error, Sendable, Hashable {
  case missing
  /// In bytes.
  case wrongSize(Int, expected: Int)
  /// The bytes do not have the digest that the blob is named after.
  case damaged
  /// In words.
  case unreadable(String)
}

extension BlobFault: CustomStringConvertible {
  /// A phrase that follows the blob's name.
  package var description: String {
    switch self {
    case .missing: "is not there"
    case .wrongSize(let byteCount, let expected): "has \(byteCount) bytes instead of \(expected)"
    case .damaged: "has other bytes than its name says"
    case .unreadable(let error): "cannot be read: \(error)"
    }
  }

  init(_ error: Errno) {
    self = error == .noSuchFileOrDirectory ? .missing : .unreadable("\(error)")
  }
}

extension LocalBlobStore {
  /// The fault that a blob's bytes show; nil when they are as expected.
  package func faultInBytes(of id: BlobID, byteCount: Int) -> BlobFault? {
    do throws(BlobFault) {
      try BlobFile(path(of: id), byteCount).check(id)
      return nil
    } catch { return error }
  }
}

/// A file that should be a blob.
struct BlobFile {
  let reader: FileReader

  init(_ path: FilePath, _ byteCount: Int) throws(BlobFault) {
    do throws(Errno) { reader = try FileReader(path) } catch { throw BlobFault(error) }
    guard reader.byteCount == byteCount else {
      throw .wrongSize(reader.byteCount, expected: byteCount)
    }
  }

  func check(_ id: BlobID) throws(BlobFault) {
    let found: BlobID
    do throws(Errno) { found = try reader.hash() } catch { throw BlobFault(error) }
    guard found == id else { throw .damaged }
  }
}

extension BlobID {
  /// The SHA-256 of these bytes.
  package init(hashing bytes: UnsafeRawBufferPointer) {
    var hash = SHA256()
    hash.update(bytes)
    self.init(finishing: hash)
  }

  /// The SHA-256 of these parts of a buffer, one after the other; each must lie within it.
  package init(hashing parts: [Range<Int>], of bytes: SharedBytes) {
    var hash = SHA256()
    bytes.withUnsafeBytes { bytes in
      for part in parts {
        hash.update(UnsafeRawBufferPointer(rebasing: bytes[part]))
      }
    }
    self.init(finishing: hash)
  }

  init(finishing hash: SHA256) {
    guard let id = hash.withDigest({ BlobID(bytes: $0) }) else {
      preconditionFailure("SHA-256 has 32 bytes")
    }
    self = id
  }
}
