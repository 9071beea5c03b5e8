package import Fields

/// The log of a day: sleep, stress, food and the like. There is at most one per day; all fields are
/// optional.
public struct DailyLog: Sendable, Hashable {
  /// The kind of exercise.
  @nonexhaustive
  public enum ExerciseType: String, Sendable, CaseIterable {
    /// The kinds to choose from.
    case walk, gym, yoga
    /// Any other exercise.
    case other
  }

  /// The amount of sugar.
  @nonexhaustive
  public enum SugarIntake: String, Sendable, CaseIterable, Codable {
    /// The amounts, in ascending order.
    case low, medium, high
  }

  /// Whether there was alcohol. Summaries count it as yes or no.
  @nonexhaustive
  public enum Alcohol: String, Sendable, CaseIterable {
    /// No alcohol, which is not the same as nothing recorded.
    case none
    /// Any amount of alcohol.
    case some
  }

  /// 0 to 12 hours, in quarter-hour steps.
  public var sleepHours: Double?
  /// 1 (bad) to 5.
  public var sleepQuality: Int?
  /// 1 (none) to 5.
  public var stress: Int?
  /// 0 to 300.
  public var exerciseMinutes: Int?
  /// The kind of the exercise; nil when it was not recorded.
  public var exerciseType: ExerciseType?
  /// The amount of sugar; nil when it was not recorded.
  public var sugar: SugarIntake?
  /// Whether there was alcohol; nil when it was not recorded.
  public var alcohol: Alcohol?
  /// Whether the day was spent in an office.
  public var officeDay: Bool?
  /// Whether there was contact with somebody sick.
  public var sickContact: Bool?
  /// Whether a humidifier was on.
  public var humidifier: Bool?
  /// The values of own factors.
  public var factors = FactorValues()

  /// A log in which nothing was recorded.
  public init() {}
}

extension DailyLog: EntryPart {
  package static let kind = EntryKind.dailyLog
  package var content: EntryContent { .dailyLog(self) }

  package static let blank = DailyLog()

  package static let fields = Fields<DailyLog>([
    Field("sleepHours", \.sleepHours, .number(0...12, step: 0.25)),
    Field("sleepQuality", \.sleepQuality, .whole(1...5)),
    Field("stress", \.stress, .whole(1...5)),
    Field("exerciseMinutes", \.exerciseMinutes, .whole(0...300)),
    Field("exerciseType", \.exerciseType, .choice),
    Field("sugar", \.sugar, .choice),
    Field("alcohol", \.alcohol, .choice),
    Field("officeDay", \.officeDay, .flag),
    Field("sickContact", \.sickContact, .flag),
    Field("humidifier", \.humidifier, .flag),
    .factors,
  ]).named("DailyLog")
}

extension DailyLog.ExerciseType: FieldValue {}
extension DailyLog.SugarIntake: FieldValue {}
extension DailyLog.Alcohol: FieldValue {}
