/// The sidecars in a folder, by photo.
struct SidecarNames {
  /// The folder's XMP and JSON files, by their names and by their lower-case names.
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
    // Where names differ in case alone, each photo has its own.
    for entry in entries where entry.fileExtension == "xmp" { xmp[entry.text] = entry }
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
    xmp[photo.text + ".xmp"] ?? xmp[photo.text.lowercased() + ".xmp"]
      ?? xmp[photo.text.prefix(photo.stem.count) + ".xmp"] ?? xmp[photo.stem + ".xmp"]
  }

  /// The Takeout sidecar of a photo. Takeout writes `IMG_1.jpg.json`, since 2024
  /// `IMG_1.jpg.supplemental-metadata.json`, truncates the name before `.json` to 46 characters, puts a
  /// copy's number last (`IMG_1.jpg(1).json` for `IMG_1(1).jpg`), and has one file for a photo and its
  /// edited copy.
  func takeoutSidecar(of photo: FolderEntry) -> FolderEntry? {
    json.isEmpty ? nil : Self.takeoutNames(of: photo).lazy.compactMap { json[$0] }.first
  }

  /// The suffixes that Google Photos gives the names of edited copies, in some languages.
  private static let editedSuffixes = [
    "-edited", "-effects", "-bearbeitet", "-modifié", "-editado", "-bewerkt", "-modificato",
  ]

  private static func takeoutNames(of photo: FolderEntry) -> [String] {
    let ending = photo.fileExtension.isEmpty ? "" : "." + photo.fileExtension
    var stems = [(photo.stem[...], photo.stem[photo.stem.endIndex...])]
    if photo.stem.hasSuffix(")"), let open = photo.stem.lastIndex(of: "(") {
      stems.append((photo.stem[..<open], photo.stem[open...]))
    }
    stems += stems.flatMap { stem, number in
      editedSuffixes.filter(stem.hasSuffix).map { (stem.dropLast($0.count), number) }
    }
    return stems.flatMap { stem, number in
      let base = String(stem) + ending
      let full = base + ".supplemental-metadata"
      let names = [base, full, String(full.prefix(46)), String(base.prefix(46)), photo.stem]
      return names.map { $0 + String(number) + ".json" }
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
