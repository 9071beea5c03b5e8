internal import Leaflog

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
      Row("Sleep, h", mondays.map { logs[$0]?.averageSleepHours }, scale: nil),
      Row("Stress", mondays.map { logs[$0]?.averageStress }, scale: 1...5),
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
