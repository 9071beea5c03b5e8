package import Fields

extension Activity: Shown {
  package static let shown = Fields<Activity>(
    [Field(adding: "id", .id) { $0.id }]
      + ActivityDetails.fields.all.map { $0.shown { $0.details } } + [
        Field(adding: "plant", PlantReference.shown) { $0.plant },
        // The position in the user-defined order, counted from 1.
        Field(adding: "place", .whole(1 ... .max)) { $0.rank + 1 },
        Field(adding: "createdAt", .moment) { $0.createdAt },
        Field(adding: "lastDone", .day) { $0.lastDone },
        Field(adding: "dueOn", .day) { $0.dueDay },
        Field(adding: "completionCount", .count) { $0.completionCount }.required(),
      ])
}

/// An activity on a day.
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
    Activity.shown.all.map { $0.shown { $0.activity } } + [
      // Days since it was last done, or since its start if it never was.
      Field(adding: "daysSince", .whole(.min ... .max)) { $0.activity.daysSince(on: $0.today) },
      Field(adding: "doneToday", .flag) { $0.doneToday },
      Field(adding: "isDue", .flag) { $0.activity.isDue(on: $0.today) },
    ]
  ).named("Activity")
}

/// An activity with its record.
package struct ActivityRecordDocument: Shown {
  private let record: ActivityRecord
  private let month: CalendarMonth

  /// - Parameter month: the month of the calendar.
  package init(_ record: ActivityRecord, month: CalendarMonth) {
    (self.record, self.month) = (record, month)
  }

  private var activity: ActivityDocument {
    ActivityDocument(record.activity, doneToday: record.isDoneToday, today: record.today)
  }

  package static let shown = Fields<ActivityRecordDocument>(
    ActivityDocument.shown.all.map { $0.shown { $0.activity } } + [
      Field(adding: "currentStreak", Streak.shown) { $0.record.currentStreak },
      Field(adding: "longestStreak", Streak.shown) { $0.record.longestStreak },
      Field(adding: "thisWeek", GoalProgress.shown) { $0.record.week },
      Field(adding: "thisMonth", GoalProgress.shown) { $0.record.month },
      Field(adding: "months", each: Bucket.shown) { $0.record.months },
      Field(adding: "calendar", calendar) { $0 },
    ]
  ).named("ActivityRecord")

  private static let calendar = Fields<ActivityRecordDocument>([
    Field(adding: "month", .month) { $0.month.description },
    Field(adding: "days", .days) { $0.record.days(in: $0.month) },
  ])
}

extension Streak {
  fileprivate static let shown = Fields<Streak>([
    Field(adding: "count", .count) { $0.count },
    Field(adding: "unit", .choice) { $0.unit },
    Field(adding: "firstDay", .day) { $0.firstDay },
    Field(adding: "lastDay", .day) { $0.lastDay },
  ]).named("Streak")
}

extension Streak.Unit: FieldValue {}

extension GoalProgress {
  fileprivate static let shown = Fields<GoalProgress>([
    Field(adding: "count", .count) { $0.count },
    Field(adding: "goal", .count) { $0.goal },
    Field(adding: "isReached", .flag) { progress in progress.goal.map { _ in progress.isReached } },
  ]).named("GoalProgress")
}
