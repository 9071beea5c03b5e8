internal import Reports

extension ActivityRecord {
  /// A chart of how often it was done as an SVG picture, with a title and a description for those who
  /// cannot see it.
  ///
  /// - Parameters:
  ///   - unit: the span of each column.
  ///   - width: the width of the picture, in points.
  public func svg(
    by unit: BucketUnit, width: Double = 720
  ) throws(LeaflogError) -> GeneratedDocument {
    try translating {
      let chart = CountChart(
        title: "\(activity.details.emoji) \(activity.name), times done by \(unit.rawValue)",
        days: days, by: unit, today: today)
      let drawing = try chart.svg(width: width)
      return GeneratedDocument(bytes: drawing.bytes, missingGlyphCount: drawing.missingGlyphCount)
    }
  }
}
