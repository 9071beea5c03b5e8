package import DiaryModel
internal import Fields
internal import GRDB

/// The owner of `episode`. An episode begins on its entry's day.
package struct EpisodeTable: ContentTable {
  static let (kind, name) = (EntryKind.episode, "episode")
  let database: Database

  func contents(of entries: RowList) throws -> [Int64: EntryContent] {
    let symptoms = try items.texts(.symptom, of: entries)
    let medications = try items.texts(.medication, of: entries)
    return try contents("SELECT * FROM episode WHERE entryID", of: entries) { found in
      var episode = try Episode(found)
      let row: Int64 = found["entryID"]
      episode.symptoms = try symptoms[row, default: []].map { try .init(stored: $0) }
      episode.medications = medications[row, default: []]
      return .episode(episode)
    }
  }

  func set(_ episode: Episode, ofEntry row: Int64) throws {
    try put(row, Episode.fields.columns(of: episode))
    try items.set(episode.symptoms.map(\.rawValue), .symptom, ofEntry: row)
    try items.set(episode.medications, .medication, ofEntry: row)
  }

  /// The ongoing episodes on the timeline, latest first.
  package func active() throws -> [Entry] { try entries("ep.endDay IS NULL") }

  /// The episodes on the timeline that include a day, latest first.
  package func on(_ day: LocalDay) throws -> [Entry] {
    try entries(
      "e.localDay <= ?1 AND (ep.endDay IS NULL OR ep.endDay >= ?1)", [day.description])
  }

  private func entries(
    _ condition: String, _ arguments: StatementArguments = []
  ) throws -> [Entry] {
    try tables.entries.fetch(
      EntrySelection.sql + """
         JOIN episode ep ON ep.entryID = e.id
        WHERE e.kind = 'episode' AND e.deletedAt IS NULL AND \(condition)
        ORDER BY \(EntrySelection.newestFirst)
        """, arguments)
  }

  /// The episodes with a day in a span, oldest first, in one query.
  package func records(in days: ClosedRange<LocalDay>) throws -> [EpisodeRecord] {
    // Scans the episodes and not the index by kind: each has to be read to learn when it ended, and its
    // row is only a few bytes, next to the others.
    let rows = try Row.fetchCursor(
      database.cachedStatement(
        sql: """
          SELECT e.publicID, e.localDay, e.notes, i.list, i.text, x.*
          FROM episode x CROSS JOIN entry e ON e.id = x.entryID
          LEFT JOIN entryItem i ON i.entryID = x.entryID
          WHERE (x.endDay IS NULL OR x.endDay >= ?) AND e.deletedAt IS NULL AND e.localDay <= ?
          ORDER BY \(EntrySelection.oldestFirst), i.list, i.position
          """),
      arguments: [days.lowerBound.description, days.upperBound.description])
    var found: [(id: String, first: LocalDay, episode: Episode, notes: String?)] = []
    while let row = try rows.next() {
      let id: String = row[0]
      if found.last?.id != id {
        found.append((id, try LocalDay(stored: row[1]), try Episode(row), row[2]))
      }
      switch (row[3] as String?).flatMap(EntryItemTable.List.init) {
      case .symptom: found[found.count - 1].episode.symptoms.append(try .init(stored: row[4]))
      case .medication: found[found.count - 1].episode.medications.append(row[4])
      case nil: break
      }
    }
    return found.map { id, first, episode, notes in
      EpisodeRecord(
        id: EntryID(stored: id), days: episode.days(from: first), episode: episode, notes: notes)
    }
  }
}

extension Episode {
  /// The episode without its lists.
  fileprivate init(_ row: Row) throws { self = try Self.fields.thing(in: row, from: .blank) }
}
