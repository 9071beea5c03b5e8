package import DiaryCatalog
package import DiaryModel

/// The entries that insights are computed from.
package struct DiaryRecord: Sendable {
  /// The episodes with a day in `InsightsSpans.episodes`, oldest first.
  package var episodes: [EpisodeRecord] = []
  /// The logs of the spans `InsightsSpans.logs(with:)`, by day.
  package var logs: [LocalDay: DailyLog] = [:]
  /// The symptoms of the span `InsightsSpans.symptoms`, oldest first.
  package var symptomDays: [SymptomDay] = []
  /// All factors, in user-defined order.
  package var factors: [FactorDetails] = []
  /// The moods of the requested span, by day.
  package var moods: [LocalDay: Mood] = [:]
  /// How many activities were done on the days of the requested span.
  package var completions: [LocalDay: Int] = [:]

  package init() {}
}

extension Insights {
  /// Computes the insights from the record alone; nothing is read.
  package init(_ record: DiaryRecord, _ spans: InsightsSpans) {
    let asked = spans.asked
    let episodes = record.episodes.filter { $0.days.overlaps(asked) }
    let (logs, factors) = (record.logs, record.factors.map(LogField.init))
    let symptoms = record.symptomDays.filter { asked.contains($0.day) }
    self.init(
      firstDay: asked.lowerBound, lastDay: asked.upperBound, episodes: episodes,
      episodeCounts: InsightsSpans.episodeCountDays.map { days in
        let span = spans.began(inLast: days)
        let count = record.episodes.count { span.contains($0.days.first) }
        return EpisodeCount(days: days, count: count)
      },
      meanDuration: mean(episodes.compactMap(\.days.count)),
      episodeSymptoms: Self.symptoms(of: episodes),
      loggedSymptoms: Self.byName(symptoms),
      severityByWeek: Self.buckets(of: symptoms, by: \.monday),
      logs: LogSummary(of: asked.days, logs, factors),
      baseline: LogSummary(of: Self.baseline(spans, record.episodes), logs, factors),
      triggerWindows: episodes.map {
        let window = InsightsSpans.triggerWindow(of: $0)
        return TriggerWindow(
          episode: $0, firstDay: window.lowerBound,
          logs: LogSummary(of: window.days, logs, factors))
      },
      logsByWeek: Self.weeks(of: logs, factors, in: asked),
      symptomDays: Self.buckets(
        of: record.symptomDays.filter { spans.weeks.contains($0.day) }, by: { $0 }),
      moodsByWeek: Self.moods(of: record, symptoms, in: asked), ownFields: factors)
  }

  private static func moods(
    of record: DiaryRecord, _ symptoms: [SymptomDay], in span: ClosedRange<LocalDay>
  ) -> [MoodBucket] {
    weeks(in: span).compactMap { monday, week in
      let counts = Dictionary(
        week.days.compactMap { record.moods[$0] }.map { ($0, 1) }, uniquingKeysWith: +)
      guard !counts.isEmpty else { return nil }
      return MoodBucket(
        day: monday,
        // The most frequent first, then in the order of the moods.
        moods: Mood.allCases.compactMap { mood in counts[mood].map { MoodCount(mood, $0) } }
          .sorted { $0.count > $1.count },
        averageSleepHours: LogSummary(of: week.days, record.logs, [])["sleepHours"]?.average,
        symptomCount: symptoms.filter { week.contains($0.day) }.reduce(0) { $0 + $1.count },
        completionCount: week.days.reduce(0) { $0 + (record.completions[$1] ?? 0) })
    }
  }

  /// The weeks of a span by their Mondays, each as far as it is in the span.
  private static func weeks(
    in span: ClosedRange<LocalDay>
  ) -> [(monday: LocalDay, days: ClosedRange<LocalDay>)] {
    stride(
      from: span.lowerBound.monday.dayNumber, through: span.upperBound.dayNumber, by: 7
    ).map { number in
      let monday = LocalDay(dayNumber: number)
      return (monday, (monday...monday.advanced(by: 6)).clamped(to: span))
    }
  }

  /// The days of the baseline that belong to no episode.
  private static func baseline(
    _ spans: InsightsSpans, _ episodes: [EpisodeRecord]
  ) -> [LocalDay] {
    spans.baseline.days.filter { day in !episodes.contains { $0.days.contains(day) } }
  }

  private static func symptoms(of episodes: [EpisodeRecord]) -> [SymptomFrequency] {
    ordered(
      Episode.Sign.allCases.compactMap { sign in
        let count = episodes.count { $0.episode.symptoms.contains(sign) }
        return count == 0
          ? nil : SymptomFrequency(name: sign.words, count: count, averageSeverity: nil)
      })
  }

  /// Sorts the most frequent first, then by name, regardless of case.
  private static func ordered(_ symptoms: [SymptomFrequency]) -> [SymptomFrequency] {
    let named = symptoms.map { symptom in (symptom: symptom, name: foldedName(symptom.name)) }
    return named.sorted { left, right in
      if left.symptom.count != right.symptom.count {
        return left.symptom.count > right.symptom.count
      }
      return left.name < right.name
    }.map(\.symptom)
  }

  /// Groups symptoms by name, regardless of case, each under its most recent spelling.
  private static func byName(_ days: [SymptomDay]) -> [SymptomFrequency] {
    var names: [String: (name: String, count: Int, sum: Double)] = [:]
    for day in days {
      let before = names[day.foldedName] ?? (day.name, 0, 0)
      names[day.foldedName] = (
        day.name, before.count + day.count, before.sum + day.severitySum
      )
    }
    return ordered(
      names.values.map {
        SymptomFrequency(name: $0.name, count: $0.count, averageSeverity: $0.sum / Double($0.count))
      })
  }

  /// Groups days into buckets; `start` returns the day that identifies the bucket of a day.
  private static func buckets(
    of days: [SymptomDay], by start: (LocalDay) -> LocalDay
  ) -> [SeverityBucket] {
    var buckets: [(day: LocalDay, count: Int, sum: Double)] = []
    for day in days {
      let first = start(day.day)
      if buckets.last?.day != first { buckets.append((first, 0, 0)) }
      buckets[buckets.count - 1].count += day.count
      buckets[buckets.count - 1].sum += day.severitySum
    }
    return buckets.map {
      SeverityBucket(day: $0.day, count: $0.count, average: $0.sum / Double($0.count))
    }
  }

  private static func weeks(
    of logs: [LocalDay: DailyLog], _ factors: [LogField], in span: ClosedRange<LocalDay>
  ) -> [LogBucket] {
    weeks(in: span).compactMap { monday, week in
      let summary = LogSummary(of: week.days, logs, factors)
      return summary.loggedDayCount == 0 ? nil : LogBucket(day: monday, logs: summary)
    }
  }
}

extension LogSummary {
  /// The counts and means of the logs of some days.
  package init(of days: [LocalDay], _ logs: [LocalDay: DailyLog], _ factors: [LogField]) {
    self.init(dayCount: days.count, days.compactMap { logs[$0] }, factors)
  }
}

/// The mean; nil without values.
private func mean(_ values: [Double]) -> Double? {
  values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
}

private func mean(_ values: [Int]) -> Double? { mean(values.map(Double.init)) }

/// The days that each part of the insights looks at. All spans include both ends.
package struct InsightsSpans: Sendable {
  /// The lengths, in days, of the spans for which the episodes that began in them are counted.
  package static let episodeCountDays = [30, 90, 365]

  private static let baselineDayCount = 60
  private static let triggerDayCount = 7
  private static let weekCount = 53

  /// The requested span.
  package let asked: ClosedRange<LocalDay>

  /// The last `days` days up to and including `today`.
  package init(days: Int, today: LocalDay) {
    precondition(days > 0)
    asked = Self.last(days, to: today)
  }

  /// The baseline that episodes are compared with, before the days of episodes are excluded.
  package var baseline: ClosedRange<LocalDay> { Self.last(Self.baselineDayCount, to: last) }

  /// The 53 weeks that a one-year calendar shows.
  package var weeks: ClosedRange<LocalDay> {
    let monday = last.monday
    return monday.advanced(by: -7 * (Self.weekCount - 1))...last
  }

  /// The span of the relevant episodes: each has a day in it.
  package var episodes: ClosedRange<LocalDay> {
    let counted = Self.episodeCountDays.max() ?? 1
    let first = min(asked.lowerBound, baseline.lowerBound, began(inLast: counted).lowerBound)
    return first...last
  }

  /// The span in which all relevant symptoms were logged.
  package var symptoms: ClosedRange<LocalDay> {
    min(asked.lowerBound, weeks.lowerBound)...last
  }

  package func began(inLast days: Int) -> ClosedRange<LocalDay> { Self.last(days, to: last) }

  /// The seven days before an episode.
  package static func triggerWindow(of episode: EpisodeRecord) -> ClosedRange<LocalDay> {
    let start = episode.days.first
    return start.advanced(by: -triggerDayCount)...start.advanced(by: -1)
  }

  /// The spans of the relevant logs: the requested span, the baseline, and the days before the episodes,
  /// which may have begun long ago. They do not overlap, so each log is read once.
  package func logs(with episodes: [EpisodeRecord]) -> [ClosedRange<LocalDay>] {
    let windows = episodes.filter { $0.days.overlaps(asked) }.map(Self.triggerWindow)
    let wanted = ([asked, baseline] + windows).sorted { $0.lowerBound < $1.lowerBound }
    return wanted.reduce(into: []) { merged, next in
      if let before = merged.last, next.lowerBound <= before.upperBound {
        merged[merged.count - 1] =
          before.lowerBound...max(before.upperBound, next.upperBound)
      } else {
        merged.append(next)
      }
    }
  }

  private var last: LocalDay { asked.upperBound }

  private static func last(_ days: Int, to last: LocalDay) -> ClosedRange<LocalDay> {
    last.advanced(by: 1 - days)...last
  }
}

extension EpisodeDays {
  /// Whether it has a day in a span.
  package func overlaps(_ span: ClosedRange<LocalDay>) -> Bool {
    overlaps(EpisodeDays(first: span.lowerBound, last: span.upperBound))
  }
}

extension LocalDay {
  /// The Monday of its week.
  package var monday: LocalDay { advanced(by: 1 - weekday) }
}

extension ClosedRange<LocalDay> {
  /// Its days in order.
  package var days: [LocalDay] {
    (lowerBound.dayNumber...upperBound.dayNumber).map(LocalDay.init(dayNumber:))
  }
}
