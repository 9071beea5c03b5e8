/// Names of files that people take for images.
enum ImageNames {
  private static let endings = [
    "jpg", "jpeg", "jpe", "png", "webp", "tif", "tiff", "gif", "heic", "heif", "avif", "jxl",
  ]

  static func fit(_ name: String) -> Bool {
    let name = name.lowercased()
    return endings.contains { name.hasSuffix("." + $0) }
  }
}

extension FileOutcome {
  /// Whether a file was skipped of which somebody may have expected a photo: by its contents where they
  /// were looked at, else by its name. What macOS keeps beside photos (`._IMG_1.jpg`) is none.
  public var isSkippedImage: Bool {
    guard case .skipped(let reason) = result else { return false }
    switch reason {
    case .raw, .unsupportedFormat: return true
    case .hidden:
      let name = path.split(separator: "/").last.map(String.init) ?? path
      return !name.hasPrefix("._") && ImageNames.fit(name)
    case .notAFile, .system: return ImageNames.fit(path)
    case .notAnImage, .rawBesideJPEG, .sidecar, .video, .alreadyVisited, .library, .link, .inTrash:
      return false
    }
  }
}
