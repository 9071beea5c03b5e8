internal import DiaryCatalog

extension Library {
  /// The episodes that have no end yet, the last to begin first: one, unless overlaps were allowed.
  public func activeEpisodes() throws(LeaflogError) -> [Entry] {
    try translating { try catalog.activeEpisodes() }
  }

  /// Writes down an episode. `undo` takes it back.
  ///
  /// - Parameters:
  ///   - start: its first day.
  ///   - allowOverlap: whether it may share days with others.
  ///   - kind: `.episodeAdd` or `.episodeStart`.
  /// - Throws: `LeaflogError` with code `invalidRequest` for a day to come, a value out of its range, or
  ///   an end before the start; `conflict` when it shares days with others, all of which are named.
  public func addEpisode(
    _ episode: Episode, from start: LocalDay, notes: String? = nil, tags: [String] = [],
    allowOverlap: Bool = false, as kind: ChangeKind = .episodeAdd, now: RecordedTime? = nil
  ) throws(LeaflogError) -> Entry {
    let time = try placed(.day(start), now: now)
    if let end = episode.endDay { _ = try placed(.day(end), now: now) }
    return try add(.episode(episode), at: time, notes: notes, tags: tags, as: kind) { reader in
      guard !allowOverlap else { return }
      try EpisodeOverlap(
        of: [episode.days(from: start)], with: reader.entries(of: .episode)
      ).refuse()
    }
  }

  /// Ends the active episode. `undo` takes it back.
  ///
  /// - Parameter entry: which one; nil takes the only one.
  /// - Throws: `LeaflogError` with code `notFound` when none is active, `ambiguous` when several are.
  public func endEpisode(
    _ entry: Entry? = nil, on day: LocalDay, now: RecordedTime? = nil
  ) throws(LeaflogError) -> Entry {
    let ending = if let entry { entry } else { try activeEpisode() }
    guard case .episode(let episode) = ending.content else {
      throw .invalid("\(ending.id.short) is not an episode.")
    }
    guard episode.isActive, ending.deletedAt == nil else {
      throw LeaflogError(
        .conflict,
        "\(ending.id.short), \(ending.episodeName), is not active. `leaflog episode edit` "
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
      let names = active.map { "\($0.id.short) (\($0.episodeName))" }.joined(separator: ", ")
      throw LeaflogError(.ambiguous, "Several episodes are active, say which one ends: \(names).")
    }
    return first
  }

  /// Changes an episode; what is nil stays, empty notes are none. `undo` takes it back.
  public func editEpisode(
    _ entry: Entry, from start: LocalDay? = nil, notes: String? = nil, tags: [String]? = nil,
    allowOverlap: Bool = false, now: RecordedTime? = nil,
    _ body: @escaping (inout Episode) throws -> Void = { _ in }
  ) throws(LeaflogError) -> EditResult {
    var time: EntryTime?
    if let start { time = try placed(.day(start), now: now) }
    let today = EntryTime(now ?? self.now, in: timeZone).localDay
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
      let others = try reader.entries(of: .episode).filter { $0.id != entry.id }
      try EpisodeOverlap(of: [days], with: others).refuse()
    }
  }

  /// The episodes that days would be shared with, so that people can be asked before it comes to that.
  ///
  /// - Parameter own: the episode whose days these are, where it is there already.
  public func overlap(
    of days: EpisodeDays, except own: EntryID? = nil
  ) throws(LeaflogError) -> EpisodeOverlap {
    EpisodeOverlap(of: [days], with: try entries(of: .episode).filter { $0.id != own })
  }

  /// The episodes that these would share days with if they came out of the trash.
  public func overlap(ofRestored ids: [EntryID]) throws(LeaflogError) -> EpisodeOverlap {
    try translating { try catalog.reading { try Self.overlap(ofRestored: ids, $0) } }
  }

  static func overlap(ofRestored ids: [EntryID], _ reader: CatalogReader) throws -> EpisodeOverlap {
    let restored = try reader.entries(ids).filter { $0.kind == .episode && $0.deletedAt != nil }
    guard !restored.isEmpty else { return EpisodeOverlap(others: []) }
    return EpisodeOverlap(ofRestored: restored, with: try reader.entries(of: .episode))
  }
}
