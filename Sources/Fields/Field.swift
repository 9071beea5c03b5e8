/// Whether a field may be absent.
package enum Presence: Sendable {
  case required, optional
  /// This value stands for an absent one.
  case standard(Scalar)
  /// A view adds it, always or where it has a value: it is written, and never read.
  case added(isAlways: Bool)
  /// The same, but null is written where it has no value.
  case addedOrNull
}

/// The name of a field and the values that it takes, whatever thing it belongs to.
package final class Shape: Sendable {
  /// Its name in JSON, CSV, forms and the catalog.
  package let name: String
  package let rule: Rule
  package let presence: Presence
  /// Its name in JSON, in quotes, with the colon.
  let key: [UInt8]

  package init(_ name: String, _ rule: Rule, _ presence: Presence) {
    (self.name, self.rule, self.presence) = (name, rule, presence)
    key = Array("\"\(name)\":".utf8)
  }

  package var isRequired: Bool { if case .required = presence { true } else { false } }

  /// Whether a view adds it.
  var isAdded: Bool {
    switch presence {
    case .added, .addedOrNull: true
    case .required, .optional, .standard: false
    }
  }

  /// Whether it is written even where it has no value.
  var isNullable: Bool { if case .addedOrNull = presence { true } else { false } }

  /// Whether things that are written have it.
  var isAlways: Bool {
    switch presence {
    case .required, .standard, .addedOrNull: true
    case .optional: false
    case .added(let isAlways): isAlways
    }
  }

  /// Its name in English.
  package var words: String { fieldWords(name) }

  /// The value to set: null removes it, or restores the standard.
  ///
  /// - Parameter form: the form that the value comes from, for the message.
  /// - Throws: `InvalidValue` that names the field.
  package func checked(_ value: Scalar, in form: WrittenForm) throws(InvalidValue) -> Scalar {
    guard value != .null else { return try absent(in: form) }
    if case (.list(let rule), .list(let items)) = (self.rule, value) {
      var checked: [Scalar] = []
      for item in items {
        let item = try self.checked(item, by: rule, in: form)
        if item != .null { checked.append(item) }
      }
      return .list(checked)
    }
    let checked = try self.checked(value, by: rule, in: form)
    return checked == .null ? try absent(in: form) : checked
  }

  func checked(
    _ value: Scalar, by rule: Rule, in form: WrittenForm
  ) throws(InvalidValue) -> Scalar {
    do throws(InvalidValue.Problem) { return try rule.checked(value) } catch {
      throw invalid(error, value, in: form)
    }
  }

  /// The error for a value, which a message shows as it was given.
  package func invalid(
    _ problem: InvalidValue.Problem, _ value: Scalar, in form: WrittenForm
  ) -> InvalidValue {
    guard case .notTaken = problem else { return InvalidValue(name, problem, given: value.shown) }
    return InvalidValue(
      name, .notTaken(rule.takes(form)), given: form == .typed ? value.shown : value.given)
  }

  /// The value of an absent field.
  package func absent(in form: WrittenForm) throws(InvalidValue) -> Scalar {
    switch presence {
    case .optional: return .null
    case .standard(let standard): return standard
    case .required:
      if case .line = rule { throw InvalidValue(name, .empty) }
      if form == .cell { throw InvalidValue(name, .notTaken(rule.takes(form)), given: "nothing") }
      throw InvalidValue(name, .missing(rule.takes(form)))
    case .added, .addedOrNull: throw InvalidValue(name, .unknown([]))
    }
  }
}

/// A field and, for an object or a list of them, the table of the fields within it.
package struct PartShape: Sendable {
  package let shape: Shape
  /// Nil for a value.
  let table: TableShape?
  /// The schema of JSON that has no table.
  let schema: JSONSchema?
}

/// A table of fields, whatever thing it belongs to.
package struct TableShape: Sendable {
  /// The name of its schema; nil for one that stands where it is used.
  let name: String?
  let fields: [PartShape]
}

/// A field of a thing, said once.
package struct Field<Thing>: Sendable {
  /// An object within the thing, or a list of them, with a table of its own.
  struct Part: Sendable {
    /// Writes it; false when the thing has none.
    let write: @Sendable (Thing, inout JSONWriter) -> Bool
    /// Nil for JSON that has no table.
    let table: TableShape?
    let schema: JSONSchema?
    /// Reads it; nil for what a view adds.
    var read: (@Sendable (inout Thing, JSONNode) throws(InvalidValue) -> Void)?

    init(
      write: @escaping @Sendable (Thing, inout JSONWriter) -> Bool,
      table: TableShape?, schema: JSONSchema? = nil
    ) { (self.write, self.table, self.schema) = (write, table, schema) }

    init<Inner: Sendable>(
      writing fields: Fields<Inner>, _ get: @escaping @Sendable (Thing) -> Inner?,
      read: (@Sendable (inout Thing, JSONNode) throws(InvalidValue) -> Void)? = nil
    ) {
      self.init(
        write: { thing, json in
          guard let inner = get(thing) else { return false }
          fields.write(inner, to: &json)
          return true
        }, table: fields.shape)
      self.read = read
    }
  }

  package let shape: Shape
  let part: Part?
  /// The name of the field in earlier versions. Values with that name are still read; the name is never written.
  var formerName: String?
  package let get: @Sendable (Thing) -> Scalar
  /// Sets a value that was checked; false for one that the field's type does not take.
  let set: @Sendable (inout Thing, Scalar) -> Bool

  package var name: String { shape.name }
  package var rule: Rule { shape.rule }

  private init(
    _ shape: Shape, part: Part? = nil, get: @escaping @Sendable (Thing) -> Scalar,
    set: @escaping @Sendable (inout Thing, Scalar) -> Bool = { _, _ in false }
  ) { (self.shape, self.part, self.get, self.set) = (shape, part, get, set) }

  /// A field that may be absent.
  package init<Value: FieldValue>(
    _ name: String, _ path: WritableKeyPath<Thing, Value?> & Sendable, _ kind: Kind<Value>
  ) {
    self.init(
      Shape(name, kind.rule, .optional), get: { $0[keyPath: path]?.scalar ?? .null },
      set: { thing, scalar in
        if scalar == .null {
          thing[keyPath: path] = nil
          return true
        }
        guard let value = Value(scalar) else { return false }
        thing[keyPath: path] = value
        return true
      })
  }

  /// A field that always has a value; null and absence stand for `standard`, if there is one.
  package init<Value: FieldValue>(
    _ name: String, _ path: WritableKeyPath<Thing, Value> & Sendable, _ kind: Kind<Value>,
    standard: Value? = nil
  ) {
    self.init(
      Shape(name, kind.rule, standard.map { .standard($0.scalar) } ?? .required),
      get: { $0[keyPath: path].scalar },
      set: { thing, scalar in
        guard let value = Value(scalar) else { return false }
        thing[keyPath: path] = value
        return true
      })
  }

  /// A field with a value for each of some names. Setting it sets those of the names that are given and keeps the others.
  ///
  /// - Parameter merge: null removes the value of a name, and all of them where it stands alone. False for what it does not
  ///   take.
  package init(
    _ name: String, _ rule: Rule, get: @escaping @Sendable (Thing) -> Scalar,
    merge: @escaping @Sendable (inout Thing, Scalar) -> Bool
  ) { self.init(Shape(name, rule, .optional), get: get, set: merge) }

  /// A value that a view adds; it is left out where there is none.
  package init<Value: FieldValue>(
    adding name: String, _ kind: Kind<Value>, _ value: @escaping @Sendable (Thing) -> Value?
  ) {
    self.init(
      Shape(name, kind.rule, .added(isAlways: false)), get: { value($0)?.scalar ?? .null })
  }

  /// A value that a view always adds.
  package init<Value: FieldValue>(
    adding name: String, _ kind: Kind<Value>, _ value: @escaping @Sendable (Thing) -> Value
  ) {
    self.init(Shape(name, kind.rule, .added(isAlways: true)), get: { value($0).scalar })
  }

  /// An object within the thing.
  package init<Inner: Fielded>(
    _ name: String, part: Inner.Type, isRequired: Bool = false,
    get: @escaping @Sendable (Thing) -> Inner?,
    set: @escaping @Sendable (inout Thing, Inner) -> Void
  ) {
    self.init(
      Shape(name, .object, isRequired ? .required : .optional),
      part: Part(
        writing: Inner.fields, get,
        read: { (thing, node) throws(InvalidValue) in
          do throws(InvalidValue) { set(&thing, try Inner.fields.read(node, named: name)) } catch {
            throw error.within(name, at: node.offset)
          }
        }), get: { _ in .null })
  }

  /// An object that a view adds; it is left out where there is none.
  package init<Inner: Sendable>(
    adding name: String, _ fields: Fields<Inner>, _ value: @escaping @Sendable (Thing) -> Inner?
  ) {
    self.init(
      Shape(name, .object, .added(isAlways: false)), part: Part(writing: fields, value),
      get: { _ in .null })
  }

  /// An object that a view always adds.
  package init<Inner: Sendable>(
    adding name: String, _ fields: Fields<Inner>, _ value: @escaping @Sendable (Thing) -> Inner
  ) {
    self.init(
      Shape(name, .object, .added(isAlways: true)), part: Part(writing: fields, value),
      get: { _ in .null })
  }

  /// Objects that a view adds; they are left out where there is no list.
  package init<Inner: Sendable>(
    adding name: String, each fields: Fields<Inner>,
    _ values: @escaping @Sendable (Thing) -> [Inner]?
  ) { self.init(name, each: fields, isAlways: false, values) }

  /// Objects that a view always adds.
  package init<Inner: Sendable>(
    adding name: String, each fields: Fields<Inner>,
    _ values: @escaping @Sendable (Thing) -> [Inner]
  ) { self.init(name, each: fields, isAlways: true, values) }

  private init<Inner: Sendable>(
    _ name: String, each fields: Fields<Inner>, isAlways: Bool,
    _ values: @escaping @Sendable (Thing) -> [Inner]?
  ) {
    let part = Part(
      write: { thing, json in
        guard let values = values(thing) else { return false }
        json.array(values) { fields.write($0, to: &$1) }
        return true
      }, table: fields.shape)
    self.init(
      Shape(name, .list(.object), .added(isAlways: isAlways)), part: part, get: { _ in .null })
  }

  /// Any JSON that a view adds, such as an object with free names; it is left out where there is none.
  ///
  /// - Parameter schema: that of the values; of any object, unless given.
  package init(
    adding name: String, as schema: JSONSchema = .rule(.object, .answer),
    json value: @escaping @Sendable (Thing) -> JSONNode?
  ) { self.init(name, schema, isAlways: false, json: value) }

  /// Any JSON that a view always adds.
  package init(
    adding name: String, as schema: JSONSchema = .rule(.object, .answer),
    json value: @escaping @Sendable (Thing) -> JSONNode
  ) { self.init(name, schema, isAlways: true, json: value) }

  private init(
    _ name: String, _ schema: JSONSchema, isAlways: Bool,
    json value: @escaping @Sendable (Thing) -> JSONNode?
  ) {
    let part = Part(
      write: { thing, json in
        guard let value = value(thing) else { return false }
        json.write(value)
        return true
      }, table: nil, schema: schema)
    self.init(Shape(name, .object, .added(isAlways: isAlways)), part: part, get: { _ in .null })
  }

  /// The same field of a thing that contains this one.
  package func lifted<Whole>(_ path: WritableKeyPath<Whole, Thing> & Sendable) -> Field<Whole> {
    precondition(part == nil, "parts stay with their thing")
    return Field<Whole>(
      shape, get: { [get] in get($0[keyPath: path]) },
      set: { [set] in set(&$0[keyPath: path], $1) })
  }

  /// The same field where it may not be absent.
  package func required() -> Field {
    Field(Shape(name, rule, .required), part: part, get: get, set: set)
  }

  /// The same field, written as null where it has no value.
  package func orNull() -> Field {
    precondition(shape.isAdded, "only a view writes null")
    return Field(Shape(name, rule, .addedOrNull), part: part, get: get)
  }

  /// Sets a value that was checked when it was stored; false for one that the field's type does not take.
  package func restore(_ value: Scalar, in thing: inout Thing) -> Bool { set(&thing, value) }

  /// The same field as a view of something that contains the thing.
  package func shown<Whole>(_ thing: @escaping @Sendable (Whole) -> Thing) -> Field<Whole> {
    Field<Whole>(
      Shape(name, rule, shape.isNullable ? .addedOrNull : .added(isAlways: shape.isAlways)),
      part: part.map { part in
        .init(
          write: { part.write(thing($0), &$1) }, table: part.table, schema: part.schema)
      }, get: { [get] in get(thing($0)) })
  }

  /// Checks and sets a value.
  package func put(
    _ value: Scalar, in thing: inout Thing, from form: WrittenForm
  ) throws(InvalidValue) {
    guard set(&thing, try shape.checked(value, in: form)) else {
      throw shape.invalid(.notTaken(""), value, in: form)
    }
  }

  /// Reads, checks and sets a value in JSON.
  func read(_ node: JSONNode, into thing: inout Thing) throws(InvalidValue) {
    if let read = part?.read { return try read(&thing, node) }
    if case (.list(let rule), .list(let nodes)) = (rule, node.value) {
      var items: [Scalar] = []
      for item in nodes {
        do throws(InvalidValue) {
          let value = try shape.checked(item.scalar(for: shape), by: rule, in: .json)
          if value != .null { items.append(value) }
        } catch { throw error.within(at: item.offset) }
      }
      guard set(&thing, .list(items)) else {
        throw shape.invalid(.notTaken(""), .list(items), in: .json).within(at: node.offset)
      }
      return
    }
    do throws(InvalidValue) { try put(node.scalar(for: shape), in: &thing, from: .json) } catch {
      throw error.within(at: node.offset)
    }
  }
}

/// A thing with a table of fields.
package protocol Fielded: Sendable {
  static var fields: Fields<Self> { get }
  /// One to fill in.
  static var blank: Self { get }
}

/// The fields of a thing, in the order of forms and columns.
package struct Fields<Thing>: Sendable {
  package let all: [Field<Thing>]
  /// The name of its schema; nil for one that stands where it is used.
  package let name: String?
  /// In the order of their names, as JSON is written.
  let sorted: [Field<Thing>]

  package init(_ all: [Field<Thing>]) { self.init(all, named: nil) }

  private init(_ all: [Field<Thing>], named name: String?) {
    (self.all, self.name) = (all, name)
    sorted = all.sorted { $0.name < $1.name }
    // A loop: key paths of generic types take long to make, and there are many tables at the start.
    var names: Set<String> = []
    for field in all {
      let isOwn = names.insert(field.name).inserted
      let isFormerOwn = field.formerName.map { names.insert($0).inserted } ?? true
      precondition(isOwn && isFormerOwn, "each field has names of its own")
    }
  }

  /// The same table with a name for its schema.
  package func named(_ name: String) -> Fields { Fields(all, named: name) }

  /// The shapes of the fields, for schemas.
  package var shape: TableShape {
    TableShape(
      name: name,
      fields: all.map {
        PartShape(shape: $0.shape, table: $0.part?.table, schema: $0.part?.schema)
      })
  }

  /// The field with a name, or with a former one.
  package subscript(name: String) -> Field<Thing>? {
    all.first { $0.name == name || $0.formerName == name }
  }

  /// The names of the fields that can be read.
  package var names: [String] { all.filter { !$0.shape.isAdded }.map(\.name) }

  /// The thing with each value in its standard form. Values for free names stay, as only their owner knows what they take.
  ///
  /// - Throws: the first field with a value that it does not take.
  package func checked(_ thing: Thing) throws(InvalidValue) -> Thing {
    var checked = thing
    for field in all where field.part == nil {
      if case .members = field.rule { continue }
      try field.put(field.get(thing), in: &checked, from: .typed)
    }
    return checked
  }

  /// Writes a thing as an object; absent values are left out, unless null is written for them.
  package func write(_ thing: Thing, to json: inout JSONWriter) {
    json.object { json in
      for field in sorted {
        let isNullable = field.shape.isNullable
        if let part = field.part {
          json.member(field.shape.key) { json in
            if part.write(thing, &json) { return true }
            if isNullable { json.write(Scalar.null) }
            return isNullable
          }
        } else {
          let value = field.get(thing)
          if value != .null || isNullable {
            json.member(field.shape.key) {
              $0.write(value)
              return true
            }
          }
        }
      }
    }
  }

  /// A thing as JSON on one line.
  package func json(_ thing: Thing) -> [UInt8] {
    var json = JSONWriter()
    write(thing, to: &json)
    return json.bytes
  }

  /// Reads an object in which absent fields have their standard value.
  ///
  /// - Parameter name: the object's name in messages.
  package func read(_ node: JSONNode, named name: String = "") throws(InvalidValue) -> Thing
  where Thing: Fielded {
    guard case .object(let members) = node.value else {
      throw InvalidValue(name, .notTaken("an object"), given: node.given, at: node.offset)
    }
    var nodes: [String: JSONNode] = [:]
    for member in members {
      let field = try field(of: member)
      guard nodes.updateValue(member.node, forKey: field.name) == nil else {
        throw field.givenTwice.within(at: member.node.offset)
      }
    }
    var thing = Thing.blank
    for field in all {
      if let node = nodes[field.name] {
        try field.read(node, into: &thing)
      } else if field.shape.isRequired {
        throw InvalidValue(field.name, .missing(field.rule.takes(.json)), at: node.offset)
      } else if case .standard(let standard) = field.shape.presence {
        _ = field.set(&thing, standard)
      }
    }
    return thing
  }

  /// The field of a member in JSON.
  ///
  /// - Throws: `InvalidValue` for a name that no field has, and for one that only views add.
  func field(of member: JSONNode.Member) throws(InvalidValue) -> Field<Thing> {
    guard let field = self[member.name], !field.shape.isAdded else {
      throw InvalidValue(member.name, .unknown(names), at: member.node.offset)
    }
    return field
  }
}
