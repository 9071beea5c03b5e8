/// Everything that the library knows about a photo.
public struct Photo: Sendable, Hashable {
  /// The photo's entry on the timeline.
  public let entry: Entry
  /// The name of the file it was imported from.
  public let originalName: String
  /// The media type of the imported bytes, e.g. `image/heic`.
  public let sourceMediaType: String
  /// A thumbhash: about 25 bytes that show as a blurred picture.
  public let placeholder: [UInt8]
  /// Oddities of the imported file.
  public let warnings: [ImportWarning]
  /// The files that the library keeps for it, by role.
  public let renditions: [Rendition]
  /// The absolute paths of the files it was found in.
  public let sourcePaths: [String]

  package init(
    entry: Entry, originalName: String, sourceMediaType: String, placeholder: [UInt8],
    warnings: [ImportWarning], renditions: [Rendition], sourcePaths: [String]
  ) {
    self.entry = entry
    self.originalName = originalName
    self.sourceMediaType = sourceMediaType
    self.placeholder = placeholder
    self.warnings = warnings
    self.renditions = renditions
    self.sourcePaths = sourcePaths
  }
}
