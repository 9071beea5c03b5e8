/// Values in order of time as a line of columns of eight heights.
///
/// A value takes as many columns as there is room for, four at the most. More values than columns are put
/// together: a column is as high as the mean of those of its values that are there.
struct Sparkline {
  /// How many values share a column.
  let valuesPerColumn: Int
  /// How many columns a value takes, where none are shared.
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

  /// How many columns all values take.
  var columns: Int {
    (valueCount + valuesPerColumn - 1) / valuesPerColumn * columnsPerValue
  }

  /// A dot stands where there is no value.
  ///
  /// - Parameter range: the values of the lowest and of the highest column; those outside are drawn as
  ///   these.
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
    // Values that are all the same stand in the middle.
    let part = span > 0 ? (value - range.lowerBound) / span : 0.5
    return String(heights[Int((min(max(part, 0), 1) * Double(heights.count - 1)).rounded())])
  }
}
