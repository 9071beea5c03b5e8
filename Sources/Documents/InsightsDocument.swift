package import Leaflog

/// Insights in JSON. Unknown values are omitted.
package struct InsightsDocument: Encodable {
  struct Count: Encodable {
    let days: Int
    let count: Int
  }

  struct Frequency: Encodable {
    let name: String
    let count: Int
    let averageSeverity: Double?

    init(_ frequency: SymptomFrequency) {
      name = frequency.name
      count = frequency.count
      averageSeverity = frequency.averageSeverity?.asMean
    }
  }

  struct Severities: Encodable {
    let day: LocalDay
    let count: Int
    let averageSeverity: Double

    init(_ bucket: SeverityBucket) {
      day = bucket.day
      count = bucket.count
      averageSeverity = bucket.average.asMean
    }
  }

  /// An episode. Its own fields are nested under `episode`, as on a timeline.
  struct EpisodePart: Encodable {
    let id: String
    let firstDay: LocalDay
    let lastDay: LocalDay?
    let dayCount: Int?
    let isOngoing: Bool
    let notes: String?
    let episode: Episode

    init(_ record: EpisodeRecord) {
      id = record.id.description
      firstDay = record.days.first
      lastDay = record.days.last
      dayCount = record.days.count
      isOngoing = record.episode.isActive
      notes = record.notes
      episode = record.episode
    }
  }

  struct Logs: Encodable {
    let dayCount: Int
    let loggedDayCount: Int
    let averageSleepHours: Double?
    let averageSleepQuality: Double?
    let averageStress: Double?
    let averageExerciseMinutes: Double?
    let officeDayCount: Int?
    let sickContactDayCount: Int?
    let humidifierDayCount: Int?
    let alcoholDayCount: Int?
    /// On how many days each field was recorded.
    let recordedDayCounts: [String: Int]
    let sugarDayCounts: [String: Int]

    init(_ logs: LogSummary) {
      dayCount = logs.dayCount
      loggedDayCount = logs.loggedDayCount
      averageSleepHours = logs.averageSleepHours?.asMean
      averageSleepQuality = logs.averageSleepQuality?.asMean
      averageStress = logs.averageStress?.asMean
      averageExerciseMinutes = logs.averageExerciseMinutes?.asMean
      officeDayCount = logs.officeDayCount
      sickContactDayCount = logs.sickContactDayCount
      humidifierDayCount = logs.humidifierDayCount
      alcoholDayCount = logs.alcoholDayCount
      recordedDayCounts = Dictionary(
        uniqueKeysWithValues: LogField.allCases.map {
          ($0.rawValue, logs.recordedDayCount(of: $0))
        })
      sugarDayCounts = Dictionary(
        uniqueKeysWithValues: DailyLog.SugarIntake.allCases.map {
          ($0.rawValue, logs.sugarDayCounts[$0] ?? 0)
        })
    }
  }

  struct Week: Encodable {
    let day: LocalDay
    let logs: Logs
  }

  struct Window: Encodable {
    let episode: String
    let type: String
    let firstDay: LocalDay
    let lastDay: LocalDay
    let logs: Logs

    init(_ window: TriggerWindow) {
      episode = window.episode.id.description
      type = window.episode.episode.type.rawValue
      firstDay = window.firstDay
      lastDay = window.episode.days.first.advanced(by: -1)
      logs = Logs(window.logs)
    }
  }

  let firstDay: LocalDay
  let lastDay: LocalDay
  let disclaimer: String
  let mucusNote: String?
  let episodeCounts: [Count]
  let meanDurationDays: Double?
  let episodes: [EpisodePart]
  let episodeSymptoms: [Frequency]
  let loggedSymptoms: [Frequency]
  let severityByWeek: [Severities]
  let symptomDays: [Severities]
  let logs: Logs
  let logsByWeek: [Week]
  let baseline: Logs
  let triggerWindows: [Window]

  package init(_ insights: Insights) {
    firstDay = insights.firstDay
    lastDay = insights.lastDay
    disclaimer = Insights.disclaimer
    let hasMucus = insights.episodes.contains { $0.episode.mucus != nil }
    mucusNote = hasMucus ? Insights.mucusNote : nil
    episodeCounts = insights.episodeCounts.map { Count(days: $0.days, count: $0.count) }
    meanDurationDays = insights.meanDuration?.asMean
    episodes = insights.episodes.map(EpisodePart.init)
    episodeSymptoms = insights.episodeSymptoms.map(Frequency.init)
    loggedSymptoms = insights.loggedSymptoms.map(Frequency.init)
    severityByWeek = insights.severityByWeek.map(Severities.init)
    symptomDays = insights.symptomDays.map(Severities.init)
    logs = Logs(insights.logs)
    logsByWeek = insights.logsByWeek.map { Week(day: $0.day, logs: Logs($0.logs)) }
    baseline = Logs(insights.baseline)
    triggerWindows = insights.triggerWindows.map(Window.init)
  }
}
