package import DiaryModel

/// The charts of a span, the same in the report and as separate pictures.
extension Insights {
  private func title(_ key: String, _ wording: ReportWording) -> String {
    wording.text("chart.\(key)", ["span": wording.span(firstDay, lastDay)])
  }

  package func episodeTimeline(in wording: ReportWording) -> EpisodeTimeline {
    EpisodeTimeline(
      title: title("episodes", wording), firstDay: firstDay, lastDay: lastDay, episodes: episodes,
      wording: wording)
  }

  package func episodeSymptomChart(in wording: ReportWording) -> BarChart {
    BarChart(
      title: title("episodeSymptoms", wording),
      bars: episodeSymptoms.map {
        BarChart.Bar(
          name: wording.name(ofSign: $0.name), value: Double($0.count),
          label: wording.number($0.count))
      }, wording: wording)
  }

  package func loggedSymptomChart(in wording: ReportWording) -> BarChart {
    BarChart(
      title: title("symptoms", wording),
      bars: loggedSymptoms.map { symptom in
        let count = wording.number(symptom.count)
        let label = symptom.averageSeverity.map {
          wording.text("timesSeverity", ["count": count, "value": wording.number($0)])
        }
        return BarChart.Bar(
          name: symptom.name, value: Double(symptom.count), label: label ?? count)
      }, wording: wording)
  }

  package func severityChart(in wording: ReportWording) -> SeverityChart {
    SeverityChart(
      title: title("severity", wording), firstDay: firstDay, lastDay: lastDay,
      weeks: severityByWeek, wording: wording)
  }

  /// The heat map of the 53 weeks of `symptomDays`.
  package func yearMap(in wording: ReportWording) -> YearHeatMap {
    let first = lastDay.advanced(by: 1 - lastDay.weekday - 7 * 52)
    return YearHeatMap(
      title: wording.text("chart.year", ["span": wording.span(first, lastDay)]), firstDay: first,
      lastDay: lastDay, values: Dictionary(symptomDays.map { ($0.day, $0.average) }) { $1 },
      scale: .severity, wording: wording)
  }

  /// The shares of the days for each field of the log with choices.
  func shareCharts(in wording: ReportWording) -> [ShareBar] {
    LogField.builtIn.compactMap { field in
      guard case .choice(let choices) = field.kind,
        let counts = logs.summary(of: field)?.choiceDayCounts
      else { return nil }
      let known = choices.enumerated().map { index, choice in
        ShareBar.Part(
          name: wording.name(choice, of: field),
          count: counts.first { $0.choice == choice }?.count ?? 0,
          color: .severity(1.4 + 3.4 * Double(index) / Double(max(1, choices.count - 1))))
      }
      let rest = logs.loggedDayCount - known.map(\.count).reduce(0, +)
      let unknown = ShareBar.Part(name: wording["notSaid"], count: rest, color: .rule)
      return ShareBar(
        title: wording.name(field), parts: rest > 0 ? known + [unknown] : known,
        wording: wording)
    }
  }
}
