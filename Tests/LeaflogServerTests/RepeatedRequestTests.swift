import Foundation
import Leaflog
import TestSupport
import Testing

/// Each writing operation of the description, sent twice with one idempotency key.
@Suite struct RepeatedRequestTests {
  @Test func `each writing operation happens once, changes nothing more, or refuses a key`()
    async throws
  {
    let operations = try Description().paths.flatMap { path, methods in
      methods.filter { $0.key != "get" }.map {
        (method: $0.key.uppercased(), path: path, operation: $0.value)
      }
    }.sorted { ($0.path, $0.method) < ($1.path, $1.method) }
    #expect(operations.count > 40)
    try await AccessFixture.run(jobKinds: [SteppedJob.self]) { fixture in
      let client = RepeatingClient(server: fixture.server, bearer: fixture.bearer)
      for (method, path, operation) in operations {
        let name = try #require(operation["operationId"] as? String)
        let prepare = try #require(RepeatedRequest.all[name], "\(name) is not in the table")
        let request = try await prepare(client)
        #expect(request.fits(path), "\(name): \(request.path)")
        let before = try await client.state()
        let first = try await client.send(method, request, key: name)
        let after = try await client.state()
        let second = try await client.send(method, request, key: name)
        #expect(try await client.state() == after, "\(name)")
        switch try KeyUse(operation) {
        case .once:
          #expect((200...299).contains(first.status) && before != after, "\(name)")
          #expect(second.status == first.status, "\(name)")
          #expect(second.body == first.body, "\(name)")
          for header in ["location", "etag", "leaflog-change", "upload-offset"] {
            #expect(second.headers[header] == first.headers[header], "\(name)")
          }
          let other = try await client.send(method, request.changed, key: name)
          #expect(other.status == 409, "\(name)")
          let detail = try other.json["detail"] as? String
          #expect(detail == "The key of this request was used for another one.", "\(name)")
          #expect(try await client.state() == after, "\(name)")
        case .needless: #expect((200...299).contains(first.status), "\(name)")
        case .refused:
          #expect(first.status == 400 && second.status == 400 && before == after, "\(name)")
          let detail = try #require(first.json["detail"] as? String)
          #expect(detail.contains("If the answer is lost, "), "\(name)")
          #expect(try await client.send(method, request).status < 300, "\(name)")
        }
      }
    }
  }

  @Test func `the table has no operation that is not described`() throws {
    let names = try Description().operations.compactMap { $0["operationId"] as? String }
    #expect(Set(RepeatedRequest.all.keys).subtracting(names).isEmpty)
  }

  @Test func `only the operations whose answers have a secret refuse a key`() throws {
    let refusing = try Description().paths.values.flatMap(\.self).filter {
      try $0.key != "get" && KeyUse($0.value) == .refused
    }
    #expect(
      Set(refusing.compactMap { $0.value["operationId"] as? String }) == [
        "addToken", "beginSession",
      ])
  }

  @Test func `a malformed key is refused, and a read does not look at it`() async throws {
    try await RunningServer.run(importing: []) { server in
      let header = ["Idempotency-Key: a b"]
      for (method, path) in [
        ("POST", "plants"), ("POST", "photos"), ("POST", "jobs"), ("DELETE", "session"),
      ] {
        let answer = try await server.write(method, path, "{}", header)
        let detail = try answer.json["detail"] as? String
        #expect(answer.status == 400 && detail?.hasPrefix("Idempotency-Key takes") == true)
      }
      #expect(try await server.answer("/api/v1/plants", header).status == 200)
    }
  }

  /// The use of a key as the description says it.
  private enum KeyUse {
    case once, needless, refused

    init(_ operation: [String: Any]) throws {
      let parameters = operation["parameters"] as? [[String: Any]] ?? []
      let keys = parameters.compactMap { ($0["$ref"] as? String)?.split(separator: "/").last }
        .filter { $0.hasPrefix("Idempotency-Key") }
      let about = operation["description"] as? String ?? ""
      switch keys {
      case ["Idempotency-Key"]: self = .once
      case ["Idempotency-Key-not-needed"]:
        try #require(about.hasPrefix("Idempotent. "))
        self = .needless
      default:
        try #require(keys.isEmpty && about.hasPrefix("An Idempotency-Key is refused (400)"))
        self = .refused
      }
    }
  }
}

/// A client that may do everything.
struct RepeatingClient {
  let server: RunningServer
  let bearer: String

  /// Everything that a request could do twice.
  struct State: Equatable {
    let changes: [String]
    let jobs: [String]
    let uploads: [String]
    let tokens: [String]
  }

  func state() async throws -> State {
    func ids(_ path: String) async throws -> [String] {
      let answer = try await server.answer("/api/v1/" + path, [bearer])
      let items = try #require(answer.json["items"] as? [[String: Any]])
      return items.map { "\($0["id"] ?? "") \($0["state"] as? String == "cancelled")" }
    }
    return State(
      changes: try server.library.history.page(limit: 1000).changes.map {
        "\($0.id) \($0.isUndone)"
      },
      jobs: try await ids("jobs"), uploads: try server.uploadsLeft.sorted(),
      tokens: try await ids("tokens"))
  }

  /// - Parameter key: nil for none.
  func send(_ method: String, _ request: RepeatedRequest, key: String? = nil) async throws -> Answer
  {
    try await server.answer(
      method, "/api/v1/" + request.path,
      [bearer] + request.headers + (key.map { ["Idempotency-Key: \($0)"] } ?? []),
      body: request.body)
  }

  /// Prepares something, and gives the answer.
  func make(_ method: String, _ path: String, _ json: String = "") async throws -> [String: Any] {
    let answer = try await server.write(method, path, json, [bearer])
    try #require(answer.status < 300, "\(path): \(String(decoding: answer.body, as: UTF8.self))")
    return try answer.json
  }

  /// The same, and gives its id.
  func id(_ method: String, _ path: String, _ json: String = "") async throws -> String {
    try #require(try await make(method, path, json)["id"] as? String)
  }

  func symptom(_ tag: String = "work") async throws -> String {
    try await id(
      "POST", "symptoms", #"{"symptom":{"name":"headache","severity":"mild"},"tags":["\#(tag)"]}"#)
  }

  func plant(_ name: String) async throws -> String {
    try await id("POST", "plants", #"{"name":"\#(name)"}"#)
  }

  func activity(_ name: String) async throws -> String {
    try await id("POST", "activities", #"{"name":"\#(name)","startFrom":"2025-01-01"}"#)
  }

  func factor(_ name: String) async throws -> String {
    try await id("POST", "factors", #"{"name":"\#(name)","kind":"number","highest":10}"#)
  }

  /// The ids of all things, in the opposite order.
  func reversed(_ path: String) async throws -> String {
    let answer = try await server.answer("/api/v1/" + path, [bearer])
    let items = try #require(answer.json["items"] as? [[String: Any]])
    try #require(items.count > 1)
    let ids = items.reversed().compactMap { ($0["id"] as? String).map { "\"\($0)\"" } }
    return #"{"ids":[\#(ids.joined(separator: ","))]}"#
  }

  private static let gate = SteppedJob.gate("repeated")

  /// A job that waits, behind one whose gate stays closed.
  func waitingJob() async throws -> String {
    _ = Self.gate
    let job = #"{"kind":"stepped","gate":"repeated","count":1}"#
    _ = try await make("POST", "jobs", job)
    return try await id("POST", "jobs", job)
  }

  func upload() async throws -> String {
    try await id("POST", "uploads", #"{"name":"a.jpg","byteCount":4}"#)
  }
}
