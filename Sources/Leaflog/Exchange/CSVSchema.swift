internal import DiaryCatalog
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

  static func of(_ table: DiaryCSV) -> CSVSchema {
    switch table {
    case .symptom:
      entries(
        table, .time("occurredAt"), CSVColumn<Symptom>.all, empty: .empty,
        get: { if case .symptom(let symptom) = $0.content { symptom } else { nil } },
        make: { .symptom($0) })
    case .dailyLog:
      entries(
        table, .time("day"), CSVColumn<DailyLog>.all, empty: DailyLog(),
        get: { if case .dailyLog(let log) = $0.content { log } else { nil } },
        make: { .dailyLog($0) })
    case .episode:
      entries(
        table, .time("startDay"), CSVColumn<Episode>.all, empty: Episode(type: .other),
        get: { if case .episode(let episode) = $0.content { episode } else { nil } },
        make: { .episode($0) })
    case .mood:
      entries(
        table, .time("day"), CSVColumn<Mood>.all, empty: .okay,
        get: { if case .mood(let mood) = $0.content { mood } else { nil } }, make: { .mood($0) })
    case .quote:
      entries(
        table, .time("occurredAt"), CSVColumn<QuoteCells>.all, empty: QuoteCells(),
        get: { if case .quote(let quote) = $0.content { QuoteCells(quote) } else { nil } },
        make: { .quote($0.quote) })
    case .completion:
      entries(
        table, .dayAndTime, CSVColumn<CompletionCells>.all, empty: CompletionCells(),
        get: { if case .completion(let done) = $0.content { CompletionCells(done) } else { nil } },
        make: { .completion($0.completion) })
    case .activity:
      CSVSchema(CSVColumn<ActivityCells>.all, table, cells: { _ in [] }) { row, columns, batch in
        var cells = ActivityCells()
        try row.fill(&cells, columns)
        batch.activities.append(try cells.activity(in: row, position: batch.activities.count))
      }
    }
  }

  private init<Row>(
    _ columns: [CSVColumn<Row>], _ table: DiaryCSV, cells: @escaping (Entry) -> [String],
    read: @escaping (CSVRow, [CSVColumn<Row>], inout DiaryBatch) throws -> Void
  ) {
    self.table = table
    self.columns = columns.map(\.name)
    requiredColumns = Set(columns.filter(\.isRequired).map(\.name))
    self.cells = cells
    self.read = { row, batch in try read(row, columns, &batch) }
  }

  private static func entries<Content>(
    _ table: DiaryCSV, _ timing: CSVTiming, _ own: [CSVColumn<Content>], empty: Content,
    get: @escaping (Entry) -> Content?, make: @escaping (Content) -> EntryContent
  ) -> CSVSchema {
    let columns = CSVColumn<EntryCells<Content>>.all(timing, own)
    return CSVSchema(
      columns, table,
      cells: { entry in
        guard let content = get(entry) else { return [] }
        var cells = EntryCells(
          id: entry.id.description, day: entry.time.localDay, time: entry.time.recorded,
          tags: entry.tags, plant: entry.plant?.name, notes: entry.notes, content: content)
        if case .dayAndTime = timing, entry.time.basis == .day { cells.time = nil }
        return columns.map { $0.cell(cells) }
      },
      read: { row, columns, batch in
        var cells = EntryCells(content: empty)
        try row.fill(&cells, columns)
        guard let time = cells.time ?? cells.day.map(RecordedTime.day) else {
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
            id: cells.id.map { EntryID(stored: $0) } ?? .random(), time: placed,
            notes: cells.notes, tags: tags, plant: cells.plant.map { .named($0) }, content: checked)
        )
      })
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

extension Symptom {
  /// The value that a row fills in; both fields are required there.
  fileprivate static var empty: Symptom {
    guard let weakest = try? Severity(1) else { preconditionFailure("1 is a severity") }
    return Symptom(name: "", severity: weakest)
  }
}

extension QuoteCells {
  fileprivate init(_ quote: Quote) {
    self.init(
      id: quote.id.description, text: quote.text, author: quote.author, source: quote.source,
      origin: quote.origin)
  }

  fileprivate var quote: Quote {
    Quote(
      id: id.map { QuoteID(stored: $0) } ?? .random(), text: text ?? "", author: author,
      source: source, origin: origin ?? .own)
  }
}

extension CompletionCells {
  fileprivate init(_ completion: Completion) {
    self.init(
      activity: completion.activity.name, activityID: completion.activity.id.description,
      source: completion.source)
  }

  fileprivate var completion: Completion {
    Completion(
      activity: ActivityReference(
        id: ActivityID(stored: activityID ?? ""), name: activity ?? "", emoji: ""),
      source: source ?? Completion.Source.bulk)
  }
}
