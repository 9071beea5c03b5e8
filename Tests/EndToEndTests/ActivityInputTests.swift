import TestSupport
import Testing

/// Arguments that people may mistype for an activity.
@Suite struct ActivityInputTests {
  private let fixture: CommandFixture

  init() throws { fixture = try CommandFixture.withActivities() }

  @Test(
    arguments: [
      ["add"], ["add", ""], ["add", "two\nlines"], ["add", "x", "--emoji", "xy"],
      ["add", "x", "--every", "12h"], ["add", "x", "--every", "0d"],
      ["add", "x", "--every", "often"],
      ["add", "x", "--weekly-goal", "8"], ["add", "x", "--monthly-goal", "0"],
      ["add", "x", "--category", " "], ["add", "x", "--start-from", "2026-02-29"],
      ["done"], ["done", "yoga", "--from", "2026-01-01"], ["done", "yoga", "--to", "2026-01-01"],
      ["done", "yoga", "--from", "2026-01-02", "--to", "2026-01-01"],
      ["done", "yoga", "--from", "0001-01-01", "--to", "2026-01-01"],
      ["done", "yoga", "--on", "soon"], ["not-done"], ["edit-done", "yoga"], ["edit"],
      ["edit", "yoga"], ["delete"],
      ["reorder"], ["reorder", "yoga"],
      ["reorder", "yoga", "--to", "3"], ["reorder", "yoga", "--to", "1", "--before", "yoga"],
      ["reorder", "yoga", "yoga"], ["reorder", "yoga", "water the monstera", "--to", "1"],
      ["show", "yoga", "--by", "day"], ["show", "yoga", "--by", "week", "--month", "2026-03"],
      ["add", "x", "--done-from", "2026-01-01"], ["add", "--done-on", "2026-01-01"],
      ["reorder", "--to", "1"], ["show", "yoga", "--month", "2026-13"],
    ])
  func `arguments without a meaning are wrong usage, and change nothing`(arguments: [String]) throws
  {
    let before = try CatalogDump(of: fixture)
    let result = try fixture.leaflog.run(["activity"] + arguments)
    #expect(result.status == 64, "\(result.output)\(result.error)")
    #expect(result.output.isEmpty && !result.error.isEmpty)
    let json = try fixture.leaflog.run(["activity"] + arguments + ["--json"])
    #expect(json.error.hasPrefix(#"{"error":{"code":"invalidRequest""#), "\(json.error)")
    #expect(try CatalogDump(of: fixture).changes(since: before).isEmpty)
  }

  @Test(
    arguments: [
      ["show", "yogi"], ["done", "yogi"], ["not-done", "yogi"],
      ["edit-done", "yogi", "--note", "x"], ["edit", "yogi", "--note", "x"],
      ["delete", "yogi", "--yes"], ["reorder", "yogi", "--to", "1"],
      ["reorder", "water the monstera", "--before", "yogi"],
    ])
  func `a name that no activity has is answered with one that is like it`(arguments: [String])
    throws
  {
    let result = try fixture.leaflog.run(["activity"] + arguments)
    #expect(result.status == 1)
    #expect(result.error == "leaflog: No activity is called “yogi”. Did you mean “Yoga”?\n")
    #expect(try fixture.refusal("activity", "done", "yogi", status: 1).code == "notFound")
  }
}
