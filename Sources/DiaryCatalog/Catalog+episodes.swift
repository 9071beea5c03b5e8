package import DiaryModel
internal import GRDB

extension Catalog {
  /// The episodes on the timeline that have no end, the last to begin first.
  package func activeEpisodes() throws -> [Entry] {
    try read { database in
      try database.entries(
        EntrySelection.sql + """
           JOIN episode ep ON ep.entryID = e.id
          WHERE e.kind = 'episode' AND e.deletedAt IS NULL AND ep.endDay IS NULL
          ORDER BY e.occurredAt DESC, e.seq DESC
          """, [])
    }
  }

  /// The episodes on the timeline that a day belongs to, the last to begin first.
  package func episodes(on day: LocalDay) throws -> [Entry] {
    try read { database in
      try database.entries(
        EntrySelection.sql + """
           JOIN episode ep ON ep.entryID = e.id
          WHERE e.kind = 'episode' AND e.deletedAt IS NULL AND e.localDay <= ?
            AND (ep.endDay IS NULL OR ep.endDay >= ?)
          ORDER BY e.occurredAt DESC, e.seq DESC
          """, [day.description, day.description])
    }
  }
}
