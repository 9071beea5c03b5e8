/// The name of a blob: the SHA-256 (FIPS 180-4) of its bytes.
///
/// Its text form is 64 lower-case hexadecimal digits, so `sha256sum FILE` prints the same.
public struct BlobID: Hashable, Sendable {
  /// How many bytes a digest has.
  public static let byteCount = 32

  /// Four big-endian words: cheaper to hash and compare than an array.
  private let words: SIMD4<UInt64>

  /// Takes the 32 bytes of a digest; nil when there are not exactly 32.
  public init?(bytes: some Collection<UInt8>) {
    guard bytes.count == Self.byteCount else { return nil }
    // Contiguous bytes, the usual case, are read eight at a time: pages of entries have many ids.
    let loaded = bytes.withContiguousStorageIfAvailable { storage in
      let raw = UnsafeRawBufferPointer(storage)
      return SIMD4<UInt64>(
        raw.loadUnaligned(as: UInt64.self).bigEndian,
        raw.loadUnaligned(fromByteOffset: 8, as: UInt64.self).bigEndian,
        raw.loadUnaligned(fromByteOffset: 16, as: UInt64.self).bigEndian,
        raw.loadUnaligned(fromByteOffset: 24, as: UInt64.self).bigEndian)
    }
    if let loaded {
      words = loaded
      return
    }
    words = bytes.enumerated().reduce(into: SIMD4()) { words, item in
      words[item.offset / 8] = words[item.offset / 8] << 8 | UInt64(item.element)
    }
  }

  /// Takes 64 hexadecimal digits; nil for anything else.
  public init?(hex: some StringProtocol) {
    let digits = hex.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
    guard digits.count == 2 * Self.byteCount, hex.utf8.count == digits.count else { return nil }
    self.init(
      bytes: stride(from: 0, to: digits.count, by: 2).map {
        UInt8(digits[$0] << 4 | digits[$0 + 1])
      })
  }

  /// The 32 bytes of the digest.
  public var bytes: [UInt8] {
    (0..<Self.byteCount).map { UInt8(truncatingIfNeeded: words[$0 / 8] >> (56 - 8 * ($0 % 8))) }
  }

  /// The first byte of the digest.
  package var firstByte: UInt8 { UInt8(truncatingIfNeeded: words[0] >> 56) }

  /// 64 lower-case hexadecimal digits.
  public var hex: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(unsafeUninitializedCapacity: 2 * Self.byteCount) { text in
      for position in 0..<(2 * Self.byteCount) {
        text[position] = digits[Int(words[position / 16] >> (60 - 4 * (position % 16)) & 15)]
      }
      return 2 * Self.byteCount
    }
  }
}

extension BlobID: CustomStringConvertible {
  /// 64 lower-case hexadecimal digits.
  public var description: String { hex }
}
