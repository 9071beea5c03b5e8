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

/// The file `backups.json` of a library: where it was backed up to.
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

  private let file: MachineFile<Contents>

  init(of library: Library) {
    file = MachineFile(library.layout.backupRecords, "list of backups", in: library)
  }

  /// The places, the one with the latest backup first.
  func all() throws(LeaflogError) -> [BackupRecord] {
    try contents().places.map {
      BackupRecord(place: $0.place, lastSuccess: Timestamp(milliseconds: $0.lastSuccess))
    }.sorted { $0.lastSuccess > $1.lastSuccess }
  }

  private func contents() throws(LeaflogError) -> Contents { try file.read() ?? Contents() }

  /// Notes a backup.
  func note(_ place: String, at now: Timestamp) throws {
    var contents = try contents()
    contents.places.removeAll { $0.place == place }
    contents.places.append(.init(place: place, lastSuccess: now.milliseconds))
    try file.write(contents)
  }
}

/// The end of a verification of a library on this machine.
public struct VerificationRecord: Sendable, Hashable {
  /// Whether every byte was to be read.
  public let readsEverything: Bool
  /// When it ended.
  public let endedAt: Timestamp
  /// The number of faults found.
  public let damageCount: Int
  /// Whether everything was verified; otherwise the next one continues.
  public let isComplete: Bool
}

/// The file `verified.json` of a library: how its last verifications ended.
struct VerificationRecords {
  private struct Contents: Codable {
    struct End: Codable {
      let isFull: Bool
      /// Milliseconds since 1970.
      let endedAt: Int64
      let damageCount: Int
      let isComplete: Bool
    }

    var format = 1
    var ends: [End] = []
  }

  private let file: MachineFile<Contents>

  init(of library: Library) {
    file = MachineFile(library.layout.verificationRecords, "list of verifications", in: library)
  }

  /// The last full and the last quick one, as far as there were any.
  func all() throws(LeaflogError) -> [VerificationRecord] {
    try file.read()?.ends.map {
      VerificationRecord(
        readsEverything: $0.isFull, endedAt: Timestamp(milliseconds: $0.endedAt),
        damageCount: $0.damageCount, isComplete: $0.isComplete)
    } ?? []
  }

  /// Notes the end of a verification, if there is room. A damaged list is begun anew.
  func note(_ summary: VerifySummary, isFull: Bool, at now: Timestamp) throws {
    var contents = (try? file.read()) ?? Contents()
    contents.ends.removeAll { $0.isFull == isFull }
    contents.ends.append(
      .init(
        isFull: isFull, endedAt: now.milliseconds, damageCount: summary.damageCount,
        isComplete: summary.isComplete))
    try file.write(contents, isOptional: true)
  }
}

/// A small file about a library on this machine. It belongs to the machine, so it is in no backup, and not in the catalog.
private struct MachineFile<Contents: Codable> {
  private let path: FilePath
  private let store: LocalBlobStore
  private let title: String

  /// - Parameter title: says what it is, as in “list of backups”.
  init(_ path: FilePath, _ title: String, in library: Library) {
    (self.path, self.title, store) = (path, title, library.disk)
  }

  /// The contents; nil where there is no file.
  func read() throws(LeaflogError) -> Contents? {
    guard let data = FileManager.default.contents(atPath: path.string) else { return nil }
    guard let contents = SealedJSON.decode(Contents.self, from: data) else {
      throw LeaflogError(
        .damaged, "\(path), the \(title), is damaged. Remove it; it will be begun anew.")
    }
    return contents
  }

  /// Writes the contents. What cannot be noted, as on a full or a read-only disk, has been done all the same.
  ///
  /// - Parameter isOptional: whether nothing depends on them.
  func write(_ contents: Contents, isOptional: Bool = false) throws {
    let data = try SealedJSON.encode(contents)
    do throws(BlobStoreError) {
      try store.createFolders()
      try store.write(data, to: path)
    } catch {
      Logger(label: "leaflog.records").log(
        level: isOptional || [.readOnly, .permissionDenied].contains(error.code)
          ? .debug : .warning,
        "the \(title) is not written: \(error.message)")
    }
  }
}

extension LibraryStore {
  /// Where the library was backed up to from this machine, the latest first; none if the list of them is damaged, which the
  /// next backup says.
  public func backups() -> [BackupRecord] { (try? BackupRecords(of: library).all()) ?? [] }

  /// How the last full verification of the library on this machine ended, and the last quick one; none if the list of them
  /// is damaged, which the next verification begins anew.
  public func verifications() -> [VerificationRecord] {
    (try? VerificationRecords(of: library).all()) ?? []
  }
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
