/// A field with a value that it does not take: the one error of JSON, CSV, forms, typed texts and the library's own checks.
public struct InvalidValue: Error, Sendable, Hashable, CustomStringConvertible {
  /// Why a value is not taken.
  package enum Problem: Error, Sendable, Hashable {
    /// It is none of the accepted values, which are described in words that follow `takes` or `must be`.
    case notTaken(String)
    /// It is absent.
    case missing(String)
    case empty
    case severalLines
    case tooLong(limit: Int, count: Int)
    /// There is no such field; these are the fields.
    case unknown([String])
    /// The whole message, as a sentence.
    case sentence(String)

    /// Its name for programs.
    package enum Code: String, Sendable, CaseIterable, FieldValue {
      case notTaken, missing, empty, severalLines, tooLong, unknown
    }

    package var code: Code {
      switch self {
      case .notTaken, .sentence: .notTaken
      case .missing: .missing
      case .empty: .empty
      case .severalLines: .severalLines
      case .tooLong: .tooLong
      case .unknown: .unknown
      }
    }
  }

  /// The field as JSON names it, e.g. `sleepHours`.
  public let field: String
  /// The objects that contain the field, outermost first, e.g. `dailyLog`.
  package private(set) var path: [String] = []
  /// The value as given.
  public let given: String
  package let problem: Problem
  /// The offset of the value's first byte in the JSON that it was read from; nil elsewhere.
  package private(set) var offset: Int?

  /// - Parameters:
  ///   - field: its name in JSON, e.g. `sleepHours`.
  ///   - allowed: the accepted values, in words that follow `takes` or `must be`.
  ///   - given: the value that is not accepted.
  public init(_ field: String, takes allowed: String, given: some CustomStringConvertible) {
    self.init(field, .notTaken(allowed), given: "\(given)")
  }

  package init(_ field: String, _ problem: Problem, given: String = "", at offset: Int? = nil) {
    (self.field, self.problem, self.given, self.offset) = (field, problem, given, offset)
  }

  /// One sentence that names the field in plain words.
  public var description: String {
    switch problem {
    case .notTaken(let allowed): "\(fieldName) must be \(allowed), not \(shortened(given))."
    case .missing: "“\(fullName)” is missing."
    case .unknown: "Unknown field “\(fullName)”."
    default: sentence(about: fieldName)
    }
  }

  /// One sentence that names the field as files do, so that it can be found there.
  package var descriptionInFile: String {
    switch problem {
    case .notTaken(let allowed): "\(field) takes \(allowed), not \(shortened(given))."
    case .missing(let allowed): "\(field) is missing here. It takes \(allowed)."
    case .unknown(let known):
      "Unknown field “\(field)”; the fields are \(known.sorted().joined(separator: ", "))."
    default: sentence(about: field)
    }
  }

  private func sentence(about name: String) -> String {
    switch problem {
    case .empty: "\(name) must not be empty."
    case .severalLines: "\(name) must be one line without control characters."
    case .tooLong(let limit, let count):
      "\(name) must have at most \(limit) characters, not \(count)."
    case .sentence(let text): text
    case .notTaken, .missing, .unknown: preconditionFailure("they have words of their own")
    }
  }

  /// `sleepHours` becomes `Sleep hours`; a setting keeps its full name: `severity.scales`.
  private var fieldName: String {
    if field.contains(".") { return field }
    let words = fieldWords(field)
    return words.prefix(1).uppercased() + words.dropFirst()
  }

  /// The field with the objects that contain it: `dailyLog.sleepHours`.
  package var fullName: String { (path + [field]).joined(separator: ".") }

  /// The same error of a field within an object, and at a place where it has none.
  package func within(_ part: String? = nil, at offset: Int? = nil) -> InvalidValue {
    var error = self
    if let part { error.path.insert(part, at: 0) }
    error.offset = self.offset ?? offset
    return error
  }
}

/// A field's name in English: `sleepHours` becomes `sleep hours`.
package func fieldWords(_ name: String) -> String {
  [
    "endDay": "last day", "everyDays": "interval in days", "iconName": "icon",
    "startFrom": "start",
  ][name] ?? name.spacedWords
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
  package static func named(_ text: String, field: String) throws(InvalidValue) -> Self {
    let found = chosen(text, from: allCases.map(\.rawValue)).flatMap { Self(rawValue: $0) }
    guard let found else { throw InvalidValue(field, takes: oneOf, given: text) }
    return found
  }

  /// All values in words: `cold, cough or fever`.
  package static var oneOf: String { alternatives(allCases.map(\.words)) }

  /// The value in words: `soreThroat` becomes `sore throat`.
  package var words: String { rawValue.spacedWords }
}

/// Names in a sentence: `cold, cough or fever`.
package func alternatives(_ names: [String]) -> String {
  names.count < 2
    ? names.joined() : names.dropLast().joined(separator: ", ") + " or " + names[names.count - 1]
}

/// The name that a text spells, regardless of case and of what stands between its words.
func chosen(_ text: String, from names: [String]) -> String? {
  func folded(_ text: String) -> String {
    text.lowercased().filter { $0.isLetter || $0.isNumber }
  }
  let wanted = folded(text)
  return wanted.isEmpty ? nil : names.first { folded($0) == wanted }
}

/// A name on one line, trimmed.
///
/// - Parameter limit: in characters.
package func oneLine(
  _ text: String, field: String, upTo limit: Int = .max
) throws(InvalidValue) -> String {
  do throws(InvalidValue.Problem) { return try oneLine(text, upTo: limit) } catch {
    throw InvalidValue(field, error, given: text)
  }
}

func oneLine(_ text: String, upTo limit: Int) throws(InvalidValue.Problem) -> String {
  guard let tidy = text.tidied else { throw .empty }
  guard !tidy.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
    throw .severalLines
  }
  // A text has at least as many bytes as characters, and counting bytes is fast.
  guard tidy.utf8.count <= limit || tidy.count <= limit else {
    throw .tooLong(limit: limit, count: tidy.count)
  }
  return tidy
}

extension String {
  /// The text with its first letter capitalised.
  package var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }

  /// `soreThroat` becomes `sore throat`.
  package var spacedWords: String {
    reduce(into: "") { $0 += $1.isUppercase ? " " + $1.lowercased() : String($1) }
  }

  /// The text without leading and trailing white space; nil when nothing is left.
  package var tidied: String? {
    let start = firstIndex { !$0.isWhitespace } ?? endIndex
    guard let last = lastIndex(where: { !$0.isWhitespace }) else { return nil }
    return String(self[start...last])
  }
}
