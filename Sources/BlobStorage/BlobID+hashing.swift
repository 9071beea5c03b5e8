internal import Crypto
package import DiaryModel

extension BlobID {
  /// The SHA-256 of these bytes.
  package init(hashing bytes: UnsafeRawBufferPointer) {
    self.init(digest: SHA256.hash(data: bytes))
  }

  /// The SHA-256 of these parts of a buffer, one after the other; each must lie within it.
  package init(hashing parts: [Range<Int>], of bytes: ByteBuffer) {
    var hash = SHA256()
    bytes.withUnsafeBytes { bytes in
      for part in parts {
        hash.update(bufferPointer: UnsafeRawBufferPointer(rebasing: bytes[part]))
      }
    }
    self.init(finishing: hash)
  }

  init(finishing hash: SHA256) { self.init(digest: hash.finalize()) }

  private init(digest: SHA256Digest) {
    guard let id = BlobID(bytes: Array(digest)) else { preconditionFailure("SHA-256 has 32 bytes") }
    self = id
  }
}
