package import DiaryModel

/// The mean severity of symptoms by week: points, with a line through those of successive weeks. A larger
/// point stands for more symptoms.
package struct SeverityChart: Chart {
  package let title: String
  package let firstDay: LocalDay
  package let lastDay: LocalDay
  package let weeks: [SeverityBucket]
  package let wording: ReportWording

  package init(
    title: String, firstDay: LocalDay, lastDay: LocalDay, weeks: [SeverityBucket],
    wording: ReportWording
  ) {
    self.wording = wording
    self.title = title
    self.firstDay = firstDay
    self.lastDay = lastDay
    self.weeks = weeks
  }

  package var summary: String {
    weeks.isEmpty
      ? wording["noSymptoms"]
      : weeks.map {
        wording.text(
          "weekOf",
          [
            "day": wording.day($0.day), "value": wording.number($0.average),
            "symptoms": wording.plural("countSymptoms", $0.count),
          ])
      }
      .joined(separator: "; ")
  }

  private static let chartHeight = 104.0

  package func pieces(width: Double, shaper: TextShaper) -> [Piece] {
    guard !weeks.isEmpty else { return [nothing(wording["noSymptomsLogged"], shaper)] }
    return [
      Piece(height: Self.chartHeight + TimeAxis.height + 4) { canvas, origin in
        let gutter = 16.0
        let (top, bottom) = (origin.y + 4, origin.y + 4 + Self.chartHeight)
        // The first week may have begun before the span.
        let axis = TimeAxis(
          first: min(firstDay, weeks[0].day), last: max(lastDay, weeks[weeks.count - 1].day),
          x: origin.x + gutter, width: width - gutter, wording: wording)
        func height(_ value: Double) -> Double {
          bottom - 8 - (value - 1) / 4 * (bottom - top - 16)
        }
        for value in 1...5 {
          let y = height(Double(value))
          canvas.line([Point(axis.x, y), Point(axis.x + axis.width, y)], .faint, width: 0.6)
          let label = shaper.shape("\(value)", .small)
          canvas.draw(
            label, at: Point(axis.x - 7 - label.lineWidth, y - label.lineHeight / 2))
        }
        axis.drawGrid(on: canvas, top: top, bottom: bottom)
        axis.draw(on: canvas, at: bottom)
        let points = weeks.map { week in
          Point(
            (axis.start(of: week.day) + axis.start(of: week.day.advanced(by: 7))) / 2,
            height(week.average))
        }
        for (index, (from, to)) in zip(weeks, weeks.dropFirst()).enumerated()
        where to.day.dayNumber - from.day.dayNumber <= 7 {
          canvas.line([points[index], points[index + 1]], .accent, width: 1.2)
        }
        let most = weeks.map(\.count).max() ?? 1
        for (week, point) in zip(weeks, points) {
          let radius = 1.6 + 2.2 * (Double(week.count) / Double(most)).squareRoot()
          canvas.dot(point, radius: radius, .severity(week.average))
        }
      }
    ]
  }
}
