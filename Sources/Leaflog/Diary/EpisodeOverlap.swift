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
  var episodeName: String {
    guard case .episode(let episode) = content else { return kind.words }
    let days = episode.endDay.map { "\(time.localDay) to \($0)" }
    return "\(episode.type.words), \(days ?? "ongoing since \(time.localDay)")"
  }
}
