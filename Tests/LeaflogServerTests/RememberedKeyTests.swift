import Foundation
import Leaflog
import TestSupport
import Testing

/// Idempotency keys of jobs and uploads, which are in the records of what they made.
@Suite struct RememberedKeyTests {
  private static let lasting = "Idempotency-Key: 0123456789-abcdefghijkl_M"
  private static let short = "Idempotency-Key: k1"
  private static let upload = #"{"name":"a.jpg","byteCount":4}"#

  // MARK: Restarts

  /// Stops the server, and starts another on the list of jobs that a killed one would have left.
  private func kill(_ server: JobServer) async throws {
    let left = FileManager.default.contents(atPath: server.list.path)
    try await server.stop()
    try left?.write(to: server.list)
    try await server.start()
  }

  @Test func `a job is not started twice, though the server dies before its answer arrives`()
    async throws
  {
    _ = SteppedJob.gate("key")
    let server = try await JobServer()
    func post(_ count: Int) async throws -> Answer {
      try await server.answer(
        "POST", "/api/v1/jobs", #"{"kind":"stepped","gate":"key","count":\#(count)}"#,
        headers: [Self.lasting])
    }
    let first = try await post(1)
    #expect(first.status == 202)
    try await kill(server)
    let second = try await post(1)
    #expect(second.status == 202 && second.headers["location"] == first.headers["location"])
    #expect(try second.json["id"] as? String == first.json["id"] as? String)
    #expect(try await server.states().count == 1)
    #expect(try await post(2).status == 409)
    #expect(try await server.states().count == 1)
    try await server.stop()
  }

  @Test func `a job is not retried twice, even if the former one is gone by then`() async throws {
    let server = try await JobServer()
    let former = try await server.run(#"{"kind":"csv","table":"mood"}"#).id
    func retry() async throws -> Answer {
      try await server.answer("POST", "/api/v1/jobs/\(former)/retry", headers: [Self.lasting])
    }
    let first = try await retry()
    try await kill(server)
    #expect(try await server.answer("DELETE", "/api/v1/jobs/\(former)").status == 204)
    let second = try await retry()
    #expect(second.status == 202 && second.headers["location"] == first.headers["location"])
    #expect(try await server.states().count == 1)
    try await server.stop()
  }

  @Test func `a job that a request has cancelled is not removed when that is sent again`()
    async throws
  {
    _ = SteppedJob.gate("cancelled")
    let server = try await JobServer()
    let posted = try await server.post(#"{"kind":"stepped","gate":"cancelled","count":1}"#)
    let place = try #require(posted.headers["location"])
    let id = try #require(try posted.json["id"] as? String)
    for await event in try server.events(of: id).events where event.job.state == "running" { break }
    func delete() async throws -> Int {
      try await server.answer("DELETE", place, headers: [Self.lasting]).status
    }
    #expect(try await [200, 202].contains(delete()))
    try await kill(server)
    #expect(try await delete() == 200)
    #expect(["cancelled", "interrupted"].contains(try await server.job(id)["state"] as? String))
    // Without the key, it is another request.
    #expect(try await server.answer("DELETE", place).status == 204)
    #expect(try await delete() == 404)
    try await server.stop()
  }

  @Test func `a request to cancel a job that waits is carried out after the server has died`()
    async throws
  {
    _ = SteppedJob.gate("waits")
    let server = try await JobServer()
    let job = #"{"kind":"stepped","gate":"waits","count":1}"#
    _ = try await server.post(job)
    let place = try #require(try await server.post(job).headers["location"])
    let before = try Data(contentsOf: server.list)
    let cancelled = try await server.answer("DELETE", place, headers: [Self.lasting])
    #expect(try cancelled.json["state"] as? String == "cancelled")
    let key = try #require(try Self.jobs(server).last?["cancelKeys"] as? [[String: Any]])
    try await server.stop()
    // The key was written, and then that of another client, and the server died before it cancelled the job.
    let other: [String: Any] = ["k": Data(count: 16), "f": Data(count: 8)].mapValues {
      $0.base64EncodedString()
    }
    var list = try #require(try JSONSerialization.jsonObject(with: before) as? [String: Any])
    var jobs = try #require(list["jobs"] as? [[String: Any]])
    jobs[1]["cancelKeys"] = key + [other]
    list["jobs"] = jobs
    try JSONSerialization.data(withJSONObject: list).write(to: server.list)
    _ = SteppedJob.gate("waits")
    try await server.start()
    let again = try await server.answer("DELETE", place, headers: [Self.lasting])
    #expect([200, 202].contains(again.status))
    let id = try #require(try again.json["id"] as? String)
    #expect(try await server.end(of: id).state == "cancelled")
    try await server.stop()
  }

  private static func jobs(_ server: JobServer) throws -> [[String: Any]] {
    let list = try JSONSerialization.jsonObject(with: Data(contentsOf: server.list))
    return (list as? [String: Any])?["jobs"] as? [[String: Any]] ?? []
  }

  @Test func `an upload is not begun twice, though the server dies before its answer arrives`()
    async throws
  {
    let server = try await JobServer(access: .writing)
    func begin(_ body: String = Self.upload) async throws -> Answer {
      try await server.answer("POST", "/api/v1/uploads", body, headers: [Self.lasting])
    }
    let first = try await begin()
    let place = try #require(first.headers["location"])
    try await kill(server)
    let second = try await begin()
    #expect(second.status == 201 && second.headers["location"] == place)
    #expect(second.body == first.body)
    let piece = try await server.answer(
      "PUT", place, "ab", headers: ["Content-Range: bytes 0-1/4", "Content-Type: image/jpeg"])
    #expect(piece.status == 200)
    try await kill(server)
    let third = try await begin()
    #expect(third.headers["location"] == place && third.headers["upload-offset"] == "2")
    #expect(try await begin(#"{"name":"b.jpg","byteCount":4}"#).status == 409)
    let files = server.folder.files(below: "library/uploads")
    #expect(Set(files.map { $0.prefix { $0 != "." } }).count == 1)
    try await server.stop()
  }

  // MARK: Memory

  @Test func `one of many requests that come at once with one key is carried out`() async throws {
    _ = SteppedJob.gate("once")
    try await AccessFixture.run(jobKinds: [SteppedJob.self]) { fixture in
      for (path, body) in [
        ("jobs", #"{"kind":"stepped","gate":"once","count":1}"#), ("uploads", Self.upload),
      ] {
        let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
          for _ in 0..<8 {
            group.addTask {
              try await fixture.server.write("POST", path, body, [fixture.bearer, Self.short])
            }
          }
          return try await group.reduce(into: [Answer]()) { $0.append($1) }
        }
        #expect(Set(answers.map { $0.headers["location"] }).count == 1, "\(path)")
        #expect(Set(answers.map(\.status)).count == 1, "\(path)")
      }
      let jobs = try await fixture.server.answer("/api/v1/jobs", [fixture.bearer])
      #expect((try jobs.json["items"] as? [Any])?.count == 1)
    }
  }

  @Test(arguments: [("jobs", #"{"kind":"csv","table":"mood"}"#), ("uploads", upload)])
  func `a removed job or upload forgets its key, and a repetition makes another`(
    path: String, body: String
  ) async throws {
    let server = try await JobServer(access: .writing)
    func post() async throws -> String? {
      try await server.answer("POST", "/api/v1/" + path, body, headers: [Self.lasting])
        .headers["location"]
    }
    let first = try #require(try await post())
    if path == "jobs" {
      _ = try await server.end(of: String(first.split(separator: "/").last ?? ""))
    }
    #expect(try await post() == first)
    #expect(try await server.answer("DELETE", first).status == 204)
    let second = try #require(try await post())
    #expect(second != first)
    try await server.stop()
  }

  @Test(arguments: [
    ("jobs", #"{"kind":"exportDiary"}"#, #"{"kind":"verify"}"#),
    ("uploads", upload, #"{"name":"b.jpg","byteCount":5}"#),
  ])
  func `a short key is remembered for a day, and a random one as long as its record`(
    path: String, body: String, other: String
  ) async throws {
    try await AccessFixture.run { fixture in
      func post(_ body: String, _ key: String) async throws -> Answer {
        try await fixture.server.write("POST", path, body, [fixture.bearer, key])
      }
      let short = try await post(body, Self.short).headers["location"]
      let lasting = try await post(body, Self.lasting).headers["location"]
      #expect(short != lasting && lasting != nil)
      fixture.clock.pass(hours: 23)
      #expect(try await post(body, Self.short).headers["location"] == short)
      #expect(try await post(other, Self.short).status == 409)
      fixture.clock.pass(hours: 2)
      let next = try await post(other, Self.short)
      #expect(next.status < 300 && next.headers["location"] != short)
      #expect(try await post(body, Self.lasting).headers["location"] == lasting)
      #expect(try await post(other, Self.lasting).status == 409)
    }
  }

  @Test func `nobody gets a job or an upload by another's key`() async throws {
    try await ScopedLibrary.run { library in
      func post(_ path: String, _ body: String, _ token: String, _ key: String) async throws
        -> Answer
      { try await library.server.write("POST", path, body, [token, key]) }
      let displays = try (0..<2).map { _ in try library.token(AccessScope(.read)) }
      // A job of a kind that the other token may not see.
      let verify = #"{"kind":"verify"}"#
      #expect(try await post("jobs", verify, library.owner, Self.lasting).status == 202)
      let refused = try await post("jobs", verify, displays[0], Self.lasting)
      #expect(refused.status == 403)
      #expect(try refused.json["code"] as? String == "notAllowed")
      // Keys that two tokens have chosen alike.
      let export = #"{"kind":"exportDiary"}"#
      let first = try await post("jobs", export, displays[0], Self.short)
      let second = try await post("jobs", export, displays[1], Self.short)
      #expect(first.status == 202 && second.status == 202)
      #expect(first.headers["location"] != second.headers["location"])
      let cameras = try (0..<2).map { _ in try library.token(AccessScope(.send)) }
      let places = [
        try await post("uploads", Self.upload, cameras[0], Self.lasting).headers["location"],
        try await post("uploads", Self.upload, cameras[1], Self.lasting).headers["location"],
      ]
      #expect(places[0] != nil && places[1] != nil && places[0] != places[1])
    }
  }

  @Test func `an upload of an older version is its sender's, and has no key`() async throws {
    try await ScopedLibrary.run { library in
      let (server, token) = (library.server, try library.token(AccessScope(.send)))
      func begin() async throws -> Answer {
        try await server.write("POST", "uploads", Self.upload, [token, Self.lasting])
      }
      let place = try #require(try await begin().headers["location"])
      let id = place.split(separator: "/").last ?? ""
      let file = URL(filePath: server.library.path + "/uploads/\(id).sender")
      let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      #expect(lines.count == 2 && lines[0].hasPrefix("4 "))
      try Data(lines[0].utf8).write(to: file)
      #expect(try await server.answer(place, [token]).status == 200)
      let next = try await begin()
      #expect(next.status == 201 && next.headers["location"] != place)
    }
  }

  @Test func `the records have digests, and never a key`() async throws {
    let server = try await JobServer(access: .writing)
    _ = try await server.answer(
      "POST", "/api/v1/jobs", #"{"kind":"verify"}"#, headers: [Self.lasting])
    _ = try await server.answer("POST", "/api/v1/uploads", Self.upload, headers: [Self.lasting])
    let key = try #require(Self.lasting.split(separator: " ").last)
    let files =
      ["jobs.json"] + server.folder.files(below: "library/uploads").map { "uploads/\($0)" }
    #expect(files.count == 4)
    for file in files {
      let text = try String(contentsOfFile: "\(server.library.path)/\(file)", encoding: .utf8)
      #expect(!text.contains(key), "\(file)")
    }
    try await server.stop()
  }
}
