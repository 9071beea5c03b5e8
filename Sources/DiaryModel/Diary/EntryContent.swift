package import Fields

/// The part of an entry specific to its kind, besides its time, notes, tags and plant.
@nonexhaustive
public enum EntryContent: Sendable, Hashable {
  /// A photo, as listings show it.
  case photo(PhotoSummary)
  /// A symptom felt at the entry's time.
  case symptom(Symptom)
  /// The log of the entry's day.
  case dailyLog(DailyLog)
  /// An episode that began on the entry's day.
  case episode(Episode)
  /// The mood of the entry's day.
  case mood(Mood)
  /// A favourite quote.
  case quote(Quote)
  /// A completion of an activity on the entry's day.
  case completion(Completion)

  /// The kind of the entry that it belongs to.
  public var kind: EntryKind {
    switch self {
    case .photo: .photo
    case .symptom: .symptom
    case .dailyLog: .dailyLog
    case .episode: .episode
    case .mood: .mood
    case .quote: .quote
    case .completion: .completion
    }
  }
}

/// The content of entries of a kind that is a thing with a table of fields.
///
/// Its field in JSON, its tables in CSV and the catalog, and the merge of two copies come from that table, unless the kind
/// needs something else.
package protocol EntryPart: Fielded, Hashable {
  static var kind: EntryKind { get }
  var content: EntryContent { get }
  /// On one line.
  var summary: String { get }
}

extension EntryPart {
  /// Nil for content of another kind.
  package init?(_ content: EntryContent) {
    guard content.kind == Self.kind, let part = content.part as? Self else { return nil }
    self = part
  }
}

extension EntryKind {
  /// The type of its content; nil for one without a table of fields.
  package var part: (any EntryPart.Type)? {
    switch self {
    case .symptom: Symptom.self
    case .dailyLog: DailyLog.self
    case .episode: Episode.self
    case .photo, .mood, .quote, .completion: nil
    }
  }

  /// The types of all kinds that have one.
  package static let parts = allCases.compactMap(\.part)
}

extension EntryContent {
  /// The content itself; nil for one without a table of fields.
  package var part: (any EntryPart)? {
    switch self {
    case .symptom(let symptom): symptom
    case .dailyLog(let log): log
    case .episode(let episode): episode
    case .photo, .mood, .quote, .completion: nil
    }
  }

  /// The text that searches match, besides the notes.
  package var searchWords: String? {
    switch self {
    case .photo, .dailyLog: nil
    case .symptom(let symptom):
      ([symptom.name, symptom.severity.label].compactMap { $0 } + symptom.medications)
        .joined(separator: "\n")
    case .episode(let episode):
      ([episode.type.words] + episode.symptoms.map(\.words) + episode.medications
        + [episode.doctorVisit, episode.testResult].compactMap { $0 }).joined(separator: "\n")
    case .mood(let mood): "\(mood.words) \(mood.emoji)"
    case .quote(let quote):
      [quote.text, quote.author, quote.source].compactMap { $0 }.joined(separator: "\n")
    case .completion(let completion): completion.activity.words
    }
  }

  /// The content, validated and with its texts and lists tidied.
  ///
  /// - Parameter day: the entry's day.
  /// - Throws: `InvalidValue` for the first field with an invalid value.
  package func checked(day: LocalDay) throws(InvalidValue) -> EntryContent {
    switch self {
    case .symptom(let symptom): .symptom(try symptom.checked())
    case .dailyLog(let log): .dailyLog(try DailyLog.fields.checked(log))
    case .episode(let episode): .episode(try episode.checked(start: day))
    case .photo, .mood, .quote, .completion: self
    }
  }
}
