internal import Fields
internal import Language
internal import Leaflog

/// The value of a field, and its error.
struct FormValue {
  let value: String?
  let error: String?

  init(_ value: String?, error: String? = nil) {
    self.value = value.flatMap { $0.isEmpty ? nil : $0 }
    self.error = error
  }
}

/// A field of a form: its label, its input, and its error. One of the inputs is there.
struct FormField {
  /// An input of one line (HTML, 4.10.5).
  struct Input {
    var type = "text"
    /// The keyboard that phones show (HTML, 6.8.7).
    var mode: String?
    var minimum: String?
    var maximum: String?
    var step: String?
    var maxLength: Int?
    var isRequired = false
    /// Whether it takes the name of the user, which the browser knows (HTML, 4.10.18.7).
    var isOwnName = false
    var placeholder: String?
    var unit: String?
    var suggestions: Suggestions?
  }

  /// Values to pick from while typing.
  struct Suggestions {
    let names: [String]

    /// Nil without any.
    init?(_ names: [String]) {
      if names.isEmpty { return nil }
      self.names = names
    }
  }

  /// An input of several lines.
  struct Area {
    var rows = 3
    var placeholder: String?
    var isRequired = false
    var maxLength: Int?
  }

  /// Answers of which one may be chosen, all of them visible.
  struct Answers {
    /// The classes of its layout.
    let style: String
    let isRequired: Bool
    let answers: [Radio]
  }

  /// Answers of which several may be chosen.
  struct Boxes { let boxes: [Option] }

  /// A menu.
  struct Menu {
    /// The label of no choice; nil where one has to be chosen.
    let none: String?
    var options: [Option]
  }

  /// Buttons that fill in the field.
  struct Chips {
    let style: String
    let fills: [String]
    /// Whether they follow what is typed, among the field's suggestions.
    var isFollowing = false
  }

  let id: String
  let name: String
  let label: String
  let hint: String?
  let error: String?
  /// The value as typed, or else as stored.
  let value: String?
  /// The stored value, as a form sends it.
  let stored: String?
  /// The ids of the hint and the error.
  let describedBy: String?
  var input: Input?
  var area: Area?
  var answers: Answers?
  var boxes: Boxes?
  var menu: Menu?
  var list: ListField?
  var chips: Chips?

  /// The labels of the values that can be chosen.
  private var labels: [String: String] {
    let options = (boxes?.boxes ?? []) + (menu?.options ?? [])
    return Dictionary(
      (answers?.answers.map { ($0.value, $0.label) } ?? [])
        + options.map { ($0.value, $0.label) }
    ) { $1 }
  }

  /// A value in words.
  func read(_ value: String) -> String {
    let parts = value.split(separator: ", ").map { labels[String($0)] }
    return parts.isEmpty || parts.contains(nil)
      ? value : parts.compactMap(\.self).joined(separator: ", ")
  }
}

/// Fields side by side, where there is room.
struct FormRow {
  let isPair: Bool
  let fields: [FormField]

  /// One field alone.
  init(_ field: FormField) { (isPair, fields) = (false, [field]) }

  init(pair fields: [FormField]) { (isPair, self.fields) = (true, fields) }
}

extension [FormRow] {
  var fields: [FormField] { flatMap(\.fields) }
}

/// Makes the fields of a form from the tables of things, with what was typed into a form that is shown again.
struct FormBuilder {
  let reader: FieldReader
  private let context: PageContext
  /// The beginning of ids, where a page has several forms.
  private let prefix: String
  private var words: Words { context.words }

  init(_ refusal: Refusal?, _ context: PageContext, prefix: String = "") {
    (reader, self.context, self.prefix) = (FieldReader(refusal, context.words), context, prefix)
  }

  /// A field of one line, or of the given type.
  func field(
    _ name: String, label: String? = nil, stored: String?, _ input: FormField.Input,
    hint: String? = nil
  ) -> FormField {
    var field = bare(name, label, stored, hint)
    field.input = input
    return field
  }

  /// A text of several lines.
  func notes(_ stored: String?, rows: Int = 3, placeholder: String? = nil) -> FormField {
    var field = bare("notes", nil, stored, nil)
    field.area = FormField.Area(rows: rows, placeholder: placeholder)
    return field
  }

  /// A text of several lines that is limited.
  func area(_ name: String, label: String, isRequired: Bool, maxLength: Int) -> FormField {
    var field = bare(name, label, nil, nil)
    field.area = FormField.Area(isRequired: isRequired, maxLength: maxLength)
    return field
  }

  func menu(
    _ name: String, label: String? = nil, stored: String?, none: String?,
    _ options: [(value: String, label: String)]
  ) -> FormField {
    var field = bare(name, label, stored, nil)
    field.menu = FormField.Menu(none: none, options: reader.options(name, stored, options))
    return field
  }

  /// Answers of which one has to be chosen.
  func answers(
    _ name: String, label: String? = nil, stored: String?, style: String = " loose",
    isRequired: Bool = true, _ values: [(value: String, label: String)]
  ) -> FormField {
    var field = bare(name, label, stored, nil)
    let chosen = reader.text(name, stored)
    field.answers = FormField.Answers(
      style: style, isRequired: isRequired,
      answers: values.map {
        Radio(value: $0.value, label: $0.label, isChosen: $0.value == chosen, isUnset: false)
      })
    return field
  }

  func tags(_ stored: [String], hint: String) throws -> FormField {
    list("tags", stored, hint: words[hint], suggestions: try context.tagNames())
  }

  private func list(
    _ name: String, _ stored: [String], hint: String, suggestions: [String]
  ) -> FormField {
    let list = reader.list(name, stored, suggestions: suggestions)
    var field = bare(
      name, nil, stored.joined(separator: ", "), list.newName == name ? hint : words["listHint"])
    field.list = list
    return field
  }

  private func bare(
    _ name: String, _ label: String?, _ stored: String?, _ hint: String?
  ) -> FormField {
    bare(name, titled: words[label ?? name], stored, hint)
  }

  private func bare(
    _ name: String, titled title: String, _ stored: String?, _ hint: String?
  ) -> FormField {
    let id = prefix + name
    let hint = hint ?? words.optional("\(name)Hint")
    let error = reader.error(name)
    let ids = [hint.map { _ in "\(id)-hint" }, error.map { _ in "\(id)-error" }]
      .compactMap(\.self)
    return FormField(
      id: id, name: name, label: title, hint: hint, error: error,
      value: reader.text(name, stored), stored: stored,
      describedBy: ids.isEmpty ? nil : ids.joined(separator: " "))
  }

  /// A field of a thing, with the input that suits what it takes.
  ///
  /// - Parameters:
  ///   - thing: nil for a new one, which has no values yet.
  ///   - suggestions: values to pick from while typing.
  func field<Thing: Fielded>(
    _ name: String, of thing: Thing?, label: String? = nil, suggestions: [String] = [],
    placeholder: String? = nil
  ) -> FormField {
    guard let shape = Thing.fields[name] else { preconditionFailure("\(name) is no field") }
    let scalar = thing.map(shape.get) ?? .null
    let rule = shape.rule
    if case .list(let item) = rule {
      let stored = [String](scalar) ?? []
      guard case .choice(let values) = item else {
        return list(name, stored, hint: words["commasHint"], suggestions: suggestions)
      }
      var field = bare(name, label, stored.joined(separator: ", "), nil)
      let chosen = Set(reader.all(name, stored))
      field.boxes = FormField.Boxes(
        boxes: values.map {
          Option(value: $0, label: self.label(of: $0, in: name), isChosen: chosen.contains($0))
        })
      return field
    }
    var field = bare(name, label, Self.text(scalar), nil)
    if let values = Self.values(of: rule) {
      let style =
        switch rule {
        case .whole: " steps"
        case .choice where shape.shape.isRequired: " loose"
        default: ""
        }
      let answers = reader.radios(name, field.stored, values) { self.label(of: $0, in: name) }
      field.answers = FormField.Answers(
        style: style, isRequired: shape.shape.isRequired,
        answers: shape.shape.isRequired ? answers.filter { !$0.isUnset } : answers)
    } else if case .notes = rule {
      field.area = FormField.Area(placeholder: placeholder)
    } else {
      var input = FormField.Input(rule)
      input.isRequired = shape.shape.isRequired
      input.placeholder = placeholder
      input.suggestions = FormField.Suggestions(suggestions)
      input.unit = words.optional("\(name)Unit")
      field.input = input
    }
    return field
  }

  /// The value of a factor, which has the name that the user has given it.
  func factor(_ factor: Factor, _ value: FactorValue?) -> FormField {
    let (details, name) = (factor.details, factor.formName)
    var field = bare(name, titled: details.name, value.flatMap { Self.text($0.scalar) }, nil)
    guard let lowest = details.lowest, let highest = details.highest else {
      let values = details.kind == .flag ? ["true", "false"] : details.choices
      field.answers = FormField.Answers(
        style: "", isRequired: false,
        answers: reader.radios(name, field.stored, values) {
          details.kind == .flag ? words["yesNo.\($0)"] : $0
        })
      return field
    }
    var input = FormField.Input(.number(lowest...highest, step: details.step))
    input.placeholder = "–"
    input.unit = details.unit
    field.input = input
    return field
  }

  /// The values of a field that a form shows all.
  private static func values(of rule: Rule) -> [String]? {
    switch rule {
    case .flag: ["true", "false"]
    case .whole(let range) where range.upperBound - range.lowerBound < 6 && range.upperBound < 7:
      range.map { "\($0)" }
    case .choice(let names): names
    default: nil
    }
  }

  /// A value as a form sends it.
  private static func text(_ scalar: Scalar) -> String? {
    switch scalar {
    case .null: nil
    case .flag(let flag): "\(flag)"
    default: scalar.shown
    }
  }

  /// The label of a value: a word of its field's, or the value itself.
  private func label(of value: String, in field: String) -> String {
    words.optional("\(field).\(value)") ?? words.optional("yesNo.\(value)") ?? value
  }
}

extension FormField.Input {
  /// The input of a field that takes what a rule says.
  init(_ rule: Rule) {
    switch rule {
    case .whole(let range):
      (type, mode) = ("number", "numeric")
      (minimum, maximum) = ("\(range.lowerBound)", "\(range.upperBound)")
    case .number(let range, let step):
      (type, mode) = ("number", "decimal")
      (minimum, maximum) = (range.lowerBound.formatted(), range.upperBound.formatted())
      self.step = step?.formatted() ?? "any"
    case .line(let limit): maxLength = min(limit, 200)
    case .text: maxLength = 200
    case .written(let form): type = form.input
    case .flag, .notes, .verbatim, .choice, .list, .members, .object: break
    }
  }

  /// A day up to a latest one, if there is one.
  static func day(upTo latest: String?, isRequired: Bool = false) -> FormField.Input {
    FormField.Input(type: "date", maximum: latest, isRequired: isRequired)
  }
}

extension Factor {
  /// The name of the field with its value. Its own name may be that of another field.
  package var formName: String { "factors.\(id)" }
}
