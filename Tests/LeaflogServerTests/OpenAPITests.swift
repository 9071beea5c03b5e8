import Foundation
import Leaflog
import LeaflogServer
import TestSupport
import Testing

/// The description of the service, held in step with the service.
@Suite struct OpenAPITests {
  /// The recorded description, whose changes can be reviewed.
  @Test func `the description is the recorded one`() async throws {
    let path = Fixtures.path("openapi.json")
    try await RunningServer.run { server in
      let served = String(
        decoding: try await server.answer("/api/v1/openapi.json").body, as: UTF8.self)
      if ProcessInfo.processInfo.environment["LEAFLOG_RECORD"] != nil {
        try served.write(toFile: path, atomically: true, encoding: .utf8)
      } else {
        let recorded = try String(contentsOfFile: path, encoding: .utf8)
        let difference = served.split(separator: "\n").difference(
          from: recorded.split(separator: "\n"))
        #expect(
          difference.isEmpty, "With LEAFLOG_RECORD=1 in the environment it is written down anew.")
      }
    }
  }

  @Test func `the document has every route, and no other`() async throws {
    let described = try Description().paths.flatMap { path, methods in
      methods.keys.map { "\($0.uppercased()) /api/v1\(path)" }
    }
    try await RunningServer.run { server in
      let routes = try await LeaflogServer(server.library).routes().compactMap { route in
        route.method == "HEAD" || !route.path.hasPrefix("/api/v1")
          ? nil : "\(route.method) \(route.path)"
      }
      #expect(described.sorted() == routes.sorted())
    }
  }

  /// Answers are open, so that a field alone that one of the forms lacks tells nothing.
  @Test
  func `an answer of several forms is told by a field that it always has and the others never`()
    throws
  {
    let description = try Description()
    var count = 0
    for forms in try description.answerForms {
      let objects = try forms.compactMap { form in
        let schema = try description.resolved(form)
        return schema["type"] as? String == "object" ? schema : nil
      }
      for (place, form) in objects.enumerated() {
        let required = Set(form["required"] as? [String] ?? [])
        for (otherPlace, other) in objects.enumerated() where otherPlace != place {
          let names = (other["properties"] as? [String: Any] ?? [:]).keys
          #expect(!required.subtracting(names).isEmpty, "\(form.keys)")
          count += 1
        }
      }
    }
    #expect(count > 4)
  }

  @Test func `requests are closed and answers are open`() throws {
    let description = try Description()
    for (name, operation) in description.operations.map({ ($0["operationId"] ?? "", $0) }) {
      for schema in try description.objects(in: operation["responses"] ?? [:]) {
        #expect(schema["additionalProperties"] as? Bool != false, "\(name)")
        #expect(schema["additionalProperties"] != nil, "\(name)")
      }
      for schema in try description.objects(in: operation["requestBody"] ?? [:])
      where schema["properties"] != nil {
        #expect(schema["additionalProperties"] as? Bool == false, "\(name)")
      }
    }
  }

  @Test(arguments: [
    ("entry", ["304", "401", "403", "404", "412"]), ("timeline", ["400", "401", "403"]),
    ("editEntry", ["400", "401", "403", "404", "409", "412", "413", "415"]),
    ("about", ["401"]), ("addToken", ["400", "401", "403", "413", "415"]),
  ])
  func `an operation names the problems that it can have by its form`(
    name: String, statuses: [String]
  ) throws {
    let answers = try #require(
      try Description().operation(name)["responses"] as? [String: Any])
    #expect(answers["default"] != nil)
    #expect(answers.keys.filter { !$0.hasPrefix("2") && $0 != "default" }.sorted() == statuses)
  }

  @Test func `each operation has one of the subjects that are listed`() throws {
    let description = try Description()
    let tags = try #require(description.document["tags"] as? [[String: String]])
    let listed = Set(tags.compactMap { $0["name"] })
    let used = description.operations.flatMap { $0["tags"] as? [String] ?? [] }
    #expect(used.count == description.operations.count && Set(used) == listed)
  }

  @Test
  func `each schema with a name has an example, and so have the results of all kinds of jobs`()
    throws
  {
    let components = try Description().document["components"] as? [String: Any]
    let schemas = try #require(components?["schemas"] as? [String: [String: Any]])
    for (name, schema) in schemas {
      #expect((schema["examples"] as? [[String: Any]])?.count == 1, "\(name)")
    }
    for kind in JobKinds.standard.all.map({ $0.name }) {
      #expect(schemas["\(kind.prefix(1).uppercased())\(kind.dropFirst())Result"] != nil)
    }
    #expect(schemas["Commit"] != nil && schemas["Job"] != nil)
  }

  @Test func `each operation has a name of its own`() throws {
    let names = try Description().operations.compactMap { $0["operationId"] as? String }
    #expect(Set(names).count == names.count)
    #expect(names.count > 60)
  }

  /// Values that a client sends, and that the service takes, are right by the description.
  @Test(arguments: [
    ("addSymptom", "occurredAt", "2026-01-15T09:30"),
    ("addSymptom", "occurredAt", "2026-01-31T09:30:07.25+05:45"),
    ("addSymptom", "occurredAt", "1999-12-31"), ("addSymptom", "occurredAt", "2026-01-31T09:30z"),
    ("beginUpload", "occurredAt", "2026-08"), ("beginUpload", "occurredAt", "1987"),
    ("beginUpload", "occurredAt", "2026-01-31T09:30:05+0545"),
    ("beginUpload", "modifiedAt", "2026-01-31T09:30:05.25+0545"), ("addPlant", "name", "Фиалка"),
    ("addPlant", "name", "サボテン"), ("addPlant", "name", "장미"), ("addPlant", "name", "वर्ड"),
    ("addPlant", "name", "וֶרֶד"), ("addPlant", "name", "وردة"), ("addPlant", "name", "กุหลาบ"),
    ("addPlant", "name", "Rose 🌹"), ("addPlant", "name", "👩🏽‍🌾"), ("addPlant", "name", " Fern\n"),
    ("addPlant", "location", "Ñandú — “x”"), ("addPlant", "location", ""),
  ])
  func `the description has everything that the service takes`(
    operation: String, field: String, value: String
  ) async throws {
    let description = try Description()
    let pattern = try description.pattern(of: field, in: operation)
    #expect(value.range(of: pattern, options: .regularExpression) != nil, "\(pattern)")
    try await RunningServer.run(importing: []) { server in
      let (path, fields): (String, [String: Any]) =
        switch operation {
        case "addSymptom":
          ("symptoms", ["symptom": ["name": "x", "severity": "mild"], "allowLate": true])
        case "beginUpload": ("uploads", ["name": "a.jpg", "byteCount": 1])
        default: ("plants", ["name": "Fern"])
        }
      let body = fields.merging([field: value]) { $1 }
      let json = String(decoding: try JSONSerialization.data(withJSONObject: body), as: UTF8.self)
      #expect(try await server.write("POST", path, json).status == 201)
    }
  }

  @Test(arguments: ["", " ", "\t", "a\nb", "\u{7F}"])
  func `a name that the service refuses is not described`(name: String) async throws {
    let pattern = try Description().pattern(of: "name", in: "addPlant")
    #expect(name.range(of: pattern, options: .regularExpression) == nil)
    try await RunningServer.run(importing: []) { server in
      let body = try JSONSerialization.data(withJSONObject: ["name": name])
      let answer = try await server.write("POST", "plants", String(decoding: body, as: UTF8.self))
      #expect((400...499).contains(answer.status))
    }
  }

  @Test func `the place of a page is described as pages name it`() async throws {
    let parameters = try #require(
      try Description().operation("timeline")["parameters"] as? [[String: Any]])
    let place = try #require(parameters.first { $0["name"] as? String == "at" })
    let pattern = try #require((place["schema"] as? [String: Any])?["pattern"] as? String)
    try await RunningServer.run { server in
      let page = try await server.answer("/api/v1/timeline?limit=2").json
      let next = try #require(page["next"] as? String)
      #expect(next.range(of: pattern, options: .regularExpression) != nil, "\(pattern)")
    }
  }

  @Test func `no piece of an upload is too far into its file to be described`() throws {
    let components = try Description().document["components"] as? [String: Any]
    let parameters = components?["parameters"] as? [String: [String: Any]]
    let schema = parameters?["Content-Range"]?["schema"] as? [String: Any]
    let pattern = try #require(schema?["pattern"] as? String)
    for range in ["bytes 0-999999/4096000", "bytes 19999999-20000000/104857600", "bytes */5"] {
      #expect(range.range(of: pattern, options: .regularExpression) != nil, "\(pattern)")
    }
  }
}

/// A description of the service.
struct Description {
  let document: [String: Any]

  /// The recorded one.
  init() throws {
    try self.init(String(contentsOfFile: Fixtures.path("openapi.json"), encoding: .utf8))
  }

  init(_ text: String) throws {
    document = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  var paths: [String: [String: [String: Any]]] {
    document["paths"] as? [String: [String: [String: Any]]] ?? [:]
  }

  var operations: [[String: Any]] { paths.values.flatMap(\.values) }

  /// A schema, wherever it stands.
  func resolved(_ schema: [String: Any]) throws -> [String: Any] {
    guard let reference = schema["$ref"] as? String else { return schema }
    let path = reference.split(separator: "/").dropFirst()
    let found = path.reduce(document as Any?) { ($0 as? [String: Any])?[String($1)] }
    return try #require(found as? [String: Any], "\(reference)")
  }

  /// All schemas of objects in a part of the description, those that it refers to included.
  func objects(in part: Any) throws -> [[String: Any]] {
    var known: Set<String> = []
    return try parts(of: part, &known).filter {
      $0["type"] as? String == "object" || $0["type"] as? [String] == ["object", "null"]
    }
  }

  /// The alternatives of each answer, or part of one, that has several.
  var answerForms: [[[String: Any]]] {
    get throws {
      var known: Set<String> = []
      let answers = operations.compactMap { $0["responses"] }
      return try parts(of: answers, &known).compactMap { $0["oneOf"] as? [[String: Any]] }
    }
  }

  private func parts(of part: Any, _ known: inout Set<String>) throws -> [[String: Any]] {
    if let parts = part as? [Any] { return try parts.flatMap { try self.parts(of: $0, &known) } }
    guard let members = part as? [String: Any] else { return [] }
    if let reference = members["$ref"] as? String {
      guard known.insert(reference).inserted else { return [] }
      return try parts(of: resolved(members), &known)
    }
    return try [members] + members.values.flatMap { try parts(of: $0, &known) }
  }

  func operation(_ name: String) throws -> [String: Any] {
    try #require(operations.first { $0["operationId"] as? String == name })
  }

  /// The regular expression of a field of an operation's body.
  func pattern(of field: String, in name: String) throws -> String {
    let body = try operation(name)["requestBody"] as? [String: Any]
    let content = body?["content"] as? [String: [String: Any]]
    let schema = try #require(content?["application/json"]?["schema"] as? [String: Any])
    let properties = try resolved(schema)["properties"] as? [String: [String: Any]]
    return try #require(properties?[field]?["pattern"] as? String)
  }
}
