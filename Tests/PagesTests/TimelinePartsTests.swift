import Leaflog
import Pages
import TestSupport
import Testing

/// How a timeline is cut into sections and parts.
@Suite struct TimelinePartsTests {
  private static func tallies(_ counts: [Int], from day: String) -> [DayTally] {
    let first = LocalDay(day)!
    return counts.enumerated().map { number, count in
      DayTally(day: first.advanced(by: -number), plant: nil, isPhoto: true, count: count)
    }
  }

  @Test func `parts of a grid are full but for the last of a month`() {
    let parts = TimelineParts(
      Self.tallies([40, 40, 50, 250, 10], from: "2026-11-20"), as: .grid, isStacking: true)
    #expect(parts.sections.count == 1)
    #expect(parts.sections[0].parts.map(\.tileCount) == [120, 120, 120, 30])
    #expect(parts.sections[0].parts.map(\.headingCount) == [0, 0, 0, 0])
    #expect(parts.sections[0].photoCount == 390)
  }

  @Test func `a day stays in one part unless it is larger than a part`() {
    let parts = TimelineParts(
      Self.tallies([40, 40, 50, 250, 10], from: "2026-11-20"), isStacking: true
    ).sections[0].parts
    #expect(parts.map(\.tileCount) == [130, 120, 120, 20])
    #expect(parts.map(\.headingCount) == [3, 1, 1, 2])
  }

  @Test func `rows are counted day by day for each number of columns`() {
    let tallies = Self.tallies([1, 7, 4], from: "2026-11-20")
    let days = TimelineParts(tallies, isStacking: true).sections[0].parts[0]
    #expect(days.rowCounts == [6, 4, 4, 4, 3, 3])
    let grid = TimelineParts(tallies, as: .grid, isStacking: true).sections[0].parts[0]
    #expect(grid.rowCounts == [4, 3, 3, 2, 2, 2])
  }

  @Test(arguments: [TimelineLayout.days, .grid, .pictureADay])
  func `a month's parts are those that it has by itself`(_ layout: TimelineLayout) {
    let counts = (0..<90).map { $0 % 17 + 1 }
    let all = Self.tallies(counts, from: "2026-11-20")
    for section in TimelineParts(all, as: layout, isStacking: true).sections {
      let own = all.filter { section.span.days.contains($0.day) }
      let alone = TimelineParts(own, as: layout, isStacking: true).sections[0]
      #expect(alone.parts.map(\.itemCount) == section.parts.map(\.itemCount))
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
    let stacked = TimelineParts(tallies, isStacking: true).sections[0]
    #expect(stacked.parts.map(\.tileCount) == [13] && stacked.parts.map(\.entryCount) == [3])
    #expect(stacked.photoCount == 156 && stacked.entryCount == 3)
    let loose = TimelineParts(tallies, isStacking: false).sections[0]
    #expect(loose.parts.map(\.tileCount) == [120, 36] && loose.parts.map(\.entryCount) == [0, 3])
  }

  @Test func `one picture stands for a day or for a month, and days without photos have none`() {
    var tallies = Self.tallies(Array(repeating: 20, count: 60), from: "2026-01-20")
    tallies.insert(
      DayTally(day: LocalDay("2026-01-21")!, plant: nil, isPhoto: false, count: 2), at: 0)
    let days = TimelineParts(tallies, as: .pictureADay, isStacking: true).sections
    #expect(days.map(\.span.description) == ["2026-01", "2025-12", "2025-11"])
    #expect(days.map { $0.parts.map(\.tileCount) } == [[20], [31], [9]])
    #expect(days.map(\.photoCount) == [400, 620, 180])
    let months = TimelineParts(tallies, as: .pictureAMonth, isStacking: true).sections
    #expect(months.map(\.span.description) == ["2026", "2025"])
    #expect(months.map { $0.parts.map(\.tileCount) } == [[1], [2]])
    #expect(SectionSpan("2025") == months[1].span && SectionSpan("2026-01") == days[0].span)
  }
}
