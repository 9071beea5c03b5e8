import Foundation
import Leaflog
import TestSupport
import Testing

/// The queue of jobs, over real connections.
@Suite struct JobTests {
  /// The first event of a job with this many steps done.
  private func event(_ reader: EventReader, done: Int) async throws -> ServerEvent {
    for await event in reader.events where event.job.done == done { return event }
    throw UnexpectedAnswer(text: "the events ended before \(done) was done")
  }

  private func post(_ server: JobServer, _ body: String) async throws -> String {
    try #require(try await server.post(body).json["id"] as? String)
  }

  // MARK: The queue

  @Test func `a job is accepted, listed, followed to its end and removed`() async throws {
    try await JobServer.run { server in
      let answer = try await server.post(#"{"kind":"verify","full":true}"#)
      let job = try answer.json
      let id = try #require(job["id"] as? String)
      #expect(answer.status == 202 && answer.headers["location"] == "/api/v1/jobs/\(id)")
      #expect(job["kind"] as? String == "verify" && job["createdAt"] is String)
      #expect(job["request"] as? NSDictionary == ["kind": "verify", "full": true])
      let end = try await server.end(of: id)
      #expect(end.state == "done" && end.values["endedAt"] is String)
      #expect(try await server.job(id)["state"] as? String == "done")
      #expect(try await server.states() == ["done"])
      #expect(try await server.answer("DELETE", "/api/v1/jobs/\(id)").status == 204)
      #expect(try await server.answer("GET", "/api/v1/jobs/\(id)").status == 404)
      #expect(try await server.states().isEmpty)
    }
  }

  @Test func `one is at work at a time, and the next when it ends`() async throws {
    let gate = SteppedJob.gate("one")
    try await JobServer.run { server in
      let first = try await post(server, #"{"kind":"stepped","gate":"one","count":1}"#)
      let second = try await post(server, #"{"kind":"stepped","gate":"one","count":1}"#)
      _ = try await event(server.events(of: first), done: 0)
      #expect(try await server.states() == ["waiting", "running"])
      var waits = try server.events(of: second).events.makeAsyncIterator()
      #expect(await waits.next()?.job.state == "waiting")
      gate.finish()
      #expect(try await server.end(of: first).state == "done")
      var last: ServerEvent?
      while let event = await waits.next() { last = event }
      #expect(last?.job.state == "done")
    }
  }

  @Test func `a job is cancelled in the middle, and what it did is told`() async throws {
    let gate = SteppedJob.gate("middle")
    try await JobServer.run { server in
      let id = try await post(server, #"{"kind":"stepped","gate":"middle","count":9}"#)
      let reader = try server.events(of: id)
      gate.yield()
      gate.yield()
      _ = try await event(reader, done: 2)
      let answer = try await server.answer("DELETE", "/api/v1/jobs/\(id)")
      #expect([200, 202].contains(answer.status))
      let end = try await server.end(of: id)
      #expect(end.state == "cancelled" && end.result["steps"] as? Int == 2)
    }
  }

  @Test func `a job that waits is cancelled without ever starting`() async throws {
    let gate = SteppedJob.gate("never")
    try await JobServer.run { server in
      let first = try await post(server, #"{"kind":"stepped","gate":"never"}"#)
      let second = try await post(server, #"{"kind":"stepped","gate":"never"}"#)
      _ = try await event(server.events(of: first), done: 0)
      let answer = try await server.answer("DELETE", "/api/v1/jobs/\(second)")
      #expect(answer.status == 200)
      #expect(try answer.json["state"] as? String == "cancelled")
      #expect(try answer.json["startedAt"] == nil)
      gate.finish()
      #expect(try await server.end(of: first).state == "done")
    }
  }

  @Test func `a job is done again under another id, once it has ended`() async throws {
    let gate = SteppedJob.gate("again")
    try await JobServer.run { server in
      let id = try await post(server, #"{"kind":"stepped","gate":"again","count":1}"#)
      let early = try await server.answer("POST", "/api/v1/jobs/\(id)/retry")
      #expect(early.status == 409)
      gate.finish()
      _ = try await server.end(of: id)
      let answer = try await server.answer("POST", "/api/v1/jobs/\(id)/retry")
      let other = try #require(try answer.json["id"] as? String)
      #expect(answer.status == 202 && other != id)
      #expect(answer.headers["location"] == "/api/v1/jobs/\(other)")
      let end = try await server.end(of: other)
      #expect(end.state == "done" && end.values["retryOf"] as? String == id)
      #expect(
        end.values["request"] as? NSDictionary == ["kind": "stepped", "gate": "again", "count": 1])
    }
  }

  @Test func `a hundred are kept, and files go with their jobs`() async throws {
    try await JobServer.run { server in
      var ids: [String] = []
      for count in [50, 53] {
        for _ in 0..<count { ids.append(try await post(server, #"{"kind":"csv","table":"mood"}"#)) }
        _ = try await server.end(of: try #require(ids.last))
      }
      #expect(try await server.states().count == 100)
      let files = server.folder.files(below: "library/cache/jobs")
      #expect(Set(files) == Set(ids.suffix(100).map { "\($0).csv" }))
      let last = try #require(ids.last)
      _ = try await server.answer("DELETE", "/api/v1/jobs/\(last)")
      #expect(server.folder.files(below: "library/cache/jobs").count == 99)
    }
  }

  // MARK: Restarts

  @Test func `a job at work when the server stops is interrupted, and the others wait on`()
    async throws
  {
    let server = try await JobServer()
    let gate = SteppedJob.gate("stop")
    let first = try await post(server, #"{"kind":"stepped","gate":"stop","count":2}"#)
    let second = try await post(server, #"{"kind":"stepped","gate":"stop","count":1}"#)
    gate.yield()
    _ = try await event(server.events(of: first), done: 1)
    try await server.stop()
    SteppedJob.gate("stop").finish()
    try await server.start()
    #expect(try await server.end(of: second).state == "done")
    let job = try await server.job(first)
    #expect(job["state"] as? String == "interrupted")
    #expect((job["result"] as? [String: Any])?["steps"] as? Int == 1)
    let retried = try await server.answer("POST", "/api/v1/jobs/\(first)/retry").json
    let end = try await server.end(of: try #require(retried["id"] as? String))
    #expect(end.state == "done" && end.values["retryOf"] as? String == first)
    try await server.stop()
  }

  @Test func `a job at work when the server died is interrupted, and followers hear of it`()
    async throws
  {
    let server = try await JobServer()
    let gate = SteppedJob.gate("died")
    let id = try await post(server, #"{"kind":"stepped","gate":"died","count":5}"#)
    let reader = try server.events(of: id)
    for _ in 0..<3 { gate.yield() }
    let last = try await event(reader, done: 3)
    let left = try Data(contentsOf: server.list)
    #expect(String(decoding: left, as: UTF8.self).contains(#""state":"running""#))
    try await server.stop()
    // As a server leaves it that is killed, with an older result's file.
    try left.write(to: server.list)
    try server.folder.write(Data([1]), to: "library/cache/jobs/0123456789abcdef.webp")
    try await server.start()
    #expect(try await server.states() == ["interrupted"])
    #expect(server.folder.files(below: "library/cache/jobs").isEmpty)
    var events: [ServerEvent] = []
    for await event in try server.events(of: id, last: last.id).events { events.append(event) }
    #expect(events.map(\.name) == ["end"] && events.first?.job.state == "interrupted")
    try await server.stop()
  }

  @Test func `a job that an older server kept has its result`() async throws {
    let server = try await JobServer()
    try await server.stop()
    let kept = """
      {"format":1,"jobs":[{"createdAt":1795673372742,"endedAt":1795673372888,\
      "id":"8f3c2a1b00000000","kind":"verify","progress":{"done":100,"total":100,"unit":"percent"},\
      "request":{"full":true,"kind":"verify"},"result":{"damage":[{"photos":["a"]}],\
      "summary":{"byteCount":0,"complete":true,"seconds":0.25}},"revision":3,\
      "startedAt":1795673372743,"state":"done"}]}
      """
    try Data(kept.utf8).write(to: server.list)
    try await server.start()
    let answer = try await server.answer("GET", "/api/v1/jobs/8f3c2a1b00000000")
    #expect(
      String(decoding: answer.body, as: UTF8.self) == """
        {"createdAt":"2026-11-26T06:09:32.742Z","endedAt":"2026-11-26T06:09:32.888Z",\
        "id":"8f3c2a1b00000000","kind":"verify",\
        "progress":{"done":100,"total":100,"unit":"percent"},\
        "request":{"full":true,"kind":"verify"},"result":{"damage":[{"photos":["a"]}],\
        "summary":{"byteCount":0,"complete":true,"seconds":0.25}},\
        "startedAt":"2026-11-26T06:09:32.743Z","state":"done"}
        """)
    try await server.stop()
  }

  @Test func `a damaged list of jobs keeps no server from starting`() async throws {
    let server = try await JobServer()
    try await server.stop()
    try Data("{".utf8).write(to: server.list)
    try await server.start()
    #expect(try await server.run(#"{"kind":"csv","table":"mood"}"#).state == "done")
    try await server.stop()
  }

  @Test func `a second server of the library leaves the jobs to the first`() async throws {
    try await JobServer.run { server in
      let other = try await JobServer(beside: server)
      let answer = try await other.answer("GET", "/api/v1/jobs")
      #expect(try answer.status == 503 && answer.json["code"] as? String == "locked")
      #expect(try await other.post(#"{"kind":"verify"}"#).status == 503)
      #expect(try await other.answer("GET", "/api/v1/timeline").status == 200)
      try await other.stop()
      #expect(try await server.states().isEmpty)
    }
  }

  @Test func `nobody but the owner can read the list and the results`() async throws {
    try await JobServer.run { server in
      let id = try await server.run(#"{"kind":"exportDiary"}"#).id
      for path in ["jobs.json", "cache/jobs/\(id).json"] {
        let attributes = try FileManager.default.attributesOfItem(
          atPath: server.library.path + "/" + path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
      }
    }
  }

  // MARK: Wrong requests

  @Test(arguments: [
    "", "{", "[]", "null", "{}", #"{"kind":"bake"}"#, #"{"kind":7}"#,
    #"{"kind":"verify","ful":true}"#, #"{"kind":"verify","full":"yes"}"#,
    #"{"kind":"prune","olderThan":"soon"}"#, #"{"kind":"prune","olderThan":"-1d"}"#,
    #"{"kind":"prune","thin":"1/eon"}"#, #"{"kind":"recompress","policy":"tiny"}"#,
    #"{"kind":"recompress","target":5}"#, #"{"kind":"backup"}"#, #"{"kind":"importFolder"}"#,
    #"{"kind":"csv"}"#, #"{"kind":"csv","table":"activity","from":"2026-01-01"}"#,
    #"{"kind":"report","days":0}"#, #"{"kind":"report","days":3.5}"#,
    #"{"kind":"report","language":"fr"}"#, #"{"kind":"report","language":"de-Latn-AT"}"#,
    #"{"kind":"report","from":"2026-02-01","to":"2026-01-01"}"#,
    #"{"kind":"report","from":"2026-01-01","days":3}"#, #"{"kind":"timelapse"}"#,
    #"{"kind":"timelapse","plant":"basil","pace":"wild"}"#,
    #"{"kind":"timelapse","plant":"basil","from":"yesterday"}"#,
    #"{"kind":"timelapse","plant":"basil","fps":1e300}"#,
  ])
  func `a request that makes no sense is refused with a sentence`(body: String) async throws {
    try await JobServer.run { server in
      let answer = try await server.post(body)
      let problem = try answer.json
      #expect(answer.status == 400 && problem["code"] as? String == "invalidRequest")
      #expect((problem["detail"] as? String)?.hasSuffix(".") == true)
      #expect(try await server.states().isEmpty)
    }
  }

  @Test func `other mistakes have answers of their own`() async throws {
    try await JobServer.run { server in
      let unknown = try await server.post(#"{"kind":"timelapse","plant":"cactus"}"#)
      #expect(unknown.status == 404)
      let plain = try await server.answer(
        "POST", "/api/v1/jobs", #"{"kind":"verify"}"#, headers: ["Content-Type: text/plain"])
      #expect(plain.status == 415)
      let long = #"{"kind":"verify","# + String(repeating: " ", count: 2 << 20) + "}"
      #expect(try await server.post(long).status == 413)
      for (method, path) in [
        ("GET", "/api/v1/jobs/x"), ("DELETE", "/api/v1/jobs/x"), ("POST", "/api/v1/jobs/x/retry"),
        ("GET", "/api/v1/jobs/x/result"), ("GET", "/api/v1/jobs/x/events"),
      ] {
        let answer = try await server.answer(method, path)
        #expect(try answer.status == 404 && answer.json["code"] as? String == "notFound")
      }
      #expect(try await server.answer("GET", "/api/v1/jobs?limit=3").status == 400)
      let verified = try await server.run(#"{"kind":"verify"}"#).id
      let none = try await server.answer("GET", "/api/v1/jobs/\(verified)/result")
      #expect(none.status == 404)
    }
  }
}
