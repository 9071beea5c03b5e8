import Leaflog
import TestSupport
import Testing

/// Counting entries day by day, which is remembered between changes.
@Suite struct TallyTests {
  private let fixture: LibraryFixture
  private let day = LocalDay("2026-11-02")!

  init() throws { fixture = try LibraryFixture() }

  private func counts(_ query: TimelineQuery = TimelineQuery()) throws -> [Int] {
    try fixture.library.timeline.tally(query).map(\.count)
  }

  @Test func `a tally tells of every change, whoever makes it`() throws {
    let symptom = Symptom(name: "cough", severity: try Severity(1))
    #expect(try counts().isEmpty)
    _ = try fixture.library.diary.addSymptom(symptom, at: .day(day), confirmed: [.late])
    #expect(try counts() == [1])
    let other = try Library.open(at: fixture.library.path)
    let entry = try other.diary.addSymptom(symptom, at: .day(day), confirmed: [.late])
    _ = try other.diary.addSymptom(symptom, at: .day(day.advanced(by: -1)), confirmed: [.late])
    #expect(try counts() == [2, 1])
    #expect(try counts(TimelineQuery(kinds: [.photo])).isEmpty)
    _ = try other.diary.delete([entry.id], of: .symptom)
    #expect(try counts() == [1, 1])
    _ = try fixture.library.history.undo()
    #expect(try counts() == [2, 1])
    try other.close()
  }

  @Test func `a tally from totals is what its entries give, for kinds, plants and days`()
    async throws
  {
    let library = fixture.library
    _ = try await fixture.run([Fixtures.path("Photos")])
    let symptom = Symptom(name: "cough", severity: try Severity(1))
    for offset in [0, 0, 3] {
      _ = try library.diary.addSymptom(
        symptom, at: .day(day.advanced(by: -offset)), confirmed: [.late])
    }
    _ = try library.diary.setMood(.happy, on: day)
    let photos = try library.timeline.page(TimelineQuery(kinds: [.photo]), limit: 100).elements
    let (moved, deleted) = try (#require(photos.first), #require(photos.last))
    _ = try library.photos.edit(.photos([moved.id]), plant: .remove)
    _ = try library.photos.delete(.photos([deleted.id]))
    let plant = try #require(library.plants.all().first { $0.photoCount > 0 })
    var queries = [
      TimelineQuery(), TimelineQuery(kinds: [.photo, .mood]), TimelineQuery(deleted: true),
    ]
    queries += [
      TimelineQuery(plant: plant.id), TimelineQuery(plant: plant.id, kinds: [.photo]),
      TimelineQuery(firstDay: day.advanced(by: -1), lastDay: day),
      TimelineQuery(isWithoutPlant: true), TimelineQuery(isFavourite: true),
    ]
    for query in queries {
      let entries = try library.timeline.page(query, limit: 1000).elements
      let counted = Dictionary(grouping: entries) { entry in
        DayTally(
          day: entry.time.localDay, plant: entry.kind == .photo ? entry.plant?.id : nil,
          isPhoto: entry.kind == .photo, count: 0)
      }
      let expected = Set(
        counted.map { DayTally(day: $0.day, plant: $0.plant, isPhoto: $0.isPhoto, count: $1.count) }
      )
      #expect(try Set(library.timeline.tally(query)) == expected, "\(query)")
    }
  }

  @Test func `more queries than are remembered have each its own tally`() throws {
    let symptom = Symptom(name: "cough", severity: try Severity(1))
    for number in 0..<40 {
      let entry = try fixture.library.diary.addSymptom(symptom, at: .day(day), confirmed: [.late])
      _ = try fixture.library.diary.addTags(["tag \(number)"], to: [entry.id])
    }
    for _ in 0..<2 {
      for number in 0..<40 { #expect(try counts(TimelineQuery(tags: ["tag \(number)"])) == [1]) }
      #expect(try counts() == [40])
    }
  }
}
