internal import Reports

/// A chart of a span of days.
public enum InsightsPicture: String, Sendable, CaseIterable {
  /// Episodes over time.
  case episodes
  /// The number of episodes with each symptom.
  case episodeSymptoms
  /// How often each symptom was logged.
  case symptoms
  /// The severity of logged symptoms week by week.
  case severity
  /// The severity of logged symptoms day by day, of the year up to the span's end.
  case year
}

extension Insights {
  /// A chart as an SVG picture, with a title and a description for those who cannot see it.
  ///
  /// Show `Insights.disclaimer` next to it.
  ///
  /// - Parameter width: the width of the picture, in points.
  public func svg(
    _ picture: InsightsPicture, width: Double = 720
  ) throws(LeaflogError) -> GeneratedDocument {
    try translating {
      let chart: any Chart =
        switch picture {
        case .episodes: episodeTimeline
        case .episodeSymptoms: episodeSymptomChart
        case .symptoms: loggedSymptomChart
        case .severity: severityChart
        case .year: yearMap
        }
      let drawing = try chart.svg(width: width)
      return GeneratedDocument(bytes: drawing.bytes, missingGlyphCount: drawing.missingGlyphCount)
    }
  }
}
