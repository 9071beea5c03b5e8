import DiaryModel
import Leaflog
import Testing

/// Streaks, goals and months of given days, as of a given day.
@Suite struct ActivityRecordTests {
  private func day(_ text: String) throws -> LocalDay { try #require(LocalDay(text)) }

  private func record(
    _ days: [String], every: Int? = nil, weekly: Int? = nil, monthly: Int? = nil, on today: String,
    weekFrom firstWeekday: Int = 1
  ) throws -> ActivityRecord {
    let activity = Activity(
      id: .random(),
      details: ActivityDetails(
        name: "water", startFrom: try day("2024-01-01"), everyDays: every, weeklyGoal: weekly,
        monthlyGoal: monthly), plant: nil, rank: 0, createdAt: Timestamp(milliseconds: 0),
      deletedAt: nil, lastDone: nil, completionCount: days.count)
    return ActivityRecord(
      activity, days: try days.map { try day($0) }, today: try day(today),
      firstWeekday: firstWeekday)
  }

  // Streaks

  @Test func `without an interval a streak is of consecutive days`() throws {
    let days = ["2024-02-27", "2024-02-28", "2024-02-29", "2024-03-01", "2024-03-03", "2024-03-04"]
    let record = try record(days, on: "2024-03-04")
    #expect(
      try record.longestStreak
        == Streak(count: 4, firstDay: day("2024-02-27"), lastDay: day("2024-03-01")))
    #expect(record.currentStreak?.count == 2)
    #expect(record.isDoneToday)
    // Today's is not done yet; a day later it is too late.
    #expect(try self.record(days, on: "2024-03-05").currentStreak?.count == 2)
    #expect(try self.record(days, on: "2024-03-06").currentStreak == nil)
    #expect(try self.record(days, on: "2024-03-06").longestStreak?.count == 4)
    #expect(try self.record([], on: "2024-03-06").longestStreak == nil)
  }

  @Test func `in a year that has no leap day March follows on the twenty-eighth`() throws {
    let days = ["2025-02-28", "2025-03-01", "2025-12-31", "2026-01-01"]
    let record = try record(days, on: "2026-01-02")
    #expect(record.currentStreak?.count == 2)
    // Of two as long the later one.
    #expect(try record.longestStreak?.firstDay == day("2025-12-31"))
  }

  @Test func `with an interval completions are at most so many days apart`() throws {
    let days = ["2026-03-01", "2026-03-08", "2026-03-10", "2026-03-17", "2026-03-25"]
    let record = try record(days, every: 7, on: "2026-04-01")
    #expect(record.longestStreak?.count == 4)
    #expect(record.currentStreak?.count == 1)  // due today
    #expect(try self.record(days, every: 7, on: "2026-04-02").currentStreak == nil)
    #expect(try self.record(days, every: 8, on: "2026-04-02").currentStreak?.count == 5)
  }

  @Test func `over both changes of clocks a streak goes on`() throws {
    for days in [
      ["2026-03-28", "2026-03-29", "2026-03-30"], ["2026-10-24", "2026-10-25", "2026-10-26"],
    ] {
      #expect(try record(days, on: days[2]).currentStreak?.count == 3)
    }
  }

  @Test func `days that are still to come count for no streak and no goal`() throws {
    let record = try record(
      ["2026-03-01", "2026-03-02", "2026-03-03"], weekly: 1, on: "2026-03-02")
    // A streak of weeks: that of 1 March, a Sunday, and that of 2 March.
    #expect(record.currentStreak?.count == 2 && record.currentStreak?.unit == .week)
    #expect(try record.currentStreak?.lastDay == day("2026-03-02"))
    #expect(record.isDoneToday)
    #expect(record.week.count == 1 && record.month.count == 2)
  }

  // Goals and months

  @Test func `a goal is for today's week from Monday on, and today's month`() throws {
    let days = ["2026-02-22", "2026-02-23", "2026-02-28", "2026-03-01"]
    let sunday = try record(days, weekly: 3, monthly: 2, on: "2026-03-01")
    #expect(sunday.week == GoalProgress(count: 3, goal: 3) && sunday.week.isReached)
    #expect(sunday.month.count == 1 && !sunday.month.isReached)
    let monday = try record(days, weekly: 3, on: "2026-03-02")
    #expect(monday.week.count == 0 && !monday.week.isReached)
    #expect(monday.month.goal == nil && !monday.month.isReached)
    #expect(
      monday.months == [Bucket(name: "2026-02", count: 3), Bucket(name: "2026-03", count: 1)])
    let february = try #require(CalendarMonth("2026-02"))
    #expect(try monday.days(in: february).last == day("2026-02-28"))
  }

  /// Three times in each of four weeks, the last of which ends on Sunday, 1 March.
  private static let fourWeeks = [
    "2026-02-02", "2026-02-04", "2026-02-07", "2026-02-09", "2026-02-11", "2026-02-14",
    "2026-02-16", "2026-02-18", "2026-02-21", "2026-02-23", "2026-02-25", "2026-02-28",
  ]

  @Test
  func
    `with a weekly goal a streak counts weeks that reached it, and the present one never ends it`()
    throws
  {
    let streak = Streak(
      count: 4, unit: .week, firstDay: try day("2026-02-02"), lastDay: try day("2026-03-01"))
    for today in ["2026-03-02", "2026-03-08"] {
      let record = try record(Self.fourWeeks, weekly: 3, on: today)
      #expect(record.currentStreak == streak && record.longestStreak == streak)
    }
    let missed = try record(Self.fourWeeks, weekly: 3, on: "2026-03-09")
    #expect(missed.currentStreak == nil && missed.longestStreak == streak)
    let more = ["2026-03-02", "2026-03-03", "2026-03-05"]
    let five = try record(Self.fourWeeks + more, every: 2, weekly: 3, on: "2026-03-06")
    #expect(five.currentStreak?.count == 5)
    #expect(try five.currentStreak?.lastDay == day("2026-03-06"))
    #expect(try record(Self.fourWeeks, weekly: 4, on: "2026-03-02").longestStreak == nil)
  }

  @Test func `with a monthly goal a streak counts months, over the end of the year and leap days`()
    throws
  {
    let days = [
      "2023-10-31", "2023-12-01", "2023-12-31", "2024-01-05", "2024-01-06", "2024-02-28",
      "2024-02-29",
    ]
    for today in ["2024-02-29", "2024-03-01", "2024-03-31"] {
      let streak = try record(days, monthly: 2, on: today).currentStreak
      #expect(streak?.count == 3 && streak?.unit == .month)
      #expect(try streak?.firstDay == day("2023-12-01") && streak?.lastDay == day("2024-02-29"))
    }
    #expect(try record(days, monthly: 2, on: "2024-04-01").currentStreak == nil)
    #expect(try record(days, monthly: 1, on: "2023-11-30").currentStreak?.count == 1)
  }

  @Test(arguments: [(1, 1, 2), (7, 2, 1), (6, 2, 1)])
  func `weeks, their goals and their streaks begin on the chosen day`(
    first: Int, count: Int, streak: Int
  ) throws {
    // Sunday and Monday
    let record = try record(
      ["2026-03-01", "2026-03-02"], weekly: 1, on: "2026-03-02", weekFrom: first)
    #expect(record.week.count == count && record.currentStreak?.count == streak)
    let weeks = try #require(CalendarMonth("2026-03")).weeks(from: first)
    #expect(weeks.allSatisfy { $0.count == 7 })
    #expect(weeks[0].firstIndex { $0 != nil } == (7 - first) % 7)
    #expect(weeks.flatMap { $0 }.compactMap { $0 }.count == 31)
  }

  @Test func `a month's weeks go from Monday to Sunday`() throws {
    let march = try #require(CalendarMonth("2026-03"))
    #expect(march.weeks().count == 6 && march.weeks().allSatisfy { $0.count == 7 })
    #expect(try march.weeks()[0] == [nil, nil, nil, nil, nil, nil, day("2026-03-01")])
    #expect(try march.weeks()[5].prefix(3) == [day("2026-03-30"), day("2026-03-31"), nil])
    #expect(CalendarMonth("2024-02")?.dayCount == 29 && CalendarMonth("2100-02")?.dayCount == 28)
    #expect(CalendarMonth("2021-02")?.weeks().count == 4)
    #expect(march.description == "2026-03" && march.year == 2026 && march.month == 3)
    #expect(try CalendarMonth(of: day("2026-03-31")) == march)
    for text in ["2026-13", "2026-00", "2026", "2026-3", "2026-03-01", "march"] {
      #expect(CalendarMonth(text) == nil, "\(text)")
    }
  }
}
