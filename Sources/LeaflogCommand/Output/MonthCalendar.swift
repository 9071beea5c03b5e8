internal import Leaflog

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
