import BlobStorage
import DiaryCatalog
import DiaryModel
import Foundation
import SystemPackage
import TestSupport
import Testing

/// A machine's zone and a library's that are never on the same day: they are 25 hours apart.
enum FarZones: String, CaseIterable {
  case libraryAhead, libraryBehind

  var library: String { self == .libraryAhead ? "Pacific/Kiritimati" : "Pacific/Pago_Pago" }
  var machine: String { self == .libraryAhead ? "Pacific/Pago_Pago" : "Pacific/Kiritimati" }
  var offset: String { self == .libraryAhead ? "+14:00" : "-11:00" }
}

/// `today` and `now` go by the zone of the library, whatever that of the machine.
@Suite struct ZoneTests {
  private func made(_ zones: FarZones) throws -> CommandFixture {
    var fixture = try CommandFixture()
    fixture.leaflog.environment = ["TZ": zones.machine, "COLUMNS": "80"]
    let result = try fixture.leaflog("init", "--time-zone", zones.library, "--quiet")
    try #require(result.status == 0)
    return fixture
  }

  /// Runs it again if midnight came in between.
  private func withToday(_ zones: FarZones, _ body: (LocalDay) throws -> [String]) throws {
    let day = try CommandFixture.today(in: zones.library)
    let days = try body(day)
    let after = try CommandFixture.today(in: zones.library)
    #expect(days.allSatisfy { [day.description, after.description].contains($0) }, "\(days)")
  }

  @Test(arguments: [
    ("Europe/Berlin", "Europe/Berlin"), (":Europe/Berlin", "Europe/Berlin"),
    (":/usr/share/zoneinfo/Europe/Berlin", "Europe/Berlin"), ("", "GMT"), ("UTC", "GMT"),
    ("UTC-3", "Etc/GMT-3"), ("GMT+5", "Etc/GMT+5"), ("<+03>-3", "Etc/GMT-3"),
    ("<+0330>-3:30", "GMT+0330"), ("CET-1CEST,M3.5.0,M10.5.0/3", "CET"),
    ("EST5EDT,M3.2.0,M11.1.0", "EST5EDT"),
  ])
  func `a new library has the zone of the variable TZ as the C library reads it`(
    value: String, name: String
  ) throws {
    var fixture = try CommandFixture()
    fixture.leaflog.environment = ["TZ": value, "COLUMNS": "80"]
    #expect(try fixture.leaflog("init", "--quiet").status == 0)
    #expect(try fixture.leaflog("settings", "get", "timeZone").output == name + "\n")
  }

  @Test(arguments: ["Berlin", "CET-1XXST,M3.5.0,M10.5.0/3", "/etc/hostname", "../zoneinfo/UTC"])
  func `a variable TZ that names no zone is refused`(value: String) throws {
    var fixture = try CommandFixture()
    fixture.leaflog.environment = ["TZ": value, "COLUMNS": "80"]
    let result = try fixture.leaflog("init")
    #expect(result.status == 64)
    #expect(result.error.contains("TZ") && result.error.contains("Europe/Berlin"))
  }

  @Test func `a zone that is not known here locks no command, and its setting is the way out`()
    throws
  {
    var fixture = try CommandFixture.imported(["Photos/basil"])
    try fixture.setZoneUnchecked("Mars/Olympus_Mons")
    // Nor does the variable, where the library has a zone.
    fixture.leaflog.environment = ["TZ": "Berlin", "COLUMNS": "80"]
    for verb in [
      ["timeline"], ["today"], ["stats"], ["verify"], ["repair"], ["prune"],
      ["backup", fixture.folder.file("backup")], ["symptom", "add", "cough", "--severity", "1"],
      ["symptom", "add", "cough", "--severity", "1", "--at", "2 hours ago"],
      ["import", Fixtures.path("Photos/monstera")],
    ] {
      let result = try fixture.leaflog.run(verb)
      #expect(result.status == 0, "\(verb): \(result.error)")
      if verb != ["repair"] { #expect(result.error.contains("Mars/Olympus_Mons"), "\(verb)") }
    }
    let refused = try fixture.leaflog(
      "symptom", "add", "cough", "--severity", "1", "--at", "2026-01-01T09:30", "--yes")
    #expect(refused.status == 64 && refused.error.contains("leaflog settings set timeZone"))
    #expect(try fixture.leaflog("settings", "set", "timeZone", "Asia/Tokyo").status == 0)
    let symptoms = try fixture.json("symptom", "list").items
    #expect(symptoms.allSatisfy { ($0["occurredAt"] as? String)?.hasSuffix("Z") == true })
    #expect(try !fixture.leaflog("today").error.contains("Mars"))
  }

  @Test(arguments: FarZones.allCases)
  func `every verb without a day is about the library's today`(zones: FarZones) throws {
    let fixture = try made(zones)
    try fixture.json("activity", "add", "water")
    try withToday(zones) { _ in
      let made = try [
        fixture.json("log", "set", "--stress", "2"), fixture.json("mood", "set", "happy"),
        fixture.json("symptom", "add", "cough", "--severity", "1"),
        fixture.json("episode", "start", "--type", "cold"),
        fixture.json("activity", "done", "water").items[0],
        fixture.json("quote", "favourite"),
        fixture.json("symptom", "list").items[0], fixture.json("log", "show"),
      ]
      return made.compactMap { $0["localDay"] as? String }
        + [
          try #require(try fixture.json("today")["day"] as? String),
          try #require(try fixture.json("quote", "today")["day"] as? String),
          try #require(try fixture.json("insights")["lastDay"] as? String),
          try #require(try fixture.json("activity", "show", "water")["lastDone"] as? String),
        ]
    }
    let glance = try fixture.leaflog("today").output
    #expect(!glance.contains("none yet") && glance.contains("day 1"), "\(glance)")
    #expect(try fixture.leaflog("activity", "list").output.contains("Last done: today"))
  }

  @Test(arguments: FarZones.allCases)
  func `a day that is typed is the library's, by name or by date`(zones: FarZones) throws {
    let fixture = try made(zones)
    try fixture.json("activity", "add", "water")
    try withToday(zones) { today in
      try [
        fixture.json("log", "set", "--on", "\(today)", "--stress", "2"),
        fixture.json("mood", "set", "okay", "--on", "now"),
        fixture.json("activity", "done", "water", "--on", "\(today)").items[0],
        fixture.json("symptom", "add", "cough", "--severity", "1", "--at", "00:00"),
        fixture.json("symptom", "add", "cough", "--severity", "1", "--at", "today"),
        fixture.json("timeline", "--from", "today", "--to", "\(today)").entries[0],
      ].compactMap { $0["localDay"] as? String }
    }
    let tomorrow = try fixture.refusal(
      "log", "set", "--on", "tomorrow", "--stress", "2", status: 64)
    #expect(tomorrow.message.contains("is in the future"))
  }

  @Test(arguments: FarZones.allCases)
  func `now has the library's offset, and is listed like a time that was typed`(
    zones: FarZones
  ) throws {
    let fixture = try made(zones)
    for time in ["00:00", "now", "0:01"] {
      try fixture.json("symptom", "add", "cough", "--severity", "1", "--at", time)
    }
    let now = try fixture.json("symptom", "add", "cough", "--severity", "1")
    let recorded = try #require(now["occurredAt"] as? String)
    #expect(recorded.hasSuffix(zones.offset), "\(recorded)")
    let lines = try fixture.leaflog("symptom", "list").output.split(separator: "\n").dropFirst()
    let clocks = lines.map { String($0.dropFirst(2).prefix(6)) }
    #expect(clocks.allSatisfy { $0.hasSuffix(" ") && $0.count == 6 }, "\(clocks)")
    #expect(clocks == clocks.sorted(by: >), "\(clocks)")
  }

  @Test func `a time of another zone is shown with its offset, in a column of its own`() throws {
    var fixture = try CommandFixture()
    fixture.leaflog.environment = ["TZ": "UTC", "COLUMNS": "80"]
    let made = try fixture.leaflog("init", "--time-zone", "Europe/Berlin", "--quiet")
    try #require(made.status == 0)
    for time in ["11:49+01:00", "05:50-05:00", "12:30", "10:55Z"] {
      try fixture.json(
        "symptom", "add", "cough", "--severity", "1", "--yes", "--at", "2026-03-01T\(time)")
    }
    let lines = try fixture.leaflog("symptom", "list", "2026-03-01").output
      .split(separator: "\n").dropFirst().map { $0.prefix(22) }
    #expect(
      lines
        == [
          "  12:30         symptom", "  10:55 +00:00  symptom", "  05:50 -05:00  symptom",
          "  11:49         symptom",
        ].map { $0.prefix(22) })
  }

  @Test func `in the hour that clocks repeat the second time is shown with its offset`() throws {
    let fixture = try CommandFixture()
    let made = try fixture.leaflog("init", "--time-zone", "Europe/Berlin", "--quiet")
    try #require(made.status == 0)
    for time in ["02:30+02:00", "02:15+01:00"] {
      try fixture.json(
        "symptom", "add", "cough", "--severity", "1", "--yes", "--at", "2025-10-26T\(time)")
    }
    let output = try fixture.leaflog("symptom", "list", "2025-10-26").output
    #expect(output.contains("  02:15 +01:00  ") && output.contains("  02:30         "), "\(output)")
  }
}

extension [String: Any] {
  /// Of a page of the timeline.
  fileprivate var entries: [[String: Any]] { self["items"] as? [[String: Any]] ?? [] }
}

extension CommandFixture {
  /// Puts the name of a zone into the catalog as a newer system would.
  fileprivate func setZoneUnchecked(_ name: String) throws {
    let catalog = try Catalog(
      path: folder.file("library/catalog.sqlite"),
      access: .readWrite(lock: FileLock(FilePath(folder.file("library/lock")))))
    try catalog.write { try $0.settings.set(.timeZone, name) }
    try catalog.close()
  }
}
