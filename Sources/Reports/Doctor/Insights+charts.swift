package import DiaryModel

/// The charts of a span, the same in the report and as separate pictures.
extension Insights {
  package var episodeTimeline: EpisodeTimeline {
    EpisodeTimeline(
      title: "Episodes, \(firstDay) to \(lastDay)", firstDay: firstDay, lastDay: lastDay,
      episodes: episodes)
  }

  package var episodeSymptomChart: BarChart {
    BarChart(
      title: "Symptoms in episodes, \(firstDay) to \(lastDay)",
      bars: episodeSymptoms.map {
        BarChart.Bar(name: $0.name, value: Double($0.count), label: "\($0.count)")
      })
  }

  package var loggedSymptomChart: BarChart {
    BarChart(
      title: "Symptoms logged, \(firstDay) to \(lastDay)",
      bars: loggedSymptoms.map { symptom in
        let severity = symptom.averageSeverity.map { ", severity \(decimal($0))" } ?? ""
        return BarChart.Bar(
          name: symptom.name, value: Double(symptom.count), label: "\(symptom.count)\(severity)")
      })
  }

  package var severityChart: SeverityChart {
    SeverityChart(
      title: "Severity by week, \(firstDay) to \(lastDay)", firstDay: firstDay, lastDay: lastDay,
      weeks: severityByWeek)
  }

  /// The heat map of the 53 weeks of `symptomDays`.
  package var yearMap: YearHeatMap {
    let first = lastDay.advanced(by: 1 - lastDay.weekday - 7 * 52)
    return YearHeatMap(
      title: "Severity by day, \(first) to \(lastDay)", firstDay: first, lastDay: lastDay,
      values: Dictionary(symptomDays.map { ($0.day, $0.average) }) { $1 }, scale: .severity)
  }

  /// The shares of the days for each field of the log with choices.
  var shareCharts: [ShareBar] {
    LogField.builtIn.compactMap { field in
      guard case .choice(let choices) = field.kind,
        let counts = logs.summary(of: field)?.choiceDayCounts
      else { return nil }
      let known = choices.enumerated().map { index, choice in
        ShareBar.Part(
          name: choice.spacedWords, count: counts.first { $0.choice == choice }?.count ?? 0,
          color: .severity(1.4 + 3.4 * Double(index) / Double(max(1, choices.count - 1))))
      }
      let rest = logs.loggedDayCount - known.map(\.count).reduce(0, +)
      let unknown = ShareBar.Part(name: "not said", count: rest, color: .rule)
      return ShareBar(
        title: field.words.capitalizedFirst, unit: "day",
        parts: rest > 0 ? known + [unknown] : known)
    }
  }
}

/// A number with one decimal place, or none if that would be zero: `7.3`, `7`.
func decimal(_ value: Double) -> String {
  guard value.isFinite, abs(value) < 1e12 else { return "–" }
  let tenths = Int((value.asMean * 10).rounded())
  let sign = tenths < 0 ? "-" : ""
  let (whole, rest) = abs(tenths).quotientAndRemainder(dividingBy: 10)
  return rest == 0 ? "\(sign)\(whole)" : "\(sign)\(whole).\(rest)"
}

/// `1 day`, `2 days`
func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
