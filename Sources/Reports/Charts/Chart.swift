internal import DiaryModel

/// Numbers as a picture. The same drawing is used in PDF and SVG files.
package protocol Chart: Block {
  /// The chart's title, on one line.
  var title: String { get }
  /// The chart's content in words, for people who cannot see it.
  var summary: String { get }
}

/// A chart as a separate SVG file.
package struct SVGDocument {
  package let bytes: [UInt8]
  /// The number of characters that are in no font of this system.
  package let missingGlyphCount: Int
  /// The picture's area and the areas of text in it, for tests.
  package let area: Rectangle
  package let textBoxes: [Rectangle]
}

extension Chart {
  /// The chart under its title as an SVG picture.
  ///
  /// - Parameter width: in points.
  /// - Throws: `ReportsError` when Cairo fails.
  package func svg(width: Double = 720) throws(ReportsError) -> SVGDocument {
    let margin = 20.0
    let shaper = TextShaper()
    let heading = Paragraph(text: title, style: .heading)
    let pieces =
      heading.pieces(width: width - 2 * margin, shaper: shaper)
      + pieces(width: width - 2 * margin, shaper: shaper).spaced(before: 12)
    let height = pieces.dropFirst().reduce(pieces.first?.height ?? 0) {
      $0 + $1.spaceBefore + $1.height
    }
    let surface = Surface(.svg, width: width, height: height + 2 * margin)
    let canvas = Canvas(surface, shaper)
    let area = Rectangle(x: 0, y: 0, width: width, height: height + 2 * margin)
    canvas.fill(area, .paper)
    var y = margin
    for (index, piece) in pieces.enumerated() {
      if index > 0 { y += piece.spaceBefore }
      piece.drawAll(canvas, Point(margin, y))
      y += piece.height
    }
    let textBoxes = canvas.endPage()
    try canvas.check()
    let bytes = try surface.finish()
    return SVGDocument(
      bytes: SVGText(bytes).described(title: title, summary: summary),
      missingGlyphCount: canvas.missingGlyphCount, area: area, textBoxes: textBoxes)
  }
}

/// A horizontal axis of days.
struct TimeAxis {
  let first: LocalDay
  let last: LocalDay
  let x: Double
  let width: Double
  let wording: ReportWording

  private var dayCount: Double { Double(max(1, last.dayNumber - first.dayNumber + 1)) }

  /// The position at which a day begins; days outside the axis are at its ends.
  func start(of day: LocalDay) -> Double {
    x + width * min(1, max(0, Double(day.dayNumber - first.dayNumber) / dayCount))
  }

  func middle(of day: LocalDay) -> Double { (start(of: day) + start(of: day.advanced(by: 1))) / 2 }

  static let height = 16.0

  /// The days to mark, with their names: as many as there is room for.
  private func ticks(labelWidth: Double) -> [(day: LocalDay, name: String)] {
    let room = width / labelWidth
    if dayCount <= 45 {
      let step = [1, 2, 7, 14].first { dayCount / Double($0) <= room } ?? 28
      return stride(from: first.dayNumber, through: last.dayNumber, by: step).map {
        let day = LocalDay(dayNumber: $0)
        return (day, wording.axisDay(day))
      }
    }
    let months = dayCount / 30.4
    let step =
      [1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200].first { months / Double($0) <= room } ?? 12_000
    var (year, month) = (first.civil.year, 1)
    var ticks: [(LocalDay, String)] = []
    while let day = LocalDay(year: year, month: month, day: 1), day <= last {
      if day >= first {
        ticks.append((day, month == 1 || step >= 12 ? String(year) : wording.month(of: day)))
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

/// An SVG file from Cairo, to which a title and a description are added: Cairo turns text into
/// outlines, which no screen reader can read.
private struct SVGText {
  private let text: String

  init(_ bytes: [UInt8]) { text = Self.numbered(String(decoding: bytes, as: UTF8.self)) }

  /// Renumbers surfaces and pictures from 1: Cairo counts all that the process ever made, so that no two
  /// files would be the same.
  private static func numbered(_ text: String) -> String {
    var numbers: [Substring: Int] = [:]
    return text.replacing(/(id="|#)(surface|image|source-)(\d+)/) { match in
      let key = text[match.output.2.startIndex..<match.output.3.endIndex]
      let number = numbers[key] ?? numbers.count + 1
      numbers[key] = number
      return "\(match.output.1)\(match.output.2)\(number)"
    }
  }

  /// The file with a title and a description for people who cannot see it (WAI-ARIA: `role="img"`).
  func described(title: String, summary: String) -> [UInt8] {
    guard let start = text.range(of: "<svg "),
      let end = text[start.upperBound...].firstIndex(of: ">")
    else { preconditionFailure("Cairo writes an svg element") }
    let names = "<title>\(escaped(title))</title>\n<desc>\(escaped(summary))</desc>"
    return Array(
      (text[..<start.upperBound] + "role=\"img\" " + text[start.upperBound...end] + "\n" + names
        + text[text.index(after: end)...]).utf8)
  }

  private func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      // XML 1.0 does not allow control characters in any form.
      case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF:
        result += " "
      default: result.unicodeScalars.append(scalar)
      }
    }
  }
}
