/// A reason why a request may be a mistake. It is carried out only if somebody confirms the reason.
@nonexhaustive
public enum Doubt: Sendable, Hashable {
  /// The time of a new symptom is longer ago than usual (``LibraryDiary/usualSymptomDelay``).
  case late(EntryTime)
  /// The time of a photo is in the future.
  case future(RecordedTime)
  /// An episode shares days with these.
  case overlap([Entry])

  /// A reason for doubt that somebody has confirmed.
  @nonexhaustive
  public enum Confirmation: Sendable, Hashable {
    /// The time of a new symptom is longer ago than ``LibraryDiary/usualSymptomDelay``.
    case late
    /// The time of a photo is in the future.
    case future
    /// Shared days with these episodes, and with no others.
    case overlap(with: Set<EntryID>)
    /// Shared days with any episodes.
    case anyOverlap
  }

  /// One sentence about it.
  public var message: String {
    switch self {
    case .late: "That was more than 48 hours ago."
    case .future(let time): "\(time.iso8601) is in the future."
    case .overlap(let others): "It would share days with \(EpisodeOverlap(others: others).names)."
    }
  }

  /// The confirmation that this reason needs.
  public var confirmation: Confirmation {
    switch self {
    case .late: .late
    case .future: .future
    case .overlap(let others): .overlap(with: Set(others.map(\.id)))
    }
  }

  package var remedy: Remedy {
    switch self {
    case .late: .allowLate
    case .future: .allowFuture
    case .overlap: .allowOverlap
    }
  }
}

extension Set<Doubt.Confirmation> {
  private func covers(_ doubt: Doubt) -> Bool {
    guard case .overlap(let others) = doubt else { return contains(doubt.confirmation) }
    let known = reduce(into: Set<EntryID>()) { known, confirmation in
      if case .overlap(let ids) = confirmation { known.formUnion(ids) }
    }
    return contains(.anyOverlap) || others.allSatisfy { known.contains($0.id) }
  }

  /// - Throws: `LeaflogError` with code `unconfirmed` and all reasons that are not confirmed.
  func check(_ doubts: [Doubt]) throws(LeaflogError) {
    let open = doubts.filter { !covers($0) }
    if !open.isEmpty { throw LeaflogError(doubts: open) }
  }
}

/// Episodes that share days with another one.
struct EpisodeOverlap: Sendable, Hashable {
  /// All of them: existing ones, oldest first, then restored ones that overlap each other; none when no day is shared.
  let others: [Entry]

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

  /// The doubt about them, if there are any.
  var doubts: [Doubt] { others.isEmpty ? [] : [.overlap(others)] }

  /// `4a1f0c22 (cold, 2026-03-01 to 2026-03-08) and …`
  var names: String {
    let names = others.map { "\($0.id.short) (\($0.episodeName))" }
    return names.count < 2
      ? names.joined() : names.dropLast().joined(separator: ", ") + " and " + names[names.count - 1]
  }
}

extension Entry {
  /// `cold, 2026-03-01 to 2026-03-08`, or `cold, ongoing since 2026-03-01`
  var episodeName: String {
    guard case .episode(let episode) = content else { return kind.words }
    let days = episode.endDay.map { "\(time.localDay) to \($0)" }
    return "\(episode.type.words), \(days ?? "ongoing since \(time.localDay)")"
  }
}
