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
        episodes, episodeSymptoms, loggedSymptoms, logs, weeks, year, comparison,
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
      && insights.loggedSymptoms.isEmpty && insights.episodeCounts.allSatisfy { $0.count == 0 }
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
    var rows: [String] = []
    func row(_ name: String, _ value: String?) {
      if let value { rows.append(TextLayout.padded(name, to: 14) + value) }
    }
    func mean(_ value: Double?, _ unit: String, _ field: LogField) -> String? {
      let days = Quantities.count(logs.recordedDayCount(of: field), "day")
      return value.map { "\(number($0)) \(unit), on \(days)" }
    }
    row("Sleep", mean(logs.averageSleepHours, "h", .sleepHours))
    row("Sleep quality", mean(logs.averageSleepQuality, "of 5", .sleepQuality))
    row("Stress", mean(logs.averageStress, "of 5", .stress))
    row("Exercise", mean(logs.averageExerciseMinutes, "min a day", .exerciseMinutes))
    let counts: [(String, Int?, LogField)] = [
      ("Office", logs.officeDayCount, .officeDay),
      ("Sick contact", logs.sickContactDayCount, .sickContact),
      ("Humidifier", logs.humidifierDayCount, .humidifier),
      ("Alcohol", logs.alcoholDayCount, .alcohol),
    ]
    for (name, count, field) in counts {
      let days = Quantities.count(logs.recordedDayCount(of: field), "day")
      row(name, count.map { "\($0) of \(days)" })
    }
    let sugar = DailyLog.SugarIntake.allCases.map { intake in
      let count = logs.sugarDayCounts[intake] ?? 0
      return BarChart.Bar(name: "Sugar \(intake.words)", value: Double(count), label: "\(count)")
    }
    let hasSugar = !logs.sugarDayCounts.isEmpty
    let days = insights.lastDay.dayNumber - insights.firstDay.dayNumber + 1
    return part(
      "Daily logs, \(logs.loggedDayCount) of \(Quantities.count(days, "day"))",
      rows + (hasSugar ? BarChart(terminal: indented).lines(sugar) : []))
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
