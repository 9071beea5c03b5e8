import DiaryModel
import FaultRunner
import Foundation
import Leaflog
import Synchronization
import TestSupport
import Testing

/// Scenarios with a whole library.
extension FaultScenario {
  /// A library with a history: at each of the hours something was done, and the time of one of them lies
  /// between two backups.
  private struct Past {
    let folder: TemporaryFolder
    /// The library's contents after the first backup, at the hour between, and at the end.
    var first: [[String]] = []
    var between: [[String]] = []
    var last: [[String]] = []

    static let hour: Int64 = 3_600_000
    static let start: Int64 = 1_767_225_600_000  // 2026-01-01
    static let moment = start + 2 * hour + hour / 2

    private static func library(_ folder: TemporaryFolder, atHour hour: Int64) throws -> Library {
      let clock = WallClock { Timestamp(milliseconds: start + hour * Self.hour) }
      let path = folder.file("library")
      return Library.exists(at: path)
        ? try Library.open(at: path, clock: clock)
        : try Library.create(at: path, .init(policy: .exact), clock: clock)
    }

    /// `isBackedUpAgain`: whether the backup has everything.
    init(_ folder: TemporaryFolder, isBackedUpAgain: Bool) async throws {
      self.folder = folder
      try FaultScenario.fill(folder)
      func work(_ hour: Int64, _ body: (Library) async throws -> Void) async throws -> [[String]] {
        let library = try Self.library(folder, atHour: hour)
        try await body(library)
        let contents = try LibraryState(library).contents
        try library.close()
        return contents
      }
      func backUp(_ library: Library) throws {
        _ = try Backup(library).run(BackupRequest(path: folder.file("backup"))) { _ in }
      }
      first = try await work(1) { library in
        try await FaultScenario.add(["fern"], of: folder, to: library)
        try backUp(library)
      }
      between = try await work(2) { library in
        _ = try library.plants.add(PlantDetails(name: "moss"))
        try await FaultScenario.add(["ivy/3.jpg"], of: folder, to: library)
        try library.store.takeSnapshot()
      }
      last = try await work(3) { library in
        _ = try library.diary.setMood(.happy, on: library.today)
        try await FaultScenario.add(["ivy/4.jpg"], of: folder, to: library)
        if isBackedUpAgain { try backUp(library) }
      }
    }
  }

  private static func contents(_ path: String) throws -> [[String]] {
    let library = try Library.open(at: path, for: .reading)
    defer { try? library.close() }
    return try LibraryState(library).contents
  }

  private static func damage(_ path: String) throws -> [String] {
    let library = try Library.open(at: path, for: .reading)
    defer { try? library.close() }
    var request = VerifyRequest()
    request.readsEverything = true
    var damage: [String] = []
    _ = try Verifier(library).run(request) { damage.append("in \(path): \($0.message)") }
    return damage
  }

  private static func restored(from place: String, at moment: Int64) throws -> [[String]] {
    let folder = try TemporaryFolder()
    let backup = try Library.open(at: place, for: .reading)
    defer { try? backup.close() }
    _ = try Restore(
      backup, to: folder.file("library"), at: .instant(Timestamp(milliseconds: moment))
    ).run { _ in }
    return try contents(folder.file("library"))
  }

  static func backingUp() async throws -> FaultScenario {
    try await FaultScenario("backup", .backup, ["BACKUP"]) { folder in
      let past = try await Past(folder, isBackedUpAgain: false)
      return { [first = past.first, between = past.between, last = past.last] trial, isDone in
        let place = trial.folder.file("backup")
        let found = try contents(place)
        var problems = try damage(place)
        if found != last, isDone || found != first { problems.append("the backup has \(found)") }
        if try restored(from: place, at: Past.start + Past.hour) != first {
          problems.append("the first backup is gone")
        }
        if isDone, try restored(from: place, at: Past.moment) != between {
          problems.append("the backup does not lead to what was between")
        }
        return problems
      }
    }
  }

  static func restoring(isOfMoment: Bool) async throws -> FaultScenario {
    try await FaultScenario(
      isOfMoment ? "restore --at" : "restore", .restore,
      ["BACKUP"] + (isOfMoment ? ["--now", "\(Past.moment)"] : [])
    ) { folder in
      let past = try await Past(folder, isBackedUpAgain: isOfMoment)
      let aim = isOfMoment ? past.between : past.first
      return { [last = past.last] trial, isDone in
        let found = try contents(trial.library)
        return found == aim || !isDone && found == last ? [] : ["the library has \(found)"]
      }
    }
  }

  /// The changes of a copy that has photos, entries and a deletion that the library lacks.
  static func bringingOver() async throws -> FaultScenario {
    try await FaultScenario(
      "bring-over", .bringOver, ["BACKUP", "BACKUP.common"]
    ) { folder in
      try fill(folder)
      let library = try Library.create(at: folder.file("library"), .init(policy: .exact))
      try await add(["fern"], of: folder, to: library)
      _ = try library.diary.setMood(.sad, on: library.today)
      try library.close()
      for name in ["backup", "backup.common"] {
        try FileManager.default.copyItem(atPath: library.path, toPath: folder.file(name))
      }
      let there = try Library.open(at: folder.file("backup"))
      try await add(["ivy"], of: folder, to: there)
      _ = try there.diary.setMood(.happy, on: there.today)
      _ = try there.diary.addSymptom(Symptom(name: "ache", severity: Severity(2)))
      let photos = try there.all(named: "fern")
      try there.photos.delete(.photos(Array(photos.prefix(1))))
      try there.close()
      let here = try Library.open(at: folder.file("library"))
      _ = try here.plants.add(PlantDetails(name: "moss"))
      try here.close()
      return { _, _ in [] }
    }
  }

  /// Of a library whose catalog is gone, or an older one, from a snapshot and the frames behind it.
  static func repairing(isOlder: Bool) async throws -> FaultScenario {
    let name = isOlder ? "repair of an older catalog" : "repair"
    return try await FaultScenario(name, .repair, []) { folder in
      let past = try await Past(folder, isBackedUpAgain: false)
      for ending in ["", "-wal", "-shm"]
      where FileManager.default.fileExists(atPath: folder.file("library/catalog.sqlite" + ending)) {
        try FileManager.default.removeItem(atPath: folder.file("library/catalog.sqlite" + ending))
      }
      if isOlder {
        let snapshots = try FileManager.default.contentsOfDirectory(
          atPath: folder.file("library/snapshots"))
        let oldest = try #require(snapshots.filter { $0.hasSuffix(".sqlite") }.min())
        try FileManager.default.copyItem(
          atPath: folder.file("library/snapshots/" + oldest),
          toPath: folder.file("library/catalog.sqlite"))
      }
      return { [last = past.last] trial, isDone in
        guard isDone else { return [] }
        let found = try contents(trial.library)
        return found == last ? [] : ["the library has \(found)"]
      }
    }
  }
}

extension Library {
  /// The photos of a plant.
  fileprivate func all(named plant: String) throws -> [EntryID] {
    try timeline.page(limit: 1000).elements.filter { $0.plant?.name == plant }.map(\.id)
  }
}
