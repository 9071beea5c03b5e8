internal import DiaryCatalog

/// A day at a glance.
public struct Today: Sendable {
  /// Photos of a day.
  public struct Photos: Sendable {
    /// The number of all photos of the day.
    public let count: Int
    /// The last few, the latest first.
    public let latest: [Entry]

    init(_ photos: DayPhotos) {
      count = photos.count
      latest = photos.latest
    }
  }

  /// The entries of the same day of an earlier year.
  public struct Memory: Sendable {
    /// The day in the earlier year.
    public let day: LocalDay
    /// The photos of that day.
    public let photos: Photos
    /// The number of entries of other kinds.
    public let entryCount: Int
    /// Entries of other kinds, the latest first; empty if only their number was asked for.
    public let entries: [Entry]
  }

  /// The day that all of this is about.
  public let day: LocalDay
  /// The episodes that include the day; at most one, unless overlaps were allowed.
  public let activeEpisodes: [Entry]
  /// The day's log, if there is one.
  public let log: Entry?
  /// How many consecutive days have a log.
  public let loggingStreak: Int
  /// The symptoms of the day, the latest first.
  public let symptoms: [Entry]
  /// The day's mood, if it was recorded.
  public let mood: Entry?
  /// The day's quote; nil while a service has to be asked for it first (`LibraryQuotes.fetch(of:from:)`).
  public let quote: Quote?
  /// All activities in user-defined order.
  public let activities: [Activity]
  /// Activities that are due on the day or overdue, the longest overdue first.
  public let dueActivities: [Activity]
  /// Activities that were done on the day, in user-defined order.
  public let doneActivities: [Activity]
  /// The photos of the day.
  public let photos: Photos
  /// The same day in earlier years, the most recent year first.
  public let memories: [Memory]

  /// The parts of the day that the diary still lacks, for a reminder, a clause each.
  ///
  /// - Parameter parts: the parts to check.
  public func missing(
    of parts: Set<ReminderPart> = Set(ReminderPart.allCases)
  ) -> [String] {
    missingParts(of: parts).flatMap { part in
      switch part {
      case .log: ["no daily log yet"]
      case .mood: ["no mood yet"]
      case .symptoms: ["no symptoms yet, and an episode is active"]
      case .activities: dueActivities.map { "\($0.details.emoji) \($0.name) is due" }
      }
    }
  }

  /// The parts of the day that the diary still lacks, in the order in which they are told.
  ///
  /// - Parameter parts: the parts to check.
  package func missingParts(of parts: Set<ReminderPart>) -> [ReminderPart] {
    [.log, .mood, .symptoms, .activities].filter { part in
      guard parts.contains(part) else { return false }
      return switch part {
      case .log: log == nil
      case .mood: mood == nil
      case .symptoms: activeEpisodes.contains(where: goesOn) && symptoms.isEmpty
      case .activities: !dueActivities.isEmpty
      }
    }
  }

  /// Whether an episode had not ended by the end of the day.
  private func goesOn(_ entry: Entry) -> Bool {
    guard case .episode(let episode) = entry.content else { return false }
    return episode.endDay.map { $0 > day } ?? true
  }
}

extension LibraryDiary {
  private static let latestPhotoCount = 5

  /// A day at a glance. Needs no network.
  ///
  /// - Parameter isBrief: whether to leave out the activities' numbers of completions and the entries of earlier years, which
  ///   take long in a large diary.
  /// - Throws: `LeaflogError` when the catalog cannot be read.
  public func today(_ day: LocalDay, isBrief: Bool = false) throws(LeaflogError) -> Today {
    let quote = try library.quotes.known(of: day)
    return try read { tables in
      let entries = try tables.timeline.diaryEntries(on: day)
      let activities = try tables.activities.all(isCounting: !isBrief)
      let done = Set(
        entries.compactMap { entry -> ActivityID? in
          if case .completion(let completion) = entry.content {
            completion.activity.id
          } else {
            nil
          }
        })
      func first(_ kind: EntryKind) -> Entry? { entries.first { $0.kind == kind } }
      return Today(
        day: day, activeEpisodes: try tables.episodes.on(day),
        log: first(.dailyLog), loggingStreak: try tables.logs.streak(upTo: day),
        symptoms: entries.filter { $0.kind == .symptom }, mood: first(.mood), quote: quote,
        activities: activities,
        dueActivities: activities.filter { $0.isDue(on: day) && !done.contains($0.id) }
          .sorted { ($0.dueDay ?? day, $0.rank) < ($1.dueDay ?? day, $1.rank) },
        doneActivities: activities.filter { done.contains($0.id) },
        photos: .init(try tables.timeline.photos(on: day, limit: Self.latestPhotoCount)),
        memories: try Self.memories(of: day, isBrief: isBrief, tables.timeline))
    }
  }

  private static func memories(
    of day: LocalDay, isBrief: Bool, _ timeline: TimelinePages
  ) throws -> [Today.Memory] {
    guard let first = try timeline.firstDay() else { return [] }
    return try day.sameDays(since: first).compactMap { day in
      let photos = try timeline.photos(on: day, limit: 1)
      let entries = isBrief ? [] : try timeline.diaryEntries(on: day)
      let entryCount = isBrief ? try timeline.entryCount(on: day) : entries.count
      return photos.count + entryCount == 0
        ? nil
        : Today.Memory(
          day: day, photos: .init(photos), entryCount: entryCount, entries: entries)
    }
  }
}

extension LocalDay {
  /// This day in earlier years, the latest first. In years without a 29 February, entries of that day
  /// belong to the 28th.
  package func sameDays(since first: LocalDay) -> [LocalDay] {
    let (year, month, day) = civil
    var days: [LocalDay] = []
    // Only the years 1 to 9999 have days.
    let earliest = max(1, min(first.civil.year, year))
    for earlier in stride(from: min(year - 1, 9999), through: earliest, by: -1) {
      if let same = LocalDay(year: earlier, month: month, day: day) { days.append(same) }
      let isLastOfFebruary = month == 2 && day == 28
      let hasLeapDay = LocalDay(year: year, month: 2, day: 29) != nil
      if isLastOfFebruary, !hasLeapDay, let leapDay = LocalDay(year: earlier, month: 2, day: 29) {
        days.append(leapDay)
      }
    }
    return days.filter { $0 >= first }.sorted(by: >)
  }
}

/// The reminder at the end of the day.
public struct Reminder: Sendable, Hashable {
  /// Whether the reminder is on.
  public let isOn: Bool
  /// `20:00`, by the clock of the machine that reminds.
  public let time: String
  /// The parts of the diary to check; at least one.
  public let parts: Set<ReminderPart>
}

extension LibraryDiary {
  /// The reminder's settings.
  ///
  /// - Throws: `LeaflogError` when the catalog cannot be read.
  public func reminder() throws(LeaflogError) -> Reminder {
    let settings = library.settings
    let parts = try settings.value(of: .reminderParts)
    return Reminder(
      isOn: try settings.value(of: .reminder) == "on", time: try settings.value(of: .reminderTime),
      parts: try translating { try ReminderPart.parts(parts) })
  }
}

/// A reminder whose time has come.
package struct DueReminder: Sendable, Hashable {
  /// The day that it is about.
  package let day: LocalDay
  /// When that day ends.
  package let dayEnd: Timestamp
}

extension LibraryDiary {
  /// How long after its time a reminder is still given, in milliseconds.
  private static let reminderPatience: Int64 = 2 * 3_600_000

  /// The reminder of the present day, if its time has come and is at most two hours ago; nil where it is off, and while the
  /// clock is behind, as that tells no day.
  ///
  /// - Throws: `LeaflogError` when the catalog cannot be read.
  package func dueReminder() throws(LeaflogError) -> DueReminder? {
    let (reminder, now, today) = (try reminder(), library.clock.now, library.today)
    guard reminder.isOn, let time = TimeOfDay(reminder.time),
      try !library.presentDay(after: library.latestChange).isBehind
    else { return nil }
    let dayEnd = library.dayEnd * 3_600_000
    func moment(_ day: LocalDay, _ milliseconds: Int) -> Timestamp {
      let wall = LocalDateTime(startOf: day).advanced(byMilliseconds: milliseconds)
      return library.placed(.wall(wall)).instant
    }
    // Hours before the end of the day are those of the next day of the calendar.
    let due = moment(
      time.milliseconds < dayEnd ? today.advanced(by: 1) : today, time.milliseconds)
    guard due <= now, now < due.advanced(byMilliseconds: Self.reminderPatience) else { return nil }
    return DueReminder(day: today, dayEnd: moment(today.advanced(by: 1), dayEnd))
  }
}

/// A part of the diary that the reminder looks at.
@nonexhaustive
public enum ReminderPart: String, Sendable, CaseIterable {
  /// The check-in on symptoms while an episode is active.
  case symptoms
  /// The day's log.
  case log
  /// The day's mood.
  case mood
  /// Activities that are due.
  case activities

  /// Parses a list such as `log, mood`.
  ///
  /// - Throws: `InvalidValue` for an unknown part, and for an empty list.
  static func parts(_ text: String) throws(InvalidValue) -> Set<ReminderPart> {
    let setting = LibrarySetting.reminderParts.rawValue
    var parts: Set<ReminderPart> = []
    for name in text.split(separator: ",").compactMap({ String($0).tidied }) {
      do throws(InvalidValue) { parts.insert(try .named(name, field: setting)) } catch {
        throw InvalidValue(setting, takes: takes, given: text)
      }
    }
    guard !parts.isEmpty else { throw InvalidValue(setting, takes: takes, given: "none") }
    return parts
  }

  private static var takes: String { "some of \(oneOf), separated by commas" }

  /// The text that `parts` parses.
  static func text(of parts: Set<ReminderPart>) -> String {
    allCases.filter(parts.contains).map(\.rawValue).joined(separator: ", ")
  }
}
