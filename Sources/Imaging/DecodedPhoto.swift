internal import CVips
package import DiaryModel

/// A photo's pixels in memory, decoded once for everything that is made from them.
package struct DecodedPhoto: Sendable {
  let picture: VipsPicture
  package let warnings: Set<ImportWarning>
  /// Whether a JPEG can hold all of it: one still picture of 8 bits, grey or RGB, nothing
  /// transparent, nothing damaged.
  package let isPlain: Bool

  init(picture: VipsPicture, warnings: Set<ImportWarning>, isPlain: Bool) {
    self.picture = picture
    self.warnings = warnings
    self.isPlain = isPlain
  }

  /// A grey area of thumbnail size with the proportions of a picture.
  static func blank(like size: PixelSize) throws(ImagingError) -> DecodedPhoto {
    let scale = Double(thumbnailSide) / Double(max(size.width, size.height, thumbnailSide))
    let (width, height) = (
      max(1, Int(Double(size.width) * scale)), max(1, Int(Double(size.height) * scale))
    )
    let samples = [UInt8](repeating: 0xC8, count: width * height)
    let picture = try Vips.image {
      leaflog_from_memory(samples, samples.count, CInt(width), CInt(height), 1)
    }
    return DecodedPhoto(picture: picture, warnings: [.noPreview], isPlain: false)
  }

  /// A picture in memory. A colour profile that cannot be read is dropped, and the samples are treated as
  /// sRGB.
  init(readable picture: VipsPicture, warnings: Set<ImportWarning>, isPlain: Bool) {
    let (picture, isReadable) = picture.withReadableProfile
    self.init(
      picture: picture, warnings: isReadable ? warnings : warnings.union([.profileUnreadable]),
      isPlain: isPlain && isReadable)
  }
}
