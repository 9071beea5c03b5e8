import Foundation
import Leaflog
import LeaflogServer
import TestSupport
import Testing

/// Problems as programs read them (RFC 9457).
@Suite struct ProblemTests {
  private typealias Refused = (
    method: String, path: String, body: String, field: String, code: String
  )

  private static let refused: [Refused] = [
    (
      "PATCH", "days/today/log", #"{"dailyLog":{"sleepHours":13}}"#, "dailyLog.sleepHours",
      "notTaken"
    ),
    ("PATCH", "days/today/log", #"{"dailyLog":{"nap":1}}"#, "dailyLog.nap", "unknown"),
    ("POST", "symptoms", #"{"symptom":{"severity":1}}"#, "symptom.name", "missing"),
    ("POST", "symptoms", "{}", "symptom", "missing"),
    (
      "POST", "symptoms", #"{"symptom":{"name":"x","severity":"unheard"}}"#, "symptom.severity",
      "notTaken"
    ),
    ("POST", "plants", #"{"name":" "}"#, "name", "empty"),
    ("POST", "plants", #"{"name":"a\nb"}"#, "name", "severalLines"),
    ("POST", "plants", #"{"name":"fern","colour":"green"}"#, "colour", "unknown"),
    (
      "PATCH", "tags/none", #"{"name":"\#(String(repeating: "a", count: 300))"}"#, "name",
      "tooLong"
    ),
    ("POST", "factors", #"{"name":"tea","kind":"flag","unit":"cups"}"#, "unit", "notTaken"),
    ("PUT", "settings/timeZone", #"{"value":"Mars/Olympus"}"#, "timeZone", "notTaken"),
    ("POST", "entries/delete", #"{"ids":[]}"#, "ids", "missing"),
    ("POST", "uploads", #"{"name":"a.jpg"}"#, "byteCount", "missing"),
    ("GET", "timeline?limit=0", "", "limit", "notTaken"),
    ("GET", "timeline?limt=1", "", "limt", "unknown"),
    ("GET", "search", "", "q", "missing"),
  ]

  @Test func `a value that is not taken is named by its field, why, and a sentence`() async throws {
    try await RunningServer.run(importing: []) { server in
      for (method, path, body, field, code) in Self.refused {
        let answer =
          method == "GET"
          ? try await server.answer("/api/v1/" + path)
          : try await server.write(method, path, body)
        #expect(answer.status == 400, "\(method) \(path) \(body)")
        let problem = try answer.json
        let errors = try #require(
          problem["errors"] as? [[String: Any]], "\(method) \(path) \(body)")
        #expect(errors.count == 1)
        #expect(errors[0]["field"] as? String == field, "\(method) \(path) \(body)")
        #expect(errors[0]["code"] as? String == code, "\(method) \(path) \(body)")
        #expect(errors[0]["message"] as? String == problem["detail"] as? String)
      }
    }
  }

  @Test func `a problem that is about no field has no list of them`() async throws {
    try await RunningServer.run(importing: []) { server in
      let problem = try await server.answer("/api/v1/plants/none").json
      #expect(problem["errors"] == nil && problem["confirm"] == nil)
    }
  }

  @Test func `a refused doubt names the fields that confirm it`() async throws {
    try await RunningServer.run(importing: []) { server in
      let days = #""occurredAt":"2025-03-01","episode":{"type":"cold","endDay":"2025-03-03"}"#
      #expect(try await server.write("POST", "episodes", "{\(days)}").status == 201)
      for (path, fields, confirming) in [
        (
          "symptoms", #""symptom":{"name":"x","severity":1},"occurredAt":"2025-03-01""#,
          ["allowLate"]
        ), ("episodes", days, ["allowOverlap"]),
      ] {
        let refused = try await server.write("POST", path, "{\(fields)}")
        #expect(try refused.status == 409 && refused.json["code"] as? String == "unconfirmed")
        let names = try #require(try refused.json["confirm"] as? [String])
        #expect(names == confirming)
        let confirmed = names.map { ",\"\($0)\":true" }.joined()
        #expect(try await server.write("POST", path, "{\(fields)\(confirmed)}").status == 201)
      }
    }
  }

  @Test func `a photo that cannot be imported has an outcome and the fields of a problem`()
    async throws
  {
    try await RunningServer.run(importing: []) { server in
      let sent = try await server.answer(
        "POST", "/api/v1/photos?name=a.jpg", ["Content-Type: application/octet-stream"],
        body: [0xFF, 0xD8, 0xFF, 0xE0, 0, 16])
      #expect(sent.status == 422)
      let document = try sent.json
      #expect(document["outcome"] as? String == "failed" && document["reason"] != nil)
      #expect(document["type"] as? String == "about:blank" && document["status"] as? Int == 422)
      #expect(document["title"] != nil && document["code"] as? String == "unprocessableContent")
      #expect(document["detail"] as? String == document["message"] as? String)
    }
  }

  /// All sentences of the service that name a request are in its sources.
  @Test func `each request that a remedy names is a route`() throws {
    let routes = try Description().paths.flatMap { path, methods in
      methods.keys.map { method in
        (method.uppercased(), path.dropFirst().split(separator: "/").map(String.init))
      }
    }
    let folder = Fixtures.path("../Sources/LeaflogServer")
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder)
      .filter { $0.hasSuffix(".swift") }
    var count = 0
    for file in files {
      let text = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
      // The history's names of requests are no addresses.
      let lines = text.split(separator: "\n").filter { !$0.contains("origin:") }
      let strings = lines.joined(separator: "\n").replacing(/"\s*\+ "/, with: "")
      for found in strings.matches(
        of: /\b(GET|HEAD|PUT|POST|PATCH|DELETE) \/api\/v1\/([a-zA-Z0-9\/.]+)/)
      {
        let (method, parts) = (
          found.output.1 == "HEAD" ? "GET" : String(found.output.1),
          found.output.2.split(separator: "/").map { $0.trimmingCharacters(in: ["."]) }
        )
        #expect(
          routes.contains { route in
            route.0 == method && route.1.count == parts.count
              && zip(route.1, parts).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
          }, "\(file): \(found.output.0)")
        count += 1
      }
    }
    #expect(count > 6)
  }
}
