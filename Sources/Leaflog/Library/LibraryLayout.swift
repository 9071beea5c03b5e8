internal import Foundation
internal import SystemPackage

/// Where everything is in a library's folder. Storage/README.md describes it for people.
struct LibraryLayout: Sendable {
  let root: FilePath

  init(_ root: FilePath) { self.root = root }

  /// Says that the folder is a library, of which format.
  var marker: FilePath { root.appending("leaflog.json") }
  var catalog: FilePath { root.appending("catalog.sqlite") }
  var lock: FilePath { root.appending("lock") }
  /// Copies of the catalog as it was at different times.
  var snapshots: FilePath { root.appending("snapshots") }
  /// Says that the folder is a backup, of which library.
  var backupNote: FilePath { root.appending("backup.json") }
  var previews: FilePath { root.appending("cache").appending("previews") }

  var exists: Bool { FileManager.default.fileExists(atPath: marker.string) }
}

/// The contents of `leaflog.json`.
struct LibraryMarker: Codable {
  static let currentFormat = 1

  var format: Int
  /// A UUID that stays with the library wherever it is moved.
  var id: String

  static func read(_ path: FilePath) throws(LeaflogError) -> LibraryMarker {
    guard let data = FileManager.default.contents(atPath: path.string) else {
      throw LeaflogError(
        .noLibrary, "There is no Leaflog library at \(path.removingLastComponent()).")
    }
    guard let marker = try? JSONDecoder().decode(LibraryMarker.self, from: data) else {
      throw LeaflogError(
        .damaged, "\(path) is not a Leaflog library's marker. Restore it from a backup.")
    }
    guard marker.format <= currentFormat else {
      throw LeaflogError(
        .tooNew,
        "A newer version of Leaflog made this library (format \(marker.format)). Update "
          + "Leaflog to open it.")
    }
    return marker
  }
}
