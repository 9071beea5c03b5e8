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
    _ = try other.diary.delete(.symptom, [entry.id])
    #expect(try counts() == [1, 1])
    _ = try fixture.library.history.undo()
    #expect(try counts() == [2, 1])
    try other.close()
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
