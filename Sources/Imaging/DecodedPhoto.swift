package import DiaryModel

/// A photo's pixels in memory, decoded once for everything that is made of them.
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

  /// A picture in memory, without its colour profile where that cannot be read: its samples count as sRGB
  /// then.
  init(readable picture: VipsPicture, warnings: Set<ImportWarning>, isPlain: Bool) {
    let (picture, isReadable) = picture.withReadableProfile
    self.init(
      picture: picture, warnings: isReadable ? warnings : warnings.union([.profileUnreadable]),
      isPlain: isPlain && isReadable)
  }
}
