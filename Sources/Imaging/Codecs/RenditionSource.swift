internal import CVips
package import DiaryModel

/// A photo that has been read once for all its renditions: by its coefficients if it is an ordinary JPEG,
/// otherwise by its pixels.
package struct RenditionSource: Sendable {
  enum Content: Sendable {
    case coefficients(JPEGCoefficients)
    case pixels(DecodedPhoto)
  }
  let content: Content
  package let photo: PhotoFile
  package let warnings: Set<ImportWarning>
  /// Whether a JPEG can hold all of it: see `DecodedPhoto.isPlain`.
  package let isPlain: Bool

  init(
    _ content: Content, _ photo: PhotoFile, warnings: Set<ImportWarning>, isPlain: Bool
  ) {
    self.content = content
    self.photo = photo
    self.warnings = warnings
    self.isPlain = isPlain
  }

  /// A small copy for listings: upright, sRGB, without metadata and therefore without a location.
  package func thumbnail(after history: QualityHistory = QualityHistory()) throws -> Thumbnail {
    let side = max(photo.storedSize.width, photo.storedSize.height)
    return try picture(reaching: DecodedPhoto.thumbnailSide)
      .thumbnail(of: side, maxByteCount: photo.bytes.count, after: history)
  }

  /// Whether the photo can serve as its own thumbnail: a JPEG that is hardly larger than one, upright, in sRGB, and has
  /// nothing but the picture, just like a thumbnail.
  package var isOwnThumbnail: Bool {
    guard case .coefficients(let coefficients) = content, isPlain, photo.orientation == 1 else {
      return false
    }
    let side = max(coefficients.size.width, coefficients.size.height)
    return side <= DecodedPhoto.ownThumbnailSide && JPEGStructure(photo.bytes).isBare
  }

  /// The picture as stored: at full size or, if it can be read that way, at a half, quarter or eighth of it that
  /// has at least `side` pixels along its longer side.
  package func picture(reaching side: Int) throws(ImagingError) -> DecodedPhoto {
    switch content {
    case .coefficients(let coefficients):
      let small = try coefficients.picture(blockSide: coefficients.blockSide(reaching: side))
      return DecodedPhoto(
        picture: small.described(
          orientation: photo.orientation, profile: photo.encoding.colours.profile),
        warnings: warnings, isPlain: isPlain)
    case .pixels(let decoded): return decoded
    }
  }

  /// The full-size copy at the lowest quality that reaches `target`, with its metadata; nil when no quality
  /// does, or when it would be larger than `maxByteCount`.
  package func master(
    target: PerceptualTarget, maxByteCount: Int, after history: QualityHistory = QualityHistory()
  ) throws -> EncodedImage? {
    guard isPlain else { return nil }
    switch content {
    case .coefficients(let coefficients):
      return try copy(of: coefficients, target, maxByteCount, history)
    case .pixels(let decoded):
      return try decoded.master(of: photo, target: target, maxByteCount: maxByteCount)
    }
  }

  private func copy(
    of coefficients: JPEGCoefficients, _ target: PerceptualTarget, _ maxByteCount: Int,
    _ history: QualityHistory
  ) throws -> EncodedImage? {
    let kind = QualityHistory.Kind(
      size: coefficients.size, target: target, bandCount: coefficients.planes.count)
    guard coefficients.isFiner(than: JPEGQuality(level: JPEGQuality.range.lowerBound)) else {
      return nil
    }
    let search = QualitySearch(
      sample: try CoefficientSample(coefficients, tiles: coefficients.sampleTiles))
    let quality = try search.quality(
      reaching: target, after: history, of: kind, first: Self.firstLevel)
    guard let quality,
      let bytes = coefficients.file(
        quality,
        metadata: JPEGMetadata(copying: photo.bytes, profile: photo.encoding.profileForCopy),
        maxByteCount: maxByteCount)
    else { return nil }
    return EncodedImage(
      bytes: bytes, format: .jpeg, size: coefficients.size,
      recipe: MasterRecipe(.coefficients, quality, target).description)
  }

  /// The level at which most camera photos end up, give or take five.
  private static let firstLevel = 20
}

extension PhotoFile {
  /// Reads the photo by its coefficients if possible, otherwise by its pixels.
  package func read() throws(ImagingError) -> RenditionSource {
    if let source = coefficients() { return source }
    return try pixels()
  }

  /// Reads the photo by its coefficients; nil when it is not an ordinary JPEG, is damaged, or would take too
  /// much memory.
  package func coefficients(limits: ImageLimits = ImageLimits()) -> RenditionSource? {
    guard let frame = ordinaryFrame(limits), let coefficients = JPEGCoefficients(bytes, frame)
    else { return nil }
    let warnings = extras.union(encoding.warnings)
    return RenditionSource(
      .coefficients(coefficients), self, warnings: warnings,
      isPlain: warnings.isEmpty && encoding.fitsCopy)
  }

  /// Reads the photo by its pixels, using `decode`. A grey area of its shape stands for one that cannot be shown.
  package func pixels(limits: ImageLimits = ImageLimits()) throws(ImagingError) -> RenditionSource {
    if memory.isUnshown(limits) { return try unshown() }
    let decoded: DecodedPhoto
    do throws(ImagingError) {
      decoded = try decode(limits: limits)
    } catch {
      // The samples of some kinds of TIFF are found to be unreadable only here.
      guard error.code == .unsupported else { throw error }
      return try unshown()
    }
    return RenditionSource(
      .pixels(decoded), self, warnings: decoded.warnings, isPlain: decoded.isPlain)
  }

  /// A grey area in place of the picture.
  private func unshown() throws(ImagingError) -> RenditionSource {
    let blank = try DecodedPhoto.blank(like: uprightSize)
    return RenditionSource(
      .pixels(blank), self, warnings: extras.union([.noPreview]), isPlain: false)
  }

  /// The frame of a JPEG that can be read by its coefficients within the memory limits; nil otherwise.
  func ordinaryFrame(_ limits: ImageLimits) -> JPEGFrame? {
    guard format == .jpeg, let frame = JPEGFrame(bytes), frame.size == storedSize else {
      return nil
    }
    let limit =
      frame.isProgressive ? limits.maxProgressiveWorkingByteCount : limits.maxWorkingByteCount
    return bytes.count + frame.byteCount <= limit ? frame : nil
  }

}

extension JPEGCoefficients {
  /// Whether a copy of a quality has coarser steps anywhere among the ten lowest frequencies; otherwise
  /// nothing can be saved.
  func isFiner(than quality: JPEGQuality) -> Bool {
    let steps = copiedSteps.tables(quality)[0]
    return [0, 1, 8, 16, 9, 2, 3, 10, 17, 24].contains { planes[0].steps[$0] < Float(steps[$0]) }
  }

  /// The tiles that represent the picture. There are more of them if chroma is halved both ways: a thin
  /// coloured line that is in no tile may lose much.
  var sampleTiles: SampleTiles {
    let losesMuch = halvedPlanes != nil && planes.allSatisfy { $0.across == 1 && $0.down == 1 }
    let tiles = SampleTiles(
      of: size, count: losesMuch ? 4 * SampleTiles.tileCount : SampleTiles.tileCount)
    return tiles.isWhole ? tiles : tiles.following(DetailMap(self), of: size)
  }

  /// The smallest block side, in samples, at which the picture has at least `side` pixels along its longer
  /// side.
  func blockSide(reaching side: Int) -> Int {
    [1, 2, 4].first { max(size.width, size.height) * $0 / 8 >= side } ?? 8
  }
}
