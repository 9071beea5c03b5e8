internal import CJPEG
internal import CVips
internal import Foundation
internal import DiaryModel

extension PhotoFile {
  /// Decodes the picture, tolerating damage as long as a photo remains.
  ///
  /// A photo that would take too much memory at full size is decoded at reduced size; it is not plain
  /// then.
  ///
  /// libvips decodes strictly first. If that fails, it decodes again and tolerates corrupt bytes: even
  /// some good phone files make the decoder complain, so damage is accepted with a warning, never
  /// silently. A file that ends before its picture does is rejected.
  package func decode(limits: ImageLimits = ImageLimits()) throws(ImagingError) -> DecodedPhoto {
    let structure = format == .jpeg ? JPEGStructure(bytes) : nil
    if structure?.endsInZeros == true { throw DecodingFailure(bytes, format).error }
    let photo = try picture(limits: limits)
    guard let structure, photo.warnings.isDisjoint(with: [.damaged, .missingEndMarker]),
      !Self.isWhole(bytes)
    else { return photo }
    // The decoder stops at the last block. What follows it is the rest of a damaged picture, or of another one.
    let warning: ImportWarning
    if structure.endOfPicture != nil {
      warning = .damaged
    } else if bytes.count <= Self.maxCopyByteCount, Self.isWhole(withEndMarker) {
      warning = .missingEndMarker
    } else {
      throw DecodingFailure(bytes, format).error
    }
    return DecodedPhoto(
      picture: photo.picture, warnings: photo.warnings.union([warning]), isPlain: false)
  }

  /// Whether libjpeg reads a file up to its end marker without a warning.
  private static func isWhole(_ jpeg: ByteBuffer) -> Bool {
    jpeg.withUnsafeBytes {
      leaflog_jpeg_is_whole($0.bindMemory(to: UInt8.self).baseAddress, $0.count) != 0
    }
  }

  private var withEndMarker: ByteBuffer {
    bytes.withUnsafeBytes { ByteBuffer(copying: Array($0) + [0xFF, 0xD9]) }
  }

  /// Decodes the picture as `decode` does, without looking at what follows its last block.
  private func picture(limits: ImageLimits) throws(ImagingError) -> DecodedPhoto {
    if memory.isReduced(limits) { return try decodeReduced(limits) }
    var warnings: Set<ImportWarning> = []
    let lazy: VipsPicture
    switch header {
    case .jxl(let jxl):
      let (picture, bitDepth) = try jxl.decode(bytes)
      let plain = pageCount == 1 && bitDepth == 8 && [1, 3].contains(picture.bandCount)
      return DecodedPhoto(readable: picture, warnings: [], isPlain: plain)
    case .vips(let picture): lazy = picture
    }
    let picture: VipsPicture
    do throws(ImagingError) {
      picture = try pixels(of: lazy)
    } catch {
      do throws(ImagingError) {
        picture = try pixels(of: Self.load(bytes, format, failOn: VIPS_FAIL_ON_ERROR))
        warnings = [.damaged]
      } catch {
        guard format == .jpeg, bytes.count <= Self.maxCopyByteCount, let whole = pixelsWithEndMarker
        else {
          throw DecodingFailure(bytes, format).error
        }
        picture = whole
        warnings = [.missingEndMarker]
      }
    }
    warnings.formUnion(extras)
    return DecodedPhoto(
      readable: picture, warnings: warnings, isPlain: warnings.isEmpty && isPlain(picture))
  }

  /// The picture at a fraction of its size, from which its thumbnail and previews are made.
  private func decodeReduced(_ limits: ImageLimits) throws(ImagingError) -> DecodedPhoto {
    guard let needed = memory.reducedByteCount, needed <= limits.maxReducedByteCount else {
      let needed = min(memory.workingByteCount, memory.reducedByteCount ?? .max)
      throw ImagingError(
        .tooLarge,
        "A file of \(bytes.count / 1_000_000) MB and \(storedSize) pixels takes "
          + "\(needed / 1_000_000) MB of memory to decode, which is too much. Save it as a baseline "
          + "JPEG and import that.")
    }
    do throws(ImagingError) {
      let isJPEG = format == .jpeg
      let lazy = try Self.load(
        bytes, format, failOn: VIPS_FAIL_ON_ERROR, shrink: isJPEG ? 8 : 1)
      if isJPEG { return DecodedPhoto(readable: try lazy.inMemory(), warnings: [], isPlain: false) }
      let (readable, isReadable) = lazy.withReadableProfile
      let small = try Vips.image {
        leaflog_thumbnail(readable.pointer, CInt(DecodedPhoto.previewSide))
      }
      return DecodedPhoto(
        picture: try small.inMemory(), warnings: isReadable ? [] : [.profileUnreadable],
        isPlain: false)
    } catch { throw DecodingFailure(bytes, format).error }
  }

  /// The picture with at most `side` pixels per side, as `DecodedPhoto.frame` returns it. A large JPEG
  /// is decoded at a half, quarter or eighth of its size, still at least twice the requested size.
  package func frame(side: Int) throws(ImagingError) -> DecodedPhoto {
    let factor = max(storedSize.width, storedSize.height) / max(1, 2 * side)
    let shrink = [8, 4, 2].first { $0 <= factor } ?? 1
    if format == .jpeg, shrink > 1,
      let small = try? Self.load(bytes, format, failOn: VIPS_FAIL_ON_ERROR, shrink: shrink)
        .inMemory()
    {
      return try DecodedPhoto(readable: small, warnings: [], isPlain: true).frame(side: side)
    }
    return try picture(limits: ImageLimits()).frame(side: side)
  }

  /// A larger file is not copied to check whether it lacks only its end marker.
  private static let maxCopyByteCount = 64 << 20

  /// The pixels of a file that lacks nothing but its EOI marker, which decodes without a warning once it
  /// has one; nil for any other.
  private var pixelsWithEndMarker: VipsPicture? {
    let whole = withEndMarker
    defer { withExtendedLifetime(whole) {} }
    return try? pixels(of: Self.load(whole, format, failOn: VIPS_FAIL_ON_WARNING))
  }

  private func pixels(of picture: VipsPicture) throws(ImagingError) -> VipsPicture {
    // A scan with 16 bits per sample is reduced to 8 on the way into memory. HEIF's 10 and 12 bits
    // stay: they are HDR, which 8 bits cannot hold.
    let isScan =
      [ImageFormat.png, .tiff].contains(format)
      && picture.bandFormat == VIPS_FORMAT_USHORT
      && [1, 3].contains(picture.bandCount)
      && [VIPS_INTERPRETATION_RGB16, VIPS_INTERPRETATION_GREY16].contains(picture.interpretation)
    let narrow = isScan ? try Vips.image { leaflog_to_8_bit(picture.pointer) } : picture
    // A TIFF can be rotated without any EXIF that would say so in a JPEG.
    let isTurned = format != .jpeg && orientation != 1 && picture.blob("exif-data") == nil
    // The decoder delivers rows in order; rotation needs them in another.
    let whole = try narrow.inMemory()
    return isTurned ? try Vips.image { leaflog_autorot(whole.pointer) }.inMemory() : whole
  }

  /// libjpeg's limit, in pixels.
  private static let maxJPEGSide = 65_500

  private func isPlain(_ picture: VipsPicture) -> Bool {
    let plain = [
      VIPS_INTERPRETATION_sRGB, VIPS_INTERPRETATION_RGB, VIPS_INTERPRETATION_B_W,
      VIPS_INTERPRETATION_RGB16, VIPS_INTERPRETATION_GREY16,
    ]
    return pageCount == 1 && max(picture.width, picture.height) <= Self.maxJPEGSide
      && picture.bandFormat == VIPS_FORMAT_UCHAR
      && [1, 3].contains(picture.bandCount) && plain.contains(picture.interpretation)
  }

  /// Warnings about content of a JPEG file besides its picture, which a compressed copy would lose.
  var extras: Set<ImportWarning> {
    guard format == .jpeg else { return [] }
    let structure = JPEGStructure(bytes)
    // A scan with several times as many bytes as the picture has pixels is that of another, larger
    // picture: the header is wrong.
    if structure.scanByteCount > 4 * storedSize.pixelCount + 4096 { return [.damaged] }
    guard let end = structure.endOfPicture else { return [] }
    return bytes.withUnsafeBytes { buffer in
      let rest = UnsafeRawBufferPointer(rebasing: buffer[end...])
      if Self.holdsVideo(rest) { return [.motionPhoto] }
      // Some cameras pad their files. Pictures in an index are previews, or a gain map.
      let isKnown = structure.hasPictureIndex || hasGainMap
      return isKnown || Self.isPadding(rest) || Self.isPreview(rest, of: storedSize)
        ? [] : [.trailingData]
    }
  }

  private static func isPadding(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let padding: [UInt8] = [0, 0xFF, 0x0A, 0x0D]
    guard let base = bytes.baseAddress, let first = bytes.first else { return true }
    guard padding.contains(first) else { return false }
    // Fast even for hundreds of megabytes of the same byte.
    return memcmp(base, base + 1, bytes.count - 1) == 0 || bytes.allSatisfy(padding.contains)
  }

  /// Whether the bytes are a preview that a camera put after the picture, and to which only its maker
  /// notes point: a JPEG smaller than the picture, last in the file. Sony's lack their first byte.
  private static func isPreview(_ bytes: UnsafeRawBufferPointer, of size: PixelSize) -> Bool {
    guard let marker = bytes.offset(of: [0xD8, 0xFF, 0xDB], from: 1) else { return false }
    let start = marker - 1
    let preview = JPEGStructure(UnsafeRawBufferPointer(rebasing: bytes[start...]))
    guard let end = preview.endOfPicture, let found = preview.frameSize else { return false }
    return found.width < size.width && found.height < size.height
      && isPadding(UnsafeRawBufferPointer(rebasing: bytes[(start + end)...]))
  }

  /// Whether the bytes contain an MPEG-4 file (Android's and Samsung's motion photos): an `ftyp` box of
  /// a plausible size with a video brand.
  private static func holdsVideo(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var at = 4
    while let found = bytes.offset(of: Array("ftyp".utf8), from: at), found + 8 <= bytes.count {
      let size = bytes[(found - 4)..<found].reduce(0) { $0 << 8 | Int($1) }
      let brand = String(decoding: bytes[(found + 4)..<(found + 8)], as: UTF8.self)
      if (16...256).contains(size), ["isom", "mp41", "mp42", "qt  "].contains(brand) {
        return true
      }
      at = found + 1
    }
    return false
  }

  /// Whether the file has a gain map besides its picture (ISO 21496-1, Adobe's and Apple's forms).
  package var hasGainMap: Bool {
    guard format == .jpeg, let xmp else { return false }
    let text = String(decoding: xmp, as: UTF8.self)
    return text.contains("hdrgm:Version") || text.contains("HDRGainMap")
  }
}
