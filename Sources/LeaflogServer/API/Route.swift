internal import Fields
internal import HTTPTypes
internal import Hummingbird
internal import Leaflog

/// A route of the API: what it takes and what it answers.
struct Route: Sendable {
  let method: HTTPRequest.Method
  let path: RoutePath
  /// Its name among all operations.
  let operation: String
  let need: RouteNeed
  let summary: String
  let key: KeyUse
  let query: [any AnyParameter]
  /// Besides the idempotency key.
  let ownHeaders: [RequestHeader]
  let body: RouteBody
  let answers: [Answer]

  var headers: [RequestHeader] { (key.header.map { [$0] } ?? []) + ownHeaders }
}

extension Route {
  /// The statuses of the problems that it can have by its form: a path names what may not exist, a version may be another,
  /// a key may be another request's, and a body or a token may not be taken.
  var problems: Set<Int> {
    let statuses: [(when: Bool, HTTPResponse.Status)] = [
      (!query.isEmpty || body.isRead, .badRequest), (need != .open, .unauthorized),
      (need.isRight, .forbidden), (!path.parameters.isEmpty, .notFound), (key.isOnce, .conflict),
      (headers.contains { $0.name == .ifMatch }, .preconditionFailed),
      (body.isRead, .contentTooLarge), (body.isJSON, .unsupportedMediaType),
    ]
    return Set(statuses.filter(\.when).map(\.1.code))
  }
}

/// The body of a route's requests.
enum RouteBody: Sendable {
  case json(Body)
  /// Files and forms, by media type. The first is what generated clients send.
  case media([(type: String, schema: JSONSchema)], isOptional: Bool = false)

  static let none = RouteBody.json(.none)

  /// Whether it has fields, in JSON.
  var isJSON: Bool { if case .json(let body) = self { body.schema != nil } else { false } }

  fileprivate var isRead: Bool { if case .media = self { true } else { isJSON } }
}

/// A path below `/api/v1`, in which parameters stand: `"plants/\(Path.plant)/merge"`.
struct RoutePath: Sendable, ExpressibleByStringInterpolation {
  /// As OpenAPI and the router write it: `plants/{name}/merge`.
  let text: String
  let parameters: [Parameter<String>]

  struct StringInterpolation: StringInterpolationProtocol {
    var text = ""
    var parameters: [Parameter<String>] = []

    init(literalCapacity: Int, interpolationCount: Int) {}

    mutating func appendLiteral(_ literal: String) { text += literal }
    mutating func appendInterpolation(_ name: String) { text += name }

    mutating func appendInterpolation(_ parameter: Parameter<String>) {
      text += "{\(parameter.name)}"
      parameters.append(parameter)
    }
  }

  init(stringLiteral text: String) { (self.text, parameters) = (text, []) }

  init(stringInterpolation: StringInterpolation) {
    (text, parameters) = (stringInterpolation.text, stringInterpolation.parameters)
  }
}

/// A header that a request may have.
struct RequestHeader: Sendable {
  let name: HTTPField.Name
  /// Its name among the components of the description.
  let component: String
  let pattern: String?
  let isRequired: Bool
  let about: String

  /// - Parameter component: nil for the header's own name.
  init(
    _ name: HTTPField.Name, component: String? = nil, pattern: String? = nil,
    isRequired: Bool = false, _ about: String
  ) {
    (self.name, self.component) = (name, component ?? name.rawName)
    (self.pattern, self.isRequired, self.about) = (pattern, isRequired, about)
  }

  static let ifMatch = RequestHeader(
    .ifMatch, pattern: "^.+$", "The ETag that was read; other versions are rejected (412).")
  static let range = RequestHeader(
    .range, "The part that is wanted, such as `bytes=0-1023` (RFC 9110, 14.2).")
  static let ifRange = RequestHeader(
    .ifRange, "The ETag of which a part is wanted; another version is sent whole.")
  /// Those of a file.
  static let ofFile = [ifMatch, ifNoneMatch, range, ifRange]
  static let ifNoneMatch = RequestHeader(
    .ifNoneMatch, pattern: "^.+$",
    "The ETags that the client has; one of these is answered with 304 where it is read, and rejected (412) where it "
      + "is edited.")
}

/// A header of an answer.
struct AnswerHeader: Sendable {
  let name: HTTPField.Name
  let about: String

  static let eTag = AnswerHeader(name: .eTag, about: "The version, for If-Match.")
  static let change = AnswerHeader(
    name: .leaflogChange, about: "The number of the change, by which it is undone.")
  static let unsent = AnswerHeader(
    name: .leaflogUnsent,
    about:
      "Present when the change is saved on the server's machine, but not in the object store yet.")
  static let location = AnswerHeader(
    name: .location, about: "The address of what was created.")
  static let uploadOffset = AnswerHeader(
    name: .uploadOffset, about: "How many bytes have been received.")
}

extension JSONSchema {
  static let bytes = JSONSchema.rule(
    .written(TextForm(takes: "bytes", format: "binary")), .answer)

  static func answer<Document: Shown>(_: Document.Type) -> JSONSchema {
    .table(Document.shown.shape, .answer)
  }
}

/// An answer of a route, besides problems.
struct Answer: Sendable {
  let status: HTTPResponse.Status
  let about: String
  let content: [(type: String, schema: JSONSchema)]
  var headers: [AnswerHeader]
  /// Named schemas beside that of the content: of the data of events, and of the results of jobs, whose form depends on
  /// the kind of the job. They are made only for the description, as many types would delay the start.
  private(set) var others: @Sendable () -> [JSONSchema] = { [] }

  private init(
    _ status: HTTPResponse.Status, _ about: String?,
    _ content: [(type: String, schema: JSONSchema)],
    _ headers: [AnswerHeader]
  ) {
    (self.status, self.content, self.headers) = (status, content, headers)
    self.about = about ?? status.reasonPhrase
  }

  static func json(
    _ schema: JSONSchema, _ status: HTTPResponse.Status = .ok, _ about: String? = nil,
    _ headers: [AnswerHeader] = [],
    others: @autoclosure @escaping @Sendable () -> [JSONSchema] = []
  ) -> Answer {
    var answer = Answer(status, about, [("application/json", schema)], headers)
    answer.others = others
    return answer
  }

  /// The created thing, with its address.
  static func created(_ schema: JSONSchema, _ headers: [AnswerHeader] = []) -> Answer {
    json(schema, .created, nil, [.location] + headers)
  }

  static func empty(
    _ status: HTTPResponse.Status, _ about: String? = nil, _ headers: [AnswerHeader] = []
  ) -> Answer { Answer(status, about, [], headers) }

  /// A failure that is reported like a success, or as a problem.
  static func failure(
    _ status: HTTPResponse.Status, _ schema: JSONSchema, _ about: String
  ) -> Answer {
    Answer(
      status, about,
      [("application/json", schema), ("application/problem+json", .answer(Problem.self))], [])
  }

  /// Bytes, whole or in part.
  static func file(_ type: String) -> [Answer] {
    [
      Answer(.ok, "The whole file", [(type, .bytes)], [.eTag]),
      Answer(.partialContent, "A part of it", [(type, .bytes)], [.eTag]),
      Answer(.notModified, "The client has it", [], [.eTag]),
    ]
  }

  /// Server-sent events.
  ///
  /// - Parameter event: the data of each.
  static func events<Document: Shown>(_ about: String, of event: Document.Type) -> Answer {
    var answer = Answer(.ok, about, [(ServerSentEvents.mediaType, .rule(.text, .answer))], [])
    answer.others = { [.answer(event)] }
    return answer
  }

  /// Something that can be edited, or that the client has this version of it.
  static func versioned(_ schema: JSONSchema) -> [Answer] {
    [
      json(schema, .ok, nil, [.eTag]),
      Answer(.notModified, "The client has this version.", [], [.eTag]),
    ]
  }
}
