internal import CVips
package import DiaryModel
internal import Foundation

/// The formats that a picture can be saved in, by file extension.
package enum StillFormat: String, Sendable, CaseIterable {
  case jpg, jpeg, png, webp
}

extension DecodedPhoto {
  /// Writes the picture, which must be opaque, to a file without metadata.
  package func write(to path: String, as format: StillFormat) throws {
    switch format {
    case .jpg, .jpeg:
      try jpeg().bytes.withUnsafeBytes { try Data($0).write(to: URL(fileURLWithPath: path)) }
    case .png: try Vips.save { leaflog_save_png(picture.pointer, path) }
    case .webp:
      var count = 0
      let bytes = try Vips.call { leaflog_webp(picture.pointer, 85, 4, &count) }
      defer { g_free(bytes) }
      let still = WebPAnimation.bare(UnsafeRawBufferPointer(start: bytes, count: count))
      try Data(still).write(to: URL(fileURLWithPath: path))
    }
  }

  /// The picture, which must be opaque, as JPEG without metadata.
  package func jpeg() throws -> EncodedImage {
    try JPEGEncoder.encode(picture, JPEGQuality(level: 22), recipe: "")
  }
}

/// The chunks of an animated WebP file (RFC 9649). libvips encodes the frames, and this type assembles
/// them, as libvips' own animations keep all frames in memory until the last.
package struct WebPAnimation: Sendable {
  private let size: PixelSize

  package init(size: PixelSize) { self.size = size }

  /// The header (RFC 9649, 2.5 and 2.7), which includes the length of the file: 0 until it is known.
  package func header(byteCount: Int) -> [UInt8] {
    let isAnimation: UInt8 = 0b10
    let features: [UInt8] =
      [isAnimation, 0, 0, 0] + Self.integer(size.width - 1, 3) + Self.integer(size.height - 1, 3)
    // A white background, looping for ever.
    let animation: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF, 0, 0]
    return Array("RIFF".utf8) + Self.integer(max(0, byteCount - 8), 4) + Array("WEBP".utf8)
      + Self.chunk("VP8X", features) + Self.chunk("ANIM", animation)
  }

  /// The largest file size that RIFF can express.
  package static let maxByteCount = 0xFFFF_FFF6

  /// One frame as a chunk.
  ///
  /// - Parameter delay: in milliseconds.
  package func frame(_ canvas: PixelCanvas, delay: Int) throws(ImagingError) -> [UInt8] {
    let picture = try canvas.picture().picture
    var count = 0
    let bytes = try Vips.call { leaflog_webp(picture.pointer, 75, 4, &count) }
    defer { g_free(bytes) }
    let file = UnsafeRawBufferPointer(start: bytes, count: count)
    let isReplacing: UInt8 = 0b10
    let place = [UInt8](repeating: 0, count: 6)
    return Self.chunk(
      "ANMF",
      place + Self.integer(size.width - 1, 3) + Self.integer(size.height - 1, 3)
        + Self.integer(delay, 3) + [isReplacing]
        + Self.pictureChunks(of: file))
  }

  /// A frame that is shown for another time.
  package static func frame(_ frame: [UInt8], delay: Int) -> [UInt8] {
    // After the name, the length, the place and the size (RFC 9649, 2.7.1.1).
    let place = 8 + 12
    return frame[..<place] + integer(delay, 3) + frame[(place + 3)...]
  }

  /// The chunks of the picture itself in a still file, as libvips always writes an EXIF chunk.
  private static func pictureChunks(of file: UnsafeRawBufferPointer) -> [UInt8] {
    var result: [UInt8] = []
    var at = 12
    while at + 8 <= file.count {
      let length = file[(at + 4)..<(at + 8)].reversed().reduce(0) { $0 << 8 | Int($1) }
      let end = min(file.count, at + 8 + length + length % 2)
      let name = String(decoding: file[at..<(at + 4)], as: UTF8.self)
      if ["VP8 ", "VP8L", "ALPH"].contains(name) { result += file[at..<end] }
      at = end
    }
    return result
  }

  /// A still file with nothing but its picture, which must be opaque: the simple format (RFC 9649, 2.5).
  static func bare(_ file: UnsafeRawBufferPointer) -> [UInt8] {
    let picture = pictureChunks(of: file)
    return Array("RIFF".utf8) + integer(4 + picture.count, 4) + Array("WEBP".utf8) + picture
  }

  private static func chunk(_ name: String, _ payload: [UInt8]) -> [UInt8] {
    Array(name.utf8) + integer(payload.count, 4) + payload + (payload.count % 2 == 0 ? [] : [0])
  }

  private static func integer(_ value: Int, _ byteCount: Int) -> [UInt8] {
    (0..<byteCount).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
