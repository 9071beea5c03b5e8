import Foundation
import Leaflog
import TestSupport
import Testing

/// `leaflog history`
@Suite struct HistoryCommandTests {
  private func made() throws -> CommandFixture {
    let fixture = try CommandFixture()
    try #require(
      try fixture.leaflog("init", "--time-zone", "Europe/Berlin", "--quiet").status == 0)
    return fixture
  }

  @Test func `nothing has been changed at first`() throws {
    let fixture = try made()
    let result = try fixture.leaflog("history")
    #expect(result.status == 0 && result.output.isEmpty)
    #expect(result.error == "Nothing has been changed yet.\n")
    #expect(try fixture.leaflog("history", "--quiet").error.isEmpty)
    #expect(try fixture.leaflog("history", "--json").output == "{\"items\":[],\"next\":null}\n")
    #expect(try CommandFixture().leaflog("history").status == 10)
  }

  @Test func `a change by a page is named by its kind, and one by a command as it was typed`()
    throws
  {
    let fixture = try made()
    let library = try Library.open(at: #require(fixture.leaflog.library), origin: "POST /log")
    _ = try library.diary.setDailyLog(on: #require(LocalDay("2026-03-01"))) { $0.stress = 2 }
    try library.close()
    #expect(try fixture.leaflog("mood", "happy", "--on", "2026-03-01", "--quiet").status == 0)
    let text = try fixture.leaflog("history").output
    #expect(text.contains("  mood happy --on 2026-03-01") && !text.contains("POST"), "\(text)")
    let items = try fixture.json("history").items
    #expect(items.map { $0["command"] as? String } == ["mood happy --on 2026-03-01", "POST /log"])
    let undone = try fixture.leaflog("undo", "1").output
    #expect(undone.hasPrefix("Undid 1, ") && !undone.contains("POST"), "\(undone)")
  }

  @Test func `changes come newest first, a page at a time`() throws {
    let fixture = try made()
    for mood in ["happy", "calm", "sad"] {
      #expect(try fixture.leaflog("mood", mood, "--on", "2026-03-01", "--quiet").status == 0)
    }
    try fixture.json("undo", "3")
    let page = try fixture.json("history", "--limit", "2")
    #expect(page.items.map { $0["id"] as? Int } == [3, 2])
    #expect(page.items.map { $0["undone"] as? Bool } == [true, false])
    #expect(page["next"] as? String == "2")
    let rest = try fixture.json("history", "--limit", "2", "--before", "2")
    #expect(rest.items.map { $0["id"] as? Int } == [1])
    #expect(rest["next"] is NSNull)
    let first = try #require(rest.items.first)
    #expect(
      Set(first.keys) == [
        "id", "kind", "command", "madeAt", "undone", "counts", "things", "furtherCount",
      ])
    #expect(first["kind"] as? String == "moodSet")
    #expect(first["command"] as? String == "mood happy --on 2026-03-01")
    #expect(first.counts == ["mood": [1, 0, 0]])
    let madeAt = try #require(first["madeAt"] as? String)
    #expect(madeAt.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/) != nil, "\(madeAt)")

    let text = try fixture.leaflog("history", "--limit", "2")
    let lines = text.output.split(separator: "\n")
    // Both on the same day, unless it ends between them.
    let changes = lines.filter { $0.wholeMatch(of: /\d{4}-\d\d-\d\d \w+/) == nil }
    #expect(changes.count == 4 && lines.first != changes.first)
    #expect(changes[1] == "   mood of 2026-03-01: mood “calm” → “sad”")
    #expect(
      changes[0].wholeMatch(of: /3  \d\d:\d\d  mood sad --on 2026-03-01   1 mood changed  undone/)
        != nil, "\(text.output)")
    #expect(changes[2].hasSuffix("  mood calm --on 2026-03-01  1 mood changed"))
    #expect(text.error == "For more, repeat with --before 2\n")
    #expect(try fixture.leaflog("history", "--before", "2").error.isEmpty)
    for wrong in [["--limit", "0"], ["--limit", "1001"], ["--before", "x"], ["1"]] {
      #expect(try fixture.leaflog.run(["history"] + wrong).status == 64, "\(wrong)")
    }
  }

  @Test func `arguments are quoted as for a shell, without those that every command takes`() throws
  {
    var fixture = try CommandFixture.imported()
    let library = fixture.folder.file("library")
    fixture.leaflog.library = nil
    for (typed, command) in [
      (
        ["--library", library, "--json", "photo", "edit", "e5616ca3", "--note", "it's a $leaf"],
        #"photo edit e5616ca3 --note 'it'\''s a $leaf'"#
      ),
      (
        ["photo", "delete", "e5616ca3", "--library=\(library)", "--yes", "--no-progress"],
        "photo delete e5616ca3"
      ),
      (
        ["plant", "rename", "basil", "Grünöl", "-qy", "--library", library],
        "plant rename basil Grünöl"
      ),
      (
        ["plant", "add", "a & b", "--note=x", "--location", "", "--library", library, "-q"],
        "plant add 'a & b' --note=x --location ''"
      ),
    ] {
      let result = try fixture.leaflog.run(typed)
      #expect(result.status == 0, "\(result.error)")
      let newest = try fixture.json("history", "--limit", "1", "--library", library).items.first
      #expect(newest?["command"] as? String == command)
    }
  }

  @Test(arguments: [60, 80, 120])
  func `a line a change fits the terminal, whatever was typed`(width: Int) throws {
    var fixture = try CommandFixture.imported()
    let note = String(repeating: "long ", count: 200) + "\nsecond line"
    #expect(try fixture.leaflog("photo", "edit", "e5616ca3", "--note", note).status == 0)
    #expect(try fixture.leaflog("plant", "delete", "tomato", "--yes").status == 0)
    try fixture.json("undo", "2")
    fixture.leaflog.environment["COLUMNS"] = "\(width)"
    let all = try fixture.leaflog("history").output.split(separator: "\n")
    #expect(all.allSatisfy { $0.count <= width }, "\(all)")
    // Below each change are the things that it touched.
    let lines = all.filter { $0.prefixMatch(of: /\d  \d\d:\d\d/) != nil }
    #expect(lines.count == 3 && lines[1].hasSuffix("  undone"))
    let typed = try fixture.json("history").items.dropFirst().first?["command"] as? String
    #expect(typed?.count == 500 && typed?.hasSuffix("…") == true)
  }
}
