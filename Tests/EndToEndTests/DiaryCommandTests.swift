import Foundation
import TestSupport
import Testing

/// `leaflog symptom`, `log`, `episode` and `mood`, as they are typed.
@Suite struct DiaryCommandTests {
  private func made(in zone: TimeZone = .farFromMidnight) throws -> CommandFixture {
    let fixture = try CommandFixture()
    try #require(
      try fixture.leaflog("init", "--time-zone", zone.identifier, "--quiet").status == 0)
    return fixture
  }

  // MARK: Symptoms

  @Test func `a symptom is added, found, shown, changed, deleted and restored`() throws {
    let fixture = try made()
    let added = try fixture.json(
      "symptom", "add", "Headache", "--severity", "moderate", "--at", "2026-03-01T09:30", "--yes",
      "--tag", "pain", "--medication", "ibuprofen", "--note", "after spicy food")
    #expect(added["kind"] as? String == "symptom")
    #expect(added["occurredAt"] as? String == "2026-03-01T09:30:00")
    let symptom = added["symptom"] as? [String: Any]
    #expect(symptom?["name"] as? String == "Headache")
    #expect(symptom?["severity"] as? Double == 3)
    #expect(symptom?["severityLabel"] as? String == "moderate")
    #expect(added["tags"] as? [String] == ["pain"])
    #expect(symptom?["medications"] as? [String] == ["ibuprofen"])
    let id = try #require(added["id"] as? String)

    let before = try CatalogDump(of: fixture)
    let changed = try fixture.json("symptom", "edit", String(id.prefix(6)), "--severity", "5")
    #expect((changed["symptom"] as? [String: Any])?["severity"] as? Double == 5)
    #expect((changed["symptom"] as? [String: Any])?["severityLabel"] == nil)
    #expect(changed["notes"] as? String == "after spicy food")
    #expect(try fixture.json("undo").counts == ["symptom": [0, 1, 0]])
    #expect(try CatalogDump(of: fixture).changes(since: before).isEmpty)

    #expect(try fixture.json("symptom", "list", "2026-03-01").texts("id") == [id])
    #expect(try fixture.json("symptom", "list", "2026-03-02").items.isEmpty)
    #expect(try fixture.json("symptom", "names", "head").texts("name") == ["Headache"])
    for word in ["headache", "ibupr", "spicy", "pain"] {
      #expect(try fixture.json("search", word).texts("id") == [id])
    }

    #expect(try fixture.json("symptom", "delete", id, status: 13)["dryRun"] as? Bool == true)
    #expect(try CatalogDump(of: fixture).changes(since: before).isEmpty)
    try fixture.json("symptom", "delete", id, "--yes")
    #expect(try fixture.entries().isEmpty)
    #expect(try fixture.entries("--deleted").count == 1)
    try fixture.json("symptom", "restore", id)
    #expect(try fixture.entries("--kind", "symptom").count == 1)
    for _ in 0..<3 { try fixture.json("undo") }
    #expect(try fixture.entries().isEmpty && fixture.entries("--deleted").isEmpty)
  }

  @Test func `a symptom older than 48 hours needs confirmation`() throws {
    let fixture = try made()
    let day = "3 days ago"
    let asked = try fixture.json(
      "symptom", "add", "cough", "--severity", "2", "--at", day, status: 13)
    #expect(asked["dryRun"] as? Bool == true)
    #expect(try fixture.entries().isEmpty)
    try fixture.json("symptom", "add", "cough", "--severity", "2", "--at", "yesterday")
    try fixture.json("symptom", "add", "cough", "--severity", "2", "--at", day, "--yes")
    #expect(try fixture.entries().count == 2)
  }

  @Test(arguments: [
    (["symptom", "add", "x", "--severity", "9"], "Severity must be 1 to 5, or mild"),
    (["symptom", "add", "x", "--severity", "awful"], "not awful."),
    (["symptom", "add", " ", "--severity", "1"], "Name must not be empty."),
    (["symptom", "add", "x", "--severity", "1", "--at", "2999-01-01"], "is in the future"),
    (["log", "set", "--stress", "0"], "Stress must be 1 to 5, not 0."),
    (
      ["log", "set", "--sleep-hours", "12.5"],
      "Sleep hours must be 0 to 12 in steps of 0.25, not 12.5."
    ),
    (["log", "set", "--exercise-minutes", "301"], "Exercise minutes must be 0 to 300, not 301."),
    (["log", "set", "--sugar", "sweet"], "Sugar must be low, medium or high, not sweet."),
    (["log", "set", "--on", "2999-01-01"], "is in the future"),
    (
      ["episode", "start", "--type", "cold", "--symptom", "itch"],
      "Symptoms must be cough, sore throat, runny nose, sneezing, fever, fatigue, body aches or headache"
    ),
    (
      ["episode", "start", "--type", "flu"],
      "Type must be cold, cough, fever, sinus, allergy or other"
    ),
    (
      ["episode", "add", "--start", "2026-03-02", "--end", "2026-03-01", "--type", "cold"],
      "Last day must be the start"
    ),
    (["episode", "start", "--type", "cold", "--severity", "6"], "Severity must be 1 to 5, not 6."),
    (["mood", "set", "meh"], "Mood must be happy, okay, sad,"),
  ])
  func `bad input names the field, what it takes and what was given, and leaves nothing`(
    arguments: [String], message: String
  ) throws {
    let fixture = try made()
    let result = try fixture.leaflog.run(arguments)
    #expect(result.status == 64)
    #expect(result.error.contains(message), "\(result.error)")
    #expect(result.output.isEmpty)
    #expect(try fixture.entries().isEmpty)
  }

  // MARK: Logs

  @Test func `a log is made, changed by a second one, shown and listed with its streak`() throws {
    let fixture = try made()
    let first = try fixture.json(
      "log", "set", "--sleep-hours", "7,5", "--sleep-quality", "4", "--stress", "2",
      "--exercise-minutes", "30", "--exercise-type", "walk", "--sugar", "low", "--alcohol", "none",
      "--office-day", "y", "--sick-contact", "N", "--humidifier", "yes", "--note", "calm")
    let second = try fixture.json("log", "set", "--stress", "None", "--alcohol", "some")
    #expect(first["id"] as? String == second["id"] as? String)
    let log = try #require(second["dailyLog"] as? [String: Any])
    #expect(
      log as NSDictionary == [
        "sleepHours": 7.5, "sleepQuality": 4, "exerciseMinutes": 30, "exerciseType": "walk",
        "sugar": "low", "alcohol": "some", "officeDay": true, "sickContact": false,
        "humidifier": true,
      ] as NSDictionary)
    #expect(second["notes"] as? String == "calm")
    try fixture.json("log", "set", "--on", "yesterday", "--stress", "2")
    let list = try fixture.json("log", "list")
    #expect(list.items.count == 2)
    #expect(list["streakDays"] as? Int == 2)
    #expect(try fixture.leaflog("log").output.contains("7.5 h"))
    #expect(try fixture.refusal("log", "show", "2020-01-01", status: 1).code == "notFound")
    try fixture.json("log", "delete", "yesterday", "--yes")
    #expect(try fixture.json("log", "list").items.count == 1)
  }

  @Test(arguments: [("log", "--stress=2"), ("mood", "happy")])
  func `an entry that a day has one of is shown and deleted by its day`(
    noun: String, value: String
  ) throws {
    let fixture = try made()
    for day in ["2026-03-01", "2026-03-02"] {
      try fixture.json(noun, "set", value, "--on", day)
    }
    let shown = try fixture.json(noun, "show", "--on", "2026-03-01")
    #expect(try fixture.json(noun, "show", "2026-03-01")["id"] as? String == shown["id"] as? String)
    #expect(try fixture.refusal(noun, "show", status: 1).code == "notFound")
    #expect(try fixture.leaflog(noun, "delete").status == 64)
    try fixture.json(noun, "delete", "2026-03-01", "--on", "2026-03-02", "--yes")
    #expect(try fixture.json(noun, "list").items.isEmpty)
  }

  @Test func `two who change the same day at once both get their way`() throws {
    let fixture = try made()
    for day in ["2026-03-01", "2026-03-02", "2026-03-03", "2026-03-04"] {
      let running = try [["--stress", "2"], ["--sleep-hours", "8"], ["--sugar", "low"]].map {
        try fixture.leaflog.start(["log", "set", "--on", day] + $0)
      }
      for result in running.map({ $0.wait() }) { #expect(result.status == 0, "\(result.error)") }
      let log = try fixture.json("log", "show", day)["dailyLog"] as? [String: Any]
      #expect(log as NSDictionary? == ["stress": 2, "sleepHours": 8, "sugar": "low"])
    }
    let entry = try fixture.json("symptom", "add", "cough", "--severity", "1")
    let id = try #require(entry["id"] as? String)
    let edits = try [["--severity", "5"], ["--tag", "chest"], ["--note", "dry"]].map {
      try fixture.leaflog.start(["symptom", "edit", id] + $0)
    }
    for result in edits.map({ $0.wait() }) { #expect(result.status == 0, "\(result.error)") }
    let symptom = try fixture.json("symptom", "show", id)
    #expect(symptom["notes"] as? String == "dry")
    #expect((symptom["symptom"] as? [String: Any])?["severity"] as? Double == 5)
    #expect(symptom["tags"] as? [String] == ["chest"])
  }

  // MARK: Episodes

  @Test func `an episode starts, ends and counts both days`() throws {
    let fixture = try made()
    try fixture.json(
      "episode", "add", "--start", "2026-03-01", "--end", "2026-03-08", "--type", "cold",
      "--symptom", "sore throat", "--symptom", "runnyNose", "--mucus", "clear", "--worst-time",
      "all-day", "--doctor-visit", "Dr. Moss", "--test-result", "negative", "--note", "office")
    let clash = try fixture.json(
      "episode", "add", "--start", "2026-03-08", "--type", "fever", status: 13)
    #expect(clash["dryRun"] as? Bool == true)
    #expect((clash["reason"] as? String)?.contains("cold, 2026-03-01 to 2026-03-08") == true)
    try fixture.json(
      "episode", "add", "--start", "2026-03-08", "--end", "2026-03-08", "--type", "fever",
      "--yes")
    let started = try fixture.json("episode", "start", "--type", "allergy", "--start", "2 days ago")
    #expect(started["durationDays"] == nil)
    let listed = try fixture.leaflog("episode", "list").output
    #expect(listed.contains("ongoing") && listed.contains("8 days") && listed.contains("1 day "))
    let ended = try fixture.json("episode", "end")
    #expect(ended["durationDays"] as? Int == 3)
    #expect(
      try fixture.refusal("episode", "end", status: 1).message.contains("No episode is active"))
    let id = try #require(ended["id"] as? String)
    try fixture.json("episode", "edit", id, "--end", "", "--severity", "2")
    #expect(try fixture.leaflog("episode", "show", id).output.contains("ongoing"))
    #expect(try fixture.json("episode", "list").items.count == 3)
  }

  // MARK: Moods

  @Test func `a mood is said by its name or emoji, once a day`() throws {
    let fixture = try made()
    try fixture.json("mood", "set", "happy", "--on", "2026-03-01")
    try fixture.json("mood", "set", "😴", "--on", "2026-03-01", "--note", "long day")
    try fixture.json("mood", "set", "Tired", "--on", "2026-03-02")
    let list = try fixture.json("mood", "list")
    #expect(list.texts("mood") == ["tired", "tired"])
    #expect(list["counts"] as? [String: Int] == ["tired": 2])
    #expect(try fixture.json("mood", "list", "--to", "2026-03-01").items.count == 1)
  }

  // MARK: All of them

  @Test func `the timeline shows every kind, filters by it, and fits the terminal`() throws {
    let fixture = try made()
    try fixture.json("symptom", "add", "headache", "--severity", "2", "--note", "long 🌱 note")
    try fixture.json(
      "log", "set", "--sleep-hours", "7.5", "--note", String(repeating: "word ", count: 40))
    try fixture.json("episode", "start", "--type", "cold", "--symptom", "fever")
    try fixture.json("mood", "set", "grateful")
    for kind in ["symptom", "dailyLog", "episode", "mood"] {
      let entries = try fixture.entries("--kind", kind)
      #expect(entries.count == 1)
      #expect(entries.first?[kind] != nil)
    }
    for columns in [40, 80, 120] {
      var leaflog = fixture.leaflog
      leaflog.environment["COLUMNS"] = "\(columns)"
      for arguments in [["timeline"], ["today"], ["log", "list"], ["mood"], ["episode", "list"]] {
        let output = try leaflog.run(arguments).output
        for line in output.split(separator: "\n") { #expect(line.count <= columns, "\(line)") }
      }
    }
  }

  @Test func `today tells the day, and the reminder what is missing of it`() throws {
    let fixture = try made()
    let empty = try fixture.leaflog("today")
    #expect(empty.status == 0 && empty.error.isEmpty)
    #expect(
      try fixture.leaflog("remind", "notify").output == "No daily log yet; no mood yet.\n")
    try fixture.json("log", "set", "--stress", "2")
    try fixture.json("mood", "set", "okay")
    let nothing = try fixture.leaflog("remind", "notify")
    #expect(nothing.output.isEmpty && nothing.error.isEmpty && nothing.status == 0)
    try fixture.json("episode", "start", "--type", "cold")
    let today = try fixture.json("today")
    #expect((today["activeEpisodes"] as? [Any])?.count == 1)
    #expect(today["dailyLog"] != nil && today["mood"] != nil)
    #expect(try fixture.json("remind", "notify")["missing"] as? [String] != [])
    try fixture.json("remind", "off")
    #expect(try fixture.leaflog("remind", "notify").output.isEmpty)
  }

  @Test func `the installed timer sends what is missing, and nothing when nothing is`() throws {
    var fixture = try made()
    fixture.leaflog.environment["XDG_CONFIG_HOME"] = fixture.folder.file("config")
    try fixture.json("remind", "set", "19:15")
    let installed = try fixture.json("remind", "install")
    let timer = try String(
      contentsOfFile: try #require(installed["timer"] as? String), encoding: .utf8)
    #expect(timer.contains(/OnCalendar=\*-\*-\* 19:15:00 [A-Za-z]+/))
    let service = try String(
      contentsOfFile: try #require(installed["service"] as? String), encoding: .utf8)
    let command = try #require(
      service.split(separator: "\n").first { $0.hasPrefix("ExecStart=") }?.dropFirst(10))
    // What systemd makes of the line, with a `notify-send` that writes down what it gets.
    let line = command.replacing("$$", with: "$").replacing("%%", with: "%")
      .replacing("\\\"", with: "\u{1}")
    let words = line.split(separator: "\"").filter { $0 != " " }
      .map { String($0.replacing("\u{1}", with: "\"")) }
    try #require(words.count == 5)
    // Some systems run nothing that is in memory.
    let programs = try TemporaryFolder(inMemory: false)
    let notifier = try programs.write(
      Data("#!/bin/sh\nprintf '%s\\n' \"$@\" > '\(fixture.folder.file("sent"))'\n".utf8),
      to: "notify-send")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: notifier)
    fixture.leaflog.environment["PATH"] = programs.path + ":/usr/bin:/bin"
    let run = try fixture.leaflog.start(Array(words.dropFirst()), program: words[0]).wait()
    #expect(run.status == 0, "\(run.error)")
    let sent = try String(contentsOfFile: fixture.folder.file("sent"), encoding: .utf8)
    #expect(sent == "--app-name=Leaflog\n--\nLeaflog\nNo daily log yet; no mood yet.\n")
    try FileManager.default.removeItem(atPath: fixture.folder.file("sent"))
    try fixture.json("remind", "off")
    #expect(
      try fixture.leaflog.start(Array(words.dropFirst()), program: words[0]).wait().status == 0)
    #expect(!FileManager.default.fileExists(atPath: fixture.folder.file("sent")))
  }

  @Test
  func `the installed timer follows the zone and the time, undo included, or is said to be stale`()
    throws
  {
    var fixture = try made(in: .ofTestLibraries)
    fixture.leaflog.environment["XDG_CONFIG_HOME"] = fixture.folder.file("config")
    let installed = try fixture.json("remind", "install")
    let timer = try #require(installed["timer"] as? String)
    func calendar() throws -> Substring? {
      try String(contentsOfFile: timer, encoding: .utf8).split(separator: "\n")
        .first { $0.hasPrefix("OnCalendar=") }?.dropFirst(11)
    }
    #expect(try calendar() == "*-*-* 20:00:00 Europe/Berlin")
    let moved = try fixture.leaflog("settings", "set", "timeZone", "Asia/Tokyo")
    #expect(moved.status == 0 && moved.error.contains("daemon-reload"))
    #expect(try calendar() == "*-*-* 20:00:00 Asia/Tokyo")
    _ = try fixture.leaflog("settings", "set", "reminder.time", "7:00")
    #expect(try calendar() == "*-*-* 07:00:00 Asia/Tokyo")
    #expect(try fixture.leaflog("undo").error.contains("daemon-reload"))
    #expect(try calendar() == "*-*-* 20:00:00 Asia/Tokyo")
    _ = try fixture.leaflog("redo")
    #expect(try calendar() == "*-*-* 07:00:00 Asia/Tokyo")
    // What changes nothing of it leaves it alone, and says nothing.
    #expect(try fixture.leaflog("settings", "set", "report.name", "Ana").error.isEmpty)
    #expect(try fixture.json("remind")["stale"] as? Bool == false)
    // A page changed the setting, or the settings were restored.
    try "[Timer]\n".write(toFile: timer, atomically: true, encoding: .utf8)
    #expect(try fixture.json("remind")["stale"] as? Bool == true)
    #expect(try fixture.leaflog("remind").error.contains("`leaflog remind install`"))
    #expect(try fixture.leaflog("remind", "notify").error.contains("`leaflog remind install`"))
    // The timer of another library is left alone.
    let other = try made()
    var there = other.leaflog
    there.environment = fixture.leaflog.environment
    _ = try there.run(["settings", "set", "reminder.time", "9:00"])
    #expect(try calendar() == nil)
    _ = try fixture.leaflog("remind", "install")
    #expect(try calendar() == "*-*-* 07:00:00 Asia/Tokyo")
  }

  @Test func `a text may begin as an option does`() throws {
    let fixture = try made()
    let added = try fixture.json(
      "symptom", "add", "itch", "--severity", "2", "--note", "-1 cup", "--medication", "--half--",
      "--tag", "-x")
    #expect(added["notes"] as? String == "-1 cup" && added["tags"] as? [String] == ["-x"])
    #expect((added["symptom"] as? [String: Any])?["medications"] as? [String] == ["--half--"])
    for arguments in [
      ["mood", "set", "happy"], ["log", "set"], ["activity", "add", "run"],
      ["plant", "add", "fern"],
    ] {
      let result = try fixture.leaflog.run(arguments + ["--note", "-2 °C", "--json"])
      let thing = try #require(result.json.first)
      #expect(thing["notes"] as? String == "-2 °C", "\(arguments): \(result.error)")
    }
  }

  @Test func `settings are read and set, and labels of one's own work`() throws {
    let fixture = try made(in: .ofTestLibraries)
    let all = try fixture.json("settings", "get")
    #expect(all["timeZone"] as? String == "Europe/Berlin")
    #expect(all["reminder.time"] as? String == "20:00")
    #expect(all["quotes.source"] as? String == "bundled")
    try fixture.json("settings", "set", "severity.scales", "faint, clear, strong")
    let added = try fixture.json("symptom", "add", "cough", "--severity", "clear")
    #expect((added["symptom"] as? [String: Any])?["severity"] as? Double == 3)
    #expect(
      try fixture.refusal("symptom", "add", "x", "--severity", "mild", status: 64).message
        .contains("faint, clear, strong"))
    try fixture.json("settings", "set", "timeZone", "Asia/Tokyo")
    #expect(try fixture.leaflog("settings", "get", "timeZone").output == "Asia/Tokyo\n")
  }

  @Test func `reset wants the library's name, and does nothing without`() throws {
    let fixture = try CommandFixture.imported(["Photos/basil"])
    try fixture.json("mood", "set", "happy")
    let before = try CatalogDump(of: fixture)
    let asked = try fixture.json("reset", "--yes", status: 13)
    #expect(asked["dryRun"] as? Bool == true)
    #expect(asked["entries"] as? [String: Int] == ["photo": 4, "mood": 1])
    #expect(try fixture.refusal("reset", "--confirm", "lib", status: 64).code == "invalidRequest")
    #expect(try CatalogDump(of: fixture).changes(since: before).isEmpty)
    try fixture.json("reset", "--diary", "--confirm", "library")
    #expect(try fixture.entries().count == 4)
    try fixture.json("reset", "--confirm", "library")
    #expect(try fixture.entries().isEmpty)
    #expect(fixture.folder.files(below: "library/blobs").isEmpty)
  }
}
