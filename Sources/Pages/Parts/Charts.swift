internal import Language
internal import Leaflog

/// An SVG drawing whose shapes the template only writes out. Shapes are as wide as the page lets them be; the height and
/// the texts have one size on every width.
struct Chart {
  let width: Int
  let height: Int
  /// A sentence: its span, its lowest and highest values, and the last.
  let chartLabel: String
  /// Its values as a table; nil where the page lists them anyway.
  let table: ChartTable?
  let lines: [ChartLine]
  let bars: [ChartBar]
  /// The points of a polyline: `4,90 60,60`.
  let points: String?
  /// The points of the polyline again, which alone show a single value.
  let markers: [ChartMarker]
  let texts: [ChartText]
}

struct ChartTable {
  let caption: String
  let rows: [Fact]
}

/// A horizontal line from edge to edge.
struct ChartLine {
  let y: Int
}

struct ChartBar {
  let x: Int
  let y: Int
  let barWidth: Int
  let barHeight: Int
  let isPale: Bool
  let barTitle: String
}

struct ChartMarker {
  /// Its share of the width, in percent.
  let place: String
  let cy: Int
}

struct ChartText {
  /// As in `ChartMarker`.
  let place: String
  let y: Int
  /// `start`, `middle` or `end`.
  let anchor: String
  let text: String
}

struct TitledChart {
  let title: String
  let chart: Chart?
}

/// A meter from 0 to `most`.
struct BarItem {
  let label: String
  let value: String
  let amount: Int
  let most: Int
}

struct BarList {
  let title: String
  let items: [BarItem]
}

/// A value of a chart over time.
struct ChartValue {
  /// Nil if there is none.
  let value: Double?
  /// The span that the value is for.
  let label: String
  /// The value as text.
  let text: String
}

extension TitledChart {
  private static let (width, height, top, bottom) = (316, 120, 18, 100)

  /// A bar for each value, from 0 to the largest.
  init(bars values: [ChartValue], title: String, _ words: Words) {
    let most = max(values.compactMap(\.value).max() ?? 0, 1)
    let step = Double(Self.width) / Double(max(values.count, 1))
    let bars = values.enumerated().compactMap { index, item -> ChartBar? in
      guard let value = item.value, value > 0 else { return nil }
      let tall = max(2, Int((value / most * Double(Self.bottom - Self.top)).rounded()))
      return ChartBar(
        x: Int((Double(index) * step + step * 0.15).rounded()), y: Self.bottom - tall,
        barWidth: max(2, Int((step * 0.7).rounded(.down))), barHeight: tall, isPale: false,
        barTitle: Self.words(of: item, words))
    }
    let largest = values.max { ($0.value ?? 0) < ($1.value ?? 0) }?.text
    self.init(values, title: title, bars: bars, points: [], top: largest, words)
  }

  /// A line through the known values.
  ///
  /// - Parameter range: the values of the lower and the upper edge.
  init(
    line values: [ChartValue], in range: ClosedRange<Double>, top: String, title: String,
    _ words: Words
  ) {
    let step = Double(Self.width) / Double(max(values.count, 1))
    let tall = Double(Self.bottom - Self.top)
    let points = values.enumerated().compactMap { index, item -> (x: Int, y: Int)? in
      guard let value = item.value else { return nil }
      let part = (value - range.lowerBound) / (range.upperBound - range.lowerBound)
      let x = (Double(index) + 0.5) * step
      return (Int(x.rounded()), Self.bottom - Int((part * tall).rounded()))
    }
    self.init(values, title: title, bars: [], points: points, top: top, words)
  }

  private init(
    _ values: [ChartValue], title: String, bars: [ChartBar], points: [(x: Int, y: Int)],
    top: String?,
    _ words: Words
  ) {
    func text(_ place: String, _ y: Int, _ anchor: String, _ text: String?) -> ChartText? {
      text.map { ChartText(place: place, y: y, anchor: anchor, text: $0) }
    }
    let known = values.filter { $0.value != nil }
    self.title = title
    chart = Chart(
      width: Self.width, height: Self.height,
      chartLabel: Self.summary(of: known, title: title, words),
      table: known.isEmpty
        ? nil
        : ChartTable(
          caption: title, rows: known.map { Fact(label: $0.label, value: $0.text) }),
      lines: [ChartLine(y: Self.bottom), ChartLine(y: Self.top)], bars: bars,
      points: points.isEmpty ? nil : points.map { "\($0),\($1)" }.joined(separator: " "),
      markers: points.map {
        let percent = (Double($0.x) * 1000 / Double(Self.width)).rounded() / 10
        return ChartMarker(place: "\(percent)%", cy: $0.y)
      },
      texts: [
        text("0%", 116, "start", values.first?.label),
        text("100%", 116, "end", values.count > 1 ? values.last?.label : nil),
        text("100%", 12, "end", top),
      ].compactMap { $0 })
  }

  /// - Parameter values: those that are known, oldest first.
  private static func summary(
    of values: [ChartValue], title: String, _ words: Words
  ) -> String {
    guard let last = values.last, let first = values.first,
      let low = values.min(by: { ($0.value ?? 0) < ($1.value ?? 0) }),
      let high = values.max(by: { ($0.value ?? 0) < ($1.value ?? 0) })
    else { return title }
    guard values.count > 1 else {
      return words.text("chartOne", ["title": title, "value": Self.words(of: last, words)])
    }
    return words.text(
      "chartSummary",
      [
        "title": title, "first": first.label, "last": last.label,
        "low": Self.words(of: low, words), "high": Self.words(of: high, words),
        "value": last.text,
      ])
  }

  private static func words(of item: ChartValue, _ words: Words) -> String {
    words.text("chartBar", ["date": item.label, "value": item.text])
  }
}
