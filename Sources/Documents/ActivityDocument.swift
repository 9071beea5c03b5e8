package import Leaflog

/// An activity in JSON.
package struct ActivityDocument: Encodable {
  let id: String
  let name: String
  let emoji: String
  let category: String
  let startFrom: String
  let plant: EntryDocument.PlantName?
  let notes: String?
  let everyDays: Int?
  let weeklyGoal: Int?
  let monthlyGoal: Int?
  let iconName: String?
  /// The position in the user-defined order, counted from 1.
  let place: Int
  let createdAt: String
  let lastDone: String?
  /// Days since it was last done, or since its start if it never was.
  let daysSince: Int
  let doneToday: Bool
  let dueOn: String?
  let isDue: Bool
  let completionCount: Int

  package init(_ activity: Activity, doneToday: Bool, today: LocalDay) {
    let details = activity.details
    id = activity.id.description
    name = details.name
    emoji = details.emoji
    category = details.category
    startFrom = details.startFrom.description
    plant = activity.plant.map { .init(id: $0.id.description, name: $0.name) }
    notes = details.notes
    everyDays = details.everyDays
    weeklyGoal = details.weeklyGoal
    monthlyGoal = details.monthlyGoal
    iconName = details.iconName
    place = activity.rank + 1
    createdAt = RecordedTime.instant(activity.createdAt).iso8601
    lastDone = activity.lastDone?.description
    daysSince = activity.daysSince(on: today)
    self.doneToday = doneToday
    dueOn = activity.dueDay?.description
    isDue = activity.isDue(on: today)
    completionCount = activity.completionCount
  }

  /// Looks up whether it was done today.
  package init(_ activity: Activity, in library: Library) throws {
    let today = library.today
    let done = try library.activities.done(on: today)
    self.init(activity, doneToday: done.contains(activity.id), today: today)
  }
}

/// An activity with its record in JSON.
package struct ActivityRecordDocument: Encodable {
  private struct StreakDocument: Encodable {
    let count: Int
    /// `completion`, `week` or `month`.
    let unit: String
    let firstDay: String
    let lastDay: String

    init(_ streak: Streak) {
      count = streak.count
      unit = streak.unit.rawValue
      firstDay = streak.firstDay.description
      lastDay = streak.lastDay.description
    }
  }

  private struct GoalDocument: Encodable {
    let count: Int
    let goal: Int?
    let isReached: Bool?

    init(_ progress: GoalProgress) {
      count = progress.count
      goal = progress.goal
      isReached = progress.goal.map { _ in progress.isReached }
    }
  }

  private struct CalendarDocument: Encodable {
    let month: String
    let days: [String]
  }

  private enum Key: CodingKey {
    case currentStreak, longestStreak, thisWeek, thisMonth, months, calendar
  }

  private let record: ActivityRecord
  private let month: CalendarMonth

  package init(_ record: ActivityRecord, month: CalendarMonth) {
    self.record = record
    self.month = month
  }

  /// Encodes the keys of the activity and of its record into one object.
  package func encode(to encoder: any Encoder) throws {
    try ActivityDocument(record.activity, doneToday: record.isDoneToday, today: record.today)
      .encode(to: encoder)
    var object = encoder.container(keyedBy: Key.self)
    try object.encodeIfPresent(
      record.currentStreak.map(StreakDocument.init), forKey: .currentStreak)
    try object.encodeIfPresent(
      record.longestStreak.map(StreakDocument.init), forKey: .longestStreak)
    try object.encode(GoalDocument(record.week), forKey: .thisWeek)
    try object.encode(GoalDocument(record.month), forKey: .thisMonth)
    try object.encode(record.months.map(BucketDocument.init), forKey: .months)
    let days = record.days(in: month).map(\.description)
    try object.encode(
      CalendarDocument(month: month.description, days: days), forKey: .calendar)
  }
}
