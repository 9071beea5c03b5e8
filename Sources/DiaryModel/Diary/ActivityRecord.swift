/// Statistics of an activity's completions, as of a day.
public struct ActivityRecord: Sendable, Hashable {
  public let activity: Activity
  /// The reference day.
  public let today: LocalDay
  /// The days on which it was done, oldest first. Imports can add days in the future.
  public let days: [LocalDay]
  /// The current streak; nil when the activity is overdue or was never done.
  public let currentStreak: Streak?
  /// The longest streak, the latest of several equally long; nil when the activity was never done.
  public let longestStreak: Streak?
  /// How often it was done in today's week, Monday to Sunday.
  public let week: GoalProgress
  /// How often it was done in today's month.
  public let month: GoalProgress
  /// How often it was done in each month, oldest first; months without completions are left out.
  public let months: [Bucket]

  /// - Parameter days: in ascending order, without duplicates.
  package init(_ activity: Activity, days: [LocalDay], today: LocalDay) {
    self.activity = activity
    self.today = today
    self.days = days
    let past = days.prefix { $0 <= today }
    let interval = activity.details.everyDays ?? 1
    let streaks = Streak.streaks(in: past, interval: interval)
    currentStreak = streaks.last.flatMap { $0.holds(on: today, interval: interval) ? $0 : nil }
    // `max` returns the first of equal elements.
    longestStreak = streaks.reversed().max { $0.count < $1.count }
    let monday = today.advanced(by: 1 - today.weekday)
    week = GoalProgress(
      count: past.count { $0 >= monday }, goal: activity.details.weeklyGoal)
    let first = CalendarMonth(of: today).firstDay
    month = GoalProgress(
      count: past.count { $0 >= first }, goal: activity.details.monthlyGoal)
    months = Self.counts(days, by: .month)
  }

  /// How often it was done in each span, oldest first; spans without completions are left out.
  public func counts(by unit: BucketUnit) -> [Bucket] { Self.counts(days, by: unit) }

  public var isDoneToday: Bool { isDone(on: today) }

  public func isDone(on day: LocalDay) -> Bool {
    days.reversed().first { $0 <= day } == day
  }

  /// The days of a month on which it was done.
  public func days(in month: CalendarMonth) -> [LocalDay] {
    days.filter { (month.firstDay...month.lastDay).contains($0) }
  }

  private static func counts(_ days: [LocalDay], by unit: BucketUnit) -> [Bucket] {
    var buckets: [Bucket] = []
    for day in days {
      let name = unit.bucketName(of: day)
      let before = buckets.last?.name == name ? buckets.removeLast().count : 0
      buckets.append(Bucket(name: name, count: before + 1))
    }
    return buckets
  }
}

/// Consecutive completions of an activity.
///
/// Completions of an activity due every n days form a streak when they are at most n days apart. Without
/// an interval, they have to be on consecutive days. Every completion counts, even one ahead of time.
public struct Streak: Sendable, Hashable {
  /// The number of completions, at least one.
  public let count: Int
  public let firstDay: LocalDay
  public let lastDay: LocalDay

  package init(count: Int, firstDay: LocalDay, lastDay: LocalDay) {
    self.count = count
    self.firstDay = firstDay
    self.lastDay = lastDay
  }

  /// All streaks, oldest first. A single completion is a streak of 1.
  ///
  /// - Parameters:
  ///   - days: in ascending order, without duplicates.
  ///   - interval: how many days apart completions may be.
  package static func streaks(in days: some Sequence<LocalDay>, interval: Int) -> [Streak] {
    var streaks: [Streak] = []
    for day in days {
      if let last = streaks.last, day <= last.lastDay.advanced(by: interval) {
        streaks[streaks.count - 1] = Streak(
          count: last.count + 1, firstDay: last.firstDay, lastDay: day)
      } else {
        streaks.append(Streak(count: 1, firstDay: day, lastDay: day))
      }
    }
    return streaks
  }

  /// Whether it can still be continued. A completion that is only missing today does not end it.
  func holds(on today: LocalDay, interval: Int) -> Bool {
    today <= lastDay.advanced(by: interval)
  }
}

/// Progress towards a goal.
public struct GoalProgress: Sendable, Hashable {
  /// How often it was done so far.
  public let count: Int
  /// The goal; nil when there is none.
  public let goal: Int?

  package init(count: Int, goal: Int?) {
    self.count = count
    self.goal = goal
  }

  /// False without a goal.
  public var isReached: Bool { goal.map { count >= $0 } ?? false }
}
