internal import Leaflog

/// Insights as lines of text.
struct InsightsText {
  let insights: Insights
  let terminal: Terminal

  /// The insights of the span, part by part, and the disclaimer.
  var lines: [String] {
    let parts =
      isEmpty
      ? [nothing]
      : [
        episodes, episodeSymptoms, loggedSymptoms, logs, weeks, moods, year, comparison,
        factors,
      ]
    let days = Quantities.count(
      insights.lastDay.dayNumber - insights.firstDay.dayNumber + 1, "day")
    let lines =
      ["\(days), \(insights.firstDay) to \(insights.lastDay)"]
      + parts.filter { !$0.isEmpty }.flatMap { [""] + $0 }
      + [""] + TextLayout.wrapped(Insights.disclaimer, to: terminal.width)
    // Strip the spaces that columns end with.
    return lines.map { line in
      String(line.prefix(line.count - line.reversed().prefix { $0 == " " }.count))
    }
  }

  private var isEmpty: Bool {
    insights.episodes.isEmpty && insights.logs.loggedDayCount == 0 && insights.symptomDays.isEmpty
      && insights.loggedSymptoms.isEmpty && insights.moodsByWeek.isEmpty
      && insights.episodeCounts.allSatisfy { $0.count == 0 }
  }

  private var nothing: [String] {
    sentence("Nothing was logged in this period.")
      + sentence(
        "Start with `leaflog symptom add`, `leaflog log set` or `leaflog episode start`."
      )
  }

  // MARK: Parts

  private var episodeSymptoms: [String] {
    part(
      "Symptoms of episodes",
      BarChart(terminal: indented).lines(
        insights.episodeSymptoms.map {
          BarChart.Bar(name: $0.name, value: Double($0.count), label: "\($0.count)")
        }))
  }

  private var loggedSymptoms: [String] {
    // With less room, the bars would be too short to show anything.
    let hasRoom = terminal.width >= 44
    let bars = insights.loggedSymptoms.map { symptom in
      BarChart.Bar(
        name: TextLayout.singleLine(symptom.name), value: Double(symptom.count),
        label: "\(symptom.count)",
        note: hasRoom ? symptom.averageSeverity.map { "severity \(number($0))" } ?? "" : "")
    }
    return part("Symptoms", BarChart(terminal: indented).lines(bars))
  }

  private var logs: [String] {
    let logs = insights.logs
    guard logs.loggedDayCount > 0 else { return [] }
    let list = FieldList(terminal: indented, nameWidth: 14)
    let days = insights.lastDay.dayNumber - insights.firstDay.dayNumber + 1
    return part(
      "Daily logs, \(logs.loggedDayCount) of \(Quantities.count(days, "day"))",
      logs.fields.filter { !$0.field.isOwn }.flatMap {
        list.lines($0.field.words.capitalizedFirst, $0.words())
      })
  }

  private var year: [String] {
    guard !insights.symptomDays.isEmpty else { return [] }
    let shades = insights.symptomDays.map { ($0.day, min(4, max(1, Int($0.average)))) }
    let map = HeatMap(
      terminal: indented, last: insights.lastDay,
      shade: Dictionary(shades, uniquingKeysWith: max))
    let legend = zip(HeatMap.shades, ["1", "2", "3", "4 or more"]).map { "\($0) \($1)" }
    return part("A year of symptoms", map.lines)
      + sentence("Mean severity of the day: " + legend.joined(separator: "  "))
  }

  // MARK: Layout

  /// The terminal, leaving room for two columns in front of each line.
  var indented: Terminal { terminal.narrowed(by: 2) }

  /// A part with its heading; empty when there are no lines.
  func part(_ heading: String, _ lines: [String]) -> [String] {
    guard !lines.isEmpty else { return [] }
    return [terminal.styled(heading, .bold)] + lines.map { $0.isEmpty ? "" : "  " + $0 }
  }

  func sentence(_ text: String) -> [String] {
    TextLayout.wrapped(text, to: max(20, terminal.width - 2)).map { "  " + $0 }
  }

  /// A number with one decimal place.
  func number(_ value: Double) -> String { Quantities.decimal(value, digits: 1) }
}

extension InsightsText {
  /// Sleep, stress and severity week by week.
  var weeks: [String] {
    let logs = Dictionary(uniqueKeysWithValues: insights.logsByWeek.map { ($0.day, $0.logs) })
    let severity = Dictionary(
      uniqueKeysWithValues: insights.severityByWeek.map { ($0.day, $0.average) })
    let monday = { (day: LocalDay) in day.dayNumber - day.weekday + 1 }
    let mondays = stride(
      from: monday(insights.firstDay), through: insights.lastDay.dayNumber, by: 7
    )
    .map(LocalDay.init(dayNumber:))
    let rows: [Row] = [
      Row("Sleep, h", mondays.map { logs[$0]?["sleepHours"]?.average }, scale: nil),
      Row("Stress", mondays.map { logs[$0]?["stress"]?.average }, scale: 1...5),
      Row("Severity", mondays.map { severity[$0] }, scale: 1...5),
    ].filter { $0.range != nil }
    guard !rows.isEmpty, let first = mondays.first else { return [] }
    let name = rows.map(\.name.count).max() ?? 0
    let note = rows.map { TextLayout.width(label($0)) }.max() ?? 0
    let sparkline = Sparkline(
      valueCount: mondays.count, room: max(1, indented.width - name - note - 4))
    let lines = rows.map { row in
      TextLayout.padded(row.name, to: name) + "  "
        + terminal.styled(sparkline.text(row.values, in: row.scale), .green) + "  " + label(row)
    }
    let axis = TimeAxis(
      first: first, last: first.advanced(by: 7 * mondays.count - 1), columns: sparkline.columns)
    let weeks = sparkline.valuesPerColumn
    return part(
      weeks == 1 ? "By week" : "By \(weeks) weeks",
      lines + axis.lines(indentation: name + 2))
  }

  /// The means of the lowest and the highest week.
  private func label(_ row: Row) -> String {
    guard let range = row.range else { return "" }
    let (low, high) = (number(range.lowerBound), number(range.upperBound))
    return low == high ? low : "\(low) to \(high)"
  }

  /// A value for each week.
  private struct Row {
    let name: String
    let values: [Double?]
    /// The values of the lowest and the highest column.
    let scale: ClosedRange<Double>
    /// The lowest and the highest value; nil when there is none.
    let range: ClosedRange<Double>?

    /// Without a scale, it ranges from the lowest to the highest value.
    init(_ name: String, _ values: [Double?], scale: ClosedRange<Double>?) {
      self.name = name
      self.values = values
      let known = values.compactMap { $0 }
      if let low = known.min(), let high = known.max() { range = low...high } else { range = nil }
      self.scale = scale ?? range ?? 0...1
    }
  }
}

extension InsightsText {
  /// The number of episodes, their duration, and a line for each on a time axis.
  var episodes: [String] {
    let counts = insights.episodeCounts
    guard !insights.episodes.isEmpty || counts.contains(where: { $0.count > 0 }) else { return [] }
    let began = counts.map { "\($0.days) days: \($0.count)" }.joined(separator: ", ")
    return part(
      "Episodes", TextLayout.wrapped("Started in the last \(began)", to: indented.width))
      + (duration.map(sentence) ?? []) + chart + mucus
  }

  private var duration: String? {
    let active = insights.episodes.count { $0.episode.isActive }
    guard let mean = insights.meanDuration else { return nil }
    let days = number(mean) + (mean.asMean == 1 ? " day" : " days")
    let without = [", excluding the ongoing one", ", excluding ongoing ones"]
    return "Mean duration: \(days)" + (active == 0 ? "" : without[active == 1 ? 0 : 1])
  }

  /// The type, days and length of each episode, and a bar for its place in the span.
  private var chart: [String] {
    let rows = insights.episodes.map { record in
      [
        record.episode.type.words,
        "\(record.days.first) – \(record.days.last?.description ?? "ongoing")",
        record.days.count.map { Quantities.count($0, "day") } ?? "",
      ]
    }
    guard !rows.isEmpty else { return [] }
    let widths = (0..<3).map { index in rows.map { TextLayout.width($0[index]) }.max() ?? 0 }
    let columns = indented.width - widths.reduce(0) { $0 + $1 + 2 }
    let axis = TimeAxis(first: insights.firstDay, last: insights.lastDay, columns: max(columns, 0))
    let names = rows.map { row in
      TextLayout.padded(row[0], to: widths[0]) + "  " + TextLayout.padded(row[1], to: widths[1])
        + "  " + TextLayout.rightAligned(row[2], to: widths[2])
    }
    // Too narrow to show where an episode lies: the days alone have to suffice.
    guard columns >= 12 else {
      return [""] + names.map { "  " + TextLayout.truncated($0, to: indented.width) }
    }
    let bars = zip(names, insights.episodes).map { name, record in
      "  \(name)  " + bar(of: record, axis)
    }
    return [""] + bars + axis.lines(indentation: terminal.width - columns)
  }

  private func bar(of record: EpisodeRecord, _ axis: TimeAxis) -> String {
    let place = axis.columns(
      from: max(record.days.first, insights.firstDay),
      to: min(record.days.last ?? insights.lastDay, insights.lastDay))
    func blank(_ count: Int) -> String {
      terminal.styled(String(repeating: "·", count: count), .dim)
    }
    let bar = String(repeating: "█", count: place.count)
    return blank(place.lowerBound) + terminal.styled(bar, record.episode.isActive ? .red : .green)
      + blank(axis.columns - place.upperBound)
  }

  private var mucus: [String] {
    let noted = insights.episodes.compactMap(\.episode.mucus)
    guard !noted.isEmpty else { return [] }
    let counts = Episode.Mucus.allCases.compactMap { colour in
      let count = noted.count { $0 == colour }
      return count == 0 ? nil : "\(colour.words) \(count)"
    }
    return [""] + sentence("Mucus: \(counts.joined(separator: ", ")). \(Insights.mucusNote)")
  }
}

extension InsightsText {
  /// The own factors: of the span, of the baseline, and before each episode.
  var factors: [String] {
    let own = insights.fields.filter(\.isOwn)
    let summaries = own.map { ($0.name, insights.summaries(of: $0)) }
    let width = summaries.flatMap(\.1).map { TextLayout.width($0.name) }.max() ?? 0
    let lines = summaries.flatMap { name, rows in
      [TextLayout.singleLine(name)]
        + rows.flatMap { row -> [String] in
          let value = TextLayout.wrapped(row.value, to: max(20, indented.width - width - 4))
          return value.enumerated().map { index, line in
            "  " + TextLayout.padded(index == 0 ? row.name : "", to: width) + "  " + line
          }
        }
    }
    return part("Your own fields", lines)
  }

  /// The moods of each week, the latest first.
  var moods: [String] {
    let lines = insights.moodsByWeek.reversed().map { week in
      let moods = week.moods.map { "\($0.mood.words) \($0.count)" }.joined(separator: ", ")
      return "\(week.day)  \(moods)"
    }
    return part(
      "Moods by week",
      lines.flatMap { line in
        let parts = TextLayout.wrapped(line, to: indented.width)
        return [parts[0]] + parts.dropFirst().map { "            " + $0 }
      })
  }

  /// The logs of the days before each episode, compared with those of days without any.
  var comparison: [String] {
    guard !insights.triggerWindows.isEmpty else { return [] }
    let baseline =
      hasBaseline ? ComparisonRow("baseline", insights.baseline, isRate: true) : nil
    let windows = insights.triggerWindows.map { window in
      let record = window.episode
      let name = "\(record.episode.type.words) \(record.days.first)"
      return ComparisonRow(name, window.logs, isRate: false)
    }
    let rows = (baseline.map { [$0] } ?? []) + windows
    return part(
      "The seven days before each episode",
      TextLayout.wrapped(explanation, to: indented.width) + [""]
        + (table(rows) ?? list(windows, baseline)))
  }

  private var hasBaseline: Bool { insights.baseline.loggedDayCount > 0 }

  private var explanation: String {
    let count = insights.baseline.dayCount
    if count == 0 {
      return "Each of the last 60 days belongs to an episode: there is no baseline to compare with."
    }
    let days =
      count == 60
      ? "the last 60 days"
      : "the \(Quantities.count(count, "day")) without an episode among the last 60"
    return hasBaseline
      ? "Baseline: \(days); its counts are given per 7 days. In brackets: on how many days it was recorded."
      : "No logs for \(days), so there is no baseline to compare with."
  }

  /// A table; nil when it is wider than the terminal.
  private func table(_ rows: [ComparisonRow]) -> [String]? {
    let name = rows.map { TextLayout.width($0.name) }.max() ?? 0
    let widths = ComparisonRow.columns.indices.map { index in
      max(
        TextLayout.width(ComparisonRow.columns[index]),
        rows.map { TextLayout.width($0.cells[index]) }.max() ?? 0)
    }
    guard widths.reduce(name, { $0 + $1 + 2 }) <= indented.width else { return nil }
    func line(_ first: String, _ cells: [String]) -> String {
      let aligned = zip(cells, widths).map { TextLayout.rightAligned($0, to: $1) }
      return TextLayout.padded(first, to: name) + "  " + aligned.joined(separator: "  ")
    }
    return [line("", ComparisonRow.columns)] + rows.map { line($0.name, $0.cells) }
  }

  /// The same values, one below the other.
  private func list(_ rows: [ComparisonRow], _ baseline: ComparisonRow?) -> [String] {
    let width = ComparisonRow.columns.map(\.count).max() ?? 0
    return rows.flatMap { row in
      let lines = row.cells.indices.flatMap { index -> [String] in
        let name = TextLayout.padded(ComparisonRow.columns[index], to: width)
        let line = "  \(name)  \(row.cells[index])"
        guard let beside = baseline.map({ "baseline \($0.cells[index])" }) else { return [line] }
        let whole = "\(line), \(beside)"
        return TextLayout.width(whole) <= indented.width
          ? [whole] : [line, TextLayout.padded("", to: width + 4) + beside]
      }
      return [row.name] + lines
    }
  }
}

/// The logs of some days, for comparison.
private struct ComparisonRow {
  static let columns =
    ["logged"] + LogField.compared.map { $0.unit == .hours ? "\($0.words) h" : $0.words }

  let name: String
  let cells: [String]

  /// Counts are in days; `isRate` gives them per seven days on which the field was recorded.
  init(_ name: String, _ logs: LogSummary, isRate: Bool) {
    self.name = name
    cells =
      ["\(logs.loggedDayCount)/\(logs.dayCount)"]
      + LogField.compared.map { field in
        guard let summary = logs.summary(of: field) else { return "–" }
        let days = summary.yesDayCount.map { isRate ? summary.perSevenDays($0) : Double($0) }
        let value = summary.average ?? days ?? 0
        return "\(Quantities.decimal(value, digits: 1)) (\(summary.recordedDayCount))"
      }
  }
}
