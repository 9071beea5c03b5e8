internal import Leaflog

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
