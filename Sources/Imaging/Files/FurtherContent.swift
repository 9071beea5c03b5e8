package import DiaryModel
internal import Foundation

/// The contents of a file besides its picture and the metadata that a compressed copy takes over.
enum FurtherContent: Sendable {
  /// A motion photo's film, or an animation's.
  case video
  /// The brightness map for HDR screens (ISO 21496-1, Adobe's and Apple's forms).
  case gainMap
  /// Further pictures, such as the second of a stereo camera, depth maps or layers. Smaller previews do not count.
  case pictures
  case data

  /// The warning of a photo that is kept exactly because of it; nil when a compressed copy may lack it.
  var warningIfKept: ImportWarning? {
    switch self {
    case .video: .motionPhoto
    case .gainMap: nil
    case .pictures: .furtherPictures
    case .data: .trailingData
    }
  }

  /// The warning of a compressed copy that lacks it; nil when no copy is made because of it.
  var warningIfDropped: ImportWarning? { self == .gainMap ? .gainMapDropped : nil }

  /// The kind of the bytes after the end of a file's picture.
  static func trailing(_ bytes: UnsafeRawBufferPointer) -> Set<FurtherContent> {
    bytes.isPadding ? [] : bytes.holdsVideo ? [.video] : [.data]
  }
}

extension PhotoFile {
  /// Warnings about content besides the picture, because of which the exact bytes are kept.
  var extras: Set<ImportWarning> {
    guard format == .jpeg else { return Set(furtherContent.compactMap(\.warningIfKept)) }
    let structure = JPEGStructure(bytes)
    // A scan with several times as many bytes as the picture has pixels is that of another, larger
    // picture: the header is wrong.
    if structure.scanByteCount > 4 * storedSize.pixelCount + 4096 { return [.damaged] }
    return Set(furtherContent(structure).compactMap(\.warningIfKept))
  }

  /// Warnings about content that a compressed copy of the photo lacks.
  package var lostInCopy: Set<ImportWarning> { Set(furtherContent.compactMap(\.warningIfDropped)) }

  /// The contents of the file besides its picture. Only this property determines them, for every format.
  private var furtherContent: Set<FurtherContent> {
    switch format {
    case .jpeg: furtherContent(JPEGStructure(bytes))
    case .heic, .avif: HEIFStructure(bytes).furtherContent
    case .tiff: TIFFStructure(bytes)?.hasFurtherPictures == true ? [.pictures] : []
    case .jxl: jxlContent
    case .png, .webp, .gif:
      bytes.withUnsafeBytes { buffer in
        FurtherContent.trailing(buffer.rebased(min(end(of: buffer), buffer.count)..<buffer.count))
      }
    }
  }

  /// The offset after the picture of a format that says where it ends.
  private func end(of bytes: UnsafeRawBufferPointer) -> Int {
    switch format {
    case .png: PNGChunks(bytes).end
    case .webp: 8 + (bytes.integer(at: 4, size: 4, isLittleEndian: true) ?? bytes.count)
    default: GIFBlocks(bytes).end
    }
  }

  private static let jxlBoxes: Set<String> = [
    "JXL ", "ftyp", "jxll", "jxlc", "jxlp", "jxli", "Exif", "xml ", "brob", "jbrd", "free", "skip",
  ]

  private var jxlContent: Set<FurtherContent> {
    guard case .jxl(let header) = header else { return [] }
    var found: Set<FurtherContent> = header.hasFurtherChannels ? [.pictures] : []
    bytes.withUnsafeBytes { bytes in
      if bytes.starts(with: [0xFF, 0x0A]) { return }  // nothing but the picture
      let boxes = ISOBox.leadingBoxes(in: 0..<bytes.count, of: bytes)
      for box in boxes where !Self.jxlBoxes.contains(box.type) {
        found.insert(box.type == "jhgm" ? .gainMap : .data)
      }
      let end = boxes.last?.range.upperBound ?? 0
      found.formUnion(FurtherContent.trailing(bytes.rebased(end..<bytes.count)))
    }
    return found
  }

  private func furtherContent(_ structure: JPEGStructure) -> Set<FurtherContent> {
    guard var at = structure.endOfPicture else { return [] }
    return bytes.withUnsafeBytes { bytes in
      let rest = bytes.rebased(at..<bytes.count)
      if rest.isPadding { return [] }
      if rest.holdsVideo { return [.video] }
      let directory = GainMapDirectory(xmp)
      var found: Set<FurtherContent> = directory.listsOthers ? [.pictures] : []
      let indexed = structure.furtherPictures.filter { $0 >= at && $0 < bytes.count }.sorted()
      while true {
        let start = indexed.first { $0 >= at } ?? bytes.offset(of: [0xFF, 0xD8, 0xFF], from: at)
        let isNext = start.map { indexed.contains($0) || bytes.rebased(at..<$0).isPadding } ?? false
        guard isNext, let start,
          case let picture = JPEGStructure(bytes.rebased(start..<bytes.count)),
          let length = picture.endOfPicture
        else { break }
        if !isKnown(bytes.rebased(at..<start)) { found.insert(.data) }
        found.formUnion(
          content(of: picture, bytes.rebased(start..<(start + length)), directory))
        at = start + length
      }
      if !isKnown(bytes.rebased(at..<bytes.count)) { found.insert(.data) }
      return found
    }
  }

  /// The kind of a further picture of a JPEG file; nothing when it is a smaller preview.
  private func content(
    of picture: JPEGStructure, _ bytes: UnsafeRawBufferPointer, _ directory: GainMapDirectory
  ) -> Set<FurtherContent> {
    let texts = picture.segments.filter { $0.isMetadata }.map { bytes.rebased($0.payload) }
    func says(_ mark: String) -> Bool {
      texts.contains { $0.offset(of: Array(mark.utf8), from: 0) != nil }
    }
    let isGainMap =
      directory.hasGainMap || picture.segments.contains { $0.isGainMap(bytes) }
      || says(GainMapDirectory.namespace) || says("HDRGainMap") || says("hdrgainmap")
    if isGainMap { return [.gainMap] }
    guard let found = picture.frameSize, found.width < storedSize.width,
      found.height < storedSize.height, !says("AuxiliaryImageType")
    else { return [.pictures] }
    return []
  }

  /// Whether bytes between or after pictures are nothing to keep.
  private func isKnown(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.isPadding || bytes.isPreview(of: storedSize)
  }
}

/// The statements of XMP about a JPEG's further pictures (Google's container, Adobe's gain map).
private struct GainMapDirectory {
  static let namespace = "http://ns.adobe.com/hdr-gain-map/1.0/"

  private(set) var hasGainMap = false
  /// Whether something other than the picture, a gain map and a video is listed, such as depth.
  private(set) var listsOthers = false

  init(_ xmp: [UInt8]?) {
    guard let xmp else { return }
    let text = String(decoding: xmp, as: UTF8.self)
    hasGainMap = text.contains("hdrgm:Version") || text.contains("HDRGainMap")
    guard text.contains("Container:Directory") else { return }
    let semantics = text.split(separator: ":Semantic").dropFirst().map {
      $0.drop { !$0.isLetter }.prefix(while: \.isLetter)
    }
    if semantics.contains("GainMap") { hasGainMap = true }
    listsOthers = semantics.contains { !["Primary", "GainMap", "MotionPhoto"].contains($0) }
  }
}

extension TIFFStructure {
  /// Whether there are further pictures of full size in sub-directories (TIFF technical note 1), or Photoshop's layers
  /// (ImageSourceData, 0x935C). Further pages are counted by libvips.
  fileprivate var hasFurtherPictures: Bool {
    let main = main
    if main[0x935C] != nil { return true }
    let full = children(of: main, Tag.subIFDs).count { directory in
      // NewSubfileType: its lowest bit is that of a smaller version of another picture.
      let kind = directory[0x00FE].flatMap { integers($0).first } ?? 0
      return kind & 1 == 0 && directory[0x0100] != nil
    }
    // One of them may be the picture.
    return full > (TIFFPicture(self).subdirectory == nil ? 0 : 1)
  }
}

extension UnsafeRawBufferPointer {
  /// Whether they are nothing but the bytes with which some cameras pad their files.
  fileprivate var isPadding: Bool {
    let padding: [UInt8] = [0, 0xFF, 0x0A, 0x0D]
    guard let base = baseAddress, let first else { return true }
    guard padding.contains(first) else { return false }
    // Fast even for hundreds of megabytes of the same byte.
    return memcmp(base, base + 1, count - 1) == 0 || allSatisfy(padding.contains)
  }

  /// Whether they are a preview that a camera put after the picture, and to which only its maker notes point: a JPEG
  /// smaller than the picture, last in the file. Sony's lack their first byte.
  fileprivate func isPreview(of size: PixelSize) -> Bool {
    guard let marker = offset(of: [0xD8, 0xFF, 0xDB], from: 1) else { return false }
    let start = marker - 1
    let preview = JPEGStructure(rebased(start..<count))
    guard let end = preview.endOfPicture, let found = preview.frameSize else { return false }
    return found.width < size.width && found.height < size.height
      && rebased((start + end)..<count).isPadding
  }

  /// Whether they contain an MPEG-4 file (Android's and Samsung's motion photos): an `ftyp` box of a plausible size with
  /// a video brand.
  fileprivate var holdsVideo: Bool {
    var at = 4
    while let found = offset(of: Array("ftyp".utf8), from: at), found + 8 <= count {
      let size = integer(at: found - 4, size: 4) ?? 0
      let brand = String(decoding: self[(found + 4)..<(found + 8)], as: UTF8.self)
      if (16...256).contains(size), ["isom", "mp41", "mp42", "qt  "].contains(brand) {
        return true
      }
      at = found + 1
    }
    return false
  }
}
