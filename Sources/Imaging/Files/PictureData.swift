package import DiaryModel

/// The parts of an image file that make the picture, found without decoding any of it: programs that write keywords
/// or dates into a file leave them as they are.
package enum PictureData {
  /// The ranges of the parts, in order; nil where the file's structure is not understood.
  package static func ranges(of bytes: SharedBytes, _ format: ImageFormat) -> [Range<Int>]? {
    let ranges: [Range<Int>]? =
      switch format {
      case .tiff: TIFFStructure(bytes).flatMap(tiff)
      case .jpeg: bytes.withUnsafeBytes(jpeg)
      case .png: bytes.withUnsafeBytes(png)
      case .webp: bytes.withUnsafeBytes(webp)
      case .gif: bytes.withUnsafeBytes(gif)
      case .heic, .avif: bytes.withUnsafeBytes(heif)
      case .jxl: bytes.withUnsafeBytes(jxl)
      }
    return ranges?.isEmpty == false ? ranges : nil
  }

  /// All segments of the first picture except the application's and comments, with the scans (ITU-T T.81, annex B),
  /// and the data after it: a second picture or a video is not lost for the sake of a keyword.
  private static func jpeg(_ bytes: UnsafeRawBufferPointer) -> [Range<Int>]? {
    let structure = JPEGStructure(bytes)
    guard let end = structure.endOfPicture, structure.scanByteCount > 0 else { return nil }
    return structure.picture + [end..<bytes.count]
  }

  /// The header, palette, transparency, pixels and animation (PNG 3, 5.6).
  private static func png(_ bytes: UnsafeRawBufferPointer) -> [Range<Int>]? {
    let kept = ["IHDR", "PLTE", "tRNS", "acTL", "fcTL", "fdAT"]
    var ranges: [Range<Int>] = []
    var hasPixels = false
    var at = 8
    while let length = bytes.integer(at: at, size: 4), length <= bytes.count - at - 12 {
      if bytes.holds("IEND", at: at + 4) { return hasPixels ? ranges : nil }
      // Programs may split the pixels into other chunks.
      if bytes.holds("IDAT", at: at + 4) {
        ranges.append((at + 8)..<(at + 8 + length))
        hasPixels = true
      } else if kept.contains(where: { bytes.holds($0, at: at + 4) }) {
        ranges.append((at + 4)..<(at + 8 + length))
      }
      at += 12 + length
    }
    return nil
  }

  /// The chunks with pixels (RFC 9649, 2.5 to 2.7). The header `VP8X` says which metadata there is.
  private static func webp(_ bytes: UnsafeRawBufferPointer) -> [Range<Int>]? {
    var ranges: [Range<Int>] = []
    var at = 12
    while let length = bytes.integer(at: at + 4, size: 4, isLittleEndian: true),
      length <= bytes.count - at - 8
    {
      if ["VP8 ", "VP8L", "ALPH", "ANIM", "ANMF"].contains(where: { bytes.holds($0, at: at) }) {
        ranges.append(at..<(at + 8 + length))
      }
      at += 8 + length + length % 2
    }
    return ranges
  }

  /// Everything but comments and applications' data other than that for animations (GIF89a, 24 and 26).
  private static func gif(_ bytes: UnsafeRawBufferPointer) -> [Range<Int>]? {
    guard bytes.count > 13 else { return nil }
    let blocks = GIFBlocks(bytes)
    guard blocks.isComplete, let first = blocks.blocks.first else { return nil }
    // The version in the signature changes with the first extension.
    return [6..<first.range.lowerBound]
      + blocks.blocks.compactMap { kind, range in
        switch kind {
        case .image: range
        case .extended(0xFE, _): nil
        case .extended(0xFF, let name):
          ["NETSCAPE2.0", "ANIMEXTS1.0"].contains(name) ? range : nil
        case .extended: range
        }
      }
  }

  /// The items that are pictures, with the properties of all items (ISO/IEC 14496-12, 8.11; ISO/IEC 23008-12, 6).
  private static func heif(_ bytes: UnsafeRawBufferPointer) -> [Range<Int>]? {
    guard let boxes = ISOBox.boxes(in: 0..<bytes.count, of: bytes),
      let meta = boxes.first(where: { $0.type == "meta" }), meta.payload.count >= 4,
      let children = ISOBox.boxes(in: (meta.start + 4)..<meta.range.upperBound, of: bytes),
      let properties = children.first(where: { $0.type == "iprp" }),
      let pictures = HEIFItems(children, in: bytes).pictures, !pictures.isEmpty
    else { return nil }
    let ranges = pictures.compactMap(\.range)
    guard ranges.count == pictures.count else { return nil }
    return [properties.payload] + ranges
  }

  /// The codestream, alone or in its boxes (ISO/IEC 18181-2, 9).
  private static func jxl(_ bytes: UnsafeRawBufferPointer) -> [Range<Int>]? {
    if bytes.starts(with: [0xFF, 0x0A]) { return [0..<bytes.count] }
    guard let boxes = ISOBox.boxes(in: 0..<bytes.count, of: bytes) else { return nil }
    return boxes.compactMap { box in
      switch box.type {
      case "jxlc": box.payload
      // Each piece has its number before it.
      case "jxlp" where box.payload.count >= 4: box.payload.dropFirst(4)
      default: nil
      }
    }
  }

  /// The pixels of all pages, with the tags that say how to read them (TIFF 6.0, sections 3 to 8, 15 and 22).
  private static func tiff(_ structure: TIFFStructure) -> [Range<Int>]? {
    let described: [UInt16] = [
      0x0100, 0x0101, 0x0102, 0x0103, 0x0106, 0x010A, 0x0115, 0x0116, 0x011C, 0x013D, 0x0140,
      0x0142, 0x0143, 0x0152, 0x0153, 0x015B,
    ]
    var ranges: [Range<Int>] = []
    for directory in structure.directories {
      ranges += described.compactMap { directory[$0]?.bytes.indices }
      let isTiled = directory[0x0144] != nil
      guard let offsets = directory[isTiled ? 0x0144 : 0x0111],
        let counts = directory[isTiled ? 0x0145 : 0x0117],
        let pieces = structure.pieces(offsets, counts)
      else { return nil }
      ranges += pieces
    }
    return ranges
  }
}
