package import Fields
package import Leaflog

/// An activity in JSON.
package struct ActivityDocument: Shown {
  let activity: Activity
  let doneToday: Bool
  let today: LocalDay

  package init(_ activity: Activity, doneToday: Bool, today: LocalDay) {
    (self.activity, self.doneToday, self.today) = (activity, doneToday, today)
  }

  /// Looks up whether it was done today.
  package init(_ activity: Activity, in library: Library) throws {
    let today = library.today
    let done = try library.activities.done(on: today)
    self.init(activity, doneToday: done.contains(activity.id), today: today)
  }

  package static let shown = Fields<ActivityDocument>(
    [Field(adding: "id", .id) { $0.activity.id }]
      + ActivityDetails.fields.all.map { $0.shown { $0.activity.details } } + [
        Field(adding: "plant", PlantReference.shown) { $0.activity.plant },
        // The position in the user-defined order, counted from 1.
        Field(adding: "place", .whole(1 ... .max)) { $0.activity.rank + 1 },
        Field(adding: "createdAt", .moment) { $0.activity.createdAt },
        Field(adding: "lastDone", .day) { $0.activity.lastDone },
        // Days since it was last done, or since its start if it never was.
        Field(adding: "daysSince", .whole(.min ... .max)) { $0.activity.daysSince(on: $0.today) },
        Field(adding: "doneToday", .flag) { $0.doneToday },
        Field(adding: "dueOn", .day) { $0.activity.dueDay },
        Field(adding: "isDue", .flag) { $0.activity.isDue(on: $0.today) },
        Field(adding: "completionCount", .whole(0 ... .max)) { $0.activity.completionCount },
      ])
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
