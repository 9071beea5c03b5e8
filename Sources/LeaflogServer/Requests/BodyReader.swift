package import Fields
internal import Foundation
internal import Hummingbird
internal import Leaflog
internal import NIOCore

/// The fields of a request's JSON body, as they are declared. Others are refused, as a misspelt field would otherwise
/// be ignored silently.
package struct BodyReader: Sendable {
  /// The largest body that is not a photo: a note of a million characters.
  static let maxByteCount = 1 << 20

  private let values: [String: JSONNode]
  private let names: Set<String>

  /// Creates a reader of an empty body.
  init() { (values, names) = ([:], []) }

  /// - Parameter bytes: a JSON object; empty input counts as an empty one.
  init(_ bytes: [UInt8], _ body: Body) throws {
    guard !bytes.isEmpty else {
      try self.init([], body.names)
      return
    }
    let node: JSONNode
    do throws(JSONFailure) { node = try JSONNode(parsing: bytes) } catch {
      throw Self.refusal("The body is not JSON that can be read: \(error.reason)")
    }
    guard case .object(let members) = node.value else {
      throw Self.refusal("The body must be a JSON object, not \(node.kind).")
    }
    try self.init(members, body.names)
  }

  /// - Parameter values: the fields of a body that was read before.
  init(_ values: [String: Scalar], _ parameters: [any AnyParameter]) throws {
    try self.init(
      values.map { JSONNode.Member($0.key, JSONNode(of: $0.value)) }, Set(parameters.map(\.name)))
  }

  private init(_ members: [JSONNode.Member], _ names: Set<String>) throws {
    if let name = members.map(\.name).filter({ !names.contains($0) }).min() {
      throw InvalidValue(shortened(name), .unknown(names.sorted()))
    }
    // Names occur once, as the parser has checked.
    values = Dictionary(members.map { ($0.name, $0.node) }) { $1 }
    self.names = names
  }

  /// The bytes of a body that has to be JSON.
  ///
  /// A form on another site can send text without permission, but not JSON.
  static func bytes(
    of request: Request, _ share: BodyShare, upTo maxByteCount: Int = maxByteCount
  ) async throws -> [UInt8] {
    let type = request.headers[.contentType]?.prefix { $0 != ";" }.lowercased()
      .trimmingCharacters(in: .whitespaces)
    let isJSON = type == "application/json" || type == "application/merge-patch+json"
    let said = request.headers[.contentLength].flatMap { Int($0) }
    guard isJSON || (said ?? 0) == 0 else { throw notJSON }
    let buffer = try await share.collect(request, upTo: maxByteCount)
    guard isJSON || buffer.readableBytes == 0 else { throw notJSON }
    return Array(buffer.readableBytesView)
  }

  private static let notJSON = Problem(
    .unsupportedMediaType, "The body must be application/json.")

  static func refusal(_ text: String) -> LeaflogError { LeaflogError(.invalidRequest, text) }

  /// All fields together, none of which is an object.
  func scalars() throws -> [String: Scalar] {
    try values.mapValues { node in
      guard let scalar = node.scalar else { throw Self.refusal("No field takes \(node.kind).") }
      return scalar
    }
  }

  /// Whether a field is there, null included.
  func has(_ parameter: any AnyParameter) -> Bool { node(parameter) != nil }

  private func node(_ parameter: any AnyParameter) -> JSONNode? {
    precondition(names.contains(parameter.name), "\(parameter.name) is declared")
    return values[parameter.name]
  }

  /// The value of a field, or its standard; nil when it is absent or null.
  package func value<Value>(_ parameter: Parameter<Value>) throws(InvalidValue) -> Value? {
    guard let node = node(parameter) else { return try parameter.absent() }
    return try parameter.read(node)
  }

  /// The value of a field that is required, or has a standard.
  package func known<Value>(_ parameter: Parameter<Value>) throws(InvalidValue) -> Value {
    guard let value = try value(parameter) else {
      preconditionFailure("\(parameter.name) is required or has a standard")
    }
    return value
  }

  /// The value of a field that is there where it is chosen; nil when it is absent.
  func choice<Value>(_ parameter: Parameter<Value>) throws(InvalidValue) -> Value? {
    guard let node = node(parameter) else { return nil }
    return try parameter.read(node)
  }

  /// The change to a value: nil when it is absent, `.some(nil)` for null.
  func change<Value>(_ parameter: Parameter<Value>) throws(InvalidValue) -> Value?? {
    guard let node = node(parameter) else { return nil }
    return .some(try parameter.read(node))
  }

  /// The change to a text: nil when it is absent, an empty text for null.
  func textChange(_ parameter: Parameter<String>) throws(InvalidValue) -> String? {
    try change(parameter).map { $0 ?? "" }
  }

  /// The change to a list: nil when it is absent, an empty one for null.
  func listChange<Item>(_ parameter: Parameter<[Item]>) throws(InvalidValue) -> [Item]? {
    try change(parameter).map { $0 ?? [] }
  }

  /// The changes to a part; nil when it is absent.
  func patch<Thing>(_ part: Part<Thing>) throws(InvalidValue) -> Patch<Thing>? {
    guard let node = node(part) else {
      if part.shape.isRequired { _ = try part.shape.absent(in: .json) }
      return nil
    }
    return try Patch(node, named: part.name)
  }

  /// The part itself, for those who read it in a form of their own.
  func object<Thing>(_ part: Part<Thing>) -> JSONNode? { node(part) }

  /// The fields of a thing, besides those of the body's own.
  func patch<Thing: Fielded>(of _: Thing.Type = Thing.self) throws(InvalidValue) -> Patch<Thing> {
    let fields = Thing.fields.names + Thing.fields.formerNames.keys
    precondition(names.isSuperset(of: fields), "the thing is declared")
    let members = values.filter { fields.contains($0.key) }.sorted { $0.key < $1.key }
    return try Patch(
      JSONNode(.object(members.map { JSONNode.Member($0.key, $0.value) })), named: "")
  }
}

/// The fields of bodies that several routes have.
enum BodyField {
  static let notes = Parameter<String>("notes", .notes)
  static let tags = Parameter<[String]>("tags", .tags)
  static let plant = Parameter<String>("plant", .text, "A plant's name or id.")
  static let time = Parameter<RecordedTime>("occurredAt", .time)
  static let day = Parameter<LocalDay>("occurredAt", .day)
  static let allowOverlap = Parameter<Bool>(
    "allowOverlap", .flag, standard: false, "Confirms an episode that overlaps another.")
  static let allowFuture = Parameter<Bool>(
    "allowFuture", .flag, standard: false, "Confirms a time in the future.")
  static let ids = Parameter<[String]>(
    "ids", .references, isRequired: true, "Entries of one kind.")
  static let mood = Parameter<Mood>("mood", .choice)
}

extension Kind<[String]> {
  fileprivate static let references = Kind(
    .list(
      .written(
        TextForm(takes: "an id, or an unambiguous start of it", pattern: #"^[^\u0000]+$"#))))

  /// Tags, in their order. A blank one counts as none.
  static let tags = Kind(
    .list(
      .written(
        TextForm(
          takes: "a tag of one line with at most 100 characters",
          pattern: #"^\s*[^\u0000-\u001f\u007f-\u009f]*\s*$"#))))
}

extension BodyReader {
  static let textWithNUL = refusal("Text must not contain the character U+0000.")
}

extension JSONNode {
  /// The kind of value in words, to follow "not".
  var kind: String {
    switch value {
    case .null: "null"
    case .flag: "true or false"
    case .whole, .number, .oversized: "a number"
    case .text: "a string"
    case .list: "a list"
    case .object: "an object"
    }
  }
}
