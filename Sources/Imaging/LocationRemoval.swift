internal import CVips
package import DiaryModel

/// Takes out of an image file where it was made, without touching a pixel.
package enum LocationRemoval {
  /// The file without its GPS directory (EXIF 2.32, 4.6.6), its maker's notes (MakerNote, 0x927C), XMP,
  /// IPTC and anything behind the picture: all of them can tell places. EXIF's other tags and the colour profile stay.
  ///
  /// - Throws: `ImagingError` when the format hides them where they cannot be taken out.
  package static func strip(
    _ file: ByteBuffer, format: ImageFormat
  ) throws(ImagingError) -> ByteBuffer {
    let stripped: [UInt8]
    switch format {
    case .jpeg: stripped = jpeg(file)
    case .png: stripped = png(file)
    case .tiff: stripped = tiff(Array(copying: file))
    case .webp, .heic, .avif, .jxl, .gif: stripped = try blanked(file, format)
    }
    let result = ByteBuffer(copying: stripped)
    guard try !tellsPlace(result, format) else {
      throw ImagingError(
        .unsupported,
        "Where it was taken cannot be left out of this \(format.rawValue) file. Export its preview "
          + "instead: --rendition preview.")
    }
    return result
  }

  /// Only what a picture needs, its profile and its EXIF.
  private static func jpeg(_ file: ByteBuffer) -> [UInt8] {
    let structure = JPEGStructure(file)
    return file.withUnsafeBytes { bytes in
      var result: [UInt8] = [0xFF, 0xD8]
      for segment in structure.segments {
        let payload = bytes[segment.payload]
        let isProfile = payload.starts(with: "ICC_PROFILE\0".utf8)
        let isEXIF = payload.starts(with: "Exif\0\0".utf8)
        let isHeader = [0xE0, 0xEE].contains(segment.marker)  // JFIF's and Adobe's
        let isOther = (0xE0...0xEF).contains(segment.marker) || segment.marker == 0xFE
        guard !isOther || isProfile || isEXIF || isHeader else { continue }
        result.append(0xFF)
        result += bytes[segment.range.prefix(3)]
        result +=
          isEXIF
          ? Array(payload.prefix(6)) + withoutGPS(Array(payload.dropFirst(6))) : Array(payload)
      }
      let start = structure.segments.last?.range.upperBound ?? 2
      result += bytes[start..<(structure.endOfPicture ?? bytes.count)]
      return result
    }
  }

  /// Without the chunks that hold text or EXIF (PNG 3, 11.3.3 and 11.3.4).
  private static func png(_ file: ByteBuffer) -> [UInt8] {
    file.withUnsafeBytes { bytes in
      var result = Array(bytes.prefix(8))
      var at = 8
      while at + 12 <= bytes.count {
        let length = bytes[at..<(at + 4)].reduce(0) { $0 << 8 | Int($1) }
        let end = min(bytes.count, at + 12 + length)
        let name = String(decoding: bytes[(at + 4)..<(at + 8)], as: UTF8.self)
        if !["eXIf", "iTXt", "tEXt", "zTXt"].contains(name) { result += bytes[at..<end] }
        at = end
        if name == "IEND" { break }
      }
      return result
    }
  }

  private static func tiff(_ file: [UInt8]) -> [UInt8] {
    var result = withoutGPS(file)
    guard let structure = TIFFStructure(bytes: file) else { return result }
    // XMP, IPTC and Photoshop's resources.
    for directory in structure.directories {
      for tag in [0x02BC, 0x83BB, 0x8649] as [UInt16] {
        for index in directory[tag]?.bytes.indices ?? 0..<0 { result[index] = 0x20 }
      }
    }
    return result
  }

  /// The blocks overwritten where they lie: offsets elsewhere in the file stay right.
  private static func blanked(
    _ file: ByteBuffer, _ format: ImageFormat
  ) throws(ImagingError) -> [UInt8] {
    var result = Array(copying: file)
    let (exif, xmp) = try blocks(file, format)
    if let exif, let start = result.firstOffset(of: exif) {
      let head = exif.starts(with: "Exif\0\0".utf8) ? 6 : 0
      result.replaceSubrange(
        (start + head)..<(start + exif.count), with: withoutGPS(Array(exif.dropFirst(head))))
    }
    if let xmp, let start = result.firstOffset(of: xmp) {
      result.replaceSubrange(
        start..<(start + xmp.count), with: [UInt8](repeating: 0x20, count: xmp.count))
    }
    return result
  }

  private static func blocks(
    _ file: ByteBuffer, _ format: ImageFormat
  ) throws(ImagingError) -> (exif: [UInt8]?, xmp: [UInt8]?) {
    switch try PhotoFile(bytes: file, format: format).header {
    case .vips(let picture): (picture.blob("exif-data"), picture.blob("xmp-data"))
    case .jxl(let header): (header.exif, header.xmp)
    }
  }

  private static func tellsPlace(
    _ file: ByteBuffer, _ format: ImageFormat
  ) throws(ImagingError) -> Bool {
    let (exif, xmp) = try blocks(file, format)
    let hasXMP = xmp?.contains { $0 != 0x20 && $0 != 0 } ?? false
    let block = format == .tiff ? Array(copying: file) : exif ?? []
    let structure = TIFFStructure(
      bytes: block.starts(with: "Exif\0\0".utf8) ? block.dropFirst(6) : block[...])
    return hasXMP || structure?.directories.contains { structure?.hasLocation($0) == true } == true
  }

  /// A TIFF structure whose GPS directories are empty.
  private static func withoutGPS(_ block: [UInt8]) -> [UInt8] {
    guard let structure = TIFFStructure(bytes: block) else { return block }
    var result = block
    for directory in structure.directories {
      // What makers note is theirs alone to read, and some note places.
      let notes = structure.children(of: directory, TIFFStructure.Tag.exifIFD)
        .compactMap { $0[TIFFStructure.Tag.makerNote]?.bytes.indices }
      for range in structure.ranges(ofGPSIn: directory) + notes {
        for index in range { result[index] = 0 }
      }
    }
    return result
  }
}

extension Array<UInt8> {
  fileprivate init(copying buffer: ByteBuffer) { self = buffer.withUnsafeBytes { Array($0) } }

  fileprivate func firstOffset(of block: [UInt8]) -> Int? {
    guard !block.isEmpty else { return nil }
    return withUnsafeBytes { $0.offset(of: block, from: 0) }
  }
}
