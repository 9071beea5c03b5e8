internal import DiaryCatalog

extension LibraryDiary {
  /// The episodes without an end, the latest first: at most one, unless overlaps were allowed.
  public func activeEpisodes() throws(LeaflogError) -> [Entry] {
    try read { try $0.episodes.active() }
  }

  /// Adds an episode. It can be undone.
  ///
  /// - Parameters:
  ///   - start: its first day.
  ///   - allowOverlap: whether it may share days with others.
  ///   - kind: `.episodeAdd` or `.episodeStart`.
  /// - Throws: `LeaflogError` with code `invalidRequest` for a day in the future, a value out of its
  ///   range, or an end before the start; `conflict` when it shares days with others, all of which
  ///   are named.
  public func addEpisode(
    _ episode: Episode, from start: LocalDay, notes: String? = nil, tags: [String] = [],
    allowOverlap: Bool = false, as kind: ChangeKind = .episodeAdd
  ) throws(LeaflogError) -> Entry {
    let time = try placed(.day(start))
    if let end = episode.endDay { _ = try placed(.day(end)) }
    return try add(.episode(episode), at: time, notes: notes, tags: tags, as: kind) { tables in
      guard !allowOverlap else { return }
      try EpisodeOverlap(
        of: [episode.days(from: start)], with: tables.entries.all(of: .episode)
      ).refuse()
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
  public func editEpisode(
    _ entry: Entry, from start: LocalDay? = nil, notes: String? = nil, tags: [String]? = nil,
    allowOverlap: Bool = false, _ body: @escaping (inout Episode) throws -> Void = { _ in }
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
      guard !allowOverlap, case .episode(let before) = entry.content,
        case .episode(let after) = try edited(entry.content)
      else { return }
      let days = after.days(from: start ?? entry.time.localDay)
      // An episode that overlapped before can still be edited.
      guard days != before.days(from: entry.time.localDay) else { return }
      let others = try tables.entries.all(of: .episode).filter { $0.id != entry.id }
      try EpisodeOverlap(of: [days], with: others).refuse()
    }
  }

  /// The episodes that the given days overlap, so that an interface can ask beforehand.
  ///
  /// - Parameter own: the episode whose days these are, if it exists already.
  public func overlap(
    of days: EpisodeDays, except own: EntryID? = nil
  ) throws(LeaflogError) -> EpisodeOverlap {
    EpisodeOverlap(of: [days], with: try entries(of: .episode).filter { $0.id != own })
  }

  /// The episodes that these entries would share days with if they were restored.
  public func overlap(ofRestored ids: [EntryID]) throws(LeaflogError) -> EpisodeOverlap {
    try read { try Self.overlap(ofRestored: ids, $0) }
  }

  static func overlap(ofRestored ids: [EntryID], _ tables: CatalogTables) throws -> EpisodeOverlap {
    let restored = try tables.entries.all(ids).filter { $0.kind == .episode && $0.deletedAt != nil }
    guard !restored.isEmpty else { return EpisodeOverlap(others: []) }
    return EpisodeOverlap(ofRestored: restored, with: try tables.entries.all(of: .episode))
  }
}

/// Episodes that share days with another one.
public struct EpisodeOverlap: Sendable, Hashable {
  /// All of them: existing ones, oldest first, then restored ones that overlap each other; none when no day is shared.
  public let others: [Entry]

  init(others: [Entry]) { self.others = others }

  init(of days: [EpisodeDays], with episodes: [Entry]) {
    others = episodes.filter { other in
      other.episodeDays.map { other in days.contains { $0.overlaps(other) } } ?? false
    }
  }

  /// The overlaps of episodes that are restored from the trash, with existing ones and with each
  /// other.
  init(ofRestored restored: [Entry], with episodes: [Entry]) {
    let days = restored.compactMap(\.episodeDays)
    let together = restored.enumerated().filter { index, entry in
      guard let own = entry.episodeDays else { return false }
      return days.enumerated().contains { $0.offset != index && $0.element.overlaps(own) }
    }.map(\.element)
    others = EpisodeOverlap(of: days, with: episodes).others + together
  }

  /// Whether no day is shared.
  public var isEmpty: Bool { others.isEmpty }

  /// One sentence that names all of them.
  public var message: String { "It would share days with \(names)." }

  /// `4a1f0c22 (cold, 2026-03-01 to 2026-03-08) and …`
  public var names: String {
    let names = others.map { "\($0.id.short) (\($0.episodeName))" }
    return names.count < 2
      ? names.joined() : names.dropLast().joined(separator: ", ") + " and " + names[names.count - 1]
  }

  /// - Throws: `LeaflogError` with code `conflict` when there are any.
  func refuse() throws(LeaflogError) {
    guard isEmpty else { throw LeaflogError(.conflict, message, remedy: .allowOverlap) }
  }
}

extension Entry {
  /// `cold, 2026-03-01 to 2026-03-08`, or `cold, ongoing since 2026-03-01`
  fileprivate var episodeName: String {
    guard case .episode(let episode) = content else { return kind.words }
    let days = episode.endDay.map { "\(time.localDay) to \($0)" }
    return "\(episode.type.words), \(days ?? "ongoing since \(time.localDay)")"
  }
}
