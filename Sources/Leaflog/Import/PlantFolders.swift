internal import Foundation
internal import Imaging
internal import Synchronization
internal import SystemPackage

/// The names of plants in the folders of photos.
struct PlantFolders: Sendable {
  /// The absolute paths that an import was given.
  private let roots: Set<FilePath>
  /// Whether plants have the names of the folders that were met.
  private let known = KnownNames()

  init(given paths: [String]) {
    roots = Set(paths.compactMap { try? FilePath(text: $0).resolved() })
  }

  /// The name of a file's plant: that of its folder, without a date before it. Above folders that are only a date, or
  /// that cameras and systems make, the next one within what was given names it.
  ///
  /// - Parameter isPlant: whether a plant has a name. Such a folder names it, whatever it looks like.
  /// - Returns: nil if no folder names one.
  func name(of file: ScannedFile, isPlant: (String) throws -> Bool) rethrows -> String? {
    var folders = file.folders[...]
    var count = self.count(of: file)
    while count > 0, let name = folders.last {
      let date = FolderDate(folders: folders)
      guard date != nil || Self.isOfSystem(name) else { return name }
      if try known.contains(name, isPlant) { return name }
      if let name = date?.name, !Self.isOfSystem(name) { return name }
      let depth = date?.depth ?? 1
      folders = folders.dropLast(depth)
      count -= depth
    }
    return nil
  }

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

/// The answers to whether a plant has a name, each asked for once.
private final class KnownNames: Sendable {
  private let answers = Mutex<[String: Bool]>([:])

  func contains(_ name: String, _ ask: (String) throws -> Bool) rethrows -> Bool {
    if let known = answers.withLock({ $0[name] }) { return known }
    let answer = try ask(name)
    answers.withLock { $0[name] = answer }
    return answer
  }
}
