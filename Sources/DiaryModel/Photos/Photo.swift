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

/// The role of a blob for a photo.
@nonexhaustive
public enum RenditionRole: String, Sendable, CaseIterable {
  /// The exact bytes that were imported.
  case original
  /// The original as lossless JPEG XL, restorable byte for byte.
  case packed
  /// The compressed full-size copy, with its metadata.
  case master
  /// At most 640 px, upright, sRGB, without metadata.
  case thumbnail
}

/// A blob in a role for one photo.
public struct Rendition: Sendable, Hashable {
  /// The blob's role for the photo.
  public let role: RenditionRole
  /// The blob's name.
  public let blob: BlobID
  /// The blob's size, in bytes.
  public let byteCount: Int
  /// The media type of the blob's bytes, e.g. `image/jpeg`.
  public let mediaType: String
  /// The size as stored, before any orientation tag is applied.
  public let size: PixelSize
  /// The encoder settings with a version; a rendition whose recipe differs from the current one is stale.
  public let recipe: String

  /// - Parameters:
  ///   - byteCount: the blob's size, in bytes.
  ///   - size: the size as stored, in pixels.
  ///   - recipe: the encoder settings with a version.
  public init(
    role: RenditionRole, blob: BlobID, byteCount: Int, mediaType: String, size: PixelSize,
    recipe: String
  ) {
    self.role = role
    self.blob = blob
    self.byteCount = byteCount
    self.mediaType = mediaType
    self.size = size
    self.recipe = recipe
  }
}

/// The form in which a library stores imported photos.
@nonexhaustive
public enum StoragePolicy: String, Sendable, CaseIterable {
  /// A master at the lowest quality that reaches the perceptual target.
  case compact
  /// JPEG as lossless JPEG XL, everything else as it is.
  case lossless
  /// The imported bytes as they are.
  case exact
}
