internal import Leaflog

/// Episodes, latest first.
package struct EpisodesPage: Screen {
  package static let template = "episodes"

  struct Row {
    let id: String
    let emoji: String
    let title: String
    let detail: String
    let isActive: Bool
  }

  let page: PageFrame
  let problem: PageProblem?
  let hasEpisodes: Bool
  let episodes: [Row]
  let olderHref: String?

  /// - Parameter before: a cursor, as in `olderHref`.
  package init(
    _ context: PageContext, before: String? = nil, refusal: Refusal? = nil
  ) throws {
    page = try context.frame(context.words["episodes"], at: .today)
    problem = context.problem(refusal)
    let list = try context.library.timeline.page(
      TimelineQuery(kinds: [.episode]),
      at: before.flatMap { Cursor($0) }.map { .cursor($0) } ?? .start, limit: 50)
    episodes = list.elements.compactMap { Row($0, in: context) }
    hasEpisodes = !episodes.isEmpty
    olderHref = list.next.map {
      PageAddress("/episodes", [("before", $0.description)]).text
    }
  }
}

extension EpisodesPage.Row {
  /// Nil for an entry of another kind.
  fileprivate init?(_ entry: Entry, in context: PageContext) {
    guard case .episode(let episode) = entry.content else { return nil }
    let (reader, words) = (context.reader, context.words)
    let name = context.name(episode.type)
    let first = entry.time.localDay
    let day = reader.number(first.daysAgo(on: context.today) + 1)
    let signs = episode.symptoms.map { words["sign.\($0.rawValue)"] }.joined(separator: ", ")
    self.init(
      id: entry.id.description, emoji: episode.type.emoji,
      title: episode.isActive ? words.text("episodeDay", ["type": name, "day": day]) : name,
      detail: .dotted(context.span(of: episode, from: first), signs), isActive: episode.isActive)
  }
}

extension PageContext {
  /// `2 March to 9 March · 8 days`, or `since 19 November`
  func span(of episode: Episode, from first: LocalDay) -> String {
    guard let last = episode.endDay, let count = episode.days(from: first).count else {
      return words.text("episodeSince", ["date": reader.day(first)])
    }
    return words.text(
      "episodeSpan",
      [
        "from": reader.day(first), "to": reader.day(last),
        "days": reader.count("countDays", count),
      ])
  }
}
