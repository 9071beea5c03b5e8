/// An error for a value that a field does not accept, with the field, the accepted values and the
/// given one.
public struct InvalidValue: Error, Sendable, Hashable, CustomStringConvertible {
  /// The field as JSON names it, e.g. `sleepHours`.
  public let field: String
  /// The values that the field accepts, e.g. `0 to 12 in steps of 0.25`; nil where `problem` suffices.
  private let allowed: String?
  /// The value as given.
  public let given: String
  /// The problem, in words that follow the field's name.
  private let problem: String

  public init(_ field: String, takes allowed: String, given: some CustomStringConvertible) {
    self.field = field
    self.allowed = allowed
    self.given = "\(given)"
    problem = "must be \(allowed), not \(shortened(self.given))"
  }

  /// - Parameter problem: in words that follow the field's name, e.g. `must not be empty`.
  init(_ field: String, given: String, problem: String) {
    self.field = field
    self.given = given
    self.problem = problem
    allowed = nil
  }

  /// One sentence that names the field in plain words.
  public var description: String { "\(fieldName) \(problem)." }

  /// One sentence that names the field as files do, so that it can be found there.
  package var descriptionInFile: String {
    allowed.map { "\(field) takes \($0), not \(shortened(given))." } ?? "\(field) \(problem)."
  }

  private static let names = ["endDay": "Last day", "everyDays": "Interval in days"]

  /// `sleepHours` becomes `Sleep hours`; a setting keeps its full name: `severity.scales`.
  private var fieldName: String {
    if field.contains(".") { return field }
    let words = field.spacedWords
    return Self.names[field] ?? words.prefix(1).uppercased() + words.dropFirst()
  }
}

/// User input, shortened for a message.
package func shortened(_ text: String, to count: Int = 80) -> String {
  text.count > count ? text.prefix(count) + "…" : text
}

extension RawRepresentable where Self: CaseIterable, RawValue == String {
  /// The value with this spelling, regardless of case and of spaces or dashes between its words:
  /// `sore throat`, `sore-throat` and `soreThroat` are one.
  ///
  /// - Throws: `InvalidValue` that lists all values.
  public static func named(_ text: String, field: String) throws(InvalidValue) -> Self {
    func folded(_ text: String) -> String {
      text.lowercased().filter { $0.isLetter || $0.isNumber }
    }
    let wanted = folded(text)
    guard !wanted.isEmpty, let found = allCases.first(where: { folded($0.rawValue) == wanted })
    else { throw InvalidValue(field, takes: oneOf, given: text) }
    return found
  }

  /// All values in words: `cold, cough or fever`.
  public static var oneOf: String {
    let names = allCases.map(\.words)
    return names.count < 2
      ? names.joined() : names.dropLast().joined(separator: ", ") + " or " + names[names.count - 1]
  }

  /// The value in words: `soreThroat` becomes `sore throat`.
  public var words: String { rawValue.spacedWords }
}

extension String {
  /// `soreThroat` becomes `sore throat`.
  fileprivate var spacedWords: String {
    reduce(into: "") { $0 += $1.isUppercase ? " " + $1.lowercased() : String($1) }
  }

  /// The text without leading and trailing white space; nil when nothing is left.
  package var tidied: String? {
    let start = firstIndex { !$0.isWhitespace } ?? endIndex
    guard let last = lastIndex(where: { !$0.isWhitespace }) else { return nil }
    return String(self[start...last])
  }
}

extension [String] {
  /// The trimmed texts in their order, without empty ones and duplicates (regardless of case).
  package var tidied: [String] {
    var seen: Set<String> = []
    return compactMap(\.tidied).filter { seen.insert(foldedName($0)).inserted }
  }
}
