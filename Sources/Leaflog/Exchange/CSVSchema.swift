internal import DiaryCatalog
internal import DiaryModel
internal import Fields
internal import Foundation

/// The columns of a diary's CSV table, and the conversion of its rows to and from entries and activities.
struct CSVSchema {
  let table: DiaryCSV
  /// The names of the columns, in order.
  let columns: [String]
  let requiredColumns: Set<String>
  /// The cells of an entry of the table's kind.
  let cells: (Entry) -> [String]
  /// Adds a row to a batch.
  let read: (CSVRow, inout DiaryBatch) throws -> Void

  /// - Parameter factors: the names of the factors that daily logs have a column for.
  static func of(_ table: DiaryCSV, factors: [String] = []) -> CSVSchema {
    switch table {
    case .dailyLog:
      entries(
        table, .time("day"), Fields(DailyLog.columns(of: factors)), empty: .blank,
        get: { DailyLog($0) }, make: { .dailyLog($0) })
    case .mood:
      entries(
        table, .time("day"), Fields([Field("mood", \.self, .choice)]), empty: Mood.okay,
        get: { if case .mood(let mood) = $0 { mood } else { nil } }, make: { .mood($0) })
    case .quote:
      entries(
        table, .time("occurredAt"), QuoteRow.fields, empty: .blank,
        get: {
          if case .quote(let quote) = $0 { QuoteRow(id: quote.id, quote: quote) } else { nil }
        },
        make: { .quote($0.identified) })
    case .completion:
      entries(
        table, .dayAndTime, CompletionRow.fields, empty: .blank,
        get: { if case .completion(let done) = $0 { CompletionRow(done) } else { nil } },
        make: { .completion($0.completion) })
    case .activity:
      CSVSchema(ActivityRow.fields, table, cells: { _ in [] }) { row, columns, batch in
        var cells = ActivityRow.blank
        try row.fill(&cells, columns)
        batch.activities.append(cells.activity(in: row.zone, position: batch.activities.count))
      }
    case .photo: CSVSchema(writing: table, PhotoColumns.fields)
    default:
      if let part = table.kind?.part {
        entries(table, of: part)
      } else {
        preconditionFailure("\(table) is a table of its own")
      }
    }
  }

  /// The prefix of a factor's name in the name of its column.
  private static let factorPrefix = "factors."

  /// The name of the factor that a column is of; nil for another column.
  static func factor(ofColumn name: String) -> String? {
    name.hasPrefix(factorPrefix) ? String(name.dropFirst(factorPrefix.count)) : nil
  }

  static func column(of factor: String) -> String { factorPrefix + factor }

  /// The cells of the first row.
  var header: [String] {
    columns.map { Self.factor(ofColumn: $0) == nil ? $0 : CSVText.quoted($0) }
  }

  private static func entries<Part: EntryPart>(
    _ table: DiaryCSV, of _: Part.Type
  ) -> CSVSchema {
    let time =
      Part.kind == .episode ? "startDay" : Part.kind.isOnceADay ? "day" : "occurredAt"
    return entries(
      table, .time(time), Part.fields, empty: .blank, get: { Part($0) }, make: { $0.content })
  }

  private init<Row>(
    _ fields: Fields<Row>, _ table: DiaryCSV, cells: @escaping (Entry) -> [String],
    read: @escaping (CSVRow, Fields<Row>, inout DiaryBatch) throws -> Void
  ) {
    self.table = table
    columns = fields.names
    requiredColumns = Set(fields.all.filter(\.shape.isRequired).map(\.name))
    self.cells = cells
    self.read = { row, batch in try read(row, fields, &batch) }
  }

  /// A table that is written for other programs.
  private init(writing table: DiaryCSV, _ fields: Fields<Entry>) {
    self.table = table
    columns = fields.all.map(\.name)
    requiredColumns = []
    cells = { fields.cells(of: $0) }
    read = { _, _ in preconditionFailure("photos are not imported from a table") }
  }

  /// Whether a table has columns that only the table of photos has.
  static func isOfPhotos(_ columns: [String]) -> Bool {
    ["sourceDigest", "originalName", "utcOffset"].contains(where: columns.contains)
  }

  private static func entries<Content>(
    _ table: DiaryCSV, _ timing: EntryRow<Content>.Timing, _ own: Fields<Content>, empty: Content,
    get: @escaping (EntryContent) -> Content?, make: @escaping (Content) -> EntryContent
  ) -> CSVSchema {
    let fields = EntryRow.fields(timing, own)
    return CSVSchema(
      fields, table,
      cells: { entry in
        guard let content = get(entry.content) else { return [] }
        var cells = EntryRow(
          id: entry.id, day: entry.time.localDay, time: CellTime(entry.time.recorded),
          tags: entry.tags, plant: entry.plant?.name, notes: entry.notes, content: content)
        if case .dayAndTime = timing, entry.time.basis == .day { cells.time = nil }
        return fields.cells(of: cells)
      },
      read: { row, columns, batch in
        var cells = EntryRow(content: empty)
        try row.fill(&cells, columns)
        guard let time = cells.time?.time ?? cells.day.map(RecordedTime.day) else {
          preconditionFailure("the time or the day is required")
        }
        let placed = EntryTime(time, in: row.zone, dayEnd: row.dayEnd)
        if let day = cells.day {
          try row.checking { () throws(InvalidValue) in try placed.check(isOn: day) }
        }
        let content = make(cells.content)
        let (checked, tags) = try row.checking { () throws(InvalidValue) in
          (try content.checked(day: placed.localDay), try cells.tags.checkedTags())
        }
        batch.entries.append(
          ExchangedEntry(
            id: cells.id ?? .random(), time: placed, notes: cells.notes, tags: tags,
            plant: cells.plant.map { .named($0) }, content: checked))
      })
  }
}

extension DailyLog {
  /// The columns of its fields, with one for each of these factors.
  fileprivate static func columns(of factors: [String]) -> [Field<DailyLog>] {
    let values = factors.map { factor in
      Field<DailyLog>(
        CSVSchema.column(of: factor), .text,
        get: { $0.factors[factor]?.scalar ?? .null },
        merge: { log, scalar in
          log.factors[factor] = if case .text(let text) = scalar { .typed(text) } else { nil }
          return true
        })
    }
    return fields.all.filter { if case .members = $0.rule { false } else { true } } + values
  }
}

extension Fields {
  /// The cells of a row, in the order of the columns.
  func cells(of row: Thing) -> [String] { all.map { $0.rule.cell($0.get(row)) } }
}

/// A row of a CSV table that is being read.
struct CSVRow {
  let record: CSVTable.Record
  /// The index of each column's cell, by the column's name.
  let places: [String: Int]
  let zone: TimeZone
  /// The hour until which a time counts for the day before.
  let dayEnd: Int

  /// Fills a row from the cells. Empty ones are skipped, unless the column is required.
  fileprivate func fill<Row>(_ row: inout Row, _ columns: Fields<Row>) throws(CSVTable.Failure) {
    for column in columns.all {
      guard let place = places[column.name] else { continue }
      let text = CSVText.unguarded(record.cells[place].text.tidied ?? "")
      if text.isEmpty, !column.shape.isRequired { continue }
      try checking { () throws(InvalidValue) in
        try column.put(text.isEmpty ? .null : column.rule.parsed(text), in: &row, from: .cell)
      }
    }
  }

  /// Adds the cell's place to the error for a value that is not accepted.
  fileprivate func checking<Value>(
    _ body: () throws(InvalidValue) -> Value
  ) throws(CSVTable.Failure) -> Value {
    do throws(InvalidValue) { return try body() } catch {
      let offset = places[error.field].map { record.cells[$0].offset }
      throw CSVTable.Failure(offset: offset ?? record.offset, reason: error.descriptionInFile)
    }
  }
}

/// An entry with the fields that all kinds share, as a row of a table.
private struct EntryRow<Content: Sendable> {
  /// The columns with the time of an entry.
  enum Timing {
    /// One column with this name.
    case time(String)
    /// The day in `day`, and in `occurredAt` the time, if it was recorded.
    case dayAndTime
  }

  var id: EntryID?
  /// The day of an entry that has a column of its own for the time, such as a completion.
  var day: LocalDay?
  var time: CellTime?
  var tags: [String] = []
  var plant: String?
  var notes: String?
  var content: Content

  /// The columns of a kind of entry.
  static func fields(_ timing: Timing, _ own: Fields<Content>) -> Fields<EntryRow> {
    let times: [Field<EntryRow>] =
      switch timing {
      case .time(let name): [Field(name, \.time, .time).required()]
      case .dayAndTime: [Field("day", \.day, .day).required(), Field("occurredAt", \.time, .time)]
      }
    let common: [Field<EntryRow>] = [
      Field("tags", \.tags, .texts, standard: []), Field("plant", \.plant, .text),
      Field("notes", \.notes, .verbatim),
    ]
    return Fields([Field("id", \.id, .id)] + times + own.all.map { $0.lifted(\.content) } + common)
  }
}

extension EntryTime {
  /// Checks the day beside a time: an edit of one of the two must not be lost. A moment without an offset has another day
  /// in another zone, and a time after midnight may count for the day before.
  fileprivate func check(isOn day: LocalDay) throws(InvalidValue) {
    let countsForDayBefore =
      LibrarySetting.dayEnds.contains(wall.hour) && day == localDay.advanced(by: -1)
    guard day != localDay, basis != .instant, !countsForDayBefore else { return }
    throw InvalidValue(
      "day", takes: "the day of occurredAt; change both, or leave occurredAt empty,",
      given: "\(day) beside \(localDay)")
  }
}

/// An activity as a row of a table, with the name of its plant.
struct ActivityRow: Fielded {
  var id: ActivityID?
  var details: ActivityDetails
  var plant: String?
  /// Activities without a rank keep the order of their rows.
  var rank: Int?
  var createdAt: CellTime?

  static let blank = ActivityRow(details: .blank)

  static let fields: Fields<ActivityRow> = {
    let details = ActivityDetails.fields.all.map { $0.lifted(\ActivityRow.details) }
    let start = (details.firstIndex { $0.name == "startFrom" } ?? 0) + 1
    var fields: [Field<ActivityRow>] = [Field("id", \.id, .id)]
    fields += details[..<start]
    fields.append(Field("plant", \.plant, .text))
    fields += details[start...]
    fields.append(Field("rank", \.rank, .whole(ExchangedActivity.ranks)))
    fields.append(Field("createdAt", \.createdAt, .time))
    return Fields(fields)
  }()

  fileprivate func activity(in zone: TimeZone, position: Int) -> ExchangedActivity {
    ExchangedActivity(
      id: id ?? .random(), details: details, plant: plant.map { .named($0) },
      rank: rank ?? position, createdAt: createdAt.map { EntryTime($0.time, in: zone).instant })
  }
}

/// A favourite as a row of a table.
private struct QuoteRow: Fielded {
  var id: QuoteID?
  var quote: Quote

  static let blank = QuoteRow(quote: .blank)

  static let fields = Fields<QuoteRow>(
    [Field("quote", \.id, .id)]
      + Quote.fields.all.filter { $0.name != "id" }.map { $0.lifted(\.quote) })

  var identified: Quote {
    Quote(
      id: id ?? .random(), text: quote.text, author: quote.author, source: quote.source,
      origin: quote.origin)
  }
}

/// A completion of an activity, as a row of a table.
private struct CompletionRow: Fielded {
  var activity = ""
  var activityID: ActivityID?
  var source: String?

  static let blank = CompletionRow()

  static let fields = Fields<CompletionRow>([
    Field("activity", \.activity, .text), Field("activityID", \.activityID, .id),
    Field("source", \.source, .text),
  ])
}

extension CompletionRow {
  init(_ completion: Completion) {
    self.init(
      activity: completion.activity.name, activityID: completion.activity.id,
      source: completion.source)
  }

  var completion: Completion {
    Completion(
      activity: ActivityReference(
        id: activityID ?? ActivityID(stored: ""), name: activity, emoji: ""),
      source: source ?? Completion.Source.bulk)
  }
}

/// The columns of the table of photos.
private enum PhotoColumns {
  static let fields = Fields<Entry>([
    Field(adding: "id", .id) { $0.id },
    Field(adding: "plant", .text) { $0.plant?.name },
    Field(adding: "plantDay", .whole(1 ... .max)) { $0.plantDay },
    Field(adding: "instant", .evenTime) {
      $0.time.moment.map { "\(even(LocalDateTime(utc: $0)))Z" }
    },
    Field(adding: "localTime", .evenTime) { $0.time.moment == nil ? nil : even($0.time.wall) },
    Field(adding: "utcOffset", .evenTime) { $0.time.moment == nil ? nil : written($0.time.offset) },
    Field(adding: "basis", .text) { $0.time.precision?.rawValue ?? $0.time.basis.rawValue },
    Field(adding: "captureSource", .choice) { $0.photo?.captureSource },
    Field(adding: "localDay", .day) { $0.time.localDay },
    Field(adding: "originalName", .text) { $0.photo?.originalName },
    Field(adding: "width", .pixels) { $0.photo?.size.width },
    Field(adding: "height", .pixels) { $0.photo?.size.height },
    Field(adding: "sourceByteCount", .byteCount) { $0.photo?.sourceByteCount },
    Field(adding: "sourceDigest", .digest) { $0.photo?.sourceDigest },
    Field(adding: "meanLightness", .mean) { photo in
      photo.photo?.meanLightness.map { ($0 * 1000).rounded() / 1000 }
    },
    Field(adding: "isFavourite", .flag) { $0.photo?.isFavourite },
    Field(adding: "tags", .texts) { $0.tags },
    Field(adding: "notes", .verbatim) { $0.notes },
  ])

  /// `+00:00` for UTC, as `Z` would say that no local time is known (RFC 9557, 2.2).
  private static func written(_ offset: UTCOffset) -> String {
    offset == .utc ? "+00:00" : "\(offset)"
  }

  /// With milliseconds even where they are zero, as some programs take the form of a column from its first row.
  private static func even(_ time: LocalDateTime) -> String {
    time.millisecond == 0 ? "\(time).000" : "\(time)"
  }
}

extension Kind<String> {
  /// A time that other programs calculate with.
  fileprivate static let evenTime = Kind(.written(TextForm(takes: "a time", isQuoted: false)))
}
