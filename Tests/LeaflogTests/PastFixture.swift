import DiaryModel
import Foundation
import Leaflog
import Synchronization
import SystemPackage
import TestSupport
import Testing

/// A time that is set by hand: 2026-01-01 at first.
private final class SetTime: Sendable {
  let value = Mutex(Timestamp(milliseconds: 1_767_225_600_000))
}

/// A library without photos on a clock that tests set, a backup beside it, and what it was at each moment.
final class PastFixture: Sendable {
  let folder: TemporaryFolder
  private let time = SetTime()
  private let opened: Mutex<Library>

  var library: Library { opened.withLock { $0 } }
  var path: String { folder.file("library") }
  var place: String { folder.file("backup") }
  var now: Timestamp { time.value.withLock { $0 } }
  private var clock: WallClock { WallClock { [time] in time.value.withLock { $0 } } }

  init() throws {
    let folder = try TemporaryFolder()
    self.folder = folder
    let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
    opened = Mutex(
      try Library.create(
        at: folder.file("library"), .init(timeZone: zone),
        clock: WallClock { [time] in time.value.withLock { $0 } }))
  }

  func reopen() throws {
    try library.close()
    let again = try Library.open(at: path, clock: clock)
    opened.withLock { $0 = again }
  }

  func pass(_ span: Duration = .seconds(60)) {
    time.value.withLock {
      $0 = Timestamp(milliseconds: $0.milliseconds + Int64(span.components.seconds) * 1000)
    }
  }

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

  func restore(at moment: Timestamp? = nil, to target: String) throws {
    let backup = try Library.open(at: place, for: .reading, clock: clock)
    defer { try? backup.close() }
    _ = try Restore(backup, to: target, at: moment.map { .instant($0) }).run { _ in }
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
