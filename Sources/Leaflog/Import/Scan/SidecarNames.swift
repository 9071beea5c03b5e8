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
  private var takeoutNames: Set<String>
  /// The JSON files with a part of Takeout's suffix, by the names before it.
  private let cut: [String: [FolderEntry]]

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
    cut = Self.withoutTakeoutSuffix(json.values)
    takeoutNames = []
    guard !json.isEmpty else { return }
    takeoutNames = Set(others.flatMap { takeoutSidecars(of: $0) }.map { $0.text.lowercased() })
  }

  /// The JSON files by what precedes any part of Takeout's suffix, with a copy's number, the longest suffix first.
  private static func withoutTakeoutSuffix(
    _ entries: some Collection<FolderEntry>
  ) -> [String: [FolderEntry]] {
    var named: [String: [(suffix: Int, entry: FolderEntry)]] = [:]
    for entry in entries {
      let (stem, number) = copyNumber(entry.stem)
      guard let dot = stem.lastIndex(of: "."), takeoutSuffix.starts(with: stem[dot...]) else {
        continue
      }
      named["\(stem[..<dot])\(number)", default: []].append((stem[dot...].count, entry))
    }
    return named.mapValues { same in
      same.sorted { $0.suffix > $1.suffix }.map { $0.entry }
    }
  }

  private static let takeoutSuffix = ".supplemental-metadata"

  /// A stem without the number of a copy, such as `(1)`, and that number.
  private static func copyNumber(_ stem: String) -> (stem: Substring, number: Substring) {
    guard stem.hasSuffix(")"), let open = stem.lastIndex(of: "(") else {
      return (stem[...], stem[stem.endIndex...])
    }
    return (stem[..<open], stem[open...])
  }

  /// The XMP sidecar of a photo: `IMG_1.jpg.xmp` (darktable, digiKam) before `IMG_1.xmp` (Lightroom).
  func xmpSidecar(of photo: FolderEntry) -> FolderEntry? {
    xmp[photo.text + ".xmp"] ?? xmp[photo.text.lowercased() + ".xmp"]
      ?? xmp[photo.text.prefix(photo.stem.count) + ".xmp"] ?? xmp[photo.stem + ".xmp"]
  }

  /// The Takeout sidecar of a photo. Takeout writes `IMG_1.jpg.json`, since 2024
  /// `IMG_1.jpg.supplemental-metadata.json`, truncates the name before `.json` to 46 characters or fewer, which cuts
  /// the suffix anywhere, puts a copy's number last (`IMG_1.jpg(1).json` for `IMG_1(1).jpg`), and has one file for a
  /// photo and its edited copy.
  func takeoutSidecar(of photo: FolderEntry) -> FolderEntry? {
    json.isEmpty ? nil : takeoutSidecars(of: photo).first
  }

  /// The suffixes that Google Photos gives the names of edited copies, in some languages.
  private static let editedSuffixes = [
    "-edited", "-effects", "-bearbeitet", "-modifié", "-editado", "-bewerkt", "-modificato",
  ]

  /// The JSON files that may be a photo's, the likeliest first.
  private func takeoutSidecars(of photo: FolderEntry) -> [FolderEntry] {
    let ending = photo.fileExtension.isEmpty ? "" : "." + photo.fileExtension
    var stems = [(photo.stem[...], photo.stem[photo.stem.endIndex...])]
    let (original, number) = Self.copyNumber(photo.stem)
    if !number.isEmpty { stems.append((original, number)) }
    stems += stems.flatMap { stem, number in
      Self.editedSuffixes.filter(stem.hasSuffix).map { (stem.dropLast($0.count), number) }
    }
    return stems.flatMap { stem, number -> [FolderEntry] in
      let base = String(stem) + ending
      let whole = [json[base + number + ".json"]].compactMap { $0 } + (cut[base + number] ?? [])
      return whole
        + [String(base.prefix(46)), photo.stem].compactMap { json[$0 + number + ".json"] }
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
