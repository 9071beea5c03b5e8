internal import CVips
package import DiaryModel

/// An image file whose header has been read, but none of its pixels.
package struct PhotoFile: Sendable {
  package let bytes: SharedBytes
  package let format: ImageFormat
  /// The size of the decoder's picture, before `orientation` is applied.
  package let storedSize: PixelSize
  /// The meaning of the samples.
  let encoding: PictureEncoding
  /// How the decoder's picture still has to be turned, 1 to 8 as in EXIF's Orientation (0x0112); 1 when there is
  /// nothing to do.
  package var orientation: Int { encoding.orientation }
  /// The number of frames of an animation, or of pages.
  package let pageCount: Int
  package let isProgressive: Bool
  package let exif: EXIF
  package let xmp: [UInt8]?

  let header: Header
  /// The file as its decoder reads it, which keeps the lazy image of the header alive.
  private let decodable: SharedBytes
  /// The EXIF block, with or without anything before its TIFF header; nil when there is none, and for a TIFF, whose
  /// own directories it is in.
  let exifBlock: [UInt8]?

  /// The decoder's input: libvips' lazy image, or what libjxl read of the header. Without a decoder, what the container
  /// says.
  enum Header: Sendable {
    case vips(VipsPicture)
    case jxl(JXLHeader)
    case unread(UnreadPicture)
  }

  package init(
    bytes: SharedBytes, format: ImageFormat, limits: ImageLimits = ImageLimits()
  ) throws(ImagingError) {
    self.bytes = bytes
    self.format = format
    if format == .jxl {
      let jxl = try JXLHeader(bytes)
      try Self.check(jxl.size, limits)
      (header, decodable) = (.jxl(jxl), bytes)
      storedSize = jxl.size
      // libjxl turns pictures upright itself.
      encoding = PictureEncoding(jxl)
      isProgressive = false
      pageCount = jxl.isAnimated ? 2 : 1
      exifBlock = jxl.exif
      exif = jxl.exif.map { EXIF(block: $0) } ?? EXIF()
      xmp = jxl.xmp
      return
    }
    if let claimed = Self.claimedSize(bytes, format) { try Self.check(claimed, limits) }
    if format == .png, let error = DecodingFailure.overlongChunk(inPNG: bytes) { throw error }
    let heif = [.heic, .avif].contains(format) ? HEIFStructure(bytes) : nil
    decodable = heif?.decodable(bytes) ?? bytes
    let picture: VipsPicture
    do throws(ImagingError) {
      picture = try Self.load(decodable, format, failOn: VIPS_FAIL_ON_WARNING)
    } catch {
      guard let unread = UnreadPicture(bytes, format, heif, error) else { throw error }
      try Self.check(unread.size, limits)
      (header, storedSize, exifBlock) = (.unread(unread), unread.size, unread.exifBlock)
      (exif, xmp, encoding) = (unread.exif, unread.xmp, PictureEncoding(unread))
      (pageCount, isProgressive) = (1, false)
      return
    }
    storedSize = PixelSize(width: picture.width, height: picture.height)
    isProgressive = picture.integer("jpeg-multiscan") == 1
    // libvips does not expose a TIFF's own directories.
    let png = format == .png ? PNGMetadata(bytes, picture) : nil
    exifBlock = heif?.exif ?? picture.blob("exif-data") ?? png?.exif
    let tags =
      format == .tiff ? TIFFStructure(bytes) : exifBlock.flatMap { TIFFStructure(block: $0) }
    exif = EXIF(tags, format == .tiff ? tags?.metadata : tags?.main)
    let tiff = format == .tiff ? tags.map { TIFFPicture($0) } : nil
    xmp = format == .gif ? GIFStructure(bytes).xmp : picture.xmp ?? png?.xmp ?? tiff?.xmp
    pageCount = png?.frameCount ?? picture.integer("n-pages") ?? 1
    var encoding = PictureEncoding(picture, exif: tags, tiff: tiff, png: png, heif: heif)
    let tag = picture.integer(VIPS_META_ORIENTATION) ?? tiff?.orientation
    encoding.orientation = Self.orientation(of: storedSize, tag, format, tags, heif)
    self.encoding = encoding
    header = .vips(try encoding.described(picture))
    try Self.check(storedSize, limits)
    if isProgressive {
      guard progressiveByteCount <= limits.maxProgressiveByteCount else {
        throw ImagingError(
          .tooLarge,
          "A progressive JPEG of \(storedSize) pixels takes \(progressiveByteCount / 1_000_000) MB "
            + "to decode, and the limit is \(limits.maxProgressiveByteCount / 1_000_000) MB. Save it as a baseline JPEG "
            + "and import that.")
      }
    }
  }

  /// - Parameter tag: the one that libvips has read.
  static func orientation(
    of size: PixelSize, _ tag: Int?, _ format: ImageFormat, _ exif: TIFFStructure?,
    _ heif: HEIFStructure?
  ) -> Int {
    switch format {
    // libvips only knows a TIFF's tag, and reads a JPEG's as libexif does.
    case .jpeg, .tiff:
      let tag = tag ?? 1
      return (1...8).contains(tag) ? tag : 1
    case .png, .webp: return exif?.orientation ?? 1
    case .heic, .avif:
      // The container decides (ISO/IEC 23008-12, 6.5.10), and libheif has obeyed it. Where it says nothing, as in
      // files that were converted from a turned JPEG, EXIF does, unless its own size shows that it is about a picture
      // that has been turned since.
      guard heif?.isTurned != true, let exif else { return 1 }
      return exif.isTurned(comparedWith: size) ? 1 : exif.orientation
    case .gif, .jxl: return 1
    }
  }

  /// The dates in the IPTC data of a JPEG, TIFF or PNG, read from the file when asked for.
  package var iptc: IPTC {
    switch format {
    case .jpeg: IPTC(jpeg: bytes)
    case .tiff: IPTC(tiffFile: bytes)
    case .png: PNGMetadata.iptc(bytes)
    case .webp, .gif, .heic, .avif, .jxl: IPTC()
    }
  }

  /// The date in a PNG's text, read from the file when asked for.
  package var pngCreationTime: String? { format == .png ? PNGMetadata.creationTime(bytes) : nil }

  /// The EXIF block for an upright copy of the decoder's picture; nil when there is none.
  package func exifOfCopy(size: PixelSize) -> [UInt8]? {
    format == .tiff
      ? TIFFStructure(bytes).flatMap { EXIFBlock($0, $0.metadata, isTurned: orientation > 4) }?
        .bytes
      : exifBlock.flatMap { EXIFBlock(upright: $0, size: size, isTurned: orientation > 4) }?.bytes
  }

  /// The size in a PNG's IHDR (PNG 3, 11.2.1) or a WebP's VP8X (RFC 9649, 2.7); the decoders reject an
  /// implausible one without a reason.
  private static func claimedSize(_ bytes: SharedBytes, _ format: ImageFormat) -> PixelSize? {
    bytes.withUnsafeBytes { bytes in
      switch format {
      case .png:
        guard let width = bytes.integer(at: 16, size: 4),
          let height = bytes.integer(at: 20, size: 4)
        else { return nil }
        return PixelSize(width: width, height: height)
      case .webp where bytes.holds("VP8X", at: 12):
        guard let width = bytes.integer(at: 24, size: 3, isLittleEndian: true),
          let height = bytes.integer(at: 27, size: 3, isLittleEndian: true)
        else { return nil }
        return PixelSize(width: width + 1, height: height + 1)
      default: return nil
      }
    }
  }

  private static func check(_ size: PixelSize, _ limits: ImageLimits) throws(ImagingError) {
    guard size.width > 0, size.height > 0 else {
      throw ImagingError(.noPixels, "The image has no pixels.")
    }
    guard size.width <= limits.maxPixelCount / size.height else {
      throw ImagingError(
        .tooLarge,
        "The image says that it has \(size) pixels; the limit is "
          + "\(limits.maxPixelCount / 1_000_000) megapixels.")
    }
  }

  /// The size of the upright picture.
  package var uprightSize: PixelSize {
    orientation < 5
      ? storedSize : PixelSize(width: storedSize.height, height: storedSize.width)
  }

  /// The size of the coefficients, two bytes each: as many as samples, of which chroma has a quarter to all of
  /// luma's.
  var progressiveByteCount: Int {
    guard case .vips(let picture) = header else { return 0 }
    let halved = picture.string("jpeg-chroma-subsample") == "4:2:0"
    return picture.bandCount == 1
      ? 2 * storedSize.pixelCount : (halved ? 3 : 2 * picture.bandCount) * storedSize.pixelCount
  }

  /// Loads the picture again, described as the header is.
  func load(failOn: VipsFailOn, shrink: Int = 1) throws(ImagingError) -> VipsPicture {
    try encoding.described(Self.load(decodable, format, failOn: failOn, shrink: shrink))
  }

  static func load(
    _ bytes: SharedBytes, _ format: ImageFormat, failOn: VipsFailOn, shrink: Int = 1
  ) throws(ImagingError) -> VipsPicture {
    let loader: LeaflogLoader =
      switch format {
      case .jpeg: LEAFLOG_JPEG
      case .png: LEAFLOG_PNG
      case .webp: LEAFLOG_WEBP
      case .tiff: LEAFLOG_TIFF
      case .gif: LEAFLOG_GIF
      case .heic, .avif, .jxl: LEAFLOG_HEIF
      }
    let place = format == .tiff ? TIFFPicture(bytes).flatMap { $0.isFirst ? nil : $0 } : nil
    do throws(ImagingError) {
      return try bytes.withUnsafeBytes { buffer throws(ImagingError) in
        try Vips.image {
          guard let place else {
            return leaflog_load(loader, buffer.baseAddress, buffer.count, failOn, CInt(shrink))
          }
          return leaflog_load_page(
            buffer.baseAddress, buffer.count, failOn, CInt(place.page),
            CInt(place.subdirectory ?? -1))
        }
      }
    } catch { throw DecodingFailure(bytes, format, isOpened: false).error }
  }
}
