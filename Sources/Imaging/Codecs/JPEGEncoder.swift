internal import CJPEG
internal import DiaryModel
internal import Foundation

/// Encodes baseline JPEG with custom quantisation tables, which libvips supports only with mozjpeg.
/// Debian's libvips is built without it.
enum JPEGEncoder {
  /// - Parameter picture: in memory, 8-bit, grey or RGB.
  static func encode(
    _ picture: VipsPicture, _ quality: JPEGQuality, metadata: JPEGMetadata = JPEGMetadata(),
    recipe: String
  ) throws -> EncodedImage {
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
    return EncodedImage(
      bytes: ByteBuffer(adopting: .init(start: bytes, count: Int(count))) { free($0) },
      format: .jpeg, size: PixelSize(width: picture.width, height: picture.height), recipe: recipe)
  }
}
