package import DiaryModel
internal import GRDB

/// An entry to be made, of any kind but photo.
package struct EntryDraft: Sendable {
  package let id: EntryID
  package var time: EntryTime
  package var notes: String?
  package var tags: [String]
  package var plant: PlantID?
  package var content: EntryContent
  /// For one that comes out of an export's trash.
  package var deletedAt: Timestamp?

  package init(
    id: EntryID = .random(), time: EntryTime, notes: String? = nil, tags: [String] = [],
    plant: PlantID? = nil, content: EntryContent, deletedAt: Timestamp? = nil
  ) {
    self.id = id
    self.time = time
    self.notes = notes
    self.tags = tags
    self.plant = plant
    self.content = content
    self.deletedAt = deletedAt
  }
}

extension Catalog {
  /// Makes entries in one transaction that can be taken back.
  ///
  /// - Parameter check: looks at the catalog in the same transaction, before anything is written.
  /// - Throws: with code `conflict` when a day has one already of a kind that there is one a day of.
  package func add(
    _ drafts: [EntryDraft], as kind: ChangeKind, now: Timestamp,
    check: (CatalogReader) throws -> Void = { _ in }
  ) throws -> [Entry] {
    try change(kind, now: now) { database, now in
      try check(CatalogReader(database: database))
      for draft in drafts { try Self.insert(draft, now, database) }
      return try drafts.flatMap {
        try database.entries(EntrySelection.sql + " WHERE e.publicID = ?", [$0.id.description])
      }
    }
  }

  /// Changes the entry of a day of a kind that there is one a day of, or makes it, in one transaction.
  ///
  /// - Parameters:
  ///   - notes: nil leaves them, empty ones are none.
  ///   - tags: nil leaves them.
  ///   - content: gets what there is, or nil.
  package func setOnce(
    a day: EntryTime, _ entryKind: EntryKind, notes: String?, tags: [String]? = nil,
    as kind: ChangeKind, now: Timestamp, content: (EntryContent?) throws -> EntryContent
  ) throws -> Entry {
    try change(kind, now: now) { database, now in
      let found = try String.fetchOne(
        database,
        sql: "SELECT publicID FROM entry WHERE kind = ? AND localDay = ? AND deletedAt IS NULL",
        arguments: [entryKind.rawValue, day.localDay.description])
      let draft = EntryDraft(
        id: found.map(EntryID.init(stored:)) ?? .random(), time: day, notes: notes,
        tags: tags ?? [], content: try content(nil))
      if found == nil {
        try Self.insert(draft, now, database)
      } else {
        try withoutActuallyEscaping(content) { content in
          var edit = EntryEdit(draft.id)
          edit.notes = notes
          edit.tags = tags.map { tags in { _ in tags } }
          edit.content = { try content($0) }
          _ = try Self.apply(edit, now, database)
        }
      }
      return try Self.entry(draft.id.description, of: entryKind, database)
    }
  }

  /// - Returns: the entry's row.
  @discardableResult
  static func insert(
    _ draft: EntryDraft, _ now: Timestamp, _ database: Database
  ) throws -> Int64 {
    let content = try draft.content.checked(day: draft.time.localDay)
    let tags = try draft.tags.checkedTags()
    if draft.deletedAt == nil {
      try checkDay(draft.time.localDay, isFreeFor: content.kind, draft.id, database)
    }
    try database.cachedStatement(
      sql: """
        INSERT INTO entry (id, publicID, seq, kind, occurredAt, utcOffset, timeBasis, localDay,
          plantID, notes, words, isFavourite, createdAt, deletedAt)
        SELECT n.id, ?, n.id, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?
        FROM (SELECT coalesce(max(seq), 0) + 1 AS id FROM sqlite_sequence WHERE name = 'entry') n
        """
    ).execute(arguments: [
      draft.id.description, content.kind.rawValue, draft.time.instant.milliseconds,
      draft.time.offset.seconds, draft.time.basis.rawValue, draft.time.localDay.description,
      draft.plant.map { try Self.row(of: $0, database) }, draft.notes?.tidied, content.searchWords,
      content.kind == .quote, now.milliseconds, draft.deletedAt?.milliseconds,
    ])
    let row = database.lastInsertedRowID
    try database.store(content, row, now: now)
    if !tags.isEmpty { try database.setTags(tags, of: row) }
    return row
  }

  /// The unique index refuses it too, in SQLite's words.
  static func checkDay(
    _ day: LocalDay, isFreeFor kind: EntryKind, _ own: EntryID, _ database: Database
  ) throws {
    guard kind.isOnceADay else { return }
    let find = try database.cachedStatement(
      sql: """
        SELECT publicID FROM entry
        WHERE kind = ? AND localDay = ? AND deletedAt IS NULL AND publicID <> ?
        """)
    let holder = try String.fetchOne(
      find, arguments: [kind.rawValue, day.description, own.description])
    if let holder {
      throw CatalogError(
        .conflict,
        "\(day) has a \(kind.words) already, \(EntryID(stored: holder).short); there is one a day.")
    }
  }

  /// The entry with this id, or an unambiguous start of it, trash included.
  ///
  /// - Parameter kind: nil takes entries of any.
  package func entry(_ idOrPrefix: String, of kind: EntryKind?) throws -> Entry {
    try read { try Self.entry(idOrPrefix, of: kind, $0) }
  }

  /// The entries of a kind whose days lie in a span, oldest first; both ends count.
  package func entries(
    of kind: EntryKind, from first: LocalDay? = nil, to last: LocalDay? = nil
  ) throws -> [Entry] {
    let query = TimelineQuery(
      kinds: [kind], firstDay: first, lastDay: last, order: .oldestFirst)
    return try page(query, at: .start, limit: Int(Int32.max)).elements
  }

  /// How many days in a row have a daily log up to a day or, while that has none, up to the one before.
  package func loggingStreak(upTo day: LocalDay) throws -> Int {
    try readOnce { database in
      let days = try String.fetchCursor(
        database,
        // The kinds as they stand in the index of what there is one a day of, which serves alone.
        sql: """
          SELECT localDay FROM entry
          WHERE kind = 'dailyLog' AND kind IN ('dailyLog', 'mood') AND deletedAt IS NULL
            AND localDay <= ? ORDER BY localDay DESC
          """, arguments: [day.description])
      var count = 0
      var earliest = day.advanced(by: -1)
      while let next = try days.next().map(database.day), next >= earliest {
        count += 1
        earliest = next.advanced(by: -1)
      }
      return count
    }
  }
}

/// What a check before a change can look at.
package struct CatalogReader {
  let database: Database

  /// All entries of a kind that are not in the trash, oldest first.
  package func entries(of kind: EntryKind) throws -> [Entry] {
    try database.entries(
      EntrySelection.sql
        + " WHERE e.kind = ? AND e.deletedAt IS NULL ORDER BY e.occurredAt, e.seq",
      [kind.rawValue])
  }

  /// The entries with these ids, from the trash too; those that are not there are left out.
  package func entries(_ ids: [EntryID]) throws -> [Entry] {
    try ids.flatMap {
      try database.entries(EntrySelection.sql + " WHERE e.publicID = ?", [$0.description])
    }
  }
}
