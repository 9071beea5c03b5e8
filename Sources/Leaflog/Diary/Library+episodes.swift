internal import DiaryCatalog

extension Library {
  /// The episodes that have no end yet, the last to begin first: one, unless overlaps were allowed.
  public func activeEpisodes() throws(LeaflogError) -> [Entry] {
    try translating { try catalog.activeEpisodes() }
  }

  /// Writes down an episode. `undo` of the kind takes it back.
  ///
  /// - Parameters:
  ///   - start: its first day.
  ///   - allowOverlap: whether it may share days with another one.
  ///   - kind: `.episodeAdd` or `.episodeStart`.
  /// - Throws: `LeaflogError` with code `invalidRequest` for a day to come, a value out of its range, or
  ///   an end before the start; `conflict` when it shares a day with another one, which is named.
  public func addEpisode(
    _ episode: Episode, from start: LocalDay, notes: String? = nil, tags: [String] = [],
    allowOverlap: Bool = false, as kind: ChangeKind = .episodeAdd, now: RecordedTime = .now()
  ) throws(LeaflogError) -> Entry {
    let time = try placed(.day(start), now: now)
    if let end = episode.endDay { _ = try placed(.day(end), now: now) }
    return try add(.episode(episode), at: time, notes: notes, tags: tags, as: kind) { reader in
      guard !allowOverlap else { return }
      try Self.checkOverlap(episode.days(from: start), except: nil, reader)
    }
  }

  /// Ends the active episode. `undo(.episodeEnd)` takes it back.
  ///
  /// - Parameter entry: which one; nil takes the only one.
  /// - Throws: `LeaflogError` with code `notFound` when none is active, `ambiguous` when several are.
  public func endEpisode(
    _ entry: Entry? = nil, on day: LocalDay, now: RecordedTime = .now()
  ) throws(LeaflogError) -> Entry {
    let ending = if let entry { entry } else { try activeEpisode() }
    guard case .episode(let episode) = ending.content else {
      throw .invalid("\(ending.id.short) is no episode.")
    }
    guard episode.isActive, ending.deletedAt == nil else {
      throw LeaflogError(
        .conflict,
        "\(ending.id.short), \(Self.name(ending)), is not active. `leaflog episode edit` "
          + "changes its end.")
    }
    _ = try placed(.day(day), now: now)
    return try change(
      ending,
      content: { content in
        guard case .episode(var episode) = content else { return content }
        episode.endDay = day
        return .episode(episode)
      }, as: .episodeEnd
    ).changed.first ?? ending
  }

  private func activeEpisode() throws(LeaflogError) -> Entry {
    let active = try activeEpisodes()
    guard let first = active.first else {
      throw LeaflogError(
        .notFound, "No episode is active. `leaflog episode list` shows those there are.")
    }
    guard active.count == 1 else {
      let names = active.map { "\($0.id.short) (\(Self.name($0)))" }.joined(separator: ", ")
      throw LeaflogError(.ambiguous, "Several episodes are active, say which one ends: \(names).")
    }
    return first
  }

  /// Changes an episode; what is nil stays, empty notes are none. `undo(.episodeEdit)` takes it back.
  public func editEpisode(
    _ entry: Entry, from start: LocalDay? = nil, notes: String? = nil, tags: [String]? = nil,
    allowOverlap: Bool = false, now: RecordedTime = .now(),
    _ body: @escaping (inout Episode) throws -> Void = { _ in }
  ) throws(LeaflogError) -> EditResult {
    var time: EntryTime?
    if let start { time = try placed(.day(start), now: now) }
    let today = EntryTime(now, in: timeZone).localDay
    func edited(_ content: EntryContent) throws -> EntryContent {
      guard case .episode(var episode) = content else { return content }
      try body(&episode)
      if let end = episode.endDay, end > today {
        throw LeaflogError.invalid("\(end) is in the future.")
      }
      return .episode(episode)
    }
    return try change(
      entry, time: time, notes: notes, tags: tags, content: edited, as: .episodeEdit
    ) { reader in
      guard !allowOverlap, case .episode(let before) = entry.content,
        case .episode(let after) = try edited(entry.content)
      else { return }
      let days = after.days(from: start ?? entry.time.localDay)
      // One that overlapped before may be described further.
      guard days != before.days(from: entry.time.localDay) else { return }
      try Self.checkOverlap(days, except: entry.id, reader)
    }
  }

  /// - Throws: `LeaflogError` with code `conflict` when one of them would share days with another.
  func checkOverlap(ofRestored ids: [EntryID]) throws(LeaflogError) {
    for id in ids {
      let entry = try self.entry(id.description, of: .episode)
      guard entry.deletedAt != nil, case .episode(let episode) = entry.content else { continue }
      try translating {
        try catalog.reading {
          try Self.checkOverlap(
            episode.days(from: entry.time.localDay), except: id, $0,
            remedy: "Edit or delete that one first.")
        }
      }
    }
  }

  private static func checkOverlap(
    _ days: EpisodeDays, except own: EntryID?, _ reader: CatalogReader,
    remedy: String = "If that is meant, say so: --allow-overlap."
  ) throws {
    for other in try reader.entries(of: .episode) where other.id != own {
      guard case .episode(let episode) = other.content,
        episode.days(from: other.time.localDay).overlaps(days)
      else { continue }
      throw LeaflogError(
        .conflict,
        "It would share days with \(other.id.short), \(name(other)). \(remedy)")
    }
  }

  /// `cold, 2026-03-01 to 2026-03-08`
  private static func name(_ entry: Entry) -> String {
    guard case .episode(let episode) = entry.content else { return entry.kind.words }
    let end = episode.endDay.map { "to \($0)" } ?? "and ongoing"
    return "\(episode.type.words), \(entry.time.localDay) \(end)"
  }
}
