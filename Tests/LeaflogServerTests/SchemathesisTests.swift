import Foundation
import Leaflog
import LeaflogServer
import TestSupport
import Testing

/// schemathesis (PyPI) makes requests of all kinds from the description, right ones and wrong ones, alone and in
/// sequences, and compares the answers with it. `.ci/run` installs it.
@Suite(.enabled(if: schemathesis != nil, "schemathesis is not installed"), .serialized)
struct SchemathesisTests {
  /// The routes that destroy or administer.
  private static let dangerous = "^/(jobs|settings|tokens)(/|$)"

  @Test func `no answer is other than described`() async throws {
    let folder = try TemporaryFolder()
    let library = try Library.create(at: folder.file("library"))
    _ = try await Importer(library).run(ImportRequest(paths: [Fixtures.path("Photos/monstera")])) {
      _ in
    }
    _ = try library.activities.add(
      ActivityDetails(name: "Water basil", startFrom: library.today))
    _ = try library.diary.addSymptom(Symptom(name: "headache", severity: Severity(2)))
    try library.close()
    // The stream of commits has no end.
    try await fuzz(
      library, folder, ["--exclude-path-regex", Self.dangerous, "--exclude-path", "/events"])
  }

  @Test func `no answer of a route that destroys or administers is other than described`()
    async throws
  {
    let folder = try TemporaryFolder()
    let library = try Library.create(at: folder.file("library"))
    try library.close()
    try await fuzz(library, folder, ["--include-path-regex", Self.dangerous])
  }

  @Test func `each example is right by its schema, which describes all of its fields`() async throws
  {
    let folder = try TemporaryFolder()
    let library = try Library.create(at: folder.file("library"))
    let strict = try await LeaflogServer(library).strictDescription()
    try library.close()
    let description = try folder.write(Data(strict.utf8), to: "openapi.json")
    let python = URL(filePath: schemathesis ?? "").deletingLastPathComponent().path + "/python"
    let script = """
      import json, sys
      from jsonschema_rs import validator_for
      components = json.load(open(sys.argv[1]))["components"]
      for name, schema in components["schemas"].items():
          place = {"$ref": "#/components/schemas/" + name, "components": components}
          for example in schema["examples"]:
              for error in validator_for(place).iter_errors(example):
                  print(name, error.message[:200])
      """
    let run = try Command(library: library.path)
      .start(["-c", script, description], program: python).wait()
    #expect(run.status == 0 && run.output.isEmpty, "\(run.output)\(run.error)")
  }

  /// Fuzzes a service in a process of its own, which does not share its threads with other tests.
  private func fuzz(
    _ library: Library, _ folder: TemporaryFolder, _ arguments: [String]
  ) async throws {
    // It finds what is not described in answers that are closed.
    let strict = try await LeaflogServer(library).strictDescription()
    let narrowed = Self.narrowedRequests(try Description(strict).document)
    let description = try folder.write(
      JSONSerialization.data(withJSONObject: narrowed), to: "openapi.json")
    var command = Command(library: library.path)
    command.folder = folder.path
    let service = try command.start(["serve", "--port", "0", "--json"])
    let line = try #require(service.output.next())
    let started = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    let address = try #require(started?["address"] as? String)
    let run = try await withTaskExecutorPreference(Threads()) { [command] in
      try command.start(
        [
          "--config-file", Fixtures.path("schemathesis.toml"), "run", description, "--url",
          address + "api/v1", "--max-examples", "5", "--seed", "1",
          // Other tests keep the processor busy.
          "--request-timeout", "600", "--continue-on-failure", "--no-color",
        ] + arguments, program: schemathesis ?? ""
      ).wait()
    }
    #expect(run.status == 0, "\(run.output)")
    service.process.terminate()
    #expect(service.wait().status == 0)
  }

  /// The description with fewer values in what it says of requests.
  private static func narrowedRequests(_ document: [String: Any]) -> [String: Any] {
    var document = document
    var paths = document["paths"] as? [String: [String: [String: Any]]] ?? [:]
    for (path, methods) in paths {
      for (method, operation) in methods {
        for part in ["parameters", "requestBody"] {
          paths[path]?[method]?[part] = operation[part].map { narrowed($0) }
        }
        paths[path]?[method]?["responses"] = operation["responses"].map { withoutFiles($0) }
      }
    }
    var components = document["components"] as? [String: Any] ?? [:]
    components["parameters"] = components["parameters"].map { narrowed($0) }
    var schemas = components["schemas"] as? [String: Any] ?? [:]
    for (name, schema) in schemas where name.hasSuffix("Input") || name.hasSuffix("Patch") {
      schemas[name] = narrowed(schema)
    }
    components["schemas"] = schemas
    (document["paths"], document["components"]) = (paths, components)
    return document
  }

  /// Answers without the schemas of files and events, which schemathesis would read as JSON.
  private static func withoutFiles(_ answers: Any) -> Any {
    guard var answers = answers as? [String: [String: Any]] else { return answers }
    for (status, answer) in answers {
      guard let content = answer["content"] as? [String: Any] else { continue }
      answers[status]?["content"] = Dictionary(
        uniqueKeysWithValues: content.map { ($0, $0.hasSuffix("json") ? $1 : [String: Any]()) })
    }
    return answers
  }

  /// A part of the description with fewer values in some places: those of which a fuzzer knows that they are right,
  /// whatever the day is, and whatever zones there are.
  private static func narrowed(_ value: Any) -> Any {
    if let values = value as? [Any] { return values.map { narrowed($0) } }
    guard var object = value as? [String: Any] else { return value }
    for (name, part) in object { object[name] = narrowed(part) }
    if object["description"] as? String == "Entries of one kind." { object["minItems"] = 1 }
    // schemathesis does not know the format.
    if object["format"] as? String == "int64" {
      object["minimum"] = object["minimum"] ?? Int.min
      object["maximum"] = object["maximum"] ?? Int.max
    }
    // Of a table with any names.
    if var values = object["additionalProperties"] as? [String: Any] {
      let line = ["pattern": "^\(first)\(rest){0,79}$"]
      values.merge(line) { $1 }
      (object["propertyNames"], object["additionalProperties"]) = (line, values)
    }
    guard object["type"] as? String == "string" || object["type"] is [Any] else { return object }
    let description = object["description"] as? String ?? ""
    let isNullable = object["type"] is [Any]
    if object["format"] as? String == "date" {
      (object["format"], object["pattern"]) = (nil, "^\(day)$")
    }
    if let names = names.first(where: { description.hasPrefix($0.key) })?.value {
      object["enum"] = (names as [Any]) + (isNullable ? [NSNull()] : [])
    }
    if let pattern = patterns.first(where: { description.hasPrefix($0.key) })?.value {
      object["pattern"] = pattern
    }
    if (object["pattern"] as? String)?.hasPrefix("^bytes") ?? false {
      object["pattern"] = #"^bytes ([0-9]{1,6}-[0-9]{1,6}|\*)/[0-9]{1,6}$"#
    }
    return object
  }

  private static let first = #"[!-~¡-\u02ff\u0370-\u03ff\u4e00-\u9fff]"#
  private static let rest = #"[ -~¡-\u02ff\u0370-\u03ff\u4e00-\u9fff]"#
  private static let day = "20(1[0-9]|2[0-5])-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])"
  private static let clock = "T([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?"
  private static let offset = "(Z|[+-](0[0-9]|1[0-3]):[0-5][0-9])"

  /// By the beginning of the description.
  private static let names: [String: [String]] = [
    "A time zone such as": ["Europe/Berlin", "UTC"], "A label of the setting": ["mild", "severe"],
    "One emoji": ["💧", "👩🏽‍🌾"],
  ]
  private static let patterns = [
    "One line": "^\(first)\(rest){0,99}$", "A tag of one line": "^(\(first)\(rest){0,99})?$",
    "A time such as 2026-03-01T09:30, or a day": "^\(day)(\(clock)\(offset)?)?$",
    "A time such as 2026-03-01T09:30, a day, a month":
      "^\(day)(\(clock)\(offset)?)?$|^20(1[0-9]|2[0-5])(-(0[1-9]|1[0-2]))?$",
    "Only of a photo": "^\(day)(\(clock)\(offset)?)?$",
    "A time such as 2026-03-01T09:30:00Z": "^\(day)\(clock)\(offset)$",
    "A day such as 2026-03-01, or today": "^(\(day)|today)$",
    "The number of a change": "^([1-9][0-9]{0,5}|last)$",
    "A duration such as": "^[1-9][0-9]{0,2}[wdhms]$",
    "A page's `next` or `previous`, a day": "^(\(day)|0[0-7][0-9a-hjkmnp-tv-z]{31}[048cgmrw])$",
  ]
}

private let schemathesis = (ProcessInfo.processInfo.environment["PATH"] ?? "")
  .split(separator: ":").map { "\($0)/schemathesis" }
  .first { FileManager.default.isExecutableFile(atPath: $0) }
