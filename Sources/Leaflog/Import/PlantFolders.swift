internal import DiaryCatalog
internal import Foundation
internal import Imaging
internal import Synchronization
internal import SystemPackage

/// The names of plants in the folders of photos.
struct PlantFolders: Sendable {
  /// The absolute paths that an import was given.
  private let roots: Set<FilePath>
  /// Whether a plant has the names of all folders, rather than that of its own.
  private let isByPath: Bool
  private let known = KnownFolders()
  private let met = MetFolders()

  init(given paths: [String], isByPath: Bool = false) {
    roots = Set(paths.compactMap { try? FilePath(text: $0).resolved() })
    self.isByPath = isByPath
  }

  /// The plant of a file: that of its folder, whose name counts without a date before it. Of folders that are only a date,
  /// or that cameras and systems make, the next one above counts, within what was given.
  ///
  /// - Parameter ask: returns the name of the plant that has a folder's name as its own or as an alias; nil if there is none.
  ///   Where there is one, the folder names it, whatever it looks like.
  /// - Returns: nil if no folder names one.
  func plant(
    of file: ScannedFile, _ ask: (String) throws -> String?
  ) rethrows -> PhotoPlant? {
    if isByPath {
      let name = names(of: file).joined(separator: "/")
      if !name.isEmpty { return .folder(name, plant: try known.plant(of: name, ask) ?? name) }
    }
    var folders = file.folders[...]
    var count = self.count(of: file)
    while count > 0, let whole = folders.last {
      let date = FolderDate(folders: folders)
      for (text, isOnlyName) in [(whole, date == nil), (date?.name ?? "", true)] {
        guard let name = text.composedName else { continue }
        if let plant = try known.plant(of: name, ask) { return .folder(name, plant: plant) }
        if isOnlyName, !Self.isOfSystem(name) { return .folder(name, plant: name) }
      }
      let depth = date?.depth ?? 1
      folders = folders.dropLast(depth)
      count -= depth
    }
    return nil
  }

  /// The names of a file's folders below what was given, without dates and without folders that cameras and systems make.
  private func names(of file: ScannedFile) -> [String] {
    // A date may begin above what was given.
    var folders = file.folders[...]
    var count = self.count(of: file) - 1
    var names: [String] = []
    while count > 0, let whole = folders.last {
      let date = FolderDate(folders: folders)
      let name = (date == nil ? whole : date?.name ?? "").composedName
      if let name, !Self.isOfSystem(name) { names.insert(name, at: 0) }
      let depth = date?.depth ?? 1
      folders = folders.dropLast(depth)
      count -= depth
    }
    return names
  }

  /// Notes where a new photo of a plant that its folder names is.
  func note(_ file: ScannedFile, of plant: PhotoPlant) {
    guard case .folder(_, let name) = plant, !isByPath else { return }
    let folder = file.displayPath.lastIndex(of: "/").map { String(file.displayPath[..<$0]) } ?? "."
    met.note(MixedPlant.Place(parents: names(of: file).dropLast(), folder: folder), of: name)
  }

  /// The plants of which new photos are in folders with different parents, in the order in which they were met.
  var mixed: [MixedPlant] { met.mixed }

  /// The number of a file's folders that may name its plant: those up to the one that was given, or its own if the file
  /// itself was.
  private func count(of file: ScannedFile) -> Int {
    if file.isSent { return 0 }
    var folder = file.path.removingLastComponent()
    if file.isNamed || roots.contains(file.path) { return 1 }
    var count = 1
    while !roots.contains(folder), !folder.components.isEmpty {
      count += 1
      folder = folder.removingLastComponent()
    }
    return folder.components.isEmpty ? 1 : count
  }

  /// Whether cameras, phones and their programs make folders with a name: those of the Design rule for Camera File system
  /// (CIPA DC-009, 3.2), such as `100CANON`, and those in the manual.
  static func isOfSystem(_ name: String) -> Bool {
    let folded = name.lowercased()
    if systemNames.contains(folded) { return true }
    let isOfTakeout = ["photos from ", "fotos von "].contains {
      folded.hasPrefix($0) && folded.dropFirst($0.count).allSatisfy(\.isWholeNumber)
    }
    return isOfTakeout || isOfCamera(Array(folded.utf8))
  }

  /// A number from 100 to 999 and five letters, digits or underscores.
  private static func isOfCamera(_ name: [UInt8]) -> Bool {
    func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    return name.count == 8 && name[0] != 0x30 && name[..<3].allSatisfy(isDigit)
      && name[3...].allSatisfy { isDigit($0) || (0x61...0x7A).contains($0) || $0 == 0x5F }
      // Eight digits are a date or a number.
      && !name.allSatisfy(isDigit)
  }

  private static let systemNames: Set<String> = [
    "bluetooth", "camera", "camera roll", "camera uploads", "dcim", "desktop", "documents",
    "download", "downloads", "google photos", "google fotos", "icloud photos", "my pictures",
    "pictures", "saved pictures", "screenshots", "sent", "signal", "takeout", "telegram",
    "telegram images", "whatsapp images",
  ]
}

/// A plant of which an import found photos in folders of one name with different parents, as `control/basil` and
/// `drought/basil`: it may be several plants.
public struct MixedPlant: Sendable, Hashable {
  /// The plant's name.
  public let name: String
  /// Two of the folders, as the request names them.
  public let folders: [String]

  /// A folder of photos, and the names of the folders that it is in.
  fileprivate struct Place {
    let parents: ArraySlice<String>
    let folder: String
  }
}

/// The folders in which photos of each plant were met first.
private final class MetFolders: Sendable {
  private struct State {
    var places: [String: MixedPlant.Place] = [:]
    var mixed: [MixedPlant] = []
  }

  private let state = Mutex(State())

  func note(_ place: MixedPlant.Place, of plant: String) {
    state.withLock { state in
      guard let first = state.places[plant] else { return state.places[plant] = place }
      guard first.parents != place.parents, !state.mixed.contains(where: { $0.name == plant })
      else { return }
      state.mixed.append(MixedPlant(name: plant, folders: [first.folder, place.folder]))
    }
  }

  var mixed: [MixedPlant] { state.withLock { $0.mixed } }
}

/// The plants of folders by the folders' names, each asked for once.
private final class KnownFolders: Sendable {
  private let plants = Mutex<[String: String?]>([:])

  func plant(of folder: String, _ ask: (String) throws -> String?) rethrows -> String? {
    if let known = plants.withLock({ $0[folder] }) { return known }
    let plant = try ask(folder)
    plants.withLock { $0[folder] = plant }
    return plant
  }
}

extension String {
  /// A plant's name in the form that the library has; nil if nothing is left of it.
  var composedName: String? { precomposedStringWithCanonicalMapping.tidied }
}
