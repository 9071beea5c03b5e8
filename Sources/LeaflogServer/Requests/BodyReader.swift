internal import Documents
internal import Fields
internal import Foundation
internal import Hummingbird
internal import Leaflog
internal import NIOCore

/// The fields of a request's JSON body, each read once. Fields that nobody reads are refused, as a misspelt field would
/// otherwise be ignored silently.
struct BodyReader {
  /// The largest body that is not a photo: a note of a million characters.
  static let maxByteCount = 1 << 20

  private var fields: [String: JSONNode] = [:]

  /// Creates a reader of an empty body.
  init() {}

  /// - Parameter bytes: a JSON object; empty input counts as an empty one.
  init(_ bytes: [UInt8]) throws {
    guard !bytes.isEmpty else { return }
    let node: JSONNode
    do throws(JSONFailure) { node = try JSONNode(parsing: bytes) } catch {
      throw Self.refusal("The body is not JSON that can be read: \(error.reason)")
    }
    guard case .object(let members) = node.value else {
      throw Self.refusal("The body must be a JSON object, not \(node.kind).")
    }
    // Names occur once, as the parser has checked.
    fields = Dictionary(members.map { ($0.name, $0.node) }) { $1 }
  }

  /// The bytes of a body that has to be JSON.
  ///
  /// A form on another site can send text without permission, but not JSON.
  static func bytes(
    of request: Request, upTo maxByteCount: Int = maxByteCount
  ) async throws -> [UInt8] {
    let tooLarge = Problem(.contentTooLarge, "The body is larger than \(maxByteCount) bytes.")
    let said = request.headers[.contentLength].flatMap { Int($0) }
    // A body that is announced as too large is not read.
    if let said, said > maxByteCount { throw tooLarge }
    let type = request.headers[.contentType]?.prefix { $0 != ";" }.lowercased()
      .trimmingCharacters(in: .whitespaces)
    let isJSON = type == "application/json" || type == "application/merge-patch+json"
    guard isJSON || (said ?? 0) == 0 else { throw notJSON }
    let buffer: ByteBuffer
    do { buffer = try await request.body.collect(upTo: maxByteCount) } catch is NIOTooManyBytesError
    {
      throw tooLarge
    }
    guard isJSON || buffer.readableBytes == 0 else { throw notJSON }
    return Array(buffer.readableBytesView)
  }

  private static let notJSON = Problem(
    .unsupportedMediaType, "The body must be application/json.")

  /// The value of the only field of a body.
  static func text(_ name: String, of request: Request) async throws -> String {
    var reader = try BodyReader(await bytes(of: request, upTo: 16_384))
    let text = try reader.requiredText(name)
    try reader.finish()
    return text
  }

  static func refusal(_ text: String) -> LeaflogError { LeaflogError(.invalidRequest, text) }

  /// All fields together, none of which is an object.
  func scalars() throws -> [String: Scalar] {
    try fields.mapValues { node in
      guard let scalar = node.scalar else { throw Self.refusal("No field takes \(node.kind).") }
      return scalar
    }
  }

  /// The value of a field, null included; nil when it is absent.
  mutating func value(_ name: String) -> JSONNode? { fields.removeValue(forKey: name) }

  /// A text; nil when it is absent or null.
  mutating func text(_ name: String) throws -> String? {
    guard let node = value(name) else { return nil }
    switch node.value {
    case .null: return nil
    case .text(let text): return text
    default: throw Self.refusal("“\(name)” must be a string, not \(node.kind).")
    }
  }

  /// A required text.
  mutating func requiredText(_ name: String) throws -> String {
    guard let text = try text(name) else { throw Self.refusal("“\(name)” is missing.") }
    return text
  }

  /// The change to a text: nil when it is absent, an empty text for null.
  mutating func textChange(_ name: String) throws -> String? {
    guard fields[name] != nil else { return nil }
    return try text(name) ?? ""
  }

  /// The change to a value written as text: nil when it is absent, `.some(nil)` for null.
  mutating func change<Value>(
    _ name: String, like example: String, _ read: (String) -> Value?
  ) throws -> Value?? {
    guard fields[name] != nil else { return nil }
    return .some(try parsed(name, like: example, read))
  }

  /// A value written as text; nil when it is absent or null.
  mutating func parsed<Value>(
    _ name: String, like example: String, _ read: (String) -> Value?
  ) throws -> Value? {
    guard let text = try text(name) else { return nil }
    guard let value = read(text) else {
      throw Self.refusal("“\(name)” must be a value such as \(example).")
    }
    return value
  }

  mutating func time(_ name: String) throws -> RecordedTime? {
    try parsed(name, like: "2026-03-01T09:30") { RecordedTime($0)?.withKnownDay }
  }

  /// The time of a photo, of which a month or a year may be all that is known.
  mutating func captureTime(_ name: String) throws -> RecordedTime? {
    try parsed(name, like: "2026-03-01T09:30") { RecordedTime($0) }
  }

  mutating func day(_ name: String) throws -> LocalDay? {
    try parsed(name, like: "2026-03-01") { LocalDay($0) }
  }

  mutating func flag(_ name: String) throws -> Bool? {
    guard let node = value(name) else { return nil }
    switch node.value {
    case .null: return nil
    case .flag(let flag): return flag
    default: throw Self.refusal("“\(name)” must be true or false, not \(node.kind).")
    }
  }

  mutating func wholeNumber(_ name: String) throws -> Int? {
    guard let node = value(name) else { return nil }
    switch node.value {
    case .null: return nil
    case .whole(let whole): return whole
    default: throw Self.refusal("“\(name)” must be an integer, not \(node.kind).")
    }
  }

  /// A list of texts; nil when it is absent, an empty one for null.
  mutating func texts(_ name: String) throws -> [String]? {
    guard let node = value(name) else { return nil }
    switch node.value {
    case .null: return []
    case .list(let items):
      return try items.map {
        guard case .text(let text) = $0.value else {
          throw Self.refusal("“\(name)” must be a list of strings, but contains \($0.kind).")
        }
        return text
      }
    default: throw Self.refusal("“\(name)” must be a list of strings, not \(node.kind).")
    }
  }

  mutating func days(_ name: String) throws -> [LocalDay]? {
    try texts(name)?.map {
      guard let day = LocalDay($0) else {
        throw Self.refusal("“\(name)” must be days such as 2026-03-01.")
      }
      return day
    }
  }

  /// The changes to a part, such as `episode`; nil when it is absent.
  mutating func patch<Thing: Fielded>(
    _ name: String, of _: Thing.Type = Thing.self
  ) throws(InvalidValue) -> Patch<Thing>? {
    guard let node = value(name) else { return nil }
    return try Patch(node, named: name)
  }

  /// The fields that have not been read, as the changes to one thing.
  mutating func rest<Thing: Fielded>(of _: Thing.Type = Thing.self) throws(InvalidValue)
    -> Patch<Thing>
  {
    defer { fields = [:] }
    let members = fields.sorted { $0.key < $1.key }.map { JSONNode.Member($0.key, $0.value) }
    return try Patch(JSONNode(.object(members)), named: "")
  }

  /// Refuses fields that have not been read.
  func finish() throws {
    guard let name = fields.keys.min() else { return }
    throw Self.refusal("Unknown field “\(name)”.")
  }
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
