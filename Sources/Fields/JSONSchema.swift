/// A JSON Schema (2020-12, as in OpenAPI 3.1): of a rule, of a table, or put together from others.
package indirect enum JSONSchema: Sendable {
  /// The use of a thing's schema.
  package enum Use: Sendable {
    /// It is written.
    case answer
    /// A new one is read.
    case new
    /// Changes to one are read (RFC 7396).
    case patch
  }

  /// A member of an object.
  package struct Member: Sendable {
    let name: String
    let schema: JSONSchema
    let isRequired: Bool

    package init(_ name: String, _ schema: JSONSchema, isRequired: Bool = true) {
      (self.name, self.schema, self.isRequired) = (name, schema, isRequired)
    }
  }

  /// Any value.
  case any
  case rule(Rule, Use)
  /// - Parameter others: fields that may also have another form.
  case table(TableShape, Use, others: [String: JSONSchema] = [:])
  case object([Member], Use)
  case list(JSONSchema, isFilled: Bool = false)
  /// An object with a value of this schema for each name.
  case map(JSONSchema)
  /// A value of one of them, and of no other.
  case oneOf([JSONSchema])
  /// A value, or null.
  case nullable(JSONSchema)
  case described(JSONSchema, String)
  /// A schema that has a name wherever it is used.
  case named(String, JSONSchema)
}

/// The schemas of a document, those with a name apart.
///
/// Requests are closed: what they must not have is refused. Answers are open, as later versions may add fields, further
/// values of a choice and wider ranges, which no reader should refuse.
package struct SchemaWriter {
  private var nodes: [String: JSONNode] = [:]
  private let isStrict: Bool

  /// - Parameter isStrict: whether answers are closed, too, so that a test finds in them what is not described.
  package init(isStrict: Bool = false) { self.isStrict = isStrict }

  /// The schemas with a name, in the order of their names.
  package var named: JSONNode {
    JSONNode(.object(nodes.sorted { $0.key < $1.key }.map { JSONNode.Member($0.key, $0.value) }))
  }

  /// The schema as JSON; one with a name becomes a reference to it.
  package mutating func node(_ schema: JSONSchema) -> JSONNode {
    switch schema {
    case .any: JSONNode([:])
    case .rule(let rule, let use): JSONNode(.object(rule.schema(use, isOpen: isOpen(use))))
    case .table(let table, let use, let others): node(table, use, others)
    case .object(let members, let use): object(members, use)
    case .list(let items, isFilled: false): JSONNode(["type": "array", "items": node(items)])
    case .list(let items, isFilled: true):
      JSONNode(["type": "array", "items": node(items), "minItems": 1])
    case .map(let values): JSONNode(["type": "object", "additionalProperties": node(values)])
    case .oneOf(let schemas): JSONNode(["oneOf": JSONNode(.list(schemas.map { node($0) }))])
    case .nullable(let schema): nullable(node(schema))
    case .described(let schema, let text): described(node(schema), text)
    case .named(let name, let schema): reference(name, node(schema))
    }
  }

  private mutating func reference(_ name: String, _ node: JSONNode) -> JSONNode {
    if let known = nodes[name] {
      precondition(known.bytes == node.bytes, "two schemas are named \(name)")
    }
    nodes[name] = node
    return JSONNode(["$ref": JSONNode(.text("#/components/schemas/\(name)"))])
  }

  private func isOpen(_ use: JSONSchema.Use) -> Bool { use == .answer && !isStrict }

  private mutating func object(
    _ members: [JSONSchema.Member], _ use: JSONSchema.Use
  ) -> JSONNode {
    let required = members.filter(\.isRequired).map { JSONNode(.text($0.name)) }
    let properties = members.map { JSONNode.Member($0.name, node($0.schema)) }
    var object: [JSONNode.Member] = [
      JSONNode.Member("type", "object"),
      JSONNode.Member("properties", JSONNode(.object(properties))),
      // Some generators take an object that does not say so for a closed one.
      JSONNode.Member("additionalProperties", JSONNode(.flag(isOpen(use)))),
    ]
    if !required.isEmpty { object.append(JSONNode.Member("required", JSONNode(.list(required)))) }
    return JSONNode(.object(object))
  }

  private mutating func node(
    _ table: TableShape, _ use: JSONSchema.Use, _ others: [String: JSONSchema]
  ) -> JSONNode {
    let schema = object(
      table.members(for: use).map { member in
        guard let other = others[member.name] else { return member }
        return JSONSchema.Member(
          member.name, .oneOf([member.schema, other]), isRequired: member.isRequired)
      }, use)
    guard let name = table.name else { return schema }
    return switch use {
    case .answer: reference(name, schema)
    // “NewEpisode” would collide with the function of that name that generators for Go make for the type “Episode”.
    case .new: reference("\(name)Input", schema)
    case .patch: reference("\(name)Patch", schema)
    }
  }

  private func nullable(_ node: JSONNode) -> JSONNode {
    guard case .object(var members) = node.value,
      let place = members.firstIndex(where: { $0.name == "type" })
    else { return JSONNode(["oneOf": [node, JSONNode(["type": "null"])]]) }
    members[place] = JSONNode.Member("type", [members[place].node, "null"])
    if let place = members.firstIndex(where: { $0.name == "enum" }),
      case .list(let names) = members[place].node.value
    {
      members[place] = JSONNode.Member("enum", JSONNode(.list(names + [JSONNode(.null)])))
    }
    return JSONNode(.object(members))
  }

  private func described(_ node: JSONNode, _ text: String) -> JSONNode {
    guard case .object(let members) = node.value else { return node }
    return JSONNode(
      .object(
        members.filter { $0.name != "description" } + [
          JSONNode.Member("description", JSONNode(.text(text)))
        ]))
  }
}

extension TableShape {
  /// The members of an object with its fields.
  ///
  /// - Parameters:
  ///   - known: required fields that need not be given.
  ///   - wanted: fields that have to be given, although the thing may do without them.
  package func members(
    for use: JSONSchema.Use, knowing known: Set<String> = [], requiring wanted: Set<String> = []
  ) -> [JSONSchema.Member] {
    fields.filter { use == .answer || !$0.shape.isAdded }.map { field in
      let isWanted = wanted.contains(field.shape.name)
      let isRequired =
        switch use {
        case .answer: field.shape.isAlways
        case .new: isWanted || field.shape.isRequired && !known.contains(field.shape.name)
        case .patch: false
        }
      return JSONSchema.Member(
        field.shape.name, isWanted ? .rule(field.shape.rule, use) : field.schema(use),
        isRequired: isRequired)
    }
  }
}

extension PartShape {
  fileprivate func schema(_ use: JSONSchema.Use) -> JSONSchema {
    guard let table else { return schema ?? shape.schema(use) }
    // A part is read whole.
    let inner = JSONSchema.table(table, use == .answer ? .answer : .new)
    let schema = if case .list = shape.rule { JSONSchema.list(inner) } else { inner }
    return shape.isNullable ? .nullable(schema) : schema
  }
}

extension Shape {
  /// The schema of its value, which may be null where that clears it.
  package func schema(_ use: JSONSchema.Use) -> JSONSchema {
    let mayBeNull = use == .answer ? isNullable : !isRequired
    guard mayBeNull else { return .rule(isRequired ? rule.filled : rule, use) }
    return .nullable(.rule(use == .answer ? rule : rule.blankable, use))
  }
}

extension JSONNode {
  package var bytes: [UInt8] {
    var json = JSONWriter()
    json.write(self)
    return json.bytes
  }
}

extension Rule {
  /// The members of its schema. Requests learn more than the readers of answers, who can rely on the type.
  ///
  /// - Parameter isOpen: whether values that are not taken today may come: those that are taken stand in the description
  ///   then.
  fileprivate func schema(_ use: JSONSchema.Use, isOpen: Bool) -> [JSONNode.Member] {
    func member(_ name: String, _ node: JSONNode) -> JSONNode.Member { .init(name, node) }
    switch self {
    case .flag: return [member("type", "boolean")]
    case .whole(let range):
      // Many languages have smaller integers, unless they are told.
      let isLarge = range.lowerBound < Int32.min || range.upperBound > Int32.max
      return [member("type", "integer")] + (isLarge ? [member("format", "int64")] : [])
        + limits(
          range.lowerBound == .min ? nil : .whole(range.lowerBound),
          range.upperBound == .max ? nil : .whole(range.upperBound), isOpen: isOpen)
    case .number(let range, let step):
      let isBounded = range.upperBound < .greatestFiniteMagnitude
      return [member("type", "number")]
        + limits(
          .number(range.lowerBound), isBounded ? .number(range.upperBound) : nil, isOpen: isOpen)
        + (isOpen ? [] : step.map { [member("multipleOf", JSONNode(.number($0)))] } ?? [])
    case .choice(let names) where isOpen:
      return [
        member("type", "string"),
        member(
          "description", JSONNode(.text("Known values: \(names.joined(separator: ", "))."))),
      ]
    case .choice(let names):
      return [
        member("type", "string"),
        member("enum", JSONNode(.list(names.map { JSONNode(.text($0)) }))),
      ]
    case .written(let form):
      return [member("type", "string")]
        + (form.format.map { [member("format", JSONNode(.text($0)))] } ?? [])
        + (form.pattern.map { [member("pattern", JSONNode(.text($0)))] } ?? [])
        + ((use == .answer ? form.about : form.takes.asSentence).map {
          [member("description", JSONNode(.text($0)))]
        } ?? [])
    case .object:
      return [member("type", "object")] + (isOpen ? [member("additionalProperties", true)] : [])
    case .members:
      let types: JSONNode = ["boolean", "number", "string"]
      let values: JSONNode = use == .patch ? ["boolean", "number", "string", "null"] : types
      return [
        member("type", "object"), member("additionalProperties", JSONNode(["type": values])),
      ]
    case .list(let rule):
      return [
        member("type", "array"),
        member("items", JSONNode(.object(rule.schema(use, isOpen: isOpen)))),
      ]
    case .line, .text, .notes, .verbatim:
      return [member("type", "string")] + (use == .answer ? [] : textSchema)
    }
  }

  /// The ends of its range. No amount is ever below zero; others may be beyond today's range one day.
  private func limits(
    _ lowest: Scalar?, _ highest: Scalar?, isOpen: Bool
  ) -> [JSONNode.Member] {
    let isAmount = lowest == .whole(0) || lowest == .number(0)
    let ends = isOpen ? [isAmount ? lowest : nil, nil] : [lowest, highest]
    let range =
      switch (lowest, highest) {
      case (_, _?): takes(.json)
      case (let lowest?, nil) where !isAmount: "\(lowest.shown) or more"
      default: ""
      }
    return zip(["minimum", "maximum"], ends).compactMap { name, end in
      end.map { JSONNode.Member(name, JSONNode(of: $0)) }
    }
      + (isOpen && !range.isEmpty
        ? [JSONNode.Member("description", JSONNode(.text(range.asSentence)))] : [])
  }

  private var textSchema: [JSONNode.Member] {
    func pattern(_ pattern: String) -> JSONNode.Member {
      .init("pattern", JSONNode(.text(pattern)))
    }
    let (white, nul) = (Self.white, #"\u0000"#)
    switch self {
    case .line(let limit):
      let length = limit == .max ? "" : " of at most \(limit) characters, as people count them"
      // White space around it is removed before it is checked.
      let (control, inner) = (Self.control, "\(white)\(Self.control)")
      return [
        pattern("^[\(white)]*[^\(inner)]([^\(control)]*[^\(inner)])?[\(white)]*$"),
        JSONNode.Member("description", JSONNode(.text("One line\(length)."))),
      ]
    case .verbatim: return [pattern("^[^\(nul)]*[^\(white)\(nul)][^\(nul)]*$")]
    default: return [pattern("^[^\(nul)]*$")]
    }
  }

  /// The characters with the property White_Space, in a class of a regular expression.
  private static let white =
    #"\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"#
  private static let control = #"\u0000-\u001f\u007f-\u009f"#

  /// The same for a field that may be absent, as a blank text is taken as absent.
  fileprivate var blankable: Rule { if case .verbatim = self { .text } else { self } }

  /// The same for a field that may not be absent, as a blank text counts as absent.
  fileprivate var filled: Rule {
    switch self {
    case .text, .notes: .verbatim
    default: self
    }
  }
}

extension String {
  /// Words that follow `takes`, as a sentence.
  fileprivate var asSentence: String { prefix(1).uppercased() + dropFirst() + "." }
}
