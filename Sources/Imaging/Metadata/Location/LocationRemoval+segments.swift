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
  static func cleanEXIF(
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
          edits.overwrite(data.lowerBound, with: cleaned + CRC32.of(Array("eXIf".utf8) + cleaned))
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

/// The checksum of PNG's chunks (PNG 3, 5.5).
private enum CRC32 {
  /// The checksum of some bytes, the highest byte first.
  static func of(_ bytes: [UInt8]) -> [UInt8] {
    var crc = UInt32.max
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }
    return (0..<4).map { UInt8(truncatingIfNeeded: ~crc >> (24 - 8 * UInt32($0))) }
  }
}
