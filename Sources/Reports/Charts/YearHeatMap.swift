package import DiaryModel

/// A square for each day, in a column for each week from Monday to Sunday: darker means more.
package struct YearHeatMap: Chart {
  /// How a day's number maps to the darkness of its square.
  package enum Scale: Sendable {
    /// 1 to 5.
    case severity
    /// From 0 to the greatest number.
    case count
  }

  package let title: String
  package let firstDay: LocalDay
  package let lastDay: LocalDay
  /// Days that are absent have an empty square.
  package let values: [LocalDay: Double]
  package let scale: Scale
  package let wording: ReportWording

  package init(
    title: String, firstDay: LocalDay, lastDay: LocalDay, values: [LocalDay: Double], scale: Scale,
    wording: ReportWording
  ) {
    self.wording = wording
    self.title = title
    self.firstDay = firstDay
    self.lastDay = lastDay
    self.values = values
    self.scale = scale
  }

  package var summary: String {
    let days = values.keys.filter { firstDay <= $0 && $0 <= lastDay }.sorted()
    return days.isEmpty
      ? wording["nothing"]
      : days.map {
        wording.text(
          "bar", ["name": wording.day($0), "value": wording.number(values[$0] ?? 0)])
      }.joined(separator: "; ")
  }

  private var most: Double { values.values.max() ?? 1 }

  private func color(_ value: Double) -> Color {
    switch scale {
    case .severity: .severity(value)
    case .count: .severity(1 + 4 * (most > 0 ? value / most : 0))
    }
  }

  package func pieces(width: Double, shaper: TextShaper) -> [Piece] {
    let gutter = 26.0
    // At most 54 weeks in a row, so that squares stay visible.
    let monday = firstDay.advanced(by: 1 - firstDay.weekday)
    let weekCount = max(1, (lastDay.dayNumber - monday.dayNumber) / 7 + 1)
    let perBand = min(54, weekCount)
    let cell = min(16, (width - gutter) / Double(perBand))
    var pieces = stride(from: 0, to: weekCount, by: perBand).map { firstWeek in
      Piece(height: 14 + 7 * cell, spaceBefore: 10) { canvas, origin in
        drawBand(
          canvas, origin, from: monday.advanced(by: 7 * firstWeek),
          weeks: min(perBand, weekCount - firstWeek), cell: cell, gutter: gutter)
      }
    }
    pieces.append(
      Piece(height: 14, spaceBefore: 8) { canvas, origin in
        drawLegend(canvas, Point(origin.x + gutter, origin.y))
      })
    return pieces.keptTogether()
  }

  private func drawBand(
    _ canvas: Canvas, _ origin: Point, from monday: LocalDay, weeks: Int, cell: Double,
    gutter: Double
  ) {
    for row in [0, 2, 4] where cell > 7 {
      let name = wording.weekday(monday.advanced(by: row))
      let label = canvas.shaper.shape(name, TextStyle(size: 7, color: .quiet))
      let y = origin.y + 14 + Double(row) * cell + (cell - label.lineHeight) / 2
      canvas.draw(label, at: Point(origin.x, y))
    }
    for week in 0..<weeks {
      for row in 0..<7 {
        let day = monday.advanced(by: 7 * week + row)
        guard firstDay <= day, day <= lastDay else { continue }
        let inset = cell * 0.08
        canvas.fill(
          Rectangle(
            x: origin.x + gutter + Double(week) * cell + inset,
            y: origin.y + 14 + Double(row) * cell + inset, width: cell - 2 * inset,
            height: cell - 2 * inset), values[day].map(color) ?? .faint, radius: 1.5)
      }
    }
    drawMonths(canvas, Point(origin.x + gutter, origin.y), from: monday, weeks: weeks, cell: cell)
  }

  /// Draws each month's name above the week with its first day; January has the year instead.
  private func drawMonths(
    _ canvas: Canvas, _ origin: Point, from monday: LocalDay, weeks: Int, cell: Double
  ) {
    var free = origin.x
    for week in 0..<weeks {
      let days = (0..<7).map { monday.advanced(by: 7 * week + $0) }
      let begins = days.first { $0.civil.day == 1 }
      guard let day = begins ?? (week == 0 ? max(days[0], firstDay) : nil) else { continue }
      let month = wording.month(of: day)
      let name =
        week == 0
        ? "\(month) \(day.civil.year)" : day.civil.month == 1 ? "\(day.civil.year)" : month
      let x = origin.x + Double(week) * cell
      let label = canvas.shaper.shape(name, .small)
      guard x >= free else { continue }
      canvas.draw(label, at: Point(x, origin.y))
      free = x + label.lineWidth + 4
    }
  }

  private func drawLegend(_ canvas: Canvas, _ origin: Point) {
    var x = origin.x
    func word(_ text: String) {
      let shaped = canvas.shaper.shape(text, .small)
      canvas.draw(shaped, at: Point(x, origin.y))
      x += shaped.lineWidth + 6
    }
    word(scale == .severity ? wording["severityFromOne"] : "0")
    for step in 1...5 {
      canvas.fill(
        Rectangle(x: x, y: origin.y + 1, width: 9, height: 9), .severity(Double(step)), radius: 1.5)
      x += 11
    }
    x += 4
    word(scale == .severity ? "5" : wording.number(most))
    x += 8
    canvas.fill(Rectangle(x: x, y: origin.y + 1, width: 9, height: 9), .faint, radius: 1.5)
    x += 14
    word(wording["dayWithout"])
  }
}
