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

  @Test(arguments: verbs) func `the things to delete are shown, and no leaves everything as it is`(
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

  @Test func `a plan of many photos is told by plant and month, and in full on request`() throws {
    let fixture = try CommandFixture.imported()
    for arguments in [["photo", "delete", "--from", "2025-01-01"], ["prune", "--thin", "1/year"]] {
      let short = try fixture.leaflog.run(arguments)
      let long = try fixture.leaflog.run(arguments + ["--verbose"])
      let isShort = arguments.first == "prune"
      // Of ten photos, each is listed; of more, their number.
      #expect(short.output.contains("--verbose lists them one by one.") == !isShort)
      #expect(short.output.contains("2025: Apr 2 · May 1 · Jun 1 · Jul 1") == !isShort)
      #expect(long.output.contains("2025-04-16 Wednesday"))
      #expect(!long.output.contains("--verbose"))
    }
  }

  @Test func `prune and recompress have a dry run, and --force takes a guard's name`() throws {
    let fixture = try CommandFixture.imported(["Photos/basil"], policy: "exact")
    let planned = try fixture.leaflog("recompress", "--policy", "compact", "--dry-run")
    #expect(planned.status == 0 && planned.output.contains("would become"))
    #expect(planned.output.contains("Nothing was done."))
    let stray = [UInt8](repeating: 7, count: 4 << 20)
    let digest = "1f" + String(repeating: "0", count: 62)
    let path = try fixture.folder.write(Data(stray), to: "library/blobs/1f/" + digest)
    let old = Date(timeIntervalSinceNow: -3 * 86_400)
    try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: path)
    let refused = try fixture.leaflog("prune")
    #expect(refused.status == 1 && refused.error.contains("--force half-store"), "\(refused.error)")
    #expect(try fixture.leaflog("prune", "--force", "clock").status == 1)
    for force in [["--force"], ["--force", "half-store"], ["--force=half-store"]] {
      let result = try fixture.leaflog.run(["prune", "--dry-run"] + force)
      #expect(result.status == 0 && result.output.contains("Would mark 1 file"), "\(result.error)")
      #expect(result.output.contains("Nothing was done.") && !result.output.contains("--yes"))
    }
    #expect(try fixture.leaflog("prune", "--force", "nothing").status == 64)
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
