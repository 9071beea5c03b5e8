internal import DiaryModel

/// A horizontal axis of days.
struct TimeAxis {
  let first: LocalDay
  let last: LocalDay
  let x: Double
  let width: Double

  private var dayCount: Double { Double(max(1, last.dayNumber - first.dayNumber + 1)) }

  /// The position at which a day begins; days outside the axis are at its ends.
  func start(of day: LocalDay) -> Double {
    x + width * min(1, max(0, Double(day.dayNumber - first.dayNumber) / dayCount))
  }

  func middle(of day: LocalDay) -> Double { (start(of: day) + start(of: day.advanced(by: 1))) / 2 }

  static let height = 16.0

  static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// The days to mark, with their names: as many as there is room for.
  private func ticks(labelWidth: Double) -> [(day: LocalDay, name: String)] {
    let room = width / labelWidth
    if dayCount <= 45 {
      let step = [1, 2, 7, 14].first { dayCount / Double($0) <= room } ?? 28
      return stride(from: first.dayNumber, through: last.dayNumber, by: step).map {
        let day = LocalDay(dayNumber: $0)
        return (day, "\(day.civil.day) \(Self.months[day.civil.month - 1])")
      }
    }
    let months = dayCount / 30.4
    let step =
      [1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200].first { months / Double($0) <= room } ?? 12_000
    var (year, month) = (first.civil.year, 1)
    var ticks: [(LocalDay, String)] = []
    while let day = LocalDay(year: year, month: month, day: 1), day <= last {
      if day >= first {
        ticks.append((day, month == 1 || step >= 12 ? String(year) : Self.months[month - 1]))
      }
      month += step
      (year, month) = (year + (month - 1) / 12, (month - 1) % 12 + 1)
    }
    return ticks
  }

  /// Draws lines from `top` to `bottom` at the marked days.
  func drawGrid(on canvas: Canvas, top: Double, bottom: Double) {
    for tick in ticks(labelWidth: 42) {
      let at = start(of: tick.day)
      canvas.line([Point(at, top), Point(at, bottom)], .rule, width: 0.5)
    }
  }

  /// Draws the axis at `y`, and the names of days, months or years below it.
  func draw(on canvas: Canvas, at y: Double) {
    canvas.line([Point(x, y), Point(x + width, y)], .quiet, width: 0.6)
    drawGrid(on: canvas, top: y, bottom: y + 3)
    var free = x - 20
    for tick in ticks(labelWidth: 42) {
      let label = canvas.shaper.shape(tick.name, .small)
      // Within the axis, and without overlapping the previous label.
      let left = min(max(start(of: tick.day) + 2, x), x + width - label.lineWidth)
      guard left >= free else { continue }
      canvas.draw(label, at: Point(left, y + 3))
      free = left + label.lineWidth + 4
    }
  }
}
