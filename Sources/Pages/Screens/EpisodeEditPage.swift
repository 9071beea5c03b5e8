internal import Leaflog

/// The form of an episode, new or existing.
package struct EpisodeEditPage: Screen {
  package static let template = "episode-edit"

  /// The episodes that it would overlap with.
  struct Overlap {
    let episodes: [Link]
    /// Their ids, which the form sends back once they are accepted.
    let ids: String
  }

  let page: PageFrame
  let backHref: String
  let backLabel: String
  let heading: String
  let subheading: String?
  let problem: PageProblem?
  let conflict: Conflict?
  let action: String
  /// Nil for a new one.
  let version: String?
  let overlap: Overlap?
  let rows: [FormRow]
  let deleteAction: String?
  let timelineHref: String?

  /// - Parameter id: nil for a new one.
  package init(_ context: PageContext, _ id: String? = nil, refusal: Refusal? = nil) throws {
    let words = context.words
    let entry = try id.map { try context.entry($0, of: .episode) }
    let episode = entry?.episode
    heading = words[entry == nil ? "newEpisode" : "editEpisode"]
    page = try context.frame(heading, at: .today)
    backHref = context.back ?? "/episodes"
    backLabel = words[context.back == nil ? "episodes" : "back"]
    subheading = entry.flatMap { entry in
      episode.map { context.span(of: $0, from: entry.time.localDay) }
    }
    let address = entry.map { "/episodes/\($0.id)" }
    rows = try Self.rows(of: entry, FormBuilder(refusal, context), context)
    conflict = refusal?.conflict(at: address ?? "/episodes/new", rows.fields, words)
    action = address ?? "/episodes"
    version = entry?.versionDigest
    overlap = refusal.flatMap { Overlap($0, in: context) }
    // The overlap itself says what to do.
    problem = overlap == nil ? context.problem(refusal) : nil
    timelineHref = entry.map { context.timelineHref(at: $0.time.localDay) }
    deleteAction = address.map { "\($0)/delete" }
  }
}

extension EpisodeEditPage {
  private static func rows(
    of entry: Entry?, _ form: FormBuilder, _ context: PageContext
  ) throws -> [FormRow] {
    let episode = entry?.episode
    let latest = try context.latestDay(entry?.time.localDay, episode?.endDay)
    let start = (entry?.time.localDay ?? context.today).description
    func field(_ name: String) -> FormField { form.field(name, of: episode) }
    return [
      FormRow(form.field("type", of: episode, label: "episodeKind")),
      FormRow(pair: [
        form.field("startDay", stored: start, .day(upTo: latest, isRequired: true)),
        form.field("endDay", stored: episode?.endDay?.description, .day(upTo: latest)),
      ]), FormRow(field("symptoms")), FormRow(field("severity")), FormRow(field("worstTime")),
      FormRow(field("mucus")), FormRow(field("medications")),
      FormRow(pair: [field("doctorVisit"), field("testResult")]), FormRow(form.notes(entry?.notes)),
      FormRow(try form.tags(entry?.tags ?? [], hint: "tagsHintDiary")),
    ]
  }
}

extension EpisodeEditPage.Overlap {
  /// The episodes that overlap with the typed days; nil if there are none.
  fileprivate init?(_ refusal: Refusal, in context: PageContext) {
    let others = refusal.doubts.flatMap { doubt -> [Entry] in
      if case .overlap(let others) = doubt { others } else { [] }
    }
    guard !others.isEmpty else { return nil }
    ids = others.map(\.id.description).joined(separator: " ")
    episodes = others.compactMap { other in
      other.episode.map { episode in
        Link(
          href: "/episodes/\(other.id)",
          label: .dotted(
            context.name(episode.type), context.span(of: episode, from: other.time.localDay)))
      }
    }
  }
}

extension Entry {
  var episode: Episode? {
    if case .episode(let episode) = content { episode } else { nil }
  }
}
