internal import Leaflog

/// A span of days laid out over the columns of a terminal.
struct TimeAxis {
  let first: LocalDay
  let last: LocalDay
  let columns: Int

  private var dayCount: Int { last.dayNumber - first.dayNumber + 1 }

  /// The column of a day; days outside the span fall in the first or last one.
  func column(of day: LocalDay) -> Int {
    let offset = min(max(day.dayNumber - first.dayNumber, 0), dayCount - 1)
    return offset * columns / dayCount
  }

  /// The columns of a span of days. A day takes all of its columns if it has several.
  func columns(from start: LocalDay, to end: LocalDay) -> Range<Int> {
    let lower = column(of: start)
    let next = end < last ? column(of: end.advanced(by: 1)) : columns
    return lower..<max(next, lower + 1)
  }

  /// The labels above or below the columns: years for a long span, days for a short one, otherwise months. Where two
  /// would touch, the second is omitted.
  var labels: String {
    var line = ""
    for (day, label) in marks {
      let column = column(of: day)
      guard line.isEmpty || column > line.count, column + label.count <= columns else { continue }
      line += String(repeating: " ", count: column - line.count) + label
    }
    return line
  }

  /// The labels as a line, if there is room for any.
  func lines(indentation: Int) -> [String] {
    labels.isEmpty ? [] : [String(repeating: " ", count: indentation) + labels]
  }

  private var marks: [(day: LocalDay, label: String)] {
    let days = (first.dayNumber...last.dayNumber).map(LocalDay.init(dayNumber:))
    if dayCount < 60 {
      return stride(from: 0, to: dayCount, by: 7).map {
        (days[$0], String(days[$0].description.dropFirst(5)))
      }
    }
    let hasMonths = dayCount <= 800
    let starts = days.filter { $0.civil.day == 1 && (hasMonths || $0.civil.month == 1) }
    return starts.map { ($0, hasMonths ? $0.monthName : "\($0.civil.year)") }
  }
}

extension LocalDay {
  /// The month as three letters.
  var monthName: String {
    [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ][civil.month - 1]
  }
}
