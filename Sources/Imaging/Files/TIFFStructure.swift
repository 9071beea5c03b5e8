internal import DiaryModel
internal import Foundation

/// The tags of a TIFF file or an EXIF block (TIFF 6.0, section 2; EXIF 2.32, section 4.6.2). A BigTIFF has longer
/// numbers in its directories, and is the same otherwise.
///
/// It reads only inside the given bytes, follows each directory once, and reads at most 1 000 entries
/// of a directory, so that no file makes it loop or run for long.
struct TIFFStructure {
  enum Tag {
    static let orientation: UInt16 = 0x0112
    /// The size of the picture in samples (TIFF 6.0), and as a viewer shall take it (EXIF 2.32, 4.6.5).
    static let sizes: [(width: UInt16, height: UInt16)] = [(0x0100, 0x0101), (0xA002, 0xA003)]
    static let thumbnailOffset: UInt16 = 0x0201
    static let thumbnailByteCount: UInt16 = 0x0202
    static let photometricInterpretation: UInt16 = 0x0106
    static let subIFDs: UInt16 = 0x014A
    static let exifIFD: UInt16 = 0x8769
    static let gpsIFD: UInt16 = 0x8825
    static let makerNote: UInt16 = 0x927C
    static let colourSpace: UInt16 = 0xA001
    static let interoperabilityIFD: UInt16 = 0xA005
    static let interoperabilityIndex: UInt16 = 0x0001
    static let dngVersion: UInt16 = 0xC612
  }

  struct Field {
    let type: UInt16
    let count: Int
    /// The value's bytes, indexed by their offsets in the whole.
    let bytes: ByteRange
  }

  typealias Directory = [UInt16: Field]

  private let data: SharedBytes
  let isLittleEndian: Bool
  /// Whether it is a BigTIFF.
  let isBig: Bool

  /// The bytes of a value by its type (TIFF 6.0, section 2; TIFF technical note 1 for 13).
  static let byteCounts: [UInt16: Int] = [
    1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 13: 4,
  ]
  /// Those of the types that only a BigTIFF has: LONG8, SLONG8 and IFD8.
  private static let bigByteCounts: [UInt16: Int] = [16: 8, 17: 8, 18: 8]

  /// The size of the number of a directory's entries.
  private var entryCountSize: Int { isBig ? 8 : 2 }
  /// The size of offsets and of the number of values.
  private var offsetSize: Int { isBig ? 8 : 4 }
  /// A tag, a type, the number of values, and these or their offset.
  private var entrySize: Int { 4 + 2 * offsetSize }
  /// The offset of the first directory.
  private var start: Int { integer(at: isBig ? 8 : 4, size: offsetSize) ?? 0 }

  /// Takes a copy of an EXIF block; otherwise like `init(_:)`.
  init?(bytes: some Collection<UInt8>) { self.init(SharedBytes(copying: bytes)) }

  /// Reads an EXIF block of any container, whatever precedes its TIFF header.
  init?(block: some Collection<UInt8>) {
    let block = Array(block)
    guard let start = block.withUnsafeBytes({ Self.headerOffset(in: $0) }) else { return nil }
    self.init(bytes: block[start...])
  }

  /// The offset of the TIFF header in an EXIF block. In HEIF and JPEG XL, the header's distance precedes it
  /// (ISO/IEC 23008-12, A.2.1); phones also write a wrong one, none, `Exif\0\0`, or the beginning of a JPEG's segment.
  static func headerOffset(in block: UnsafeRawBufferPointer) -> Int? {
    func isHeader(_ at: Int) -> Bool {
      let isLittleEndian = block.holds("II*\0", at: at)
      guard isLittleEndian || block.holds("MM\0*", at: at),
        let first = block.integer(at: at + 4, size: 4, isLittleEndian: isLittleEndian)
      else { return false }
      return first >= 8 && first < block.count - at
    }
    if isHeader(0) { return 0 }
    if let distance = block.integer(at: 0, size: 4), isHeader(4 + distance) { return 4 + distance }
    return (0..<min(block.count, 128)).first(where: isHeader)
  }

  /// Nil when the bytes do not start with a TIFF header.
  init?(_ data: SharedBytes) {
    self.data = data
    guard data.count >= 8 else { return nil }
    switch data.withUnsafeBytes({ ($0[0], $0[1]) }) {
    case (0x49, 0x49): isLittleEndian = true
    case (0x4D, 0x4D): isLittleEndian = false
    default: return nil
    }
    let isLittleEndian = isLittleEndian
    func number(_ offset: Int) -> Int? {
      data.withUnsafeBytes {
        $0.integer(at: offset, size: 2, isLittleEndian: isLittleEndian)
      }
    }
    switch number(2) {
    case 42: isBig = false
    // The size of offsets follows, and zero.
    case 43 where number(4) == 8 && number(6) == 0: isBig = true
    default: return nil
    }
  }

  /// The first directory.
  var main: Directory { directory(at: start) }

  /// Whether the first directory lies in the file.
  var isComplete: Bool { entryCount(at: start) != nil }

  /// All directories of the chain, at most a hundred.
  var directories: [Directory] {
    var found: [Directory] = []
    var offset = start
    var visited: Set<Int> = []
    while offset >= 8, found.count < 100, visited.insert(offset).inserted {
      found.append(directory(at: offset))
      offset = link(at: offset).flatMap { integer(at: $0, size: offsetSize) } ?? 0
    }
    return found
  }

  /// The number of entries of a directory; nil when they do not all lie in the file.
  private func entryCount(at offset: Int) -> Int? {
    guard offset >= 8, let count = integer(at: offset, size: entryCountSize),
      count <= (data.count - offset - entryCountSize) / entrySize
    else { return nil }
    return count
  }

  /// The offset of the number that points to the next directory.
  private func link(at offset: Int) -> Int? {
    entryCount(at: offset).map { offset + entryCountSize + entrySize * $0 }
  }

  /// The directories that a field of `parent` points to.
  func children(of parent: Directory, _ tag: UInt16) -> [Directory] {
    guard let field = parent[tag] else { return [] }
    return integers(field).map { directory(at: $0) }
  }

  /// EXIF Orientation, 1 to 8; 1 when it is absent or invalid.
  var orientation: Int {
    let tag = main[Tag.orientation].flatMap { integers($0).first } ?? 1
    return (1...8).contains(tag) ? tag : 1
  }

  /// Whether the colours are those of Adobe RGB: by the index of DCF's option files (EXIF 2.32, 4.6.7 and annex E), or by
  /// the colour space that some cameras write. 65535 alone says only that they are not sRGB's.
  var saysAdobeRGB: Bool {
    let exif = children(of: main, Tag.exifIFD).first ?? [:]
    let index = children(of: exif, Tag.interoperabilityIFD).first?[Tag.interoperabilityIndex]
      .flatMap(text)
    let space = exif[Tag.colourSpace].flatMap { integers($0).first }
    return index == "R03" || space == 2 && index != "R98"
  }

  /// Whether the orientation has been applied already to a picture of this size: it swaps the sides, and the sides in
  /// EXIF are those of the picture swapped.
  func isTurned(comparedWith size: PixelSize) -> Bool {
    guard orientation > 4, size.width != size.height else { return false }
    let exif = children(of: main, Tag.exifIFD).first ?? [:]
    return zip([main, exif], Tag.sizes).contains { directory, tags in
      guard let width = directory[tags.width].flatMap({ integers($0).first }),
        let height = directory[tags.height].flatMap({ integers($0).first })
      else { return false }
      return width == size.height && height == size.width
    }
  }

  /// The offset of the number that points to the second directory, the thumbnail's; nil when there is no such number.
  var thumbnailPointer: Int? {
    guard !isBig, let at = link(at: start) else { return nil }
    return integer(at: at, size: 4) == nil ? nil : at
  }

  /// The thumbnail of an EXIF block: a JPEG to which the second directory points.
  var thumbnail: Range<Int>? {
    guard let pointer = thumbnailPointer, let start = integer(at: pointer, size: 4) else {
      return nil
    }
    let directory = directory(at: start)
    guard let at = directory[Tag.thumbnailOffset].flatMap({ integers($0).first }),
      let count = directory[Tag.thumbnailByteCount].flatMap({ integers($0).first }),
      at >= 8, count > 0, count <= data.count - at
    else { return nil }
    return at..<(at + count)
  }

  /// Whether this is a camera's RAW file in TIFF form: DNG has a tag for it; others have a directory
  /// whose samples are those of a colour filter array (TIFF/EP) or linear RAW (DNG 1.4).
  var holdsSensorData: Bool {
    let main = main
    if main[Tag.dngVersion] != nil { return true }
    return ([main] + children(of: main, Tag.subIFDs)).contains { directory in
      guard let field = directory[Tag.photometricInterpretation] else { return false }
      return [32_803, 34_892].contains(integers(field).first)
    }
  }

  /// The first 16 integers of a BYTE, SHORT or LONG field, which may be as long as the file.
  func integers(_ field: Field) -> [Int] {
    guard let size = [1: 1, 3: 2, 4: 4, 13: 4, 16: 8, 18: 8][field.type] else { return [] }
    return stride(from: field.bytes.startIndex, to: field.bytes.endIndex - size + 1, by: size)
      .prefix(16).compactMap { integer(at: $0, size: size) }
  }

  /// The ranges of strips or tiles; nil unless all of them are in the file.
  func pieces(_ offsets: Field, _ counts: Field) -> [Range<Int>]? {
    func size(_ field: Field) -> Int? { [3: 2, 4: 4, 13: 4, 16: 8, 18: 8][field.type] }
    guard let offsetSize = size(offsets), let countSize = size(counts),
      offsets.count == counts.count
    else { return nil }
    var pieces: [Range<Int>] = []
    for index in 0..<offsets.count {
      let start = integer(at: offsets.bytes.startIndex + index * offsetSize, size: offsetSize)
      let count = integer(at: counts.bytes.startIndex + index * countSize, size: countSize)
      guard let start, let count, start <= data.count, count <= data.count - start else {
        return nil
      }
      pieces.append(start..<(start + count))
    }
    return pieces
  }

  /// The first 16 fractions of a RATIONAL field; nil for those whose denominator is 0.
  func rationals(_ field: Field) -> [Double?] {
    guard field.type == 5 else { return [] }
    return stride(from: field.bytes.startIndex, to: field.bytes.endIndex - 7, by: 8).prefix(16).map
    {
      guard let numerator = integer(at: $0, size: 4),
        let denominator = integer(at: $0 + 4, size: 4), denominator != 0
      else { return nil }
      return Double(numerator) / Double(denominator)
    }
  }

  /// The trimmed text of an ASCII field up to its NUL, cut at 256 bytes, which is longer than any date;
  /// nil when it is empty. Of a text in another encoding than UTF-8, each byte is a character.
  func text(_ field: Field) -> String? {
    let bytes = field.bytes.prefix(256).prefix { $0 != 0 }
    let text =
      String(validating: bytes, as: UTF8.self)
      ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    let trimmed = text.drop { $0.isWhitespace }
    guard let last = trimmed.lastIndex(where: { !$0.isWhitespace }) else { return nil }
    return String(trimmed[...last])
  }

  private func directory(at offset: Int) -> Directory {
    guard offset >= 8, let count = integer(at: offset, size: entryCountSize) else { return [:] }
    var fields: Directory = [:]
    for entry in 0..<min(count, 1000) {
      let start = offset + entryCountSize + entrySize * entry
      guard let tag = integer(at: start, size: 2), let type = integer(at: start + 2, size: 2),
        let count = integer(at: start + 4, size: offsetSize)
      else { break }
      guard
        let size = Self.byteCounts[UInt16(type)]
          ?? (isBig ? Self.bigByteCounts[UInt16(type)] : nil),
        case let (byteCount, isTooLong) = count.multipliedReportingOverflow(by: size), !isTooLong
      else { continue }
      let value = start + 4 + offsetSize
      let position = byteCount <= offsetSize ? value : integer(at: value, size: offsetSize)
      guard let position, position <= data.count, byteCount <= data.count - position else {
        continue
      }
      fields[UInt16(tag)] = Field(
        type: UInt16(type), count: count,
        bytes: ByteRange(data, position..<(position + byteCount)))
    }
    return fields
  }

  /// Calls `body` with a range of the bytes.
  func withBytes<Result>(of range: Range<Int>, _ body: (UnsafeRawBufferPointer) -> Result) -> Result
  {
    data.withUnsafeBytes { body($0.rebased(range)) }
  }

  private func integer(at offset: Int, size: Int) -> Int? {
    data.withUnsafeBytes {
      $0.integer(at: offset, size: size, isLittleEndian: isLittleEndian)
    }
  }
}

extension UnsafeRawBufferPointer {
  /// The offset of the first occurrence of a pattern at or after `start`. memchr is many times faster
  /// over megabytes than a collection's own search.
  func offset(of pattern: [UInt8], from start: Int) -> Int? {
    guard let base = baseAddress, let first = pattern.first else { return nil }
    var at = start
    while at + pattern.count <= count,
      let found = memchr(base + at, CInt(first), count - pattern.count + 1 - at)
    {
      at = UnsafeRawPointer(found) - base
      if memcmp(base + at, pattern, pattern.count) == 0 { return at }
      at += 1
    }
    return nil
  }
}
