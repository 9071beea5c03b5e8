import Foundation
import TestSupport
import Testing

@Suite struct BringOverCommandTests {
  private func copied() throws -> CommandFixture {
    let fixture = try CommandFixture.imported(["Photos/basil"])
    for name in ["other", "common"] {
      try FileManager.default.copyItem(
        atPath: fixture.folder.file("library"), toPath: fixture.folder.file(name))
    }
    let other = Command(library: fixture.folder.file("other"))
    for line in [
      ["import", Fixtures.path("Photos/tomato")], ["plant", "edit", "basil", "--location", "sill"],
      ["symptom", "add", "headache", "--severity", "3"],
    ] {
      #expect(try other.run(line + ["--quiet"]).status == 0)
    }
    #expect(
      try fixture.leaflog("plant", "edit", "basil", "--location", "kitchen", "--quiet").status == 0)
    return fixture
  }

  private func summary(_ result: Command.Result) throws -> [String: Any] {
    try #require(result.json.last?["summary"] as? [String: Any], "\(result.error)")
  }

  @Test func `nothing is brought over until --yes, and undo takes it back`() throws {
    let fixture = try copied()
    let (other, common) = (fixture.folder.file("other"), fixture.folder.file("common"))
    func timeline() throws -> String { try fixture.leaflog("timeline", "--json").output }
    let before = try timeline()
    let dry = try fixture.leaflog("bring-over", other, "--since", common)
    #expect(dry.status == 0)
    #expect(
      dry.output == """
        plant basil, location: kitchen here, sill there (changed in both copies; stays as it is here).
        To bring over: 4 photos added, 1 symptom added, 1 plant added, 1 plant changed.
        Nothing was done. Repeat with --yes to do it.

        """)
    let shown = try summary(
      fixture.leaflog("bring-over", other, "--since", common, "--dry-run", "--json"))
    #expect(shown["dryRun"] as? Bool == true && shown["reason"] == nil)
    #expect(try timeline() == before)

    let done = try summary(
      fixture.leaflog("bring-over", other, "--since", common, "--yes", "--json"))
    #expect(done["hasCommonState"] as? Bool == true && done["damaged"] as? Int == 0)
    let conflicts = try #require(done["conflicts"] as? [[String: Any]])
    #expect(conflicts.map { $0["theirs"] as? String } == ["sill"])
    #expect(try fixture.leaflog("verify", "--full").status == 0)
    let again = try fixture.leaflog("bring-over", other, "--since", common, "--yes")
    #expect(again.output.hasSuffix("There is nothing to bring over.\n"))
    #expect(try fixture.leaflog("undo", "--quiet").status == 0)
    #expect(try timeline() == before)
  }

  @Test func `without a common state it says so before`() throws {
    let fixture = try copied()
    let dry = try fixture.leaflog("bring-over", fixture.folder.file("other"))
    #expect(
      dry.output.hasPrefix(
        "No common state is known (--since): what only the other copy has is added, and nothing is "
          + "changed or deleted.\n"))
    #expect(dry.output.contains("4 photos added, 1 symptom added, 1 plant added."))
  }

  @Test func `another library is refused`() throws {
    let fixture = try copied()
    let other = try CommandFixture.imported(["Photos/monstera"], name: "other")
    let refusal = try fixture.refusal(
      "bring-over", other.folder.file("library"), status: 64)
    #expect(refusal.message.contains("another library"))
  }
}
