internal import Fields

/// The fields of a request's body, which its reader takes and the description lists.
package struct Body: Sendable {
  /// All parameters that it may have.
  let parameters: [any AnyParameter]
  /// The names of all fields.
  let names: Set<String>
  /// Nil for a request without a body.
  let schema: JSONSchema?
  /// Whether a request without any field makes sense.
  let isOptional: Bool

  static let none = Body(parameters: [], names: [], schema: nil, isOptional: true)

  private init(
    parameters: [any AnyParameter], names: Set<String>, schema: JSONSchema?, isOptional: Bool
  ) {
    (self.parameters, self.names) = (parameters, names)
    (self.schema, self.isOptional) = (schema, isOptional)
  }

  /// A body with fields of its own.
  init(_ parameters: [any AnyParameter]) {
    self.init(
      parameters: parameters, names: Set(parameters.map(\.name)),
      schema: .object(parameters.map(\.member), .new),
      isOptional: !parameters.contains { $0.shape.isRequired })
  }

  /// A body with the fields of exactly one of several sets, all of them required, besides those that it has anyway.
  init(_ parameters: [any AnyParameter] = [], oneOf choices: [[any AnyParameter]]) {
    let all = parameters + choices.flatMap { $0 }
    self.init(
      parameters: all, names: Set(all.map(\.name)),
      schema: .oneOf(
        choices.map { choice in
          .object(
            parameters.map(\.member)
              + choice.map { JSONSchema.Member($0.name, $0.filledSchema, isRequired: true) }, .new)
        }), isOptional: false)
  }

  /// A body that has the fields of one of several bodies.
  init(oneOf bodies: [Body]) {
    self.init(
      parameters: bodies.flatMap(\.parameters), names: Set(bodies.flatMap(\.names)),
      schema: .oneOf(bodies.compactMap(\.schema)), isOptional: false)
  }

  /// A new thing, or the changes to one.
  ///
  /// - Parameters:
  ///   - known: required fields of the thing that a new one has anyway.
  ///   - wanted: fields that a new one needs here, although the thing may do without them.
  ///   - parameters: fields besides those of the thing.
  init<Thing: Fielded>(
    _ use: JSONSchema.Use, _: Thing.Type, knowing known: Set<String> = [],
    requiring wanted: Set<String> = [], besides parameters: [any AnyParameter] = []
  ) {
    let table = Thing.fields.shape
    let isNamed = known.isEmpty && wanted.isEmpty && parameters.isEmpty
    self.init(
      parameters: parameters,
      names: Set(Thing.fields.names + Thing.fields.formerNames.keys + parameters.map(\.name)),
      schema: isNamed
        ? .table(table, use)
        : .object(
          table.members(for: use, knowing: known, requiring: wanted) + parameters.map(\.member), use
        ),
      isOptional: use == .patch)
  }
}

extension AnyParameter {
  /// Its schema where it has to be there.
  fileprivate var filledSchema: JSONSchema {
    Shape(name, shape.rule, .required).schema(.new).described(about)
  }

  fileprivate var member: JSONSchema.Member {
    JSONSchema.Member(name, schema, isRequired: shape.isRequired)
  }
}
