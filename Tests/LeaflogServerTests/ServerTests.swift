import Foundation
import Leaflog
import TestSupport
import Testing

/// The service, over a real connection.
@Suite struct ServerTests {
  // MARK: Reading

  @Test func `the timeline is read page by page, and shows what others change`() async throws {
    try await RunningServer.run { server in
      let first = try await server.answer("/api/v1/timeline?limit=3").json
      #expect((first["items"] as? [Any])?.count == 3)
      let next = try #require(first["next"] as? String)
      let second = try await server.answer("/api/v1/timeline?limit=3&at=\(next)").json
      #expect((second["items"] as? [Any])?.count == 1 && second["next"] is NSNull)
      _ = try server.library.diary.setMood(.happy, on: server.library.today)
      let mood = try await server.answer("/api/v1/timeline?kind=mood").json
      #expect((mood["items"] as? [[String: Any]])?.first?["kind"] as? String == "mood")
    }
  }

  @Test func `a page begins at a day or at an entry as well`() async throws {
    try await RunningServer.run { server in
      let all = try server.library.timeline.page().elements
      func page(_ query: String) async throws -> [String] {
        let answer = try await server.answer("/api/v1/timeline?" + query).json
        return (answer["items"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? String }
      }
      let (ids, second) = (all.map(\.id.description), all[1])
      #expect(try await page("at=\(second.id)") == Array(ids[1...]))
      #expect(try await page("at=\(second.id)&oldestFirst=true") == ids[...1].reversed())
      #expect(try await page("at=\(second.id)&around=true&limit=1") == [ids[1]])
      let day = second.time.localDay
      #expect(
        try await page("at=\(day)") == all.filter { $0.time.localDay <= day }.map(\.id.description))
      #expect(
        try await page("at=\(day)&oldestFirst=true")
          == all.filter { $0.time.localDay >= day }.map(\.id.description).reversed())
      for (place, status) in [
        ("2025-13-01", 400), (String(repeating: "0", count: 32), 404), ("00000", 400),
      ] {
        #expect(try await server.answer("/api/v1/timeline?at=\(place)").status == status)
      }
      let whole = try await server.answer("/api/v1/timeline?oldestFirst=true&at=1900-01-01").json
      #expect(whole["next"] is NSNull && whole["previous"] is NSNull)
    }
  }

  @Test(arguments: ["", "?name=note.jpg"])
  func `a body that is no image is refused as a photo, with a name or without`(
    query: String
  ) async throws {
    try await RunningServer.run { server in
      let answer = try await server.answer(
        "POST", "/api/v1/photos" + query, ["Content-Type: image/jpeg"],
        body: Array("no image".utf8))
      #expect(answer.status == 422)
      #expect(try answer.json["outcome"] as? String == "failed")
    }
  }

  @Test(arguments: [
    "/healthz", "/api/v1/timeline", "/api/v1/timeline/buckets?by=month", "/api/v1/search?q=basil",
    "/api/v1/today", "/api/v1/plants", "/api/v1/plants/basil", "/api/v1/activities",
    "/api/v1/insights?days=30", "/api/v1/changes",
  ])
  func `every address gives JSON, and its head alone to HEAD`(path: String) async throws {
    try await RunningServer.run { server in
      let answer = try await server.answer(path)
      #expect(answer.status == 200 && answer.headers["content-type"] == "application/json")
      #expect(try !answer.json.isEmpty)
      let head = try await server.answer("HEAD", path)
      #expect(head.status == 200 && head.body.isEmpty)
      #expect(head.headers["content-length"] == answer.headers["content-length"])
    }
  }

  @Test func `a plant is found by a name with blanks and letters of any script`() async throws {
    try await RunningServer.run { server in
      _ = try server.library.plants.add(PlantDetails(name: "Große Monstera 🌿"))
      let path = "/api/v1/plants/gro%C3%9Fe%20monstera%20%F0%9F%8C%BF"
      let plant = try await server.answer(path).json
      #expect(plant["name"] as? String == "Große Monstera 🌿")
    }
  }

  @Test(arguments: [
    ("/nothing", 404), ("/api/v1/nothing", 404), ("/api/v1/plants/zzz", 404),
    ("/api/v1/entries/ffff", 404), ("/api/v1/photos/ffff/thumbnail", 404),
    ("/api/v1/timeline?limt=3", 400), ("/api/v1/timeline?limit=0", 400),
    ("/api/v1/timeline?limit=1&limit=2", 400), ("/api/v1/timeline?kind=dream", 400),
    ("/api/v1/timeline?from=yesterday", 400), ("/api/v1/timeline?at=zzz", 400),
    ("/api/v1/search", 400), ("/api/v1/insights?days=0", 400),
    ("/api/v1/changes?before=99999999999999999999", 400), ("/api/v1/changes?before=-5", 400),
    ("/api/v1/changes?before=%2B5", 400), ("/api/v1/changes?before=abc", 400),
    ("/api/v1/changes?before=1e3", 400), ("/api/v1/plants/%FF", 400),
  ])
  func `a missing or meaningless request is a problem`(path: String, status: Int) async throws {
    try await RunningServer.run { server in
      let answer = try await server.answer(path)
      #expect(answer.status == status)
      #expect(answer.headers["content-type"] == "application/problem+json")
      let problem = try answer.json
      #expect(problem["status"] as? Int == status && problem["title"] is String)
      #expect((problem["detail"] as? String)?.hasSuffix(".") == true)
    }
  }

  @Test func `an offset that was decided for an hour does not go to another day`() async throws {
    let photos = try TemporaryFolder()
    let path = try photos.write(
      DrawnFrame(lightness: 90).png(1), to: "photos/fern/20251026_023000.png")
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_761_442_200)], ofItemAtPath: path)
    try await RunningServer.run(importing: [photos.file("photos")]) { server in
      let photo = try #require(try server.library.timeline.page().elements.first)
      #expect(photo.time.recorded == RecordedTime("2025-10-26T02:30:00+01:00"))
      let edited = try await server.write(
        "PATCH", "entries/\(photo.id)", #"{"occurredAt":"2025-07-24"}"#)
      #expect(try edited.json["occurredAt"] as? String == "2025-07-24T02:30:00")
    }
  }

  @Test func `a span of the timeline may begin and end within a day`() async throws {
    try await RunningServer.run { server in
      let entries = try server.library.timeline.page(TimelineQuery(order: .oldestFirst)).elements
        .filter { $0.time.basis != .day }
      let (first, last) = (entries[1].time, entries[3].time)
      for (from, to) in [
        ("\(LocalDateTime(utc: first.instant))Z", "\(LocalDateTime(utc: last.instant))Z"),
        ("\(first.wall)\(first.offset)", "\(last.wall)\(last.offset)"),
      ] {
        let answer = try await server.answer(
          "/api/v1/timeline?oldestFirst=true&from=\(from)&to=\(to)")
        let shown = try #require(try answer.json["items"] as? [[String: Any]])
        let found = shown.filter { ($0["occurredAt"] as? String)?.contains("T") == true }
        #expect(found.compactMap { $0["id"] as? String } == entries[1...3].map(\.id.description))
        let counted = try await server.answer(
          "/api/v1/timeline/buckets?by=year&from=\(from)&to=\(to)")
        let counts = try #require(try counted.json["items"] as? [[String: Any]])
        #expect(counts.compactMap { $0["count"] as? Int }.reduce(0, +) == shown.count)
      }
    }
  }

  @Test func `an empty condition is refused, where something is read as where it is edited`()
    async throws
  {
    try await RunningServer.run { server in
      let plant = try #require(try server.library.plants.all().first)
      for header in ["If-Match:", "If-None-Match:"] {
        let read = try await server.answer("/api/v1/plants/\(plant.id)", [header])
        #expect(read.status == 400)
        let edit = try await server.write("PATCH", "plants/\(plant.id)", "{}", [header])
        #expect(edit.status == 400)
      }
    }
  }

  @Test(arguments: [
    ("timeline?limit=x", 400, "invalidRequest"), ("timeline?bogus=1", 400, "invalidRequest"),
    ("timeline?from=x", 400, "invalidRequest"), ("bogus", 404, "notFound"),
    ("entries/ff", 404, "notFound"),
    ("symptoms", 405, "methodNotAllowed"),
  ])
  func `each problem has a code`(path: String, status: Int, code: String) async throws {
    try await RunningServer.run(importing: []) { server in
      let answer = try await server.answer("/api/v1/\(path)")
      #expect(answer.status == status)
      #expect(try answer.json["code"] as? String == code)
    }
  }

  @Test func `a plus sign in a query is a space, in the API and the pages`() async throws {
    try await RunningServer.visit { server in
      let symptom = ##"{"symptom": {"name": "ache", "severity": 1}, "tags": ["one two"]}"##
      #expect(try await server.write("POST", "symptoms", symptom).status == 201)
      for space in ["+", "%20"] {
        let answer = try await server.answer("/api/v1/timeline?tag=one\(space)two")
        #expect(try (answer.json["items"] as? [Any])?.count == 1)
        let page = try await server.answer("/timeline?tag=one\(space)two")
        #expect(String(decoding: page.body, as: UTF8.self).contains("ache"))
      }
      let literal = try await server.answer("/api/v1/timeline?tag=one%2Btwo")
      #expect(try (literal.json["items"] as? [Any])?.isEmpty == true)
      #expect(try await server.answer("/api/v1/timeline?tag=%FF").status == 400)
    }
  }

  @Test func `an original has the name of its photo, with the ending of what is sent`() async throws
  {
    let folder = try TemporaryFolder()
    try FileManager.default.copyItem(
      atPath: Fixtures.path("Photos/basil/20250510T120006+0100.jpg"),
      toPath: folder.file("Фиалка 1.JPEG"))
    try await RunningServer.run(importing: [folder.path]) { server in
      let id = try #require(try server.library.timeline.page(limit: 1).elements.first?.id)
      let original = try await server.answer("/api/v1/photos/\(id)/original")
      #expect(
        original.headers["content-disposition"]
          == "inline; filename=\"______ 1.jpg\"; "
          + "filename*=UTF-8''%D0%A4%D0%B8%D0%B0%D0%BB%D0%BA%D0%B0%201.jpg")
      let preview = try await server.answer("/api/v1/photos/\(id)/preview")
      #expect(preview.headers["content-disposition"] == nil)
    }
  }

  @Test(arguments: ["quotes?q=a%00b", "search?q=%00", "symptoms/names?startingWith=a%00"])
  func `a search for a character that no text has is refused`(path: String) async throws {
    try await RunningServer.run(importing: []) { server in
      let answer = try await server.answer("/api/v1/\(path)")
      #expect(answer.status == 400)
    }
  }

  @Test func `a tag is one line of at most 100 characters after it was renamed, too`() async throws
  {
    try await RunningServer.run(importing: []) { server in
      let symptom = ##"{"symptom": {"name": "x", "severity": 1}, "tags": ["a"]}"##
      #expect(try await server.write("POST", "symptoms", symptom).status == 201)
      for name in ["a\\nb", String(repeating: "a", count: 101)] {
        let answer = try await server.write("PATCH", "tags/a", "{\"name\": \"\(name)\"}")
        #expect(answer.status == 400)
      }
      #expect(try await server.write("PATCH", "tags/a", ##"{"name": "b"}"##).status == 200)
    }
  }

  // MARK: Pictures

  @Test(arguments: PictureFile.Kind.allCases)
  func `a picture comes whole, in part, or not at all where the client has it`(
    kind: PictureFile.Kind
  ) async throws {
    try await RunningServer.run { server in
      let entry = try #require(try server.library.timeline.page(limit: 1).elements.first)
      let path = "/api/v1/photos/\(entry.id)/\(kind.rawValue)"
      let whole = try await server.answer(path)
      let count = whole.body.count
      #expect(whole.status == 200 && whole.headers["content-length"] == "\(count)")
      #expect(whole.headers["content-type"] == "image/jpeg")
      let tag = try #require(whole.headers["etag"])
      if kind == .original {
        #expect(tag == "\"\(try #require(entry.photo).sourceDigest.hex)\"")
      }
      let part = try await server.answer(path, ["Range: bytes=-5"])
      #expect(part.status == 206 && part.body == whole.body.suffix(5))
      #expect(part.headers["content-range"] == "bytes \(count - 5)-\(count - 1)/\(count)")
      let behind = try await server.answer(path, ["Range: bytes=\(count)-"])
      #expect(behind.status == 416 && behind.headers["content-range"] == "bytes */\(count)")
      let known = try await server.answer(path, [#"If-None-Match: "x", W/\#(tag)"#])
      #expect(known.status == 304 && known.body.isEmpty && known.headers["etag"] == tag)
      let changed = try await server.answer(path, ["Range: bytes=0-0", #"If-Range: "x""#])
      #expect(changed.status == 200 && changed.body == whole.body)
      let other = try await server.answer(path, [#"If-Match: "x""#])
      #expect(other.status == 412)
      let head = try await server.answer("HEAD", path)
      #expect(head.body.isEmpty && head.headers["content-length"] == "\(count)")
    }
  }

  @Test func `no path of this machine is told`() async throws {
    try await RunningServer.run { server in
      let entry = try #require(try server.library.timeline.page(limit: 1).elements.first)
      let answer = try await server.answer("/api/v1/photos/\(entry.id)")
      #expect(answer.status == 200)
      let text = String(decoding: answer.body, as: UTF8.self)
      #expect(!text.contains(server.library.path) && !text.contains("\"path\""))
      #expect(!text.contains(Fixtures.path("Photos")) && !text.contains("sourcePaths"))
    }
  }

  @Test func `a preview is made once, however many ask`() async throws {
    try await RunningServer.run { server in
      let entry = try #require(try server.library.timeline.page(limit: 1).elements.first)
      try await withThrowingTaskGroup(of: Answer.self) { group in
        for _ in 0..<12 {
          group.addTask { try await server.answer("/api/v1/photos/\(entry.id)/preview") }
        }
        var tags: Set<String> = []
        for try await answer in group {
          #expect(answer.status == 200)
          tags.insert(answer.headers["etag"] ?? "")
        }
        #expect(tags.count == 1)
      }
    }
  }

  // MARK: Who may ask

  @Test(arguments: [
    "evil.example", "localhost.evil.example", "127.0.0.2", "[::2]", "localhost@evil", "",
  ])
  func `a request for another host is refused`(host: String) async throws {
    try await RunningServer.run { server in
      let answer = try await server.answer("/api/v1/timeline", ["Host: \(host)"])
      #expect((400..<500).contains(answer.status) && answer.status != 404)
    }
  }

  @Test(arguments: ["localhost", "LOCALHOST:80", "127.0.0.1:1", "[::1]:8765"])
  func `this machine is known by its names`(host: String) async throws {
    try await RunningServer.run { server in
      let answer = try await server.answer("/healthz", ["Host: \(host)"])
      #expect(answer.status == 200)
    }
  }

  @Test func `browsers keep to this site`() async throws {
    try await RunningServer.run { server in
      for path in ["/healthz", "/nothing"] {
        let headers = try await server.answer(path).headers
        #expect(headers["x-content-type-options"] == "nosniff")
        let policy = try #require(headers["content-security-policy"])
        #expect(policy.contains("default-src 'self'") && policy.contains("form-action 'self'"))
        #expect(headers["cross-origin-opener-policy"] == "same-origin")
        #expect(headers["cross-origin-resource-policy"] == "same-origin")
        #expect(headers["access-control-allow-origin"] == nil)
      }
    }
  }

  @Test(arguments: ["PUT", "DELETE", "PATCH", "TRACE"])
  func `another method is refused, and those there are are named`(method: String) async throws {
    try await RunningServer.run { server in
      let answer = try await server.answer(method, "/api/v1/plants")
      #expect(answer.status == 405 && answer.headers["allow"] == "GET, HEAD, POST")
    }
  }
}

extension RunningServer {
  /// `GET`.
  func answer(_ path: String, _ headers: [String] = []) async throws -> Answer {
    try await answer("GET", path, headers)
  }
}
