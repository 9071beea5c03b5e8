internal import Documents
internal import Foundation
internal import Hummingbird
internal import Leaflog
internal import NIOCore

/// The fields of a request's JSON body, each read once. Fields that nobody reads are refused, as a misspelt field would
/// otherwise be ignored silently.
struct BodyReader {
  /// The largest body that is not a photo: a note of a million characters.
  static let maxByteCount = 1 << 20

  private var fields: [String: JSONValue] = [:]

  /// - Parameter bytes: a JSON object; empty input counts as an empty one.
  init(_ bytes: [UInt8]) throws {
    guard !bytes.isEmpty else { return }
    guard let value = JSONValue(parsing: bytes) else {
      throw Self.refusal("The body is not JSON.")
    }
    guard case .object(let fields) = value else {
      throw Self.refusal("The body must be a JSON object, not \(value.kind).")
    }
    guard !value.hasNUL else { throw Self.textWithNUL }
    self.fields = fields
  }

  /// Creates a reader of fields that do not come from a body.
  init(_ fields: [String: JSONValue]) { self.fields = fields }

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

  /// All fields together.
  var all: JSONValue { .object(fields) }

  /// The value of a field, null included; nil when it is absent.
  mutating func value(_ name: String) -> JSONValue? { fields.removeValue(forKey: name) }

  /// A text; nil when it is absent or null.
  mutating func text(_ name: String) throws -> String? {
    switch value(name) {
    case nil, .null?: return nil
    case .string(let text)?: return text
    case let other?: throw Self.refusal("“\(name)” must be a string, not \(other.kind).")
    }
  }

  /// A required text.
  mutating func requiredText(_ name: String) throws -> String {
    guard let text = try text(name) else { throw Self.refusal("“\(name)” is missing.") }
    return text
  }

  /// The change to a text: nil when it is absent, an empty text for null.
  mutating func textChange(_ name: String) throws -> String? {
    guard let value = fields[name] else { return nil }
    return try value == .null ? removed(name) : text(name)
  }

  private mutating func removed(_ name: String) -> String {
    fields[name] = nil
    return ""
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
    switch value(name) {
    case nil, .null?: return nil
    case .bool(let flag)?: return flag
    case let other?: throw Self.refusal("“\(name)” must be true or false, not \(other.kind).")
    }
  }

  mutating func wholeNumber(_ name: String) throws -> Int? {
    switch value(name) {
    case nil, .null?: return nil
    case .integer(let whole)?: return whole
    case let other?: throw Self.refusal("“\(name)” must be an integer, not \(other.kind).")
    }
  }

  /// A list of texts; nil when it is absent, an empty one for null.
  mutating func texts(_ name: String) throws -> [String]? {
    switch value(name) {
    case nil: return nil
    case .null?: return []
    case .array(let items)?:
      return try items.map {
        guard case .string(let text) = $0 else {
          throw Self.refusal("“\(name)” must be a list of strings, but contains \($0.kind).")
        }
        return text
      }
    case let other?: throw Self.refusal("“\(name)” must be a list of strings, not \(other.kind).")
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

  /// The changes to a part, such as `symptom`; nil when it is absent.
  mutating func patch(_ name: String) -> MergePatch? {
    value(name).map { MergePatch(name: name, changes: $0) }
  }

  /// The fields that have not been read, as the changes to one thing.
  mutating func rest(named name: String) -> MergePatch {
    defer { fields = [:] }
    return MergePatch(name: name, changes: all)
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

extension JSONValue {
  /// Whether a text contains the character that ends texts in SQLite: what follows it would be lost.
  var hasNUL: Bool {
    switch self {
    case .string(let text): text.utf8.contains(0)
    case .array(let values): values.contains(where: \.hasNUL)
    case .object(let fields): fields.contains { $0.key.utf8.contains(0) || $0.value.hasNUL }
    case .null, .bool, .integer, .number: false
    }
  }
}
