internal import CZlib
package import DiaryModel

/// Removes the location from an image file without touching a pixel.
package enum LocationRemoval {
  /// The file without its GPS directory (EXIF 2.32, 4.6.6), its maker's notes (MakerNote, 0x927C), XMP,
  /// IPTC, comments and anything after the picture: all of them can reveal locations. EXIF's other tags
  /// and the colour profile stay.
  ///
  /// - Throws: `ImagingError` with code `tellsPlace` when the result still reveals a location, be it by coordinates
  ///   in the words of a tag, or when the file cannot be cleaned with certainty.
  package static func strip(
    _ file: SharedBytes, format: ImageFormat
  ) throws(ImagingError) -> SharedBytes {
    let result = try file.withUnsafeBytes { bytes throws(ImagingError) in
      try edits(bytes, format).applied(to: bytes)
    }
    // An independent search for whatever was overlooked above; if it finds anything, the file is not given out.
    if let trace = result.withUnsafeBytes({ PlaceSearch($0, format).trace }) {
      throw refusal(format, "it still has \(trace)")
    }
    let (before, after) = (
      try PhotoFile(bytes: file, format: format), try PhotoFile(bytes: result, format: format)
    )
    guard before.storedSize == after.storedSize, before.pageCount == after.pageCount else {
      throw refusal(format, "its picture would suffer")
    }
    return result
  }

  /// The part of a sidecar whose words tell coordinates, in a few words; nil when none does. Places that are only named
  /// are not recognised.
  package static func place(in sidecar: XMPPacket) -> String? {
    func tells(_ words: String?) -> Bool { words.map { CoordinateSearch($0).isSuccessful } == true }
    if tells(sidecar.notes) { return "its notes" }
    if tells(sidecar.plant) { return "its plant's name" }
    // Two tags may be the halves of a place.
    return tells(sidecar.tags.joined(separator: ", ")) ? "its tags" : nil
  }

  static func refusal(_ format: ImageFormat, _ reason: String) -> ImagingError {
    ImagingError(
      .tellsPlace,
      "Where it was taken cannot be left out of this \(format.rawValue) file for certain: \(reason)."
    )
  }

  private static func edits(
    _ bytes: UnsafeRawBufferPointer, _ format: ImageFormat
  ) throws(ImagingError) -> ByteEdits {
    switch format {
    case .jpeg: return jpeg(bytes)
    case .png: return png(bytes)
    case .webp: return webp(bytes)
    case .gif: return gif(bytes)
    case .heic, .avif: return try heif(bytes, format)
    case .jxl: return try jxl(bytes)
    case .tiff:
      var edits = ByteEdits()
      guard edits.clean(tiff: bytes, at: 0) else {
        throw refusal(.tiff, "it is a BigTIFF or damaged")
      }
      return edits
    }
  }
}

/// Formats made of segments: only segments that are known not to reveal a location are kept.
extension LocationRemoval {
  /// Keeps only the segments that the picture needs, its profile and its EXIF.
  static func jpeg(_ bytes: UnsafeRawBufferPointer) -> ByteEdits {
    var edits = ByteEdits()
    let structure = JPEGStructure(bytes)
    for segment in structure.segments {
      let start = segment.payload.lowerBound
      let isKept =
        switch segment.marker {
        case 0xE0: bytes.holds("JFIF\0", at: start) || bytes.holds("JFXX\0", at: start)
        case 0xE1: bytes.holds("Exif\0\0", at: start) && cleanEXIF(&edits, bytes, segment.payload)
        case 0xE2: bytes.holds("ICC_PROFILE\0", at: start)
        case 0xEE: bytes.holds("Adobe", at: start)
        case 0xE3...0xEF, 0xFE: false
        default: true
        }
      if !isKept { edits.remove((segment.range.lowerBound - 1)..<segment.range.upperBound) }
    }
    if let end = structure.endOfPicture { edits.remove(end..<bytes.count) }
    return edits
  }

  /// Removes locations from an EXIF block.
  ///
  /// - Parameter block: its range, with or without a leading `Exif\0\0`.
  /// - Returns: false when it is not EXIF.
  private static func cleanEXIF(
    _ edits: inout ByteEdits, _ bytes: UnsafeRawBufferPointer, _ block: Range<Int>
  ) -> Bool {
    let start = block.lowerBound + (bytes.holds("Exif\0\0", at: block.lowerBound) ? 6 : 0)
    guard start <= block.upperBound else { return false }
    return edits.clean(tiff: bytes.rebased(start..<block.upperBound), at: start)
  }

  /// The chunks that a picture is made of (PNG 3, 11), without EXIF, which is cleaned.
  private static let pngChunks: Set<String> = [
    "IHDR", "PLTE", "IDAT", "IEND", "tRNS", "cHRM", "gAMA", "iCCP", "sBIT", "sRGB", "cICP", "mDCV",
    "cLLI", "bKGD", "hIST", "pHYs", "sPLT", "tIME", "acTL", "fcTL", "fdAT",
  ]

  static func png(_ bytes: UnsafeRawBufferPointer) -> ByteEdits {
    var edits = ByteEdits()
    var at = 8
    while let length = bytes.integer(at: at, size: 4), at + 8 <= bytes.count {
      let end = min(bytes.count, at + 12 + length)
      let name = String(decoding: bytes[(at + 4)..<(at + 8)], as: UTF8.self)
      if name == "eXIf", at + 12 + length <= bytes.count {
        let data = (at + 8)..<(at + 8 + length)
        var inner = ByteEdits()
        if cleanEXIF(&inner, bytes.rebased(data), 0..<length) {
          let cleaned = inner.applied(to: bytes.rebased(data)).withUnsafeBytes { Array($0) }
          edits.overwrite(
            data.lowerBound, with: cleaned + checksum(of: Array("eXIf".utf8) + cleaned))
        } else {
          edits.remove(at..<end)
        }
      } else if !pngChunks.contains(name) {
        edits.remove(at..<end)
      }
      at = end
      if name == "IEND" { break }
    }
    edits.remove(at..<max(at, bytes.count))
    return edits
  }

  /// The chunks that a picture is made of (RFC 9649, 2.7).
  private static let webpChunks: Set<String> = [
    "VP8X", "VP8 ", "VP8L", "ALPH", "ANIM", "ANMF", "ICCP",
  ]

  static func webp(_ bytes: UnsafeRawBufferPointer) -> ByteEdits {
    var edits = ByteEdits()
    var flags: Int?
    var hasEXIF = false
    var at = 12
    let end = min(bytes.count, (bytes.integer(at: 4, size: 4, isLittleEndian: true) ?? 0) + 8)
    while at + 8 <= end, let length = bytes.integer(at: at + 4, size: 4, isLittleEndian: true) {
      let next = min(end, at + 8 + length + length % 2)
      let name = String(decoding: bytes[at..<(at + 4)], as: UTF8.self)
      if name == "VP8X", at + 8 < next { flags = at + 8 }
      if name == "EXIF", at + 8 + length <= end,
        cleanEXIF(&edits, bytes, (at + 8)..<(at + 8 + length))
      {
        hasEXIF = true
      } else if !webpChunks.contains(name) {
        edits.remove(at..<next)
      }
      at = next
    }
    edits.remove(at..<max(at, bytes.count))
    if let flags {
      // XMP is gone, and perhaps EXIF.
      edits.overwrite(flags, with: [bytes[flags] & ~(hasEXIF ? 0x04 : 0x0C)])
    }
    let size = bytes.count - edits.removedByteCount - 8
    edits.overwrite(4, with: (0..<4).map { UInt8(truncatingIfNeeded: size >> (8 * $0)) })
    return edits
  }

  /// The application extensions of GIF that are about the picture (GIF89a, 26).
  private static let gifApplications: Set = ["NETSCAPE2.0", "ANIMEXTS1.0", "ICCRGBG1012"]

  static func gif(_ bytes: UnsafeRawBufferPointer) -> ByteEdits {
    var edits = ByteEdits()
    let blocks = GIFBlocks(bytes)
    for block in blocks.blocks {
      guard case .extended(let label, let application) = block.kind else { continue }
      let isPicture =
        label == 0xF9 || label == 0x01 || label == 0xFF && gifApplications.contains(application)
      if !isPicture { edits.remove(block.range) }
    }
    edits.remove(blocks.end..<bytes.count)
    return edits
  }
}

extension LocationRemoval {
  /// The checksum of a PNG chunk's name and data (PNG 3, 5.5), the highest byte first.
  private static func checksum(of chunk: [UInt8]) -> [UInt8] {
    let checksum = crc32_z(0, chunk, chunk.count)
    return stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: checksum >> $0) }
  }
}

/// Formats made of boxes: HEIF, whose offsets forbid moving anything, and JPEG XL.
extension LocationRemoval {
  private static let heifBoxes: Set<String> = [
    "ftyp", "meta", "mdat", "moov", "moof", "mfra", "sidx", "styp", "free", "skip",
  ]
  private static let metaBoxes: Set<String> = [
    "hdlr", "pitm", "iloc", "iinf", "iref", "iprp", "idat", "dinf", "grpl", "ipro", "free",
  ]
  private static let movieBoxes: Set<String> = ["mvhd", "trak", "mvex", "free"]
  private static let trackBoxes: Set<String> = ["tkhd", "tref", "trgr", "edts", "mdia", "free"]

  /// Cleans or blanks in place the items that are not pictures, and turns boxes that no picture needs into
  /// free space.
  static func heif(
    _ bytes: UnsafeRawBufferPointer, _ format: ImageFormat
  ) throws(ImagingError) -> ByteEdits {
    var edits = ByteEdits()
    func boxes(_ range: Range<Int>) throws(ImagingError) -> [ISOBox] {
      guard range.lowerBound <= range.upperBound, let boxes = ISOBox.boxes(in: range, of: bytes)
      else { throw refusal(format, "its boxes do not fit together") }
      return boxes
    }
    func keep(_ known: Set<String>, of boxes: [ISOBox]) {
      for box in boxes where !known.contains(box.type) {
        edits.overwrite(box.typeOffset, with: Array("free".utf8))
        edits.blank(box.payload)
      }
    }
    let all = try boxes(0..<bytes.count)
    keep(heifBoxes, of: all)
    for movie in all where movie.type == "moov" {
      let children = try boxes(movie.payload)
      keep(movieBoxes, of: children)
      for track in children where track.type == "trak" {
        keep(trackBoxes, of: try boxes(track.payload))
      }
    }
    for meta in all where meta.type == "meta" {
      let children = try boxes(min(meta.start + 4, meta.range.upperBound)..<meta.range.upperBound)
      keep(metaBoxes, of: children)
      try cleanItems(&edits, HEIFItems(children, in: bytes), bytes, format)
      for properties in children where properties.type == "iprp" {
        for container in try boxes(properties.payload) where container.type == "ipco" {
          // A user description (ISO/IEC 23008-12, 6.5.20), and private properties.
          for property in try boxes(container.payload)
          where ["udes", "uuid"].contains(property.type) {
            edits.blank(property.payload)
          }
        }
      }
    }
    return edits
  }

  private static func cleanItems(
    _ edits: inout ByteEdits, _ items: HEIFItems, _ bytes: UnsafeRawBufferPointer,
    _ format: ImageFormat
  ) throws(ImagingError) {
    guard let metadata = items.metadata else {
      throw refusal(format, "its items are not understood")
    }
    for item in metadata {
      guard let range = item.range else { throw refusal(format, "its metadata lies in pieces") }
      guard item.type == "Exif" else {
        edits.blank(range, with: item.type == "mime" ? 0x20 : 0)
        continue
      }
      if !cleanEXIFBox(&edits, bytes, range) { edits.blank(range) }
    }
  }

  /// Cleans EXIF as HEIF and JPEG XL hold it.
  private static func cleanEXIFBox(
    _ edits: inout ByteEdits, _ bytes: UnsafeRawBufferPointer, _ range: Range<Int>
  ) -> Bool {
    guard let start = TIFFStructure.headerOffset(in: bytes.rebased(range)) else { return false }
    return cleanEXIF(&edits, bytes, (range.lowerBound + start)..<range.upperBound)
  }

  /// The picture's boxes (ISO/IEC 18181-2, 9). The box that restores a JPEG is not one of them, as it
  /// contains that JPEG's own metadata.
  private static let jxlBoxes: Set<String> = ["JXL ", "ftyp", "jxll", "jxlc", "jxlp", "jxli"]

  static func jxl(_ bytes: UnsafeRawBufferPointer) throws(ImagingError) -> ByteEdits {
    var edits = ByteEdits()
    if bytes.starts(with: [0xFF, 0x0A]) { return edits }  // nothing but the picture
    guard let boxes = ISOBox.boxes(in: 0..<bytes.count, of: bytes) else {
      throw refusal(.jxl, "its boxes do not fit together")
    }
    for box in boxes where !jxlBoxes.contains(box.type) {
      if box.type == "brob" { throw refusal(.jxl, "its metadata is compressed") }
      if box.type == "Exif", cleanEXIFBox(&edits, bytes, box.payload) { continue }
      edits.remove(box.range)
    }
    return edits
  }
}
