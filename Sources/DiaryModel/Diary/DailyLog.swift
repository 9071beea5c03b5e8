/// The log of a day: sleep, stress, food and the like. There is at most one per day; all fields are
/// optional.
public struct DailyLog: Sendable, Hashable, Codable {
  public enum ExerciseType: String, Sendable, CaseIterable, Codable {
    case walk, gym, yoga, other
  }

  public enum SugarIntake: String, Sendable, CaseIterable, Codable {
    case low, medium, high
  }

  public enum Alcohol: String, Sendable, CaseIterable, Codable {
    case none, some
  }

  /// 0 to 12 hours, in quarter-hour steps.
  public var sleepHours: Double?
  /// 1 (bad) to 5.
  public var sleepQuality: Int?
  /// 1 (none) to 5.
  public var stress: Int?
  /// 0 to 300.
  public var exerciseMinutes: Int?
  public var exerciseType: ExerciseType?
  public var sugar: SugarIntake?
  public var alcohol: Alcohol?
  /// Whether the day was spent in an office.
  public var officeDay: Bool?
  /// Whether there was contact with somebody sick.
  public var sickContact: Bool?
  /// Whether a humidifier was on.
  public var humidifier: Bool?

  public init() {}

  /// - Throws: `InvalidValue` for the first field that is out of its range.
  package func checked() throws(InvalidValue) -> DailyLog {
    if let hours = sleepHours, !(0...12).contains(hours) || (hours * 4).rounded() != hours * 4 {
      throw InvalidValue(
        "sleepHours", takes: "0 to 12 in steps of 0.25", given: hours.formatted())
    }
    try check(sleepQuality, "sleepQuality", 1...5)
    try check(stress, "stress", 1...5)
    try check(exerciseMinutes, "exerciseMinutes", 0...300)
    return self
  }
}

/// - Throws: `InvalidValue` when the value is out of range.
package func check(
  _ value: Int?, _ field: String, _ range: ClosedRange<Int>
) throws(InvalidValue) {
  if let value, !range.contains(value) {
    throw InvalidValue(field, takes: "\(range.lowerBound) to \(range.upperBound)", given: value)
  }
}
