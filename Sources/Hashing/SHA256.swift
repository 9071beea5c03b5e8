internal import COpenSSL

/// SHA-256 (FIPS 180-4) of bytes that come piece by piece. A copy goes on by itself.
package struct SHA256: Sendable {
  /// The length of a digest.
  package static let byteCount = Int(LEAFLOG_SHA256_COUNT)

  private var state = LeaflogSHA256()

  package init() { leaflog_sha256_begin(&state) }

  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    leaflog_sha256_update(&state, bytes.baseAddress, bytes.count)
  }

  /// Passes on the digest of all bytes so far: 32 bytes, which are valid during the call.
  package func withDigest<Result>(_ use: (UnsafeRawBufferPointer) -> Result) -> Result {
    var state = state
    return withUnsafeTemporaryAllocation(byteCount: Self.byteCount, alignment: 8) { digest in
      leaflog_sha256_finish(&state, digest.baseAddress)
      return use(UnsafeRawBufferPointer(digest))
    }
  }

  /// The digest of all bytes so far: 32 bytes.
  package var digest: [UInt8] { withDigest { Array($0) } }

  /// The digest of these bytes: 32 bytes.
  package static func digest(of bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var hash = SHA256()
    hash.update(bytes)
    return hash.digest
  }

  /// The digest of a text's UTF-8, or of other bytes in memory: 32 bytes.
  package static func digest(of bytes: some Sequence<UInt8>) -> [UInt8] {
    bytes.withContiguousStorageIfAvailable { digest(of: UnsafeRawBufferPointer($0)) }
      ?? Array(bytes).withUnsafeBytes { digest(of: $0) }
  }
}
