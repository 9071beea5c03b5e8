package import Foundation

/// A stylesheet, script or picture of the pages.
package struct Asset: Sendable {
  package let bytes: Data
  package let mediaType: String

  /// An asset by its name: `style.css`.
  package static func named(_ name: String) -> Asset? {
    guard let file = EmbeddedFiles.file("Assets/" + name),
      let type = mediaTypes[String(name.split(separator: ".").last ?? "")]
    else { return nil }
    return Asset(bytes: file.bytes, mediaType: type)
  }

  package static let names = EmbeddedFiles.names.filter { $0.hasPrefix("Assets/") }
    .map { String($0.dropFirst("Assets/".count)) }

  private static let mediaTypes = [
    "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml", "png": "image/png", "json": "application/speculationrules+json",
  ]
}

extension EmbeddedFiles.File {
  fileprivate var bytes: Data {
    switch self {
    case .text(let text): Data(text.utf8)
    case .base64(let text): Data(base64Encoded: text) ?? Data()
    }
  }
}
