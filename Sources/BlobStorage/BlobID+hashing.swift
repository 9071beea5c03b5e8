internal import Crypto
package import DiaryModel

extension BlobID {
  /// The SHA-256 of these bytes.
  package init(hashing bytes: UnsafeRawBufferPointer) {
    var hash = SHA256()
    hash.update(bufferPointer: bytes)
    self.init(finishing: hash)
  }

  init(finishing hash: SHA256) {
    guard let id = BlobID(bytes: Array(hash.finalize())) else {
      preconditionFailure("SHA-256 has 32 bytes")
    }
    self = id
  }
}
