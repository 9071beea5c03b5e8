import ArgumentParser
internal import Documents
internal import Leaflog

/// `leaflog episode`
struct EpisodeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "episode", abstract: "Record periods of illness, from first to last day.",
    subcommands: [
      EpisodeStart.self, EpisodeEnd.self, EpisodeAdd.self, EpisodeList.self,
      EntryShow<EpisodeNoun>.self, EpisodeEdit.self, EntryDelete<EpisodeNoun>.self,
      EntryRestore<EpisodeNoun>.self,
    ], defaultSubcommand: EpisodeList.self)
}

enum EpisodeNoun: DiaryNoun {
  static let kind = EntryKind.episode
  static let command = "episode"
  static let noun = "episode"

  /// Prints an episode and its duration.
  static func tell(
    _ entry: Entry, done: String?, in library: Library, _ context: CommandContext
  ) {
    if context.options.json { return context.output.print(json: EntryDocument(entry)) }
    guard !context.options.quiet else { return }
    TimelineText(terminal: context.output.terminal, zone: library.timeZone).lines([entry]).forEach(
      context.output.print)
    context.output.print(
      [done, entry.episodeDuration(on: library.today)].compactMap { $0 }.joined(separator: " "))
  }
}

extension Entry {
  /// The last day of an episode that has ended.
  var lastDay: LocalDay? {
    guard case .episode(let episode) = content else { return nil }
    return episode.endDay
  }

  /// `5 days.`, or how long it has been going on.
  func episodeDuration(on today: LocalDay) -> String? {
    guard case .episode(let episode) = content else { return nil }
    let days = episode.days(from: time.localDay)
    if let count = days.count { return "It lasted \(Quantities.count(count, "day"))." }
    let soFar = today.dayNumber - days.first.dayNumber + 1
    return "It is ongoing; today is day \(soFar)."
  }
}

/// The details of an episode besides its days.
struct EpisodeOptions: ParsableArguments {
  @Option(help: "\(Episode.Illness.oneOf).")
  var type: String?

  @Option(help: "The severity, 1 to 5.")
  var severity: FieldArgument<Int>?

  @Option(help: "\(Episode.Sign.oneOf); can be repeated.")
  var symptom: [String] = []

  @Option(help: "\(Episode.Mucus.oneOf). The colour is not diagnostic.")
  var mucus: String?

  @Option(help: "When it was worst: \(Episode.WorstTime.oneOf).")
  var worstTime: String?

  @Option(parsing: .unconditionalSingleValue, help: "A medication taken; can be repeated.")
  var medication: [String] = []

  @Option(parsing: .unconditional, help: "A visit to a doctor.")
  var doctorVisit: String?

  @Option(parsing: .unconditional, help: "The result of a test.")
  var testResult: String?

  @Option(parsing: .unconditional, help: "A note.")
  var note: String?

  @OptionGroup var tagging: TagOptions

  var isEmpty: Bool {
    type == nil && severity == nil && symptom.isEmpty && mucus == nil && worstTime == nil
      && medication.isEmpty && doctorVisit == nil && testResult == nil && note == nil
      && tagging.tag.isEmpty
  }

  /// The error for a new episode without a type.
  static let typeIsMissing = ValidationError("Give the type: --type \(Episode.Illness.oneOf).")

  /// A new episode.
  func episode(end: LocalDay?) throws -> Episode {
    guard let type else { throw Self.typeIsMissing }
    var episode = Episode(endDay: end, type: try .named(type, field: "type"))
    try apply(to: &episode)
    return episode
  }

  /// Changes the details that were given; an empty text removes one.
  func apply(to episode: inout Episode) throws {
    if let type { episode.type = try .named(type, field: "type") }
    severity?.apply(to: &episode.severity)
    if !symptom.isEmpty {
      // An option may contain several symptoms.
      episode.symptoms = try symptom.flatMap { $0.split(separator: ",") }.map {
        try .named(String($0), field: "symptom")
      }
    }
    if let mucus { episode.mucus = mucus.isEmpty ? nil : try .named(mucus, field: "mucus") }
    if let worstTime {
      episode.worstTime = worstTime.isEmpty ? nil : try .named(worstTime, field: "worstTime")
    }
    if !medication.isEmpty { episode.medications = medication }
    episode.doctorVisit = doctorVisit ?? episode.doctorVisit
    episode.testResult = testResult ?? episode.testResult
  }
}
