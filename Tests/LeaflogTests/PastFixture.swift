import BlobStorage
import DiaryModel
import Foundation
import Leaflog
import Synchronization
import SystemPackage
import TestSupport
import Testing

/// A library without photos on a clock that tests set, a backup beside it, and what it was at each moment.
final class PastFixture: Sendable {
  let folder: TemporaryFolder
  /// At 2026-01-01 to begin with.
  private let clock = TestClock(at: Timestamp(milliseconds: 1_767_225_600_000))
  private let opened: Mutex<Library>

  var library: Library { opened.withLock { $0 } }
  var path: String { folder.file("library") }
  var place: String { folder.file("backup") }
  var now: Timestamp { clock.now }

  init() throws {
    let folder = try TemporaryFolder()
    self.folder = folder
    opened = Mutex(
      try Library.create(
        at: folder.file("library"), .init(timeZone: .ofTestLibraries), clock: clock.wallClock,
        files: POSIXFileSystem(), takesSnapshots: false))
  }

  func reopen() throws {
    try library.close()
    let again = try Library.open(
      at: path, clock: clock.wallClock, files: POSIXFileSystem(), takesSnapshots: false)
    opened.withLock { $0 = again }
  }

  func pass(_ span: Duration = .seconds(60)) { clock.pass(seconds: span.components.seconds) }

  /// A minute later a plant more.
  func add(_ name: String) throws {
    pass()
    _ = try library.plants.add(PlantDetails(name: name))
  }

  /// A minute later, too.
  func backUp() throws {
    pass()
    _ = try Backup(library).run(BackupRequest(path: place)) { _ in }
  }

  /// All tables but the line of commits, which a restore and a repair begin anew.
  func tables(of path: String? = nil) throws -> Set<String> {
    try CatalogDump(path: (path ?? self.path) + "/catalog.sqlite").lines
      .filter { !$0.contains("'lineage'") }
  }

  /// The tables of a library that is restored somewhere else, as it was at a moment.
  func tables(at moment: Timestamp) throws -> Set<String> {
    let target = folder.file("restored")
    try? FileManager.default.removeItem(atPath: target)
    try restore(at: moment, to: target)
    return try tables(of: target)
  }

  /// The tables of a library that is restored somewhere else, as it was after a commit.
  func tables(after commit: Int) throws -> Set<String> {
    let target = folder.file("restored")
    try? FileManager.default.removeItem(atPath: target)
    try restore(after: commit, to: target)
    return try tables(of: target)
  }

  /// The states that there may have been at a moment, and the one that a restore chooses.
  func candidates(at moment: Timestamp) throws -> (
    chosen: BackupMoment?, candidates: [BackupMoment]
  ) {
    let backup = try Library.open(at: place, for: .reading, clock: clock.wallClock)
    defer { try? backup.close() }
    let restore = try Restore(backup, to: folder.file("elsewhere"), at: .instant(moment))
    return (restore.moment, restore.candidates)
  }

  func restore(
    at moment: Timestamp? = nil, after commit: Int? = nil, to target: String
  ) throws {
    let backup = try Library.open(at: place, for: .reading, clock: clock.wallClock)
    defer { try? backup.close() }
    _ = try Restore(backup, to: target, at: moment.map { .instant($0) }, commit: commit).run { _ in
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: target + "/tmp").isEmpty)
  }

  /// The message of a restore that has to be refused because the backup does not lead there.
  func refusal(at moment: Timestamp) throws -> String {
    let error = #expect(throws: LeaflogError.self) {
      try restore(at: moment, to: folder.file("refused"))
    }
    #expect(error?.code == .notKept)
    return error?.message ?? ""
  }

  func remove(_ names: String...) throws {
    try library.close()
    for name in names {
      for ending in ["", "-wal", "-shm"] {
        let path = folder.file(name + ending)
        if FileManager.default.fileExists(atPath: path) {
          try FileManager.default.removeItem(atPath: path)
        }
      }
    }
  }
}
