/// The values that a field takes, as data: checks, messages, schemas and the inputs of forms come from it.
package indirect enum Rule: Sendable {
  /// True or false.
  case flag
  case whole(ClosedRange<Int>)
  /// A number that is a multiple of the step, if there is one.
  case number(ClosedRange<Double>, step: Double?)
  /// One line of at most so many characters.
  case line(Int)
  /// A text, trimmed. Forms have one line for it.
  case text
  /// A text of several lines, trimmed.
  case notes
  /// A text as it is, which is not blank.
  case verbatim
  /// One of these names.
  case choice([String])
  /// A text with a form of its own, such as a day or an id.
  case written(TextForm)
  case list(Rule)
  /// An object with a value for each name, of which there are any.
  case members
  /// A part with fields of its own.
  case object
}

/// A text with a form of its own, which the field's type reads.
package struct TextForm: Sendable {
  /// The accepted texts, in words that follow `takes` or `must be`.
  let takes: String
  /// The type of its input in a web form (HTML, 4.10.5).
  package let input: String
  /// Words about it for those who read it in an answer, where its form is not enough.
  let about: String?
  /// Its name in JSON Schema.
  let format: String?
  let pattern: String?
  /// Whether a cell has it in quotes, so that a spreadsheet takes it for a text.
  let isQuoted: Bool
  /// The text that a cell or a typed text stands for, in the form that the field's type reads.
  let fromCell: @Sendable (String) -> String
  let toCell: @Sendable (String) -> String
  /// Whether it is taken, where the field's type takes any text.
  let isTaken: @Sendable (String) -> Bool

  package init(
    takes: String, about: String? = nil, input: String = "text", format: String? = nil,
    pattern: String? = nil, isQuoted: Bool = true,
    fromCell: @escaping @Sendable (String) -> String = { $0 },
    toCell: @escaping @Sendable (String) -> String = { $0 },
    isTaken: @escaping @Sendable (String) -> Bool = { _ in true }
  ) {
    (self.takes, self.about, self.input) = (takes, about, input)
    (self.format, self.pattern) = (format, pattern)
    (self.isQuoted, self.fromCell, self.toCell) = (isQuoted, fromCell, toCell)
    self.isTaken = isTaken
  }
}

/// A rule for values of one type, so that `.whole(1...7)` does not suit a text.
package struct Kind<Value: FieldValue>: Sendable {
  package let rule: Rule
  package init(_ rule: Rule) { self.rule = rule }
}

extension Kind<Bool> { package static var flag: Kind { Kind(.flag) } }

extension Kind<Int> {
  package static func whole(_ range: ClosedRange<Int>) -> Kind { Kind(.whole(range)) }
}

extension Kind<Double> {
  package static func number(_ range: ClosedRange<Double>, step: Double? = nil) -> Kind {
    Kind(.number(range, step: step))
  }
}

extension Kind<String> {
  package static var text: Kind { Kind(.text) }
  package static var notes: Kind { Kind(.notes) }
  package static var verbatim: Kind { Kind(.verbatim) }
  package static func line(_ limit: Int) -> Kind { Kind(.line(limit)) }
}

extension Kind<[String]> {
  package static var texts: Kind { Kind(.list(.text)) }
  package static func lines(_ limit: Int) -> Kind { Kind(.list(.line(limit))) }
}

extension Kind where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
  package static var choice: Kind { Kind(.choice(Value.allCases.map(\.rawValue))) }
}

extension Kind {
  /// Several of a choice.
  package static func choices<Choice: RawRepresentable & CaseIterable>() -> Kind
  where Value == [Choice], Choice.RawValue == String {
    Kind(.list(.choice(Choice.allCases.map(\.rawValue))))
  }
}

/// A form in which values are written.
package enum WrittenForm: Sendable {
  case json
  /// A cell of a table.
  case cell
  /// A text that somebody types.
  case typed
}

extension Rule {
  /// The value in its standard form, checked; null for an empty text.
  ///
  /// - Throws: why it is not taken.
  package func checked(_ value: Scalar) throws(InvalidValue.Problem) -> Scalar {
    switch (self, value) {
    case (.flag, .flag): return value
    case (.whole(let range), .whole(let number)) where range.contains(number): return value
    case (.number(let range, let step), .whole), (.number(let range, let step), .number):
      guard let number = Double(value), range.contains(number),
        step.map({ (number / $0).rounded() == number / $0 }) ?? true
      else { throw .notTaken(takes(.json)) }
      return .number(number)
    case (.line(let limit), .text(let text)): return .text(try oneLine(text, upTo: limit))
    case (.text, .text(let text)), (.notes, .text(let text)):
      return try Self.storable(text).tidied.map { .text($0) } ?? .null
    case (.verbatim, .text(let text)): return try Self.storable(text).tidied == nil ? .null : value
    case (.choice(let names), .text(let text)) where names.contains(text): return value
    case (.written(let form), .text(let text)) where form.isTaken(text): return value
    case (.list(let rule), .list(let items)):
      var checked: [Scalar] = []
      for item in items {
        let item = try rule.checked(item)
        if item != .null { checked.append(item) }
      }
      return .list(checked)
    case (.members, .members(let members)):
      for (name, value) in members {
        _ = try oneLine(name, upTo: .max)
        switch value {
        case .list, .members: throw .notTaken(takes(.json))
        case .text(let text): _ = try Self.storable(text)
        case .null, .flag, .whole, .number: break
        }
      }
      return value
    default: throw .notTaken(takes(.json))
    }
  }

  /// NUL ends a text in SQLite: what follows it would be lost.
  private static func storable(_ text: String) throws(InvalidValue.Problem) -> String {
    guard !text.utf8.contains(0) else {
      throw .sentence("Text must not contain the character U+0000.")
    }
    return text
  }

  /// The value of a cell or a typed text. One that cannot be read stays a text, which the check then refuses.
  package func parsed(_ text: String) -> Scalar {
    switch self {
    case .flag:
      switch text.lowercased() {
      case "yes", "y", "true": .flag(true)
      case "no", "n", "false": .flag(false)
      default: .text(text)
      }
    case .whole: Int(text).map { .whole($0) } ?? .text(text)
    case .number: plainNumber(text).map { .number($0) } ?? .text(text)
    case .line, .text, .notes, .verbatim, .members, .object: .text(text)
    case .written(let form): .text(form.fromCell(text))
    case .choice(let names): .text(chosen(text, from: names) ?? text)
    case .list(let rule): .list(CSVText.items(text).map(rule.parsed))
    }
  }

  /// A value as a cell has it, quotes included.
  package func cell(_ value: Scalar) -> String {
    switch (self, value) {
    case (_, .null): return ""
    case (.written(let form), .text(let text)):
      let text = form.toCell(text)
      return form.isQuoted ? CSVText.quoted(text) : text
    case (_, .text(let text)): return CSVText.quoted(text)
    case (_, .list(let items)): return CSVText.quoted(CSVText.list(items.map(\.shown)))
    default: return value.shown
    }
  }

  /// A value in English; nil for none.
  package func words(_ value: Scalar) -> String? {
    switch (self, value) {
    case (_, .null), (_, .list([])): nil
    case (.choice, .text(let text)): text.spacedWords
    case (.list(let rule), .list(let items)):
      items.compactMap { rule.words($0) }.joined(separator: ", ")
    default: value.shown
    }
  }

  /// The accepted values, in words that follow `takes` or `must be`.
  package func takes(_ form: WrittenForm) -> String {
    switch self {
    case .flag: form == .json ? "true or false" : "yes or no"
    case .whole(let range):
      range == .min ... .max ? "a whole number" : "\(range.lowerBound) to \(range.upperBound)"
    case .number(let range, let step):
      "\(range.lowerBound.formatted()) to \(range.upperBound.formatted())"
        + (step.map { " in steps of \($0.formatted())" } ?? "")
    case .line, .text, .notes, .verbatim: "a text"
    case .choice(let names): alternatives(form == .typed ? names.map(\.spacedWords) : names)
    case .written(let text): text.takes
    case .list(.choice(let names)): Rule.choice(names).takes(form)
    case .list(.written(let text)) where form == .json: "a list, each \(text.takes)"
    case .list: form == .json ? "a list of texts" : "texts with semicolons between"
    case .members: "an object with true, false, a number or a text for each name"
    case .object: "an object"
    }
  }
}

extension Scalar {
  /// As a form's value or a typed text.
  package var shown: String {
    switch self {
    case .null: ""
    case .flag(let flag): flag ? "yes" : "no"
    case .whole(let number): String(number)
    case .number(let number): number.formatted()
    case .text(let text): text
    case .list(let items): items.map(\.shown).joined(separator: "; ")
    case .members(let members):
      members.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.shown)" }
        .joined(separator: "; ")
    }
  }

  /// As messages show it: texts in typographic quotes.
  package var given: String {
    switch self {
    case .null: "null"
    case .flag(let flag): flag ? "true" : "false"
    case .whole, .number: shown
    case .text(let text): "“\(shortened(text))”"
    case .list: "a list"
    case .members: "an object"
    }
  }
}

/// Parses a number in plain digits, without the names, plus signs and exponents that `Double` also accepts. It may have a
/// decimal comma, as spreadsheets write it in many languages.
package func plainNumber(_ text: String) -> Double? {
  let number = text.contains(".") ? text : text.replacing(",", with: ".", maxReplacements: 1)
  return number.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E || $0 == 0x2D }
    ? Double(number) : nil
}
