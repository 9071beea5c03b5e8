internal import BlobStorage
internal import Imaging
internal import SystemPackage

/// The sidecars in a folder, by photo.
///
/// A name that is a photo's exactly comes before one that differs in case or in its Unicode form. A file that is
/// exactly another photo's is not taken for a similar name.
struct SidecarNames {
  private let xmp: SidecarIndex
  private let json: SidecarIndex
  /// Lower-case stems of JPEG and HEIC files.
  private let renderedStems: Set<String>
  /// Lower-case names of files that are neither XMP nor JSON.
  private let photoNames: Set<String>
  private let photoStems: Set<String>
  private let rawStems: Set<String>
  /// The names of the JSON files that belong to a photo here.
  private var takeoutNames: Set<FolderEntry.Name> = []

  init(_ entries: [FolderEntry]) {
    let others = entries.filter { $0.fileExtension != "xmp" && $0.fileExtension != "json" }
    xmp = SidecarIndex(
      entries.filter { $0.fileExtension == "xmp" }.map { ($0.stemAsWritten, 0, $0) },
      exactly: others.flatMap { [$0.text, $0.stemAsWritten] })
    json = SidecarIndex(
      entries.filter { $0.fileExtension == "json" }.flatMap(Self.takeoutNames),
      exactly: others.flatMap { Self.takeoutNames(of: $0.stemAsWritten, $0.endingAsWritten) })
    renderedStems = Set(
      others.filter { ["jpg", "jpeg", "heic", "heif"].contains($0.fileExtension) }.map(\.stem))
    photoNames = Set(others.map { $0.text.lowercased() })
    photoStems = Set(others.map(\.stem))
    rawStems = Set(others.filter { ImageNames.rawEndings.contains($0.fileExtension) }.map(\.stem))
    guard !json.isEmpty else { return }
    takeoutNames = Set(others.flatMap { takeoutSidecars(of: $0) }.map(\.name))
  }

  /// The XMP sidecar of a photo: `IMG_1.jpg.xmp` (darktable, digiKam) before `IMG_1.xmp` (Lightroom).
  func xmpSidecar(of photo: FolderEntry) -> FolderEntry? {
    [photo.text, photo.stemAsWritten].lazy.compactMap { xmp.entries([$0]).first }.first
  }

  /// Whether a photo's sidecar is rather that of a RAW file beside it: `IMG_1.xmp` of `IMG_1.CR2`.
  func isSidecarOfRAW(_ sidecar: FolderEntry, of photo: FolderEntry) -> Bool {
    sidecar.stem == photo.stem && rawStems.contains(photo.stem)
  }

  /// The Takeout sidecar of a photo. Takeout writes `IMG_1.jpg.json`, since 2024
  /// `IMG_1.jpg.supplemental-metadata.json`, truncates the name before `.json` to 46 characters or fewer, which cuts
  /// the suffix anywhere, puts a copy's number last (`IMG_1.jpg(1).json` for `IMG_1(1).jpg`), leaves out an ending
  /// that the title does not have, and has one file for a photo and its edited copy.
  func takeoutSidecar(of photo: FolderEntry) -> FolderEntry? {
    json.isEmpty ? nil : takeoutSidecars(of: photo).first
  }

  /// The JSON files that may be a photo's, the likeliest first.
  private func takeoutSidecars(of photo: FolderEntry) -> [FolderEntry] {
    let (stem, ending) = (photo.stemAsWritten, photo.endingAsWritten)
    let own = json.entries(Self.takeoutNames(of: stem, ending))
    if !own.isEmpty { return own }
    for original in Self.originals(ofEdited: stem) {
      let found = json.entries(Self.takeoutNames(of: original, ending), sharing: true)
      if !found.isEmpty { return found }
      // An edited copy of a HEIC may be a JPEG.
      let sameStem = json.entries(withImageStem: original)
      if !sameStem.isEmpty { return sameStem.count == 1 ? sameStem : [] }
    }
    return []
  }

  /// The names before `.json`, without any part of the suffix, that Takeout may give the file of a photo.
  private static func takeoutNames(of stem: String, _ ending: String) -> [String] {
    let (original, number) = copyNumber(stem)
    let parts = [(stem, "")] + (number.isEmpty ? [] : [(original, number)])
    return parts.map { $0 + ending + $1 }
      + parts.flatMap { [String(($0 + ending).prefix(46)) + $1, $0 + $1] }
  }

  /// The names under which a JSON file is found, with the length of the suffix: its own before `.json`, and the one
  /// before any part of Takeout's suffix, with a copy's number.
  private static func takeoutNames(
    _ entry: FolderEntry
  ) -> [(name: String, suffix: Int, entry: FolderEntry)] {
    let own = entry.stemAsWritten
    let (stem, number) = copyNumber(own)
    guard let dot = stem.lastIndex(of: "."), takeoutSuffix.starts(with: stem[dot...].lowercased())
    else { return [(own, .max, entry)] }
    return [(own, .max, entry), (stem[..<dot] + number, stem[dot...].count, entry)]
  }

  private static let takeoutSuffix = ".supplemental-metadata"

  /// A stem without the number of a copy, such as `(1)`, and that number.
  static func copyNumber(_ stem: String) -> (stem: String, number: String) {
    guard stem.hasSuffix(")"), let open = stem.lastIndex(of: "("), open > stem.startIndex,
      case let digits = stem[stem.index(after: open)...].dropLast(), !digits.isEmpty,
      digits.allSatisfy({ ("0"..."9").contains($0) })
    else { return (stem, "") }
    return (String(stem[..<open]), String(stem[open...]))
  }

  /// The stems of the photos that a photo with this stem may be an edited copy of, the longest first. Google Photos
  /// appends a hyphen and a word or two of the user's language, such as `-edited` or `-ha editado`, before a copy's
  /// number.
  private static func originals(ofEdited stem: String) -> [String] {
    let (edited, number) = copyNumber(stem)
    var found: [String] = []
    var rest = edited[...]
    while let hyphen = rest.lastIndex(of: "-"), hyphen > rest.startIndex {
      let word = rest[rest.index(after: hyphen)...]
      guard word.contains(where: \.isLetter), word.allSatisfy({ $0.isLetter || $0 == " " }) else {
        break
      }
      rest = rest[..<hyphen]
      found.append(rest + number)
    }
    return found
  }

  /// Whether this file is the sidecar of a photo beside it.
  func isSidecar(_ entry: FolderEntry) -> Bool {
    switch entry.fileExtension {
    case "xmp": photoNames.contains(entry.stem) || photoStems.contains(entry.stem)
    case "json": takeoutNames.contains(entry.name)
    default: false
    }
  }

  func hasRenderedDuplicate(_ entry: FolderEntry) -> Bool {
    !["jpg", "jpeg", "heic", "heif"].contains(entry.fileExtension)
      && renderedStems.contains(entry.stem)
  }
}

/// Sidecars of one kind in a folder, by the names of what they belong to.
private struct SidecarIndex {
  /// By names as they are written, and by names in lower case; strings are equal in any Unicode form.
  private var exact: [FolderEntry.Name: [FolderEntry]] = [:]
  private var folded: [String: [FolderEntry]] = [:]
  /// By lower-case names without the ending of an image.
  private var stems: [String: [FolderEntry]] = [:]
  /// Those that have exactly the name of a photo here.
  private let owned: Set<FolderEntry.Name>

  /// - Parameter exactly: the names of the photos here.
  init(
    _ named: [(name: String, suffix: Int, entry: FolderEntry)],
    exactly names: @autoclosure () -> [String]
  ) {
    guard !named.isEmpty else {
      owned = []
      return
    }
    for (name, _, entry) in named.sorted(by: { $0.suffix > $1.suffix }) {
      exact[FolderEntry.Name(name), default: []].append(entry)
      folded[name.lowercased(), default: []].append(entry)
      let (whole, number) = SidecarNames.copyNumber(name)
      guard ImageNames.fit(whole), let dot = whole.lastIndex(of: ".") else { continue }
      stems[(whole[..<dot] + number).lowercased(), default: []].append(entry)
    }
    let exact = exact
    owned = Set(names().flatMap { exact[FolderEntry.Name($0)] ?? [] }.map(\.name))
  }

  var isEmpty: Bool { exact.isEmpty }

  /// The files of the first of these names that has any, exactly so before any other way.
  ///
  /// - Parameter sharing: whether files that are exactly another photo's count as well.
  func entries(_ names: [String], sharing: Bool = false) -> [FolderEntry] {
    let found = names.flatMap { exact[FolderEntry.Name($0)] ?? [] }
    if !found.isEmpty { return found }
    return names.flatMap { folded[$0.lowercased()] ?? [] }
      .filter { sharing || !owned.contains($0.name) }
  }

  /// The files of images with this stem, whatever their endings, each once.
  func entries(withImageStem stem: String) -> [FolderEntry] {
    var seen: Set<FolderEntry.Name> = []
    return (stems[stem.lowercased()] ?? []).filter { seen.insert($0.name).inserted }
  }
}

/// Reads capture times from the sidecars of photos, listing each folder once.
struct SidecarReader {
  private var folders: [FilePath: [FolderEntry]] = [:]
  private var names: [FilePath: SidecarNames] = [:]

  /// The capture time in a sidecar of the file; nil when none has a date.
  ///
  /// - Throws: when the folder or a sidecar cannot be read.
  mutating func captureTime(beside file: FilePath) throws -> CaptureTime? {
    let folder = file.removingLastComponent()
    let entries = try folders[folder] ?? FolderEntry.list(folder)
    folders[folder] = entries
    // The photo itself may be gone; only its name counts.
    guard let name = file.lastComponent else { return nil }
    let photo = entries.first { $0.component == name } ?? FolderEntry(name)
    let sidecars = names[folder] ?? SidecarNames(entries)
    names[folder] = sidecars
    let xmp = try facts(sidecars.xmpSidecar(of: photo), in: folder) { XMP.facts($0) }
    if let time = xmp?.time { return CaptureTime(recorded: time, source: .sidecar) }
    let takeout = try facts(sidecars.takeoutSidecar(of: photo), in: folder) { Takeout.facts($0) }
    return takeout?.time.map { CaptureTime(recorded: $0, source: .takeout) }
  }

  /// Which number is the day in the names of the file's folder that have the year last; nil if they do not tell, or if
  /// the folder is gone.
  mutating func dayOrder(beside file: FilePath) -> DayOrder? {
    let folder = file.removingLastComponent()
    guard let entries = try? folders[folder] ?? FolderEntry.list(folder) else { return nil }
    folders[folder] = entries
    return FileNameDate.order(ofNames: entries.lazy.map(\.text))
  }

  private func facts(
    _ sidecar: FolderEntry?, in folder: FilePath, _ parse: ([UInt8]) -> SidecarFacts?
  ) throws -> SidecarFacts? {
    guard let sidecar else { return nil }
    let path = folder.appending(sidecar.component)
    guard let facts = try SidecarNames.read(path, parse) else {
      throw LeaflogError.invalid("\(path) is not a sidecar that can be read.")
    }
    return facts
  }
}

extension SidecarNames {
  /// Reads and parses a sidecar; nil when it does not parse, or is larger than a few megabytes.
  static func read(_ path: FilePath, _ parse: ([UInt8]) -> SidecarFacts?) throws -> SidecarFacts? {
    let reader = try FileReader(path)
    guard reader.byteCount < 4 << 20 else { return nil }
    return try reader.read(0..<reader.byteCount).withUnsafeBytes { parse(Array($0)) }
  }
}
