package import Fields

/// A field that the user has added to the daily log, such as cups of coffee.
public struct Factor: Sendable, Hashable, Identifiable {
  /// Stable for the factor's life.
  public let id: FactorID
  /// The fields that the user edits.
  public var details: FactorDetails
  /// Its place in the user-defined order, from 0.
  public let rank: Int
  /// When it was added.
  public let createdAt: Timestamp
  /// The number of daily logs with a value, those in the trash included.
  public let valueCount: Int

  package init(
    id: FactorID, details: FactorDetails, rank: Int, createdAt: Timestamp, valueCount: Int
  ) {
    self.id = id
    self.details = details
    self.rank = rank
    self.createdAt = createdAt
    self.valueCount = valueCount
  }

  /// The name in its details.
  public var name: String { details.name }
}

/// The values that a factor takes.
@nonexhaustive
public enum FactorKind: String, Sendable, CaseIterable {
  /// Yes or no.
  case flag
  /// A number in a range.
  case number
  /// One of a few named choices.
  case choice
}

/// The editable fields of a factor.
public struct FactorDetails: Sendable, Hashable {
  /// A single line of at most 80 characters, unique within a library regardless of case.
  public var name: String
  /// The values that it takes.
  public var kind: FactorKind
  /// The unit of a number, as it is shown after it: `cups`. At most 40 characters.
  public var unit: String?
  /// The lowest number that it takes, at least -1 000 000 000; nil for other kinds. Of a number, nil is stored as 0.
  public var lowest: Double?
  /// The highest number that it takes, at most 1 000 000 000; nil for other kinds. A number needs it.
  public var highest: Double?
  /// The step of its numbers, counted from the lowest; nil takes any number of the range.
  public var step: Double?
  /// The names to choose from, 2 to 12 in order, each a single line of at most 80 characters; empty unless it is a choice.
  public var choices: [String]
  /// Whether it is no longer asked for. Its values stay.
  public var isHidden: Bool

  /// Creates details, which are validated when they are stored.
  ///
  /// - Parameter range: the lowest and the highest number that it takes.
  public init(
    name: String, kind: FactorKind, unit: String? = nil, range: ClosedRange<Double>? = nil,
    step: Double? = nil, choices: [String] = [], isHidden: Bool = false
  ) {
    self.name = name
    self.kind = kind
    self.unit = unit
    lowest = range?.lowerBound
    highest = range?.upperBound
    self.step = step
    self.choices = choices
    self.isHidden = isHidden
  }
}

extension FactorKind: FieldValue {}

extension FactorDetails: Fielded {
  package static let blank = FactorDetails(name: "", kind: .flag)

  /// The numbers that a range may have.
  private static let numbers = -1_000_000_000.0...1_000_000_000

  /// The number of choices that it may have.
  package static let choiceCounts = 2...12
  /// More than two copies of a library have together.
  private static let maxStoredChoiceCount = 1000

  package static let fields = Fields<FactorDetails>([
    Field("name", \.name, .line(80)),
    Field("kind", \.kind, .choice),
    Field("unit", \.unit, .text),
    Field("lowest", \.lowest, .number(numbers)),
    Field("highest", \.highest, .number(numbers)),
    Field("step", \.step, .number(0.001...1_000_000_000)),
    Field("choices", \.choices, .lines(80), standard: []),
    Field("isHidden", \.isHidden, .flag, standard: false),
  ]).named("Factor")

  /// The validated details, with trimmed texts. The lowest number is 0, unless it is given.
  ///
  /// - Parameter former: the details as they are stored somewhere. They may have more choices than somebody can add, if two
  ///   copies of a library were brought together.
  /// - Throws: `InvalidValue` for the first field that does not suit the kind.
  package func checked(over former: FactorDetails? = nil) throws(InvalidValue) -> FactorDetails {
    var checked = try Self.fields.checked(self)
    if let unit = checked.unit { checked.unit = try oneLine(unit, field: "unit", upTo: 40) }
    if kind == .number {
      try checked.checkRange()
    } else {
      let numeric = ["unit", "lowest", "highest", "step"]
      let set = Self.fields.all.first { numeric.contains($0.name) && $0.get(checked) != .null }
      if let set {
        throw InvalidValue(set.name, .sentence("Only a factor that is a number has a \(set.name)."))
      }
    }
    let formerCount = min(former?.choices.count ?? 0, Self.maxStoredChoiceCount)
    try checked.checkChoices(upTo: max(Self.choiceCounts.upperBound, formerCount))
    return checked
  }

  private mutating func checkRange() throws(InvalidValue) {
    lowest = lowest ?? 0
    guard let lowest, let highest else {
      throw InvalidValue("highest", .sentence("A number needs its highest value."))
    }
    guard lowest < highest else {
      throw InvalidValue(
        "highest", takes: "more than \(lowest.formatted())", given: highest.formatted())
    }
    guard let step, step > highest - lowest else { return }
    throw InvalidValue(
      "step", takes: "at most \((highest - lowest).formatted())", given: step.formatted())
  }

  private func checkChoices(upTo limit: Int) throws(InvalidValue) {
    guard kind == .choice else {
      guard choices.isEmpty else {
        throw InvalidValue("choices", .sentence("Only a factor that is a choice has choices."))
      }
      return
    }
    guard (Self.choiceCounts.lowerBound...limit).contains(choices.count) else {
      throw InvalidValue("choices", takes: "2 to 12 names", given: choices.count)
    }
    var seen: Set<String> = []
    for choice in choices where !seen.insert(foldedName(choice)).inserted {
      throw InvalidValue(
        "choices", .sentence("The choices have to differ: “\(choice)” occurs twice."))
    }
  }
}

/// The value of a factor on a day.
@nonexhaustive
public enum FactorValue: Sendable, Hashable {
  /// Yes or no.
  case flag(Bool)
  /// A number in the factor's unit, within its range and on its steps.
  case number(Double)
  /// One of the factor's choices by its name.
  case choice(String)
  /// A text as somebody types it, which the library reads as the factor's kind when it is stored.
  case typed(String)
}

extension FactorValue: FieldValue {
  /// Nil for a scalar that is no value of a factor.
  package init?(_ scalar: Scalar) {
    switch scalar {
    case .flag(let flag): self = .flag(flag)
    case .whole(let number): self = .number(Double(number))
    case .number(let number): self = .number(number)
    case .text(let text): self = .choice(text)
    case .null, .list, .members: return nil
    }
  }

  package var scalar: Scalar {
    switch self {
    case .flag(let flag): .flag(flag)
    case .number(let number): .number(number)
    case .choice(let text), .typed(let text): .text(text)
    }
  }
}

extension FactorDetails {
  /// The values that it takes, in English: `yes or no`, `0 to 10 cups in steps of 0.5`.
  package var words: String {
    switch kind {
    case .flag: return "yes or no"
    case .choice: return alternatives(choices)
    case .number:
      let range = [lowest, highest].map { ($0 ?? 0).formatted() }.joined(separator: " to ")
      return range + (unit.map { " " + $0 } ?? "")
        + (step.map { " in steps of \($0.formatted())" } ?? "")
    }
  }

  /// A value in the form in which it is stored.
  ///
  /// - Throws: `InvalidValue` whose sentence names the factor.
  package func checked(_ value: FactorValue) throws(InvalidValue) -> FactorValue {
    if let value = known(value) { return value }
    throw InvalidValue(
      name, .sentence("“\(name)” must be \(words), not \(value.scalar.given)."),
      given: value.scalar.shown)
  }

  /// Nil for a value that it does not take.
  private func known(_ value: FactorValue) -> FactorValue? {
    switch (kind, value) {
    case (.flag, .flag): return value
    case (.number, .number(let number)): return isTaken(number) ? value : nil
    case (.choice, .choice(let text)), (.choice, .typed(let text)):
      let folded = foldedName(text.tidied ?? "")
      return choices.first { foldedName($0) == folded }.map { .choice($0) }
    case (.flag, .typed(let text)):
      return FactorValue(Rule.flag.parsed(text)).flatMap { if case .flag = $0 { $0 } else { nil } }
    case (.number, .typed(let text)):
      return plainNumber(text).flatMap { isTaken($0) ? .number($0) : nil }
    default: return nil
    }
  }

  private func isTaken(_ number: Double) -> Bool {
    guard let lowest, let highest, (lowest...highest).contains(number) else { return false }
    guard let step else { return true }
    return Self.isWhole(number - lowest, times: step, of: max(abs(number), abs(lowest)))
  }

  /// Whether a number is a whole number of steps, as far as it can be told: 0.3 / 0.1 is not quite 3.
  ///
  /// - Parameter size: of the numbers of which it is the difference, whose last digits are not exact.
  package static func isWhole(_ number: Double, times step: Double, of size: Double = 0) -> Bool {
    let steps = number / step
    let inexact = max(abs(number), size) * 8 * .ulpOfOne / step
    return abs(steps - steps.rounded()) < max(1e-6, inexact)
  }
}
