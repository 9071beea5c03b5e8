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
  private static func isWhole(_ jpeg: SharedBytes) -> Bool {
    jpeg.withUnsafeBytes {
      leaflog_jpeg_is_whole($0.bindMemory(to: UInt8.self).baseAddress, $0.count) != 0
    }
  }

  private var withEndMarker: SharedBytes {
    bytes.withUnsafeBytes { SharedBytes(copying: Array($0) + [0xFF, 0xD9]) }
  }

  /// Decodes the picture as `decode` does, without looking at what follows its last block.
  private func picture(limits: ImageLimits) throws(ImagingError) -> DecodedPhoto {
    if memory.isReduced(limits) { return try decodeReduced(limits) }
    var warnings: Set<ImportWarning> = []
    let lazy: VipsPicture
    switch header {
    case .jxl(let jxl):
      let picture = try jxl.decode(bytes)
      let encoding = PictureEncoding(jxl, picture)
      let warnings = extras.union(encoding.warnings)
      return DecodedPhoto(
        picture: try encoding.described(picture).inMemory(), warnings: warnings,
        isPlain: pageCount == 1 && jxl.bitDepth == 8 && [1, 3].contains(picture.bandCount)
          && encoding.fitsCopy && warnings.isEmpty)
    case .vips(let picture): lazy = picture
    case .unread(let unread): throw unread.error
    }
    let picture: VipsPicture
    do throws(ImagingError) {
      picture = try pixels(of: lazy)
    } catch {
      do throws(ImagingError) {
        picture = try pixels(of: load(failOn: VIPS_FAIL_ON_ERROR))
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
    warnings.formUnion(extras.union(encoding.warnings))
    return DecodedPhoto(
      picture: picture, warnings: warnings, isPlain: warnings.isEmpty && isPlain(picture))
  }

  /// The picture at a fraction of its size, from which its thumbnail and previews are made.
  private func decodeReduced(_ limits: ImageLimits) throws(ImagingError) -> DecodedPhoto {
    guard let needed = memory.reducedByteCount, needed <= limits.maxReducedByteCount else {
      let needed = min(memory.workingByteCount, memory.reducedByteCount ?? .max)
      let allowed =
        memory.reducedByteCount == nil ? limits.maxWorkingByteCount : limits.maxReducedByteCount
      throw ImagingError(
        .tooLarge,
        "A file of \(bytes.count / 1_000_000) MB and \(storedSize) pixels takes "
          + "\(needed / 1_000_000) MB of memory to decode, and this machine allows "
          + "\(allowed / 1_000_000) MB. Save it as a baseline JPEG and import that."
      )
    }
    do throws(ImagingError) {
      let isJPEG = format == .jpeg
      let lazy = try load(failOn: VIPS_FAIL_ON_ERROR, shrink: isJPEG ? 8 : 1)
      let small: VipsPicture
      if isJPEG {
        small = try lazy.inMemory()
      } else {
        // Their range is found in a first pass, as the picture does not fit into memory.
        let full = try encoding.scale(of: load(failOn: VIPS_FAIL_ON_ERROR), format)?
          .applied(to: lazy)
        small = try Vips.image {
          leaflog_thumbnail((full ?? lazy).pointer, CInt(DecodedPhoto.previewSide))
        }.inMemory()
      }
      return DecodedPhoto(picture: small, warnings: encoding.warnings, isPlain: false)
    } catch { throw DecodingFailure(bytes, format).error }
  }

  /// The picture with at most `side` pixels per side, as `DecodedPhoto.frame` returns it. A large JPEG
  /// is decoded at a half, quarter or eighth of its size, still at least twice the requested size.
  package func frame(side: Int) throws(ImagingError) -> DecodedPhoto {
    let shrink = shrink(reaching: side)
    if shrink > 1,
      let small = try? load(failOn: VIPS_FAIL_ON_ERROR, shrink: shrink).inMemory()
    {
      return try DecodedPhoto(picture: small, warnings: encoding.warnings, isPlain: true)
        .frame(side: side)
    }
    return try picture(limits: ImageLimits()).frame(side: side)
  }

  /// The factor by which a JPEG is made smaller while it is decoded for a frame; 1 for other formats.
  func shrink(reaching side: Int) -> Int {
    let factor = max(storedSize.width, storedSize.height) / max(1, 2 * side)
    return format == .jpeg ? [8, 4, 2].first { $0 <= factor } ?? 1 : 1
  }

  /// A larger file is not copied to check whether it lacks only its end marker.
  private static let maxCopyByteCount = 64 << 20

  /// The pixels of a file that lacks nothing but its EOI marker, which decodes without a warning once it
  /// has one; nil for any other.
  private var pixelsWithEndMarker: VipsPicture? {
    let whole = withEndMarker
    defer { withExtendedLifetime(whole) {} }
    return try? pixels(
      of: encoding.described(Self.load(whole, format, failOn: VIPS_FAIL_ON_WARNING)))
  }

  private func pixels(of picture: VipsPicture) throws(ImagingError) -> VipsPicture {
    // The decoder delivers rows in order; rotation needs them in another.
    let whole = try encoding.samples(of: picture, format)
    // A JPEG's copy keeps its tag. Of anything else, everything is made from an upright picture.
    guard format != .jpeg, orientation != 1 else { return whole }
    return try Vips.image { leaflog_autorot(whole.pointer) }.inMemory()
  }

  /// libjpeg's limit, in pixels.
  private static let maxJPEGSide = 65_500

  private func isPlain(_ picture: VipsPicture) -> Bool {
    let plain = [
      VIPS_INTERPRETATION_sRGB, VIPS_INTERPRETATION_RGB, VIPS_INTERPRETATION_B_W,
      VIPS_INTERPRETATION_RGB16, VIPS_INTERPRETATION_GREY16,
    ]
    return pageCount == 1 && encoding.fitsCopy
      && max(picture.width, picture.height) <= Self.maxJPEGSide
      && picture.bandFormat == VIPS_FORMAT_UCHAR
      && [1, 3].contains(picture.bandCount) && plain.contains(picture.interpretation)
  }
}
