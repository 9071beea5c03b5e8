package import DiaryModel
internal import GRDB

/// The owner of `entry` and of its search index, `entryText`.
package struct EntryTable: CatalogTable {
  let database: Database

  /// The ids of all entries that are no photos and not in the trash.
  package func idsBesidesPhotos() throws -> Set<String> {
    try String.fetchSet(
      database,
      sql: "SELECT publicID FROM entry WHERE kind <> 'photo' AND deletedAt IS NULL")
  }

  /// The entries with these ids, even in the trash; unknown ids are left out.
  package func all(_ ids: [EntryID]) throws -> [Entry] {
    try ids.flatMap {
      try fetch(EntrySelection.sql + " WHERE e.publicID = ?", [$0.description])
    }
  }

  /// The entries of a kind in a span of days, both ends included, oldest first.
  package func all(
    of kind: EntryKind, from first: LocalDay? = nil, to last: LocalDay? = nil
  ) throws -> [Entry] {
    let query = TimelineQuery(
      kinds: [kind], firstDay: first, lastDay: last, order: .oldestFirst)
    return try tables.timeline.page(query, at: .start, limit: Int(Int32.max)).elements
  }

  /// The photos of a selection, in the given order of ids, or else oldest first.
  package func all(_ selection: PhotoSelection) throws -> [Entry] {
    switch selection {
    case .photos(let ids):
      return try ids.map { id in
        guard let entry = try all([id]).first else {
          throw CatalogError(.notFound, "No photo has the id “\(id)”.")
        }
        return entry
      }
    case .matching(var query):
      query.order = .oldestFirst
      query.kinds = [.photo]
      return try tables.timeline.page(query, at: .start, limit: Int(Int32.max)).elements
    }
  }

  /// Adds entries.
  ///
  /// - Throws: `CatalogError` with code `conflict` when a day already has an entry of a once-a-day kind.
  package func add(_ drafts: [EntryDraft], now: Timestamp) throws -> [Entry] {
    for draft in drafts { try insert(draft, now: now) }
    return try all(drafts.map(\.id))
  }

  /// Upserts a once-a-day entry.
  ///
  /// - Parameters:
  ///   - notes: nil keeps the notes, an empty string removes them.
  ///   - tags: nil keeps the tags.
  ///   - content: computes the content from the existing one, which is nil for a new entry.
  package func upsert(
    on day: EntryTime, _ kind: EntryKind, notes: String?, tags: [String]? = nil, now: Timestamp,
    content: (EntryContent?) throws -> EntryContent
  ) throws -> Entry {
    guard let id = try onlyEntry(of: day.localDay, kind) else {
      let draft = EntryDraft(
        time: day, notes: notes, tags: tags ?? [], content: try content(nil))
      try insert(draft, now: now)
      return try find(draft.id.description, of: kind)
    }
    try withoutActuallyEscaping(content) { content in
      var edit = EntryEdit(id)
      edit.notes = notes
      edit.tags = tags.map { tags in { _ in tags } }
      edit.content = { try content($0) }
      _ = try apply(edit, now: now)
    }
    return try find(id.description, of: kind)
  }

  /// The day's entry of a once-a-day kind.
  func onlyEntry(of day: LocalDay, _ kind: EntryKind) throws -> EntryID? {
    try String.fetchOne(
      database.cachedStatement(
        sql: "SELECT publicID FROM entry WHERE kind = ? AND localDay = ? AND deletedAt IS NULL"),
      arguments: [kind.rawValue, day.description]
    ).map(EntryID.init(stored:))
  }

  /// - Returns: the entry's row.
  @discardableResult
  func insert(_ draft: EntryDraft, now: Timestamp) throws -> Int64 {
    let content = try draft.content.checked(day: draft.time.localDay)
    let tags = try draft.tags.checkedTags()
    if draft.deletedAt == nil {
      try checkDay(draft.time.localDay, isFreeFor: content.kind, draft.id)
    }
    let row = try nextRow()
    try insert(
      row, draft.id, content.kind, draft.time,
      plant: draft.plant.map { try tables.plants.row(of: $0) }, notes: draft.notes?.tidied,
      words: content.searchWords, isFavourite: content.kind == .quote,
      deletedAt: draft.deletedAt, now: now)
    try tables.setContent(content, ofEntry: row, now: now)
    if !tags.isEmpty { try tables.tags.set(tags, of: row) }
    return row
  }

  /// The row of the next entry. Rows are never reused, so that an id in a changeset always means the same
  /// entry.
  func nextRow() throws -> Int64 {
    let next = try database.cachedStatement(
      sql: "SELECT coalesce(max(seq), 0) + 1 FROM sqlite_sequence WHERE name = 'entry'")
    guard let row = try Int64.fetchOne(next) else {
      throw CatalogError(.damaged, "The catalog does not count.")
    }
    return row
  }

  func insert(
    _ row: Int64, _ id: EntryID, _ kind: EntryKind, _ time: EntryTime, sequence: Int64? = nil,
    plant: Int64?, notes: String?, words: String? = nil, isFavourite: Bool,
    deletedAt: Timestamp? = nil,
    now: Timestamp
  ) throws {
    try database.cachedStatement(
      sql: """
        INSERT INTO entry (id, publicID, seq, kind, occurredAt, utcOffset, timeBasis, datePrecision,
          localDay, plantID, notes, words, isFavourite, createdAt, deletedAt)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      row, id.description, sequence ?? row, kind.rawValue, time.place.moment.milliseconds,
      time.offset.seconds, time.basis.rawValue, time.precision?.rawValue,
      time.localDay.description, plant, notes, words, isFavourite, now.milliseconds,
      deletedAt?.milliseconds,
    ])
  }

  /// Checks that a day is free. The unique index would reject the entry as well, but in SQLite's words.
  func checkDay(_ day: LocalDay, isFreeFor kind: EntryKind, _ own: EntryID) throws {
    guard kind.isOnceADay, let holder = try onlyEntry(of: day, kind), holder != own else { return }
    throw CatalogError(
      .conflict, "\(day) has a \(kind.words) already, \(holder.short); there is one a day.")
  }

  func row(of id: EntryID) throws -> Int64? {
    try Int64.fetchOne(
      database.cachedStatement(sql: "SELECT id FROM entry WHERE publicID = ?"),
      arguments: [id.description])
  }

  func kind(of id: EntryID) throws -> EntryKind? {
    try String.fetchOne(
      database.cachedStatement(sql: "SELECT kind FROM entry WHERE publicID = ?"),
      arguments: [id.description]
    ).map(EntryKind.init(stored:))
  }

  /// The entries in these rows, in their order.
  func all(rows: [Int64]) throws -> [Entry] {
    try fetch(
      """
      \(EntrySelection.columns) FROM json_each(?) r CROSS JOIN entry e ON e.id = r.value
      \(EntrySelection.joins) ORDER BY r.key
      """, [RowList(rows: rows)])
  }

  /// The entries found by a query that is based on `EntrySelection`.
  func fetch(_ sql: String, _ arguments: StatementArguments) throws -> [Entry] {
    let cursor = try EntryRow?.fetchCursor(
      database.cachedStatement(sql: sql), arguments: arguments)
    var rows: [EntryRow] = []
    while let row = try cursor.next() {
      guard let row else { throw EntryRow.unknown }
      rows.append(row)
    }
    return try entries(rows)
  }

  /// The entries of rows, with one query per kind for their contents.
  func entries(_ rows: [EntryRow]) throws -> [Entry] {
    var contents: [Int64: EntryContent] = [:]
    for (kind, rows) in Dictionary(grouping: rows, by: \.kind) where kind != .photo {
      contents.merge(try tables.contents(of: kind, RowList(rows: rows.map(\.row)))) { $1 }
    }
    return try rows.map { row in
      guard let content = row.photo.map(EntryContent.photo) ?? contents[row.row] else {
        throw CatalogError(.damaged, "An entry in the catalog is there only in part.")
      }
      return row.entry(content)
    }
  }
}
