import Foundation
import Leaflog
import TestSupport
import Testing

/// Entries that stand for many, evenly chosen.
@Suite struct TimelineSampleTests {
  private let fixture: LibraryFixture
  private var timeline: Timeline { fixture.library.timeline }

  init() throws { fixture = try LibraryFixture() }

  @Test func `a sample goes evenly from the first to the last, in the query's order`() throws {
    let first = try #require(LocalDay("2026-01-01"))
    for number in 0..<31 {
      let symptom = Symptom(name: "cough", severity: try Severity(1))
      let entry = try fixture.library.diary.addSymptom(
        symptom, at: .day(first.advanced(by: number)), confirmed: [.late])
      if number % 2 == 0 { _ = try fixture.library.diary.addTags(["even"], to: [entry.id]) }
    }
    var query = TimelineQuery(kinds: [.symptom], order: .oldestFirst)
    func days(_ count: Int) throws -> [Int] {
      try timeline.sample(query, count: count).map { first.daysAgo(on: $0.time.localDay) }
    }
    #expect(try days(4) == [0, 10, 20, 30])
    #expect(try days(1) == [0])
    #expect(try days(31) == Array(0...30) && days(1000) == Array(0...30))
    query.order = .newestFirst
    #expect(try days(4) == [30, 20, 10, 0])
    query.tags = ["EVEN"]
    #expect(try days(2) == [30, 0] && days(1000).count == 16)
    query.firstDay = first.advanced(by: 40)
    #expect(try days(4).isEmpty)
    #expect(throws: LeaflogError.self) { try days(0) }
  }
}
