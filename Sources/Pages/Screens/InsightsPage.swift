internal import Language
package import Leaflog

/// Counts and means over a span of days, never causes.
package struct InsightsPage: Screen {
  package static let template = "insights"

  struct EpisodeChart {
    let chart: Chart?
    let legend: [String]
  }

  /// The seven days before each episode, one column each, and the usual days.
  struct Triggers {
    let columns: [String]
    let rows: [TriggerRow]
  }

  struct TriggerRow {
    let label: String
    let values: [String]
  }

  let page: PageFrame
  let range: String
  let days: String
  /// The tag of the report's language.
  let language: String
  let periods: [Choice]
  let disclaimer: String
  let hasAnything: Bool
  let counts: [Fact]
  let episodeChart: EpisodeChart?
  let barLists: [BarList]
  let charts: [TitledChart]
  let averages: [Fact]
  let triggers: Triggers?
  let work: JobList?
  /// The moods of each week, the latest first, with what else was recorded in it.
  let moodWeeks: MoodWeeks?

  struct MoodWeeks {
    let weeks: [MoodWeek]
  }

  struct MoodWeek {
    let date: String
    let moods: String
    let sleep: String
    let symptoms: String
    let care: String
  }

  /// - Parameters:
  ///   - days: 30, 90 or 365; any other number means 90.
  ///   - jobs: jobs of any kind, newest first.
  package init(_ context: PageContext, days: Int? = nil, jobs: [JobDocument]) throws {
    let (reader, words) = (context.reader, context.words)
    let days = Periods.known(days)
    let insights = try context.library.insights.compute(days: days, today: context.today)
    page = try context.frame(words["insights"], at: .today)
    range = "\(reader.day(insights.firstDay)) – \(reader.day(insights.lastDay))"
    self.days = "\(days)"
    language = reader.reportLanguage
    periods = Periods.choices(chosen: days, reader) { "/insights?days=\($0)" }
    disclaimer = words["disclaimerText"]
    hasAnything =
      !insights.episodes.isEmpty || !insights.loggedSymptoms.isEmpty
      || insights.logs.loggedDayCount > 0 || !insights.moodsByWeek.isEmpty
    counts =
      insights.episodeCounts.map {
        Fact(label: reader.count("episodesIn", $0.days), value: reader.number($0.count))
      }
      + [insights.meanDuration].compactMap { $0 }.map {
        Fact(
          label: words["duration"],
          value: words.plural("countDays", $0 == 1 ? 1 : 2, as: reader.number($0)))
      }
    episodeChart = insights.episodes.isEmpty ? nil : EpisodeChart(insights, in: context)
    barLists = Self.barLists(insights, reader)
    charts = insights.severityByWeek.isEmpty ? [] : [Self.severities(insights, reader)]
    averages = insights.logs.fields.map {
      Fact(label: Self.label(of: $0.field, words), value: Self.text($0, reader))
    }
    work = JobList(jobs, in: context) { ["report", "csv"].contains($0.kind) }
    moodWeeks =
      insights.moodsByWeek.isEmpty
      ? nil
      : MoodWeeks(weeks: insights.moodsByWeek.reversed().map { MoodWeek($0, in: context) })
    triggers = Triggers(insights, reader)
  }
}

extension InsightsPage {
  private static func barLists(_ insights: Insights, _ reader: Reader) -> [BarList] {
    let words = reader.words
    func list(_ key: String, _ items: [SymptomFrequency], _ name: (String) -> String) -> BarList? {
      guard let most = items.first?.count else { return nil }
      return BarList(
        title: words[key],
        items: items.prefix(12).map {
          BarItem(
            label: name($0.name), value: reader.count("symptomTimes", $0.count),
            amount: $0.count, most: most)
        })
    }
    return [
      list("episodeSymptoms", insights.episodeSymptoms) { name in
        Episode.Sign.allCases.first { $0.words == name || $0.rawValue == name }
          .map { words["symptoms.\($0.rawValue)"] } ?? name
      },
      list("loggedSymptoms", insights.loggedSymptoms) { $0 },
    ].compactMap { $0 }
  }

  private static func severities(_ insights: Insights, _ reader: Reader) -> TitledChart {
    let known = Dictionary(insights.severityByWeek.map { ($0.day, $0.average) }) { $1 }
    let weeks = Periods.weeks(from: insights.firstDay, to: reader.today)
    return TitledChart(severities: weeks.map { ($0, known[$0]) }, reader)
  }

  /// The name of a field of the log, which may be another than that of its input.
  fileprivate static func label(of field: LogField, _ words: Words) -> String {
    field.isOwn ? field.name : words.optional("avg.\(field.name)") ?? words[field.name]
  }

  /// `7.5 h (12 days)`, `2.5 cups (12 days)`, `3 of 12`, `home 2, garden 1 (3 days)`.
  fileprivate static func text(_ summary: LogFieldSummary, _ reader: Reader) -> String {
    let (field, words) = (summary.field, reader.words)
    let days = reader.count("countDays", summary.recordedDayCount)
    if let mean = summary.average { return "\(text(mean, of: field, reader)) (\(days))" }
    if let count = summary.yesDayCount {
      return words.text(
        "goalOf",
        ["done": reader.number(count), "goal": reader.number(summary.recordedDayCount)])
    }
    let choices = summary.choiceDayCounts.map { count in
      let name = field.isOwn ? count.choice : words["\(field.name).\(count.choice)"]
      return "\(name) \(reader.number(count.count))"
    }
    return "\(choices.joined(separator: ", ")) (\(days))"
  }

  private static func text(_ mean: Double, of field: LogField, _ reader: Reader) -> String {
    switch field.unit {
    case .hours: reader.words.text("hoursValue", ["value": reader.exactNumber(mean)])
    case .minutes:
      reader.words.text("minutesValue", ["value": reader.number(Int(mean.rounded()))])
    case .named(let unit): "\(reader.number(mean)) \(unit)"
    case .scale, nil: reader.number(mean)
    }
  }
}

extension InsightsPage.MoodWeek {
  fileprivate init(_ week: MoodBucket, in context: PageContext) {
    let reader = context.reader
    self.init(
      date: reader.shortDay(week.day),
      moods: week.moods.map {
        "\($0.mood.emoji) \(context.name($0.mood)) \(reader.number($0.count))"
      }
      .joined(separator: ", "),
      sleep: week.averageSleepHours.map {
        context.words.text("hoursValue", ["value": reader.exactNumber($0)])
      } ?? "–",
      symptoms: reader.number(week.symptomCount), care: reader.number(week.completionCount))
  }
}

extension InsightsPage.EpisodeChart {
  /// Episodes as bars over the days of the span.
  fileprivate init(_ insights: Insights, in context: PageContext) {
    let reader = context.reader
    let (width, bottom, tall) = (316, 40, 20)
    let span = Double(insights.firstDay.daysAgo(on: insights.lastDay) + 1)
    func x(_ day: LocalDay) -> Int {
      Int((Double(insights.firstDay.daysAgo(on: day)) / span * Double(width)).rounded())
    }
    let names = insights.episodes.map { record in
      let span = context.span(of: record.episode, from: record.days.first)
      return "\(context.name(record.episode.type)): \(span)"
    }
    let bars = zip(insights.episodes, names).map { record, title in
      let first = x(max(record.days.first, insights.firstDay))
      let last = x(min(record.days.last ?? insights.lastDay, insights.lastDay).advanced(by: 1))
      return ChartBar(
        x: first, y: bottom - tall, barWidth: max(3, last - first), barHeight: tall,
        isPale: !record.episode.isActive, barTitle: title)
    }
    self.init(
      chart: Chart(
        width: width, height: 60,
        chartLabel: context.words.text(
          "chartOne",
          [
            "title": context.words["episodeTimeline"],
            "value": reader.count("countEpisodes", names.count),
          ]), table: nil,
        lines: [ChartLine(y: bottom)], bars: bars, points: nil, markers: [],
        texts: [
          ChartText(
            place: "0%", y: 56, anchor: "start",
            text: reader.axisDay(insights.firstDay, from: insights.firstDay)),
          ChartText(
            place: "100%", y: 56, anchor: "end",
            text: reader.axisDay(insights.lastDay, from: insights.firstDay)),
        ]), legend: names)
  }
}

extension InsightsPage.Triggers {
  /// Nil without an episode, or a log to compare.
  fileprivate init?(_ insights: Insights, _ reader: Reader) {
    let spans = [insights.baseline] + insights.triggerWindows.map(\.logs)
    let rows = insights.fields.compactMap { field -> InsightsPage.TriggerRow? in
      let values = spans.map { $0.summary(of: field).map { InsightsPage.text($0, reader) } }
      guard values.contains(where: { $0 != nil }) else { return nil }
      return InsightsPage.TriggerRow(
        label: InsightsPage.label(of: field, reader.words), values: values.map { $0 ?? "–" })
    }
    guard !insights.triggerWindows.isEmpty, !rows.isEmpty else { return nil }
    self.init(
      columns: [reader.words["baseline"]]
        + insights.triggerWindows.map { reader.shortDay($0.episode.days.first) }, rows: rows)
  }
}
