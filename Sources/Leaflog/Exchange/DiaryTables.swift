package import DiaryCatalog
package import DiaryModel
package import Fields

// The things of a diary's JSON file, each with its fields.

extension ExchangedPlant: Fielded {
  package static let blank = ExchangedPlant(id: PlantID(stored: ""), details: .blank)

  package static let fields = Fields<ExchangedPlant>(
    [Field("id", \.id, .id)] + PlantDetails.fields.all.map { $0.lifted(\.details) } + [
      Field("createdAt", \.createdAt, .moment), Field("deletedAt", \.deletedAt, .moment),
    ])
}

extension ExchangedActivity: Fielded {
  package static let blank = ExchangedActivity(id: ActivityID(stored: ""), details: .blank, rank: 0)

  package static let fields = Fields<ExchangedActivity>(
    [Field("id", \.id, .id)] + ActivityDetails.fields.all.map { $0.lifted(\.details) } + [
      Field("plant", \.plantID, .id), Field("rank", \.rank, .whole(ranks), standard: 0),
      Field("createdAt", \.createdAt, .moment), Field("deletedAt", \.deletedAt, .moment),
    ])

  static let ranks = 0...1_000_000

  private var plantID: PlantID? {
    get { if case .id(let id)? = plant { id } else { nil } }
    set { plant = newValue.map { .id($0) } }
  }
}

extension ExchangedQuote: Fielded {
  package static let blank = ExchangedQuote(quote: .blank)

  package static let fields = Fields<ExchangedQuote>(
    Quote.fields.all.map { $0.lifted(\.quote) } + [
      Field("createdAt", \.createdAt, .moment), Field("deletedAt", \.deletedAt, .moment),
      Field("days", \.knownDays, .days),
    ])

  private var knownDays: [LocalDay]? {
    get { days.isEmpty ? nil : days }
    set { days = newValue ?? [] }
  }
}

extension ExchangedFactor: Fielded {
  package static let blank = ExchangedFactor(id: FactorID(stored: ""), details: .blank)

  package static let fields = Fields<ExchangedFactor>(
    [Field("id", \.id, .id)] + FactorDetails.fields.all.map { $0.lifted(\.details) } + [
      Field("rank", \.rank, .whole(ExchangedActivity.ranks), standard: 0),
      Field("createdAt", \.createdAt, .moment),
    ])
}

/// An entry of a diary's file, which has only the ids of plants, quotes and activities.
struct FiledEntry {
  var id: EntryID?
  var kind = EntryKind.mood
  var time = RecordedTime.day(LocalDay(dayNumber: 0))
  /// A moment is written like a clock time in UTC; this tells them apart.
  var timeBasis: EntryTime.Basis?
  /// The day that it counts for, if that is another than that of its time.
  var localDay: LocalDay?
  var notes: String?
  var tags: [String]?
  var plant: PlantID?
  var content: EntryContent?
  var deletedAt: Timestamp?
}

extension FiledEntry: Fielded {
  static let blank = FiledEntry()

  /// The kinds of entry without files.
  static let kinds = EntryKind.allCases.filter { $0 != .photo }

  static let fields = Fields<FiledEntry>(common + EntryKind.parts.map { field(of: $0) } + others)

  private static func field<Part: EntryPart>(of _: Part.Type) -> Field<FiledEntry> {
    Field(
      Part.kind.rawValue, part: Part.self, get: { $0.content.flatMap { Part($0) } },
      set: { $0.content = $1.content })
  }

  private static let common: [Field<FiledEntry>] = [
    Field("id", \.id, .id),
    Field("kind", \.kind, Kind(.choice(kinds.map(\.rawValue)))),
    Field("occurredAt", \.time, .time),
    Field("timeBasis", \.timeBasis, Kind(.choice([EntryTime.Basis.instant.rawValue]))),
    Field("localDay", \.localDay, .day),
    Field("plant", \.plant, .id),
    Field("notes", \.notes, .verbatim),
    Field("tags", \.tags, .texts),
    Field("deletedAt", \.deletedAt, .moment),
  ]

  private static let others: [Field<FiledEntry>] = [
    Field("mood", \.mood, .choice),
    Field("quote", \.quote, .id),
    Field(
      "completion", part: FiledCompletion.self,
      get: { if case .completion(let done)? = $0.content { FiledCompletion(done) } else { nil } },
      set: { $0.content = .completion($1.completion) }),
  ]

  private var mood: Mood? {
    get { if case .mood(let mood)? = content { mood } else { nil } }
    set { content = newValue.map { .mood($0) } }
  }

  private var quote: QuoteID? {
    get { if case .quote(let quote)? = content { quote.id } else { nil } }
    set {
      content = newValue.map {
        .quote(Quote(id: $0, text: "", author: nil, source: nil, origin: .own))
      }
    }
  }

  init(_ entry: Entry) {
    self.init(
      id: entry.id, kind: entry.kind, time: entry.time.recorded, notes: entry.notes,
      tags: entry.tags.isEmpty ? nil : entry.tags, plant: entry.plant?.id, content: entry.content,
      deletedAt: entry.deletedAt)
    if entry.time.basis == .instant {
      timeBasis = .instant
    } else if entry.time.localDay != entry.time.wall.day {
      localDay = entry.time.localDay
    }
  }
}

extension EntryKind: FieldValue {}
extension EntryTime.Basis: FieldValue {}

/// A completion of an activity in a diary's file.
struct FiledCompletion: Fielded {
  var activity: ActivityID
  var source: String

  static let blank = FiledCompletion(activity: ActivityID(stored: ""), source: "")

  static let fields = Fields<FiledCompletion>([
    Field("activity", \.activity, .id), Field("source", \.source, .text),
  ])
}

extension FiledCompletion {
  fileprivate init(_ completion: Completion) {
    self.init(activity: completion.activity.id, source: completion.source)
  }

  fileprivate var completion: Completion {
    Completion(activity: ActivityReference(id: activity, name: "", emoji: ""), source: source)
  }
}
