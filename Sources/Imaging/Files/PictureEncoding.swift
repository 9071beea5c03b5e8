internal import CVips
internal import DiaryModel
internal import Foundation

/// How a photo's samples encode its picture: what has to be known besides the samples to show them, and whether a copy
/// can mean the same. This is the only place that decides it; containers report what they say.
struct PictureEncoding: Sendable {
  /// How the decoder's picture still has to be turned, 1 to 8 as in EXIF's Orientation (0x0112); 1 when there is
  /// nothing to do.
  var orientation = 1
  var colours = Colours.sRGB
  /// The bands to show; nil where the decoder's are colours and, after them, transparency.
  var bands: Bands?
  /// Whether the colours were multiplied by the transparency, and still are after decoding.
  var isPremultiplied = false
  /// Whether greys go from 16 to 235 of 255 instead of from 0 to 255 after decoding.
  var isLimitedRange = false
  /// Whether 8 bits in a JPEG may fail to mean the same, for another reason than the number or kind of samples.
  var isUncertain = false
  /// The number of bits that a sample of 16 has, where the file says so.
  var significantBits: Int?
  /// Whether 0 is white.
  var isInverted = false

  /// The colours that samples stand for.
  enum Colours: Equatable {
    /// Those of sRGB (IEC 61966-2-1), or greys with its curve.
    case sRGB
    /// Those of the ICC profile in the file.
    case embedded([UInt8])
    /// Those of a profile that was made from what the file says in numbers.
    case made([UInt8])
    /// Those that no copy of 8 bits can represent, such as HDR. The profile, if there is one, is for showing them only.
    case wide(shownBy: [UInt8]?)
    /// Unknown, as the profile in the file does not fit the samples; taken as sRGB.
    case unreadable

    /// The profile to show the samples by; nil for sRGB.
    var profile: [UInt8]? {
      switch self {
      case .sRGB, .unreadable: nil
      case .embedded(let profile), .made(let profile): profile
      case .wide(let profile): profile
      }
    }
  }

  /// The bands of a picture that are shown.
  struct Bands: Equatable {
    /// The number of bands with colours, which come first.
    let colourCount: Int
    /// The index of the band with the transparency.
    let alpha: Int?
  }

  /// The profile that a copy has to be given besides what it takes from the file.
  var profileForCopy: [UInt8]? {
    if case .made(let profile) = colours { profile } else { nil }
  }

  /// Whether an 8-bit copy with the same profile means the same, at the quality that its score says: in linear light,
  /// scores and quantisation would be those of other colours.
  var fitsCopy: Bool {
    switch colours {
    case .wide, .unreadable: false
    case .embedded(let profile) where ICCProfile(profile).isLinear: false
    case .made(let profile) where ICCProfile(profile).isLinear: false
    case .sRGB, .embedded, .made: bands == nil && !isUncertain
    }
  }

  var warnings: Set<ImportWarning> { colours == .unreadable ? [.profileUnreadable] : [] }
}

extension PictureEncoding {
  /// Reads what a file says about its samples.
  ///
  /// - Parameters:
  ///   - picture: the file as the decoder delivers it.
  ///   - exif: the tags of the EXIF block; for a TIFF, its own.
  init(
    _ picture: VipsPicture, exif: TIFFStructure?, tiff: TIFFPicture?, png: PNGMetadata?,
    heif: HEIFStructure?
  ) {
    if let tiff, let exif { readTags(tiff.fields, exif, picture) }
    significantBits = png?.significantBits ?? significantBits
    if let heif { isPremultiplied = heif.isPremultiplied }
    if heif?.hasLimitedGreys == true { (isLimitedRange, isUncertain) = LimitedGreys.decoded }
    readColours(picture, exif, named: png?.colours ?? heif?.colours)
    if png?.hasProfile == true, colours == .sRGB { colours = .unreadable }
  }

  private mutating func readColours(
    _ picture: VipsPicture, _ exif: TIFFStructure?, named: Colours?
  ) {
    let embedded = picture.blob(VIPS_META_ICC_NAME)
    switch (named, embedded) {
    case (.wide(let made), _): colours = .wide(shownBy: usable(embedded, picture) ?? made)
    case (_, .some(let profile)):
      colours =
        usable(profile, picture) == nil
        ? .unreadable : ICCProfile(profile).isHDR ? .wide(shownBy: profile) : .embedded(profile)
    case (.some(let named), nil): colours = named
    case (nil, nil):
      let isAdobeRGB = colourBandCount(picture) == 3 && exif?.saysAdobeRGB == true
      if isAdobeRGB, let profile = ColourProfile.adobeRGB { colours = .made(profile.bytes) }
    }
  }

  /// A JPEG XL picture, with the profile of the samples as libjxl delivers them once they are decoded.
  init(_ jxl: JXLHeader, _ picture: VipsPicture? = nil) {
    if let picture {
      readColours(picture, nil, named: jxl.isHDR ? .wide(shownBy: nil) : nil)
    } else if jxl.isHDR {
      colours = .wide(shownBy: nil)
    }
  }

  /// A picture that is not decoded.
  init(_ unread: UnreadPicture) { orientation = unread.orientation }

  private func usable(_ profile: [UInt8]?, _ picture: VipsPicture) -> [UInt8]? {
    guard let profile, let shown = try? shown(picture), shown.canUse(profile) else { return nil }
    return profile
  }

  /// The tags of the picture of a TIFF (TIFF 6.0, sections 8, 18 and 22).
  private mutating func readTags(
    _ fields: TIFFStructure.Directory, _ tiff: TIFFStructure, _ picture: VipsPicture
  ) {
    func numbers(_ tag: UInt16) -> [Int] { fields[tag].map(tiff.integers) ?? [] }
    // MaxSampleValue
    if let greatest = numbers(0x0119).max(), (1...0xFFFF).contains(greatest) {
      significantBits = Int.bitWidth - greatest.leadingZeroBitCount
    }
    let photometric = numbers(TIFFStructure.Tag.photometricInterpretation).first
    isInverted = photometric == 0
    // Those that libtiff makes other samples of, such as palettes, have no further ones.
    guard let photometric, let colourCount = [0: 1, 1: 1, 2: 3, 5: 4, 8: 3][photometric],
      numbers(0x0115).first == picture.bandCount, picture.bandCount > colourCount
    else { return }
    // ExtraSamples: 1 and 2 are transparency; libvips divides by the first. 0 is anything else.
    let alpha = numbers(0x0152).firstIndex { [1, 2].contains($0) }
    guard alpha != 0 || picture.bandCount > colourCount + 1 else { return }
    bands = Bands(colourCount: colourCount, alpha: alpha.map { colourCount + $0 })
  }

  private func colourBandCount(_ picture: VipsPicture) -> Int {
    if let bands { return bands.colourCount }
    let isCMYK = picture.interpretation == VIPS_INTERPRETATION_CMYK
    return picture.bandCount < 3 ? 1 : isCMYK ? 4 : 3
  }
}

extension PictureEncoding {
  /// The decoder's picture with the bands that are shown, colours not multiplied by transparency, greys from black to
  /// white, the orientation and the profile to show it by. Nothing is computed before its pixels are.
  func described(_ picture: VipsPicture) throws(ImagingError) -> VipsPicture {
    try shown(picture).described(orientation: orientation, profile: colours.profile)
  }

  private func shown(_ picture: VipsPicture) throws(ImagingError) -> VipsPicture {
    var shown = picture
    if let bands {
      let whole = shown
      shown = try Vips.image {
        leaflog_bands(whole.pointer, CInt(bands.colourCount), CInt(bands.alpha ?? -1))
      }
    }
    if isPremultiplied, [2, 4].contains(shown.bandCount) {
      let whole = shown
      shown = try Vips.image { leaflog_unpremultiply(whole.pointer) }
    }
    if isLimitedRange {
      let whole = shown
      shown = try Vips.image { leaflog_full_range(whole.pointer) }
    }
    return shown
  }

  /// The whole picture in memory, as 8 bits if no more are needed, else as 16 that go from black to white.
  ///
  /// A scan of 16 bits per sample becomes one of 8. HEIF's 10 and 12 bits stay: they are HDR, which 8 bits cannot hold.
  /// Samples with few steps in the shadows, as in linear light, need all of their bits, and those of a camera that has
  /// fewer than 16 are kept as they are.
  func samples(
    of picture: VipsPicture, _ format: ImageFormat
  ) throws(ImagingError) -> VipsPicture {
    let whole = try picture.inMemory()
    if let scale = try scale(of: whole, format) {
      return try scale.applied(to: whole).inMemory()
    }
    guard isScan(whole, format), fitsCopy, [1, 3].contains(whole.bandCount), !needs16Bits
    else { return whole }
    return try Vips.image { leaflog_to_8_bit(whole.pointer) }.inMemory()
  }

  private func isScan(_ picture: VipsPicture, _ format: ImageFormat) -> Bool {
    [.png, .tiff].contains(format) && picture.bandFormat == VIPS_FORMAT_USHORT
      && [VIPS_INTERPRETATION_RGB16, VIPS_INTERPRETATION_GREY16].contains(picture.interpretation)
  }

  private var needs16Bits: Bool {
    switch colours {
    case .sRGB, .unreadable: false
    case .made, .wide: true
    case .embedded(let profile): !ICCProfile(profile).hasCurveLikeSRGB
    }
  }

  /// A linear map of samples to 16 bits, from black to white: a factor, and a constant that is added then.
  struct Scale {
    let factor: Double
    let constant: Double

    func applied(to picture: VipsPicture) throws(ImagingError) -> VipsPicture {
      try Vips.image { leaflog_to_16_bit(picture.pointer, factor, constant) }
    }
  }

  /// The scale of samples that libvips would show black, white or too bright: floating-point numbers, of which 1 is white
  /// unless most are far above it, integers of 32 bits, and those of 16 of which a camera uses the lower bits alone. Nil
  /// for all others. Reads the picture once.
  func scale(of picture: VipsPicture, _ format: ImageFormat) throws(ImagingError) -> Scale? {
    let isFloating = [VIPS_FORMAT_FLOAT, VIPS_FORMAT_DOUBLE].contains(picture.bandFormat)
    let isLong = picture.bandFormat == VIPS_FORMAT_UINT
    guard isFloating || isLong || isScan(picture, format) else { return nil }
    let colourCount = picture.bandCount - (picture.bandCount % 2 == 0 ? 1 : 0)
    let (least, greatest, mean) = try picture.range(ofBands: colourCount)
    if isFloating {
      let white =
        mean > 1 ? [255, 65_535].first { greatest < $0 + 0.5 } ?? greatest : 1
      return Scale(factor: 65_535 / white, constant: 0)
    }
    let top = isLong ? Double(UInt32.max) : 65_535
    let used = isInverted ? top - least : greatest
    guard let white = white(of: used, in: picture) ?? (isLong ? top : nil) else { return nil }
    let factor = 65_535 / white
    return Scale(factor: factor, constant: isInverted ? 65_535 - top * factor : 0)
  }

  /// The depths of cameras whose samples are found in the lower bits of wider integers.
  private static let cameraBits = [8, 10, 12, 14]

  /// White among integers of which this is the greatest, if they use the lower bits alone: that of the bits that the file
  /// names, as long as it fits into them, else of the fewest of a camera. In linear light dark pictures are common, and
  /// the profile says what white is.
  private func white(of greatest: Double, in picture: VipsPicture) -> Double? {
    let width = picture.bandFormat == VIPS_FORMAT_UINT ? 32 : 16
    func white(_ bits: Int) -> Double { Double((1 << bits) - 1) }
    guard greatest > 0 else { return nil }
    if let bits = significantBits, (1...32).contains(bits), greatest <= white(bits) {
      return bits < width ? white(bits) : nil
    }
    let candidates = Self.cameraBits + (width > 16 ? [16, 24] : [])
    let fewest = candidates.map(white).first { greatest <= $0 }
    return fewest == nil || needs16Bits ? nil : fewest
  }
}

/// The probe for libheif's greys of limited range: up to 1.15 it shows them as they are.
enum LimitedGreys {
  /// A black AVIF of 16 x 16 pixels, grey, of limited range.
  private static let black = """
    AAAAHGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZgAAAPBtZXRhAAAAAAAAAChoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAbGliYXZpZgAAAAAO
    cGl0bQAAAAAAAQAAAB5pbG9jAAAAAEQAAAEAAQAAAAEAAAEUAAAAFgAAAChpaW5mAAAAAAABAAAAGmluZmUCAAAAAAEAAGF2MDFDb2xvcgAAAABo
    aXBycAAAAElpcGNvAAAAFGlzcGUAAAAAAAAAEAAAABAAAAAOcGl4aQAAAAABCAAAAAxhdjFDgQAcAAAAABNjb2xybmNseAABAA0ABgAAAAAXaXBt
    YQAAAAAAAAABAAEEAQKDBAAAAB5tZGF0EgAKCBgM/9hgIaDEMggQAAAeGLNWKg==
    """

  /// Whether such greys still go from 16 to 235 after decoding, and whether that could not be found out.
  static let decoded: (isLimited: Bool, isUnknown: Bool) = {
    guard let bytes = Data(base64Encoded: black, options: .ignoreUnknownCharacters) else {
      return (false, true)
    }
    let file = SharedBytes(copying: bytes)
    // libvips reads it when the pixels are computed.
    defer { withExtendedLifetime(file) {} }
    guard let picture = try? PhotoFile.load(file, .avif, failOn: VIPS_FAIL_ON_ERROR),
      let mean = try? picture.range(ofBands: 1).mean
    else { return (false, true) }
    return (mean > 8, false)
  }()
}
