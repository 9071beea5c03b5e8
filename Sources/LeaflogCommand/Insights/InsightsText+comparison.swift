internal import Leaflog

extension InsightsText {
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
  static let columns = ["logged", "sleep h", "stress", "office", "sick contact", "humidifier"]

  let name: String
  let cells: [String]

  /// Counts are in days; `isRate` gives them per seven days on which the field was recorded.
  init(_ name: String, _ logs: LogSummary, isRate: Bool) {
    self.name = name
    func number(_ value: Double?, _ field: LogField) -> String {
      value.map {
        "\(Quantities.decimal($0, digits: 1)) (\(logs.recordedDayCount(of: field)))"
      } ?? "–"
    }
    func days(_ count: Int?, _ field: LogField) -> String {
      number(isRate ? logs.perSevenDays(count, of: field) : count.map(Double.init), field)
    }
    cells = [
      "\(logs.loggedDayCount)/\(logs.dayCount)", number(logs.averageSleepHours, .sleepHours),
      number(logs.averageStress, .stress), days(logs.officeDayCount, .officeDay),
      days(logs.sickContactDayCount, .sickContact), days(logs.humidifierDayCount, .humidifier),
    ]
  }
}
