internal import DiaryModel
internal import Foundation
internal import GRDB

/// What an entry has besides what all have, in the tables of its kind.
extension Database {
  /// What the entry in a row has. Photos are read with their entries.
  func content(of kind: EntryKind, _ row: Int64) throws -> EntryContent {
    let sql = Self.contentSelects[kind]
    guard let sql, let found = try Row.fetchOne(cachedStatement(sql: sql), arguments: [row]) else {
      throw CatalogError(.damaged, "An entry in the catalog is there only in part.")
    }
    switch kind {
    case .photo: preconditionFailure("photos are read with their entries")
    case .symptom:
      return .symptom(
        Symptom(
          name: found["name"],
          severity: try Severity(found["severity"], label: found["severityLabel"]),
          medications: try items("medication", of: row)))
    case .dailyLog: return .dailyLog(DailyLog(found))
    case .episode: return .episode(try episode(found, row))
    case .mood: return .mood(try known(found["mood"]))
    case .quote: return .quote(try quote(found))
    case .completion:
      return .completion(
        Completion(
          activity: ActivityReference(
            id: ActivityID(stored: found["publicID"]), name: found["name"], emoji: found["emoji"]),
          source: found["source"]))
    }
  }

  private static let contentSelects: [EntryKind: String] = [
    .symptom: "SELECT name, severity, severityLabel FROM symptom WHERE entryID = ?",
    .dailyLog: "SELECT * FROM dailyLog WHERE entryID = ?",
    .episode: "SELECT * FROM episode WHERE entryID = ?",
    .mood: "SELECT mood FROM mood WHERE entryID = ?",
    .quote: """
    SELECT q.* FROM favouriteQuote f JOIN quote q ON q.id = f.quoteID WHERE f.entryID = ?
    """,
    .completion: """
    SELECT a.publicID, a.name, a.emoji, c.source FROM completion c
    JOIN activity a ON a.id = c.activityID WHERE c.entryID = ?
    """,
  ]

  private func episode(_ found: Row, _ row: Int64) throws -> Episode {
    Episode(
      endDay: try (found["endDay"] as String?).map(day), type: try known(found["type"]),
      symptoms: try items("symptom", of: row).map(known), severity: found["severity"],
      mucus: try (found["mucus"] as String?).map(known),
      worstTime: try (found["worstTime"] as String?).map(known),
      medications: try items("medication", of: row), doctorVisit: found["doctorVisit"],
      testResult: found["testResult"])
  }

  func quote(_ found: Row) throws -> Quote {
    Quote(
      id: QuoteID(stored: found["publicID"]), text: found["text"], author: found["author"],
      source: found["source"], origin: try known(found["origin"]))
  }

  private func items(_ list: String, of row: Int64) throws -> [String] {
    let find = try cachedStatement(
      sql: "SELECT text FROM entryItem WHERE entryID = ? AND list = ? ORDER BY position")
    return try String.fetchAll(find, arguments: [row, list])
  }

  /// - Throws: for a value that this version does not know.
  func known<Value: RawRepresentable>(_ text: String) throws -> Value
  where Value.RawValue == String {
    guard let value = Value(rawValue: text) else {
      throw CatalogError(.damaged, "The catalog says “\(text)” where that makes no sense.")
    }
    return value
  }

  func day(_ text: String) throws -> LocalDay {
    guard let day = LocalDay(text) else {
      throw CatalogError(.damaged, "The catalog says “\(text)” where a day has to stand.")
    }
    return day
  }
}

extension DailyLog {
  fileprivate init(_ row: Row) {
    self.init()
    sleepHours = row["sleepHours"]
    sleepQuality = row["sleepQuality"]
    stress = row["stress"]
    exerciseMinutes = row["exerciseMinutes"]
    exerciseType = (row["exerciseType"] as String?).flatMap(ExerciseType.init)
    sugar = (row["sugar"] as String?).flatMap(SugarIntake.init)
    alcohol = (row["alcohol"] as String?).flatMap(Alcohol.init)
    officeDay = row["officeDay"]
    sickContact = row["sickContact"]
    humidifier = row["humidifier"]
  }
}

extension Database {
  /// Puts content in the place of what the entry in a row has, if it has any.
  func store(_ content: EntryContent, _ row: Int64, now: Timestamp) throws {
    try cachedStatement(sql: "DELETE FROM entryItem WHERE entryID = ?").execute(arguments: [row])
    switch content {
    case .photo: preconditionFailure("photos come by import")
    case .symptom(let symptom):
      try insert(
        "symptom",
        [
          "entryID": row, "name": symptom.name, "foldedName": foldedName(symptom.name),
          "severity": symptom.severity.value, "severityLabel": symptom.severity.label,
        ])
      try insert("medication", symptom.medications, of: row)
    case .dailyLog(let log):
      try insert(
        "dailyLog",
        [
          "entryID": row, "sleepHours": log.sleepHours, "sleepQuality": log.sleepQuality,
          "stress": log.stress, "exerciseMinutes": log.exerciseMinutes,
          "exerciseType": log.exerciseType?.rawValue, "sugar": log.sugar?.rawValue,
          "alcohol": log.alcohol?.rawValue, "officeDay": log.officeDay,
          "sickContact": log.sickContact, "humidifier": log.humidifier,
        ])
    case .episode(let episode):
      try insert(
        "episode",
        [
          "entryID": row, "endDay": episode.endDay?.description, "type": episode.type.rawValue,
          "severity": episode.severity, "mucus": episode.mucus?.rawValue,
          "worstTime": episode.worstTime?.rawValue, "doctorVisit": episode.doctorVisit,
          "testResult": episode.testResult,
        ])
      try insert("symptom", episode.symptoms.map(\.rawValue), of: row)
      try insert("medication", episode.medications, of: row)
    case .mood(let mood): try insert("mood", ["entryID": row, "mood": mood.rawValue])
    case .quote(let quote):
      try insert("favouriteQuote", ["entryID": row, "quoteID": quoteRow(quote, now: now)])
    case .completion(let completion):
      try insert(
        "completion",
        [
          "entryID": row, "activityID": activityRow(completion.activity.id),
          "source": completion.source,
        ])
      // As the trigger does when the entry changes.
      try cachedStatement(
        sql: """
          UPDATE completion SET day = (SELECT localDay FROM entry
            WHERE id = entryID AND deletedAt IS NULL) WHERE entryID = ?
          """
      ).execute(arguments: [row])
    }
  }

  /// What search finds of an entry besides its notes.
  func setWords(_ words: String?, of row: Int64) throws {
    try cachedStatement(sql: "UPDATE entry SET words = ? WHERE id = ?")
      .execute(arguments: [words, row])
  }

  private func insert(
    _ table: String, _ values: KeyValuePairs<String, (any DatabaseValueConvertible)?>
  ) throws {
    let names = values.map(\.key)
    let marks = names.map { _ in "?" }.joined(separator: ", ")
    try cachedStatement(
      sql: "INSERT OR REPLACE INTO \(table) (\(names.joined(separator: ", "))) VALUES (\(marks))"
    ).execute(arguments: StatementArguments(values.map(\.value)))
  }

  private func insert(_ list: String, _ items: [String], of row: Int64) throws {
    let insert = try cachedStatement(
      sql: "INSERT INTO entryItem (entryID, list, position, text) VALUES (?, ?, ?, ?)")
    for (position, text) in items.enumerated() {
      try insert.execute(arguments: [row, list, position, text])
    }
  }

  /// The row of a quote, made when there is none.
  func quoteRow(_ quote: Quote, now: Timestamp) throws -> Int64 {
    try cachedStatement(
      sql: """
        INSERT OR IGNORE INTO quote (publicID, text, author, source, origin, createdAt)
        VALUES (?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      quote.id.description, quote.text, quote.author, quote.source, quote.origin.rawValue,
      now.milliseconds,
    ])
    let find = try cachedStatement(sql: "SELECT id FROM quote WHERE publicID = ?")
    guard let row = try Int64.fetchOne(find, arguments: [quote.id.description]) else {
      throw CatalogError(.failed, "The quote could not be kept.")
    }
    return row
  }

  /// Quotes that come with Leaflog are kept for favourites and days only.
  func forgetUnusedQuotes() throws {
    try execute(
      sql: """
        DELETE FROM quote WHERE origin = 'bundled'
          AND id NOT IN (SELECT quoteID FROM favouriteQuote)
          AND id NOT IN (SELECT quoteID FROM dayQuote)
        """)
  }

  func activityRow(_ id: ActivityID) throws -> Int64 {
    let find = try cachedStatement(sql: "SELECT id FROM activity WHERE publicID = ?")
    guard let row = try Int64.fetchOne(find, arguments: [id.description]) else {
      throw CatalogError(.notFound, "No activity has the id “\(id)”.")
    }
    return row
  }
}
