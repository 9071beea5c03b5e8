internal import DiaryCatalog

/// Symptoms, daily logs, episodes, moods and tags; entries of any kind; a day at a glance.
public struct LibraryDiary: LibrarySection {
  let library: Library
}

/// The entries on the timeline beside an entry.
public struct EntryNeighbours: Sendable, Hashable {
  /// The entry just before it; nil if it is the oldest, or in the trash.
  public let before: Entry?
  /// The entry just after it; nil if it is the newest, or in the trash.
  public let after: Entry?
}

/// Operations that symptoms, daily logs, episodes, moods, quotes and completions share.
extension LibraryDiary {
  /// The entry with this id, even from the trash.
  ///
  /// - Parameter kind: the kind to look for; nil takes entries of any kind.
  /// - Throws: `LeaflogError` with code `notFound` when there is none.
  public func entry(_ id: EntryID, of kind: EntryKind? = nil) throws(LeaflogError) -> Entry {
    try entry(matching: id.description, of: kind)
  }

  /// The entry with this id or an unambiguous prefix of it, even from the trash.
  ///
  /// - Parameter kind: the kind to look for; nil takes entries of any kind.
  /// - Throws: `LeaflogError` with code `notFound` when there is none, and `ambiguous` for a prefix of several ids.
  public func entry(
    matching idOrPrefix: String, of kind: EntryKind? = nil
  ) throws(LeaflogError) -> Entry {
    try read { try $0.entries.find(idOrPrefix, of: kind) }
  }

  /// The entries of a kind, oldest first.
  ///
  /// - Parameters:
  ///   - first: the first day to include; nil sets no limit.
  ///   - last: the last day to include; nil sets no limit.
  /// - Throws: `LeaflogError` when the catalog cannot be read.
  public func entries(
    of kind: EntryKind, from first: LocalDay? = nil, to last: LocalDay? = nil
  ) throws(LeaflogError) -> [Entry] {
    try read { try $0.entries.all(of: kind, from: first, to: last) }
  }

  /// Puts entries into the trash. Undoing it or `restore(_:of:confirmed:)` brings them back.
  ///
  /// - Throws: `LeaflogError` with code `notFound` when one of them does not exist.
  @discardableResult
  public func delete(_ ids: [EntryID], of kind: EntryKind) throws(LeaflogError) -> EditResult {
    try apply(ids.map { EntryEdit($0, isDeleted: true) }, as: kind.deletion)
  }

  /// Takes entries out of the trash.
  ///
  /// - Parameter confirmed: the reasons for doubt that are confirmed.
  /// - Throws: `LeaflogError` with code `conflict` when the day of a once-a-day entry has another one
  ///   by now, and `unconfirmed` when an episode would share days with others.
  @discardableResult
  public func restore(
    _ ids: [EntryID], of kind: EntryKind, confirmed: Set<Doubt.Confirmation> = []
  ) throws(LeaflogError) -> EditResult {
    try apply(
      ids.map { EntryEdit($0, isDeleted: false) }, as: kind.restoration,
      confirmed: confirmed)
  }

  /// The entries on the timeline just before and just after an entry; none for one in the trash.
  ///
  /// - Throws: `LeaflogError` when the catalog cannot be read.
  public func neighbours(of entry: Entry) throws(LeaflogError) -> EntryNeighbours {
    guard entry.deletedAt == nil else { return EntryNeighbours(before: nil, after: nil) }
    let before = try library.timeline.page(at: .cursor(entry.cursor(heading: .older)), limit: 1)
    let after = try library.timeline.page(
      TimelineQuery(order: .oldestFirst), at: .cursor(entry.cursor(heading: .newer)), limit: 1)
    return EntryNeighbours(before: before.elements.first, after: after.elements.first)
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
    guard try !library.isFuture(placed) else {
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
  private func placedDay(_ day: LocalDay, of kind: EntryKind) throws(LeaflogError) -> EntryTime {
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

extension LibraryDiary {
  /// The log of a day, if there is one.
  ///
  /// - Throws: `LeaflogError` when the catalog cannot be read.
  public func dailyLog(on day: LocalDay) throws(LeaflogError) -> Entry? {
    try entries(of: .dailyLog, from: day, to: day).first
  }

  /// Sets fields of a day's log, which is created when there is none. It can be undone.
  ///
  /// - Parameters:
  ///   - notes: nil leaves them, an empty text removes them.
  ///   - tags: nil leaves them.
  ///   - body: edits the log of the day, empty when there was none.
  /// - Throws: `LeaflogError` with code `invalidRequest` for a day in the future, or a value out of
  ///   its range; with code `conflict` if the log would have no value, note or tag: such a day would
  ///   count as logged.
  public func setDailyLog(
    on day: LocalDay, notes: String? = nil, tags: [String]? = nil,
    _ body: (inout DailyLog) throws -> Void
  ) throws(LeaflogError) -> Entry {
    let time = try placedDay(day, of: .dailyLog)
    return try change(.logSet) { tables, now in
      let entry = try tables.entries.upsert(
        on: time, .dailyLog, notes: notes, tags: tags, now: now
      ) { content in
        var log = DailyLog()
        if case .dailyLog(let there) = content { log = there }
        try body(&log)
        return .dailyLog(log)
      }
      if case .dailyLog(.blank) = entry.content, entry.notes == nil, entry.tags.isEmpty {
        throw LeaflogError(
          .conflict,
          "A log has at least one value, note or tag. One that is no longer wanted can be deleted.")
      }
      return entry
    }
  }

  /// How many consecutive days up to today have a log; the streak holds while today's is still
  /// missing.
  ///
  /// - Throws: `LeaflogError` when the catalog cannot be read.
  public func loggingStreak(today: LocalDay) throws(LeaflogError) -> Int {
    try read { try $0.logs.streak(upTo: today) }
  }
}

extension LibraryDiary {
  /// The mood of a day, if there is one.
  ///
  /// - Throws: `LeaflogError` when the catalog cannot be read.
  public func mood(on day: LocalDay) throws(LeaflogError) -> Entry? {
    try entries(of: .mood, from: day, to: day).first
  }

  /// Sets the mood of a day. It can be undone.
  ///
  /// - Parameters:
  ///   - notes: nil leaves them, an empty text removes them.
  ///   - tags: nil leaves them.
  /// - Throws: `LeaflogError` with code `invalidRequest` for a day in the future.
  public func setMood(
    _ mood: Mood, on day: LocalDay, notes: String? = nil, tags: [String]? = nil
  ) throws(LeaflogError) -> Entry {
    let time = try placedDay(day, of: .mood)
    return try change(.moodSet) { tables, now in
      try tables.entries.upsert(
        on: time, .mood, notes: notes, tags: tags, now: now
      ) { _ in .mood(mood) }
    }
  }

  /// The number of days with each mood, the most frequent first; moods without any are absent.
  ///
  /// - Throws: `LeaflogError` when the catalog cannot be read.
  public func moodCounts(
    from first: LocalDay? = nil, to last: LocalDay? = nil
  ) throws(LeaflogError) -> [MoodCount] {
    let counts = try read { try $0.moods.counts(from: first, to: last) }
    let order = Dictionary(
      uniqueKeysWithValues: Mood.allCases.enumerated().map { ($1, $0) })
    return counts.map { MoodCount($0.key, $0.value) }
      .sorted { ($1.count, order[$0.mood] ?? 0) < ($0.count, order[$1.mood] ?? 0) }
  }
}

extension LibraryDiary {
  /// The tags of the entries on the timeline, the most frequent first. Tags that differ in case only
  /// are the same.
  ///
  /// - Throws: `LeaflogError` when the catalog cannot be read.
  public func tags() throws(LeaflogError) -> [Tag] { try read { try $0.tags.all() } }

  /// Adds tags to entries of any kind. It can be undone.
  ///
  /// - Throws: `LeaflogError` with code `invalidRequest` for a tag of several lines.
  public func addTags(_ tags: [String], to ids: [EntryID]) throws(LeaflogError) -> EditResult {
    try apply(ids.map { EntryEdit($0) { $0 + tags } }, as: .tagAdd)
  }

  /// Removes tags from entries, regardless of case. It can be undone.
  ///
  /// - Throws: `LeaflogError` with code `notFound` when one of the entries does not exist.
  public func removeTags(_ tags: [String], from ids: [EntryID]) throws(LeaflogError) -> EditResult {
    let removed = Set(tags.map { foldedName($0.tidied ?? "") })
    return try apply(
      ids.map { EntryEdit($0) { $0.filter { !removed.contains(foldedName($0)) } } }, as: .tagRemove)
  }

  /// Renames a tag everywhere, including the trash; an entry that has both tags keeps one. It can be
  /// undone.
  ///
  /// - Returns: how many entries have been changed.
  /// - Throws: `LeaflogError` with code `notFound` when no entry has the tag.
  @discardableResult
  public func renameTag(_ tag: String, to name: String) throws(LeaflogError) -> Int {
    guard let name = name.tidied else { throw .invalid("A tag is a text that is not empty.") }
    let former = tag.tidied ?? ""
    let count = try change(.tagRename) { try $0.tags.rename(former, to: name, now: $1) }
    guard let count else {
      throw LeaflogError(.notFound, "No entry has the tag “\(shortened(former))”.")
    }
    return count
  }
}

extension EntryEdit {
  fileprivate init(_ id: EntryID, tags: @escaping ([String]) -> [String]) {
    self.init(id)
    self.tags = tags
  }

  /// Replaces the tags of the entry; nil leaves them.
  mutating func replaceTags(_ tags: [String]?) { self.tags = tags.map { tags in { _ in tags } } }
}
