import Foundation
import TestSupport
import Testing

@Suite struct TimelineCommandTests {
  private func imported() throws -> CommandFixture {
    let fixture = try CommandFixture()
    let result = try fixture.leaflog("import", Fixtures.path("Photos"), "--quiet")
    #expect(result.status == 0)
    return fixture
  }

  @Test func `pages are walked by next and previous, with either option`() throws {
    let fixture = try imported()
    for option in ["--before", "--after"] {
      var ids: [String] = []
      var pages: [[String: Any]] = []
      var arguments = ["timeline", "--json", "--limit", "5"]
      while true {
        let page = try #require(try fixture.leaflog.run(arguments).json.first)
        pages.append(page)
        ids += (page["items"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? String }
        guard let next = page["next"] as? String else { break }
        arguments = ["timeline", "--json", "--limit", "5", option, next]
      }
      #expect(ids.count == 13)
      #expect(Set(ids).count == 13)
      #expect(pages[0]["previous"] is NSNull)
      #expect(pages[2]["next"] is NSNull)
      let previous = try #require(pages[2]["previous"] as? String)
      let back = try #require(
        try fixture.leaflog("timeline", "--json", "--limit", "5", option, previous).json.first)
      #expect(
        (back["items"] as? [[String: Any]])?.compactMap { $0["id"] as? String }
          == Array(ids[5..<10]))
    }
  }

  @Test func `a page that holds all says so, and a broken cursor is called one`() throws {
    let fixture = try imported()
    for (option, day) in [("--after", "1900-01-01"), ("--before", "2999-01-01")] {
      let result = try fixture.leaflog("timeline", option, day)
      #expect(result.status == 0 && !result.error.contains("For more"))
      let page = try #require(try fixture.leaflog("timeline", option, day, "--json").json.first)
      #expect(page["next"] is NSNull && page["previous"] is NSNull)
    }
    let id = try #require(try fixture.entries()[5]["id"] as? String)
    let page = try #require(
      try fixture.leaflog("timeline", "--around", id, "--limit", "1", "--json").json.first)
    let next = try #require(page["next"] as? String)
    #expect(page["previous"] is String)
    for cursor in [String(next.dropLast()) + "n", String(next.dropLast(3))] {
      let result = try fixture.leaflog("timeline", "--before", cursor)
      #expect(result.status != 0 && result.error.contains("is not a cursor"), "\(result.error)")
    }
  }

  @Test func `the trash has a line of its own in stats`() throws {
    let fixture = try imported()
    func statistics() throws -> [String: Any] {
      try #require(try fixture.leaflog("stats", "--json").json.first)
    }
    func stored(_ statistics: [String: Any]) -> Int {
      (statistics["storedByteCount"] as? Int ?? 0)
        + ((statistics["trash"] as? [String: Any])?["byteCount"] as? Int ?? 0)
    }
    let before = try statistics()
    #expect(try !fixture.leaflog("stats").output.contains("trash"))
    #expect(try fixture.leaflog("photo", "delete", "--plant", "basil", "--yes").status == 0)
    let after = try statistics()
    #expect(stored(after) == stored(before))
    #expect((after["trash"] as? [String: Any])?["count"] as? Int == 4)
    let renditions = try #require(after["renditions"] as? [String: [String: Any]])
    #expect(renditions["thumbnail"]?["count"] as? Int == 9)
    let source = try #require(after["sourceByteCount"] as? Int)
    #expect(try #require(after["storedByteCount"] as? Int) < source)
    #expect(try fixture.leaflog("stats").output.contains("In the trash  4 photos, "))
  }

  @Test func `after a move to another zone each day is there once, in the same order`() throws {
    let fixture = try CommandFixture()
    try #require(
      try fixture.leaflog("init", "--time-zone", "Europe/Berlin", "--quiet").status == 0)
    for day in ["2025-01-30", "2025-01-31"] {
      for time in ["T23:00+01:00", "T22:00", ""] {
        try fixture.json("symptom", "add", "cough", "--severity", "1", "--yes", "--at", day + time)
      }
    }
    for day in ["2025-01-30", "2025-01-31", "2025-02-01"] {
      try fixture.json("log", "set", "--on", day, "--sleep-hours", "7")
    }
    func entries() throws -> [[String]] {
      try fixture.entries().map { entry in
        ["id", "occurredAt", "localDay"].map { entry[$0] as? String ?? "" }
      }
    }
    let before = try entries()
    #expect(before.map { $0[2] } == before.map { $0[2] }.sorted(by: >))
    for zone in ["Asia/Tokyo", "America/Los_Angeles", "Pacific/Kiritimati"] {
      try fixture.json("settings", "set", "timeZone", zone)
      #expect(try entries() == before)
      let days = try fixture.leaflog("timeline").output.split(separator: "\n")
        .filter { $0.hasPrefix("2025-") }
      #expect(
        days == ["2025-02-01 Saturday", "2025-01-31 Friday", "2025-01-30 Thursday"], "\(days)")
    }
  }

  @Test func `an entry has the promised keys`() throws {
    let fixture = try imported()
    let entry = try #require(
      try fixture.entries("monstera").last { $0["kind"] as? String == "photo" })
    #expect(entry["occurredAt"] as? String == "2025-04-02T08:11:05+02:00")
    #expect(entry["localDay"] as? String == "2025-04-02")
    #expect((entry["plant"] as? [String: Any])?["name"] as? String == "monstera")
    let photo = try #require(entry["photo"] as? [String: Any])
    #expect(photo["width"] as? Int == 1200)
    #expect(photo["height"] as? Int == 900)
    #expect(photo["captureSource"] as? String == "exif")
    #expect((photo["sourceDigest"] as? String)?.hasPrefix(entry["id"] as? String ?? "?") == true)
    #expect(photo["storedByteCount"] is Int)
  }

  @Test func `a plant, days, order and buckets`() throws {
    let fixture = try imported()
    #expect(try fixture.entries("MONSTERA").count == 5)
    #expect(try fixture.entries("--from", "2025-06-01", "--to", "2025-06-30").count == 3)
    #expect(
      try fixture.entries("--kind", "Photos").count == fixture.entries("--kind", "photo").count)
    #expect(try fixture.leaflog("timeline", "--kind", "log").status == 0)
    let unknown = try fixture.leaflog("timeline", "--kind", "picture")
    #expect(unknown.status == 64 && unknown.error.hasPrefix("leaflog: "), "\(unknown.error)")
    #expect(try fixture.entries("--kind", "mood").isEmpty)
    #expect(
      try fixture.entries("--oldest-first").first?["localDay"] as? String == "2025-04-02")
    #expect(try fixture.entries("--before", "2025-05-01").count == 2)
    #expect(
      try fixture.entries("--around", "2025-05-20").compactMap { $0["localDay"] as? String }
        .contains("2025-05-20"))
    #expect(try fixture.leaflog("timeline", "--by", "month", "--before", "2025-06").status == 64)
    let result = try fixture.leaflog("timeline", "--by", "month", "--json")
    let buckets = result.json.first?["buckets"] as? [[String: Any]]
    #expect(
      buckets?.map { "\($0["bucket"] ?? "") \($0["count"] ?? "")" }
        == ["2025-07 2", "2025-06 3", "2025-05 6", "2025-04 2"])
  }

  @Test(arguments: [40, 59])
  func `in a narrow terminal, lists are wrapped to its width, and nothing is cut`(
    width: Int
  ) throws {
    var fixture = try imported()
    let note = "behind the greenhouse, between the compost and the 🌱 wall"
    for arguments in [
      ["symptom", "add", "Headache", "--severity", "2", "--note", note, "--tag", "outdoors"],
      ["activity", "add", "Water everything on the balcony", "--every", "4", "--plant", "basil"],
      ["plant", "edit", "basil", "--location", "on the window sill of the kitchen"],
      ["mood", "set", "grateful"], ["log", "set", "--stress", "2", "--note", note],
      ["episode", "start", "--type", "cold", "--symptom", "fever", "--note", note],
      ["factor", "add", "Migraine pill after the greenhouse"],
      ["token", "add", "my old telephone"],
      ["settings", "set", "severity.scales", "mild, moderate, severe; low, medium, high"],
    ] { #expect(try fixture.leaflog.run(arguments + ["--quiet"]).status == 0, "\(arguments)") }
    fixture.leaflog.environment["COLUMNS"] = "\(width)"
    for list in [
      ["timeline"], ["photo", "list"], ["plant", "list"], ["activity", "list"], ["mood", "list"],
      ["symptom", "list"], ["log", "list"], ["episode", "list"], ["factor", "list"],
      ["token", "list"], ["tag", "list"], ["history"], ["settings"],
    ] {
      let result = try fixture.leaflog.run(list)
      #expect(result.status == 0, "\(list)")
      let lines = result.output.split(separator: "\n")
      #expect(!lines.isEmpty && lines.allSatisfy { $0.count <= width }, "\(list): \(lines)")
      #expect(!result.output.contains("…"), "\(list): \(lines)")
    }
    let words = try fixture.leaflog("symptom", "list").output.split(whereSeparator: \.isWhitespace)
    #expect(note.split(separator: " ").allSatisfy { words.contains($0) }, "\(words)")
  }

  @Test func `text is one line an entry under its day, in the terminal's width`() throws {
    let fixture = try imported()
    var leaflog = fixture.leaflog
    for width in [60, 80, 120] {
      leaflog.environment = ["COLUMNS": "\(width)"]
      let result = try leaflog("timeline", "tomato")
      let lines = result.output.split(separator: "\n").map(String.init)
      #expect(lines.count == 8)
      #expect(lines[0] == "2025-07-05 Saturday")
      #expect(lines[1].hasPrefix("  19:05  "))
      #expect(lines[1].contains("day 47"))
      #expect(lines.allSatisfy { $0.count <= width }, "\(width): \(lines)")
      #expect(!result.output.contains("\u{1B}"))
      if width == 80 { #expect(result.output.contains("three green tomatoes")) }
    }
  }

  @Test func `show, stats and plant list tell the same in JSON and in text`() throws {
    let fixture = try imported()
    let id = try #require(try fixture.entries("basil").first?["id"] as? String)
    let shown = try #require(try fixture.leaflog("show", String(id.prefix(8)), "--json").json.first)
    #expect(shown["id"] as? String == id)
    #expect(shown["originalName"] as? String == "20250531T120006+0100.jpg")
    let renditions = try #require(shown["renditions"] as? [[String: Any]])
    #expect(Set(renditions.compactMap { $0["role"] as? String }) == ["master", "thumbnail"])
    for path in renditions.compactMap({ $0["path"] as? String }) {
      #expect(FileManager.default.fileExists(atPath: path))
    }
    #expect(try fixture.leaflog("show", String(id.prefix(8))).output.contains("the file's name"))

    let statistics = try #require(try fixture.leaflog("stats", "--json").json.first)
    #expect(statistics["photos"] as? Int == 13)
    #expect(statistics["plants"] as? Int == 3)
    #expect((statistics["entries"] as? [String: Any])?["photo"] as? Int == 13)
    #expect(try fixture.leaflog("stats").output.contains("Photos        13"))

    let plants = try #require(try fixture.leaflog("plant", "list", "--json").json.first)
    let items = try #require(plants["items"] as? [[String: Any]])
    #expect(items.compactMap { $0["name"] as? String } == ["basil", "monstera", "tomato"])
    #expect(plants["next"] is NSNull)
  }

  @Test func `errors have a status, a sentence and a code`() throws {
    let fixture = try CommandFixture()
    for arguments in [["timeline"], ["show", "abc"], ["stats"], ["plant", "list"]] {
      let result = try fixture.leaflog.run(arguments + ["--json"])
      #expect(result.status == 10)
      #expect(result.output.isEmpty)
      #expect(result.error.hasPrefix(#"{"error":{"code":"noLibrary","message":"#))
    }
    #expect(try fixture.leaflog("init", "--time-zone", "Asia/Tokyo").status == 0)
    #expect(try fixture.leaflog("init").status == 64)
    #expect(try fixture.leaflog("show", "abc").status == 1)
    #expect(try fixture.leaflog("timeline", "nothing").status == 1)
    #expect(try fixture.leaflog("timeline", "--limit", "0").status == 64)
    #expect(try fixture.leaflog("timeline", "--from", "soon").status == 64)
    #expect(try fixture.leaflog("timeline", "--before", "1", "--after", "2").status == 64)
    #expect(try fixture.leaflog("dance").status == 64)
    let usage = try fixture.leaflog("timeline", "--limit", "none", "--json")
    #expect(usage.status == 64)
    #expect(usage.error.hasPrefix(#"{"error":{"code":"invalidRequest""#))
  }

  @Test func `global options may stand before the command`() throws {
    let fixture = try imported()
    let leaflog = Command(library: nil)
    let library = fixture.folder.file("library")
    let result = try leaflog("--library", library, "--json", "timeline", "--limit", "3")
    #expect((result.json.first?["items"] as? [Any])?.count == 3)
  }

  @Test func `the nearest Storage is used, then the data folder`() throws {
    let folder = try TemporaryFolder()
    var leaflog = Command(library: nil)
    try folder.write(Data("# A Leaflog library\n".utf8), to: "checkout/Storage/README.md")
    try folder.write(Data(), to: "checkout/deep/down/file")
    leaflog.folder = folder.file("checkout/deep/down")
    let made = try leaflog("init", "--json").json.first
    #expect((made?["path"] as? String)?.hasSuffix("/checkout/Storage") == true)
    leaflog.folder = folder.path
    leaflog.environment = ["XDG_DATA_HOME": folder.file("data")]
    let other = try leaflog("init", "--json").json.first
    #expect((other?["path"] as? String)?.hasSuffix("/data/leaflog") == true)
  }
}
