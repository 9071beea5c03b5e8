internal import DiaryModel

/// The metadata of a PNG that libvips does not provide: chunks after the pixels, and the text chunks in which
/// ImageMagick writes profiles.
struct PNGMetadata {
  /// The EXIF block of a chunk `eXIf` (PNG 3, 11.3.4.4), or of a text chunk.
  let exif: [UInt8]?
  /// The XMP packet.
  let xmp: [UInt8]?

  private static let xmpMarker = Array("http://ns.adobe.com/xap/1.0/\0".utf8)

  /// - Parameter picture: the file as libvips read it, up to the pixels.
  init(_ png: ByteBuffer, _ picture: VipsPicture) {
    let (lateEXIF, lateXMP) = png.withUnsafeBytes { Self.lateChunks($0) }
    let app1 = Self.profile("APP1", picture)
    let isXMP = app1?.starts(with: Self.xmpMarker) == true
    exif = lateEXIF ?? Self.profile("exif", picture) ?? (isXMP ? nil : app1)
    xmp =
      lateXMP ?? Self.profile("xmp", picture)
      ?? (isXMP ? app1.map { Array($0.dropFirst(Self.xmpMarker.count)) } : nil)
  }

  /// The dates in the IPTC data of a text chunk: with or without Photoshop's image resources around it.
  static func iptc(_ picture: VipsPicture) -> IPTC {
    (profile("iptc", picture) ?? profile("8bim", picture)).map { IPTC(block: $0) } ?? IPTC()
  }

  /// The contents of a chunk `eXIf` and of the text chunk with XMP after the pixels. A packet that is compressed there
  /// is not read.
  private static func lateChunks(_ bytes: UnsafeRawBufferPointer) -> (
    exif: [UInt8]?, xmp: [UInt8]?
  ) {
    // The keyword, no compression, and neither a language nor a translated keyword (PNG 3, 11.3.3.4).
    let head = Array("XML:com.adobe.xmp\0\0\0\0\0".utf8)
    var (exif, xmp): ([UInt8]?, [UInt8]?)
    var hasPixels = false
    var at = 8
    while let length = bytes.integer(at: at, size: 4), length <= bytes.count - at - 8,
      !bytes.holds("IEND", at: at + 4)
    {
      let data = bytes[(at + 8)..<(at + 8 + length)]
      if bytes.holds("IDAT", at: at + 4) { hasPixels = true }
      if hasPixels, exif == nil, length < 4 << 20, bytes.holds("eXIf", at: at + 4) {
        exif = Array(data)
      }
      if hasPixels, xmp == nil, length <= XMP.maxByteCount, bytes.holds("iTXt", at: at + 4),
        data.starts(with: head)
      {
        xmp = Array(data.dropFirst(head.count))
      }
      at += 12 + length
    }
    return (exif, xmp)
  }

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
