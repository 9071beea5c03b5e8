internal import Reports

/// The result of making a report.
public struct GeneratedReport: Sendable {
  /// The PDF.
  public let document: GeneratedDocument
  /// The number of A4 pages.
  public let pageCount: Int
}

extension LibraryInsights {
  /// A span's episodes, symptoms and daily logs as a PDF for a doctor, titled with the person's name,
  /// if set, and the library's folder.
  ///
  /// The same diary and time give the same bytes on a system with the same fonts.
  ///
  /// - Parameter made: the time printed on it; the present moment by default.
  public func doctorReport(
    _ insights: Insights, made: RecordedTime? = nil
  ) throws(LeaflogError) -> GeneratedReport {
    let symptoms = try library.diary.entries(
      of: .symptom, from: insights.firstDay, to: insights.lastDay)
    let person = try library.settings.value(of: .reportName)
    return try translating {
      let report = DoctorReport(
        insights, symptomEntries: symptoms, personName: person, libraryName: library.name,
        zone: timeZone, made: made ?? now)
      let pdf = try report.pdf()
      return GeneratedReport(
        document: GeneratedDocument(bytes: pdf.bytes, missingGlyphCount: pdf.missingGlyphCount),
        pageCount: pdf.pages.count)
    }
  }
}
