package import Leaflog

/// Everything about a photo in JSON.
package struct PhotoDocument: Encodable {
  struct RenditionPart: Encodable {
    let role: String
    let blob: String
    let byteCount: Int
    let mediaType: String
    let width: Int
    let height: Int
    let recipe: String
    let path: String?
  }

  let entry: Entry
  let originalName: String
  let sourceMediaType: String
  let placeholder: [UInt8]
  let warnings: [String]
  let renditions: [RenditionPart]
  let sourcePaths: [String]?

  /// - Parameter library: the library whose paths to include; nil omits them.
  package init(_ photo: Photo, pathsIn library: Library? = nil) {
    entry = photo.entry
    originalName = photo.originalName
    sourceMediaType = photo.sourceMediaType
    placeholder = photo.placeholder
    warnings = photo.warnings.map(\.rawValue)
    renditions = photo.renditions.map {
      RenditionPart(
        role: $0.role.rawValue, blob: $0.blob.hex, byteCount: $0.byteCount,
        mediaType: $0.mediaType, width: $0.size.width, height: $0.size.height,
        recipe: $0.recipe, path: library?.photos.path(of: $0))
    }
    sourcePaths = library.map { _ in photo.sourcePaths }
  }

  private enum Key: CodingKey {
    case originalName, sourceMediaType, placeholder, warnings, renditions, sourcePaths
  }

  /// Encodes the keys of the entry and of the photo into one object.
  package func encode(to encoder: any Encoder) throws {
    try entry.encode(to: encoder)
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(originalName, forKey: .originalName)
    try object.encode(sourceMediaType, forKey: .sourceMediaType)
    try object.encode(placeholder, forKey: .placeholder)
    try object.encode(warnings, forKey: .warnings)
    try object.encode(renditions, forKey: .renditions)
    try object.encodeIfPresent(sourcePaths, forKey: .sourcePaths)
  }
}
