internal import Reports

/// A report that was made.
public struct MadeReport: Sendable {
  /// The PDF.
  public let document: MadeDocument
  /// Pages of A4.
  public let pageCount: Int
}

extension Library {
  /// A span's episodes, symptoms and daily logs as a PDF for somebody's doctor, under the name of the
  /// person where the library is set to one, and of the library's folder.
  ///
  /// The same diary and time give the same bytes on a system with the same fonts.
  ///
  /// - Parameter made: the time of making, which is printed on it; now, unless given.
  public func doctorReport(
    _ insights: Insights, made: RecordedTime? = nil
  ) throws(LeaflogError) -> MadeReport {
    let symptoms = try entries(of: .symptom, from: insights.firstDay, to: insights.lastDay)
    let person = try value(of: .reportName)
    return try translating {
      let report = DoctorReport(
        insights, symptomEntries: symptoms, personName: person, libraryName: name,
        made: made ?? now)
      let pdf = try report.pdf()
      return MadeReport(
        document: MadeDocument(bytes: pdf.bytes, missingGlyphCount: pdf.missingGlyphCount),
        pageCount: pdf.pages.count)
    }
  }
}
