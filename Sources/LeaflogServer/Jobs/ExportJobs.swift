internal import Fields
internal import Leaflog

/// Writes everything but the photos as JSON, from which the same diary can be recreated.
struct ExportDiaryJob: JobKind {
  static let name = "exportDiary"
  static let right = AccessRight.readDiary
  static let fields: [any AnyParameter] = []

  init(_ body: BodyReader) throws {}

  func run(in context: JobContext) async throws -> JobResult<DiaryExportDocument> {
    try await context.withLibrary(for: .reading) { library in
      let path = try context.resultPath(ending: "json")
      let summary = try DiaryExporter(library).writeJSON(into: .file(path))
      return try Self.result(of: summary) {
        try context.resultFile(
          name: library.fileName("diary"), ending: "json", mediaType: "application/json")
      }
    }
  }
}

/// Writes one table of the diary as CSV.
struct CSVJob: JobKind {
  static let name = "csv"
  static let right = AccessRight.readDiary
  static let fields: [any AnyParameter] = [
    tableName, BodyField.plant, Parameter<LocalDay>.firstDay, Parameter<LocalDay>.lastDay,
  ]

  private static let tableName = Parameter<DiaryCSV>("table", .choice, isRequired: true)

  private let table: DiaryCSV
  private let plant: String?
  private let firstDay: LocalDay?
  private let lastDay: LocalDay?

  init(_ body: BodyReader) throws {
    table = try body.known(Self.tableName)
    plant = try body.value(BodyField.plant)
    firstDay = try body.value(.firstDay)
    lastDay = try body.value(.lastDay)
    if table == .activity, firstDay != nil || lastDay != nil {
      throw BodyReader.refusal("Activities have no dates; omit “from” and “to”.")
    }
    if table == .activity, plant != nil {
      throw BodyReader.refusal("Only entries can be chosen by their plant; omit “plant”.")
    }
  }

  func check(in library: Library) throws {
    if let plant { _ = try library.plants.reference(matching: plant) }
  }

  func run(in context: JobContext) async throws -> JobResult<DiaryExportDocument> {
    try await context.withLibrary(for: .reading) { library in
      let path = try context.resultPath(ending: "csv")
      let summary = try DiaryExporter(library).writeCSV(
        table, of: try plant.map { try library.plants.reference(matching: $0).id }, from: firstDay,
        to: lastDay, into: .file(path))
      return try Self.result(of: summary) {
        try context.resultFile(
          name: library.fileName("\(table.fileName.dropLast(".csv".count))"), ending: "csv",
          mediaType: "text/csv; charset=utf-8; header=present")
      }
    }
  }
}

extension JobKind where Document == DiaryExportDocument {
  /// The result of an export, which has a file unless it was interrupted.
  fileprivate static func result(
    of summary: DiaryExportSummary, _ file: () throws -> JobFile
  ) throws -> JobResult<Document> {
    JobResult(
      DiaryExportDocument(summary, path: nil), file: summary.isInterrupted ? nil : try file(),
      isComplete: !summary.isInterrupted)
  }
}

/// Makes the report for a doctor as a PDF.
struct ReportJob: JobKind {
  static let name = "report"
  static let right = AccessRight.readDiary
  static let fields: [any AnyParameter] = [
    Parameter<LocalDay>.firstDay, Parameter<LocalDay>.lastDay, days, language,
  ]

  private static let days = Parameter<Int>(
    "days", .whole(LibraryInsights.dayCounts), "How many, up to and including the last one.")

  private static let language = Parameter<ReportLanguage>(
    "language", .reportLanguage, standard: .english,
    "The language of the report: en, de, or one of them with a region.")

  private let firstDay: LocalDay?
  private let lastDay: LocalDay?
  private let dayCount: Int?
  private let language: ReportLanguage

  init(_ body: BodyReader) throws {
    firstDay = try body.value(.firstDay)
    lastDay = try body.value(.lastDay)
    dayCount = try body.value(Self.days)
    language = try body.known(Self.language)
    guard firstDay == nil || dayCount == nil else {
      throw BodyReader.refusal("Give “from” or “days”, not both.")
    }
  }

  func check(in library: Library) throws { _ = try span(in: library) }

  /// The last day, and the number of days up to and including it.
  private func span(in library: Library) throws -> (last: LocalDay, count: Int) {
    let last = lastDay ?? library.today
    guard let firstDay else { return (last, dayCount ?? 90) }
    let count = last.dayNumber - firstDay.dayNumber + 1
    guard LibraryInsights.dayCounts.contains(count) else {
      throw BodyReader.refusal(
        "A report covers \(LibraryInsights.dayCounts.lowerBound) to "
          + "\(LibraryInsights.dayCounts.upperBound) days, not \(count).")
    }
    return (last, count)
  }

  func run(in context: JobContext) async throws -> JobResult<ReportDocument> {
    try await context.withLibrary(for: .reading) { library in
      let (last, count) = try span(in: library)
      let insights = try library.insights.compute(days: count, today: last)
      let made = try library.insights.doctorReport(insights, language: language)
      try made.document.write(to: context.resultPath(ending: "pdf"))
      return JobResult(
        ReportDocument(made, of: insights, path: nil),
        file: try context.resultFile(
          name: try library.fileName(
            "report", of: "\(insights.firstDay)-\(insights.lastDay)"), ending: "pdf",
          mediaType: "application/pdf"))
    }
  }
}

extension DiaryCSV: FieldValue {}

extension Kind<ReportLanguage> {
  fileprivate static var reportLanguage: Kind {
    let known = ReportLanguage.known.joined(separator: " or ")
    return Kind(
      .written(
        TextForm(
          takes: "\(known), or one of them with a region, such as de-AT",
          pattern: ReportLanguage.pattern)))
  }
}

extension Library {
  /// The name of a file that is made of the diary: whose it is, what it is, and of when.
  ///
  /// - Parameter days: today, unless given.
  func fileName(_ what: String, of days: String? = nil) throws -> String {
    let owner = try settings.value(of: .reportName)
    return "\(owner.isEmpty ? name : owner)-\(what)-\(days ?? "\(today)")"
  }
}
