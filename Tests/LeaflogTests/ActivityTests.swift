import DiaryModel
import Foundation
import Leaflog
import TestSupport
import Testing

/// The rules of activities, on days and moments of the tests' own.
@Suite struct ActivityTests {
  private func day(_ text: String) throws -> LocalDay { try #require(LocalDay(text)) }

  private func moment(_ text: String) throws -> RecordedTime { try #require(RecordedTime(text)) }

  private func added(
    _ fixture: LibraryFixture, every: Int? = nil, from: String = "2024-01-01"
  ) throws -> Activity {
    try fixture.library.activities.add(
      ActivityDetails(name: "water", startFrom: try day(from), everyDays: every))
  }

  // What counts as an emoji

  @Test(arguments: [
    "🌿", "💧", "👩🏽‍🌾", "🇩🇪", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "1️⃣", "#️⃣", "❤️", "☀️", "👨‍👩‍👧‍👦", "©️", "🐈‍⬛", "✅", "🧑‍🧑‍🧒",
  ])
  func `any grapheme that is an emoji is one`(emoji: String) throws {
    #expect(emoji.isOneEmoji)
    let fixture = try LibraryFixture()
    let made = try fixture.library.activities.add(
      ActivityDetails(name: "x", emoji: " \(emoji) ", startFrom: try day("2026-01-01")))
    #expect(made.details.emoji == emoji)
  }

  @Test(arguments: [
    "a", "1", "#", "ab", "🌿🌿", "🇩", "é", "漢", "\u{200D}", "\u{20E3}", "🌿\u{301}", "🌿 💧", "→",
  ])
  func `anything else is none`(text: String) throws {
    #expect(!text.isOneEmoji)
    let fixture = try LibraryFixture()
    let error = #expect(throws: LeaflogError.self) {
      try fixture.library.activities.add(
        ActivityDetails(name: "x", emoji: text, startFrom: LocalDay(dayNumber: 0)))
    }
    #expect(error?.code == .invalidRequest)
    #expect(error?.message.contains("emoji") == true)
  }

  @Test(arguments: [
    ("Hobby", "🎨"), ("health", "💪"), ("PET", "🐾"), ("Home", "🏠"), ("Others", "✅"), ("Garten", "✅"),
  ])
  func `without an emoji it has its category's, and what an older export says of it stays`(
    category: String, emoji: String
  ) throws {
    let fixture = try LibraryFixture()
    let made = try fixture.library.activities.add(
      ActivityDetails(
        name: "x", category: category, startFrom: try day("2026-01-01"), iconName: "figure.walk"))
    #expect(made.details.emoji == emoji)
    #expect(made.details.iconName == "figure.walk")
    let other = try fixture.library.activities.edit(made.id) { $0.emoji = "" }
    #expect(other.details.emoji == emoji)
  }

  @Test(
    arguments: [
      (\ActivityDetails.everyDays, 0), (\.everyDays, 3661), (\.weeklyGoal, 0), (\.weeklyGoal, 8),
      (\.monthlyGoal, 0), (\.monthlyGoal, 32), (\.everyDays, -7),
    ] as [(WritableKeyPath<ActivityDetails, Int?> & Sendable, Int)])
  func `numbers that make no sense are refused`(
    path: WritableKeyPath<ActivityDetails, Int?> & Sendable, value: Int
  ) throws {
    let fixture = try LibraryFixture()
    let made = try added(fixture)
    let error = #expect(throws: LeaflogError.self) {
      try fixture.library.activities.edit(made.id) { $0[keyPath: path] = value }
    }
    #expect(error?.code == .invalidRequest)
    #expect(try fixture.library.activities.all() == [made])
  }

  // Days since, and when it is due

  @Test func `days are counted from the last completion, and before there is one from the start`()
    throws
  {
    let fixture = try LibraryFixture()
    let activity = try added(fixture, every: 7, from: "2024-02-22")
    #expect(try activity.daysSince(on: day("2024-02-22")) == 0)
    #expect(try activity.daysSince(on: day("2024-03-01")) == 8)  // over a leap day
    #expect(try activity.daysSince(on: day("2024-02-20")) == -2)
    #expect(try activity.dueDay == day("2024-02-29"))
    #expect(try !activity.isDue(on: day("2024-02-28")))
    try fixture.clock.set(moment("2024-03-01T09:00"))
    _ = try fixture.library.activities.complete(
      activity.id, on: [day("2024-02-22"), day("2024-02-20")])
    let done = try fixture.library.activities.find(matching: "water")
    #expect(try done.lastDone == day("2024-02-22"))
    #expect(try done.dueDay == day("2024-02-29"))
    #expect(try !done.isDue(on: day("2024-02-28")) && done.isDue(on: day("2024-02-29")))
    #expect(try done.daysSince(on: day("2024-02-29")) == 7)
  }

  // Done now

  @Test func `it is done once a day, and at the day's end another day begins`() throws {
    let fixture = try LibraryFixture()
    let activity = try added(fixture)
    try fixture.clock.set(moment("2026-03-01T23:59:59+01:00"))
    let first = try fixture.library.activities.complete(activity.id)
    #expect(first.changed.count == 1 && first.unchangedCount == 0)
    let entry = first.changed[0]
    #expect(entry.time.recorded.iso8601 == "2026-03-01T23:59:59+01:00")
    #expect(
      entry.content
        == .completion(
          Completion(
            activity: ActivityReference(id: activity.id, name: "water", emoji: "💧"),
            source: "command")))
    try fixture.clock.set(moment("2026-03-01T00:00:00+01:00"))
    let again = try fixture.library.activities.complete(activity.id)
    #expect(again.changed.isEmpty && again.unchangedCount == 1)
    try fixture.clock.set(moment("2026-03-02T00:00:00+01:00"))
    #expect(try fixture.library.activities.complete(activity.id).changed.count == 1)
    #expect(try fixture.library.activities.done(on: day("2026-03-02")) == [activity.id])
    #expect(try fixture.library.activities.completionDays(of: activity.id).count == 2)
  }

  @Test func `an hour that clocks show twice belongs to one day, one that they skip to none`()
    throws
  {
    let fixture = try LibraryFixture()  // in Berlin
    let activity = try added(fixture)
    for (time, isNew) in [
      ("2026-03-28T23:30:00+01:00", true), ("2026-03-29T01:59:59+01:00", true),
      ("2026-03-29T03:00:00+02:00", false), ("2026-10-25T02:30:00+02:00", true),
      ("2026-10-25T02:30:00+01:00", false), ("2026-10-25T23:59:00+01:00", false),
      ("2026-10-26T00:01:00+01:00", true),
    ] {
      try fixture.clock.set(moment(time))
      #expect(
        try fixture.library.activities.complete(activity.id).changed.count == (isNew ? 1 : 0),
        "\(time)")
    }
    let days = try fixture.library.activities.completionDays(of: activity.id).map(\.description)
    #expect(days == ["2026-03-28", "2026-03-29", "2026-10-25", "2026-10-26"])
  }

  @Test func `a completion without a time of day stands under its day through both changes`() throws
  {
    let fixture = try LibraryFixture()
    let activity = try added(fixture)
    let days = try ["2024-02-29", "2026-03-29", "2026-03-30", "2026-10-25", "2026-10-26"].map(day)
    try fixture.clock.set(moment("2026-10-26T12:00"))
    let made = try fixture.library.activities.complete(activity.id, on: days.reversed())
    #expect(made.changed.map(\.time.localDay) == days)
    #expect(made.changed.allSatisfy { $0.time.basis == .day })
    #expect(try fixture.entries(TimelineQuery(order: .oldestFirst)).map(\.time.localDay) == days)
    guard case .completion(let completion) = made.changed[0].content else {
      Issue.record("no completion")
      return
    }
    #expect(completion.source == "bulk")
  }

  // Several days at once

  @Test func `a day to come among several keeps all from being written`() throws {
    let fixture = try LibraryFixture()
    // In Berlin it is the second already.
    try fixture.clock.set(moment("2026-03-02T00:30:00+01:00"))
    let activity = try added(fixture)
    let error = #expect(throws: LeaflogError.self) {
      try fixture.library.activities.complete(
        activity.id, on: [day("2026-03-01"), day("2026-03-03"), day("2026-03-04")])
    }
    #expect(error?.code == .invalidRequest)
    #expect(error?.message.hasPrefix("2026-03-03 and 2026-03-04 are in the future.") == true)
    #expect(try fixture.entries().isEmpty)
    let made = try fixture.library.activities.complete(
      activity.id, on: [day("2026-03-02"), day("2026-03-01"), day("2026-03-02")])
    #expect(made.changed.count == 2)
  }

  @Test func `a day that has one among several keeps all from being written, and is named`() throws
  {
    let fixture = try LibraryFixture()
    let activity = try added(fixture)
    try fixture.clock.set(moment("2026-03-31T12:00"))
    let march = try #require(CalendarMonth("2026-03"))
    _ = try fixture.library.activities.complete(activity.id, on: march.days.dropFirst(20))
    let error = #expect(throws: LeaflogError.self) {
      try fixture.library.activities.complete(activity.id, on: march.days)
    }
    #expect(error?.code == .conflict)
    #expect(error?.message.contains("2026-03-21") == true)
    #expect(error?.message.contains("and 6 more") == true)
    #expect(try fixture.library.activities.completionDays(of: activity.id, in: march).count == 11)
    #expect(try fixture.library.activities.complete(activity.id, on: []).changed.isEmpty)
  }

  @Test
  func `a completion that is missing cannot be undone, and one that was undone can be done anew`()
    throws
  {
    let fixture = try LibraryFixture()
    try fixture.clock.set(moment("2026-03-02T12:00"))
    let activity = try added(fixture)
    _ = try fixture.library.activities.complete(activity.id, on: [day("2026-03-01")])
    let done = try fixture.library.activities.find(matching: "water")
    let error = #expect(throws: LeaflogError.self) {
      try fixture.library.activities.uncomplete(done, on: day("2026-03-02"))
    }
    #expect(error?.code == .notFound)
    #expect(error?.message.contains("It was done last on 2026-03-01.") == true)
    let gone = try fixture.library.activities.uncomplete(done, on: day("2026-03-01")).changed
    #expect(gone.map(\.time.localDay) == [try day("2026-03-01")])
    _ = try fixture.library.activities.complete(activity.id, on: [day("2026-03-01")])
    let conflict = #expect(throws: LeaflogError.self) {
      try fixture.library.diary.restore(gone.map(\.id), of: .completion)
    }
    #expect(conflict?.code == .conflict)
  }

  // Order

  @Test func `an activity is moved to a number, before or behind another`() throws {
    let fixture = try LibraryFixture()
    var ids: [String: ActivityID] = [:]
    for name in ["a", "b", "c", "d"] {
      ids[name] = try fixture.library.activities.add(
        ActivityDetails(name: name, startFrom: try day("2026-01-01"))
      ).id
    }
    func moved(_ name: String, _ place: OrderPlace<ActivityID>) throws -> String {
      try fixture.library.activities.reorder(#require(ids[name]), to: place).map(\.name).joined()
    }
    #expect(try moved("d", .number(1)) == "dabc")
    #expect(try moved("d", .number(4)) == "abcd")
    #expect(try moved("a", .after(#require(ids["c"]))) == "bcad")
    #expect(try moved("d", .before(#require(ids["c"]))) == "bdca")
    #expect(try moved("d", .before(#require(ids["d"]))) == "bdca")
    for number in [0, 5, -1] {
      let error = #expect(throws: LeaflogError.self) { try moved("a", .number(number)) }
      #expect(error?.code == .invalidRequest)
    }
    let all = try ["c", "a", "d", "b"].map { try #require(ids[$0]) }
    #expect(try fixture.library.activities.reorder(all).map(\.name).joined() == "cadb")
    for wrong in [Array(all.dropLast()), all + [all[0]], all + [.random()]] {
      let error = #expect(throws: LeaflogError.self) {
        try fixture.library.activities.reorder(wrong)
      }
      #expect(error?.code == .invalidRequest)
    }
    for expected in ["bdca", "bcad", "abcd", "dabc", "abcd"] {
      _ = try fixture.library.history.undo(.activityReorder)
      #expect(try fixture.library.activities.all().map(\.name).joined() == expected)
    }
  }
}
