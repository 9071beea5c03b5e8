/// The sidecars in a folder, by photo.
struct SidecarNames {
  /// The folder's XMP and JSON files, by lower-case name.
  private let xmp: [String: FolderEntry]
  private let json: [String: FolderEntry]
  /// Lower-case stems of JPEG and HEIC files.
  private let renderedStems: Set<String>
  /// Lower-case names of files that are neither XMP nor JSON.
  private let photoNames: Set<String>
  private let photoStems: Set<String>
  /// Lower-case names of the JSON files that belong to a photo here.
  private let takeoutNames: Set<String>

  init(_ entries: [FolderEntry]) {
    var xmp: [String: FolderEntry] = [:]
    var json: [String: FolderEntry] = [:]
    var others: [FolderEntry] = []
    for entry in entries {
      switch entry.fileExtension {
      case "xmp": xmp[entry.text.lowercased()] = entry
      case "json": json[entry.text.lowercased()] = entry
      default: others.append(entry)
      }
    }
    (self.xmp, self.json) = (xmp, json)
    renderedStems = Set(
      others.filter { ["jpg", "jpeg", "heic", "heif"].contains($0.fileExtension) }.map(\.stem))
    photoNames = Set(others.map { $0.text.lowercased() })
    photoStems = Set(others.map(\.stem))
    takeoutNames =
      json.isEmpty
      ? [] : Set(others.flatMap { Self.takeoutNames(of: $0) }.filter { json[$0] != nil })
  }

  /// The XMP sidecar of a photo: `IMG_1.jpg.xmp` (darktable, digiKam) before `IMG_1.xmp` (Lightroom).
  func xmpSidecar(of photo: FolderEntry) -> FolderEntry? {
    xmp[photo.text.lowercased() + ".xmp"] ?? xmp[photo.stem + ".xmp"]
  }

  /// The Takeout sidecar of a photo. Takeout writes `IMG_1.jpg.json`, since 2024
  /// `IMG_1.jpg.supplemental-metadata.json`, truncates the name before `.json` to 46 characters, puts a
  /// copy's number last (`IMG_1.jpg(1).json` for `IMG_1(1).jpg`), and has one file for a photo and its
  /// edited copy.
  func takeoutSidecar(of photo: FolderEntry) -> FolderEntry? {
    json.isEmpty ? nil : Self.takeoutNames(of: photo).lazy.compactMap { json[$0] }.first
  }

  private static func takeoutNames(of photo: FolderEntry) -> [String] {
    var bases = [(photo.text.lowercased(), "")]
    let ending = photo.fileExtension.isEmpty ? "" : "." + photo.fileExtension
    if photo.stem.hasSuffix(")"), let open = photo.stem.lastIndex(of: "(") {
      bases.append((String(photo.stem[..<open]) + ending, String(photo.stem[open...])))
    }
    for suffix in ["-edited", "-bearbeitet", "-modifié", "-editado"]
    where photo.stem.hasSuffix(suffix) {
      bases.append((photo.stem.dropLast(suffix.count) + ending, ""))
    }
    return bases.flatMap { base, number in
      let full = base + ".supplemental-metadata"
      return [base, full, String(full.prefix(46)), String(base.prefix(46)), photo.stem]
        .map { $0 + number + ".json" }
    }
  }

  /// Whether this file is the sidecar of a photo beside it.
  func isSidecar(_ entry: FolderEntry) -> Bool {
    switch entry.fileExtension {
    case "xmp": photoNames.contains(entry.stem) || photoStems.contains(entry.stem)
    case "json": takeoutNames.contains(entry.text.lowercased())
    default: false
    }
  }

  func hasRenderedTwin(_ entry: FolderEntry) -> Bool {
    !["jpg", "jpeg", "heic", "heif"].contains(entry.fileExtension)
      && renderedStems.contains(entry.stem)
  }
}
