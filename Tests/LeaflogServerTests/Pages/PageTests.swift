import Foundation
import Leaflog
import TestSupport
import Testing

/// The pages, and the forms that change something.
@Suite struct PageTests {
  private static let html = ["Accept: text/html", "Accept-Language: en-GB"]

  /// A server whose welcome has been read.
  private func run(
    importing paths: [String] = [Fixtures.path("Photos/basil")],
    _ body: (RunningServer) async throws -> Void
  ) async throws {
    try await RunningServer.visit(importing: paths, body)
  }

  private func text(_ path: String, of server: RunningServer) async throws -> String {
    let answer = try await server.answer("GET", path, Self.html)
    #expect(answer.status == 200, "\(path)")
    return answer.html
  }

  private func post(
    _ path: String, _ fields: String, to server: RunningServer
  ) async throws -> Answer {
    try await server.answer(
      "POST", path,
      Self.html + [
        "Content-Type: application/x-www-form-urlencoded", "Sec-Fetch-Site: same-origin",
      ], body: Array(fields.utf8))
  }

  @Test func `everything leads to the welcome until it was read`() async throws {
    try await RunningServer.run { server in
      let first = try await server.answer("GET", "/timeline", Self.html)
      #expect(first.status == 303 && first.headers["location"] == "/welcome")
      let unread = try await post("/welcome", "name=Anna&timeZone=Europe/Rome", to: server)
      #expect(unread.status == 422)
      #expect(unread.html.contains("value=\"Anna\""))
      let read = try await post(
        "/welcome", "acknowledged=true&name=Anna&timeZone=Europe%2FRome&next=later", to: server)
      #expect(read.status == 303 && read.headers["location"]?.hasPrefix("/") == true)
      #expect(try server.library.refreshed().settings.value(of: .reportName) == "Anna")
      #expect(try server.library.refreshed().timeZone.identifier == "Europe/Rome")
      #expect(try await server.answer("GET", "/timeline", Self.html).status == 200)
    }
  }

  @Test
  func
    `the welcome chooses the browser's zone only where nobody chose one and nothing is kept, and else offers it`()
    async throws
  {
    let chosen = #"<option value="America/New_York" selected>"#
    let offer = #"data-fill="America/New_York""#
    for (paths, isGuess, isOpen) in [
      ([], true, true), ([], false, false), ([Fixtures.path("Photos/basil")], true, false),
    ] {
      try await RunningServer.run(importing: paths, isTimeZoneGuess: isGuess) { server in
        func page() async throws -> String {
          try await text("/welcome?zone=America/New_York", of: server)
        }
        let first = try await page()
        #expect(first.contains(chosen) == isOpen && first.contains(offer) != isOpen)
        #expect(try await !text("/welcome", of: server).contains(offer))
        #expect(try await !text("/welcome?zone=Nowhere", of: server).contains("data-fill"))
        try server.library.settings.set(.timeZone, to: "Asia/Tokyo")
        let second = try await page()
        #expect(!second.contains(chosen) && second.contains(offer))
        #expect(
          second.contains("in America/New York, the diary in Asia/Tokyo. No entry would move."))
        let time = RecordedTime.instant(Timestamp(milliseconds: 1_750_000_000_000))
        _ = try server.library.refreshed().diary.addSymptom(
          Symptom(name: "cough", severity: Severity(2)), at: time, confirmed: [.late])
        #expect(try await page().contains("1 entry that was recorded as a moment would be shown"))
        // A page from before that still has its zone changes nothing.
        _ = try await post(
          "/welcome", "acknowledged=true&timeZone=Europe/Berlin&zoneShown=Europe/Berlin", to: server
        )
        #expect(try server.library.refreshed().timeZone.identifier == "Asia/Tokyo")
      }
    }
  }

  @Test func `a photo in the trash says so, and can only be restored`() async throws {
    try await run { server in
      let photo = try #require(try server.library.timeline.page(limit: 1).elements.first)
      let path = "/photos/\(photo.id)"
      #expect(try await !text(path, of: server).contains("In the trash"))
      _ = try server.library.photos.delete(.photos([photo.id]))
      let page = try await text(path, of: server)
      #expect(page.contains("In the trash") && page.contains("deleted today"))
      #expect(!page.contains("\(path)/edit") && !page.contains("\(path)/delete"))
      let restored = try await post(
        "/me/trash/restore", "back=\(path)&only=\(photo.id)", to: server)
      #expect(restored.status == 303 && restored.headers["location"]?.hasPrefix(path) == true)
      #expect(try await !text(path, of: server).contains("In the trash"))
    }
  }

  @Test func `the photos of a day come first, with their filters folded and named`() async throws {
    try await run { server in
      let photo = try #require(try server.library.timeline.page(limit: 1).elements.first)
      let plant = try #require(photo.plant)
      let path = "/timeline?plant=\(plant.id)&day=\(photo.time.localDay)&kind=photo"
      let page = try await text(path, of: server)
      #expect(page.contains(#"<details class="fold grow">"#) && page.contains("Filter: "))
      #expect(page.contains("2025, basil") && page.contains("data-photo=\"\(photo.id)\""))
      #expect(page.contains(#"<a class="chip" href="/timeline"><svg"#))
      #expect(try await !text("/timeline", of: server).contains("Show everything"))
    }
  }

  @Test func `a browser without a session is led to the page to sign in, and back`() async throws {
    try await AccessFixture.run { fixture in
      let (server, secret) = (fixture.server, fixture.secret)
      try server.library.settings.set(.disclaimer, to: "acknowledged")
      let refused = try await server.answer("GET", "/timeline?kind=photo", Self.html)
      let refresh = try #require(refused.headers["refresh"])
      #expect(refused.status == 401 && refresh.hasPrefix("0; url=/sign-in?back=%2Ftimeline"))
      #expect(String(decoding: refused.body, as: UTF8.self).contains("/sign-in?back=%2Ftimeline"))
      let place = String(refresh.dropFirst("0; url=".count))
      let form = try await post("/plants/new", "name=Fern", to: server)
      #expect(form.status == 303 && form.headers["location"] == "/sign-in?back=%2F")
      #expect(try await server.answer("GET", "/api/v1/timeline").status == 401)
      #expect(try await text(place, of: server).contains("value=\"/timeline?kind=photo\""))
      let wrong = try await post("/sign-in", "token=leaflog_x&back=%2Fplants", to: server)
      #expect(wrong.status == 401)
      let right = try await post(
        "/sign-in", "token=\(secret)&back=%2Ftimeline", to: server)
      #expect(right.status == 303 && right.headers["location"] == "/timeline")
      let cookie = try #require(right.headers["set-cookie"]?.split(separator: ";").first)
      let page = try await server.answer("GET", "/timeline", Self.html + ["Cookie: \(cookie)"])
      #expect(page.status == 200)
      for place in [
        "%2F%2Fevil.example", "%2F%09%2Fevil.example", "%2F%5Cevil.example",
        "%2F%2F%EF%B8%8Fevil.example",
      ] {
        let away = try await post("/sign-in", "token=\(secret)&back=\(place)", to: server)
        #expect(away.headers["location"] == "/")
      }
    }
  }

  @Test func `a page that was asked for without its cookie is asked for again`() async throws {
    try await AccessFixture.run { fixture in
      let server = fixture.server
      let cookie = try await fixture.cookie()
      let again = "/sign-in?back=%2Ftimeline%3Fkind%3Dphoto"
      let found = try await server.answer("GET", again, Self.html + [cookie])
      #expect(found.status == 303 && found.headers["location"] == "/timeline?kind=photo")
      let elsewhere = try await server.answer(
        "GET", "/sign-in?back=%2F%2Fevil.example", Self.html + [cookie])
      #expect(elsewhere.status == 200 && elsewhere.headers["location"] == nil)
      // A session that has ended leads there, too, however often it does.
      try server.library.tokens.revoke(matching: "phone")
      for _ in 0..<20 {
        #expect(try await server.answer("GET", again, Self.html + [cookie]).status == 200)
      }
      let ended = try await server.answer("GET", "/timeline?kind=photo", Self.html + [cookie])
      #expect(ended.status == 401 && ended.headers["refresh"] == "0; url=\(again)")
    }
  }

  @Test func `a tick, a mood and a log are saved, told and undone`() async throws {
    try await run { server in
      let yoga = try server.library.activities.add(
        ActivityDetails(name: "Yoga", startFrom: server.library.today))
      let day = server.library.today
      let ticked = try await post(
        "/activities/\(yoga.id)/tick", "on=\(day)&done=true&back=%2F", to: server)
      #expect(ticked.status == 303)
      #expect(try server.library.activities.done(on: day) == [yoga.id])
      let place = try #require(ticked.headers["location"])
      let change = try #require(place.split(separator: "=").last)
      #expect(try await text(place, of: server).contains("name=\"change\" value=\"\(change)\""))
      let undone = try await post("/undo", "change=\(change)&back=%2F", to: server)
      #expect(undone.status == 303)
      #expect(try server.library.activities.done(on: day).isEmpty)
      _ = try await post("/moods", "day=\(day)&mood=happy&back=%2F", to: server)
      #expect(try server.library.diary.mood(on: day)?.content == .mood(.happy))
      _ = try await post("/moods", "day=\(day)&mood=none&back=%2F", to: server)
      #expect(try server.library.diary.mood(on: day) == nil)
      let log = try await post(
        "/log", "day=\(day)&sleepHours=7%2C5&stress=2&alcohol=none&notes=a%26b&back=%2F", to: server
      )
      #expect(log.status == 303)
      let stored = try #require(try server.library.diary.dailyLog(on: day))
      #expect(stored.notes == "a&b")
      guard case .dailyLog(let fields) = stored.content else { throw CocoaError(.fileReadUnknown) }
      #expect(
        fields.sleepHours == 7.5 && fields.stress == 2 && fields.alcohol == DailyLog.Alcohol.none)
      #expect(fields.officeDay == nil)
    }
  }

  @Test func `a log that cannot be is shown again with what was typed`() async throws {
    try await run { server in
      let day = server.library.today
      let refused = try await post(
        "/log", "day=\(day)&sleepHours=99&notes=%3Cimg+onerror%3E&back=%2F", to: server)
      #expect(refused.status == 422)
      let page = refused.html
      #expect(page.contains("value=\"99\"") && page.contains("&lt;img onerror&gt;"))
      #expect(!page.contains("<img onerror>"))
      #expect(try server.library.diary.dailyLog(on: day) == nil)
    }
  }

  @Test func `photos of a form have its fields, wherever those stand`() async throws {
    try await run(importing: []) { server in
      var body: [UInt8] = []
      for name in ["IMG_0001", "IMG_0002"] {
        body += Array(
          "--X\r\nContent-Disposition: form-data; name=\"photos\"; filename=\"\(name).jpg\"\r\n\r\n"
            .utf8)
        body += Array(try Fixtures.data("Photos/monstera/\(name).jpg")) + Array("\r\n".utf8)
      }
      body += Array(
        ("--X\r\nContent-Disposition: form-data; name=\"newPlant\"\r\n\r\nGroße Monstera\r\n"
          + "--X\r\nContent-Disposition: form-data; name=\"notes\"\r\n\r\n<b>new</b>\r\n--X--\r\n")
          .utf8)
      let answer = try await server.answer(
        "POST", "/add", Self.html + ["Content-Type: multipart/form-data; boundary=X"], body: body)
      #expect(answer.status == 200)
      #expect(answer.html.contains("2 photos added"))
      let entries = try server.library.timeline.page().elements
      #expect(entries.map { $0.plant?.name } == ["Große Monstera", "Große Monstera"])
      #expect(entries.allSatisfy { $0.notes == "<b>new</b>" })
      #expect(
        try server.library.history.page(limit: 5).changes.count { $0.kind == .importPhotos } == 1)
      #expect(try server.uploadsLeft.isEmpty)
    }
  }

  @Test func `a form without scripts adds photos to the plant that was chosen in its list`()
    async throws
  {
    try await run { server in
      let plant = try server.library.plants.add(PlantDetails(name: "Fern"))
      let body =
        Array(
          "--X\r\nContent-Disposition: form-data; name=\"photos\"; filename=\"a.jpg\"\r\n\r\n".utf8)
        + Array(try Fixtures.data("Photos/monstera/IMG_0002.jpg"))
        + Array(
          ("\r\n--X\r\nContent-Disposition: form-data; name=\"plant\"\r\n\r\n\(plant.id)\r\n"
            + "--X\r\nContent-Disposition: form-data; name=\"newPlant\"\r\n\r\n\r\n--X--\r\n").utf8)
      let answer = try await server.answer(
        "POST", "/add", Self.html + ["Content-Type: multipart/form-data; boundary=X"], body: body)
      #expect(answer.status == 200 && answer.html.contains("Fern"))
      #expect(try server.library.plants.find(matching: "Fern").photoCount == 1)
    }
  }

  @Test func `a section that is fetched is the one that the page has`() async throws {
    try await run(importing: [Fixtures.path("Photos")]) { server in
      let page = try await text("/timeline", of: server)
      let section = try await text("/timeline/section?month=2025-05&part=1", of: server)
      let tiles = section.matches(of: /<a class="tile" href="([^"]+)"/).map(\.1)
      #expect(tiles.count == 6)
      for tile in tiles { #expect(page.contains(tile)) }
      #expect(try await server.answer("GET", "/timeline/section?part=1", Self.html).status == 400)
    }
  }

  @Test(arguments: [Int.min, -1, 0, .max])
  func `no number in an address stops the service`(_ number: Int) async throws {
    try await run { server in
      for path in [
        "/?changed", "/timeline?month=2025-05&part", "/timeline/section?month=2025-05&part",
        "/quotes?before", "/me/history?before", "/insights?days",
        "/symptoms/trend?name=cough&days",
      ] {
        let answer = try await server.answer("GET", "\(path)=\(number)", Self.html)
        #expect([200, 400].contains(answer.status), "\(path)")
      }
    }
  }

  @Test func `without scripts, the links to what is older lead past every entry once`() async throws
  {
    try await run { server in
      let day = try #require(LocalDay("2026-10-07"))
      for number in 0..<250 {
        let symptom = Symptom(name: "cough \(number)", severity: try Severity(1))
        _ = try server.library.diary.addSymptom(
          symptom, at: .day(day.advanced(by: -number / 20)), confirmed: [.late])
      }
      var (address, names) = (String?.some("/timeline?kind=symptom"), [String]())
      while let next = address {
        let page = try await text(next, of: server)
        names += page.matches(of: /<strong>(cough \d+)</).map { String($0.1) }
        address = page.firstMatch(of: /href="([^"]*)#m-[^"]*">Older</).map {
          String($0.1).replacing("&amp;", with: "&").replacing("&#x3D;", with: "=")
        }
        #expect(names.count <= 250)
      }
      #expect(names.count == 250 && Set(names).count == 250)
      let start = try await text("/timeline?kind=symptom&month=2026-09", of: server)
      #expect(start.contains("id=\"m-2026-09\"") && start.contains("Newest"))
      #expect(!start.contains("id=\"m-2026-10\""))
    }
  }

  @Test func `an edit of what somebody else has changed is told, and loses nothing`() async throws {
    try await run { server in
      let entry = try #require(try server.library.timeline.page(limit: 1).elements.first)
      let page = try await text("/photos/\(entry.id)/edit", of: server)
      let version = try #require(page.firstMatch(of: /name="version" value="([^"]+)"/)).1
      _ = try server.library.photos.edit(entry.id, notes: "theirs")
      let mine = "version=\(version)&notes=mine&tags=&plant=&newPlant=Basil"
      let refused = try await post("/photos/\(entry.id)", mine, to: server)
      #expect(refused.status == 409)
      let conflict = refused.html
      #expect(conflict.contains("theirs") && conflict.contains("mine"))
      let next = try #require(conflict.firstMatch(of: /name="version" value="([^"]+)"/)).1
      let saved = try await post(
        "/photos/\(entry.id)", mine.replacing(version, with: next), to: server)
      #expect(saved.status == 303)
      #expect(try server.library.photos.entry(matching: "\(entry.id)").notes == "mine")
    }
  }

  @Test func `why a form was refused is said in the language of the page`() async throws {
    try await run { server in
      for name in ["Fern", "Moss"] { _ = try server.library.plants.add(PlantDetails(name: name)) }
      let moss = try server.library.plants.find(matching: "Moss").id
      let refused = try await server.answer(
        "POST", "/plants/\(moss)",
        [
          "Accept: text/html", "Accept-Language: de",
          "Content-Type: application/x-www-form-urlencoded",
        ], body: Array("name=Fern&location=&scientificName=&notes=".utf8))
      #expect(refused.status == 422)
      #expect(refused.html.contains("Diesen Namen gibt es schon"))
      #expect(!refused.html.contains("already taken"))
    }
  }

  @Test func `a page that a token may not open says so in its language`() async throws {
    try await AccessFixture.run { fixture in
      let reader = try fixture.server.library.tokens.add(
        "reader", grant: AccessGrant(AccessScope(.read)))
      let mood = try fixture.server.library.diary.setMood(.calm, on: fixture.server.library.today)
      for (method, status) in [("GET", 200), ("POST", 403)] {
        let answer = try await fixture.server.answer(
          method, "/entries/\(mood.id)",
          [
            "Accept: text/html", "Authorization: Bearer \(reader.secret)",
            "Content-Type: application/x-www-form-urlencoded",
          ], body: method == "GET" ? [] : Array("mood=sad".utf8))
        #expect(answer.status == status, "\(method)")
      }
      for (language, words) in [
        ("de", "Dieser Schlüssel erlaubt das nicht."), ("en", "This token does not include that."),
      ] {
        let answer = try await fixture.server.answer(
          "GET", "/symptoms/new",
          [
            "Accept: text/html", "Accept-Language: \(language)",
            "Authorization: Bearer \(reader.secret)",
          ])
        #expect(answer.status == 403 && answer.html.contains(words), "\(language)")
      }
    }
  }

  @Test func `a page that is not there says so to people, and to programs`() async throws {
    try await run { server in
      let page = try await server.answer(
        "GET", "/nowhere", ["Accept: text/html", "Accept-Language: de"])
      #expect(page.status == 404)
      #expect(page.html.contains("Hier ist nichts"))
      let program = try await server.answer("GET", "/nowhere")
      #expect(program.headers["content-type"] == "application/problem+json")
    }
  }

  @Test func `the title of a page that a form leads to begins with what happened`() async throws {
    try await run { server in
      let fields = "name=Headache&severity=mild&at=\(server.library.today)T00:00"
      let saved = try await post("/symptoms", fields, to: server)
      let place = try #require(saved.headers["location"])
      #expect(
        try await text(place, of: server).contains("<title>Symptom logged · Symptoms · Leaflog"))
      let plain = try #require(place.split(separator: "?").first)
      #expect(try await text("\(plain)", of: server).contains("<title>Symptoms · Leaflog"))
      let begun = try await post("/me/store", "kind=recompress&dryRun=true", to: server)
      let jobs = try await text(try #require(begun.headers["location"]), of: server)
      #expect(jobs.contains("<title>Started: Recompress (preview) · Library · Leaflog"))
    }
  }

  @Test func `an empty log is shown again, and is no entry`() async throws {
    try await run { server in
      let day = server.library.today
      let empty = try await post("/log", "day=\(day)&sleepHours=&notes=+", to: server)
      #expect(empty.status == 422 && empty.html.contains("Nothing has been entered yet."))
      #expect(try server.library.diary.dailyLog(on: day) == nil)
      _ = try await post("/log", "day=\(day)&stress=2", to: server)
      let emptied = try await post("/log", "day=\(day)&stress=&notes=", to: server)
      #expect(emptied.status == 422 && emptied.html.contains("To remove it, delete it below."))
      #expect(try server.library.diary.dailyLog(on: day) != nil)
    }
  }

  @Test func `the worker keeps each module that another one imports`() async throws {
    try await run { server in
      let page = try await text("/plants", of: server)
      let assets = try #require(page.firstMatch(of: /data-assets="([^"]+)"/)).1
      func module(_ name: String) async throws -> String {
        try await server.answer("GET", name).html
      }
      let worker = try await module("/service-worker.js")
      let (entry, imports) = ("leaflog.js", /"\.\/([a-z]+\.js)"/)
      var (found, rest): (Set<String>, [String]) = ([entry], [entry])
      while let name = rest.popLast() {
        for match in try await module("\(assets)/\(name)").matches(of: imports) {
          if found.insert(String(match.1)).inserted { rest.append(String(match.1)) }
        }
      }
      #expect(found.contains("focus.js") && found.contains("months.js"))
      for name in found { #expect(worker.contains("\"\(name)\""), "\(name)") }
    }
  }

  @Test func `assets are kept for ever under an address that changes with them`() async throws {
    try await run { server in
      let page = try await text("/", of: server)
      let style = try #require(page.firstMatch(of: /href="(\/assets\/[0-9a-f]+\/style.css)"/)).1
      let asset = try await server.answer("GET", String(style))
      #expect(asset.headers["content-type"] == "text/css; charset=utf-8")
      #expect(asset.headers["cache-control"] == "public, max-age=31536000, immutable")
      let old = try await server.answer("GET", "/assets/000000000000/style.css")
      #expect(old.status == 200 && old.headers["cache-control"] == "no-cache")
      #expect(try await server.answer("GET", "/assets/0/..%2Fstyle.css").status == 404)
    }
  }

  @Test(arguments: ["day=%zz", "day=%FF", "mood={happy}|^`", "%=%", "a=b=c&&=&x", "\u{1}"])
  func `a form that no browser would send is refused, and the server goes on`(
    fields: String
  ) async throws {
    try await run { server in
      let refused = try await post("/moods", fields, to: server)
      #expect((400..<500).contains(refused.status))
      #expect(try await server.answer("/healthz").status == 200)
    }
  }

  @Test func `a photo's date that cannot be is told, and nothing is left of the photo`()
    async throws
  {
    try await run(importing: []) { server in
      let body =
        Array("--X\r\nContent-Disposition: form-data; name=\"p\"; filename=\"a.jpg\"\r\n\r\n".utf8)
        + Array(try Fixtures.data("Photos/monstera/IMG_0001.jpg"))
        + Array(
          ("\r\n--X\r\nContent-Disposition: form-data; name=\"date\"\r\n\r\nsoon\r\n"
            + "--X\r\nContent-Disposition: form-data; name=\"notes\"\r\n\r\nwhat I saw\r\n--X--\r\n")
            .utf8)
      let answer = try await server.answer(
        "POST", "/add", Self.html + ["Content-Type: multipart/form-data; boundary=X"], body: body)
      #expect(answer.html.contains("id=\"problem\"") && answer.html.contains("what I saw"))
      #expect(try server.uploadsLeft.isEmpty)
      #expect(try server.library.timeline.page().elements.isEmpty)
    }
  }

  @Test func `a new plant and its photo's move are one change`() async throws {
    try await run { server in
      let entry = try #require(try server.library.timeline.page(limit: 1).elements.first)
      let moved = try await post(
        "/photos/move", "id=\(entry.id)&newPlant=Fern&notes=&back=%2F", to: server)
      #expect(moved.status == 303)
      #expect(try server.library.photos.entry(matching: "\(entry.id)").plant?.name == "Fern")
      let change = try #require(moved.headers["location"]?.split(separator: "=").last)
      _ = try await post("/undo", "change=\(change)&back=%2F", to: server)
      #expect(try server.library.photos.entry(matching: "\(entry.id)").plant?.name == "basil")
      #expect(try server.library.plants.all().map(\.name) == ["basil"])
    }
  }
}
