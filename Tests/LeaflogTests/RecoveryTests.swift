import BlobStorage
import DiaryCatalog
import Foundation
import Leaflog
import TestSupport
import Testing

/// Every commit of every kind comes back when the catalog is lost.
@Suite struct RecoveryTests {
  private let fixture: LibraryFixture
  private var library: Library { fixture.library }
  private let day: LocalDay

  init() throws {
    fixture = try LibraryFixture(policy: .exact)
    day = try #require(LocalDay("2021-03-04"))
  }

  /// The kinds of commits that a library can have.
  enum Act: String, CaseIterable {
    case importing, symptom, activity, plant, settings, quote, mood, tags, undo, recompress, prune
    case timeZone
  }

  private func perform(_ act: Act) async throws {
    switch act {
    case .importing: break  // All have photos.
    case .symptom:
      let entry = try library.diary.addSymptom(
        Symptom(name: "headache", severity: try Severity(3), medications: ["tea"]))
      _ = try library.diary.editSymptom(entry, notes: "after lunch") {
        $0.severity = try Severity(4)
      }
    case .activity:
      let water = try library.activities.add(
        ActivityDetails(name: "water", startFrom: day),
        plant: library.plants.find(matching: "basil").id,
        doneOn: [day])
      _ = try library.activities.edit(water.id) { $0.name = "Watering" }
      _ = try library.activities.complete(water.id, on: [day.advanced(by: 2)])
    case .plant:
      let fern = try library.plants.add(PlantDetails(name: "Fern", notes: "in the hall"))
      _ = try library.plants.edit(fern.id) { $0.location = "hall" }
      _ = try library.plants.merge(library.plants.find(matching: "basil").id, into: fern.id)
    case .settings:
      try library.settings.set(.reportName, to: "Jo")
      try library.settings.set(.reminderTime, to: "20:30")
    case .quote:
      _ = try library.quotes.favourite(library.quotes.find(matching: "b12"))
      _ = try library.quotes.unfavourite(matching: "b12")
    case .mood: _ = try library.diary.setMood(.happy, on: day)
    case .tags:
      let ids = try fixture.entries().map(\.id)
      _ = try library.diary.addTags(["sill", "Herb"], to: ids)
      _ = try library.diary.renameTag("herb", to: "kitchen")
      _ = try library.photos.delete(.photos([ids[0]]))
    case .undo:
      _ = try library.diary.setMood(.sad, on: day)
      _ = try library.photos.delete(.photos([fixture.entries()[0].id]))
      try library.history.undo()
      try library.history.undo()
      try library.history.redo()
    case .recompress:
      try await Recompressor(library).run(RecompressRequest(policy: .compact)) { _ in }
    case .prune:
      _ = try library.photos.delete(.photos([fixture.entries()[0].id]))
      var request = PruneRequest()
      request.waived = Set(PruneGuard.allCases)
      (request.olderThan, request.grace) = (.zero, .zero)
      for hours in [1.0, 2, 3] { _ = try Pruner(library).run(request, now: .inHours(hours)) }
    case .timeZone: try library.settings.set(.timeZone, to: "Asia/Tokyo")
    }
  }

  /// All tables but what a repair changes: the line of commits.
  private func tables() throws -> Set<String> {
    try CatalogDump(path: library.path + "/catalog.sqlite").lines
      .filter { !$0.contains("'lineage'") }
  }

  private func loseCatalog() throws {
    try library.close()
    for ending in ["", "-wal", "-shm"] {
      let path = library.path + "/catalog.sqlite" + ending
      if FileManager.default.fileExists(atPath: path) {
        try FileManager.default.removeItem(atPath: path)
      }
    }
  }

  private func expectWhole(_ before: Set<String>, _ history: History) throws {
    let report = try CatalogRescue(at: library.path).run()
    #expect(report.wasLost && report.losses.isEmpty && report.blobPhotoCount == 0)
    #expect(try tables() == before)
    let again = try Library.open(at: library.path)
    #expect(try again.history.page(limit: 1000) == history)
    try again.close()
  }

  @Test(arguments: Act.allCases) func `all tables are as before`(act: Act) async throws {
    _ = try await fixture.run([Fixtures.path("Photos/basil"), Fixtures.path("Photos/tomato")])
    try await perform(act)
    let (before, history) = try (tables(), library.history.page(limit: 1000))
    try loseCatalog()
    try expectWhole(before, history)
  }

  @Test(arguments: Act.allCases) func `from a snapshot, and what came since`(act: Act) async throws
  {
    _ = try await fixture.run([Fixtures.path("Photos/basil"), Fixtures.path("Photos/tomato")])
    try library.store.takeSnapshot()
    try await perform(act)
    try library.store.takeSnapshot()
    _ = try library.diary.setMood(.grateful, on: day.advanced(by: 1))
    let (before, history) = try (tables(), library.history.page(limit: 1000))
    // The newest is damaged: the one before and all frames since lead to the same.
    let newest = try #require(try library.store.snapshots().first)
    try Data("no catalog".utf8).write(to: URL(fileURLWithPath: newest.path))
    try loseCatalog()
    try expectWhole(before, history)
  }

  @Test func `ten thousand commits of all kinds, with snapshots between`() throws {
    let catalogPath = library.path + "/catalog.sqlite"
    let activity = try library.activities.add(ActivityDetails(name: "water", startFrom: day))
    let plant = try library.plants.add(PlantDetails(name: "fern"))
    for number in 0..<10_000 {
      let date = day.advanced(by: number / 7)
      switch number % 7 {
      case 0: _ = try library.diary.setMood(number % 2 == 0 ? .happy : .sad, on: date)
      case 1: _ = try library.diary.setDailyLog(on: date) { $0.stress = 1 + number % 5 }
      case 2: _ = try library.activities.complete(activity.id, on: [date])
      case 3: _ = try library.plants.edit(plant.id) { $0.notes = "note \(number)" }
      case 4: try library.settings.set(.reportName, to: "name \(number)")
      case 5:
        _ = try library.diary.addSymptom(
          Symptom(name: "ache \(number % 40)", severity: try Severity(2)))
      default: try library.history.undo()
      }
      if number % 3000 == 2999 { try library.store.takeSnapshot() }
    }
    let before = try tables()
    let count = try library.history.page(limit: 1).changes.first?.id ?? 0
    #expect(count > 8000)
    try loseCatalog()
    let report = try CatalogRescue(at: library.path).run()
    #expect(report.losses.isEmpty && report.commitCount > 900)
    #expect(try tables() == before)
    #expect(FileManager.default.fileExists(atPath: catalogPath))
  }

  @Test func `a frame that is damaged is named, and what still fits behind it comes back`() throws {
    _ = try library.diary.setMood(.happy, on: day)
    let named = try Library.open(
      at: library.path, origin: "plant add Fern", files: POSIXFileSystem(), takesSnapshots: false)
    _ = try named.plants.add(PlantDetails(name: "Fern"))
    try named.close()
    _ = try library.diary.setMood(.sad, on: day.advanced(by: 1))
    try loseCatalog()
    let file = try #require(fixture.folder.files(below: "library/journal").first)
    let path = fixture.folder.file("library/journal/" + file)
    var data = try Data(contentsOf: URL(fileURLWithPath: path))
    let place = try #require(data.range(of: Data("plant add Fern".utf8))?.upperBound)
    data[place + 40] ^= 1
    try data.write(to: URL(fileURLWithPath: path))
    let report = try CatalogRescue(at: library.path).run()
    #expect(report.losses.count == 1)
    #expect(report.losses.first?.changes == ["plant add Fern"])
    let again = try Library.open(at: library.path)
    #expect(
      try again.diary.mood(on: day) != nil && again.diary.mood(on: day.advanced(by: 1)) != nil)
    #expect(try again.plants.all().isEmpty)
  }

  @Test func `commits at the end that are gone are a loss, not silence`() throws {
    _ = try library.diary.setMood(.happy, on: day)
    _ = try library.diary.setMood(.sad, on: day.advanced(by: 1))
    try loseCatalog()
    let file = try #require(fixture.folder.files(below: "library/journal").first)
    let path = fixture.folder.file("library/journal/" + file)
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    try data.dropLast(10).write(to: URL(fileURLWithPath: path))
    let report = try CatalogRescue(at: library.path).run()
    #expect(report.losses.map(\.commits.count) == [1])
  }

  @Test func `nothing of a catalog that a restore has replaced comes back`() async throws {
    _ = try await fixture.run([Fixtures.path("Photos/basil")])
    let place = fixture.folder.file("backup")
    _ = try Backup(library).run(BackupRequest(path: place)) { _ in }
    _ = try library.diary.setMood(.happy, on: day)
    try library.store.takeSnapshot()
    _ = try library.plants.add(PlantDetails(name: "Replaced"))
    try library.close()
    let backup = try Library.open(at: place, for: .reading)
    _ = try Restore(backup, to: library.path).run { _ in }
    let restored = try Library.open(at: library.path)
    _ = try restored.plants.add(PlantDetails(name: "Later"))
    try restored.close()
    let before = try tables()
    try loseCatalog()
    let report = try CatalogRescue(at: library.path).run()
    #expect(report.wasLost && report.losses.isEmpty)
    #expect(try tables() == before)
    let again = try Library.open(at: library.path)
    #expect(try again.plants.all().map(\.name).sorted() == ["Later", "basil"])
  }
}
