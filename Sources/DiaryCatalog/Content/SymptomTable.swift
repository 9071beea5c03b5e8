package import DiaryModel
internal import Fields
internal import GRDB

/// The owner of `symptom`.
package struct SymptomTable: ContentTable {
  static let (kind, name) = (EntryKind.symptom, "symptom")
  let database: Database

  func contents(of entries: RowList) throws -> [Int64: EntryContent] {
    let medications = try items.texts(.medication, of: entries)
    return try contents("SELECT * FROM symptom WHERE entryID", of: entries) { found in
      var symptom = try Symptom.fields.thing(in: found, from: .blank)
      symptom.medications = medications[found["entryID"], default: []]
      return .symptom(symptom)
    }
  }

  func set(_ symptom: Symptom, ofEntry row: Int64) throws {
    try put(
      row,
      Symptom.fields.columns(of: symptom) + [
        ("foldedName", foldedName(symptom.name).databaseValue)
      ])
    try items.set(symptom.medications, .medication, ofEntry: row)
  }

  /// The names of symptoms on the timeline that start with a prefix, most likely first: the weight of each
  /// occurrence halves every thirty days.
  package func names(
    startingWith prefix: String, today: LocalDay
  ) throws -> [(name: String, count: Int, lastDay: LocalDay)] {
    let folded = foldedName(prefix)
    // As it was last logged: a day has few symptoms.
    let name = try database.cachedStatement(
      sql: """
        SELECT s.name FROM entry e CROSS JOIN symptom s ON s.entryID = e.id
        WHERE e.kind = 'symptom' AND e.localDay = ? AND e.deletedAt IS NULL AND s.foldedName = ?
        ORDER BY e.occurredAt DESC, e.seq DESC LIMIT 1
        """)
    let totals = try isInCatalog("symptomTotal") ? "symptomTotal" : "(\(Schema.countedSymptoms))"
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT foldedName, sum(count), max(day), sum(count * pow(0.5, (? - day) / 30.0)) AS weight
        FROM \(totals) WHERE substr(foldedName, 1, length(?)) = ?
        GROUP BY foldedName ORDER BY weight DESC, foldedName
        """, arguments: [today.dayNumber, folded, folded])
    return try rows.compactMap { row in
      let day = LocalDay(dayNumber: row[2])
      let found = try String.fetchOne(name, arguments: [day.description, row[0] as String])
      // Left out if the totals name a symptom that is not there; a verification reports that.
      return found.map { ($0, row[1], day) }
    }
  }

  /// A page of the symptoms with a name, regardless of case.
  package func page(
    named name: String, _ query: TimelineQuery, at position: TimelinePosition, limit: Int
  ) throws -> Page<Entry> {
    try tables.timeline.page(
      query, at: position, limit: limit,
      where: "e.id IN (SELECT entryID FROM symptom WHERE foldedName = ?)", [foldedName(name)])
  }

  /// The symptoms of a span by day; within a day, those logged last come last.
  package func days(in days: ClosedRange<LocalDay>) throws -> [SymptomDay] {
    let rows = try Row.fetchCursor(
      database.cachedStatement(
        // The name comes from the row with the last time (sqlite.org/lang_select.html, bare columns).
        sql: """
          SELECT e.localDay, s.name, s.foldedName, count(*), sum(s.severity), max(e.occurredAt) AS last
          FROM entry e CROSS JOIN symptom s ON s.entryID = e.id WHERE \(EntrySpan.condition)
          GROUP BY e.localDay, s.foldedName ORDER BY e.localDay, last
          """), arguments: EntrySpan(kind: .symptom, days: days).arguments)
    return try Array(
      rows.map {
        SymptomDay(
          day: try LocalDay(stored: $0[0]), name: $0[1], foldedName: $0[2], count: $0[3],
          severitySum: $0[4])
      })
  }
}

/// How often a symptom was logged on a day, and how severe it was.
package struct SymptomDay: Sendable {
  package let day: LocalDay
  /// The name as last typed on that day.
  package let name: String
  /// The name without case, the same for all spellings.
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
