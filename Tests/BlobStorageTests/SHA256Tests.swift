import Foundation
import Hashing
import Testing

@Suite struct SHA256Tests {
  private func hex(_ digest: [UInt8]) -> String {
    digest.map { String(format: "%02x", $0) }.joined()
  }

  /// FIPS 180-4's examples (csrc.nist.gov, SHA256.pdf and SHA2_Additional.pdf).
  @Test(arguments: [
    ("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    ("a", 1_000_000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
  ])
  func `digests are those of the standard`(text: String, count: Int, expected: String) {
    let bytes = Array(String(repeating: text, count: count).utf8)
    #expect(hex(SHA256.digest(of: bytes)) == expected)
    #expect(hex(SHA256.digest(of: Data(bytes))) == expected)
    // A sequence whose bytes are nowhere in one piece.
    #expect(hex(SHA256.digest(of: bytes.lazy.map { $0 })) == expected)
  }

  @Test func `pieces of any size have the digest of the whole`() {
    let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 * 31) }
    let whole = SHA256.digest(of: bytes)
    for size in [1, 3, 55, 56, 63, 64, 65, 128, 999] {
      var hash = SHA256()
      for start in stride(from: 0, to: bytes.count, by: size) {
        bytes[start..<min(start + size, bytes.count)].withUnsafeBytes { hash.update($0) }
      }
      #expect(hash.digest == whole, "pieces of \(size)")
    }
  }

  @Test func `a copy goes on by itself, and a digest ends nothing`() {
    var first = SHA256()
    Array("ab".utf8).withUnsafeBytes { first.update($0) }
    var second = first
    #expect(first.digest == SHA256.digest(of: "ab".utf8))
    Array("c".utf8).withUnsafeBytes { first.update($0) }
    Array("d".utf8).withUnsafeBytes { second.update($0) }
    #expect(first.digest == SHA256.digest(of: "abc".utf8))
    #expect(second.digest == SHA256.digest(of: "abd".utf8))
  }
}
