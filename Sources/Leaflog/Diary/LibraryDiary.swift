internal import DiaryCatalog

/// Symptoms, daily logs, episodes, moods and tags; entries of any kind; a day at a glance.
public struct LibraryDiary: LibraryFace {
  let library: Library
}

/// Operations that symptoms, daily logs, episodes, moods, quotes and completions share.
extension LibraryDiary {
  /// The entry with this id or an unambiguous prefix of it, even from the trash.
  ///
  /// - Parameter kind: the kind to look for; nil takes entries of any kind.
  public func entry(_ idOrPrefix: String, of kind: EntryKind? = nil) throws(LeaflogError) -> Entry {
    try read { try $0.entries.find(idOrPrefix, of: kind) }
  }

  /// The entries of a kind, oldest first.
  ///
  /// - Parameters:
  ///   - first: the first day to include; nil sets no limit.
  ///   - last: the last day to include; nil sets no limit.
  public func entries(
    of kind: EntryKind, from first: LocalDay? = nil, to last: LocalDay? = nil
  ) throws(LeaflogError) -> [Entry] {
    try read { try $0.entries.all(of: kind, from: first, to: last) }
  }

  /// Puts entries into the trash. Undoing it or `restore(_:_:allowOverlap:)` brings them back.
  @discardableResult
  public func delete(_ kind: EntryKind, _ ids: [EntryID]) throws(LeaflogError) -> EditResult {
    try apply(ids.map { EntryEdit($0, isDeleted: true) }, as: kind.deletion)
  }

  /// Takes entries out of the trash.
  ///
  /// - Parameter allowOverlap: whether an episode may share days with others.
  /// - Throws: `LeaflogError` with code `conflict` when the day of a once-a-day entry has another one
  ///   by now, or an episode would share days with others, all of which are named.
  @discardableResult
  public func restore(
    _ kind: EntryKind, _ ids: [EntryID], allowOverlap: Bool = false
  ) throws(LeaflogError) -> EditResult {
    try apply(
      ids.map { EntryEdit($0, isDeleted: false) }, as: kind.restoration,
      allowOverlap: allowOverlap)
  }

  /// The entries on the timeline just before and just after an entry; none for one in the trash.
  public func neighbours(of entry: Entry) throws(LeaflogError) -> (before: Entry?, after: Entry?) {
    guard entry.deletedAt == nil else { return (nil, nil) }
    let before = try library.timeline.page(at: .cursor(entry.cursor(heading: .older)), limit: 1)
    let after = try library.timeline.page(
      TimelineQuery(order: .oldestFirst), at: .cursor(entry.cursor(heading: .newer)), limit: 1)
    return (before.elements.first, after.elements.first)
  }

  /// Places the given time of something that has happened, in the library's time zone.
  ///
  /// - Throws: `LeaflogError` with code `invalidRequest` for a time in the future.
  ///
  /// - Parameter former: the time that it replaces.
  func placed(
    _ time: RecordedTime, replacing former: EntryTime? = nil
  ) throws(LeaflogError) -> EntryTime {
    guard time.withKnownDay != nil else { throw .invalid("\(time.iso8601) is not a day.") }
    // A wall time that replaces one is read like that one.
    if former?.basis != .wall { try library.checkZone(of: time) }
    let placed =
      former.map { EntryTime(time, replacing: $0, in: timeZone, dayEnd: library.dayEnd) }
      ?? library.placed(time)
    let isFuture =
      placed.basis == .day
      ? placed.localDay > library.calendarDay : library.clock.isFuture(placed)
    // A clock that is behind cannot tell.
    if isFuture, try !translating({ try library.present }).isBehind {
      throw .invalid("\(time.iso8601) is in the future.")
    }
    // Earlier days cannot be written as text.
    guard LocalDay(placed.localDay.description) != nil else {
      throw .invalid("Days before the year 1 cannot be written down.")
    }
    return placed
  }

  /// Places the day of a once-a-day entry. An existing entry may be of tomorrow: it was written further east.
  ///
  /// - Throws: `LeaflogError` with code `invalidRequest` for a day in the future.
  func placedDay(_ day: LocalDay, of kind: EntryKind) throws(LeaflogError) -> EntryTime {
    if let there = try entries(of: kind, from: day, to: day).first { return there.time }
    return try placed(.day(day))
  }

  /// Adds one entry.
  ///
  /// - Parameter check: looks at the catalog in the same transaction, before anything is written.
  func add(
    _ content: EntryContent, at time: EntryTime, notes: String?, tags: [String],
    plant: PlantID? = nil, as kind: ChangeKind, check: (CatalogTables) throws -> Void = { _ in }
  ) throws(LeaflogError) -> Entry {
    let draft = EntryDraft(time: time, notes: notes, tags: tags, plant: plant, content: content)
    return try change(kind) { tables, now in
      try check(tables)
      return try tables.entries.add([draft], now: now)[0]
    }
  }

  /// Edits one entry; fields that are nil stay as they are.
  func change(
    _ entry: Entry, time: EntryTime? = nil, notes: String? = nil, tags: [String]? = nil,
    content: ((EntryContent) throws -> EntryContent)? = nil, as kind: ChangeKind,
    check: (CatalogTables) throws -> Void = { _ in }
  ) throws(LeaflogError) -> EditResult {
    var edit = EntryEdit(entry.id)
    edit.time = time.map { ($0, .manual) }
    edit.notes = notes
    edit.replaceTags(tags)
    edit.content = content
    let changed = try change(kind) { tables, now in
      try check(tables)
      return try tables.entries.apply([edit], now: now)
    }
    return EditResult(changed: changed, unchangedCount: 1 - changed.count)
  }
}
