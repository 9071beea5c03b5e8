/// Searches the bytes of a file for locations, whatever its format claims them to be, and independently of
/// the code that removes them.
struct PlaceSearch {
  /// The first thing that reveals a location, or may hide one, in a few words; nil when there is none.
  let trace: String?

  init(_ bytes: UnsafeRawBufferPointer, _ format: ImageFormat) {
    trace =
      Self.hiding(bytes, format) ?? Self.text(bytes) ?? Self.iptc(bytes) ?? Self.movie(bytes)
      ?? Self.directory(bytes)
  }

  /// Metadata that is compressed, or of a kind that is not searched.
  private static func hiding(_ bytes: UnsafeRawBufferPointer, _ format: ImageFormat) -> String? {
    switch format {
    case .png:
      var at = 8
      while at + 8 <= bytes.count, let length = bytes.integer(at: at, size: 4) {
        let name = String(decoding: bytes[(at + 4)..<(at + 8)], as: UTF8.self)
        if ["iTXt", "tEXt", "zTXt"].contains(name) { return "text" }
        at += 12 + length
      }
    case .jxl:
      for type in ["brob", "jbrd"] where bytes.firstBox(type, smallerThan: .max) != nil {
        return "compressed metadata"
      }
    case .tiff:
      if bytes.integer(at: 2, size: 2, isLittleEndian: bytes.holds("II", at: 0)) != 42 {
        return "directories of a kind that is not searched"
      }
    case .jpeg, .webp, .gif, .heic, .avif: break
    }
    return nil
  }

  /// Strings that every XMP packet has, plain or extended, and properties that may occur alone.
  private static let marks = [
    "W5M0MpCehiHzreSzNTczkc9d", "x:xmpmeta", "http://ns.adobe.com/xap/1.0/", "XMP DataXMP",
    "http://ns.adobe.com/xmp/extension/", "http://ns.adobe.com/exif/1.0/", "rdf:Description",
    "22-rdf-syntax-ns#", "exif:GPS", "GPSLatitude", "GPSLongitude", "photoshop:City",
    "photoshop:State", "photoshop:Country", "Iptc4xmpCore:Location", "Iptc4xmpCore:CountryCode",
    "Iptc4xmpExt:Location", "location.ISO6709",
  ]

  private static func text(_ bytes: UnsafeRawBufferPointer) -> String? {
    for mark in marks {
      let plain = Array(mark.utf8)
      // UTF-16 in either byte order, without the first or the last zero.
      let wide = plain.flatMap { [$0, 0] as [UInt8] }.dropLast()
      if bytes.offset(of: plain, from: 0) != nil || bytes.offset(of: Array(wide), from: 0) != nil {
        return mark.hasPrefix("exif:GPS") || mark.hasPrefix("GPS") ? "a position in XMP" : "XMP"
      }
    }
    return nil
  }

  /// Records of IPTC-IIM 4.2 that name places: 2:90 City, 2:92 Sublocation, 2:95 Province/State, 2:100
  /// and 2:101 Country.
  private static let places: Set<UInt8> = [90, 92, 95, 100, 101]

  private static func iptc(_ bytes: UnsafeRawBufferPointer) -> String? {
    var at = 0
    while let found = bytes.offset(of: [0x1C, 0x02], from: at) {
      at = found + 1
      guard let length = bytes.integer(at: found + 3, size: 2), (2...512).contains(length),
        places.contains(bytes[found + 2]), found + 5 + length <= bytes.count
      else { continue }
      // Pictures contain these two bytes by chance. A record has text, or is followed by another.
      let value = bytes[(found + 5)..<(found + 5 + length)]
      let next = found + 5 + length
      let isFollowed =
        next + 1 < bytes.count && bytes[next] == 0x1C && (1...9).contains(bytes[next + 1])
      let isText =
        value.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
        && String(validating: value, as: UTF8.self) != nil
      if isFollowed || isText { return "a place in IPTC" }
    }
    return nil
  }

  /// QuickTime's locations (`©xyz`, and 3GPP's `loci`), in boxes of a plausible size.
  private static func movie(_ bytes: UnsafeRawBufferPointer) -> String? {
    for type in [[0xA9, 0x78, 0x79, 0x7A], Array("loci".utf8)] as [[UInt8]]
    where bytes.firstBox(type, smallerThan: 1024) != nil {
      return "the place of a video"
    }
    return nil
  }
}

extension UnsafeRawBufferPointer {
  /// The first offset of four letters that may be the type of a box: after a size that fits into the file.
  func firstBox(_ type: [UInt8], smallerThan limit: Int) -> Int? {
    var at = 4
    while let found = offset(of: type, from: at) {
      if let size = integer(at: found - 4, size: 4), size == 0 || size >= 8, size < limit,
        size <= count - found + 4
      {
        return found
      }
      at = found + 1
    }
    return nil
  }

  func firstBox(_ type: String, smallerThan limit: Int) -> Int? {
    firstBox(Array(type.utf8), smallerThan: limit)
  }
}

/// Finding GPS directories of TIFF structures, wherever in a file one starts: in EXIF, in a preview's
/// EXIF, in an item of HEIF.
extension PlaceSearch {
  static func directory(_ bytes: UnsafeRawBufferPointer) -> String? {
    for magic in [[0x49, 0x49, 0x2A, 0], [0x4D, 0x4D, 0, 0x2A]] as [[UInt8]] {
      var at = 0
      while let found = bytes.offset(of: magic, from: at) {
        let walk = DirectoryWalk(bytes.rebased(found..<bytes.count))
        if let trace = walk.trace { return trace }
        at = found + 1
      }
    }
    return nil
  }
}

/// A walk through all directories of one TIFF structure.
private struct DirectoryWalk {
  private(set) var trace: String?
  private let bytes: UnsafeRawBufferPointer
  private let isLittleEndian: Bool

  private static let names = [
    0x927C: "a maker's notes", 0x02BC: "XMP", 0x83BB: "IPTC", 0x8649: "Photoshop's resources",
    0x8482: "GeoTIFF's tags", 0x87AF: "GeoTIFF's tags",
  ]

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    isLittleEndian = bytes[0] == 0x49
    var visited: Set<Int> = []
    var queue = [integer(4, 4) ?? 0]
    while let start = queue.popLast(), trace == nil {
      guard visited.insert(start).inserted else { continue }
      let entries = entries(at: start)
      if let end = entries.last { queue.append(integer(end + 12, 4) ?? 0) }
      for entry in entries {
        guard let tag = integer(entry, 2) else { continue }
        switch tag {
        case 0x8825:
          if children(of: entry).contains(where: isPosition) { trace = "a GPS directory" }
        case 0x8769, 0x014A, 0xA005: queue += children(of: entry)
        default:
          if let name = Self.names[tag], saysAnything(entry) { trace = name }
          if trace == nil { trace = wordsTrace(of: entry, tag) }
        }
      }
    }
  }

  private func integer(_ offset: Int, _ size: Int) -> Int? {
    bytes.integer(at: offset, size: size, isLittleEndian: isLittleEndian)
  }

  /// The offsets of a directory's entries; empty when their types are invalid.
  private func entries(at start: Int) -> [Int] {
    guard start >= 8, let count = integer(start, 2), count > 0, start < bytes.count - 14 else {
      return []
    }
    let fitting = min(count, (bytes.count - start - 2) / 12)
    let entries = (0..<fitting).map { start + 2 + 12 * $0 }
    let known = entries.filter { (1...18).contains(integer($0 + 2, 2) ?? 0) }
    return known.count * 2 > entries.count ? entries : []
  }

  private func children(of entry: Int) -> [Int] {
    guard let count = integer(entry + 4, 4), let value = integer(entry + 8, 4) else { return [] }
    let size = integer(entry + 2, 2) == 3 ? 2 : 4
    if count * size <= 4 {
      return (0..<max(1, count)).compactMap { integer(entry + 8 + size * $0, size) }
    }
    return (0..<min(count, 1000)).compactMap { integer(value + size * $0, size) }
  }

  /// Whether the directory at an offset has a tag of a GPS directory (EXIF 2.32, 4.6.6).
  private func isPosition(_ start: Int) -> Bool {
    entries(at: start).contains { (0...0x1F).contains(integer($0, 2) ?? .max) }
  }

  /// Whether an entry's value is more than blanks.
  private func saysAnything(_ entry: Int) -> Bool {
    value(of: entry)?.contains { $0 != 0 && $0 != 0x20 } == true
  }

  /// The bytes of an entry's value, as many of them as there are.
  private func value(of entry: Int) -> Slice<UnsafeRawBufferPointer>? {
    // 129 is EXIF 3.0's UTF-8.
    guard let type = integer(entry + 2, 2), (1...13).contains(type) || type == 129,
      let count = integer(entry + 4, 4)
    else { return nil }
    let byteCount = count * (type == 129 ? 1 : [1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4][type - 1])
    guard let start = byteCount <= 4 ? entry + 8 : integer(entry + 8, 4), start < bytes.count else {
      return nil
    }
    return bytes[start..<min(bytes.count, start + byteCount)]
  }

  /// Texts whose type is one of bytes: UserComment (EXIF 2.32, 4.6.5) and Windows' tags in UTF-16.
  private static let wordTags = [
    0x010E: "ImageDescription", 0x013B: "Artist", 0x8298: "Copyright", 0x9286: "UserComment",
    0x9C9B: "XPTitle", 0x9C9C: "XPComment", 0x9C9D: "XPAuthor", 0x9C9E: "XPKeywords",
    0x9C9F: "XPSubject",
  ]
  /// No longer text is searched.
  private static let maxWordsByteCount = 1 << 20

  private func wordsTrace(of entry: Int, _ tag: Int) -> String? {
    let isText = [2, 129].contains(integer(entry + 2, 2))
    guard isText || Self.wordTags[tag] != nil, let value = value(of: entry) else { return nil }
    let name = Self.wordTags[tag] ?? "the text of tag 0x\(String(tag, radix: 16, uppercase: true))"
    guard value.count <= Self.maxWordsByteCount else {
      return "\(name), which is too long to search"
    }
    let isFound = EXIFWords.readings(of: value).contains { CoordinateSearch($0).isSuccessful }
    return isFound ? "coordinates in \(name)" : nil
  }
}

/// The words in a value of EXIF, which says in different ways how they are encoded, and not always rightly.
enum EXIFWords {
  /// The words in each encoding that they may be in.
  static func readings(of value: some Collection<UInt8>) -> [String] {
    let bytes = Array(value)
    // Nothing shorter is a place.
    guard bytes.count > 4 else { return [] }
    // UserComment's code of eight bytes (EXIF 2.32, 4.6.5).
    let codes = ["ASCII\0\0\0", "UNICODE\0", "JIS\0\0\0\0\0", "\0\0\0\0\0\0\0\0"]
    let hasCode = codes.contains { bytes.starts(with: $0.utf8) }
    let text = Array(hasCode ? bytes.dropFirst(8) : bytes[...])
    let single =
      String(validating: text, as: UTF8.self)
      ?? String(String.UnicodeScalarView(text.map { Unicode.Scalar($0) }))
    var readings = [single]
    if text.contains(0) {
      let pairs = stride(from: 0, to: text.count - 1, by: 2).map {
        (UInt16(text[$0]), UInt16(text[$0 + 1]))
      }
      readings.append(String(decoding: pairs.map { $0 | $1 << 8 }, as: UTF16.self))
      readings.append(String(decoding: pairs.map { $0 << 8 | $1 }, as: UTF16.self))
    }
    if text.contains(0x1B) || bytes.starts(with: codes[2].utf8) { readings.append(jis(text)) }
    return readings
  }

  /// The signs of JIS X 0208 that coordinates have, by their row and cell.
  private static let jisSigns: [UInt16: Unicode.Scalar] = [
    0x2121: " ", 0x2122: ",", 0x2124: ",", 0x2125: ".", 0x2127: ":", 0x213F: "/", 0x215C: "+",
    0x215D: "-", 0x216B: "°", 0x216C: "′", 0x216D: "″", 0x4B4C: "北", 0x466E: "南",
    0x456C: "東", 0x403E: "西", 0x305E: "緯", 0x3750: "経", 0x4559: "度", 0x4A2C: "分", 0x4943: "秒",
  ]

  /// A text in ISO-2022-JP, or in JIS X 0208 alone. What is neither ASCII nor part of coordinates becomes a mark.
  private static func jis(_ text: [UInt8]) -> String {
    var result = String.UnicodeScalarView()
    var isWide = !text.contains(0x1B) && !text.contains { $0 < 0x21 && $0 != 0 }
    var at = 0
    while at < text.count {
      if text[at] == 0x1B, at + 2 < text.count {
        isWide = text[at + 1] == UInt8(ascii: "$")
        at += 3
      } else if isWide, at + 1 < text.count, text[at] > 0x20 {
        let code = UInt16(text[at]) << 8 | UInt16(text[at + 1])
        // Row 3 has the digits and letters of ASCII.
        let isASCII = text[at] == 0x23
        result.append(isASCII ? Unicode.Scalar(text[at + 1]) : jisSigns[code] ?? "\u{FFFD}")
        at += 2
      } else {
        result.append(Unicode.Scalar(text[at]))
        at += 1
      }
    }
    return String(result)
  }
}
