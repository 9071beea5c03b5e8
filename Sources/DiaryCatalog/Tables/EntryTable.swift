package import DiaryModel
internal import Fields
package import Foundation
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
  package func all(_ selection: PhotoSelection) throws -> [Entry] { try all(ids(selection)) }

  /// The ids of the photos of a selection, in the same order.
  package func ids(_ selection: PhotoSelection) throws -> [EntryID] {
    switch selection {
    case .photos(let ids):
      if let id = try ids.first(where: { try kind(of: $0) != .photo }) {
        throw CatalogError(.notFound, "No photo has the id “\(id)”.")
      }
      return ids
    case .matching(var query):
      query.order = .oldestFirst
      query.kinds = [.photo]
      return try tables.timeline.ids(query)
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
    let content = try tables.checked(draft.content, day: draft.time.localDay)
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

/// Finding entries by id.
extension EntryTable {
  /// The entry with this id or an unambiguous start of it, even in the trash.
  ///
  /// - Parameter kind: the kind of the entry; nil means any.
  package func find(_ idOrPrefix: String, of kind: EntryKind? = nil) throws -> Entry {
    let prefix = idOrPrefix.lowercased()
    let entries = prefix.isEmpty ? [] : try entries(of: kind, startingWith: prefix)
    guard let entry = entries.first else { throw try unknown(idOrPrefix, kind) }
    guard entries.count == 1 else {
      throw CatalogError(.ambiguous, "“\(idOrPrefix)” could be any of: \(candidates(entries)).")
    }
    return entry
  }

  private func entries(of kind: EntryKind?, startingWith prefix: String) throws -> [Entry] {
    try fetch(
      EntrySelection.sql
        + " WHERE e.publicID >= ? AND e.publicID < ? AND +e.kind = coalesce(?, e.kind) LIMIT ?",
      // g comes after every hexadecimal digit
      [prefix, prefix + "g", kind?.rawValue, CatalogError.candidateCount + 1])
  }

  private func candidates(_ entries: [Entry]) -> String {
    let names = entries.prefix(CatalogError.candidateCount).map { entry in
      let about = [entry.plant?.name, entry.time.date].compactMap { $0 }
      return "\(entry.id.description.prefix(12)) (\(about.joined(separator: ", ")))"
    }
    return names.joined(separator: ", ") + (entries.count > names.count ? " and more" : "")
  }

  /// The error for an unknown id. It names the entries that share the longest start with it: most wrong ids are
  /// mistyped.
  private func unknown(_ id: String, _ kind: EntryKind?) throws -> CatalogError {
    let message = "No \(kind?.words ?? "entry") has the id “\(shortened(id))”."
    var prefix = id.lowercased().prefix { $0.isASCII && $0.isHexDigit }.prefix(EntryID.digitCount)
    while prefix.count > 1 {
      let near = try entries(of: kind, startingWith: String(prefix))
      if !near.isEmpty {
        return CatalogError(.notFound, message + " Some start like it: \(candidates(near)).")
      }
      prefix = prefix.dropLast()
    }
    return CatalogError(.notFound, message, remedy: .listEntries)
  }
}

extension EntryTable {
  /// Places the entries that were recorded as instants anew. All others were recorded with a day, and stay on it.
  func move(to zone: TimeZone) throws {
    // Two completions of an activity must not collide while their days change.
    try database.execute(
      sql: """
        UPDATE completion SET day = NULL
        WHERE entryID IN (SELECT id FROM entry WHERE timeBasis = 'instant')
        """)
    let update = try database.cachedStatement(
      sql: "UPDATE entry SET utcOffset = ?, localDay = ? WHERE id = ?")
    for (id, time) in try moved(to: zone) {
      try update.execute(arguments: [time.offset.seconds, time.localDay.description, id])
    }
    try database.execute(
      sql: """
        UPDATE completion SET day = e.localDay FROM entry e
        WHERE e.id = entryID AND e.timeBasis = 'instant' AND e.deletedAt IS NULL
        """)
  }

  /// How many entries another time zone would show at another hour.
  package func movedCount(to zone: TimeZone) throws -> Int { try moved(to: zone).count }

  private func moved(to zone: TimeZone) throws -> [(id: Int64, time: EntryTime)] {
    let dayEnd = try tables.settings.dayEnd
    let rows = try Row.fetchCursor(
      database, sql: "SELECT id, occurredAt, utcOffset FROM entry WHERE timeBasis = 'instant'")
    var moved: [(id: Int64, time: EntryTime)] = []
    while let row = try rows.next() {
      let instant = Timestamp(milliseconds: row["occurredAt"])
      let after = EntryTime(.instant(instant), in: zone, dayEnd: dayEnd)
      if after.offset.seconds != row["utcOffset"] { moved.append((row["id"], after)) }
    }
    return moved
  }
}

/// An entry to add, of any kind except photo.
package struct EntryDraft: Sendable {
  package let id: EntryID
  package var time: EntryTime
  package var notes: String?
  package var tags: [String]
  package var plant: PlantID?
  package var content: EntryContent
  /// When it was deleted, for one from an export's trash.
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
