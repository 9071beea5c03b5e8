internal import Fields

/// Statistics of a span of days: counts and means, never causes.
public struct Insights: Sendable, Hashable {
  /// The disclaimer to show with the insights, everywhere.
  public static let disclaimer =
    "A summary of what was logged. It is no medical advice and says nothing about causes."

  /// The note to show with the colour of mucus, everywhere.
  public static let mucusNote = "The colour is not diagnostic."

  /// The first day of the span, which counts.
  public let firstDay: LocalDay
  /// The last day of the span, which counts.
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
  /// All own factors of the library, in user-defined order.
  let ownFields: [LogField]

  package init(
    firstDay: LocalDay, lastDay: LocalDay, episodes: [EpisodeRecord],
    episodeCounts: [EpisodeCount], meanDuration: Double?, episodeSymptoms: [SymptomFrequency],
    loggedSymptoms: [SymptomFrequency], severityByWeek: [SeverityBucket], logs: LogSummary,
    baseline: LogSummary, triggerWindows: [TriggerWindow], logsByWeek: [LogBucket] = [],
    symptomDays: [SeverityBucket] = [], moodsByWeek: [MoodBucket] = [],
    ownFields: [LogField] = []
  ) {
    self.ownFields = ownFields
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
  /// The id of the episode's entry.
  public let id: EntryID
  /// Its days, both ends included; an ongoing episode has no last day.
  public let days: EpisodeDays
  /// The content of its entry.
  public let episode: Episode
  /// The notes of its entry; nil for none.
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
  /// How many began in these days.
  public let count: Int

  package init(days: Int, count: Int) {
    self.days = days
    self.count = count
  }
}

/// The frequency of a symptom.
public struct SymptomFrequency: Sendable, Hashable {
  /// The most recent spelling of a logged symptom; of an episode's symptom, its name in English.
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

/// The daily logs of a week.
public struct LogBucket: Sendable, Hashable {
  /// The week's Monday, which may lie before the span.
  public let day: LocalDay
  /// The summary of the logs on the week's days within the span.
  public let logs: LogSummary

  package init(day: LocalDay, logs: LogSummary) {
    self.day = day
    self.logs = logs
  }
}

/// How many days had a mood.
public struct MoodCount: Sendable, Hashable {
  /// The mood that is counted.
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
  /// The episode that followed.
  public let episode: EpisodeRecord
  /// The first of the seven days; the last is the one before the episode.
  public let firstDay: LocalDay
  /// The summary of the logs on the seven days.
  public let logs: LogSummary

  package init(episode: EpisodeRecord, firstDay: LocalDay, logs: LogSummary) {
    self.episode = episode
    self.firstDay = firstDay
    self.logs = logs
  }
}
