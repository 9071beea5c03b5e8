package import Leaflog

/// An export of the diary in JSON.
package struct DiaryExportDocument: Encodable {
  private let path: String?
  private let byteCount: Int
  private let entries: Int
  private let rows: [String: Int]?

  /// - Parameter path: the path as it was given, if any.
  package init(_ summary: DiaryExportSummary, path: String?) {
    self.path = path
    byteCount = summary.byteCount
    entries = summary.entryCount
    rows = summary.rowCounts.map { counts in
      Dictionary(counts.map { ($0.key.rawValue, $0.value) }, uniquingKeysWith: +)
    }
  }
}

/// A generated doctor's report in JSON.
package struct ReportDocument: Encodable {
  private let path: String?
  private let firstDay: String
  private let lastDay: String
  private let pageCount: Int
  private let byteCount: Int
  private let missingGlyphCount: Int

  /// - Parameter path: the path as it was given, if any.
  package init(_ made: GeneratedReport, of insights: Insights, path: String?) {
    self.path = path
    firstDay = insights.firstDay.description
    lastDay = insights.lastDay.description
    pageCount = made.pageCount
    byteCount = made.document.bytes.count
    missingGlyphCount = made.document.missingGlyphCount
  }
}
