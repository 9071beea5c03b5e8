internal import Language
package import Leaflog

/// An activity: its tick, its statistics, and the days on which it was done.
package struct ActivityPage: Screen {
  package static let template = "activity"

  let page: PageFrame
  let id: String
  let emoji: String
  let name: String
  let category: String
  let plant: PlantLink?
  let problem: PageProblem?
  /// The single row for today.
  let today: [CareRow]
  let stats: [Fact]
  let hasGoals: Bool
  let goals: [BarItem]
  let trend: TitledChart?
  let notes: String?
  /// The category and the plant aside: when it was last done, and since when it counts.
  let about: String
  let previousHref: String?
  let nextHref: String?
  let previousYearHref: String?
  let nextYearHref: String?
  let month: String
  /// The single month shown.
  let dayBoxes: [DayBoxes]
  /// The days of the month on which it was done, with their notes and tags, newest first.
  let done: [DoneRow]
  let hasDone: Bool
  /// The way to the month of the last time, where the shown one has none.
  let lastMonth: Link?
  let created: String

  struct DoneRow {
    let id: String
    let href: String
    let date: String
    let detail: String
  }

  /// - Parameters:
  ///   - name: the activity's name or id.
  ///   - month: nil means the current month.
  package init(
    _ context: PageContext, _ name: String, month: CalendarMonth? = nil, refusal: Refusal? = nil
  ) throws {
    let (reader, words, library) = (context.reader, context.words, context.library)
    let activity = try library.activities.find(matching: name)
    let record = try library.activities.record(
      of: activity, today: context.today, firstWeekday: reader.firstWeekday)
    let shown = month ?? CalendarMonth(of: context.today)
    let details = activity.details
    let address = "/activities/\(activity.id)"
    page = try context.frame(details.name, at: .today)
    id = activity.id.description
    emoji = details.emoji
    self.name = details.name
    category = words.category(details.category)
    plant = activity.plant.map { PlantLink(id: $0.id.description, name: $0.name) }
    problem = context.problem(refusal)
    today = try context.rows(of: [activity])
    func length(_ streak: Streak?) -> String {
      guard let streak else { return reader.number(0) }
      let unit =
        switch streak.unit {
        case .completion: (details.everyDays ?? 1) == 1 ? "countDays" : "symptomTimes"
        case .week: "countWeeks"
        case .month: "countMonths"
        }
      return reader.count(unit, streak.count)
    }
    stats = [
      Fact(label: words["stat.streak"], value: length(record.currentStreak)),
      Fact(label: words["stat.longest"], value: length(record.longestStreak)),
      Fact(label: words["stat.total"], value: reader.number(record.days.count)),
    ]
    goals = [("goal.week", record.week), ("goal.month", record.month)].compactMap {
      BarItem($0, $1, reader)
    }
    hasGoals = !goals.isEmpty
    trend = record.months.isEmpty ? nil : Self.trend(of: record, in: context)
    notes = details.notes
    about = .dotted(
      activity.lastDone.map {
        let ago = reader.ago($0)
        return $0.daysAgo(on: context.today) < 7
          ? words.text("lastDone", ["when": ago])
          : words.text("lastDoneAgoOn", ["when": ago, "date": reader.day($0)])
      } ?? words["neverDone"],
      words.text("startedOn", ["date": reader.day(details.startFrom)]))
    previousHref = "\(address)?month=\(shown.previous)"
    nextHref = try shown.lastDay < context.lastDay ? "\(address)?month=\(shown.next)" : nil
    let thisMonth = CalendarMonth(of: try context.lastDay)
    let nextYear = shown.advanced(byYears: 1)
    previousYearHref = "\(address)?month=\(shown.advanced(byYears: -1))"
    nextYearHref =
      shown.firstDay < thisMonth.firstDay
      ? "\(address)?month=\(nextYear.firstDay < thisMonth.firstDay ? nextYear : thisMonth)" : nil
    self.month = shown.description
    self.done = try library.activities.completions(of: activity.id, in: shown).map {
      DoneRow($0, in: context)
    }
    hasDone = !self.done.isEmpty
    let last = hasDone ? nil : activity.lastDone
    lastMonth = last.map {
      Link(
        href: "\(address)?month=\(CalendarMonth(of: $0))",
        label: words.text("lastDoneOn", ["date": reader.day($0)]))
    }
    let done = refusal.map { ($0.typed.values["doneOn"] ?? []).compactMap { LocalDay($0) } }
    dayBoxes = [try DayBoxes(of: shown, done: Set(done ?? record.days(in: shown)), in: context)]
    let created = EntryTime(.instant(activity.createdAt), in: library.timeZone).localDay
    self.created = words.text("createdOn", ["date": reader.day(created)])
  }
}

extension ActivityPage.DoneRow {
  fileprivate init(_ entry: Entry, in context: PageContext) {
    self.init(
      id: entry.id.description,
      href: entry.notesHref(returningTo: "\(context.path)#e-\(entry.id)"),
      date: context.reader.longDay(entry.time.localDay),
      detail: .dotted(
        context.reader.clock(entry.time), entry.notes,
        entry.tags.map { "#\($0)" }.joined(separator: " ")))
  }
}

extension BarItem {
  /// Nil without a goal.
  fileprivate init?(_ key: String, _ progress: GoalProgress, _ reader: Reader) {
    guard let goal = progress.goal else { return nil }
    self.init(
      label: reader.words[key],
      value: reader.words.text(
        "goalOf", ["done": reader.number(progress.count), "goal": reader.number(goal)]),
      amount: min(progress.count, goal), most: goal)
  }
}

extension ActivityPage {
  /// The number of times it was done in each of the last twelve months.
  private static func trend(of record: ActivityRecord, in context: PageContext) -> TitledChart {
    let reader = context.reader
    let counts = Dictionary(record.months.map { ($0.name, $0.count) }) { $1 }
    var months = [CalendarMonth(of: context.today)]
    while months.count < 12 { months.insert(months[0].previous, at: 0) }
    return TitledChart(
      bars: months.map { month in
        let count = counts[month.description] ?? 0
        return ChartValue(
          value: Double(count), label: reader.month(month), text: reader.number(count))
      }, title: context.words["perMonth"], context.words)
  }
}

extension Words {
  /// A built-in category in this language; a user-defined one unchanged.
  func category(_ name: String) -> String {
    ActivityCategory(rawValue: name).map { self["category.\($0.rawValue)"] } ?? name
  }
}
