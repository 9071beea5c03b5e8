internal import CVips
package import DiaryModel

/// A photo that has been read once, for all the renditions that are made of it: by its coefficients where it
/// is an ordinary JPEG, by its pixels otherwise.
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

  /// A small copy to list photos with: upright, sRGB, without metadata, so without a location.
  package func thumbnail() throws -> Thumbnail {
    switch content {
    case .coefficients(let coefficients):
      let side = DecodedPhoto.thumbnailSide
      let small = try coefficients.picture(blockSide: coefficients.blockSide(reaching: side))
      return try DecodedPhoto(
        picture: photo.described(small), warnings: [], isPlain: true
      ).thumbnail()
    case .pixels(let decoded): return try decoded.thumbnail()
    }
  }

  /// The full-size copy at the lowest quality that reaches `target`, with its metadata; nil when there is
  /// none that does, or when it would be larger than `maxByteCount`.
  package func master(target: PerceptualTarget, maxByteCount: Int) throws -> EncodedImage? {
    guard isPlain else { return nil }
    switch content {
    case .coefficients(let coefficients):
      let search = QualitySearch(sample: CoefficientSample(coefficients))
      guard let quality = try search.quality(reaching: target, first: 23),
        let bytes = coefficients.file(
          quality, metadata: JPEGMetadata(copying: photo.bytes), maxByteCount: maxByteCount)
      else { return nil }
      return EncodedImage(
        bytes: bytes, format: .jpeg, size: coefficients.size,
        recipe: MasterRecipe(.coefficients, quality, target).description)
    case .pixels(let decoded):
      return try decoded.master(of: photo, target: target, maxByteCount: maxByteCount)
    }
  }
}

extension PhotoFile {
  /// The photo read by its coefficients, or else by its pixels.
  package func read() throws(ImagingError) -> RenditionSource {
    if let source = coefficients() { return source }
    return try pixels()
  }

  /// The photo read by its coefficients; nil when it is no ordinary JPEG, is damaged, or takes too much
  /// memory that way.
  package func coefficients(limits: ImageLimits = ImageLimits()) -> RenditionSource? {
    guard let frame = ordinaryFrame(limits), case .vips(let header) = header,
      let coefficients = JPEGCoefficients(bytes, frame)
    else { return nil }
    let isReadable = header.withReadableProfile.isReadable
    let warnings = extras.union(isReadable ? [] : [.profileUnreadable])
    return RenditionSource(
      .coefficients(coefficients), self, warnings: warnings, isPlain: warnings.isEmpty)
  }

  /// The photo read by its pixels, as `decode` does it.
  package func pixels(limits: ImageLimits = ImageLimits()) throws(ImagingError) -> RenditionSource {
    let decoded = try decode(limits: limits)
    return RenditionSource(
      .pixels(decoded), self, warnings: decoded.warnings, isPlain: decoded.isPlain)
  }

  /// The frame of a JPEG that can be read by its coefficients in the memory that it may take.
  func ordinaryFrame(_ limits: ImageLimits) -> JPEGFrame? {
    guard format == .jpeg, let frame = JPEGFrame(bytes), frame.size == storedSize else {
      return nil
    }
    let limit =
      frame.isProgressive ? limits.maxProgressiveWorkingByteCount : limits.maxWorkingByteCount
    return bytes.count + frame.byteCount <= limit ? frame : nil
  }

  /// A smaller picture of the photo with the way it stands and the profile that the file has, where that can
  /// be read.
  func described(_ picture: VipsPicture) -> VipsPicture {
    guard case .vips(let header) = header else { return picture }
    if let profile = header.withReadableProfile.picture.blob(VIPS_META_ICC_NAME) {
      leaflog_set_blob(picture.pointer, VIPS_META_ICC_NAME, profile, profile.count)
    }
    leaflog_set_orientation(picture.pointer, CInt(orientation))
    return picture
  }
}

extension JPEGCoefficients {
  /// The least number of samples that each block has to give for the picture to have `side` pixels along its
  /// longer side.
  func blockSide(reaching side: Int) -> Int {
    [1, 2, 4].first { max(size.width, size.height) * $0 >= 8 * side } ?? 8
  }
}
