internal import Fields
internal import HTTPTypes
internal import Hummingbird
internal import Synchronization

/// The description of the service (OpenAPI 3.1), made of its routes.
enum OpenAPI {
  /// The route of the description itself, behind all others.
  ///
  /// - Parameter address: that of the API.
  static func addRoute(to api: API, at address: String) {
    let route = Route(
      method: .get, path: "openapi.json", operation: "description", need: .anyToken,
      summary: "This document",
      key: .ignored, query: [], ownHeaders: [], body: .none,
      answers: [.json(.rule(.object, .answer))])
    let routes = api.routes + [route]
    let document = Once { text(of: routes, at: address) }
    api.add(route) { _ in
      Response(
        status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-cache"],
        body: ResponseBody(byteBuffer: ByteBuffer(string: document.text)))
    }
  }

  /// The description as text, in lines.
  ///
  /// - Parameter isStrict: whether answers have no other fields and values than those of today, so that a test finds what
  ///   is not described.
  static func text(of routes: [Route], at address: String, isStrict: Bool = false) -> String {
    var json = JSONWriter(level: 0, capacity: 1 << 18)
    json.write(document(of: routes, at: address, isStrict: isStrict))
    return String(decoding: json.bytes, as: UTF8.self) + "\n"
  }

  private static func document(
    of routes: [Route], at address: String, isStrict: Bool
  ) -> JSONNode {
    var schemas = SchemaWriter(isStrict: isStrict)
    let paths = paths(of: routes, &schemas)
    let asked = Self.named(routes.flatMap(\.headers), by: \.component) { header($0) }
    let answered = Self.named(
      routes.flatMap { $0.answers.flatMap(\.headers) }, by: \.name.rawName
    ) { header in
      JSONNode(["description": text(header.about), "schema": JSONNode(["type": "string"])])
    }
    let problem = JSONNode([
      "description": "It could not be done; the problem says why.",
      "content": JSONNode([
        "application/problem+json": JSONNode(["schema": schemas.node(.answer(Problem.self))])
      ]),
    ])
    return JSONNode([
      "openapi": "3.1.0",
      "info": JSONNode([
        "title": "Leaflog", "version": "1",
        "description":
          "A library over HTTP. An Idempotency-Key makes a write happen only once; operations whose answers have a secret refuse it. If-Match limits an edit to the version that was read, and each answer to a write contains the number of its change, for undoing it.",
        "license": JSONNode(["name": "MIT", "identifier": "MIT"]),
      ]),
      "servers": [JSONNode(["url": text(address)])],
      "tags": JSONNode(
        .list(tags.map { object([("name", text($0.name)), ("description", text($0.about))]) })),
      "paths": paths,
      "components": JSONNode([
        "schemas": withExamples(schemas.named), "parameters": asked, "headers": answered,
        "responses": JSONNode(["Problem": problem]),
        "securitySchemes": JSONNode(["token": JSONNode(["type": "http", "scheme": "bearer"])]),
      ]),
    ])
  }

  /// Schemas with the examples that tests have recorded (JSON Schema 2020-12, Validation, 9.5).
  private static func withExamples(_ schemas: JSONNode) -> JSONNode {
    guard case .text(let text)? = EmbeddedFiles.file("API/examples.json"),
      case .object(let examples)? = try? JSONNode(parsing: Array(text.utf8)).value,
      case .object(let members) = schemas.value
    else { preconditionFailure("the examples are a part of the program") }
    let known = Dictionary(uniqueKeysWithValues: examples.map { ($0.name, $0.node) })
    return object(
      members.map { schema in
        guard let example = known[schema.name], case .object(let parts) = schema.node.value else {
          return (schema.name, schema.node)
        }
        let examples = JSONNode.Member("examples", JSONNode(.list([example])))
        return (schema.name, JSONNode(.object(parts + [examples])))
      })
  }

  /// Components, once each, in the order of their names.
  private static func named<Part>(
    _ parts: [Part], by name: (Part) -> String, _ node: (Part) -> JSONNode
  ) -> JSONNode {
    let parts = Dictionary(parts.map { (name($0), $0) }) { first, _ in first }
    return object(parts.sorted { $0.key < $1.key }.map { ($0.key, node($0.value)) })
  }

  private static func reference(_ kind: String, _ name: String) -> JSONNode {
    JSONNode(["$ref": text("#/components/\(kind)/\(name)")])
  }

  /// The operations of each path, in the order in which the routes were added.
  private static func paths(of routes: [Route], _ schemas: inout SchemaWriter) -> JSONNode {
    var order: [String] = []
    var operations: [String: [JSONNode.Member]] = [:]
    for route in routes {
      if operations[route.path.text] == nil { order.append(route.path.text) }
      operations[route.path.text, default: []].append(
        JSONNode.Member(route.method.rawValue.lowercased(), operation(route, &schemas)))
    }
    return object(order.map { ("/" + $0, JSONNode(.object(operations[$0] ?? []))) })
  }

  private static func operation(_ route: Route, _ schemas: inout SchemaWriter) -> JSONNode {
    let parameters =
      route.path.parameters.map { node($0, in: "path", &schemas) }
      + route.query.filter(\.isDescribed).map { node($0, in: "query", &schemas) }
      + route.headers.map { reference("parameters", $0.component) }
    var members: [(String, JSONNode)] = [
      ("operationId", text(route.operation)), ("summary", text(route.summary)),
      ("tags", [text(tag(of: route))]),
    ]
    if let note = route.key.note { members.append(("description", text(note))) }
    members.append(("security", security(route.need)))
    if !parameters.isEmpty { members.append(("parameters", JSONNode(.list(parameters)))) }
    if let body = node(route.body, &schemas) { members.append(("requestBody", body)) }
    let answers = route.answers.map { ("\($0.status.code)", node($0, &schemas)) }
    let problem = reference("responses", "Problem")
    let problems = route.problems.subtracting(route.answers.map(\.status.code)).sorted()
      .map { ("\($0)", problem) }
    members.append(("responses", object(answers + problems + [("default", problem)])))
    return object(members)
  }

  /// The subjects by which operations are grouped. The first part of a path decides.
  private static let tags: [(name: String, about: String, parts: Set<Substring>)] = [
    ("timeline", "Reading all kinds of entries", ["timeline", "search", "today", "insights"]),
    (
      "entries", "Entries of the diary, and a day's log and mood",
      ["entries", "symptoms", "episodes", "days", "tags"]
    ), ("plants", "Plants and their records", ["plants"]),
    (
      "photos", "Photos, their files, and sending them",
      ["photos", "sources", "sending", "uploads"]
    ),
    ("activities", "Recurring activities and when they were done", ["activities"]),
    ("factors", "Own fields of the daily log", ["factors"]),
    ("quotes", "Quotes and favourites", ["quotes"]),
    (
      "library", "The library as a whole: its history, settings and size",
      ["changes", "commits", "events", "settings", "stats", "about", "openapi.json"]
    ), ("access", "Tokens, sessions and messages to devices", ["tokens", "session", "push"]),
    ("jobs", "Work that takes long", ["jobs"]),
  ]

  private static func tag(of route: Route) -> String {
    let first = route.path.text.prefix { $0 != "/" }
    guard let tag = tags.first(where: { $0.parts.contains(first) }) else {
      preconditionFailure("\(route.path.text) has no subject")
    }
    return tag.name
  }

  /// The need of a route, as the name of a role (OpenAPI 3.1, 4.8.30).
  private static func security(_ need: RouteNeed) -> JSONNode {
    let roles: [JSONNode]
    switch need {
    case .open: return JSONNode(.list([]))
    case .anyToken: roles = []
    case .right(let right): roles = [text(right.rawValue)]
    }
    // A service for this machine alone needs no token.
    return JSONNode(.list([JSONNode([:]), JSONNode(["token": JSONNode(.list(roles))])]))
  }

  private static func node(
    _ parameter: any AnyParameter, in place: String, _ schemas: inout SchemaWriter
  ) -> JSONNode {
    let shape = parameter.shape
    var schema = schemas.node(.rule(shape.rule, .new))
    if case .standard(let standard) = shape.presence, case .object(let members) = schema.value {
      schema = JSONNode(.object(members + [JSONNode.Member("default", JSONNode(of: standard))]))
    }
    var members: [(String, JSONNode)] = [("name", text(shape.name)), ("in", text(place))]
    if shape.isRequired { members.append(("required", true)) }
    if let about = parameter.about { members.append(("description", text(about))) }
    return object(members + [("schema", schema)])
  }

  private static func header(_ header: RequestHeader) -> JSONNode {
    var members: [(String, JSONNode)] = [("name", text(header.name.rawName)), ("in", "header")]
    if header.isRequired { members.append(("required", true)) }
    let pattern = header.pattern.map { [("pattern", text($0))] } ?? []
    return object(
      members + [
        ("description", text(header.about)), ("schema", object([("type", "string")] + pattern)),
      ])
  }

  private static func node(_ body: RouteBody, _ schemas: inout SchemaWriter) -> JSONNode? {
    let content: [(String, JSONNode)]
    switch body {
    case .json(let body):
      guard let schema = body.schema else { return nil }
      content = [("application/json", JSONNode(["schema": schemas.node(schema)]))]
      return object([("required", JSONNode(.flag(!body.isOptional))), ("content", object(content))])
    case .media(let types, let isOptional):
      content = types.map { ($0.type, JSONNode(["schema": schemas.node($0.schema)])) }
      return object([("required", JSONNode(.flag(!isOptional))), ("content", object(content))])
    }
  }

  private static func node(_ answer: Answer, _ schemas: inout SchemaWriter) -> JSONNode {
    for schema in answer.others() { _ = schemas.node(schema) }
    var members: [(String, JSONNode)] = [("description", text(answer.about))]
    let content = answer.content.map { type, schema in
      (type, JSONNode(["schema": schemas.node(schema)]))
    }
    if !content.isEmpty { members.append(("content", object(content))) }
    let headers = answer.headers.map {
      ($0.name.rawName, reference("headers", $0.name.rawName))
    }
    if !headers.isEmpty { members.append(("headers", object(headers))) }
    return object(members)
  }

  private static func text(_ text: String) -> JSONNode { JSONNode(.text(text)) }

  private static func object(_ members: [(String, JSONNode)]) -> JSONNode {
    JSONNode(.object(members.map { JSONNode.Member($0.0, $0.1) }))
  }
}

/// A text that is made when it is first wanted.
private final class Once: Sendable {
  private let made = Mutex<String?>(nil)
  private let make: @Sendable () -> String

  init(_ make: @escaping @Sendable () -> String) { self.make = make }

  var text: String {
    made.withLock { made in
      let text = made ?? make()
      made = text
      return text
    }
  }
}
