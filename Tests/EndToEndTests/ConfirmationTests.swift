import Foundation
import TestSupport
import Testing

/// A command that destroys something shows what goes, asks, and takes no for an answer.
@Suite struct ConfirmationTests {
  /// Answers a question, and gives what stood above it and what came after.
  private func answer(
    _ text: String, to fixture: CommandFixture, _ arguments: [String]
  ) throws -> (shown: String, after: String) {
    let terminal = PseudoTerminal(answer: nil, typed: (after: "[y/N] ", text: text + "\n"))
    let session = try terminal.run(fixture.leaflog, arguments)
    #expect(session.status == 0, "\(session.output)")
    // With NO_COLOR or without, the words are the same.
    let output = session.output.replacing(/\u{1B}\[[0-9;]*m/, with: "")
    let parts = output.components(separatedBy: "[y/N] ")
    try #require(parts.count == 2, "\(arguments) does not ask: \(output)")
    return (parts[0], parts[1])
  }

  /// Verbs that put something away, and what has to be seen before the question.
  static let verbs: [(arguments: [String], shown: [String])] = [
    (["photo", "delete", "--plant", "basil"], ["2025-05-10", "2025-05-31", "basil"]),
    (["plant", "delete", "basil"], ["basil", "4 photos", "4 entries"]),
    (["plant", "delete", "Ficus"], ["Ficus", "no photos"]),
    (["plant", "edit", "basil", "--merge-into", "tomato"], ["basil", "tomato", "4 photos"]),
    (["activity", "delete", "yoga"], ["yoga"]),
    (["mood", "delete", "today"], ["happy"]),
    (["log", "delete", "today"], ["7.5"]),
    (["prune", "--older-than", "0d"], ["Would permanently delete", "1 photo"]),
    (["prune", "--thin", "1/year"], ["2025-", "Would move"]),
  ]

  private func prepared() throws -> CommandFixture {
    try CommandFixture.imported(name: "something of everything") { fixture in
      for arguments in [
        ["plant", "add", "Ficus"], ["activity", "add", "yoga", "--emoji", "🧘"],
        ["mood", "set", "happy"], ["log", "set", "--sleep-hours", "7.5"],
        ["photo", "delete", try fixture.id("2025-04-02"), "--yes"],
      ] {
        let result = try fixture.leaflog.run(arguments)
        try #require(result.status == 0, "\(result.error)")
      }
    }
  }

  @Test(arguments: verbs) func `what goes is shown, and no leaves everything as it is`(
    arguments: [String], shown: [String]
  ) throws {
    let fixture = try prepared()
    let before = try CatalogDump(of: fixture)
    let (above, after) = try answer("n", to: fixture, arguments)
    for words in shown { #expect(above.contains(words), "\(words): \(above)") }
    #expect(after.contains("Nothing was done."))
    #expect(try CatalogDump(of: fixture).changes(since: before).isEmpty)
    _ = try answer("y", to: fixture, arguments)
    #expect(try !CatalogDump(of: fixture).changes(since: before).isEmpty)
  }

  @Test func `a restore over a library asks, and no leaves it as it is`() throws {
    let fixture = try CommandFixture.imported(["Photos/basil"])
    let backup = fixture.folder.file("backup")
    try #require(try fixture.leaflog("backup", backup).status == 0)
    try fixture.json("plant", "add", "Ficus")
    let (above, after) = try answer("n", to: fixture, ["restore", backup])
    #expect(above.contains("Replaces 4 photos"))
    #expect(after.contains("Nothing was done."))
    #expect(try fixture.json("plant", "list").texts("name") == ["basil", "Ficus"])
  }

  @Test func `a dry run that nobody could be asked about says why in JSON`() throws {
    let fixture = try prepared()
    for (arguments, _) in Self.verbs {
      let result = try fixture.leaflog.run(arguments + ["--json"])
      // The form of `prune` without --yes is its preview.
      #expect(result.status == (arguments.first == "prune" ? 0 : 13), "\(arguments)")
      let last = try #require(result.json.last)
      let document = last["summary"] as? [String: Any] ?? last
      #expect(document["dryRun"] as? Bool == true, "\(arguments)")
      #expect((document["reason"] as? String)?.contains("--yes") == true, "\(arguments)")
    }
    let reset = try fixture.json("reset", status: 13)
    #expect((reset["reason"] as? String)?.contains("--confirm") == true)
    let symptom = try fixture.json(
      "symptom", "add", "headache", "--severity", "2", "--at", "2025-01-01", status: 13)
    #expect((symptom["reason"] as? String)?.contains("days ago") == true)
  }
}
