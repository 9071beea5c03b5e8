import DiaryModel
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
      let day = try CommandFixture.today()
      let result = try fixture.leaflog.run(arguments + ["--json"])
      // Midnight may come in between.
      let days = try [day, CommandFixture.today()]
      lines += Self.stable(result.output, of: days, in: fixture).split(separator: "\n").map(
        String.init)
    }
    if ManualDocument.isRecorded {
      try (lines.joined(separator: "\n") + "\n").write(
        toFile: path, atomically: true, encoding: .utf8)
    }
    let difference = lines.difference(from: recorded.split(separator: "\n").map(String.init))
    #expect(difference.isEmpty, "LEAFLOG_RECORD=1 in the environment writes it down anew.")
  }

  /// The output with names for what differs from run to run, or from machine to machine.
  private static func stable(
    _ output: String, of days: [LocalDay], in fixture: CommandFixture
  ) -> String {
    let timeless =
      output
      .replacing(fixture.folder.path, with: "FOLDER")
      .replacing(Fixtures.path("Photos"), with: "FIXTURES/Photos")
      .replacing(#/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/#, with: "TIME")
    let dayless = days.map(\.description).reduce(timeless) { text, day in
      text.replacing(day, with: "TODAY").replacing(day.prefix(7), with: "MONTH")
    }
    return
      dayless
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
