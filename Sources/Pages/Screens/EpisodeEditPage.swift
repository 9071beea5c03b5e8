internal import Documents
internal import Leaflog

/// The form of an episode, new or existing.
package struct EpisodeEditPage: Screen {
  package static let template = "episode-edit"

  struct Form {
    let startDay: Field
    let endDay: Field
    let medications: ListField
    let doctorVisit: Field
    let testResult: Field
    let notes: Field
    let tags: ListField
  }

  /// The episodes that it would overlap with.
  struct Overlap {
    let episodes: [Link]
  }

  let page: PageFrame
  let heading: String
  let subheading: String?
  let problem: PageProblem?
  let conflict: Conflict?
  let action: String
  /// Nil for a new one.
  let version: String?
  let overlap: Overlap?
  let types: [Option]
  let latestDay: String
  let form: Form
  let episodeSymptoms: [Option]
  let severity: [Radio]
  let worstTime: [Radio]
  let mucus: [Radio]
  let tagNames: [String]
  let deleteAction: String?

  /// - Parameter id: nil for a new one.
  package init(_ context: PageContext, _ id: String? = nil, refusal: Refusal? = nil) throws {
    let words = context.words
    let entry = try id.map { try context.entry($0, of: .episode) }
    let episode = entry?.episode
    let reader = FieldReader(refusal, words)
    heading = words[entry == nil ? "newEpisode" : "editEpisode"]
    page = try context.frame(heading, at: .today)
    subheading = entry.flatMap { entry in
      episode.map { context.span(of: $0, from: entry.time.localDay) }
    }
    let stored = Self.fields(of: entry, in: context)
    let address = entry.map { "/episodes/\($0.id)" }
    conflict = refusal?.conflict(at: address ?? "/episodes/new", stored, names: words.ofEpisodes)
    action = address ?? "/episodes"
    version = entry?.versionDigest
    overlap = try refusal.flatMap { try Overlap($0, except: entry?.id, in: context) }
    // The overlap itself says what to do.
    problem = overlap == nil ? context.problem(refusal) : nil
    types = reader.options(
      "type", episode?.type.rawValue,
      Episode.Illness.allCases.map { ($0.rawValue, context.name($0)) })
    func field(_ name: String) -> Field {
      reader.field(name, stored.first { $0.name == name }?.stored)
    }
    form = Form(
      startDay: field("startDay"), endDay: field("endDay"),
      medications: reader.list(
        "medications", episode?.medications ?? [], hint: words["commasHint"]),
      doctorVisit: field("doctorVisit"), testResult: field("testResult"), notes: field("notes"),
      tags: reader.list("tags", entry?.tags ?? [], hint: words["tagsHintDiary"]))
    latestDay = context.latestDay(entry?.time.localDay, episode?.endDay)
    let signs = Set(reader.all("symptoms", episode?.symptoms.map(\.rawValue) ?? []))
    episodeSymptoms = Episode.Sign.allCases.map {
      Option(
        value: $0.rawValue, label: words["episodeSymptom.\($0.rawValue)"],
        isChosen: signs.contains($0.rawValue))
    }
    severity = reader.radios(
      "severity", episode?.severity.map { "\($0)" }, (1...5).map { "\($0)" }
    ) { $0 }
    worstTime = reader.radios(
      "worstTime", episode?.worstTime?.rawValue, Episode.WorstTime.allCases.map(\.rawValue)
    ) { words["worst.\($0)"] }
    mucus = reader.radios(
      "mucus", episode?.mucus?.rawValue, Episode.Mucus.allCases.map(\.rawValue)
    ) { words["mucusColour.\($0)"] }
    tagNames = try context.tagNames()
    deleteAction = address.map { "\($0)/delete" }
  }
}

extension EpisodeEditPage {
  private static func fields(
    of entry: Entry?, in context: PageContext
  ) -> [(label: String, stored: String?, name: String)] {
    let words = context.words
    let episode = entry?.episode
    return [
      (words["episodeKind"], episode?.type.rawValue, "type"),
      (words["startDay"], (entry?.time.localDay ?? context.today).description, "startDay"),
      (words["endDay"], episode?.endDay?.description, "endDay"),
      (
        words["symptoms"], episode?.symptoms.map(\.rawValue).joined(separator: ", "), "symptoms"
      ),
      (words["severity"], episode?.severity.map { "\($0)" }, "severity"),
      (words["worstTime"], episode?.worstTime?.rawValue, "worstTime"),
      (words["mucus"], episode?.mucus?.rawValue, "mucus"),
      (words["medications"], episode?.medications.joined(separator: ", "), "medications"),
      (words["doctorVisit"], episode?.doctorVisit, "doctorVisit"),
      (words["testResult"], episode?.testResult, "testResult"),
      (words["notes"], entry?.notes, "notes"),
      (words["tags"], entry?.tags.joined(separator: ", "), "tags"),
    ]
  }
}

extension EpisodeEditPage.Overlap {
  /// The episodes that overlap with the typed days; nil if there are none.
  fileprivate init?(
    _ refusal: Refusal, except own: EntryID?, in context: PageContext
  ) throws {
    guard !refusal.isConflict, refusal.typed.errors.isEmpty,
      let first = refusal.typed["startDay"].flatMap({ LocalDay($0) })
    else { return nil }
    let last = refusal.typed["endDay"].flatMap { LocalDay($0) }
    let others = try context.library.diary.overlap(
      of: EpisodeDays(first: first, last: last), except: own
    ).others
    let links = others.compactMap { other in
      other.episode.map { episode in
        Link(
          href: "/episodes/\(other.id)",
          label: .dotted(
            context.name(episode.type), context.span(of: episode, from: other.time.localDay)))
      }
    }
    guard !links.isEmpty else { return nil }
    self.init(episodes: links)
  }
}

extension Words {
  /// The values of an episode's fields, in words.
  fileprivate var ofEpisodes: [String: String] {
    var names: [String: String] = [:]
    for value in Episode.Illness.allCases {
      names[value.rawValue] = self["episodeType.\(value.rawValue)"]
    }
    for value in Episode.Sign.allCases {
      names[value.rawValue] = self["episodeSymptom.\(value.rawValue)"]
    }
    for value in Episode.WorstTime.allCases {
      names[value.rawValue] = self["worst.\(value.rawValue)"]
    }
    for value in Episode.Mucus.allCases {
      names[value.rawValue] = self["mucusColour.\(value.rawValue)"]
    }
    return names
  }
}

extension Entry {
  var episode: Episode? {
    if case .episode(let episode) = content { episode } else { nil }
  }
}
