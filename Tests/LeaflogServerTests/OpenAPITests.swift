import Foundation
import Leaflog
import LeaflogServer
import TestSupport
import Testing

/// The description of the service, held in step with the service.
@Suite struct OpenAPITests {
  @Test func `the document has every route, and no other`() async throws {
    try await RunningServer.run { server in
      let document = try await server.answer("/api/v1/openapi.json").json
      let paths = try #require(document["paths"] as? [String: [String: Any]])
      let described = paths.flatMap { path, methods in
        methods.keys.map { "\($0.uppercased()) /api/v1\(path)" }
      }
      let routes = try await LeaflogServer(server.library).routes().compactMap { route in
        route.method == "HEAD" || !route.path.hasPrefix("/api/v1")
          ? nil : "\(route.method) \(route.path)"
      }
      #expect(described.sorted() == routes.sorted())
    }
  }

  /// schemathesis (PyPI) makes requests of all kinds from the document, right ones and wrong ones, alone and
  /// in sequences, and compares the answers with it.
  @Test(.enabled(if: schemathesis != nil, "schemathesis is not installed"))
  func `no answer is other than described`() async throws {
    try await RunningServer.run(importing: [Fixtures.path("Photos/monstera")]) { server in
      _ = try server.library.activities.add(
        ActivityDetails(name: "Water basil", startFrom: server.library.today))
      _ = try server.library.diary.addSymptom(Symptom(name: "headache", severity: Severity(2)))
      let address = "http://127.0.0.1:\(server.port)/api/v1"
      let folder = try TemporaryFolder()
      let narrowed = try Self.narrowed(await server.answer("/api/v1/openapi.json").json)
      let description = try folder.write(
        JSONSerialization.data(withJSONObject: narrowed), to: "openapi.json")
      let run = try await withTaskExecutorPreference(Threads()) {
        var command = Command(library: nil)
        command.folder = folder.path
        return try command.start(
          [
            "--config-file", Fixtures.path("schemathesis.toml"), "run", description,
            "--url", address, "--max-examples", "15", "--continue-on-failure", "--no-color",
            "--seed", "1",
          ], program: Self.schemathesis ?? ""
        ).wait()
      }
      #expect(run.status == 0, "\(run.output)")
    }
  }

  /// Values that a client sends, and that the service takes, are right by the description.
  @Test(arguments: [
    ("PastTime", "2026-01-15T09:30"), ("PastTime", "2026-01-31T09:30:07.25+05:45"),
    ("PastTime", "1999-12-31"), ("PastDay", "2026-01-31"), ("PastDay", "2024-02-29"),
    ("PastPhotoTime", "2026-08"), ("PastPhotoTime", "1987"), ("Line", "Фиалка"), ("Line", "サボテン"),
    ("Line", "장미"), ("Line", "वर्ड"), ("Line", "וֶרֶד"), ("Line", "وردة"), ("Line", "กุหลาบ"),
    ("Line", "Rose 🌹"), ("Line", "👩🏽‍🌾"), ("LineOrNull", "Ñandú — “x”"),
  ])
  func `what the service takes is described`(schema: String, value: String) async throws {
    try await RunningServer.run(importing: []) { server in
      let document = try await server.answer("/api/v1/openapi.json").json
      let schemas = (document["components"] as? [String: Any])?["schemas"] as? [String: Any]
      let pattern = try #require((schemas?[schema] as? [String: Any])?["pattern"] as? String)
      #expect(value.range(of: pattern, options: .regularExpression) != nil, "\(pattern)")
      let (path, body): (String, [String: Any]) =
        switch schema {
        case "PastTime":
          (
            "symptoms",
            [
              "symptom": ["name": "x", "severity": "mild"], "occurredAt": value, "allowLate": true,
            ]
          )
        case "PastDay":
          (
            "episodes",
            [
              "occurredAt": value, "episode": ["type": "cold", "endDay": value],
              "allowOverlap": true,
            ]
          )
        case "PastPhotoTime": ("uploads", ["name": "a.jpg", "byteCount": 1, "at": value])
        default: ("plants", ["name": value])
        }
      let json = String(decoding: try JSONSerialization.data(withJSONObject: body), as: UTF8.self)
      #expect(try await server.write("POST", path, json).status == 201)
    }
  }

  @Test(arguments: ["", " ", "\t", "a\nb", "\u{7F}"])
  func `a name that the service refuses is not described`(name: String) async throws {
    try await RunningServer.run(importing: []) { server in
      let document = try await server.answer("/api/v1/openapi.json").json
      let schemas = (document["components"] as? [String: Any])?["schemas"] as? [String: Any]
      let pattern = try #require((schemas?["Line"] as? [String: Any])?["pattern"] as? String)
      #expect(name.range(of: pattern, options: .regularExpression) == nil)
      let body = try JSONSerialization.data(withJSONObject: ["name": name])
      let answer = try await server.write("POST", "plants", String(decoding: body, as: UTF8.self))
      #expect((400...499).contains(answer.status))
    }
  }

  @Test func `no piece of an upload is too far into its file to be described`() async throws {
    try await RunningServer.run(importing: []) { server in
      let text = String(
        decoding: try await server.answer("/api/v1/openapi.json").body, as: UTF8.self)
      let found = try #require(text.firstMatch(of: /"pattern": ?"(\^bytes [^"]*)"/)?.output.1)
      let pattern = found.replacing("\\\\", with: "\\")
      for range in ["bytes 0-999999/4096000", "bytes 19999999-20000000/104857600", "bytes */5"] {
        #expect(range.range(of: pattern, options: .regularExpression) != nil, "\(pattern)")
      }
    }
  }

  /// The description with fewer values in some places: those of which a fuzzer knows that they are right, whatever the
  /// day is, and whatever zones there are.
  private static func narrowed(_ document: [String: Any]) throws -> [String: Any] {
    let line = #"[!-~¡-\u02ff\u0370-\u03ff\u4e00-\u9fff]"#
    let lineEnd = #"[ -~¡-\u02ff\u0370-\u03ff\u4e00-\u9fff]"#
    let day = "20(1[0-9]|2[0-5])-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])"
    let time = "T([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?(Z|[+-](0[0-9]|1[0-3]):[0-5][0-9])?"
    let month = "20(1[0-9]|2[0-5])(-(0[1-9]|1[0-2])(-(0[1-9]|1[0-9]|2[0-8])(\(time))?)?)?"
    let patterns = [
      "Line": "^\(line)\(lineEnd){0,199}$", "LineOrNull": "^\(line)\(lineEnd){0,199}$",
      "PastDay": "^\(day)$", "PastDayOrNull": "^\(day)$", "PastTime": "^\(day)(\(time))?$",
      "PastTimeOrNull": "^\(day)(\(time))?$", "PastPhotoTime": "^\(month)$",
      "PastPhotoTimeOrNull": "^\(month)$",
    ]
    var document = narrowing(document, tag: "^(\(line)\(lineEnd){0,99})?$") as? [String: Any] ?? [:]
    var components = try #require(document["components"] as? [String: Any])
    var schemas = try #require(components["schemas"] as? [String: Any])
    for (name, pattern) in patterns {
      var schema = try #require(schemas[name] as? [String: Any])
      schema["pattern"] = pattern
      schemas[name] = schema
    }
    components["schemas"] = schemas
    document["components"] = components
    return document
  }

  private static func narrowing(_ value: Any, tag: String) -> Any {
    if let values = value as? [Any] { return values.map { narrowing($0, tag: tag) } }
    guard var object = value as? [String: Any] else { return value }
    for (name, part) in object { object[name] = narrowing(part, tag: tag) }
    let description = object["description"] as? String ?? ""
    if description.hasPrefix("A name of the IANA time zone database") {
      object["enum"] = ["Europe/Berlin", "UTC"] + ((object["type"] is [Any]) ? [NSNull()] : [])
    } else if description.hasPrefix("A label of the setting severity.scales") {
      object["enum"] = ["mild", "moderate", "severe"]
    } else if description.hasPrefix("One line of at most 100 characters") {
      object["pattern"] = tag
    } else if description.hasPrefix("When the file was last modified") {
      object["pattern"] =
        "^20(1[0-9]|2[0-5])-0[1-9]-[12][0-8]T[01][0-9]:[0-5][0-9]:00Z$"
    } else if description.hasPrefix("bytes 0-1023/4096") {
      object["pattern"] = #"^bytes ([0-9]{1,6}-[0-9]{1,6}|\*)/[0-9]{1,6}$"#
    }
    return object
  }

  private static let schemathesis = (ProcessInfo.processInfo.environment["PATH"] ?? "")
    .split(separator: ":").map { "\($0)/schemathesis" }
    .first { FileManager.default.isExecutableFile(atPath: $0) }
}
