internal import DiaryModel

/// The metadata of a photo as JPEG segments (ITU-T T.81, B.1.1.4): a marker, its length, a payload.
struct JPEGMetadata: Sendable {
  private(set) var segments: [UInt8] = []

  private enum Marker {
    static let app1: UInt8 = 0xE1
    static let app2: UInt8 = 0xE2
  }

  /// The beginning of a segment with XMP (XMP specification part 3, 1.1.3).
  static let xmpMarker = Array("http://ns.adobe.com/xap/1.0/\0".utf8)

  /// No metadata.
  init() {}

  /// Copies the segments between a JPEG file's start and its picture, byte for byte: EXIF, XMP, ICC
  /// profile, IPTC, comments. Segments that describe the file and not the photo are left out: JFIF's and
  /// Adobe's headers, which the encoder writes itself, and what is said about further pictures, which the copy does not
  /// have: their index (CIPA DC-007), a gain map's parameters (ISO 21496-1) and, within XMP, both of these.
  ///
  /// - Parameter profile: one to add, for a file without any.
  init(copying jpeg: ByteBuffer, profile: [UInt8]? = nil) {
    let structure = JPEGStructure(jpeg)
    segments = jpeg.withUnsafeBytes { bytes in
      structure.segments.reduce(into: []) { copied, segment in
        guard segment.isMetadata, !segment.tellsOfOtherPictures(bytes) else { return }
        let start = copied.count
        copied.append(contentsOf: bytes[segment.range])
        if bytes[segment.payload].starts(with: Self.xmpMarker) {
          XMPEdits(isUpright: false).apply(to: &copied[start...])
        }
      }
    }
    if let profile { append(profile: profile) }
  }

  /// The blocks of the upright picture of a file of another format.
  ///
  /// - Parameter exif: beginning with `Exif\0\0`.
  init(of picture: VipsPicture, exif: [UInt8]?, xmp: [UInt8]?) {
    if let exif { append(Marker.app1, exif) }
    // One that does not fit into a segment is not worth the work.
    if let xmp, xmp.count <= 0xFFFF {
      var packet = xmp[...]
      XMPEdits(isUpright: true).apply(to: &packet)
      append(Marker.app1, Self.xmpMarker + packet)
    }
    if let profile = picture.blob("icc-profile-data") { append(profile: profile) }
  }

  /// Appends a profile in pieces with their number and their total (ICC.1:2010, B.4).
  private mutating func append(profile: [UInt8]) {
    let pieces = stride(from: 0, to: profile.count, by: 65_519).map {
      profile[$0..<min($0 + 65_519, profile.count)]
    }
    guard pieces.count < 256 else { return }
    for (index, piece) in pieces.enumerated() {
      append(
        Marker.app2,
        Array("ICC_PROFILE\0".utf8) + [UInt8(index + 1), UInt8(pieces.count)] + piece)
    }
  }

  /// Appends a block, unless it does not fit into a segment and so cannot be in a JPEG.
  private mutating func append(_ marker: UInt8, _ payload: [UInt8]) {
    let length = payload.count + 2
    guard length <= 0xFFFF else { return }
    segments += [marker, UInt8(length >> 8), UInt8(length & 0xFF)] + payload
  }
}
