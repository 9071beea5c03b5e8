package import DiaryModel

/// How often something was done in each week or month: a column for each span in which it was done.
package struct CountChart: Chart {
  package struct Column: Sendable {
    /// The span's name: `2026-W10`.
    package let name: String
    package let firstDay: LocalDay
    package let lastDay: LocalDay
    package let count: Int
  }

  package let title: String
  /// Oldest first.
  package let columns: [Column]

  /// - Parameters:
  ///   - days: the days on which it was done, in ascending order.
  ///   - today: the end of the chart, unless a day is later.
  package init(
    title: String, days: [LocalDay], by unit: BucketUnit, today: LocalDay,
    wording: ReportWording
  ) {
    self.title = title
    self.wording = wording
    var columns: [Column] = []
    var rest = days[...]
    while let first = rest.first {
      let name = unit.bucketName(of: first)
      let own = rest.prefix { unit.bucketName(of: $0) == name }
      let span = unit.days(around: first)
      columns.append(
        Column(
          name: name, firstDay: span.lowerBound, lastDay: span.upperBound, count: own.count))
      rest = rest.dropFirst(own.count)
    }
    self.columns = columns
    lastDay = max(today, columns.last?.lastDay ?? today)
  }

  private let lastDay: LocalDay
  private let wording: ReportWording

  package var summary: String {
    columns.isEmpty
      ? wording["nothing"]
      : columns.map { wording.text("bar", ["name": $0.name, "value": wording.number($0.count)]) }
        .joined(separator: "; ")
  }

  private static let chartHeight = 120.0

  package func pieces(width: Double, shaper: TextShaper) -> [Piece] {
    guard let first = columns.first else { return [nothing(wording["neverDone"], shaper)] }
    let most = columns.map(\.count).max() ?? 1
    return [
      Piece(height: Self.chartHeight + TimeAxis.height + 4) { canvas, origin in
        let gutter = 22.0
        let (top, bottom) = (origin.y + 8, origin.y + 4 + Self.chartHeight)
        let axis = TimeAxis(
          first: first.firstDay, last: lastDay, x: origin.x + gutter, width: width - gutter,
          wording: wording)
        func height(_ count: Int) -> Double {
          (bottom - top) * Double(count) / Double(most)
        }
        for count in Self.marks(upTo: most) {
          let y = bottom - height(count)
          canvas.line([Point(axis.x, y), Point(axis.x + axis.width, y)], .faint, width: 0.6)
          let label = shaper.shape(wording.number(count), .small)
          canvas.draw(label, at: Point(axis.x - 7 - label.lineWidth, y - label.lineHeight / 2))
        }
        axis.drawGrid(on: canvas, top: top, bottom: bottom)
        for column in columns {
          let start = axis.start(of: column.firstDay)
          let end = axis.start(of: column.lastDay.advanced(by: 1))
          let gap = min(1.5, (end - start) / 6)
          canvas.fill(
            Rectangle(
              x: start + gap, y: bottom - height(column.count), width: end - start - 2 * gap,
              height: height(column.count)), .accent, radius: 1)
        }
        axis.draw(on: canvas, at: bottom)
      }
    ]
  }

  /// A few whole numbers to mark on the axis.
  private static func marks(upTo most: Int) -> [Int] {
    let step = [1, 2, 5, 10, 20, 50, 100, 200].first { most / $0 <= 5 } ?? max(1, most / 5)
    return Array(stride(from: step, through: most, by: step))
  }
}
