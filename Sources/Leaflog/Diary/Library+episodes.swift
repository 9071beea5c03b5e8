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
    _ episode: Episode, from start: LocalDay, notes: String? = nil, allowOverlap: Bool = false,
    as kind: ChangeKind = .episodeAdd, now: RecordedTime = .now()
  ) throws(LeaflogError) -> Entry {
    let time = try placed(.day(start), now: now)
    if let end = episode.endDay { _ = try placed(.day(end), now: now) }
    return try add(.episode(episode), at: time, notes: notes, as: kind) { reader in
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
    guard case .episode(var episode) = ending.content else {
      throw .invalid("\(ending.id.short) is no episode.")
    }
    _ = try placed(.day(day), now: now)
    episode.endDay = day
    return try change(ending, content: .episode(episode), as: .episodeEnd).changed.first ?? ending
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
    _ entry: Entry, _ episode: Episode? = nil, from start: LocalDay? = nil, notes: String? = nil,
    allowOverlap: Bool = false, now: RecordedTime = .now()
  ) throws(LeaflogError) -> EditResult {
    var time: EntryTime?
    if let start { time = try placed(.day(start), now: now) }
    if let end = episode?.endDay { _ = try placed(.day(end), now: now) }
    let first = start ?? entry.time.localDay
    return try change(
      entry, time: time, notes: notes, content: episode.map { .episode($0) }, as: .episodeEdit
    ) { reader in
      guard !allowOverlap, case .episode(let before) = entry.content else { return }
      let days = (episode ?? before).days(from: first)
      // One that overlapped before may be described further.
      guard days != before.days(from: entry.time.localDay) else { return }
      try Self.checkOverlap(days, except: entry.id, reader)
    }
  }

  private static func checkOverlap(
    _ days: EpisodeDays, except own: EntryID?, _ reader: CatalogReader
  ) throws {
    for other in try reader.entries(of: .episode) where other.id != own {
      guard case .episode(let episode) = other.content,
        episode.days(from: other.time.localDay).overlaps(days)
      else { continue }
      throw LeaflogError(
        .conflict,
        "It would share days with \(other.id.short), \(name(other)). If that is meant, say so: "
          + "--allow-overlap.")
    }
  }

  /// `cold, 2026-03-01 to 2026-03-08`
  private static func name(_ entry: Entry) -> String {
    guard case .episode(let episode) = entry.content else { return entry.kind.words }
    let end = episode.endDay.map { "to \($0)" } ?? "and ongoing"
    return "\(episode.type.words), \(entry.time.localDay) \(end)"
  }
}
