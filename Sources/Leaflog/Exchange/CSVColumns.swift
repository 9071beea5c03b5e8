internal import DiaryModel

extension CSVColumn<Symptom> {
  static var all: [CSVColumn] {
    [
      CSVColumn(
        name: "name", takes: "a text", isRequired: true, cell: { CSVText.quoted($0.name) },
        set: { $0.name = $1 }),
      CSVColumn(
        name: "severity", takes: "1 to 5", isRequired: true,
        cell: { $0.severity.value.formatted() },
        set: { symptom, text in
          guard let value = plainNumber(text) else {
            throw InvalidValue("severity", takes: "1 to 5", given: text.isEmpty ? "nothing" : text)
          }
          symptom.severity = try Severity(value, label: symptom.severity.label)
        }),
      CSVColumn(
        name: "severityLabel", takes: "a text",
        cell: { CSVText.quoted($0.severity.label ?? "") },
        set: { $0.severity = try Severity($0.severity.value, label: $1) }),
      .list("medications", \.medications),
    ]
  }
}

extension CSVColumn<DailyLog> {
  static var all: [CSVColumn] {
    [
      .value(
        "sleepHours", takes: "0 to 12 in steps of 0.25", \.sleepHours, write: { $0.formatted() },
        parse: plainNumber),
      .integer("sleepQuality", 1...5, \.sleepQuality),
      .integer("stress", 1...5, \.stress),
      .integer("exerciseMinutes", 0...300, \.exerciseMinutes),
      .choice("exerciseType", \.exerciseType),
      .choice("sugar", \.sugar),
      .choice("alcohol", \.alcohol),
      .flag("officeDay", \.officeDay),
      .flag("sickContact", \.sickContact),
      .flag("humidifier", \.humidifier),
    ]
  }
}

extension CSVColumn<Episode> {
  static var all: [CSVColumn] {
    [
      .day("endDay", \.endDay),
      CSVColumn(
        name: "type", takes: Episode.Illness.alternatives, isRequired: true,
        cell: { CSVText.quoted($0.type.rawValue) },
        set: { $0.type = try Episode.Illness.written($1, field: "type") }),
      .choices("symptoms", \.symptoms),
      .integer("severity", 1...5, \.severity),
      .choice("mucus", \.mucus),
      .choice("worstTime", \.worstTime),
      .list("medications", \.medications),
      .text("doctorVisit", \.doctorVisit),
      .text("testResult", \.testResult),
    ]
  }
}

extension CSVColumn<Mood> {
  static var all: [CSVColumn] {
    [
      CSVColumn(
        name: "mood", takes: Mood.alternatives, isRequired: true,
        cell: { CSVText.quoted($0.rawValue) },
        set: { $0 = try Mood.written($1, field: "mood") })
    ]
  }
}

/// A favourite as a row of a table.
struct QuoteCells {
  var id: String?
  var text: String?
  var author: String?
  var source: String?
  var origin: Quote.Origin?
}

extension CSVColumn<QuoteCells> {
  static var all: [CSVColumn] {
    [
      .value(
        "quote", takes: DiaryFields.quoteID, \.id, write: CSVText.quoted,
        parse: { QuoteID(written: $0)?.description }),
      .text("text", \.text).required(),
      .text("author", \.author),
      .text("source", \.source),
      .choice("origin", \.origin),
    ]
  }
}

/// A completion of an activity, as a row of a table.
struct CompletionCells {
  var activity: String?
  var activityID: String?
  var source: String?
}

extension CSVColumn<CompletionCells> {
  static var all: [CSVColumn] {
    [
      .text("activity", \.activity).required(),
      .value(
        "activityID", takes: DiaryFields.id, \.activityID, write: CSVText.quoted,
        parse: writtenID),
      .text("source", \.source),
    ]
  }
}

/// The columns with the time of an entry.
enum CSVTiming {
  /// One column with this name.
  case time(String)
  /// The day in `day`, and in `occurredAt` the time, if it was recorded.
  case dayAndTime
}

/// An entry with the fields that all kinds share, as a row of a table.
struct EntryCells<Content> {
  var id: String?
  /// The day of an entry that has a column of its own for the time, such as a completion.
  var day: LocalDay?
  var time: RecordedTime?
  var tags: [String] = []
  var plant: String?
  var notes: String?
  var content: Content
}

extension CSVColumn {
  /// The columns of a kind of entry.
  static func all<Content>(
    _ timing: CSVTiming, _ own: [CSVColumn<Content>]
  ) -> [CSVColumn] where Row == EntryCells<Content> {
    let times: [CSVColumn] =
      switch timing {
      case .time(let name): [CSVColumn.time(name, \.time).required()]
      case .dayAndTime: [.day("day", \.day).required(), .time("occurredAt", \.time)]
      }
    return [.value("id", takes: DiaryFields.id, \.id, write: CSVText.quoted, parse: writtenID)]
      + times + own.map { $0.lifted(\.content) } + [
        .list("tags", \.tags), .text("plant", \.plant), .text("notes", \.notes),
      ]
  }
}

/// Parses a number in plain digits, without the names, plus signs and exponents that `Double` also accepts. It may have a
/// decimal comma, as spreadsheets write it in many languages.
func plainNumber(_ text: String) -> Double? {
  let number = text.contains(".") ? text : text.replacing(",", with: ".", maxReplacements: 1)
  return number.utf8.allSatisfy { (0x30...0x39).contains($0) || ".-".utf8.contains($0) }
    ? Double(number) : nil
}
