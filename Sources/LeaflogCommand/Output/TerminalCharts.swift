internal import Leaflog

/// Values as bars on a terminal, one per line.
struct BarChart {
  struct Bar {
    let name: String
    let value: Double
    /// The value as written beside the bar.
    let label: String
    /// The text after the bar.
    var note = ""
  }

  let terminal: Terminal
  /// The value of a bar of full width; by default, the largest one.
  var limit: Double?

  func lines(_ bars: [Bar]) -> [String] {
    let name = min(bars.map { TextLayout.width($0.name) }.max() ?? 0, terminal.width / 3)
    let label = bars.map { TextLayout.width($0.label) }.max() ?? 0
    let note = bars.map { TextLayout.width($0.note) }.max() ?? 0
    let room = max(8, terminal.width - name - label - note - (note > 0 ? 6 : 4))
    let limit = max(limit ?? bars.map(\.value).max() ?? 0, .leastNonzeroMagnitude)
    return bars.map { bar in
      let eighths = Int((min(bar.value / limit, 1) * Double(room) * 8).rounded())
      let drawn = Self.bar(eighths: bar.value > 0 ? max(eighths, 1) : 0)
      var line = TextLayout.padded(TextLayout.truncated(bar.name, to: name), to: name)
      line += "  " + TextLayout.rightAligned(bar.label, to: label)
      line += "  " + terminal.styled(drawn, .green)
      if note > 0, !bar.note.isEmpty {
        line += String(repeating: " ", count: room - TextLayout.width(drawn)) + "  " + bar.note
      }
      return line
    }
  }

  /// A bar of whole cells and a last one in eighths (Unicode, Block Elements).
  private static func bar(eighths: Int) -> String {
    let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
    return String(repeating: "█", count: eighths / 8) + parts[eighths % 8]
  }
}

/// Values over time as a line of columns with eight heights.
///
/// A value takes as many columns as there is room for, up to four. If there are more values than columns, values are
/// grouped: the height of a column is the mean of the known values in its group.
struct Sparkline {
  /// The number of values that share a column.
  let valuesPerColumn: Int
  /// The number of columns per value, unless values share columns.
  private let columnsPerValue: Int
  private let valueCount: Int

  private static let gap = "·"
  private static let heights = Array("▁▂▃▄▅▆▇█")

  init(valueCount: Int, room: Int) {
    precondition(valueCount > 0 && room > 0)
    self.valueCount = valueCount
    valuesPerColumn = (valueCount + room - 1) / room
    columnsPerValue = min(4, max(1, room / valueCount))
  }

  /// The number of columns of all values.
  var columns: Int {
    (valueCount + valuesPerColumn - 1) / valuesPerColumn * columnsPerValue
  }

  /// The line, with a dot where there is no value.
  ///
  /// - Parameter range: the values of the lowest and the highest column; values outside are clamped to it.
  func text(_ values: [Double?], in range: ClosedRange<Double>) -> String {
    precondition(values.count == valueCount)
    return stride(from: 0, to: valueCount, by: valuesPerColumn).map { start in
      let group = values[start..<min(start + valuesPerColumn, valueCount)].compactMap { $0 }
      let mean = group.isEmpty ? nil : group.reduce(0, +) / Double(group.count)
      return String(repeating: Self.glyph(mean, in: range), count: columnsPerValue)
    }.joined()
  }

  private static func glyph(_ value: Double?, in range: ClosedRange<Double>) -> String {
    guard let value else { return gap }
    let span = range.upperBound - range.lowerBound
    // Values that are all equal are drawn at half height.
    let part = span > 0 ? (value - range.lowerBound) / span : 0.5
    return String(heights[Int((min(max(part, 0), 1) * Double(heights.count - 1)).rounded())])
  }
}

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

/// The days of a year as a calendar: a column per week, a row per weekday, and darker shades for higher values.
struct HeatMap {
  /// From low to high.
  static let shades: [Character] = ["░", "▒", "▓", "█"]

  let terminal: Terminal
  /// The last day to show; its week is the last one.
  let last: LocalDay
  /// The shade of each day, 1 to 4; missing days stay empty.
  let shade: [LocalDay: Int]

  private static let weekCount = 53
  private static let margin = "Mon "

  /// The months, then Monday to Sunday, for as many weeks as fit.
  var lines: [String] {
    let weeks = min(Self.weekCount, max(1, terminal.width - Self.margin.count))
    let monday = last.advanced(by: 1 - last.weekday - 7 * (weeks - 1))
    let names = ["Mon", "", "Wed", "", "Fri", "", "Sun"]
    let axis = TimeAxis(
      first: monday, last: monday.advanced(by: 7 * weeks - 1), columns: weeks)
    let head = String(repeating: " ", count: Self.margin.count) + axis.labels
    let rows = names.enumerated().map { weekday, name in
      let days = (0..<weeks).map { monday.advanced(by: 7 * $0 + weekday) }
      let cells = String(days.filter { $0 <= last }.map(cell))
      return TextLayout.padded(name, to: Self.margin.count) + terminal.styled(cells, .green)
    }
    return [head] + rows
  }

  private func cell(_ day: LocalDay) -> Character {
    guard let shade = shade[day] else { return "·" }
    return Self.shades[min(max(shade, 1), Self.shades.count) - 1]
  }
}

/// A month as a wall calendar, one week per line, with marks on some of its days.
struct MonthCalendar {
  let terminal: Terminal
  let today: LocalDay
  /// The day on which weeks begin: 1 is Monday, 7 is Sunday.
  let firstWeekday: Int

  func lines(_ month: CalendarMonth, marked: Set<LocalDay>) -> [String] {
    let title = "\(Self.names[month.month - 1]) \(padded(month.year, 4))"
    let weeks = month.weeks(from: firstWeekday).map { week in
      week.map { $0.map { cell($0, isMarked: marked.contains($0)) } ?? "    " }.joined()
        .trimmedAtEnd
    }
    return [terminal.styled(" " + title, .bold), header] + weeks
  }

  private var header: String {
    let names = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]
    return (0..<7).map { " " + names[(firstWeekday - 1 + $0) % 7] }.joined(separator: " ")
  }

  /// ` 5✓`, in four columns; today is in brackets while it has no mark.
  private func cell(_ day: LocalDay, isMarked: Bool) -> String {
    let number = TextLayout.rightAligned("\(day.civil.day)", to: 2)
    if isMarked { return " " + terminal.styled(number + "✓", .green) }
    return day == today ? "[\(number)]" : " \(number) "
  }

  private static let names = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]
}

extension [Bucket] {
  /// Monthly counts, one year per line: `2021: May 29 · Jun 30`.
  var linesByYear: [String] {
    let names = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    var lines: [(year: Substring, months: [String])] = []
    for bucket in self {
      let year = bucket.name.prefix(4)
      let month = Int(bucket.name.suffix(2)).map { names[$0 - 1] } ?? ""
      if lines.last?.year != year { lines.append((year, [])) }
      lines[lines.count - 1].months.append("\(month) \(bucket.count)")
    }
    return lines.map { "\($0.year): " + $0.months.joined(separator: " · ") }
  }
}
