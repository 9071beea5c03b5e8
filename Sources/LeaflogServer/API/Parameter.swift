package import Fields
internal import Hummingbird
internal import Leaflog

/// A value that requests give by name, whatever its type.
package protocol AnyParameter: Sendable {
  var shape: Shape { get }
  /// Words about it, where its rule does not say enough.
  var about: String? { get }
  /// Whether the description lists it. Former names are still read, but no new client should use them.
  var isDescribed: Bool { get }
  /// Its schema in a body, where null may stand for no value.
  var schema: JSONSchema { get }
}

extension AnyParameter {
  var name: String { shape.name }
  package var isDescribed: Bool { true }

  package var schema: JSONSchema { shape.schema(.new).described(about) }
}

extension JSONSchema {
  func described(_ about: String?) -> JSONSchema { about.map { .described(self, $0) } ?? self }
}

/// A value that requests give by name, in the path, the query or the body: what it takes is said once, for reading it
/// and for the description of the service.
package struct Parameter<Value: FieldValue>: AnyParameter {
  package let shape: Shape
  package let about: String?

  private init(_ shape: Shape, _ about: String?) { (self.shape, self.about) = (shape, about) }

  package init(
    _ name: String, _ kind: Kind<Value>, isRequired: Bool = false, _ about: String? = nil
  ) { self.init(Shape(name, kind.rule, isRequired ? .required : .optional), about) }

  /// - Parameter standard: the value that stands for an absent one.
  package init(
    _ name: String, _ kind: Kind<Value>, standard: Value, _ about: String? = nil
  ) { self.init(Shape(name, kind.rule, .standard(standard.scalar)), about) }

  /// The same where it may not be absent.
  func required() -> Parameter { Parameter(Shape(shape.name, shape.rule, .required), about) }

  /// The value of an absent one; nil where there is none.
  func absent() throws(InvalidValue) -> Value? { Value(try shape.absent(in: .json)) }

  /// The value in a body; nil for one that counts as absent.
  func read(_ node: JSONNode) throws(InvalidValue) -> Value? {
    guard var scalar = node.scalar else {
      throw InvalidValue(name, .notTaken(shape.rule.takes(.json)), given: node.given)
    }
    // Names of choices are taken as people spell them.
    if case (.choice, .text(let text)) = (shape.rule, scalar) { scalar = shape.rule.parsed(text) }
    let checked = try shape.checked(scalar, in: .json)
    if checked == .null { return nil }
    guard let value = Value(checked) else {
      throw shape.invalid(.notTaken(""), scalar, in: .json)
    }
    return value
  }

  /// The value of a text in a query; nil for one that it does not take. A text stays as it is.
  func read(_ texts: [String]) -> Value? {
    guard case .list(let rule) = shape.rule else { return Value(Self.scalar(texts[0], shape.rule)) }
    return Value(.list(texts.map { Self.scalar($0, rule) }))
  }

  /// Null for a text that the rule does not take.
  private static func scalar(_ text: String, _ rule: Rule) -> Scalar {
    let scalar: Scalar =
      switch (rule, text) {
      case (.flag, "true"): .flag(true)
      case (.flag, "false"): .flag(false)
      case (.whole, _): Int(text).map { .whole($0) } ?? .null
      default: .text(text)
      }
    // NUL is in no text that is stored.
    if case .text = rule, !text.utf8.contains(0) { return scalar }
    return (try? rule.checked(scalar)) ?? .null
  }
}

/// A part of a body that has a table of its own, such as `symptom`.
package struct Part<Thing: Fielded>: AnyParameter {
  package let shape: Shape
  package let about: String? = nil
  private let use: JSONSchema.Use
  /// Fields that the body may also give in another form.
  private let others: [String: JSONSchema]

  /// - Parameter use: whether it is a new one, which has to be there, or the changes to one.
  init(_ name: String, _ use: JSONSchema.Use, others: [String: JSONSchema] = [:]) {
    shape = Shape(name, .object, use == .new ? .required : .optional)
    (self.use, self.others) = (use, others)
  }

  package var schema: JSONSchema {
    let table = Thing.fields.shape
    return others.isEmpty ? .table(table, use) : .table(table, use, others: others)
  }
}
