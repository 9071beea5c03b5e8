/// The fields of a thing that a request, a form or a command changes: each is set or cleared, and all others are kept. Of a
/// field with a value for each name, the names that are not given keep theirs.
package struct Patch<Thing: Fielded>: Sendable {
  private var changes: [String: Scalar] = [:]
  /// The object's name in messages; empty for a whole body.
  private var name = ""

  package init() {}

  package var isEmpty: Bool { changes.isEmpty }

  /// Whether a field is changed.
  package func names(_ name: String) -> Bool { changes[name] != nil }

  /// Sets a field to a value, which is checked now; null clears it.
  package mutating func set(
    _ name: String, _ value: Scalar, from form: WrittenForm = .typed
  ) throws(InvalidValue) {
    let field = try Self.field(name)
    if case .members = field.rule {
      changes[name] = try field.shape.checked(value, in: form)
      return
    }
    var trial = Thing.blank
    try field.put(value, in: &trial, from: form)
    changes[name] = field.get(trial)
  }

  /// Sets a field to a typed text; an empty one clears it.
  package mutating func set(_ name: String, text: String?) throws(InvalidValue) {
    let rule = try Self.field(name).rule
    try set(name, text?.tidied.map(rule.parsed) ?? .null)
  }

  /// Sets the fields that have a text.
  package mutating func set(typed texts: [(name: String, text: String?)]) throws(InvalidValue) {
    for case (let name, let text?) in texts { try set(name, text: text) }
  }

  private static func field(_ name: String) throws(InvalidValue) -> Field<Thing> {
    guard let field = Thing.fields[name] else {
      throw InvalidValue(name, .unknown(Thing.fields.names))
    }
    return field
  }

  /// Reads a merge patch (RFC 7396): null clears a field, and absent ones are kept.
  ///
  /// - Parameter name: the object's name in messages; empty for a whole body.
  package init(_ node: JSONNode, named name: String) throws(InvalidValue) {
    self.name = name
    guard case .object(let members) = node.value else {
      throw InvalidValue(name, .notTaken("an object"), given: node.given, at: node.offset)
    }
    for member in members {
      do throws(InvalidValue) {
        let field = try Thing.fields.field(of: member)
        guard changes[field.name] == nil else { throw field.givenTwice }
        if case .members = field.rule {
          try set(field.name, member.node.scalar(for: field.shape), from: .json)
          continue
        }
        var trial = Thing.blank
        try field.read(member.node, into: &trial)
        changes[field.name] = field.get(trial)
      } catch { throw inside(error, at: member.node.offset) }
    }
  }

  /// An error of one of its fields, which names the object, too.
  private func inside(_ error: InvalidValue, at offset: Int? = nil) -> InvalidValue {
    name.isEmpty ? error : error.within(name, at: offset)
  }

  /// The thing with the changes made, in the order of the table.
  package func applied(to thing: Thing) -> Thing {
    var thing = thing
    for field in Thing.fields.all {
      guard let value = changes[field.name] else { continue }
      precondition(field.restore(value, in: &thing), "the value was checked")
    }
    return thing
  }

  /// A new thing.
  ///
  /// - Parameters:
  ///   - blank: the values of the fields that the patch does not name.
  ///   - known: the required fields that `blank` has a value of.
  /// - Throws: `InvalidValue` for the first other required field that the patch does not name.
  package func made(
    from blank: Thing = .blank, with known: Set<String> = []
  ) throws(InvalidValue) -> Thing {
    let absent = Thing.fields.all.first {
      $0.shape.isRequired && changes[$0.name] == nil && !known.contains($0.name)
    }
    if let absent { throw inside(InvalidValue(absent.name, .missing(absent.rule.takes(.json)))) }
    return applied(to: blank)
  }
}

extension Field {
  /// The same field, whose values are also read under its former name.
  package func formerly(_ name: String) -> Field {
    var field = self
    field.formerName = name
    return field
  }

  /// The error for a value under both names.
  package var givenTwice: InvalidValue {
    InvalidValue(
      name, .sentence("“\(formerName ?? name)” is the former name of “\(name)”: give one of them."))
  }
}

extension Fields {
  /// The former names of fields, and their names of today.
  package var formerNames: [String: String] {
    Dictionary(all.compactMap { field in field.formerName.map { ($0, field.name) } }) { $1 }
  }
}
