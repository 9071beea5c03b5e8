import Leaflog
import Pages
import TestSupport
import Testing

/// How a timeline is cut into sections.
@Suite struct TimelinePartsTests {
  private static func tallies(_ counts: [Int], from day: String) -> [DayTally] {
    let first = LocalDay(day)!
    return counts.enumerated().map { number, count in
      DayTally(day: first.advanced(by: -number), plant: nil, isPhoto: true, count: count)
    }
  }

  @Test func `parts are full but for the last of a month`() {
    let parts = TimelineParts(
      Self.tallies([40, 40, 50, 250, 10], from: "2026-11-20"), isStacking: true)
    #expect(parts.months.count == 1)
    #expect(parts.months[0].parts.map(\.tileCount) == [120, 120, 120, 30])
    #expect(parts.months[0].photoCount == 390)
  }

  @Test func `a month's parts are those that it has by itself`() {
    let counts = (0..<90).map { $0 % 17 + 1 }
    let all = Self.tallies(counts, from: "2026-11-20")
    for month in TimelineParts(all, isStacking: true).months {
      let own = all.filter { CalendarMonth(of: $0.day) == month.month }
      let alone = TimelineParts(own, isStacking: true).months[0]
      #expect(alone.parts.map(\.itemCount) == month.parts.map(\.itemCount))
    }
  }

  @Test func `more than twelve photos of a plant on a day are one tile`() {
    let day = LocalDay("2026-11-20")!
    let plants = [PlantID.random(), PlantID.random()]
    let tallies = [
      DayTally(day: day, plant: nil, isPhoto: false, count: 3),
      DayTally(day: day, plant: plants[0], isPhoto: true, count: 144),
      DayTally(day: day, plant: plants[1], isPhoto: true, count: 12),
    ]
    let stacked = TimelineParts(tallies, isStacking: true).months[0]
    #expect(stacked.parts.map(\.tileCount) == [13] && stacked.parts.map(\.entryCount) == [3])
    #expect(stacked.photoCount == 156 && stacked.entryCount == 3)
    let loose = TimelineParts(tallies, isStacking: false).months[0]
    #expect(loose.parts.map(\.tileCount) == [120, 36] && loose.parts.map(\.entryCount) == [0, 3])
  }
}
