import BlobStorage
import DiaryModel
import Foundation
import Leaflog
import SystemPackage
import TestSupport
import Testing

/// What happens under a wrong clock, and after it.
@Suite struct WrongClockTests {
  private func library(at text: String) throws -> LibraryFixture {
    let fixture = try LibraryFixture(policy: .exact)
    fixture.clock.set(try #require(RecordedTime(text)))
    return fixture
  }

  /// Ten years later, for the duration of a call.
  private func inFuture(_ fixture: LibraryFixture, _ body: () throws -> Void) throws {
    try fixture.clock.at(#require(RecordedTime("2036-01-01T12:00Z")), body)
  }

  @Test func `changes after one under a wrong clock have their own times`() throws {
    let fixture = try library(at: "2026-03-01T12:00Z")
    let plants = fixture.library.plants
    try inFuture(fixture) { _ = try plants.add(PlantDetails(name: "fern")) }
    let ivy = try plants.add(PlantDetails(name: "ivy"))
    _ = try plants.add(PlantDetails(name: "moss"))
    let now = fixture.clock.now
    let changes = try fixture.library.history.page(limit: 3).changes
    // No two have the same, by which plants and the entries in the trash with them belong together.
    #expect(changes.map(\.madeAt) == [now.advanced(byMilliseconds: 1), now, changes[2].madeAt])
    #expect(changes[2].madeAt > now)
    try plants.delete(ivy.id)
    #expect(
      try plants.find(matching: "ivy", among: .undeletedFirst).deletedAt
        == now.advanced(byMilliseconds: 2))
  }

  @Test func `dates in the future are refused again a month after a wrong clock`() throws {
    let fixture = try library(at: "2026-03-01T12:00Z")
    let library = fixture.library
    let symptom = Symptom(name: "cough", severity: try Severity(2))
    try inFuture(fixture) { _ = try library.diary.addSymptom(symptom) }
    let soon = try #require(RecordedTime("2026-12-01T12:00Z"))
    // Whether that clock was right or this one is, is not known.
    _ = try library.diary.addSymptom(symptom, at: soon, confirmed: [.late])
    fixture.clock.pass(days: 31)
    _ = try library.diary.addSymptom(symptom)
    #expect(throws: LeaflogError.self) {
      _ = try library.diary.addSymptom(symptom, at: soon, confirmed: [.late])
    }
  }

  @Test func `while the clock is behind, days of all kinds are taken as they are entered`() throws {
    let fixture = try library(at: "2026-03-01T12:00Z")
    let library = fixture.library
    let watering = try library.activities.add(
      ActivityDetails(name: "water", startFrom: #require(LocalDay("2026-02-01"))))
    let there = try ExchangeFixture()
    let day = try #require(LocalDay("2026-02-28"))
    _ = try there.library.diary.setMood(.happy, on: day)
    let diary = Array(try there.json().utf8)
    try fixture.clock.at(#require(RecordedTime("2025-01-01T12:00Z"))) {
      _ = try library.activities.complete(watering.id, on: [day])
      _ = try library.diary.setDailyLog(on: day) { $0.stress = 2 }
      #expect(try !library.isFuture(day))
      try DiaryImporter(library).read(diary, named: "diary.json")
    }
    #expect(try library.timeline.page(limit: 9).elements.map(\.time.localDay) == [day, day, day])
    #expect(try library.isFuture(#require(LocalDay("2026-03-02"))))
  }

  @Test func `a backup that was worked in is not overwritten, although a clock was ahead before`()
    throws
  {
    let fixture = try library(at: "2026-03-01T12:00Z")
    try inFuture(fixture) { _ = try fixture.library.plants.add(PlantDetails(name: "fern")) }
    let place = fixture.folder.file("backup")
    func backUp() throws {
      _ = try Backup(fixture.library).run(BackupRequest(path: place)) { _ in }
    }
    try backUp()
    let backup = try Library.open(at: place, clock: fixture.clock.wallClock)
    _ = try backup.plants.add(PlantDetails(name: "only here"))
    try backup.close()
    _ = try fixture.library.plants.add(PlantDetails(name: "ivy"))
    let error = #expect(throws: LeaflogError.self) { try backUp() }
    #expect(error?.remedy == .replaceBackup)
  }

  @Test func `the journal of the last days outlives a wrong clock`() throws {
    let fixture = try library(at: "2026-03-01T12:00Z")
    let library = fixture.library
    func live(_ name: String) throws {
      _ = try library.plants.add(PlantDetails(name: name))
      try library.store.takeSnapshot()
      fixture.clock.pass(days: 2)
    }
    for name in ["fern", "ivy", "moss"] { try live(name) }
    let files = fixture.folder.files(below: "library/journal")
    #expect(files.count == 4)
    try inFuture(fixture) { try live("rose") }
    for name in ["sage", "thyme"] { try live(name) }
    let kept = Set(fixture.folder.files(below: "library/journal"))
    #expect(kept.isSuperset(of: files) && kept.count > files.count)
  }
}

/// Prunes under a wrong clock, and after it.
@Suite struct WrongClockPruneTests {
  /// A library with 4 photos in the trash, changed just now.
  private func fixture() async throws -> LibraryFixture {
    let fixture = try LibraryFixture(policy: .exact)
    fixture.clock.set(try #require(RecordedTime("2026-03-01T12:00Z")))
    _ = try await fixture.run([Fixtures.path("Photos")])
    try fixture.library.plants.delete(fixture.library.plants.find(matching: "basil").id)
    return fixture
  }

  private func prune(_ fixture: LibraryFixture, forgets: Bool = false) throws -> PruneReport {
    var request = PruneRequest()
    if forgets { request.olderThan = .zero }
    return try Pruner(fixture.library).run(request)
  }

  /// Condemns the blobs of the photos in the trash.
  private func condemn(_ fixture: LibraryFixture) throws {
    fixture.clock.pass(hours: 1)
    #expect(try prune(fixture, forgets: true).condemned.count == 8)
  }

  @Test func `a step that was made in the future counts from now`() async throws {
    let fixture = try await fixture()
    try fixture.clock.at(#require(RecordedTime("2036-01-01T12:00Z"))) {
      _ = try fixture.library.plants.add(PlantDetails(name: "fern"))
      fixture.clock.pass(hours: 1)
      #expect(try prune(fixture, forgets: true).condemned.count == 8)
    }
    #expect(try prune(fixture).trashed.count == 0)
    fixture.clock.pass(hours: 25)
    try fixture.clock.at(#require(RecordedTime("2036-01-01T12:00Z"))) {
      _ = try fixture.library.plants.add(PlantDetails(name: "ivy"))
      #expect(try prune(fixture).trashed.count == 8)
    }
    #expect(try prune(fixture).unlinked.count == 0)
    fixture.clock.pass(hours: 23)
    #expect(try prune(fixture).unlinked.count == 0)
    fixture.clock.pass(hours: 2)
    #expect(try prune(fixture).unlinked.count == 8)
  }

  @Test
  func `things moved to the trash in the future are forgotten after their time, counted from now`()
    async throws
  {
    let fixture = try LibraryFixture(policy: .exact)
    fixture.clock.set(try #require(RecordedTime("2026-03-01T12:00Z")))
    _ = try await fixture.run([Fixtures.path("Photos")])
    let plants = fixture.library.plants
    try fixture.clock.at(#require(RecordedTime("2036-01-01T12:00Z"))) {
      for name in ["basil", "tomato"] { try plants.delete(plants.find(matching: name).id) }
    }
    var request = PruneRequest()
    (request.olderThan, request.waived) = (.seconds(5 * 86_400), Set(PruneGuard.allCases))
    #expect(try Pruner(fixture.library).run(request).purgedPhotoCount == 0)
    // What was deleted together comes back together.
    let basil = try plants.find(matching: "basil", among: .undeletedFirst)
    _ = try plants.restore(basil.id)
    #expect(try plants.find(matching: "basil").photoCount == 4)
    fixture.clock.pass(days: 4)
    #expect(try Pruner(fixture.library).run(request).purgedPhotoCount == 0)
    fixture.clock.pass(days: 2)
    #expect(try Pruner(fixture.library).run(request).purgedPhotoCount > 0)
    #expect(try plants.find(matching: "basil").photoCount == 4)
  }

  @Test func `a blob that was left in the future is condemned now`() async throws {
    let fixture = try await fixture()
    let store = LocalBlobStore(root: FilePath(fixture.library.path))
    let blob = PendingBlob(hashing: SharedBytes(copying: [1, 2, 3]))
    try store.put([blob])
    // It has the machine's time, which is later than the clock's.
    #expect(try prune(fixture).condemned.count == 1)
    fixture.clock.pass(hours: 23)
    #expect(try prune(fixture).trashed.count == 0)
  }

  @Test func `a clock that is ahead for a moment removes nothing`() async throws {
    let fixture = try await fixture()
    try condemn(fixture)
    let files = fixture.storedFiles
    let journal = fixture.folder.files(below: "library/journal")
    try fixture.clock.at(#require(RecordedTime("2036-01-01T12:00Z"))) {
      for _ in 0..<3 {
        let report = try prune(fixture)
        #expect(report.trashed.count == 0 && report.delayedUntil != nil)
        fixture.clock.pass(hours: 1)
      }
    }
    #expect(fixture.storedFiles == files)
    #expect(fixture.folder.files(below: "library/journal") == journal)
    #expect(try prune(fixture).delayedUntil == nil)
    fixture.clock.pass(hours: 25)
    #expect(try prune(fixture).trashed.count == 8)
  }

  @Test func `in a library without changes for a month the second run removes something`()
    async throws
  {
    let fixture = try await fixture()
    try condemn(fixture)
    fixture.clock.pass(days: 40)
    let planned = try Pruner(fixture.library).plan(PruneRequest())
    #expect(planned.report.trashed.count == 8)
    #expect(planned.report.delayedUntil == fixture.clock.now.advanced(byMilliseconds: 86_400_000))
    #expect(try Pruner(fixture.library).run(planned).trashed.count == 0)
    // The note stays as it is, whoever reads it.
    fixture.clock.pass(hours: 23)
    #expect(try prune(fixture).delayedUntil == planned.report.delayedUntil)
    fixture.clock.pass(hours: 1)
    #expect(try prune(fixture).trashed.count == 8)
    #expect(!fixture.folder.files(below: "library").contains("prune.json"))
    // The next time it begins anew.
    fixture.clock.pass(days: 40)
    #expect(try prune(fixture).delayedUntil != nil)
  }

  @Test func `a note from the future counts from now`() async throws {
    let fixture = try await fixture()
    try condemn(fixture)
    try fixture.clock.at(#require(RecordedTime("2036-01-01T12:00Z"))) { _ = try prune(fixture) }
    fixture.clock.pass(days: 40)
    let end = fixture.clock.now.advanced(byMilliseconds: 86_400_000)
    #expect(try prune(fixture).delayedUntil == end)
    fixture.clock.pass(hours: 24)
    #expect(try prune(fixture).trashed.count == 8)
  }

  @Test func `where nothing would be removed, or it is forced, there is no delay`() async throws {
    let fixture = try await fixture()
    fixture.clock.pass(days: 40)
    #expect(try prune(fixture).delayedUntil == nil)
    var request = PruneRequest()
    (request.olderThan, request.waived) = (.seconds(86_400), Set(PruneGuard.allCases))
    #expect(try Pruner(fixture.library).run(request).purgedPhotoCount == 4)
  }
}
