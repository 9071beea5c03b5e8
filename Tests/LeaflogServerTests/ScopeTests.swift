import Foundation
import Leaflog
import LeaflogServer
import TestSupport
import Testing

/// Tokens with less than everything: their rights, and the part of the library that they see.
@Suite struct ScopeTests {
  // MARK: Every route

  @Test(arguments: AccessScope.Extent.allCases)
  func `a token reaches the routes that its scope includes, and no other`(
    _ extent: AccessScope.Extent
  ) async throws {
    try await AccessFixture.run { fixture in
      let plant = try fixture.server.library.plants.add(PlantDetails(name: "Basil")).id
      let plants = [nil] + (extent.takesPlant ? [plant] : [])
      for plant in plants {
        let scope = AccessScope(extent, plant: plant)
        let secret = try fixture.server.library.tokens.add(
          "other \(plant?.description ?? "")", grant: AccessGrant(scope)
        ).secret
        let routes = try await LeaflogServer(fixture.server.library).routes()
        #expect(routes.count > 150)
        for route in routes where route.need != .open {
          // Refused right behind the door, so that nothing is done.
          let answer = try await fixture.server.answer(
            route.method, route.path.replacing(/\{[^}]*\}/, with: "ab"),
            ["Authorization: Bearer \(secret)", "Content-Encoding: gzip"])
          let isStart = route.path == "/" && scope.includes(.readPhotos)
          let expected = route.need.isMet(by: scope) ? 415 : isStart ? 303 : 403
          #expect(answer.status == expected, "\(route)")
        }
      }
    }
  }

  @Test func `each right is included as the manual says`() {
    func rights(_ extent: AccessScope.Extent, _ plant: PlantID? = nil) -> Set<AccessRight> {
      Set(AccessRight.allCases.filter { AccessScope(extent, plant: plant).includes($0) })
    }
    #expect(rights(.everything) == Set(AccessRight.allCases))
    #expect(rights(.diary) == Set(AccessRight.allCases).subtracting([.administer]))
    #expect(rights(.photos) == [.readPhotos, .writePhotos, .send])
    #expect(rights(.send) == [.send])
    #expect(rights(.read) == [.readPhotos, .readDiary])
    let plant = PlantID(stored: String(repeating: "a", count: 32))
    #expect(rights(.read, plant) == [.readPhotos])
    #expect(rights(.photos, plant) == rights(.photos))
    #expect(AccessScope(.diary, plant: plant).plant == nil)
  }

  @Test func `a display controls no jobs but its own, and has only a few`() async throws {
    try await ScopedLibrary.run { library in
      let display = try library.token(AccessScope(.read))
      func post(_ token: String) async throws -> Answer {
        try await library.server.write("POST", "jobs", #"{"kind":"exportDiary"}"#, [token])
      }
      func delete(_ job: Answer, _ token: String) async throws -> Int {
        let id = try #require(try job.json["id"] as? String)
        return try await library.server.answer("DELETE", "/api/v1/jobs/\(id)", [token]).status
      }
      let owners = try await post(library.owner)
      #expect(try await delete(owners, display) == 403)
      var (own, last) = ([Answer](), 0)
      for _ in 0..<40 where last != 429 {
        let answer = try await post(display)
        last = answer.status
        if last == 202 { own.append(answer) }
      }
      let listed = try await library.server.answer("/api/v1/jobs", [library.owner]).json["items"]
      let ids = try #require(listed as? [[String: Any]]).map { $0["id"] as? String }
      #expect(try ids.count <= 11 && ids.contains(owners.json["id"] as? String))
      #expect([200, 202, 204].contains(try await delete(try #require(own.last), display)))
      #expect([200, 202, 204].contains(try await delete(owners, library.owner)))
    }
  }

  // MARK: What is seen

  @Test(arguments: ["photos", "photos of one plant", "read of one plant", "send"])
  func `no answer has a word from beyond the scope`(_ name: String) async throws {
    try await ScopedLibrary.run { library in
      let extent = try #require(AccessScope.Extent(rawValue: String(name.prefix { $0 != " " })))
      let plant = name.hasSuffix("plant") ? library.basil : nil
      let token = try library.token(AccessScope(extent, plant: plant))
      let hidden = library.words + (plant == nil ? [] : library.wordsOfOtherPlant)
      var seen = 0
      for path in try await library.addresses() {
        for accept in ["text/html", "application/json"] {
          let answer = try await library.server.answer(
            "GET", path, [token, "Accept: \(accept)"])
          #expect(answer.status < 500, "\(path)")
          seen += answer.status == 200 ? 1 : 0
          let text = String(decoding: answer.body, as: UTF8.self) + "\(answer.headers)"
          for word in hidden where !path.contains(word) {
            #expect(!text.localizedCaseInsensitiveContains(word), "\(word) in \(path)")
          }
        }
      }
      #expect(seen > 2)
    }
  }

  @Test func `the owner sees the words that others must not see`() async throws {
    try await ScopedLibrary.run { library in
      var text = ""
      for path in try await library.addresses() {
        let answer = try await library.server.answer("GET", path, [library.owner])
        text += String(decoding: answer.body, as: UTF8.self)
      }
      for word in library.words + library.wordsOfOtherPlant {
        #expect(text.contains(word), "\(word)")
      }
    }
  }

  @Test func `of commits, a limited token learns only that anything may have changed`() async throws
  {
    try await ScopedLibrary.run { library in
      let token = try library.token(AccessScope(.photos, plant: library.basil))
      let answer = try await library.server.answer("/api/v1/commits?after=0", [token])
      let items = try #require(try answer.json["items"] as? [[String: Any]])
      #expect(!items.isEmpty)
      for item in items {
        #expect(item["kinds"] is NSNull && item["entries"] is NSNull)
        #expect((item["plants"] as? [Any])?.isEmpty == true)
      }
      let text = String(decoding: answer.body, as: UTF8.self)
      #expect(!library.hiddenIDs.contains { text.contains($0) })
    }
  }

  @Test func `a thing beyond the scope is answered like one that does not exist`() async throws {
    try await ScopedLibrary.run { library in
      let token = try library.token(AccessScope(.photos, plant: library.basil))
      func answers(_ id: String) async throws -> [String] {
        var answers: [String] = []
        for (method, path, body) in [
          ("GET", "entries/\(id)", ""), ("GET", "photos/\(id)", ""),
          ("GET", "photos/\(id)/thumbnail", ""), ("GET", "plants/\(id)", ""),
          ("GET", "activities/\(id)", ""), ("PATCH", "entries/\(id)", #"{"notes":"x"}"#),
          ("DELETE", "entries/\(id)", ""), ("POST", "entries/delete", #"{"ids":["\#(id)"]}"#),
          ("PATCH", "plants/\(id)", #"{"name":"x"}"#), ("DELETE", "activities/\(id)", ""),
          ("POST", "activities/\(id)/completions", "{}"),
        ] {
          let answer = try await library.server.write(method, path, body, [token])
          let text = String(decoding: answer.body, as: UTF8.self).replacing(id, with: "ID")
          answers.append("\(method) \(answer.status) \(text)")
        }
        return answers
      }
      for id in library.hiddenIDs {
        // An answer names the entries whose ids begin alike, so that the other id has to begin as this one.
        let expected = try await answers(id.dropLast() + (id.hasSuffix("0") ? "1" : "0"))
        #expect(expected.allSatisfy { $0.contains(" 404 ") })
        for (answer, expected) in zip(try await answers(id), expected) {
          #expect(answer == expected)
        }
      }
    }
  }

  @Test func `the time of an answer does not tell whether a hidden thing exists`() async throws {
    try await ScopedLibrary.run { library in
      let token = try library.token(AccessScope(.photos, plant: library.basil))
      let nowhere = String(repeating: "0", count: 32)
      func time(_ path: String) async throws -> Duration {
        let begin = ContinuousClock.now
        let answer = try await library.server.answer(path, [token])
        #expect([403, 404].contains(answer.status))
        return ContinuousClock.now - begin
      }
      for path in ["entries/", "photos/", "plants/", "insights?day=", "jobs/"] {
        var times: [[Duration]] = [[], []]
        // In turn, so that a busy processor delays both.
        for round in 0..<120 {
          let id = library.hiddenIDs[round % library.hiddenIDs.count]
          for (index, id) in [id, nowhere].enumerated() {
            times[index].append(try await time("/api/v1/\(path)\(id)"))
          }
        }
        let medians = times.map { $0.sorted()[$0.count / 2] }
        let ratio = medians[0] / medians[1]
        #expect((0.5...2).contains(ratio), "\(path): \(medians)")
      }
    }
  }

  @Test func `the completions of an activity stay visible, or hidden, when the activity moves`()
    async throws
  {
    try await ScopedLibrary.run { library in
      let token = try library.token(AccessScope(.photos, plant: library.basil))
      let activities = library.server.library.activities
      let water = try activities.find(matching: "Water the basil").id
      _ = try activities.complete(water, notes: "wassernotiz")
      func seen() async throws -> Bool {
        let answer = try await library.server.answer("/api/v1/timeline", [token])
        #expect(answer.status == 200)
        return String(decoding: answer.body, as: UTF8.self).contains("wassernotiz")
      }
      #expect(try await seen())
      for plant in ["\"Tomato\"", "null"] {
        let moved = try await library.server.write(
          "PATCH", "activities/\(water)", #"{"plant":\#(plant)}"#, [library.owner])
        #expect(moved.status == 200)
        #expect(try await !seen())
      }
    }
  }

  @Test func `commits are told without what they were about`() async throws {
    try await ScopedLibrary.run { library in
      let token = try library.token(AccessScope(.photos))
      let reader = try EventReader(
        port: library.server.port,
        "/api/v1/events?after=\(library.server.library.history.lastCommit())", [token])
      _ = try library.server.library.diary.setMood(
        .happy, on: library.server.library.today, notes: "zimtstern")
      var events = reader.events.makeAsyncIterator()
      let event = try #require(await events.next())
      #expect(!event.job.values.keys.contains("kinds") || event.job.values["kinds"] is NSNull)
      reader.leave()
    }
  }

  // MARK: What is changed

  @Test func `a change beyond the scope is neither made nor undone`() async throws {
    try await ScopedLibrary.run { library in
      let token = try library.token(AccessScope(.photos, plant: library.basil))
      _ = try library.server.library.diary.setMood(.angry, on: library.server.library.today)
      let before = try library.server.library.history.lastCommit()
      let change = try library.server.library.history.page(limit: 1).changes[0].id
      for (method, path, body) in [
        ("POST", "changes/\(change)/undo", ""), ("POST", "changes/last/undo", ""),
        ("POST", "plants", #"{"name":"Clover"}"#),
        ("POST", "activities", #"{"name":"Prune","plant":"Tomato"}"#),
        ("PATCH", "entries/\(library.photo)", #"{"plant":"Tomato"}"#),
      ] {
        let answer = try await library.server.write(method, path, body, [token])
        #expect(answer.status == 404, "\(method) \(path)")
      }
      #expect(try library.server.library.history.lastCommit() == before)

      let edit = try await library.server.write(
        "PATCH", "entries/\(library.photo)", #"{"notes":"watered"}"#, [token])
      #expect(edit.status == 200)
      let own = try #require(edit.headers["leaflog-change"])
      let undo = try await library.server.write("POST", "changes/\(own)/undo", "", [token])
      #expect(undo.status == 200)
    }
  }

  @Test func `a sent photo goes to the plant of the token`() async throws {
    try await ScopedLibrary.run { library in
      let token = try library.token(AccessScope(.send, plant: library.basil))
      let file = try Data(
        contentsOf: URL(fileURLWithPath: Fixtures.path("Photos/monstera")).appending(
          path: ScopedLibrary.firstFile(of: "Photos/monstera")))
      let answer = try await library.server.answer(
        "POST", "/api/v1/photos?name=a.jpg&plant=Tomato",
        [token, "Content-Type: application/octet-stream"], body: Array(file))
      #expect(answer.status == 201)
      let id = try #require(try answer.json["photo"] as? String)
      let entry = try library.server.library.diary.entry(matching: id)
      #expect(entry.plant?.id == library.basil)
      let digest = try #require(entry.photo?.sourceDigest.hex)
      let known = try await library.server.answer("/api/v1/sources/\(digest)", [token])
      #expect(known.status == 204 && known.body.isEmpty)
    }
  }

  @Test func `an upload in pieces is known to its own token alone`() async throws {
    try await ScopedLibrary.run { library in
      let tokens = try ["a", "b"].map {
        let grant = AccessGrant(AccessScope(.send))
        return
          "Authorization: Bearer \(try library.server.library.tokens.add($0, grant: grant).secret)"
      }
      let begun = try await library.server.write(
        "POST", "uploads", #"{"name":"a.jpg","byteCount":4}"#, [tokens[0]])
      let id = try #require(try begun.json["id"] as? String)
      for (token, status) in [(tokens[1], 404), (tokens[0], 200), (library.owner, 200)] {
        let answer = try await library.server.answer("/api/v1/uploads/\(id)", [token])
        #expect(answer.status == status)
      }
      let other = try await library.server.write("DELETE", "uploads/\(id)", "", [tokens[1]])
      #expect(other.status == 404)
    }
  }

  @Test(arguments: [AccessScope.Extent.send, .photos])
  func `a photo that is sent again does not come back from the trash`(
    _ extent: AccessScope.Extent
  ) async throws {
    try await ScopedLibrary.run { library in
      let token = try library.token(AccessScope(extent))
      let id = EntryID(stored: library.photo)
      _ = try library.server.library.photos.delete(.photos([id]))
      let file = URL(fileURLWithPath: Fixtures.path("Photos/basil")).appending(
        path: try ScopedLibrary.firstFile(of: "Photos/basil"))
      let answer = try await library.server.answer(
        "POST", "/api/v1/photos?name=a.jpg",
        [token, "Content-Type: application/octet-stream"],
        body: Array(try Data(contentsOf: file)))
      #expect(answer.status == 200)
      #expect(try library.server.library.diary.entry(matching: library.photo).deletedAt != nil)
    }
  }

  // MARK: Giving

  @Test func `a token never gives more than it has`() async throws {
    try await AccessFixture.run { fixture in
      let tokens = fixture.server.library.tokens
      let day = fixture.server.library.today
      let limit = AccessGrant(.everything, until: day)
      let giver = "Authorization: Bearer \(try tokens.add("guest", grant: limit).secret)"
      for body in [
        #"{"name":"a"}"#, #"{"name":"a","may":"send"}"#,
        #"{"name":"a","until":"\#(day.advanced(by: 1))"}"#,
      ] {
        let answer = try await fixture.server.write("POST", "tokens", body, [giver])
        #expect(answer.status == 400, "\(body)")
      }
      let answer = try await fixture.server.write(
        "POST", "tokens", #"{"name":"a","may":"read","until":"\#(day)"}"#, [giver])
      #expect(answer.status == 201)
      #expect(try answer.json["may"] as? String == "read")
    }
  }

  @Test func `a token is valid until the end of its last day`() async throws {
    try await AccessFixture.run { fixture in
      let today = fixture.server.library.today
      let secret = try fixture.server.library.tokens.add(
        "guest", grant: AccessGrant(AccessScope(.read), until: today)
      ).secret
      let token = "Authorization: Bearer \(secret)"
      #expect(try await fixture.server.answer("/api/v1/timeline", [token]).status == 200)
      fixture.clock.pass(days: 1)
      #expect(try await fixture.server.answer("/api/v1/timeline", [token]).status == 401)
    }
  }
}

/// A library with entries of every kind, whose words must not be seen by everybody.
struct ScopedLibrary {
  let server: RunningServer
  let clock: TestClock
  let owner: String
  let basil: PlantID
  let photo: String
  let hiddenIDs: [String]
  /// Words of health entries, quotes, and activities that belong to no plant.
  let words = [
    "kopfschmerzwort", "symptomnotiz", "symptommarke", "lognotiz", "episodennotiz", "launennotiz",
    "zitattext", "zitatautor", "gewohnheit", "gewohnheitsnotiz",
  ]
  /// Words of the plant to which some tokens do not belong.
  let wordsOfOtherPlant = ["Tomato", "tomatennotiz", "giessen-der-tomate"]

  static func firstFile(of folder: String) throws -> String {
    try #require(
      FileManager.default.contentsOfDirectory(atPath: Fixtures.path(folder)).sorted().first)
  }

  static func run(_ body: (ScopedLibrary) async throws -> Void) async throws {
    try await AccessFixture.run { fixture in
      let (server, owner) = (fixture.server, fixture.bearer)
      let library = server.library
      let basil = try library.plants.add(PlantDetails(name: "Basil")).id
      var tomato = PlantDetails(name: "Tomato")
      tomato.notes = "tomatennotiz"
      let other = try library.plants.add(tomato).id
      var ids: [String] = []
      func post(_ method: String, _ path: String, _ json: String) async throws -> [String: Any] {
        let answer = try await server.write(method, path, json, [owner])
        try #require(answer.status < 300, "\(String(decoding: answer.body, as: UTF8.self))")
        return try answer.json
      }
      func entry(_ method: String, _ path: String, _ json: String) async throws {
        ids.append(try #require(try await post(method, path, json)["id"] as? String))
      }
      func photo(_ folder: String, _ plant: String) async throws -> String {
        let file = URL(fileURLWithPath: Fixtures.path(folder)).appending(
          path: try firstFile(of: folder))
        let answer = try await server.answer(
          "POST", "/api/v1/photos?name=a.jpg&plant=\(plant)",
          [owner, "Content-Type: application/octet-stream"],
          body: Array(try Data(contentsOf: file)))
        return try #require(try answer.json["photo"] as? String)
      }
      let own = try await photo("Photos/basil", "Basil")
      ids.append(try await photo("Photos/tomato", "Tomato"))
      let day = library.today
      try await entry(
        "POST", "symptoms",
        #"{"symptom":{"name":"kopfschmerzwort","severity":2},"notes":"symptomnotiz","tags":["symptommarke"]}"#
      )
      try await entry(
        "PATCH", "days/\(day)/log", #"{"dailyLog":{"sleepHours":7},"notes":"lognotiz"}"#)
      try await entry(
        "POST", "episodes",
        #"{"occurredAt":"\#(day)","episode":{"type":"cold"},"notes":"episodennotiz"}"#)
      try await entry("PUT", "days/\(day)/mood", #"{"mood":"happy","notes":"launennotiz"}"#)
      let quote = try await post(
        "POST", "quotes", #"{"text":"zitattext","author":"zitatautor"}"#)
      _ = try await post("PUT", "quotes/\(quote["id"] as? String ?? "")/favourite", "{}")
      for (name, plant) in [("gewohnheit", "null"), ("giessen-der-tomate", #""Tomato""#)] {
        let activity = try await post(
          "POST", "activities", #"{"name":"\#(name)","plant":\#(plant)}"#)
        let id = try #require(activity["id"] as? String)
        ids.append(id)
        _ = try await post(
          "POST", "activities/\(id)/completions", #"{"notes":"\#(name)snotiz"}"#)
      }
      _ = try await post("POST", "activities", #"{"name":"Water the basil","plant":"Basil"}"#)
      ids.append(other.description)
      _ = try library.settings.set(.disclaimer, to: "acknowledged")
      try await body(
        ScopedLibrary(
          server: server, clock: fixture.clock, owner: owner, basil: basil, photo: own,
          hiddenIDs: ids))
    }
  }

  /// The line of a new token with a scope.
  func token(_ scope: AccessScope) throws -> String {
    "Authorization: Bearer \(try server.library.tokens.add("other \(UUID())", grant: AccessGrant(scope)).secret)"
  }

  /// The addresses of everything that can be read, with the ids of things that are seen and of things that are not.
  func addresses() async throws -> [String] {
    let routes = try await LeaflogServer(server.library).routes()
    let day = server.library.today.description
    let reads = routes.filter { route in
      route.method == "GET" && !route.path.contains("events") && !route.path.hasPrefix("/assets")
        && route.need != .open
    }.flatMap { route in
      route.path.contains("{")
        ? (hiddenIDs + [photo, basil.description, day, "last"]).map {
          route.path.replacing(/\{[^}]*\}/, with: $0)
        } : [route.path]
    }
    let searches = (words + wordsOfOtherPlant).flatMap { word in
      let part = String(word.dropLast())
      return [
        "/api/v1/search?text=\(part)x", "/search?text=\(part)", "/api/v1/search?text=\(part)",
      ]
    }
    return reads + searches
      + [
        "/timeline/section?month=\(day.prefix(7))&part=1", "/timeline?zoom=months",
        "/timeline?only=deleted", "/timeline?only=withoutPlant", "/timeline?tag=symptommarke",
        "/api/v1/timeline/buckets?unit=day", "/api/v1/timeline?favourite=true", "/?on=\(day)",
        "/compare?plant=Basil", "/add?plant=Basil", "/timeline?changed=1",
      ]
  }
}

/// Tokens that another process revokes.
@Suite struct RevocationTests {
  @Test func `a running download of a revoked token ends before its end`() async throws {
    var options = ServerOptions()
    (options.alwaysRequiresToken, options.limits.tokenCheck) = (true, .zero)
    try await AccessFixture.run(options) { fixture in
      let server = fixture.server
      let other = try server.library.tokens.add("display").secret
      // Larger than what waits between the two.
      let byteCount = 64 << 20
      let file = try Fixtures.data("Photos/basil/20250510T120006+0100.jpg")
      let answer = try await server.answer(
        "POST", "/api/v1/photos?name=a.jpg",
        [fixture.bearer, "Content-Type: application/octet-stream"],
        body: Array(file + Data(count: byteCount)))
      let id = try #require(try answer.json["photo"] as? String)
      let elsewhere = try Library.open(at: server.library.path, for: .reading)
      for secret in [other, fixture.secret] {
        let count = try await HTTPExchange(port: server.port).byteCount(
          of: "/api/v1/photos/\(id)/original", ["Authorization: Bearer \(secret)"]
        ) { if secret == other { _ = try elsewhere.tokens.revoke(matching: "display") } }
        #expect((count > byteCount) == (secret != other))
      }
      try elsewhere.close()
      let next = try await server.answer("/api/v1/timeline", ["Authorization: Bearer \(other)"])
      #expect(next.status == 401)
    }
  }
}
