import Foundation
import TestSupport
import Testing

/// The JSON of commands, byte by byte: scripts rely on its names, and versions are digests of it.
@Suite struct JSONOutputTests {
  @Test func `commands write the JSON that is recorded`() throws {
    let fixture = try CommandFixture.imported(["Photos/basil"])
    let path = Fixtures.path("commands.txt")
    let recorded = try String(contentsOfFile: path, encoding: .utf8)
    var lines: [String] = []
    for line in recorded.split(separator: "\n") where line.hasPrefix("#") || line.hasPrefix("$ ") {
      lines.append(String(line))
      guard line.hasPrefix("$ leaflog ") else { continue }
      let arguments = line.split(separator: " ").dropFirst(2).map {
        String($0).replacing("FOLDER", with: fixture.folder.path)
      }
      let result = try fixture.leaflog.run(arguments + ["--json"])
      lines += try Self.stable(result.output, in: fixture).split(separator: "\n").map(String.init)
    }
    if ManualDocument.isRecorded {
      try (lines.joined(separator: "\n") + "\n").write(
        toFile: path, atomically: true, encoding: .utf8)
    }
    let difference = lines.difference(from: recorded.split(separator: "\n").map(String.init))
    #expect(difference.isEmpty, "LEAFLOG_RECORD=1 in the environment writes it down anew.")
  }

  /// The output with names for what differs from run to run, or from machine to machine.
  private static func stable(_ output: String, in fixture: CommandFixture) throws -> String {
    let today = try CommandFixture.today().description
    return
      output
      .replacing(fixture.folder.path, with: "FOLDER")
      .replacing(Fixtures.path("Photos"), with: "FIXTURES/Photos")
      .replacing(#/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/#, with: "TIME")
      .replacing(today, with: "TODAY").replacing(today.prefix(7), with: "MONTH")
      .replacing(#/\b[0-9a-f]{64}\b/#, with: "DIGEST").replacing(#/\b[0-9a-f]{32}\b/#, with: "ID")
      .replacing(
        #/"([a-zA-Z]*yteCount|seconds|daysSince|daysSinceLastPhoto|ageDays)":[0-9.]+/#
      ) { "\"\($0.output.1)\":N" }
      .replacing(#/That was \d+ days/#, with: "That was N days")
      .replacing(#/"(next|previous)":"(?!ID)[^"]*"/#) { "\"\($0.output.1)\":\"CURSOR\"" }
      .replacing(#/leaflog_[\w-]+/#, with: "SECRET")
      .replacing(#/"placeholder":\[[0-9,]*\]/#, with: "\"placeholder\":[BYTES]")
  }
}
