internal import DiaryModel

/// The picture of a TIFF file that is shown, and how it is stored (TIFF 6.0, sections 3 to 8, 15, 21 and 22), found
/// without decoding any of it. It is the first one, unless that is a smaller version of another.
struct TIFFPicture {
  /// The number of its page, from 0.
  let page: Int
  /// Its number among the sub-directories of the page (TIFF technical note 1); nil for the page's own picture.
  let subdirectory: Int?
  let fields: TIFFStructure.Directory
  private let structure: TIFFStructure

  private enum Tag {
    static let width: UInt16 = 0x0100
    static let height: UInt16 = 0x0101
    static let bitsPerSample: UInt16 = 0x0102
    static let compression: UInt16 = 0x0103
    static let stripOffsets: UInt16 = 0x0111
    static let samplesPerPixel: UInt16 = 0x0115
    static let rowsPerStrip: UInt16 = 0x0116
    static let stripByteCounts: UInt16 = 0x0117
    static let planarConfiguration: UInt16 = 0x011C
    static let tileWidth: UInt16 = 0x0142
    static let tileHeight: UInt16 = 0x0143
    static let tileOffsets: UInt16 = 0x0144
    static let tileByteCounts: UInt16 = 0x0145
    static let sampleFormat: UInt16 = 0x0153
    static let jpegOffset: UInt16 = 0x0201
    static let subsampling: UInt16 = 0x0212
  }

  /// Nil when the first directory lies beyond the file's end.
  init?(_ file: SharedBytes) {
    guard let structure = TIFFStructure(file), structure.isComplete else { return nil }
    self.init(structure)
  }

  init(_ structure: TIFFStructure) {
    self.structure = structure
    let main = structure.main
    (page, subdirectory, fields) =
      (structure.isReduced(main) ? Self.larger(in: structure, main) : nil) ?? (0, nil, main)
  }

  /// The first picture of full size, on a page or in a sub-directory of the first.
  private static func larger(
    in structure: TIFFStructure, _ main: TIFFStructure.Directory
  ) -> (Int, Int?, TIFFStructure.Directory)? {
    let pages = structure.directories
    if let page = pages.firstIndex(where: structure.isPicture) { return (page, nil, pages[page]) }
    let children = structure.children(of: main, TIFFStructure.Tag.subIFDs)
    return children.firstIndex(where: structure.isPicture).map { (0, $0, children[$0]) }
  }

  /// Whether it is the picture that decoders show unless another is asked for.
  var isFirst: Bool { page == 0 && subdirectory == nil }

  /// Nil when one of the sides is absent, zero, or more than any picture has.
  var size: PixelSize? {
    let sides = [Tag.width, Tag.height].compactMap { number($0) }
    guard sides.count == 2, sides.allSatisfy({ (1...Int(Int32.max)).contains($0) }) else {
      return nil
    }
    return PixelSize(width: sides[0], height: sides[1])
  }

  /// The number of rows in a strip or tile; nil when the picture is one strip.
  var rowsPerPiece: Int? { number(Tag.tileHeight) ?? number(Tag.rowsPerStrip) }

  /// Orientation; that of the first page where the picture's own directory has none, as programs write it there.
  var orientation: Int? {
    metadata(TIFFStructure.Tag.orientation).flatMap { structure.integers($0).first }
  }

  /// The XMP packet.
  var xmp: [UInt8]? { metadata(0x02BC).map { Array($0.bytes) } }

  private func metadata(_ tag: UInt16) -> TIFFStructure.Field? {
    fields[tag] ?? (isFirst ? nil : structure.main[tag])
  }

  private func numbers(_ tag: UInt16) -> [Int] { fields[tag].map(structure.integers) ?? [] }

  private func number(_ tag: UInt16) -> Int? { numbers(tag).first }
}

extension TIFFStructure {
  /// Whether a directory's picture is a smaller version of another: bit 0 of NewSubfileType, or 2 as SubfileType.
  func isReduced(_ directory: Directory) -> Bool {
    if let kind = directory[0x00FE].flatMap({ integers($0).first }) { return kind & 1 == 1 }
    return directory[0x00FF].flatMap { integers($0).first } == 2
  }

  /// Whether a directory has a picture of full size, and not a mask (bit 2).
  fileprivate func isPicture(_ directory: Directory) -> Bool {
    let kind = directory[0x00FE].flatMap { integers($0).first } ?? 0
    return !isReduced(directory) && kind & 4 == 0 && directory[0x0100] != nil
      && directory[0x0101] != nil
  }

  /// The first directory of a file, with what that of the shown picture says in place of it.
  var metadata: Directory {
    let picture = TIFFPicture(self)
    return picture.isFirst ? picture.fields : main.merging(picture.fields) { $1 }
  }
}

/// The reason why a TIFF is not decoded.
extension TIFFPicture {
  /// - Parameter isOpened: whether the decoder understood the tags, so that it failed at the samples.
  func failure(isOpened: Bool) -> ImagingError {
    guard let size else {
      let hasSides = [Tag.width, Tag.height].allSatisfy { number($0) != nil }
      return hasSides
        ? ImagingError(.noPixels, "The TIFF says that it has no pixels.") : DecodingFailure.damaged
    }
    if size.height > ImageLimits().maxPixelCount / size.width {
      return ImagingError(.tooLarge, "The image says that it has \(size) pixels.")
    }
    if let damage = damage(size) { return damage }
    if let kind = unreadKind {
      return ImagingError(.unsupported, "It is a TIFF with \(kind), which is not read.")
    }
    return isOpened
      ? DecodingFailure.damaged
      : ImagingError(.unsupported, "It is a TIFF of a kind that is not read.")
  }

  private var isTiled: Bool { fields[Tag.tileOffsets] != nil }
  private var compression: Int { number(Tag.compression) ?? 1 }
  private var hasSeparatePlanes: Bool {
    number(Tag.planarConfiguration) == 2 && (number(Tag.samplesPerPixel) ?? 1) > 1
  }

  /// The damage that the places of strips or tiles show.
  private func damage(_ size: PixelSize) -> ImagingError? {
    let offsets = fields[isTiled ? Tag.tileOffsets : Tag.stripOffsets]
    let counts = fields[isTiled ? Tag.tileByteCounts : Tag.stripByteCounts]
    guard let offsets else {
      // An old JPEG may have nothing but the place of a whole file.
      return compression == 6 && number(Tag.jpegOffset) != nil ? nil : DecodingFailure.damaged
    }
    guard offsets.count >= pieceCount(size) else { return DecodingFailure.damaged }
    // libtiff computes byte counts that are absent.
    guard let counts else { return nil }
    guard offsets.count == counts.count else { return DecodingFailure.damaged }
    return structure.pieces(offsets, counts) == nil
      ? ImagingError(.truncated, "Its picture lies beyond its end.") : nil
  }

  /// The number of strips or tiles that the picture needs.
  private func pieceCount(_ size: PixelSize) -> Int {
    func parts(_ length: Int, _ part: Int?) -> Int {
      guard let part, part > 0, part < length else { return 1 }
      return (length - 1) / part + 1
    }
    let down = parts(size.height, rowsPerPiece)
    let across = isTiled ? parts(size.width, number(Tag.tileWidth)) : 1
    let planes = hasSeparatePlanes ? min(number(Tag.samplesPerPixel) ?? 1, 0xFFFF) : 1
    return down * across * planes
  }

  /// The kind of TIFF, as it continues "It is a TIFF with"; nil for one that is read, or whose kind is not known here.
  private var unreadKind: String? {
    if !Self.compressions.contains(compression) {
      return Self.compressionNames[compression].map { "\($0) compression" }
        ?? "compression \(compression)"
    }
    return unreadSamples ?? unreadLayout
  }

  private var unreadSamples: String? {
    let bits = numbers(Tag.bitsPerSample)
    guard Set(bits).count < 2 else {
      return "samples of \(bits.map(String.init).joined(separator: ", ")) bits"
    }
    let bitCount = bits.first ?? 1
    switch number(Tag.sampleFormat) ?? 1 {
    case 3 where bitCount == 16: return "half-precision floating-point samples"
    case 3 where bitCount == 64: return "double-precision floating-point samples"
    case 3 where bitCount != 32: return "floating-point samples of \(bitCount) bits"
    case 5, 6: return "complex samples"
    case 3: return nil
    default: break
    }
    // Samples that share bytes are read of one band only.
    let isPacked = (number(Tag.samplesPerPixel) ?? 1) == 1 && [1, 2, 4].contains(bitCount)
    if [8, 16, 32].contains(bitCount) || isPacked { return nil }
    return "samples of \(bitCount) \(bitCount == 1 ? "bit" : "bits")"
  }

  private var unreadLayout: String? {
    if isTiled, hasSeparatePlanes { return "tiles of separate colour planes" }
    let photometric = number(TIFFStructure.Tag.photometricInterpretation)
    // Of YCbCr, two by two is the default (TIFF 6.0, section 21).
    let sampling = numbers(Tag.subsampling)
    if photometric == 6, compression != 7, sampling != [1, 1] { return "subsampled YCbCr" }
    if [32_844, 32_845].contains(photometric) { return "LogLuv samples" }
    return hasLosslessJPEG ? "lossless JPEG compression" : nil
  }

  /// Whether the first strip or tile is a JPEG of a lossless process (ITU-T T.81, table B.1).
  private var hasLosslessJPEG: Bool {
    guard compression == 7, let offsets = fields[isTiled ? Tag.tileOffsets : Tag.stripOffsets],
      let counts = fields[isTiled ? Tag.tileByteCounts : Tag.stripByteCounts],
      let first = structure.pieces(offsets, counts)?.first
    else { return false }
    return structure.withBytes(of: first) { piece in
      JPEGStructure(piece).segments.contains { [0xC3, 0xC7, 0xCB, 0xCF].contains($0.marker) }
    }
  }

  /// The compressions that libtiff decodes here, old JPEG (6) as far as libvips reads its samples.
  private static let compressions: Set<Int> = [
    1, 2, 3, 4, 5, 7, 8, 32_766, 32_771, 32_773, 32_809, 32_909, 32_946, 34_661, 34_676, 34_677,
    34_887, 34_925, 50_000, 50_001,
  ]

  private static let compressionNames = [
    6: "old-style JPEG", 9: "JBIG", 10: "JBIG", 33_003: "JPEG 2000", 33_004: "JPEG 2000",
    33_005: "JPEG 2000", 34_712: "JPEG 2000", 34_892: "lossy JPEG", 34_933: "PNG",
    34_934: "JPEG XR", 22_610: "JPEG XR", 50_002: "JPEG XL", 52_546: "JPEG XL",
  ]
}
