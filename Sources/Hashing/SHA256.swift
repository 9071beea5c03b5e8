internal import COpenSSL

/// The SHA-256 (FIPS 180-4) of bytes that come piece by piece, by OpenSSL.
///
/// libvips has OpenSSL in every process already, so that it costs nothing to load, and nothing to build.
package struct SHA256: ~Copyable {
  /// How many bytes a digest has.
  package static let byteCount = 32

  private let context: OpaquePointer

  package init() {
    guard let context = EVP_MD_CTX_new(), EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else {
      preconditionFailure("OpenSSL has SHA-256, and memory for it")
    }
    self.context = context
  }

  deinit { EVP_MD_CTX_free(context) }

  /// Adds the next bytes.
  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    let isDone = EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1
    precondition(isDone, "SHA-256 takes any bytes")
  }

  /// The digest of all bytes; none can be added afterwards.
  package mutating func finalize() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: Self.byteCount) { digest, count in
      let isDone = EVP_DigestFinal_ex(context, digest.baseAddress, nil) == 1
      precondition(isDone, "SHA-256 has a digest")
      count = Self.byteCount
    }
  }

  /// The digest of some bytes.
  package static func hash(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var hash = SHA256()
    hash.update(bytes)
    return hash.finalize()
  }

  /// Whether two digests are the same, in a time that does not tell where they differ.
  package static func isEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
  }
}
