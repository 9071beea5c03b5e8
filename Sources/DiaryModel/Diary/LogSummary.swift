package import Fields

/// A field of the daily log, as insights summarise it: one that each library has, or an own factor.
public struct LogField: Sendable, Hashable {
  /// The values that it takes, which decide its summary over the days on which it was recorded.
  @nonexhaustive
  public enum Kind: Sendable, Hashable {
    /// The mean of a number.
    case number
    /// How many days had it.
    case flag
    /// How many days had each of these values.
    case choice([String])
  }

  /// The unit of a number.
  @nonexhaustive
  public enum Unit: Sendable, Hashable {
    /// Hours, as those of sleep.
    case hours
    /// Of a day.
    case minutes
    /// A scale up to a highest value.
    case scale(upTo: Int)
    /// That of an own factor, as it is shown after the number.
    case named(String)

    /// `h`, `min a day`, `of 5`, `cups`.
    package var words: String {
      switch self {
      case .hours: "h"
      case .minutes: "min a day"
      case .scale(let highest): "of \(highest)"
      case .named(let name): name
      }
    }
  }

  /// As in `DailyLog` and its documents, such as `sleepHours`; of an own factor, the name that the user gave it.
  public let name: String
  /// The values that it takes.
  public let kind: Kind
  /// Nil for other kinds, and for an own factor without a unit.
  public let unit: Unit?
  /// Whether it is an own factor.
  public let isOwn: Bool

  /// The fields that each library has, in their order. Alcohol, of which there is none or some, counts as a flag.
  public static let builtIn: [LogField] = DailyLog.fields.all.compactMap { field in
    switch field.rule {
    case .number, .whole: LogField(field.name, .number, unit: unit(of: field))
    case .flag: LogField(field.name, .flag)
    case .choice(DailyLog.Alcohol.amounts): LogField(field.name, .flag)
    case .choice(let values): LogField(field.name, .choice(values))
    default: nil
    }
  }

  private init(_ name: String, _ kind: Kind, unit: Unit? = nil) {
    (self.name, self.kind, self.unit, isOwn) = (name, kind, unit, false)
  }

  package init(_ factor: FactorDetails) {
    (name, unit, isOwn) = (factor.name, factor.unit.map(Unit.named), true)
    kind =
      switch factor.kind {
      case .flag: .flag
      case .number: .number
      case .choice: .choice(factor.choices)
      }
  }

  /// Hours and minutes are in the names of fields.
  private static func unit(of field: Field<DailyLog>) -> Unit? {
    if field.name.hasSuffix("Hours") { return .hours }
    if field.name.hasSuffix("Minutes") { return .minutes }
    guard case .whole(let range) = field.rule else { return nil }
    return .scale(upTo: range.upperBound)
  }

  /// Its name in English, without what its value is counted in: `sleep`, `office`.
  package var words: String { words(without: ["Hours", "Minutes", "Day"]) }

  /// Its name in English as a heading of its value: `Sleep`, `Office day`.
  package var heading: String { words(without: ["Hours", "Minutes"]).capitalizedFirst }

  /// - Parameter units: the ends of names to leave out.
  private func words(without units: [String]) -> String {
    guard !isOwn else { return name }
    let words = fieldWords(name)
    let isCounted = units.contains(where: name.hasSuffix)
    return isCounted ? words.split(separator: " ").dropLast().joined(separator: " ") : words
  }

  /// The fields that are set side by side for the days before each episode and the baseline.
  public static let compared: [LogField] = {
    let names = ["sleepHours", "stress", "officeDay", "sickContact", "humidifier"]
    return builtIn.filter { names.contains($0.name) }
  }()

  /// Returns the value that a log has in it; `.null` where it was not recorded.
  package var value: (DailyLog) -> Scalar {
    guard !isOwn, let field = DailyLog.fields[name] else {
      return { log in log.factors[name]?.scalar ?? .null }
    }
    return field.get
  }
}

extension DailyLog.Alcohol {
  fileprivate static let amounts = allCases.map(\.rawValue)
}

/// A summary of the daily logs of some days.
public struct LogSummary: Sendable, Hashable {
  /// The number of days, with logs or without.
  public let dayCount: Int
  /// The number of days with a log.
  public let loggedDayCount: Int
  /// The fields that were recorded on one of the days: those of each library, then own factors in user-defined order.
  public let fields: [LogFieldSummary]

  /// - Parameters:
  ///   - dayCount: the number of days, with logs or without.
  ///   - logs: those of the days that have one.
  ///   - factors: the library's factors, in user-defined order.
  package init(dayCount: Int = 0, _ logs: [DailyLog] = [], _ factors: [LogField] = []) {
    (self.dayCount, loggedDayCount) = (dayCount, logs.count)
    fields = (LogField.builtIn + factors).compactMap { field in
      LogFieldSummary(field, logs.map(field.value).filter { $0 != .null })
    }
  }

  /// The summary of a field; nil when it was not recorded on one of the days.
  public func summary(of field: LogField) -> LogFieldSummary? {
    fields.first { $0.field == field }
  }

  /// The summary of a field that each library has, such as `sleepHours`; nil when it was not recorded on one of the days.
  public subscript(name: String) -> LogFieldSummary? {
    fields.first { $0.field.name == name && !$0.field.isOwn }
  }
}

/// A summary of what was recorded in a field of the daily log on some days. The mean and the counts are over the days on
/// which it was recorded: a day that says nothing about a field is no day without it.
public struct LogFieldSummary: Sendable, Hashable {
  /// The field that is summarised.
  public let field: LogField
  /// The number of days on which it was recorded, at least one.
  public let recordedDayCount: Int
  /// The mean of a number, in its unit; nil for other kinds.
  public let average: Double?
  /// The number of days with yes; nil unless it is yes or no.
  public let yesDayCount: Int?
  /// The number of days with each choice, in the order of the choices; those without a day are left out.
  public let choiceDayCounts: [ChoiceCount]

  /// How many days had a choice.
  public struct ChoiceCount: Sendable, Hashable {
    /// The name of the choice, as the field's kind has it.
    public let choice: String
    /// At least one.
    public let count: Int
  }

  /// Nil without values.
  package init?(_ field: LogField, _ values: [Scalar]) {
    guard !values.isEmpty else { return nil }
    (self.field, recordedDayCount) = (field, values.count)
    var (average, yesDayCount, choices) = (Double?.none, Int?.none, [ChoiceCount]())
    switch field.kind {
    case .number: average = values.compactMap { Double($0) }.reduce(0, +) / Double(values.count)
    case .flag:
      let yes: [Scalar] = [.flag(true), .text(DailyLog.Alcohol.some.rawValue)]
      yesDayCount = values.count(where: yes.contains)
    case .choice(let names):
      choices = names.compactMap { name in
        let count = values.count { $0 == .text(name) }
        return count == 0 ? nil : ChoiceCount(choice: name, count: count)
      }
    }
    (self.average, self.yesDayCount, choiceDayCounts) = (average, yesDayCount, choices)
  }

  /// The summary in English: `7.5 h on 12 days`, `3 of 12 days`, `home 2, garden 1 of 3 days`.
  ///
  /// - Parameter isRate: gives counts per seven days on which it was recorded.
  package func words(isRate: Bool = false) -> String {
    let days = recordedDayCount == 1 ? "1 day" : "\(recordedDayCount) days"
    if let average {
      let value = [average.asMean.formatted(), field.unit?.words].compactMap { $0 }
      return "\(value.joined(separator: " ")) on \(days)"
    }
    func counted(_ count: Int) -> String {
      isRate ? perSevenDays(count).asMean.formatted() : "\(count)"
    }
    let counts =
      yesDayCount.map(counted)
      ?? choiceDayCounts.map { "\($0.choice) \(counted($0.count))" }.joined(separator: ", ")
    return isRate ? "\(counts) in seven days, of \(days)" : "\(counts) of \(days)"
  }

  /// A count of days per seven days on which it was recorded, to compare spans of different lengths.
  public func perSevenDays(_ count: Int) -> Double { Double(count) * 7 / Double(recordedDayCount) }
}

extension Insights {
  /// The days that a summary of a field is over.
  package enum SummarizedDays: Sendable {
    case span
    /// Its counts are compared per seven days.
    case baseline
    case before(EpisodeRecord)
  }

  /// The summaries of a field: of the span, of the baseline, and of the seven days before each episode. Those of days on
  /// which it was not recorded are left out.
  package func daySummaries(
    of field: LogField
  ) -> [(days: SummarizedDays, summary: LogFieldSummary)] {
    let all =
      [(SummarizedDays.span, logs), (.baseline, baseline)]
      + triggerWindows.map { (.before($0.episode), $0.logs) }
    return all.compactMap { days, logs in logs.summary(of: field).map { (days, $0) } }
  }

  /// The summaries of a field in English: of the span, of the baseline, and of the seven days before each episode. Those of
  /// days on which it was not recorded are left out.
  package func summaries(of field: LogField) -> [(name: String, value: String)] {
    daySummaries(of: field).map { days, summary in
      switch days {
      case .span: ("these days", summary.words())
      case .baseline: ("baseline", summary.words(isRate: true))
      case .before(let record):
        ("before \(record.episode.type.words) \(record.days.first)", summary.words())
      }
    }
  }

  /// The fields that were recorded in the span, in the baseline or before an episode: those of each library, then own
  /// factors in user-defined order.
  public var fields: [LogField] {
    let summaries = [logs, baseline] + triggerWindows.map(\.logs)
    let recorded = Set(summaries.flatMap(\.fields).map(\.field))
    return (LogField.builtIn + ownFields).filter(recorded.contains)
  }
}
