internal import DiaryCatalog

extension LibraryActivities {
  /// The most days that a single call of `complete(_:on:)` or `addActivity` accepts: ten years.
  public static let maxCompletionCount = 3660

  /// Records that an activity was done now; in the hours before `day.end`, on the day before. It can be undone.
  ///
  /// - Returns: the completion; none changed when it was done on that day already.
  /// - Throws: `LeaflogError` with code `notFound` when the activity does not exist or was deleted, and
  ///   `invalidRequest` for a tag of several lines.
  public func complete(
    _ activity: ActivityID, notes: String? = nil, tags: [String] = [],
    source: String = Completion.Source.command
  ) throws(LeaflogError) -> EditResult {
    try complete(
      activity, at: [library.placed(now)], notes: notes, tags: tags, source: source, skipsDone: true
    )
  }

  /// Records the days on which an activity was done, all of them or none. It can be undone.
  ///
  /// - Parameters:
  ///   - days: in any order; one that is named twice counts once.
  ///   - source: where it is recorded. Unless that is `Completion.Source.bulk`, it is recorded at the time: today has the
  ///     present time of day.
  ///   - skipsDone: leaves out the days on which it was done already; the result counts them as
  ///     unchanged.
  /// - Throws: `LeaflogError` with code `invalidRequest` when a day is in the future, and with code
  ///   `conflict` when it was done on one of them already.
  public func complete(
    _ activity: ActivityID, on days: some Sequence<LocalDay>, notes: String? = nil,
    tags: [String] = [], source: String = Completion.Source.bulk, skipsDone: Bool = false
  ) throws(LeaflogError) -> EditResult {
    let present = library.placed(now)
    let times = try completionTimes(on: days).map { time in
      source != Completion.Source.bulk && time.localDay == present.localDay ? present : time
    }
    guard !times.isEmpty else { return EditResult(changed: []) }
    return try complete(
      activity, at: times, notes: notes, tags: tags, source: source, skipsDone: skipsDone)
  }

  private func complete(
    _ activity: ActivityID, at times: [EntryTime], notes: String?, tags: [String], source: String,
    skipsDone: Bool
  ) throws(LeaflogError) -> EditResult {
    let made = try change(.activityDone) {
      try $0.completions.add(
        of: activity, at: times, source: source, notes: notes, tags: tags,
        isRepetitionConflict: !skipsDone, now: $1)
    }
    return EditResult(changed: made, unchangedCount: times.count - made.count)
  }

  /// Makes these days of a month exactly those on which an activity was done. It can be undone as a whole.
  ///
  /// - Returns: the completions that were made, and those that went to the trash.
  /// - Throws: `LeaflogError` with code `invalidRequest` when a day is in the future, or not of the month.
  public func setDays(
    _ days: some Sequence<LocalDay>, in month: CalendarMonth, of activity: ActivityID
  ) throws(LeaflogError) -> EditResult {
    let wanted = Set(days)
    let others = wanted.filter { !(month.firstDay...month.lastDay).contains($0) }.sorted()
    guard others.isEmpty else { throw .invalid("\(others.shortList) is not in \(month).") }
    let done = try completionDays(of: activity, in: month)
    // One that is done already may be of tomorrow: it was recorded further east.
    let times = try completionTimes(on: wanted.subtracting(done))
    let changed = try change(.activityDone) { tables, now in
      let made = try tables.completions.add(
        of: activity, at: times, source: Completion.Source.bulk, notes: nil,
        isRepetitionConflict: false, now: now)
      let there = try tables.completions.days(
        of: activity, from: month.firstDay, to: month.lastDay)
      let removed = try there.filter { !wanted.contains($0) }
        .compactMap { try tables.completions.entry(of: activity, on: $0) }
      return made
        + (try tables.entries.apply(removed.map { EntryEdit($0, isDeleted: true) }, now: now))
    }
    return EditResult(changed: changed, unchangedCount: 0)
  }

  /// The times of completions on these days, in order, without duplicates.
  ///
  /// - Throws: `LeaflogError` with code `invalidRequest` for a day in the future, or more than
  ///   `maxCompletionCount` days.
  func completionTimes(on days: some Sequence<LocalDay>) throws(LeaflogError) -> [EntryTime] {
    let days = Set(days).sorted()
    let latest = try library.latestDay
    let future = days.filter { day in latest.map { day > $0 } ?? false }
    guard future.isEmpty else {
      throw .invalid(
        "\(future.shortList) \(future.count == 1 ? "is" : "are") in the future. Nothing was written "
          + "down.")
    }
    guard days.count <= Self.maxCompletionCount else {
      throw .invalid(
        "At most \(Self.maxCompletionCount) days can be written down at once, not \(days.count).")
    }
    return days.map { EntryTime(.day($0), in: timeZone) }
  }

  /// Edits the notes and tags of a completion. It can be undone.
  ///
  /// - Parameters:
  ///   - notes: nil leaves them, an empty text removes them.
  ///   - tags: nil leaves them.
  /// - Throws: `LeaflogError` with code `invalidRequest` for an entry of another kind and a tag of several lines, and
  ///   `notFound` when the completion does not exist any more.
  public func edit(
    _ completion: Entry, notes: String? = nil, tags: [String]? = nil
  ) throws(LeaflogError) -> EditResult {
    guard completion.kind == .completion else {
      throw .invalid("\(completion.id) is not a completion of an activity.")
    }
    return try library.diary.change(completion, notes: notes, tags: tags, as: .completionEdit)
  }

  /// The completion of a day.
  ///
  /// - Throws: `LeaflogError` with code `notFound` when it was not done on that day.
  public func completion(
    of activity: Activity, on day: LocalDay
  ) throws(LeaflogError) -> Entry {
    guard let entry = try read({ try $0.completions.entry(of: activity.id, on: day) }) else {
      let last = activity.lastDone.map { "It was done last on \($0)." } ?? "It was never done."
      throw LeaflogError(.notFound, "“\(activity.name)” was not done on \(day). \(last)")
    }
    return try library.diary.entry(entry, of: .completion)
  }

  /// The completions of a month with their notes and tags, newest first.
  ///
  /// - Throws: `LeaflogError` when the catalog cannot be read.
  public func completions(
    of activity: ActivityID, in month: CalendarMonth
  ) throws(LeaflogError) -> [Entry] {
    try read { tables in
      try tables.entries.all(
        tables.completions.entries(of: activity, from: month.firstDay, to: month.lastDay))
    }
  }

  /// Puts the completion of a day into the trash. It can be undone.
  ///
  /// - Throws: `LeaflogError` with code `notFound` when it was not done on that day.
  public func uncomplete(
    _ activity: Activity, on day: LocalDay
  ) throws(LeaflogError) -> EditResult {
    try library.diary.delete([completion(of: activity, on: day).id], of: .completion)
  }

  /// The days on which an activity was done, oldest first.
  ///
  /// - Parameters:
  ///   - first: the first day to include; nil sets no limit.
  ///   - last: the last day to include; nil sets no limit.
  /// - Throws: `LeaflogError` when the catalog cannot be read.
  public func completionDays(
    of activity: ActivityID, from first: LocalDay? = nil, to last: LocalDay? = nil
  ) throws(LeaflogError) -> [LocalDay] {
    try read { try $0.completions.days(of: activity, from: first, to: last) }
  }

  /// The days of a month on which an activity was done, oldest first.
  ///
  /// - Throws: `LeaflogError` when the catalog cannot be read.
  public func completionDays(
    of activity: ActivityID, in month: CalendarMonth
  ) throws(LeaflogError) -> [LocalDay] {
    try completionDays(of: activity, from: month.firstDay, to: month.lastDay)
  }

  /// An activity with its streaks, its goals and the days it was done on. Reads each of these days.
  ///
  /// - Parameters:
  ///   - today: the reference day of the record.
  ///   - firstWeekday: the day on which weeks begin, 1 for Monday to 7 for Sunday: that of the setting `week.start`
  ///     or, where it leaves that to the reader, Monday.
  /// - Throws: `LeaflogError` when the catalog cannot be read.
  public func record(
    of activity: Activity, today: LocalDay, firstWeekday: Int? = nil
  ) throws(LeaflogError) -> ActivityRecord {
    ActivityRecord(
      activity, days: try completionDays(of: activity.id), today: today,
      firstWeekday: firstWeekday ?? library.weekStart.weekday ?? 1)
  }
}
