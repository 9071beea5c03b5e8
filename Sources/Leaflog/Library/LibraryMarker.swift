internal import BlobStorage
internal import Foundation
internal import Glibc
internal import SystemPackage

/// The contents of `leaflog.json`.
struct LibraryMarker: Codable {
  static let currentFormat = 1

  var format = currentFormat
  /// A UUID that stays with the library wherever it is moved.
  var id: String

  static func read(_ path: FilePath) throws(LeaflogError) -> LibraryMarker {
    let folder = path.removingLastComponent()
    guard let data = FileManager.default.contents(atPath: path.string) else {
      throw failure(toRead: path, in: folder)
    }
    return try LibraryMarker(data, of: path.string)
  }

  init(id: String) { self.id = id }

  /// - Parameter place: where the data is from, for messages.
  init(_ data: Data, of place: String) throws(LeaflogError) {
    guard let marker = SealedJSON.decode(LibraryMarker.self, from: data) else {
      throw LeaflogError(
        .damaged, "\(place), the marker of a Leaflog library, is damaged.", remedy: .repair)
    }
    guard marker.format <= Self.currentFormat else {
      throw LeaflogError(
        .tooNew,
        "A newer version of Leaflog made this library (format \(marker.format)). Update "
          + "Leaflog to open it.")
    }
    self = marker
  }

  private static func failure(toRead path: FilePath, in folder: FilePath) -> LeaflogError {
    if access(path.string, R_OK) != 0, errno == EACCES {
      return LeaflogError(
        .readOnly, "\(folder) may not be looked into: \(Errno.permissionDenied). Check who owns it."
      )
    }
    return LibraryLayout(folder).lacksMarker
      ? missing(in: folder)
      : LeaflogError(
        .noLibrary, "There is no Leaflog library at \(folder).", remedy: .createLibrary)
  }

  static func missing(in folder: FilePath) -> LeaflogError {
    LeaflogError(
      .markerMissing,
      "\(folder) has the files of a Leaflog library, but its marker, leaflog.json, is missing. "
        + "Repairing the library makes it again.")
  }

  func write(to layout: LibraryLayout, _ store: LocalBlobStore) throws {
    try store.write(SealedJSON.encode(self), to: layout.marker)
  }
}
