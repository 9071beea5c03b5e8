internal import DiaryCatalog
internal import DiaryModel
internal import Foundation

/// A parsed JSON document, in which entries refer to quotes and activities by id.
struct DiaryDocument: Decodable {
  var plants: [ExchangedPlant] = []
  var activities: [ExchangedActivity] = []
  var quotes: [ExchangedQuote] = []
  var entries: [ReadEntry] = []
  var settings: [SettingKey: String] = [:]
  /// The zone of the library that the document was exported from.
  var timeZone: TimeZone?

  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: FieldName.self)
    try fields.checkNames(of: "")
    plants = try fields.list("plants", ExchangedPlant.init(reading:))
    activities = try fields.list("activities", ExchangedActivity.init(reading:))
    quotes = try fields.list("quotes", ExchangedQuote.init(reading:))
    entries = try fields.list("entries", ReadEntry.init(reading:))
    timeZone = try fields.parsed("timeZone", of: "") { TimeZone(identifier: $0) }
    guard fields.contains("settings") else { return }
    let own = try fields.nestedContainer(keyedBy: FieldName.self, forKey: "settings")
    try own.checkNames(of: "settings")
    for key in DiaryBatch.settingKeys {
      let name = FieldName(stringValue: key.rawValue)
      settings[key] = try own.parsed(name, of: "settings") { Self.isTaken($0, for: key) ? $0 : nil }
    }
  }

  private static func isTaken(_ value: String, for key: SettingKey) -> Bool {
    switch key {
    case .severityScales: (try? SeverityScales(value)) != nil
    case .quoteSource: ["bundled", "zenquotes"].contains(value)
    case .reminder: ["on", "off"].contains(value)
    case .reminderTime:
      value.utf8.count == 5 && RecordedTime("2000-01-01T" + value) != nil
    case .reminderParts: (try? ReminderPart.parts(value)) != nil
    case .reportName:
      value.isEmpty || (try? oneLine(value, field: "reportName", upTo: 200)) == value
    default: false
    }
  }
}

/// An entry of a document.
struct ReadEntry {
  let id: EntryID
  let time: RecordedTime
  /// The day that it counts for, if that is another than that of its time.
  let localDay: LocalDay?
  let notes: String?
  let tags: [String]
  let plant: PlantID?
  let content: EntryContent
  let deletedAt: Timestamp?
}

extension ReadEntry {
  /// The time in a library. An instant is placed in its zone, and a clock time as it was where it was exported.
  ///
  /// - Parameters:
  ///   - zone: the library's.
  ///   - origin: that of the library that it was exported from, if the document says so.
  ///   - misplaced: the error for a day that does not fit the time.
  func placed(
    in zone: TimeZone, from origin: TimeZone?, dayEnd: Int,
    misplaced: (String) -> MisplacedValue
  ) throws -> EntryTime {
    if case .instant = time { return EntryTime(time, in: zone, dayEnd: dayEnd) }
    let placed = EntryTime(time, in: origin ?? zone)
    guard let localDay, localDay != placed.localDay else { return placed }
    guard placed.basis != .day, localDay == placed.localDay.advanced(by: -1) else {
      throw misplaced("localDay is the day of occurredAt, or the day before.")
    }
    return placed.counted(for: localDay)
  }
}

extension ExchangedPlant {
  fileprivate init(reading fields: FieldReader) throws {
    try fields.checkNames(of: "plants")
    self.init(
      id: try fields.required("id", of: "plants") { writtenID($0).map { PlantID(stored: $0) } },
      details: PlantDetails(
        name: try fields.decode(String.self, forKey: "name"),
        scientificName: try fields.text("scientificName"), location: try fields.text("location"),
        notes: try fields.text("notes")),
      createdAt: try fields.moment("createdAt", of: "plants"),
      deletedAt: try fields.moment("deletedAt", of: "plants"))
  }
}

extension ExchangedQuote {
  fileprivate init(reading fields: FieldReader) throws {
    try fields.checkNames(of: "quotes")
    let text = try fields.required("text", of: "quotes") { $0.tidied == nil ? nil : $0 }
    let quote = Quote(
      id: try fields.required("id", of: "quotes") { QuoteID(written: $0) }, text: text,
      author: try fields.text("author"), source: try fields.text("source"),
      origin: try fields.decodeIfPresent(Quote.Origin.self, forKey: "origin") ?? .own)
    self.init(
      quote: quote, createdAt: try fields.moment("createdAt", of: "quotes"),
      deletedAt: try fields.moment("deletedAt", of: "quotes"),
      days: try fields.decodeIfPresent([LocalDay].self, forKey: "days") ?? [])
  }
}

extension ReadEntry {
  fileprivate init(reading fields: FieldReader) throws {
    let kind = try fields.required("kind", of: "entries") { text in
      EntryKind(rawValue: text).flatMap { $0 == .photo ? nil : $0 }
    }
    let others = Set(EntryKind.allCases.map(\.rawValue)).subtracting([kind.rawValue])
    let strange = fields.allKeys.first { others.contains($0.stringValue) }
    if let strange {
      throw MisplacedValue(
        path: fields.codingPath + [strange],
        reason: "an entry of the kind \(kind.rawValue) has no \(strange.stringValue).")
    }
    try fields.checkNames(of: "entries")
    id =
      try fields.parsed("id", of: "entries") { writtenID($0).map { EntryID(stored: $0) } }
      ?? .random()
    let time = try fields.required("occurredAt", of: "entries") { RecordedTime($0)?.withKnownDay }
    let basis = try fields.parsed("timeBasis", of: "entries") { $0 == "instant" ? $0 : nil }
    if basis != nil, case .zoned(let wall, let offset) = time {
      self.time = .instant(wall.timestamp(offset: offset))
    } else {
      self.time = time
    }
    localDay = try fields.decodeIfPresent(LocalDay.self, forKey: "localDay")
    notes = try fields.text("notes")
    let tags = try fields.decodeIfPresent([String].self, forKey: "tags") ?? []
    self.tags = try fields.checking { () throws(InvalidValue) in try tags.checkedTags() }
    plant = try fields.parsed("plant", of: "entries") {
      writtenID($0).map { PlantID(stored: $0) }
    }
    deletedAt = try fields.moment("deletedAt", of: "entries")
    content = try Self.content(kind, fields)
  }

  private static func content(_ kind: EntryKind, _ fields: FieldReader) throws -> EntryContent {
    let name = FieldName(stringValue: kind.rawValue)
    if kind == .mood { return .mood(try fields.decode(Mood.self, forKey: name)) }
    if kind == .quote {
      let id = try fields.required(name, of: "entries") { QuoteID(written: $0) }
      return .quote(Quote(id: id, text: "", author: nil, source: nil, origin: .own))
    }
    let own = try fields.nestedContainer(keyedBy: FieldName.self, forKey: name)
    try own.checkNames(of: kind.rawValue)
    // A symptom's severity may be a fraction.
    try own.checkNumbers(
      whole: ["sleepQuality", "stress", "exerciseMinutes"] + (kind == .episode ? ["severity"] : []),
      fractions: ["sleepHours"] + (kind == .symptom ? ["severity"] : []), of: kind.rawValue)
    return try fields.checking(name) {
      switch kind {
      case .symptom: .symptom(try fields.decode(Symptom.self, forKey: name))
      case .dailyLog: .dailyLog(try fields.decode(DailyLog.self, forKey: name))
      case .episode: .episode(try fields.decode(Episode.self, forKey: name))
      case .completion: .completion(try completion(own))
      case .photo, .mood, .quote: preconditionFailure("read above")
      }
    }
  }

  private static func completion(_ fields: FieldReader) throws -> Completion {
    let id = try fields.required("activity", of: "completion") {
      writtenID($0).map { ActivityID(stored: $0) }
    }
    let source = try fields.required("source", of: "completion") { $0.tidied }
    return Completion(activity: ActivityReference(id: id, name: "", emoji: ""), source: source)
  }
}
