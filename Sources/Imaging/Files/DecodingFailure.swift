internal import DiaryModel

/// The reason why a decoder rejected a file, determined from the file's own structure.
///
/// libvips keeps its reasons in one buffer for the whole process, so that with several photos in
/// progress, they cannot be attributed to a file.
struct DecodingFailure {
  let error: ImagingError

  /// - Parameter isOpened: whether the decoder understood the header, so that it failed at the picture.
  init(_ file: SharedBytes, _ format: ImageFormat, isOpened: Bool = true) {
    error = file.withUnsafeBytes { bytes in
      switch format {
      case .jpeg: Self.jpeg(bytes)
      case .png: Self.png(bytes)
      case .webp: Self.webp(bytes)
      case .gif: Self.gif(bytes)
      case .tiff:
        TIFFPicture(file)?.failure(isOpened: isOpened)
          ?? Self.truncated("Its directory lies beyond its end.")
      case .heic, .avif: Self.heif(bytes, isOpened: isOpened)
      case .jxl: Self.damaged
      }
    }
  }

  static let damaged = ImagingError(.corrupt, "Its picture is damaged.")

  static func truncated(_ message: String) -> ImagingError {
    ImagingError(.truncated, message)
  }

  private static func jpeg(_ bytes: UnsafeRawBufferPointer) -> ImagingError {
    let structure = JPEGStructure(bytes)
    let frame = structure.segments.first {
      (0xC0...0xCF).contains($0.marker) && ![0xC4, 0xC8, 0xCC].contains($0.marker)
    }
    // The end of the picture, without the bytes that cameras pad files with.
    let last = bytes.lastIndex { $0 != 0 && $0 != 0x0A && $0 != 0x0D } ?? 0
    let hasEnd =
      structure.endOfPicture != nil || last > 0 && bytes[last] == 0xD9 && bytes[last - 1] == 0xFF
    guard let frame, let size = structure.frameSize else {
      if structure.endOfPicture != nil {
        return ImagingError(.noPixels, "The JPEG has no picture.")
      }
      return hasEnd ? damaged : truncated("It ends in its header.")
    }
    // Baseline, extended and progressive, by Huffman or by arithmetic coding (T.81, table B.1).
    let precision = bytes[frame.payload.lowerBound]
    guard [0xC0, 0xC1, 0xC2, 0xC9, 0xCA].contains(frame.marker), precision == 8 else {
      let kind = [0xC3, 0xC7, 0xCB, 0xCF].contains(frame.marker) ? "a lossless" : "a hierarchical"
      let isCommon = [0xC0, 0xC1, 0xC2, 0xC9, 0xCA].contains(frame.marker)
      return ImagingError(
        .unsupported, "It is \(isCommon ? "a" : kind) JPEG of \(precision) bits, which is not read."
      )
    }
    if size.width == 0 || size.height == 0 {
      return ImagingError(.noPixels, "The JPEG says that it has \(size) pixels.")
    }
    if structure.endsInZeros { return truncated("Its picture ends in zeros.") }
    return hasEnd ? damaged : truncated("It has no end marker.")
  }

  private static func png(_ bytes: UnsafeRawBufferPointer) -> ImagingError {
    var at = 8
    while at < bytes.count {
      guard at + 12 <= bytes.count, let length = bytes.integer(at: at, size: 4) else { break }
      let name = bytes[(at + 4)..<(at + 8)]
      guard name.allSatisfy({ (0x41...0x5A).contains($0 & 0xDF) }) else { return damaged }
      if bytes.holds("IEND", at: at + 4) { return damaged }
      at += 12 + length
    }
    return truncated("It ends before its IEND chunk.")
  }

  /// The error for a PNG with a chunk that claims to extend beyond the end of the file; nil when there is
  /// none. libpng allocates memory for a whole chunk, up to 2 GB, before it reads any of it.
  static func overlongChunk(inPNG file: SharedBytes) -> ImagingError? {
    file.withUnsafeBytes { bytes in
      var at = 8
      while let length = bytes.integer(at: at, size: 4), !bytes.holds("IEND", at: at + 4) {
        at += 12 + length
        if at > bytes.count { return truncated("It ends within a chunk.") }
      }
      return nil
    }
  }

  private static func webp(_ bytes: UnsafeRawBufferPointer) -> ImagingError {
    let claimed = (bytes.integer(at: 4, size: 4, isLittleEndian: true) ?? 0) + 8
    return claimed > bytes.count
      ? truncated("It has \(bytes.count) of \(claimed) bytes.") : damaged
  }

  private static func gif(_ bytes: UnsafeRawBufferPointer) -> ImagingError {
    let blocks = GIFBlocks(bytes)
    guard blocks.isComplete else { return truncated("It ends before its trailer.") }
    let frames = blocks.blocks.count { $0.kind == .image }
    let height = bytes.integer(at: 8, size: 2, isLittleEndian: true) ?? 0
    if frames == 0 { return ImagingError(.noPixels, "The GIF has no picture.") }
    // libvips puts all frames in one column, and accepts ten million rows.
    if frames * height > 10_000_000 {
      return ImagingError(
        .tooLarge, "It has \(frames) frames of \(height) rows, which is too much.")
    }
    return damaged
  }

  private static func heif(
    _ bytes: UnsafeRawBufferPointer, isOpened: Bool
  ) -> ImagingError {
    var at = 0
    var boxes: [ISOBox] = []
    while at < bytes.count {
      guard let short = bytes.integer(at: at, size: 4), at + 8 <= bytes.count else { break }
      let size = short == 1 ? bytes.integer(at: at + 8, size: 8) ?? 0 : short
      let length = short == 0 ? bytes.count - at : size
      guard length >= 8 else { return damaged }
      guard length <= bytes.count - at else {
        return truncated("It ends \(length - (bytes.count - at)) bytes before its last box does.")
      }
      boxes += ISOBox.boxes(in: at..<(at + length), of: bytes) ?? []
      at += length
    }
    return HEIFOutline(boxes, bytes).failure(isOpened: isOpened)
  }
}

/// A picture of a kind that no decoder here reads, of which the container tells the size and the metadata.
struct UnreadPicture: Sendable {
  let size: PixelSize
  /// How the picture still has to be turned, as in `PhotoFile`.
  let orientation: Int
  let exifBlock: [UInt8]?
  let exif: EXIF
  let xmp: [UInt8]?
  /// Says what kind it is.
  let error: ImagingError

  /// Nil when the file is damaged, when its size is not known, or when it is a camera's RAW file.
  init?(
    _ file: SharedBytes, _ format: ImageFormat, _ heif: HEIFStructure?, _ error: ImagingError
  ) {
    guard error.code == .unsupported else { return nil }
    self.error = error
    switch format {
    case .tiff:
      guard let structure = TIFFStructure(file), !structure.holdsSensorData,
        case let picture = TIFFPicture(structure), let size = picture.size
      else { return nil }
      (self.size, exifBlock, xmp) = (size, nil, picture.xmp)
      exif = EXIF(tiffFile: file)
      orientation = PhotoFile.orientation(of: size, picture.orientation, format, nil, nil)
    case .heic, .avif:
      let outline = HEIFOutline(file)
      guard let size = outline.size else { return nil }
      (self.size, exifBlock, xmp) = (size, outline.exif, outline.xmp)
      let tags = outline.exif.flatMap { TIFFStructure(block: $0) }
      exif = EXIF(tags, tags?.main)
      orientation = PhotoFile.orientation(of: size, nil, format, tags, heif)
    case .jpeg, .png, .webp, .gif, .jxl: return nil
    }
  }
}
