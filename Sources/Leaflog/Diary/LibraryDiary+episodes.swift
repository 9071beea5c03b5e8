internal import DiaryCatalog

extension LibraryDiary {
  /// The episodes without an end, the latest first: at most one, unless overlaps were allowed.
  ///
  /// - Throws: `LeaflogError` when the catalog cannot be read.
  public func activeEpisodes() throws(LeaflogError) -> [Entry] {
    try read { try $0.episodes.active() }
  }

  /// Adds an episode. It can be undone.
  ///
  /// - Parameters:
  ///   - start: its first day.
  ///   - confirmed: the reasons for doubt that are confirmed.
  ///   - kind: `.episodeAdd` or `.episodeStart`.
  /// - Throws: `LeaflogError` with code `invalidRequest` for a day in the future, a value out of its
  ///   range, or an end before the start; `unconfirmed` when it shares days with others.
  public func addEpisode(
    _ episode: Episode, from start: LocalDay, notes: String? = nil, tags: [String] = [],
    confirmed: Set<Doubt.Confirmation> = [], as kind: ChangeKind = .episodeAdd
  ) throws(LeaflogError) -> Entry {
    let time = try placed(.day(start))
    if let end = episode.endDay { _ = try placed(.day(end)) }
    return try add(.episode(episode), at: time, notes: notes, tags: tags, as: kind) { tables in
      let overlap = EpisodeOverlap(
        of: [episode.days(from: start)], with: try tables.entries.all(of: .episode))
      try confirmed.check(overlap.doubts)
    }
  }

  /// Ends the active episode. It can be undone.
  ///
  /// - Parameter entry: which one; nil takes the only one.
  /// - Throws: `LeaflogError` with code `notFound` when none is active, `ambiguous` when several are.
  public func endEpisode(_ entry: Entry? = nil, on day: LocalDay) throws(LeaflogError) -> Entry {
    let ending = if let entry { entry } else { try activeEpisode() }
    guard case .episode(let episode) = ending.content else {
      throw .invalid("\(ending.id.short) is not an episode.")
    }
    guard episode.isActive, ending.deletedAt == nil else {
      throw LeaflogError(
        .conflict,
        "\(ending.id.short), \(ending.episodeName), is not active.", remedy: .editEpisode)
    }
    _ = try placed(.day(day))
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
      throw LeaflogError(.notFound, "No episode is active.", remedy: .listEpisodes)
    }
    guard active.count == 1 else {
      let names = active.map { "\($0.id.short) (\($0.episodeName))" }.joined(separator: ", ")
      throw LeaflogError(.ambiguous, "Several episodes are active, say which one ends: \(names).")
    }
    return first
  }

  /// Edits an episode; fields that are nil stay as they are, empty notes are removed. It can be
  /// undone.
  ///
  /// - Throws: `LeaflogError` with code `invalidRequest` for a day in the future, a value out of its range, or an end
  ///   before the start; `unconfirmed` when its new days are also those of others; `notFound` when it does not exist
  ///   any more.
  public func editEpisode(
    _ entry: Entry, from start: LocalDay? = nil, notes: String? = nil, tags: [String]? = nil,
    confirmed: Set<Doubt.Confirmation> = [],
    _ body: @escaping (inout Episode) throws -> Void = { _ in }
  ) throws(LeaflogError) -> EditResult {
    var time: EntryTime?
    if let start, start != entry.time.localDay { time = try placed(.day(start)) }
    func edited(_ content: EntryContent) throws -> EntryContent {
      guard case .episode(var episode) = content else { return content }
      let formerEnd = episode.endDay
      try body(&episode)
      if let end = episode.endDay, end != formerEnd { _ = try placed(.day(end)) }
      return .episode(episode)
    }
    return try change(
      entry, time: time, notes: notes, tags: tags, content: edited, as: .episodeEdit
    ) { tables in
      guard case .episode(let before) = entry.content,
        case .episode(let after) = try edited(entry.content)
      else { return }
      let days = after.days(from: start ?? entry.time.localDay)
      // An episode that overlapped before can still be edited.
      guard days != before.days(from: entry.time.localDay) else { return }
      let others = try tables.entries.all(of: .episode).filter { $0.id != entry.id }
      try confirmed.check(EpisodeOverlap(of: [days], with: others).doubts)
    }
  }

  /// The episodes that these entries would share days with if they were restored.
  static func overlap(ofRestored ids: [EntryID], _ tables: CatalogTables) throws -> EpisodeOverlap {
    let restored = try tables.entries.all(ids).filter { $0.kind == .episode && $0.deletedAt != nil }
    guard !restored.isEmpty else { return EpisodeOverlap(others: []) }
    return EpisodeOverlap(ofRestored: restored, with: try tables.entries.all(of: .episode))
  }
}
