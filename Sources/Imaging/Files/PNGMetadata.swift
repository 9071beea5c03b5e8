internal import CZlib
internal import DiaryModel

/// The metadata of a PNG that libvips does not provide: chunks after the pixels, the text chunks in which ImageMagick
/// writes profiles, animations, and colours without a profile.
struct PNGMetadata {
  /// The EXIF block of a chunk `eXIf` (PNG 3, 11.3.4.4), or of a text chunk.
  let exif: [UInt8]?
  /// The XMP packet.
  let xmp: [UInt8]?
  /// The number of frames of an animation, of which libvips reads the first; nil for a still picture.
  let frameCount: Int?
  /// The colours that the file names by numbers; nil where it does not.
  let colours: PictureEncoding.Colours?
  let hasProfile: Bool
  /// The bits of a sample before it was stored in 8 or 16 (`sBIT`); nil where the file does not say.
  let significantBits: Int?

  private static let xmpMarker = Array("http://ns.adobe.com/xap/1.0/\0".utf8)

  /// - Parameter picture: the file as libvips read it, up to the pixels.
  init(_ png: SharedBytes, _ picture: VipsPicture) {
    let (lateEXIF, lateXMP) = png.withUnsafeBytes { Self.lateChunks($0) }
    (frameCount, colours, hasProfile, significantBits) = png.withUnsafeBytes {
      let chunks = PNGChunks($0)
      return (chunks.frameCount, chunks.colours, chunks.hasProfile, chunks.significantBits)
    }
    let app1 = Self.profile("APP1", picture)
    let isXMP = app1?.starts(with: Self.xmpMarker) == true
    exif = lateEXIF ?? Self.profile("exif", picture) ?? (isXMP ? nil : app1)
    xmp =
      lateXMP ?? Self.profile("xmp", picture)
      ?? (isXMP ? app1.map { Array($0.dropFirst(Self.xmpMarker.count)) } : nil)
  }

  /// The IPTC data of a text chunk: with or without Photoshop's image resources around it.
  static func iptc(_ png: SharedBytes) -> IPTC {
    resources(png).first.map { IPTC(block: $0) } ?? IPTC()
  }

  /// The text `Creation Time` (PNG 3, 11.3.3.2), from a chunk before or after the pixels, compressed or not.
  static func creationTime(_ png: SharedBytes) -> String? {
    var found: String?
    forEachText(png, ["creation time"], upTo: maxDateByteCount) { found = found ?? $2 }
    return found
  }

  /// More bytes of text than any date has.
  private static let maxDateByteCount = 1024

  /// The text of a chunk behind its keyword.
  static func text(
    _ type: String, _ data: Slice<UnsafeRawBufferPointer>, upTo byteCount: Int
  ) -> String? {
    var (rest, isCompressed) = (data, type == "zTXt")
    switch type {
    case "zTXt": rest = rest.dropFirst()
    case "iTXt":
      // Compression or none, its method, a language, the keyword in that language.
      isCompressed = rest.first == 1
      rest = rest.dropFirst(2)
      for _ in 1...2 {
        guard let end = rest.firstIndex(of: 0) else { return nil }
        rest = rest[(end + 1)...]
      }
    default: break
    }
    let bytes = isCompressed ? inflated(rest, byteCount) : Array(rest.prefix(byteCount))
    return type == "iTXt"
      ? String(decoding: bytes, as: UTF8.self)
      : String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }

  private static func inflated(
    _ data: Slice<UnsafeRawBufferPointer>, _ byteCount: Int
  ) -> [UInt8] {
    let source = UnsafeRawBufferPointer(rebasing: data)
    return [UInt8](unsafeUninitializedCapacity: byteCount) { target, count in
      count = Int(
        leaflog_inflate(
          source.bindMemory(to: UInt8.self).baseAddress, UInt32(clamping: source.count),
          target.baseAddress, UInt32(target.count)))
    }
  }

  /// Visits the chunks up to the end of the picture (PNG 3, 5.3).
  static func forEachChunk(
    of bytes: UnsafeRawBufferPointer, _ body: (String, Slice<UnsafeRawBufferPointer>) -> Void
  ) {
    var at = 8
    while let length = bytes.integer(at: at, size: 4), length <= bytes.count - at - 8,
      !bytes.holds("IEND", at: at + 4)
    {
      let type = String(decoding: bytes[(at + 4)..<(at + 8)], as: UTF8.self)
      body(type, bytes[(at + 8)..<(at + 8 + length)])
      at += 12 + length
    }
  }

  /// The contents of a chunk `eXIf` and of the text chunk with XMP after the pixels.
  private static func lateChunks(_ bytes: UnsafeRawBufferPointer) -> (
    exif: [UInt8]?, xmp: [UInt8]?
  ) {
    // The keyword, no compression, and neither a language nor a translated keyword (PNG 3, 11.3.3.4).
    let keyword = "XML:com.adobe.xmp\0"
    let head = Array((keyword + "\0\0\0\0").utf8)
    var (exif, xmp): ([UInt8]?, [UInt8]?)
    var hasPixels = false
    forEachChunk(of: bytes) { type, data in
      if type == "IDAT" { hasPixels = true }
      if hasPixels, exif == nil, data.count < 4 << 20, type == "eXIf" { exif = Array(data) }
      if hasPixels, xmp == nil, data.count <= XMP.maxByteCount, type == "iTXt",
        data.starts(with: head)
      {
        xmp = Array(data.dropFirst(head.count))
      } else if hasPixels, xmp == nil, type == "iTXt", data.starts(with: keyword.utf8) {
        xmp = text(type, data.dropFirst(keyword.utf8.count), upTo: maxLateXMPByteCount)
          .map { Array($0.utf8) }
      }
    }
    return (exif, xmp)
  }

  /// Few packets are longer; those are cut, and no XML.
  private static let maxLateXMPByteCount = 1 << 20

  /// A profile from a text chunk `Raw profile type …` before the pixels, plain or compressed. libvips decompresses them
  /// and reads at most 20.
  private static func profile(_ type: String, _ picture: VipsPicture) -> [UInt8]? {
    (0..<20).lazy.compactMap { picture.string("png-comment-\($0)-Raw profile type \(type)") }
      .first.flatMap { rawProfile($0) }
  }

  /// Parses a profile as ImageMagick writes it: a line with its name, one with the number of its bytes, and lines of
  /// hexadecimal digits.
  static func rawProfile(_ text: String) -> [UInt8]? {
    let newline = UInt8(ascii: "\n")
    let parts = text.utf8.split(separator: newline, maxSplits: 2)
    guard parts.count == 3,
      let count = Int(String(decoding: parts[1], as: UTF8.self).trimmingSpaces()),
      (1...(4 << 20)).contains(count)
    else { return nil }
    var (bytes, high): ([UInt8], UInt8?) = ([], nil)
    for character in parts[2] {
      guard bytes.count < count else { break }
      guard let digit = Character(Unicode.Scalar(character)).hexDigitValue.map(UInt8.init) else {
        if character == newline { continue }
        return nil
      }
      if let first = high { bytes.append(first << 4 | digit) }
      high = high == nil ? digit : nil
    }
    return bytes.count == count ? bytes : nil
  }
}

/// The chunks of a PNG file that say something about the whole of its picture (PNG 3, 11), and where it ends, found
/// without decoding any of it.
struct PNGChunks {
  private static let wanted: Set<String> = [
    "IHDR", "acTL", "cICP", "iCCP", "sRGB", "gAMA", "cHRM", "sBIT",
  ]

  /// The data of the first chunk of each wanted kind.
  private var found: [String: Range<Int>] = [:]
  /// The offset after `IEND`, or of what is no chunk.
  private(set) var end = 8
  private let bytes: UnsafeRawBufferPointer

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    while let length = bytes.integer(at: end, size: 4), length <= bytes.count - end - 12 {
      let start = end + 8
      let name = String(decoding: bytes[(end + 4)..<start], as: UTF8.self)
      if Self.wanted.contains(name), found[name] == nil { found[name] = start..<(start + length) }
      end += 12 + length
      if name == "IEND" { break }
    }
  }

  /// The number of frames of an animation (11.3.6.1); nil for a still picture.
  var frameCount: Int? { found["acTL"].flatMap { bytes.integer(at: $0.lowerBound, size: 4) } }

  /// Whether there is an ICC profile, which libpng leaves out if it does not fit the samples.
  var hasProfile: Bool { found["iCCP"] != nil }

  /// The most significant bits of a colour (11.3.2.7).
  var significantBits: Int? { found["sBIT"].flatMap { bytes[$0].prefix(3).max() }.map { Int($0) } }

  /// The colours that are named by numbers; nil when they are not, or are in a profile. The order is that of PNG 3, 4.3.
  var colours: PictureEncoding.Colours? {
    // The type of colour: its second bit is that of colours, as against greys.
    let isGrey = found["IHDR"].map { $0.count > 9 && bytes[$0.lowerBound + 9] & 2 == 0 } ?? false
    if let codes = found["cICP"], codes.count >= 4 {
      return ColourProfile.colours(
        primaries: Int(bytes[codes.lowerBound]), transfer: Int(bytes[codes.lowerBound + 1]),
        isGrey: isGrey)
    }
    if hasProfile { return nil }
    if found["sRGB"] != nil { return .sRGB }
    func numbers(_ name: String, _ count: Int) -> [Double]? {
      guard let place = found[name], place.count >= 4 * count else { return nil }
      return (0..<count).compactMap {
        bytes.integer(at: place.lowerBound + 4 * $0, size: 4).map { Double($0) / 100_000 }
      }
    }
    let (gamma, chromaticities) = (numbers("gAMA", 1)?.first, numbers("cHRM", 8))
    if gamma == nil, chromaticities == nil { return nil }
    let profile = ColourProfile(
      chromaticities: chromaticities, gamma: gamma.map { 1 / max($0, 0.000_01) }, isGrey: isGrey)
    return profile.map { .made($0.bytes) } ?? .sRGB
  }
}
