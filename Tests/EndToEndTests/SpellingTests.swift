import TestSupport
import Testing

/// Words that no command has: the nearest real one is named, and nothing else hides them.
@Suite struct SpellingTests {
  @Test(arguments: [
    (["timline"], "There is no `leaflog timline`. Did you mean `leaflog timeline`?"),
    (["--json", "timline"], "Did you mean `leaflog timeline`?"),
    (["plant", "edti", "x", "--nme", "y"], "Did you mean `leaflog plant edit`?"),
    (["symptom", "lst"], "Did you mean `leaflog symptom list`?"),
    (["log", "shwo"], "Did you mean `leaflog log show`?"),
    (["activity", "rm", "x"], "Did you mean `leaflog activity delete`?"),
    (["photo", "frobnicate"], "See `leaflog photo --help`."),
    (["quote", "frobnicate"], "See `leaflog quote --help`."),
    (["photo", "undo"], "There is no `leaflog photo undo`. Did you mean `leaflog undo`?"),
    (["activity", "undo", "yoga"], "Did you mean `leaflog undo`?"),
  ])
  func `an unknown command gets the nearest one of where it stands`(
    arguments: [String], message: String
  ) throws {
    let fixture = try CommandFixture()
    _ = try fixture.leaflog("init", "--quiet")
    let result = try fixture.leaflog.run(arguments)
    #expect(result.status == 64)
    #expect(result.error.contains(message), "\(result.error)")
    #expect(result.output.isEmpty)
  }

  @Test(arguments: [
    (["timeline", "--since", "2026"], "“--since”. Did you mean --from?"),
    (["timeline", "--lmit", "3"], "“--lmit”. Did you mean --limit?"),
    (["photo", "edit", "--nte", "x"], "“--nte”. Did you mean --note?"),
    (["photo", "move", "--formplant=basil"], "“--formplant”. Did you mean --from-plant?"),
    (["symptom", "add", "--severty", "3"], "“--severty”. Did you mean --severity?"),
    (["log", "set", "--date", "2026-03-01"], "“--date”. Did you mean --on?"),
    (["quote", "--dat", "2026-03-01"], "“--dat”."),
    (["timelapse", "--frobnicate"], "See `leaflog timelapse --help`."),
    (["photo", "edit", "--undo"], "“--undo”. Did you mean `leaflog undo`?"),
    (["import", "-z"], "“-z”."),
  ])
  func `an unknown option is told, whatever else is wrong`(
    arguments: [String], message: String
  ) throws {
    let fixture = try CommandFixture()
    let result = try fixture.leaflog.run(arguments)
    #expect(result.status == 64)
    #expect(result.error.contains(message), "\(result.error)")
    #expect(result.output.isEmpty)
  }

  @Test func `scripts get it as an error like any other`() throws {
    let fixture = try CommandFixture()
    let error = try fixture.refusal("timeline", "--since", "2026", status: 64)
    #expect(error.code == "invalidRequest")
    #expect(error.message == "`leaflog timeline` has no option “--since”. Did you mean --from?")
  }

  @Test(arguments: [
    (["log", "fade"], "No daily log has the id “fade”."),
    (["photo", "redate", "--shift", "-1h"], "No photos selected."),
    (["symptom", "add", "lst"], "Give the severity:"),
    (["photo", "edit", "--note", "x"], "Give the ids of the photos."),
    (["plant", "show", "edti"], "No plant is called “edti”."),
  ])
  func `values are no misspelt words`(arguments: [String], message: String) throws {
    let fixture = try CommandFixture()
    _ = try fixture.leaflog("init", "--quiet")
    let result = try fixture.leaflog.run(arguments)
    #expect(result.error.contains(message), "\(result.error)")
  }
}
