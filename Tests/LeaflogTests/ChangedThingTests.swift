import Foundation
import Leaflog
import TestSupport
import Testing

/// The history says what each change touched, and what is in the way of undoing it.
@Suite struct ChangedThingTests {
  private func imported() async throws -> LibraryFixture {
    let fixture = try LibraryFixture()
    for name in try FileManager.default.contentsOfDirectory(atPath: Fixtures.path("Photos/basil")) {
      try fixture.folder.copy("Photos/basil/\(name)", to: "photos/basil/\(name)")
    }
    _ = try await fixture.run()
    return fixture
  }

  private func newest(_ library: Library) throws -> Change {
    try #require(library.history.page(limit: 1, findsBlockers: true).changes.first)
  }

  /// The fields of the only thing of the newest change, as `name: old → new`.
  private func fields(_ library: Library) throws -> [String] {
    let things = try newest(library).things
    #expect(things.count == 1)
    return things.flatMap(\.fields).map {
      "\($0.name): \($0.oldText ?? "none") → \($0.newText ?? "none")"
    }
  }

  @Test func `an edit has the thing's name and its old and new values`() async throws {
    let fixture = try await imported()
    let library = fixture.library
    let photo = try #require(library.timeline.page(limit: 1).elements.first)
    _ = try library.photos.edit(photo.id, notes: "bud")
    _ = try library.photos.edit(photo.id, notes: "flower", tags: ["a", "b"])
    #expect(try fields(library) == ["notes: bud → flower", "tags: none → a; b"])
    let thing = try #require(newest(library).things.first)
    #expect(thing.title == "photo of basil, \(photo.time.date)" && thing.fate == .changed)
    #expect(thing.entry?.photo?.thumbnail != nil)
    _ = try library.photos.edit(photo.id, time: RecordedTime("2025-01-02T03:04:05"))
    let date = try #require(fields(library).first { $0.hasPrefix("time") })
    #expect(date.hasSuffix(" → 2025-01-02T03:04:05"))
    let fern = try library.plants.add(PlantDetails(name: "fern"))
    #expect(try newest(library).things.map(\.title) == ["fern"])
    _ = try library.photos.move(.photos([photo.id]), to: fern.id)
    #expect(try fields(library) == ["plant: basil → fern"])
    _ = try library.plants.edit(fern.id) { $0.location = "hall" }
    #expect(try fields(library) == ["location: none → hall"])
  }

  @Test func `fields and lists of an entry's content are told`() throws {
    let fixture = try LibraryFixture()
    let library = fixture.library
    let symptom = try library.diary.addSymptom(
      Symptom(name: "cough", severity: Severity(2), medications: ["tea", "honey"]),
      at: .day(library.today), confirmed: [.late])
    #expect(try newest(library).things.map(\.fate) == [.added])
    _ = try library.diary.editSymptom(symptom) {
      $0.name = "dry cough"
      $0.medications = ["tea"]
    }
    #expect(
      try fields(library) == ["name: cough → dry cough", "medications: tea; honey → tea"])
    _ = try library.diary.setMood(.happy, on: library.today)
    _ = try library.diary.setMood(.sad, on: library.today)
    #expect(try fields(library) == ["mood: happy → sad"])
    try library.history.undo(.moodSet)
    #expect(try fields(library) == ["mood: happy → sad"])
    // What an undone change had added is gone, and still has its name.
    try library.history.undo(.moodSet)
    let gone = try #require(
      library.history.page(limit: 9).changes.first {
        $0.counts.first?.added == 1 && $0.kind == .moodSet
      })
    #expect(gone.isUndone && gone.things.first?.entry?.content == .mood(.happy))
  }

  @Test func `a new time zone is told with the number of entries that it moved`() throws {
    let fixture = try LibraryFixture()
    let library = fixture.library
    for hour in 0..<7 {
      _ = try library.diary.addSymptom(
        Symptom(name: "cough", severity: Severity(2)),
        at: .instant(Timestamp(milliseconds: 1_750_000_000_000 + Int64(hour) * 3_600_000)),
        confirmed: [.late])
    }
    try library.settings.set(.timeZone, to: "America/New_York")
    let change = try newest(library)
    #expect(change.things.map(\.id) == ["timeZone"] && change.furtherCount == 7)
    #expect(change.things.first?.fields.first?.newText == "America/New_York")
    #expect(change.blocker == nil)
  }

  @Test func `a change of many things names the first and counts the others`() async throws {
    let fixture = try await imported()
    let library = fixture.library
    let change = try newest(library)
    #expect(change.kind == .importPhotos && change.things.count == 3)
    #expect(change.things.map(\.thing) == [.plant, .photo, .photo] && change.furtherCount == 2)
    let photo = try #require(change.things.last?.entry)
    _ = try library.photos.edit(photo.id, notes: String(repeating: "long ", count: 1000))
    #expect(try newest(library).things.first?.fields.first?.newText?.count == 201)
  }

  @Test func `a change that a later one built upon says so before it is undone`() throws {
    let fixture = try LibraryFixture()
    let library = fixture.library
    let fern = try library.plants.add(PlantDetails(name: "fern"))
    _ = try library.plants.edit(fern.id) { $0.location = "hall" }
    _ = try library.plants.edit(fern.id) { $0.location = "bath" }
    let before = try library.history.page(limit: 9)
    let page = try library.history.page(limit: 9, findsBlockers: true)
    #expect(
      page.changes.map(\.blocker) == [nil, .changedLater(by: 3), .changedLater(by: 3)])
    // Trying changes nothing.
    #expect(try library.history.page(limit: 9) == before)
    #expect(try library.plants.all().map(\.details.location) == ["bath"])
    #expect { try library.history.undo(2) } throws: {
      ($0 as? LeaflogError)?.message.hasPrefix(ChangeBlocker.changedLater(by: 3).message) == true
    }
    try library.history.undo(3)
    #expect(
      try library.history.page(limit: 9, findsBlockers: true).changes.map(\.blocker)
        == [nil, nil, .changedLater(by: 2)])
  }
}
