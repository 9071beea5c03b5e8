internal import Crypto
package import DiaryModel

extension BlobID {
  /// The SHA-256 of these bytes.
  package init(hashing bytes: UnsafeRawBufferPointer) {
    self.init(digest: SHA256.hash(data: bytes))
  }

  init(finishing hash: SHA256) { self.init(digest: hash.finalize()) }

  private init(digest: SHA256Digest) {
    guard let id = BlobID(bytes: Array(digest)) else { preconditionFailure("SHA-256 has 32 bytes") }
    self = id
  }
}
