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
  /// Whether a skipped file may have been meant as a photo: by its contents where they were read,
  /// else by its name. The files that macOS keeps beside photos (`._IMG_1.jpg`) are none.
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
