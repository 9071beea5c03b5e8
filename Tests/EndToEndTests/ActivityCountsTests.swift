import DiaryModel
import Foundation
import TestSupport
import Testing

/// `leaflog activity show --by` and `--svg`
@Suite struct ActivityCountsTests {
  @Test func `counts by week and month, as text, JSON and pictures`() throws {
    let fixture = try CommandFixture.withActivities()
    let today = CommandFixture.todayFarFromMidnight()
    try fixture.json("activity", "done", "yoga", "--from", "2026-02-26", "--to", "2026-03-03")
    let weeks = try fixture.json("activity", "show", "yoga", "--by", "week")
    #expect(weeks.texts("bucket") == ["2026-W09", "2026-W10"])
    #expect(weeks.items.map { $0["count"] as? Int } == [4, 2])
    #expect((weeks["activity"] as? [String: Any])?["name"] as? String == "Yoga")
    let months = try fixture.leaflog("activity", "show", "yoga", "--by", "month").output
    #expect(months.hasPrefix("2026-03  3  ") && months.contains("\n2026-02  3  "))
    let file = fixture.folder.file("yoga.svg")
    #expect(
      try fixture.json("activity", "show", "yoga", "--svg", file)["paths"] as? [String] == [file])
    let svg = try String(contentsOfFile: file, encoding: .utf8)
    #expect(svg.contains("2026-W09: 4; 2026-W10: 2"))
    try fixture.json("activity", "show", "yoga", "--svg", fixture.folder.file("charts"))
    #expect(fixture.folder.files(below: "charts") == ["months.svg", "weeks.svg"])
    #expect(try fixture.leaflog("activity", "show", "yoga", "--by", "day").status == 64)
    let details = try fixture.leaflog("activity", "show", "yoga").output
    #expect(details.contains("\nCreated     \(today)\n"))
    #expect(try fixture.json("activity", "show", "yoga")["createdAt"] as? String != nil)
  }
}
