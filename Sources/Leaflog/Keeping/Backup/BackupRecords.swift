internal import BlobStorage
internal import DiaryCatalog
internal import Foundation
internal import Logging
internal import SystemPackage

/// A place that a library was backed up to from this machine.
public struct BackupRecord: Sendable, Hashable {
  /// The path of the folder, or the address in an object store.
  public let place: String
  /// When the last backup to it ended well.
  public let lastSuccess: Timestamp
}

/// The file `backups.json` of a library: where it was backed up to. It belongs to the machine, so it is in no backup, and
/// not in the catalog.
struct BackupRecords {
  private struct Contents: Codable {
    struct Place: Codable {
      let place: String
      /// Milliseconds since 1970.
      let lastSuccess: Int64
    }

    var format = 1
    var places: [Place] = []
  }

  private static let logger = Logger(label: "leaflog.backup")

  private let path: FilePath
  private let store: LocalBlobStore

  init(of library: Library) {
    (path, store) = (library.layout.backupRecords, library.disk)
  }

  /// The places, the one with the latest backup first.
  func all() throws(LeaflogError) -> [BackupRecord] {
    try contents().places.map {
      BackupRecord(place: $0.place, lastSuccess: Timestamp(milliseconds: $0.lastSuccess))
    }.sorted { $0.lastSuccess > $1.lastSuccess }
  }

  private func contents() throws(LeaflogError) -> Contents {
    guard let data = FileManager.default.contents(atPath: path.string) else { return Contents() }
    guard let contents = SealedJSON.decode(Contents.self, from: data) else {
      throw LeaflogError(
        .damaged, "\(path), the list of backups, is damaged. Remove it, and back up again.")
    }
    return contents
  }

  /// Notes a backup. One that cannot be noted, as that of a library on a full or a read-only disk, is a backup all the same.
  func note(_ place: String, at now: Timestamp) throws {
    var contents = try contents()
    contents.places.removeAll { $0.place == place }
    contents.places.append(.init(place: place, lastSuccess: now.milliseconds))
    let data = try SealedJSON.encode(contents)
    do throws(BlobStoreError) {
      try store.createFolders()
      try store.write(data, to: path)
    } catch {
      Self.logger.log(
        level: [.readOnly, .permissionDenied].contains(error.code) ? .debug : .warning,
        "the backup is not noted: \(error.message)")
    }
  }
}

extension LibraryStore {
  /// Where the library was backed up to from this machine, the latest first; none if the list of them is damaged, which the
  /// next backup says.
  public func backups() -> [BackupRecord] { (try? BackupRecords(of: library).all()) ?? [] }
}

extension BackupLocation {
  /// The place in the list of backups.
  var place: String {
    get throws {
      switch self {
      case .folder(let path): FilePath(path).resolvedAsFarAsThere.string
      case .objectStore(let settings): try S3Location(settings).url
      }
    }
  }
}
