/// Statistics of an activity's completions, as of a day.
public struct ActivityRecord: Sendable, Hashable {
  /// The activity itself.
  public let activity: Activity
  /// The reference day.
  public let today: LocalDay
  /// The days on which it was done, oldest first. Imports can add days in the future.
  public let days: [LocalDay]
  /// The current streak; nil when the activity is overdue or was never done.
  public let currentStreak: Streak?
  /// The longest streak, the latest of several equally long; nil when the activity was never done.
  public let longestStreak: Streak?
  /// How often it was done in today's week.
  public let week: GoalProgress
  /// How often it was done in today's month.
  public let month: GoalProgress
  /// How often it was done in each month, oldest first; months without completions are left out.
  public let months: [Bucket]

  /// - Parameters:
  ///   - days: in ascending order, without duplicates.
  ///   - firstWeekday: the day on which weeks begin: 1 is Monday, 7 is Sunday.
  package init(
    _ activity: Activity, days: [LocalDay], today: LocalDay, firstWeekday: Int = 1
  ) {
    self.activity = activity
    self.today = today
    self.days = days
    let past = days.prefix { $0 <= today }
    let details = activity.details
    let rule = Streak.Rule(details, firstWeekday: firstWeekday)
    let streaks = rule.streaks(in: past, today: today)
    currentStreak = streaks.last.flatMap { rule.holds($0, on: today) ? $0 : nil }
    // `max` returns the first of equal elements.
    longestStreak = streaks.reversed().max { $0.count < $1.count }
    let thisWeek = today.week(from: firstWeekday)
    week = GoalProgress(count: past.count(where: thisWeek.contains), goal: details.weeklyGoal)
    let first = CalendarMonth(of: today).firstDay
    month = GoalProgress(count: past.count { $0 >= first }, goal: details.monthlyGoal)
    months = Self.counts(days, by: .month)
  }

  /// How often it was done in each span, oldest first; spans without completions are left out.
  public func counts(by unit: BucketUnit) -> [Bucket] { Self.counts(days, by: unit) }

  /// Whether it was done on the reference day.
  public var isDoneToday: Bool { isDone(on: today) }

  /// Whether it was done on a day.
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

/// Consecutive completions of an activity, or weeks or months that reached its goal.
public struct Streak: Sendable, Hashable {
  /// The unit in which a streak is counted.
  public enum Unit: String, Sendable, CaseIterable {
    /// Completions that are at most the interval apart, or on consecutive days without one.
    case completion
    /// Weeks that reached the weekly goal.
    case week
    /// Months that reached the monthly goal.
    case month
  }

  /// The number of completions, weeks or months, at least one.
  public let count: Int
  /// The unit of `count`.
  public let unit: Unit
  /// The first day; of a week or month, the one that it begins with.
  public let firstDay: LocalDay
  /// The last day; of a week or month that is not over, today.
  public let lastDay: LocalDay

  package init(count: Int, unit: Unit = .completion, firstDay: LocalDay, lastDay: LocalDay) {
    self.count = count
    self.unit = unit
    self.firstDay = firstDay
    self.lastDay = lastDay
  }
}

extension Streak {
  /// The rule by which the completions of an activity form streaks.
  struct Rule {
    private enum Step {
      /// Completions at most so many days apart. Every completion counts, even one ahead of time.
      case interval(Int)
      /// Spans with at least `goal` completions.
      case goal(Int, unit: Unit, span: (LocalDay) -> ClosedRange<LocalDay>)
    }

    private let step: Step

    /// A weekly goal decides before a monthly one, and both before an interval.
    init(_ details: ActivityDetails, firstWeekday: Int) {
      if let goal = details.weeklyGoal {
        step = .goal(goal, unit: .week) { $0.week(from: firstWeekday) }
      } else if let goal = details.monthlyGoal {
        step = .goal(goal, unit: .month) { day in
          let month = CalendarMonth(of: day)
          return month.firstDay...month.lastDay
        }
      } else {
        step = .interval(details.everyDays ?? 1)
      }
    }

    /// All streaks, oldest first. A single completion, week or month is a streak of 1.
    ///
    /// - Parameter days: in ascending order, without duplicates, none of them after today.
    func streaks(in days: some Sequence<LocalDay>, today: LocalDay) -> [Streak] {
      switch step {
      case .interval(let interval):
        return Self.joined(days.map { $0...$0 }, gap: interval, unit: .completion, today: today)
      case .goal(let goal, let unit, let span):
        var spans: [(span: ClosedRange<LocalDay>, count: Int)] = []
        for day in days {
          if spans.last?.span.contains(day) == true {
            spans[spans.count - 1].count += 1
          } else {
            spans.append((span(day), 1))
          }
        }
        let reached = spans.filter { $0.count >= goal }.map(\.span)
        return Self.joined(reached, gap: 1, unit: unit, today: today)
      }
    }

    /// Joins spans of which each begins at most `gap` days after the end of the one before.
    private static func joined(
      _ spans: [ClosedRange<LocalDay>], gap: Int, unit: Unit, today: LocalDay
    ) -> [Streak] {
      var streaks: [Streak] = []
      for span in spans {
        let lastDay = min(span.upperBound, today)
        if let last = streaks.last, span.lowerBound <= last.lastDay.advanced(by: gap) {
          streaks[streaks.count - 1] = Streak(
            count: last.count + 1, unit: unit, firstDay: last.firstDay, lastDay: lastDay)
        } else {
          streaks.append(
            Streak(count: 1, unit: unit, firstDay: span.lowerBound, lastDay: lastDay))
        }
      }
      return streaks
    }

    /// Whether a streak can still be continued: a completion that is only missing today does not end it, nor does a
    /// goal that is not reached yet in the present week or month.
    func holds(_ streak: Streak, on today: LocalDay) -> Bool {
      switch step {
      case .interval(let interval): today <= streak.lastDay.advanced(by: interval)
      case .goal(_, _, let span): span(today).lowerBound <= streak.lastDay.advanced(by: 1)
      }
    }
  }
}

extension LocalDay {
  /// The week that it lies in.
  ///
  /// - Parameter firstWeekday: the day on which weeks begin: 1 is Monday, 7 is Sunday.
  public func week(from firstWeekday: Int) -> ClosedRange<LocalDay> {
    let first = advanced(by: -((weekday - firstWeekday % 7 + 14) % 7))
    return first...first.advanced(by: 6)
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
