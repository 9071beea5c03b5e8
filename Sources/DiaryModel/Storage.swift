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

extension BlobID: Comparable {
  /// In the order of their bytes, which is that of their hexadecimal digits.
  public static func < (first: BlobID, second: BlobID) -> Bool {
    for index in 0..<4 where first.words[index] != second.words[index] {
      return first.words[index] < second.words[index]
    }
    return false
  }
}

extension BlobID: WrittenID {
  /// Takes 64 hexadecimal digits; nil for anything else.
  public init?(_ text: String) { self.init(hex: text) }

  /// 64 lower-case hexadecimal digits.
  public var description: String { hex }
}

/// Immutable bytes outside Swift's arrays, read from a file or made by a C library, without a copy.
/// They are freed with the last reference.
package final class SharedBytes: @unchecked Sendable {  // the bytes never change after init
  private let storage: UnsafeRawBufferPointer
  private let release: @Sendable (UnsafeMutableRawPointer?) -> Void

  /// Takes ownership of `bytes`; `release` is called with their address at the end.
  package init(
    adopting bytes: UnsafeMutableRawBufferPointer,
    release: @escaping @Sendable (UnsafeMutableRawPointer?) -> Void
  ) {
    storage = UnsafeRawBufferPointer(bytes)
    self.release = release
  }

  package convenience init(copying bytes: some Collection<UInt8>) {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
    copy.copyBytes(from: bytes)
    self.init(adopting: copy) { $0?.deallocate() }
  }

  deinit { release(UnsafeMutableRawPointer(mutating: storage.baseAddress)) }

  package var count: Int { storage.count }

  package func withUnsafeBytes<Result, Failure>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { withExtendedLifetime(self) {} }
    return try body(storage)
  }
}

/// A slice of a buffer that shares its storage and its indices.
package struct ByteRange: RandomAccessCollection, Sendable {
  private let buffer: SharedBytes
  package let indices: Range<Int>

  /// `range` must lie within the buffer.
  package init(_ buffer: SharedBytes, _ range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= buffer.count)
    (self.buffer, indices) = (buffer, range)
  }

  package var startIndex: Int { indices.lowerBound }
  package var endIndex: Int { indices.upperBound }

  package subscript(place: Int) -> UInt8 {
    precondition(indices.contains(place))
    return buffer.withUnsafeBytes { $0[place] }
  }
}

/// The location of a library's photos in an S3-compatible store. It holds no secrets.
public struct ObjectStoreSettings: Sendable, Hashable, Codable {
  /// `s3://bucket/prefix`
  public var url: String
  /// The store's address, such as `https://s3.example.org`.
  public var endpoint: String
  /// Part of each signature. Stores without regions accept any.
  public var region = "us-east-1"
  /// Whether the bucket is named in the path of a URL rather than in its host name.
  public var usesPathStyle = true
  /// The value of `x-amz-storage-class`; nil means the store's default.
  public var storageClass: String?
  /// When changes to the library are sent to the store.
  public var journal = Journal.sync
  /// A PEM file of the certificate authorities to trust for the store; nil means the system's.
  public var authorities: String?

  /// - Parameters:
  ///   - url: `s3://bucket/prefix`
  ///   - endpoint: the store's address, such as `https://s3.example.org`.
  public init(url: String, endpoint: String) { (self.url, self.endpoint) = (url, endpoint) }

  /// Whether both name the same location. How it is reached may change while the photos stay.
  package func isAtPlace(of other: ObjectStoreSettings) -> Bool {
    url == other.url && endpoint == other.endpoint
  }

  /// Whether a change is reported as done after or before the store has it.
  public enum Journal: String, Sendable, Codable, CaseIterable {
    /// A change is reported once the store has it.
    case sync
    /// A change is reported once this machine has it, and sent at most ``maxLag`` later, together with others made
    /// in the meantime. If the machine is lost, so are the changes not yet sent.
    case async

    /// The longest time for which a change is held back from the store.
    public static let maxLag = Duration.seconds(5)
  }
}

/// A lock that keeps two processes from writing to a library at the same time.
package protocol ExclusiveLock: Sendable {
  func withLock<Result>(_ body: () throws -> Result) throws -> Result
}
