package import DiaryModel
internal import Hashing

extension BlobID {
  /// The SHA-256 of these bytes.
  package init(hashing bytes: UnsafeRawBufferPointer) {
    self.init(digest: SHA256.hash(bytes))
  }

  init(finishing hash: inout SHA256) { self.init(digest: hash.finalize()) }

  private init(digest: [UInt8]) {
    guard let id = BlobID(bytes: digest) else { preconditionFailure("SHA-256 has 32 bytes") }
    self = id
  }
}
