internal import DiaryModel

/// The metadata of a photo as JPEG segments (ITU-T T.81, B.1.1.4): a marker, its length, a payload.
struct JPEGMetadata: Sendable {
  private(set) var segments: [UInt8] = []
  private(set) var density = PixelDensity()
  /// Whether every block fits into a segment.
  private var isComplete = true

  private enum Marker {
    static let app1: UInt8 = 0xE1
    static let app2: UInt8 = 0xE2
    static let app13: UInt8 = 0xED
    static let comment: UInt8 = 0xFE
  }

  /// The beginning of a segment with XMP (XMP specification part 3, 1.1.3).
  static let xmpMarker = Array("http://ns.adobe.com/xap/1.0/\0".utf8)

  /// No metadata.
  init() {}

  /// Copies the segments between a JPEG file's start and its picture, byte for byte: EXIF, XMP, ICC
  /// profile, IPTC, comments. Segments that describe the file and not the photo are left out: JFIF's and
  /// Adobe's headers, which the encoder writes itself, JFIF's with the density of the original, and what is said about
  /// further pictures, which the copy does not have: their index (CIPA DC-007), a gain map's parameters (ISO 21496-1)
  /// and, within XMP, both of these.
  ///
  /// - Parameter profile: one to add, for a file without any.
  init(copying jpeg: SharedBytes, profile: [UInt8]? = nil) {
    let structure = JPEGStructure(jpeg)
    density = jpeg.withUnsafeBytes { PixelDensity(structure, in: $0) }
    segments = jpeg.withUnsafeBytes { bytes in
      structure.segments.reduce(into: []) { copied, segment in
        guard segment.isMetadata, !segment.namesOtherPictures(bytes) else { return }
        let start = copied.count
        copied.append(contentsOf: bytes[segment.range])
        if bytes[segment.payload].starts(with: Self.xmpMarker) {
          XMPEdits(isUpright: false).apply(to: &copied[start...])
        }
      }
    }
    if let profile { append(profile: profile) }
  }

  /// The metadata for an upright copy of a photo in another format; nil when a block does not fit into a segment, and a
  /// JPEG so cannot hold it. Extended XMP, which some programs read, is not written.
  ///
  /// - Parameter picture: the one to copy, with its profile; nil leaves that out.
  init?(of photo: PhotoFile, _ picture: VipsPicture?, size: PixelSize) {
    density = photo.densityOfCopy
    if let exif = photo.exifOfCopy(size: size) { append(Marker.app1, exif) }
    let texts = photo.format == .png ? PNGTexts(photo.bytes) : PNGTexts()
    let extended = XMPExtension(texts, packet: photo.xmp)
    if let xmp = extended.packet {
      var packet = xmp[...]
      if packet.count <= Self.maxPayloadByteCount { XMPEdits(isUpright: true).apply(to: &packet) }
      append(Marker.app1, Self.xmpMarker + packet)
    }
    if let profile = picture?.blob("icc-profile-data") { append(profile: profile) }
    if let resources = photo.resourcesOfCopy {
      append(Marker.app13, Array("Photoshop 3.0\0".utf8) + resources)
    }
    let comments = photo.format == .gif ? GIFBlocks.comments(photo.bytes) : texts.comments
    for comment in comments where !comment.isEmpty { append(Marker.comment, comment) }
    guard isComplete, extended.isComplete else { return nil }
  }

  /// Appends a profile in pieces with their number and their total (ICC.1:2010, B.4), of which there are at most 255.
  private mutating func append(profile: [UInt8]) {
    let pieces = stride(from: 0, to: profile.count, by: 65_519).map {
      profile[$0..<min($0 + 65_519, profile.count)]
    }
    guard pieces.count < 256 else {
      isComplete = false
      return
    }
    for (index, piece) in pieces.enumerated() {
      append(
        Marker.app2,
        Array("ICC_PROFILE\0".utf8) + [UInt8(index + 1), UInt8(pieces.count)] + piece)
    }
  }

  /// A segment's length is a number of two bytes that counts itself.
  static let maxPayloadByteCount = 0xFFFF - 2

  /// Appends a block, if it fits into a segment.
  private mutating func append(_ marker: UInt8, _ payload: [UInt8]) {
    guard payload.count <= Self.maxPayloadByteCount else {
      isComplete = false
      return
    }
    let length = payload.count + 2
    segments += [marker, UInt8(length >> 8), UInt8(length & 0xFF)] + payload
  }
}

extension PhotoFile {
  /// Whether a JPEG can hold all of the metadata that a compressed copy keeps. Otherwise no copy is made.
  package var hasMetadataForJPEG: Bool {
    guard format != .jpeg else { return true }
    let picture: VipsPicture? = if case .vips(let picture) = header { picture } else { nil }
    return JPEGMetadata(of: self, picture, size: uprightSize) != nil
  }
}
