/// File names with the extension of an image format.
enum ImageNames {
  private static let endings = [
    "jpg", "jpeg", "jpe", "png", "webp", "tif", "tiff", "gif", "heic", "heif", "avif", "jxl",
  ]

  /// The endings of RAW files, in lower case.
  static let rawEndings: Set = [
    "3fr", "arw", "cr2", "cr3", "crw", "dcr", "dng", "erf", "fff", "gpr", "iiq", "kdc", "mef",
    "mos",
    "mrw", "nef", "nrw", "orf", "pef", "raf", "raw", "rw2", "rwl", "sr2", "srf", "srw", "x3f",
  ]

  static func fit(_ name: String) -> Bool {
    let name = name.lowercased()
    return endings.contains { name.hasSuffix("." + $0) }
  }
}

extension FileOutcome {
  /// Whether a skipped file may have been meant as a photo, judging by its contents if they were read,
  /// otherwise by its name. Files that macOS keeps beside photos (`._IMG_1.jpg`) do not count.
  public var isSkippedImage: Bool {
    guard case .skipped(let reason) = result else { return false }
    switch reason {
    case .raw, .unsupportedFormat: return true
    case .hidden:
      let name = path.split(separator: "/").last.map(String.init) ?? path
      return !name.hasPrefix("._") && ImageNames.fit(name)
    case .notAFile, .system: return ImageNames.fit(path)
    case .notAnImage, .rawBesideJPEG, .sidecar, .video, .alreadyVisited, .library, .link,
      .otherProgram, .inTrash:
      return false
    }
  }
}
