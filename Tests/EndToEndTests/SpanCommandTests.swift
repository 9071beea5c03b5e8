import Foundation
import TestSupport
import Testing

/// Spans that begin within a day, and hours of the day, in the commands that choose photos.
@Suite struct SpanCommandTests {
  private let fixture: CommandFixture

  /// Four photos of a plant on each of two days, the last of each dark.
  init() throws {
    fixture = try CommandFixture()
    try #require(try fixture.leaflog("init", "--time-zone", "Europe/Berlin", "--quiet").status == 0)
    for (number, time) in [
      "20260301_060000", "20260301_120000", "20260301_180000", "20260301_234500",
      "20260302_060000", "20260302_120000", "20260302_180000", "20260302_234500",
    ].enumerated() {
      let picture = time.hasSuffix("234500") ? DrawnFrame.night : DrawnFrame(lightness: 120)
      try fixture.folder.write(picture.png(number), to: "photos/fern/\(time).png")
    }
    let photos = fixture.folder.file("photos")
    try #require(try fixture.leaflog("import", photos, "--quiet").status == 0)
  }

  /// The days and hours of listed photos, oldest first.
  private func listed(_ arguments: String...) throws -> [String] {
    let result = try fixture.leaflog.run(["photo", "list", "--oldest-first", "--json"] + arguments)
    #expect(result.status == 0, "\(result.error)")
    let items = try #require(result.json.first?["items"] as? [[String: Any]])
    return items.compactMap {
      ($0["occurredAt"] as? String).map { String($0.dropFirst(8).prefix(5)) }
    }
  }

  @Test func `a time begins and ends a span, and a day is whole`() throws {
    let day = ["01T06", "01T12", "01T18", "01T23"]
    #expect(
      try listed("--from", "2026-03-01T12:00", "--to", "2026-03-01T18:00") == Array(day[1...2]))
    #expect(try listed("--to", "2026-03-01 17:59") == Array(day[..<2]))
    #expect(try listed("--to", "2026-03-01T11:00Z") == Array(day[..<2]))
    #expect(try listed("--to", "2026-03-01") == day)
    #expect(try listed("--from", "2 hours ago").isEmpty)
    let refusal = try fixture.refusal("photo", "list", "--from", "noon", status: 64)
    #expect(
      refusal.message
        == "“noon” is neither a day, a month nor a time. Write it as 2026-03-01, 2026-03, "
        + "2026-03-01T09:30, yesterday or '2 hours ago'.")
  }

  @Test func `photos of a span are redated, moved and deleted`() throws {
    let redated = try fixture.json(
      "photo", "redate", "--from", "2026-03-01T23:00", "--shift", "1h")
    #expect(redated.items.count == 5)
    #expect(
      try listed("--from", "2026-03-02T00:30", "--to", "2026-03-02T08:00") == ["02T00", "02T07"])
    try fixture.json("plant", "add", "basil")
    try fixture.json(
      "photo", "move", "--plant", "basil", "--from", "2026-03-01T10:00", "--to",
      "2026-03-01T19:00")
    #expect(try listed("basil") == ["01T12", "01T18"])
    _ = try fixture.leaflog.run(["photo", "delete", "--to", "2026-03-01T12:00", "--yes"])
    #expect(try listed().count == 6)
  }

  @Test func `an export and a film have photos of some hours`() throws {
    func exported(_ arguments: String...) throws -> [String] {
      let folder = fixture.folder.file("out")
      let result = try fixture.leaflog.run(
        ["photo", "export", "-o", folder, "--delete", "--quiet"] + arguments)
      #expect(result.status == 0, "\(result.error)")
      return fixture.folder.files(below: "out").filter { $0.hasSuffix(".png") }.map {
        String($0.dropFirst("fern/2026-03-".count).prefix(5))
      }
    }
    #expect(try exported("--between", "12:00-18:00") == ["01_12", "01_18", "02_12", "02_18"])
    #expect(try exported("--between", "18:30-7:00") == ["01_06", "01_23", "02_06", "02_23"])
    #expect(try exported("--at", "12:20") == ["01_12", "02_12"])
    #expect(try exported("--light", "--from", "2026-03-02T10:00") == ["02_12", "02_18"])
    let film = fixture.folder.file("film.gif")
    let made = try fixture.json(
      "timelapse", "fern", "-o", film, "--light", "--between", "10:00-23:59")
    #expect(made["frames"] as? Int == 4)
    #expect(
      try fixture.json("timelapse", "fern", "-o", film, "--at", "6:00")["frames"] as? Int == 2)
  }

  @Test func `thinning keeps photos of some hours`() throws {
    _ = try fixture.leaflog.run(["prune", "--thin", "1/day", "--at", "18:10", "--yes"])
    #expect(try listed() == ["01T18", "02T18"])
    let refusal = try fixture.leaflog("prune", "--light")
    #expect(refusal.status == 64 && refusal.error.contains("Give --thin, too."))
  }

  @Test(arguments: [
    ["--between", "8-18"], ["--between", "08:00"], ["--at", "noon"], ["--at", "24:00"],
  ])
  func `hours that are none are refused`(arguments: [String]) throws {
    let result = try fixture.leaflog.run(["photo", "export", "-o", "out"] + arguments)
    #expect(result.status == 64 && result.error.contains(arguments[1]), "\(result.error)")
  }
}
