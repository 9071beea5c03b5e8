import Foundation
import Leaflog
import TestSupport
import Testing

/// The beginning of an activity: its emoji, and the days on which it was done before.
@Suite struct ActivityAdditionTests {
  private let fixture: LibraryFixture
  private var library: Library { fixture.library }

  init() throws { fixture = try LibraryFixture() }

  private func day(_ text: String) throws -> LocalDay { try #require(LocalDay(text)) }

  private func moment(_ text: String) throws -> RecordedTime { try #require(RecordedTime(text)) }

  @Test(arguments: [
    ("Water the monstera", "💧"), ("Blumen gießen", "💧"), ("Basilikum umtopfen", "🪴"),
    ("walk the DOG", "🐕"), ("Zähne putzen", "🦷"), ("Küche putzen", "🧽"), ("Go for a run", "🏃"),
    ("Müll rausbringen", "🗑️"), ("Guitar practice", "🎸"), ("Vitamin D", "💊"), ("scatter", "✅"),
  ])
  func `an emoji is suggested by the words of a name`(name: String, emoji: String) throws {
    let made = try library.activities.add(
      ActivityDetails(name: name, startFrom: try day("2026-01-01")))
    #expect(made.details.emoji == emoji)
    let own = try library.activities.edit(made.id) { $0.emoji = "🦄" }
    #expect(own.details.emoji == "🦄")
    #expect(try library.activities.edit(made.id) { $0.emoji = "" }.details.emoji == emoji)
  }

  @Test func `a category of one's own remembers the emoji of its newest activity`() throws {
    func add(_ name: String, _ emoji: String? = nil, _ category: String) throws -> Activity {
      try library.activities.add(
        ActivityDetails(
          name: name, emoji: emoji, category: category, startFrom: try day("2026-01-01")))
    }
    #expect(try add("a", nil, "Band").details.emoji == "✅")
    _ = try add("b", "🎺", "Band")
    let third = try add("c", nil, " band")
    #expect(third.details.emoji == "🎺")
    _ = try library.activities.edit(third.id) { $0.emoji = "🥁" }
    #expect(try add("d", nil, "Band").details.emoji == "🥁")
    // A word of the name says more; known categories keep their own.
    #expect(try add("violin", nil, "Band").details.emoji == "🎻")
    _ = try add("e", "🧊", "Home")
    #expect(try add("f", nil, "Home").details.emoji == "🏠")
  }

  @Test func `one undo takes back an activity with the days it came with`() throws {
    try fixture.clock.set(moment("2026-03-10T12:00:00+01:00"))
    let details = ActivityDetails(name: "Yoga", startFrom: try day("2026-03-10"))
    let days = try ["2026-03-03", "2026-03-01", "2026-03-03"].map(day)
    let made = try library.activities.add(details, doneOn: days)
    #expect(made.completionCount == 2)
    #expect(try made.lastDone == day("2026-03-03"))
    let completions = try library.diary.entries(of: .completion)
    #expect(completions.map(\.time.localDay.description) == ["2026-03-01", "2026-03-03"])
    _ = try library.history.undo(.activityAdd)
    #expect(try library.activities.all().isEmpty)
    #expect(try library.diary.entries(of: .completion).isEmpty)
    let error = #expect(throws: LeaflogError.self) {
      try library.activities.add(details, doneOn: [day("2026-03-11")])
    }
    #expect(error?.code == .invalidRequest)
    #expect(try library.activities.all().isEmpty)
  }

  @Test func `days that are done already can be left out`() throws {
    let water = try library.activities.add(
      ActivityDetails(name: "water", startFrom: try day("2026-01-01")))
    try fixture.clock.set(moment("2026-03-10T12:00:00+01:00"))
    let days = (1...5).map { LocalDay(year: 2026, month: 3, day: $0)! }
    _ = try library.activities.complete(water.id, on: days[1...2])
    let error = #expect(throws: LeaflogError.self) {
      try library.activities.complete(water.id, on: days)
    }
    #expect(error?.code == .conflict)
    let result = try library.activities.complete(water.id, on: days, skipsDone: true)
    #expect(result.changed.count == 3 && result.unchangedCount == 2)
    #expect(try library.activities.completionDays(of: water.id) == days)
    _ = try library.history.undo(.activityDone)
    #expect(try library.activities.completionDays(of: water.id) == Array(days[1...2]))
  }
}
