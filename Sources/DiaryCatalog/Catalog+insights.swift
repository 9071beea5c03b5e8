package import DiaryModel
internal import GRDB

/// How often a symptom was logged on a day, and how strong.
package struct SymptomDay: Sendable {
  package let day: LocalDay
  /// As it was typed last on that day.
  package let name: String
  /// What is the same for all ways of typing it.
  package let foldedName: String
  /// At least one.
  package let count: Int
  package let severitySum: Double

  package init(
    day: LocalDay, name: String, foldedName: String, count: Int, severitySum: Double
  ) {
    self.day = day
    self.name = name
    self.foldedName = foldedName
    self.count = count
    self.severitySum = severitySum
  }
}

extension Catalog {
  /// Several queries that see the same state of the catalog.
  package func reading<Value>(_ body: (CatalogReader) throws -> Value) throws -> Value {
    try read { try body(CatalogReader(database: $0)) }
  }
}

/// What insights are made of, a query each: entries one by one would take a statement for each.
extension CatalogReader {
  /// The episodes with a day in a span, oldest first.
  package func episodes(in days: ClosedRange<LocalDay>) throws -> [EpisodeRecord] {
    // From the episodes, not from the index by kind: nothing but a look at each tells when it ended,
    // and there a row is a few bytes beside the next.
    let rows = try Row.fetchCursor(
      database.cachedStatement(
        sql: """
          SELECT e.publicID, e.localDay, e.notes, x.endDay, x.type, x.severity, x.mucus, x.worstTime,
            x.doctorVisit, x.testResult, i.list, i.text
          FROM episode x CROSS JOIN entry e ON e.id = x.entryID
          LEFT JOIN entryItem i ON i.entryID = x.entryID
          WHERE (x.endDay IS NULL OR x.endDay >= ?) AND e.deletedAt IS NULL AND e.localDay <= ?
          ORDER BY e.occurredAt, e.seq, i.list, i.position
          """),
      arguments: [days.lowerBound.description, days.upperBound.description])
    var found: [(id: String, first: LocalDay, episode: Episode, notes: String?)] = []
    while let row = try rows.next() {
      let id: String = row[0]
      if found.last?.id != id {
        let episode = Episode(
          endDay: try (row[3] as String?).map(database.day), type: try database.known(row[4]),
          severity: row[5], mucus: try (row[6] as String?).map(database.known),
          worstTime: try (row[7] as String?).map(database.known), doctorVisit: row[8],
          testResult: row[9])
        found.append((id, try database.day(row[1]), episode, row[2]))
      }
      switch row[10] as String? {
      case "symptom": found[found.count - 1].episode.symptoms.append(try database.known(row[11]))
      case "medication": found[found.count - 1].episode.medications.append(row[11])
      default: break
      }
    }
    return found.map { id, first, episode, notes in
      EpisodeRecord(
        id: EntryID(stored: id), days: episode.days(from: first), episode: episode, notes: notes)
    }
  }

  /// The logs of a span by their days.
  package func logs(in days: ClosedRange<LocalDay>) throws -> [LocalDay: DailyLog] {
    let rows = try Row.fetchCursor(
      database.cachedStatement(
        sql: """
          SELECT e.localDay, d.sleepHours, d.sleepQuality, d.stress, d.exerciseMinutes, d.exerciseType,
            d.sugar, d.alcohol, d.officeDay, d.sickContact, d.humidifier
          FROM entry e CROSS JOIN dailyLog d ON d.entryID = e.id WHERE \(Self.isInSpan)
          """), arguments: Self.span(.dailyLog, days))
    var logs: [LocalDay: DailyLog] = [:]
    while let row = try rows.next() {
      var log = DailyLog()
      log.sleepHours = row[1]
      log.sleepQuality = row[2]
      log.stress = row[3]
      log.exerciseMinutes = row[4]
      log.exerciseType = try (row[5] as String?).map(database.known)
      log.sugar = try (row[6] as String?).map(database.known)
      log.alcohol = try (row[7] as String?).map(database.known)
      log.officeDay = row[8]
      log.sickContact = row[9]
      log.humidifier = row[10]
      logs[try database.day(row[0])] = log
    }
    return logs
  }

  /// The symptoms logged in a span day by day, those that were logged last on a day behind the others.
  package func symptomDays(in days: ClosedRange<LocalDay>) throws -> [SymptomDay] {
    let rows = try Row.fetchCursor(
      database.cachedStatement(
        // The name is that of the row which has the last time (sqlite.org/lang_select.html, bare columns).
        sql: """
          SELECT e.localDay, s.name, s.foldedName, count(*), sum(s.severity), max(e.occurredAt) AS last
          FROM entry e CROSS JOIN symptom s ON s.entryID = e.id WHERE \(Self.isInSpan)
          GROUP BY e.localDay, s.foldedName ORDER BY e.localDay, last
          """), arguments: Self.span(.symptom, days))
    let database = database
    return try Array(
      rows.map {
        SymptomDay(
          day: try database.day($0[0]), name: $0[1], foldedName: $0[2], count: $0[3],
          severitySum: $0[4])
      })
  }

  /// As in a query of the timeline: the instants bound the index by kind, the day decides.
  private static let isInSpan = """
    e.deletedAt IS NULL AND e.kind = ? AND e.occurredAt >= ? AND e.occurredAt < ?
      AND +e.localDay BETWEEN ? AND ?
    """

  private static func span(
    _ kind: EntryKind, _ days: ClosedRange<LocalDay>
  ) -> StatementArguments {
    let day: Int64 = 86_400_000
    // The largest offset there is.
    let slack: Int64 = 18 * 3_600_000
    return [
      kind.rawValue, Int64(days.lowerBound.dayNumber) * day - slack,
      Int64(days.upperBound.dayNumber + 1) * day + slack, days.lowerBound.description,
      days.upperBound.description,
    ]
  }
}
