package import Fields

/// A sickness episode. It begins on its entry's day.
public struct Episode: Sendable, Hashable {
  /// The kind of illness.
  @nonexhaustive
  public enum Illness: String, Sendable, CaseIterable, Codable {
    /// The kinds to choose from.
    case cold, cough, fever, sinus, allergy
    /// Any other illness.
    case other
  }

  /// A symptom of an episode, chosen from a list, unlike the free text of a `Symptom`.
  @nonexhaustive
  public enum Sign: String, Sendable, CaseIterable, Codable {
    /// The symptoms to choose from, in the order in which they are stored.
    case cough, soreThroat, runnyNose, sneezing, fever, fatigue, bodyAches, headache
  }

  /// The colour of mucus. It is not diagnostic.
  @nonexhaustive
  public enum Mucus: String, Sendable, CaseIterable, Codable {
    /// No mucus, which is not the same as nothing recorded.
    case none
    /// The colours to choose from.
    case clear, yellow, green
  }

  /// The time of day at which an episode was worst.
  @nonexhaustive
  public enum WorstTime: String, Sendable, CaseIterable {
    /// The parts of the day to choose from.
    case morning, night
    /// No part of the day in particular.
    case allDay
  }

  /// Its last day; nil while it is ongoing.
  public var endDay: LocalDay?
  /// The kind of illness.
  public var type: Illness
  /// Its symptoms; once stored, in the order of their declaration, without duplicates.
  public var symptoms: [Sign]
  /// 1 to 5.
  public var severity: Int?
  /// The colour of the mucus; nil when it was not recorded.
  public var mucus: Mucus?
  /// The time of day at which it was worst; nil when it was not recorded.
  public var worstTime: WorstTime?
  /// Medications taken.
  public var medications: [String]
  /// A visit to a doctor, as free text; nil when none was recorded.
  public var doctorVisit: String?
  /// The result of a test, as free text; nil when none was recorded.
  public var testResult: String?

  /// Creates an episode, which is validated when it is stored.
  public init(
    endDay: LocalDay? = nil, type: Illness, symptoms: [Sign] = [], severity: Int? = nil,
    mucus: Mucus? = nil, worstTime: WorstTime? = nil, medications: [String] = [],
    doctorVisit: String? = nil, testResult: String? = nil
  ) {
    self.endDay = endDay
    self.type = type
    self.symptoms = symptoms
    self.severity = severity
    self.mucus = mucus
    self.worstTime = worstTime
    self.medications = medications
    self.doctorVisit = doctorVisit
    self.testResult = testResult
  }

  /// Whether it is ongoing.
  public var isActive: Bool { endDay == nil }

  /// Its days, both ends included; an ongoing episode has no last day.
  public func days(from start: LocalDay) -> EpisodeDays { EpisodeDays(first: start, last: endDay) }

  /// The validated episode, with trimmed texts and its symptoms in declaration order without duplicates.
  ///
  /// - Throws: `InvalidValue` for a severity out of range, or an end before the start.
  package func checked(start: LocalDay) throws(InvalidValue) -> Episode {
    var checked = try Self.fields.checked(self)
    if let endDay, endDay < start {
      throw InvalidValue("endDay", takes: "the start, \(start), or a later day", given: endDay)
    }
    checked.symptoms = Sign.allCases.filter(symptoms.contains)
    checked.medications = medications.tidied
    return checked
  }
}

extension Episode: EntryPart {
  package static let kind = EntryKind.episode
  package var content: EntryContent { .episode(self) }

  package static let blank = Episode(type: .other)

  package static let fields = Fields<Episode>([
    Field("endDay", \.endDay, .day),
    Field("type", \.type, .choice),
    Field("symptoms", \.symptoms, .choices(), standard: []),
    Field("severity", \.severity, .whole(1...5)),
    Field("mucus", \.mucus, .choice),
    Field("worstTime", \.worstTime, .choice),
    Field("medications", \.medications, .texts, standard: []),
    Field("doctorVisit", \.doctorVisit, .text),
    Field("testResult", \.testResult, .text),
  ]).named("Episode")
}

extension Episode.Illness: FieldValue {}
extension Episode.Sign: FieldValue {}
extension Episode.Mucus: FieldValue {}
extension Episode.WorstTime: FieldValue {}

/// The days of an episode, both ends included.
public struct EpisodeDays: Sendable, Hashable {
  /// The day on which it began.
  public let first: LocalDay
  /// Nil while it is ongoing.
  public let last: LocalDay?

  /// - Parameter last: nil while the episode is ongoing.
  public init(first: LocalDay, last: LocalDay?) {
    self.first = first
    self.last = last
  }

  /// Its length in days: 1 when it ended on the day it began. Nil while it is ongoing.
  public var count: Int? { last.map { $0.dayNumber - first.dayNumber + 1 } }

  /// Whether a day is one of them; an ongoing episode has all days from its first on.
  public func contains(_ day: LocalDay) -> Bool { first <= day && last.map { day <= $0 } ?? true }

  /// Whether they share a day, which includes one ending on the day the other starts.
  public func overlaps(_ other: EpisodeDays) -> Bool {
    other.last.map { first <= $0 } ?? true && last.map { other.first <= $0 } ?? true
  }
}

extension Entry {
  /// The days of an episode; nil for other kinds.
  public var episodeDays: EpisodeDays? {
    guard case .episode(let episode) = content else { return nil }
    return episode.days(from: time.localDay)
  }
}
