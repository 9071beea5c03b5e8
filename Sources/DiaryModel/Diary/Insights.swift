internal import Fields

/// Statistics of a span of days: counts and means, never causes.
public struct Insights: Sendable, Hashable {
  /// The disclaimer to show with the insights, everywhere.
  public static let disclaimer =
    "A summary of what was logged. It is no medical advice and says nothing about causes."

  /// The note to show with the colour of mucus, everywhere.
  public static let mucusNote = "The colour is not diagnostic."

  /// The first and the last day of the span; both count.
  public let firstDay: LocalDay
  public let lastDay: LocalDay
  /// The episodes that have a day in the span, oldest first.
  public let episodes: [EpisodeRecord]
  /// How many episodes began in the 30, 90 and 365 days up to and including the span's last day.
  public let episodeCounts: [EpisodeCount]
  /// The mean duration, in days, of the span's episodes that have ended; nil if there are none.
  public let meanDuration: Double?
  /// How many episodes of the span had each symptom, most frequent first; symptoms of none are left out.
  public let episodeSymptoms: [SymptomFrequency]
  /// The symptoms logged in the span, by name, most frequent first.
  public let loggedSymptoms: [SymptomFrequency]
  /// The severity of logged symptoms by week, oldest first; weeks without any are left out.
  public let severityByWeek: [SeverityBucket]
  /// The daily logs of the span.
  public let logs: LogSummary
  /// The daily logs of the sixty days up to the span's end, except days within an episode.
  public let baseline: LogSummary
  /// The seven days before each episode of the span began.
  public let triggerWindows: [TriggerWindow]
  /// The daily logs of the span by week, oldest first; weeks without any are left out.
  public let logsByWeek: [LogBucket]
  /// The severity of logged symptoms by day, oldest first; days without any are left out. It always covers the 53
  /// weeks, Monday to Sunday, that end with the week of the span's last day, however long the span is.
  public let symptomDays: [SeverityBucket]
  /// The moods of the span by week, oldest first, beside the sleep, the symptoms and the care of the same days; weeks
  /// without a mood are left out.
  public let moodsByWeek: [MoodBucket]
  /// All factors of the library, in user-defined order.
  private let allFactors: [FactorDetails]

  package init(
    firstDay: LocalDay, lastDay: LocalDay, episodes: [EpisodeRecord],
    episodeCounts: [EpisodeCount], meanDuration: Double?, episodeSymptoms: [SymptomFrequency],
    loggedSymptoms: [SymptomFrequency], severityByWeek: [SeverityBucket], logs: LogSummary,
    baseline: LogSummary, triggerWindows: [TriggerWindow], logsByWeek: [LogBucket] = [],
    symptomDays: [SeverityBucket] = [], moodsByWeek: [MoodBucket] = [],
    factors: [FactorDetails] = []
  ) {
    allFactors = factors
    self.moodsByWeek = moodsByWeek
    self.firstDay = firstDay
    self.lastDay = lastDay
    self.episodes = episodes
    self.episodeCounts = episodeCounts
    self.meanDuration = meanDuration
    self.episodeSymptoms = episodeSymptoms
    self.loggedSymptoms = loggedSymptoms
    self.severityByWeek = severityByWeek
    self.logs = logs
    self.baseline = baseline
    self.triggerWindows = triggerWindows
    self.logsByWeek = logsByWeek
    self.symptomDays = symptomDays
  }
}

/// An episode with the days it took.
public struct EpisodeRecord: Sendable, Hashable {
  public let id: EntryID
  public let days: EpisodeDays
  public let episode: Episode
  public let notes: String?

  package init(id: EntryID, days: EpisodeDays, episode: Episode, notes: String?) {
    self.id = id
    self.days = days
    self.episode = episode
    self.notes = notes
  }
}

/// How many episodes began in a span of days.
public struct EpisodeCount: Sendable, Hashable {
  /// 30, 90 or 365.
  public let days: Int
  public let count: Int

  package init(days: Int, count: Int) {
    self.days = days
    self.count = count
  }
}

/// The frequency of a symptom.
public struct SymptomFrequency: Sendable, Hashable {
  public let name: String
  /// At least one.
  public let count: Int
  /// The mean, 1 to 5; nil where severities are not recorded per symptom, as in episodes.
  public let averageSeverity: Double?

  package init(name: String, count: Int, averageSeverity: Double?) {
    self.name = name
    self.count = count
    self.averageSeverity = averageSeverity
  }
}

/// The mean severity of symptoms on a day or in a week.
public struct SeverityBucket: Sendable, Hashable {
  /// The day, or the week's Monday, which may lie before the span.
  public let day: LocalDay
  /// The number of symptoms, at least one.
  public let count: Int
  /// The mean, 1 to 5.
  public let average: Double

  package init(day: LocalDay, count: Int, average: Double) {
    self.day = day
    self.count = count
    self.average = average
  }
}

/// A field of daily logs that insights summarise.
public enum LogField: String, Sendable, CaseIterable {
  case sleepHours, sleepQuality, stress, exerciseMinutes, officeDay, sickContact, humidifier
  case alcohol, sugar
}

/// A summary of the daily logs of some days. Means and counts are over the days on which the field was recorded: a day
/// that says nothing about a field is no day without it.
public struct LogSummary: Sendable, Hashable {
  /// The number of days, with logs or without.
  public var dayCount = 0
  /// The number of days with a log.
  public var loggedDayCount = 0
  /// The number of days on which each field was recorded; fields that never were are absent.
  public var recordedDayCounts: [LogField: Int] = [:]
  /// In hours.
  public var averageSleepHours: Double?
  /// 1 to 5.
  public var averageSleepQuality: Double?
  /// 1 to 5.
  public var averageStress: Double?
  /// In minutes.
  public var averageExerciseMinutes: Double?
  /// Nil when it was never recorded, as are the following counts.
  public var officeDayCount: Int?
  public var sickContactDayCount: Int?
  public var humidifierDayCount: Int?
  public var alcoholDayCount: Int?
  /// The number of days by sugar intake; levels without a day are absent.
  public var sugarDayCounts: [DailyLog.SugarIntake: Int] = [:]
  /// The own factors that were recorded on one of the days, in user-defined order.
  public var factors: [FactorSummary] = []

  public init() {}

  /// The number of days on which a field was recorded.
  public func recordedDayCount(of field: LogField) -> Int { recordedDayCounts[field] ?? 0 }

  /// A count of days per seven days on which the field was recorded, to compare spans of different lengths; nil when it
  /// never was.
  public func perSevenDays(_ count: Int?, of field: LogField) -> Double? {
    let recorded = recordedDayCount(of: field)
    return recorded == 0 ? nil : count.map { Double($0) * 7 / Double(recorded) }
  }
}

/// A summary of the values that an own factor had on some days. The mean and the counts are over the days on which it was
/// recorded.
public struct FactorSummary: Sendable, Hashable {
  public let factor: FactorDetails
  /// The number of days on which it was recorded, at least one.
  public let recordedDayCount: Int
  /// The mean of a number, in its unit; nil for other kinds.
  public let average: Double?
  /// The number of days with yes; nil unless it is yes or no.
  public let yesDayCount: Int?
  /// The number of days with each choice, in the order of the choices; those without a day are left out.
  public let choiceDayCounts: [ChoiceCount]

  /// How many days had a choice.
  public struct ChoiceCount: Sendable, Hashable {
    public let choice: String
    /// At least one.
    public let count: Int
  }

  /// Nil without values.
  package init?(_ factor: FactorDetails, _ values: [FactorValue]) {
    guard !values.isEmpty else { return nil }
    self.factor = factor
    recordedDayCount = values.count
    let numbers = values.compactMap { if case .number(let number) = $0 { number } else { nil } }
    average = numbers.isEmpty ? nil : numbers.reduce(0, +) / Double(numbers.count)
    yesDayCount = factor.kind == .flag ? values.count { $0 == .flag(true) } : nil
    choiceDayCounts = factor.choices.compactMap { choice in
      let count = values.count { $0 == .choice(choice) }
      return count == 0 ? nil : ChoiceCount(choice: choice, count: count)
    }
  }

  /// The summary in English: `2.5 cups on 12 days`, `3 of 12 days`, `home 2, garden 1 of 3 days`.
  ///
  /// - Parameter isRate: gives counts per seven days on which it was recorded.
  public func words(isRate: Bool = false) -> String {
    let days = recordedDayCount == 1 ? "1 day" : "\(recordedDayCount) days"
    if let average {
      let value = [average.asMean.formatted(), factor.unit].compactMap { $0 }
      return "\(value.joined(separator: " ")) on \(days)"
    }
    func counted(_ count: Int) -> String {
      isRate ? perSevenDays(count).asMean.formatted() : "\(count)"
    }
    let counts =
      yesDayCount.map(counted)
      ?? choiceDayCounts.map { "\($0.choice) \(counted($0.count))" }.joined(separator: ", ")
    return isRate ? "\(counts) in seven days, of \(days)" : "\(counts) of \(days)"
  }

  /// A count of days per seven days on which it was recorded, to compare spans of different lengths.
  public func perSevenDays(_ count: Int) -> Double { Double(count) * 7 / Double(recordedDayCount) }
}

extension LogSummary {
  /// The summary of a factor; nil when it was not recorded on one of the days.
  public func factor(named name: String) -> FactorSummary? {
    factors.first { $0.factor.name == name }
  }
}

extension Insights {
  /// The summaries of an own factor in English: of the span, of the baseline, and of the seven days before each episode.
  /// Those of days on which it was not recorded are left out.
  public func summaries(
    of factor: FactorDetails
  ) -> [(name: String, value: String)] {
    func row(_ name: String, _ logs: LogSummary, isRate: Bool = false) -> (String, String)? {
      logs.factor(named: factor.name).map { (name, $0.words(isRate: isRate)) }
    }
    let windows = triggerWindows.map { window in
      row("before \(window.episode.episode.type.words) \(window.episode.days.first)", window.logs)
    }
    return ([row("these days", logs), row("baseline", baseline, isRate: true)] + windows)
      .compactMap { $0 }
  }

  /// The own factors that were recorded in the span, in the baseline or before an episode, in user-defined order.
  public var factors: [FactorDetails] {
    let summaries = [logs, baseline] + triggerWindows.map(\.logs)
    let recorded = summaries.flatMap(\.factors).map(\.factor)
    return allFactors.filter { recorded.contains($0) }
  }
}

/// The daily logs of a week.
public struct LogBucket: Sendable, Hashable {
  /// The week's Monday, which may lie before the span.
  public let day: LocalDay
  public let logs: LogSummary

  package init(day: LocalDay, logs: LogSummary) {
    self.day = day
    self.logs = logs
  }
}

/// How many days had a mood.
public struct MoodCount: Sendable, Hashable {
  public let mood: Mood
  /// At least one.
  public let count: Int

  package init(_ mood: Mood, _ count: Int) { (self.mood, self.count) = (mood, count) }
}

/// The moods of a week, and what else was recorded in it.
public struct MoodBucket: Sendable, Hashable {
  /// The week's Monday, which may lie before the span.
  public let day: LocalDay
  /// How many days had each mood, the most frequent first.
  public let moods: [MoodCount]
  /// In hours, of the days on which it was recorded; nil without any.
  public let averageSleepHours: Double?
  /// How many symptoms were logged.
  public let symptomCount: Int
  /// How often an activity was done.
  public let completionCount: Int

  package init(
    day: LocalDay, moods: [MoodCount], averageSleepHours: Double?,
    symptomCount: Int, completionCount: Int
  ) {
    self.day = day
    self.moods = moods
    self.averageSleepHours = averageSleepHours
    self.symptomCount = symptomCount
    self.completionCount = completionCount
  }
}

/// The daily logs of the seven days before an episode began.
public struct TriggerWindow: Sendable, Hashable {
  public let episode: EpisodeRecord
  /// The first of the seven days; the last is the one before the episode.
  public let firstDay: LocalDay
  public let logs: LogSummary

  package init(episode: EpisodeRecord, firstDay: LocalDay, logs: LogSummary) {
    self.episode = episode
    self.firstDay = firstDay
    self.logs = logs
  }
}
