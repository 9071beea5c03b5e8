import Foundation
import Leaflog
import SystemPackage
import TestSupport
import Testing

@Suite struct RestoreTests {
  private func restore(
    _ fixture: BackupFixture, to path: String? = nil, copiesAll: Bool = true
  ) throws -> (summary: RestoreSummary, damage: [Damage]) {
    let backup = try Library.open(
      at: fixture.place, for: .reading, clock: fixture.base.clock.wallClock)
    defer { try? backup.close() }
    var damage: [Damage] = []
    let summary = try Restore(backup, to: path ?? fixture.library.path)
      .run(copiesAll: copiesAll) { damage.append($0) }
    return (summary, damage)
  }

  private func survey(_ fixture: BackupFixture, to path: String? = nil) throws -> RestoreSurvey {
    let backup = try Library.open(at: fixture.place, for: .reading)
    defer { try? backup.close() }
    return try Restore(backup, to: path ?? fixture.library.path).survey()
  }

  /// The reason for which prune would refuse, if any.
  private func refusal(_ path: String) throws -> LeaflogError.Code? {
    let library = try Library.open(at: path)
    defer { try? library.close() }
    do {
      _ = try Pruner(library).plan(PruneRequest())
      return nil
    } catch { return error.code }
  }

  @Test(arguments: [false, true])
  func `a library that is gone comes back`(copiesAll: Bool) async throws {
    let fixture = try await BackupFixture()
    let ids = try fixture.ids()
    try fixture.backUp { $0.copiesAll = copiesAll }
    let path = fixture.library.path
    try fixture.library.close()
    try FileManager.default.removeItem(atPath: path)
    #expect(try survey(fixture).present == .nothing)
    let (summary, damage) = try restore(fixture, copiesAll: copiesAll)
    #expect(summary.copiedCount + summary.linkedCount == summary.blobCount && damage.isEmpty)
    #expect(!summary.hasUnknownPhotos)
    try fixture.expectWhole(path, ids)
    #expect(try refusal(path) == nil)
    #expect(!FileManager.default.fileExists(atPath: path + "/backup.json"))
    // It is the library that the backup is of.
    let library = try Library.open(at: path)
    _ = try library.plants.add(PlantDetails(name: "new"))
    _ = try Backup(library).run(BackupRequest(path: fixture.place)) { _ in }
    #expect(
      try Library.open(at: fixture.place, for: .reading).plants.all().map(\.name).contains("new"))
  }

  @Test func `entries other than photos that the backup lacks are counted, too`() async throws {
    let fixture = try await BackupFixture()
    let diary = fixture.library.diary
    _ = try diary.setDailyLog(on: fixture.library.today) { $0.stress = 2 }
    try fixture.backUp()
    _ = try diary.setMood(.happy, on: fixture.library.today)
    try fixture.library.close()
    let plan = try survey(fixture)
    #expect(plan.lackingEntryCount == 1 && plan.backup.entryCount == 1 && plan.lacking.isEmpty)
  }

  @Test func `over a newer library nothing is lost, and prune waits until that is settled`()
    async throws
  {
    let fixture = try await BackupFixture()
    let old = try fixture.ids()
    try fixture.backUp()
    try await fixture.add("Photos/basil")
    let new = try fixture.ids()
    let (path, stored) = (fixture.library.path, fixture.base.storedFiles)
    try fixture.library.close()
    let plan = try survey(fixture)
    #expect(Set(plan.lacking) == Set(new).subtracting(old))
    guard case .library(let present) = plan.present else {
      Issue.record("there is a library")
      return
    }
    #expect(present.photoCount == new.count && present.plantCount == 2)
    #expect(plan.backup.photoCount == old.count && plan.backup.plantCount == 1)

    let summary = try restore(fixture, copiesAll: false).summary
    #expect(summary.hasUnknownPhotos && summary.copiedCount == 0 && summary.linkedCount == 0)
    try fixture.expectWhole(path, old)
    #expect(fixture.base.storedFiles == stored)
    #expect(try refusal(path) == .suspicious)
    // However many commits come, and whatever is restored again.
    let library = try Library.open(at: path)
    for name in 0..<40 { _ = try library.plants.add(PlantDetails(name: "plant \(name)")) }
    // The newer catalog, and the restored one.
    #expect(try library.store.snapshots().count == 2)
    #expect(library.store.takeSnapshotIfDue(afterWorkOf: .seconds(999)) != nil)
    try library.close()
    #expect(try refusal(path) == .suspicious)
    #expect(try restore(fixture).summary.hasUnknownPhotos)
    #expect(try refusal(path) == .suspicious)

    // The newer catalog is there still.
    let snapshots = try Library.open(at: path, for: .reading).store.snapshots()
    let kept = try #require(snapshots.last)
    let folder = fixture.base.folder.file("looked-at")
    try FileManager.default.copyItem(atPath: path, toPath: folder)
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: folder + "/catalog.sqlite" + suffix)
    }
    try FileManager.default.copyItem(atPath: kept.path, toPath: folder + "/catalog.sqlite")
    try fixture.expectWhole(folder, new)
  }

  @Test func `over an older library the newer backup counts, and prune goes on`() async throws {
    let fixture = try await BackupFixture()
    let path = fixture.library.path
    let old = fixture.base.folder.file("old")
    try fixture.library.close()
    try FileManager.default.copyItem(atPath: path, toPath: old)
    let library = try Library.open(at: path)
    _ = try await Importer(library).run(ImportRequest(paths: [Fixtures.path("Photos/basil")])) {
      _ in
    }
    _ = try Backup(library).run(BackupRequest(path: fixture.place)) { _ in }
    let ids = try library.timeline.page(limit: 1000).elements.map(\.id)
    try library.close()
    let summary = try restore(fixture, to: old).summary
    #expect(summary.copiedCount > 0 && !summary.hasUnknownPhotos)
    try fixture.expectWhole(old, ids)
    #expect(try refusal(old) == nil)
  }

  @Test func `over an older catalog that was put back prune goes on refusing`() async throws {
    let fixture = try await BackupFixture("Photos/tomato")
    let path = fixture.library.path
    try fixture.library.close()
    let catalog = URL(fileURLWithPath: path + "/catalog.sqlite")
    let older = try Data(contentsOf: catalog)
    let library = try Library.open(at: path)
    for (name, isBackedUp) in [("monstera", true), ("basil", false)] {
      _ = try await Importer(library).run(
        ImportRequest(paths: [Fixtures.path("Photos/" + name)])
      ) { _ in }
      if isBackedUp { _ = try Backup(library).run(BackupRequest(path: fixture.place)) { _ in } }
    }
    try library.close()
    try older.write(to: catalog)
    // With it, the catalog would be brought up to date.
    try FileManager.default.removeItem(atPath: path + "/journal")
    #expect(try refusal(path) == .suspicious)
    #expect(try restore(fixture).summary.hasUnknownPhotos)
    #expect(try refusal(path) == .suspicious)
  }

  @Test func `a lost or damaged catalog comes back; what came since is not pruned`() async throws {
    let fixture = try await BackupFixture()
    let ids = try fixture.ids()
    try fixture.backUp()
    try await fixture.add("Photos/basil")
    let path = fixture.library.path
    try fixture.library.close()
    try Data("garbage".utf8).write(to: URL(fileURLWithPath: path + "/catalog.sqlite"))
    guard case .unreadable = try survey(fixture).present else {
      Issue.record("it can be read")
      return
    }
    let restored = try fixture.base.clock.at(.instant(.noonInJune)) { try restore(fixture) }
    #expect(restored.summary.hasUnknownPhotos)
    try fixture.expectWhole(path, ids)
    #expect(try refusal(path) == .suspicious)
    let snapshots = fixture.base.folder.files(below: "library/snapshots")
    #expect(snapshots.contains("unreadable-2026-06-01T120000.sqlite"))

    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: path + "/catalog.sqlite" + suffix)
    }
    #expect(try restore(fixture).summary.hasUnknownPhotos)
    try fixture.expectWhole(path, ids)
    #expect(try refusal(path) == .suspicious)
  }

  @Test func `only missing and damaged blobs are brought over`() async throws {
    let fixture = try await BackupFixture()
    let ids = try fixture.ids()
    try fixture.backUp { $0.copiesAll = true }
    try FileManager.default.removeItem(atPath: fixture.blobPath(.original))
    let flipped = try fixture.blobPath(.original, of: 1)
    var bytes = try Data(contentsOf: URL(fileURLWithPath: flipped))
    bytes[bytes.count - 1] ^= 1
    try bytes.write(to: URL(fileURLWithPath: flipped))
    // Damaged in the backup, whole here: it is not needed.
    try Data("rot".utf8).write(
      to: URL(fileURLWithPath: fixture.blobPath(.thumbnail, in: fixture.place)))
    let path = fixture.library.path
    try fixture.library.close()
    let (summary, damage) = try restore(fixture)
    #expect(summary.copiedCount == 2 && damage.isEmpty)
    try fixture.expectWhole(path, ids)
  }

  @Test func `damage in the backup is named, and the rest restored`() async throws {
    let fixture = try await BackupFixture()
    let ids = try fixture.ids()
    try fixture.backUp { $0.copiesAll = true }
    let victim = try fixture.blobPath(.original, in: fixture.place)
    try Data("rot".utf8).write(to: URL(fileURLWithPath: victim))
    let path = fixture.library.path
    try fixture.library.close()
    try FileManager.default.removeItem(atPath: path)
    let (summary, damage) = try restore(fixture)
    #expect(summary.damageCount == 1 && summary.copiedCount == summary.blobCount - 1)
    #expect(damage.flatMap(\.photos).map(\.id) == [ids[0]])
    #expect(try fixture.contents(of: path).ids == ids)
  }

  @Test(arguments: [Errno.ioError, .noSpace])
  func `a restore that fails at any operation leaves the library as it was, or restored`(
    error: Errno
  ) async throws {
    let fixture = try await BackupFixture("Photos/basil")
    let old = try fixture.ids()
    try fixture.backUp()
    try fixture.base.folder.copy("Orientation/6.jpg", to: "more/a.jpg")
    _ = try await fixture.base.run([fixture.base.folder.file("more")])
    let new = try fixture.ids()
    try fixture.library.close()
    let backup = try Library.open(at: fixture.place, for: .reading)
    let tried = fixture.base.folder.file("tried")
    var count = 0
    for position in 0... {
      try? FileManager.default.removeItem(atPath: tried)
      try FileManager.default.copyItem(atPath: fixture.library.path, toPath: tried)
      let faults = FaultyFileSystem()
      faults.arm(FaultPlan(.fail(error), at: position))
      do {
        let summary = try Restore(backup, to: tried, files: faults).run { _ in }
        try fixture.expectWhole(tried, old)
        #expect(summary.hasUnknownPhotos)
        if faults.log.count <= position { break }
      } catch {
        count += 1
        let found = try fixture.contents(of: tried)
        #expect(found.damage == [])
        #expect(found.ids == old || found.ids == new)
        if found.ids == old { #expect(try refusal(tried) == .suspicious) }
      }
    }
    #expect(count >= 5)
    print("restore: failed at \(count) operations with \(error)")
  }

  @Test func `places that are not for it are refused, with the reason`() async throws {
    let fixture = try await BackupFixture()
    try fixture.backUp()
    let folder = fixture.base.folder
    func refusal(_ path: String) throws -> String {
      let error = #expect(throws: LeaflogError.self) { try survey(fixture, to: path) }
      #expect(error?.code == .invalidRequest)
      return error?.message ?? ""
    }
    #expect(try refusal(fixture.place).contains("library itself"))
    #expect(try refusal(fixture.place + "/new/deep").contains("inside"))
    try Library.create(at: folder.file("other")).close()
    #expect(try refusal(folder.file("other")).contains("another one"))
    try folder.write(Data("x".utf8), to: "taken/file.txt")
    #expect(try refusal(folder.file("taken")).contains("file.txt"))
    try FileManager.default.copyItem(atPath: fixture.place, toPath: folder.file("second"))
    #expect(try refusal(folder.file("second")).contains("is a backup"))
    // A library that is in use.
    let error = #expect(throws: LeaflogError.self) { try restore(fixture) }
    #expect(error?.code == .locked)
  }
}
