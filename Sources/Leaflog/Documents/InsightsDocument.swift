package import Fields

/// Insights in JSON. Unknown values are omitted.
extension Insights: Shown {
  package static let shown = Fields<Insights>([
    Field(adding: "firstDay", .day) { $0.firstDay },
    Field(adding: "lastDay", .day) { $0.lastDay },
    Field(adding: "disclaimer", .text) { _ in Insights.disclaimer },
    Field(adding: "mucusNote", .text) { insights in
      insights.episodes.contains { $0.episode.mucus != nil } ? Insights.mucusNote : nil
    },
    Field(adding: "episodeCounts", each: EpisodeCount.shown) { $0.episodeCounts },
    Field(adding: "meanDurationDays", .mean) { $0.meanDuration?.asMean },
    Field(adding: "episodes", each: EpisodeRecord.shown) { $0.episodes },
    Field(adding: "episodeSymptoms", each: SymptomFrequency.shown) { $0.episodeSymptoms },
    Field(adding: "loggedSymptoms", each: SymptomFrequency.shown) { $0.loggedSymptoms },
    Field(adding: "severityByWeek", each: SeverityBucket.shown) { $0.severityByWeek },
    Field(adding: "symptomDays", each: SeverityBucket.shown) { $0.symptomDays },
    Field(adding: "logs", LogSummary.shown) { $0.logs },
    Field(adding: "logsByWeek", each: LogBucket.shown) { $0.logsByWeek },
    Field(adding: "moodsByWeek", each: MoodBucket.shown) { $0.moodsByWeek },
    Field(adding: "baseline", LogSummary.shown) { $0.baseline },
    Field(adding: "triggerWindows", each: TriggerWindow.shown) { $0.triggerWindows },
  ]).named("Insights")
}

extension Kind<Double> {
  fileprivate static let meanSeverity = Kind.number(Severity.range)
  /// The mean of values that may be negative.
  fileprivate static let signedMean = Kind.number(-1_000_000_000...1_000_000_000)
}

extension EpisodeCount {
  fileprivate static let shown = Fields<EpisodeCount>([
    Field(adding: "days", .count) { $0.days }, Field(adding: "count", .count) { $0.count },
  ])
}

extension SymptomFrequency {
  fileprivate static let shown = Fields<SymptomFrequency>([
    Field(adding: "name", .text) { $0.name }, Field(adding: "count", .count) { $0.count },
    Field(adding: "averageSeverity", .meanSeverity) { $0.averageSeverity?.asMean },
  ])
}

extension SeverityBucket {
  fileprivate static let shown = Fields<SeverityBucket>([
    Field(adding: "day", .day) { $0.day }, Field(adding: "count", .count) { $0.count },
    Field(adding: "averageSeverity", .meanSeverity) { $0.average.asMean },
  ])
}

extension EpisodeRecord {
  /// Its own fields are nested under `episode`, as on a timeline.
  fileprivate static let shown = Fields<EpisodeRecord>([
    Field(adding: "id", .id) { $0.id }, Field(adding: "firstDay", .day) { $0.days.first },
    Field(adding: "lastDay", .day) { $0.days.last },
    Field(adding: "dayCount", .count) { $0.days.count },
    Field(adding: "isOngoing", .flag) { $0.episode.isActive },
    Field(adding: "notes", .verbatim) { $0.notes },
    Field(adding: "episode", Episode.fields) { $0.episode },
  ])
}

extension LogSummary {
  fileprivate static let shown = Fields<LogSummary>(
    [
      Field(adding: "dayCount", .count) { $0.dayCount },
      Field(adding: "loggedDayCount", .count) { $0.loggedDayCount },
      // On how many days each field was recorded.
      Field(adding: "recordedDayCounts", recordedDayCounts) { $0 },
      // The own factors that were recorded.
      Field(adding: "factors", each: LogFieldSummary.ofFactor) { logs in
        let factors = logs.fields.filter(\.field.isOwn)
        return factors.isEmpty ? nil : factors
      },
    ] + LogField.builtIn.map(shown)
  ).named("LogSummary")

  private static let recordedDayCounts = Fields<LogSummary>(
    LogField.builtIn.map { field in
      Field(adding: field.name, .count) { $0.summary(of: field)?.recordedDayCount ?? 0 }
    })

  /// The summary of a field that each library has: `averageStress`, `officeDayCount`, `sugarDayCounts`.
  private static func shown(_ field: LogField) -> Field<LogSummary> {
    switch field.kind {
    case .number:
      return Field(adding: "average\(field.name.capitalizedFirst)", .mean) {
        $0.summary(of: field)?.average?.asMean
      }
    case .flag:
      let name = field.name.hasSuffix("Day") ? String(field.name.dropLast(3)) : field.name
      return Field(adding: "\(name)DayCount", .count) { $0.summary(of: field)?.yesDayCount }
    case .choice(let choices):
      let counts = Fields<LogSummary>(
        choices.map { choice in
          Field(adding: choice, .count) { logs in
            logs.summary(of: field)?.choiceDayCounts.first { $0.choice == choice }?.count ?? 0
          }
        })
      return Field(adding: "\(field.name)DayCounts", counts) { $0 }
    }
  }
}

extension LogFieldSummary {
  fileprivate static let ofFactor = Fields<LogFieldSummary>([
    Field(adding: "name", .text) { $0.field.name },
    Field(adding: "kind", .choice) { $0.field.kind.factorKind },
    Field(adding: "unit", .text) { $0.field.unit?.words },
    Field(adding: "recordedDayCount", .count) { $0.recordedDayCount },
    Field(adding: "average", .signedMean) { $0.average?.asMean },
    Field(adding: "yesDayCount", .count) { $0.yesDayCount },
    Field(adding: "choiceDayCounts", each: ChoiceCount.shown) {
      if case .choice = $0.field.kind { $0.choiceDayCounts } else { nil }
    },
  ]).named("FactorSummary")
}

extension LogField.Kind {
  fileprivate var factorKind: FactorKind {
    switch self {
    case .flag: .flag
    case .number: .number
    case .choice: .choice
    }
  }
}

extension LogFieldSummary.ChoiceCount {
  fileprivate static let shown = Fields<LogFieldSummary.ChoiceCount>([
    Field(adding: "choice", .text) { $0.choice }, Field(adding: "count", .count) { $0.count },
  ])
}

extension MoodBucket {
  fileprivate static let shown = Fields<MoodBucket>([
    Field(adding: "day", .day) { $0.day },
    Field(adding: "moods", each: MoodCount.shown) { $0.moods },
    Field(adding: "averageSleepHours", .mean) { $0.averageSleepHours?.asMean },
    Field(adding: "symptomCount", .count) { $0.symptomCount },
    Field(adding: "completionCount", .count) { $0.completionCount },
  ])
}

extension MoodCount {
  fileprivate static let shown = Fields<MoodCount>([
    Field(adding: "mood", .choice) { $0.mood }, Field(adding: "count", .count) { $0.count },
  ])
}

extension LogBucket {
  fileprivate static let shown = Fields<LogBucket>([
    Field(adding: "day", .day) { $0.day }, Field(adding: "logs", LogSummary.shown) { $0.logs },
  ])
}

extension TriggerWindow {
  fileprivate static let shown = Fields<TriggerWindow>([
    Field(adding: "episode", .id) { $0.episode.id },
    Field(adding: "type", .choice) { $0.episode.episode.type },
    Field(adding: "firstDay", .day) { $0.firstDay },
    Field(adding: "lastDay", .day) { $0.episode.days.first.advanced(by: -1) },
    Field(adding: "logs", LogSummary.shown) { $0.logs },
  ])
}
