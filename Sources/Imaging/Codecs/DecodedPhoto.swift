internal import CJPEG
internal import CVips
package import DiaryModel
internal import Foundation

/// A photo's pixels in memory, decoded once for everything that is made from them.
package struct DecodedPhoto: Sendable {
  let picture: VipsPicture
  package let warnings: Set<ImportWarning>
  /// Whether a JPEG can hold all of it: one still picture of 8 bits, grey or RGB, nothing
  /// transparent, nothing damaged.
  package let isPlain: Bool

  init(picture: VipsPicture, warnings: Set<ImportWarning>, isPlain: Bool) {
    self.picture = picture
    self.warnings = warnings
    self.isPlain = isPlain
  }

  /// A grey area of thumbnail size with the proportions of a picture.
  static func blank(like size: PixelSize) throws(ImagingError) -> DecodedPhoto {
    let scale = Double(thumbnailSide) / Double(max(size.width, size.height, thumbnailSide))
    let (width, height) = (
      max(1, Int(Double(size.width) * scale)), max(1, Int(Double(size.height) * scale))
    )
    let samples = [UInt8](repeating: 0xC8, count: width * height)
    let picture = try Vips.image {
      leaflog_from_memory(samples, samples.count, CInt(width), CInt(height), 1)
    }
    return DecodedPhoto(picture: picture, warnings: [.noPreview], isPlain: false)
  }
}

extension DecodedPhoto {
  /// The side of the square that a thumbnail fits into.
  package static let thumbnailSide = 512
  /// The longest side of a photo that serves as its own thumbnail.
  static let ownThumbnailSide = 640
  /// Smaller photos have smaller thumbnails, as one of the usual size would be nearly as large as the photo.
  private static let leastThumbnailSide = 256

  /// The side of the thumbnail of a photo with this longer side.
  private static func thumbnailSide(of side: Int) -> Int {
    min(thumbnailSide, max(leastThumbnailSide, side / 2))
  }

  /// The side of the square that a preview fits into.
  package static let previewSide = 2048

  /// A small copy for listings: upright, sRGB, without metadata and therefore without a location. It is no
  /// larger than `maxByteCount` if possible.
  ///
  /// - Parameter side: the photo's longer side, if this is not all of its pixels.
  package func thumbnail(
    of side: Int = 0, maxByteCount: Int = .max, after history: QualityHistory = QualityHistory()
  ) throws -> Thumbnail {
    let small = try shrunk(
      side: Self.thumbnailSide(of: max(side, picture.width, picture.height)))
    let coefficients = try JPEGCoefficients(of: small)
    let kind = QualityHistory.Kind(
      size: coefficients.size, target: .thumbnail, bandCount: small.bandCount)
    let sample = try CoefficientSample(
      coefficients, tiles: SampleTiles(of: coefficients.size, count: Self.thumbnailTileCount),
      picture: small)
    let found = try QualitySearch(sample: sample)
      .quality(reaching: .thumbnail, after: history, of: kind, first: Self.thumbnailLevel)
    var level = found?.level ?? JPEGQuality.range.upperBound
    while true {
      let quality = JPEGQuality(level: level)
      let limit = level == JPEGQuality.range.lowerBound ? .max : maxByteCount
      if let bytes = coefficients.file(quality, metadata: JPEGMetadata(), maxByteCount: limit) {
        return Thumbnail(
          picture: small,
          image: EncodedImage(
            bytes: bytes, format: .jpeg, size: coefficients.size,
            recipe: "thumbnail-2 \(quality.recipe)"))
      }
      guard level > JPEGQuality.range.lowerBound else {
        throw ImagingError(.failed, "There is not enough memory.")
      }
      level = max(JPEGQuality.range.lowerBound, level - 8)
    }
  }

  /// A third of a thumbnail represents it.
  private static let thumbnailTileCount = 16
  /// The level at which most thumbnails of camera photos end up, give or take five.
  private static let thumbnailLevel = 12

  /// A copy for viewing on a screen, made like the thumbnail.
  package func preview() throws -> EncodedImage {
    let quality = JPEGQuality(level: 22)
    return try JPEGEncoder.encode(
      shrunk(side: Self.previewSide), quality, recipe: "preview-1 \(quality.recipe)")
  }

  /// The full-size copy of `photo` at the lowest quality that reaches `target`, with its metadata;
  /// nil when no quality does, when it would be larger than `maxByteCount`, or when a JPEG cannot hold its metadata.
  package func master(
    of photo: PhotoFile, target: PerceptualTarget, maxByteCount: Int
  ) throws -> EncodedImage? {
    guard isPlain, let metadata = metadata(of: photo),
      let quality = try quality(reaching: target)
    else { return nil }
    let master = try JPEGEncoder.encode(
      picture, quality, metadata: metadata,
      recipe: MasterRecipe(.pixels, quality, target).description)
    return master.bytes.count <= maxByteCount ? master : nil
  }

  /// The picture for viewing or further processing: upright, 8-bit sRGB with three bands, at most `side`
  /// pixels per side, never enlarged.
  package func frame(side: Int) throws(ImagingError) -> DecodedPhoto {
    let small = try shrunk(side: side)
    let picture =
      small.bandCount == 3 ? small : try Vips.image { leaflog_to_srgb(small.pointer) }.inMemory()
    return DecodedPhoto(picture: picture, warnings: warnings, isPlain: true)
  }

  /// Most camera photos end up at level 20, give or take five.
  private func quality(reaching target: PerceptualTarget) throws -> JPEGQuality? {
    try QualitySearch(sample: PixelSample(picture)).quality(reaching: target, first: 20)
  }

  private func metadata(of photo: PhotoFile) -> JPEGMetadata? {
    photo.format == .jpeg
      ? JPEGMetadata(copying: photo.bytes, profile: photo.encoding.profileForCopy)
      : JPEGMetadata(of: photo, picture, size: size)
  }

  private func shrunk(side: Int) throws(ImagingError) -> VipsPicture {
    var small = try Vips.image { leaflog_thumbnail(picture.pointer, CInt(side)) }
    if small.interpretation != VIPS_INTERPRETATION_sRGB
      && small.interpretation != VIPS_INTERPRETATION_B_W
      || small.bandFormat != VIPS_FORMAT_UCHAR
    {
      small = try Vips.image { leaflog_to_srgb(small.pointer) }
    }
    if small.bandCount == 2 || small.bandCount == 4 {
      small = try Vips.image { leaflog_flatten(small.pointer) }
    }
    // Bands beyond the colours would be taken for some of them, and missing ones for what is in memory.
    guard [1, 3].contains(small.bandCount), small.bandFormat == VIPS_FORMAT_UCHAR else {
      throw ImagingError(.unsupported, "Its samples are of a kind that is not shown.")
    }
    return try small.inMemory()
  }
}

/// A thumbnail, as a file and as pixels.
package struct Thumbnail: Sendable {
  let picture: VipsPicture
  package let image: EncodedImage

  /// The pixels before compression.
  package var decoded: DecodedPhoto {
    DecodedPhoto(picture: picture, warnings: [], isPlain: true)
  }
}

/// An image file in memory, fresh from an encoder.
package struct EncodedImage: Sendable {
  package let bytes: SharedBytes
  package let format: ImageFormat
  package let size: PixelSize
  /// The encoder's settings and their version.
  package let recipe: String
}

/// Encodes baseline JPEG with custom quantisation tables, which libvips supports only with mozjpeg.
/// Debian's libvips is built without it.
enum JPEGEncoder {
  /// - Parameter picture: in memory, 8-bit, grey or RGB.
  static func encode(
    _ picture: VipsPicture, _ quality: JPEGQuality, metadata: JPEGMetadata = JPEGMetadata(),
    recipe: String
  ) throws -> EncodedImage {
    precondition([1, 3].contains(picture.bandCount) && picture.bandFormat == VIPS_FORMAT_UCHAR)
    var count: UInt = 0
    var message = [CChar](repeating: 0, count: Int(JMSG_LENGTH_MAX) + 1)
    let bytes = try picture.withSamples { samples in
      leaflog_jpeg_encode(
        samples.bindMemory(to: UInt8.self).baseAddress, CInt(picture.width), CInt(picture.height),
        CInt(picture.bandCount), quality.luma, quality.chroma, metadata.segments,
        metadata.segments.count, &count, &message)
    }
    guard let bytes else {
      let reason = String(decoding: message.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
      throw ImagingError(.failed, "The JPEG encoder failed: \(reason)")
    }
    metadata.density.write(to: bytes)
    return EncodedImage(
      bytes: SharedBytes(adopting: .init(start: bytes, count: Int(count))) { free($0) },
      format: .jpeg, size: PixelSize(width: picture.width, height: picture.height), recipe: recipe)
  }
}
