internal import CVips
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
