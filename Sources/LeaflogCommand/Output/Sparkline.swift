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
