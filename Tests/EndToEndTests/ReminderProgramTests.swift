import Foundation
import TestSupport
import Testing

/// `leaflog remind notify --command`, as a process of its own: the program has its standard output.
@Suite struct ReminderProgramTests {
  private let fixture: CommandFixture

  init() throws {
    fixture = try CommandFixture()
    let zone = TimeZone.farFromMidnight.identifier
    try #require(fixture.leaflog("init", "--time-zone", zone, "--quiet").status == 0)
  }

  private func notify(_ command: String, _ options: String...) throws -> Command.Result {
    try fixture.leaflog.start(["remind", "notify", "--command", command] + options).wait()
  }

  /// The sentence about a library without entries of today.
  private static let sentence = "No daily log yet; no mood yet."

  @Test func `the program gets the sentence twice, and its output is the command's`() throws {
    let result = try notify(#"cat; printf '%s' "$LEAFLOG_REMINDER"; echo heard >&2"#)
    #expect(result.status == 0)
    #expect(result.output == "\(Self.sentence)\n\(Self.sentence)")
    #expect(result.error == "heard\n")
  }

  @Test func `with JSON, the program's output goes to standard error`() throws {
    let result = try notify("cat", "--json")
    #expect(result.status == 0 && result.error == Self.sentence + "\n")
    #expect(result.output == #"{"missing":["no daily log yet","no mood yet"]}"# + "\n")
  }

  @Test func `nothing is run when nothing is missing`() throws {
    try fixture.json("remind", "off")
    let command = "touch '\(fixture.folder.file("run"))'"
    let off = try notify(command)
    #expect(off.status == 0 && off.output.isEmpty && off.error.isEmpty)
    try fixture.json("settings", "set", "reminder", "on")
    try fixture.json("log", "set", "--stress", "2")
    try fixture.json("mood", "set", "okay")
    let nothing = try notify(command, "--json")
    #expect(nothing.status == 0 && nothing.output == #"{"missing":[]}"# + "\n")
    #expect(!FileManager.default.fileExists(atPath: fixture.folder.file("run")))
    try fixture.json("mood", "delete", "today", "--yes")
    #expect(try notify(command).status == 0)
    #expect(FileManager.default.fileExists(atPath: fixture.folder.file("run")))
  }

  @Test(arguments: [
    ("exit 3", "failed with status 3"), ("no-such-program", "failed with status 127"),
    ("kill -KILL $$", "was ended by signal 9"),
  ])
  func `a program that fails is an error`(command: String, reason: String) throws {
    let result = try notify(command)
    #expect(result.status == 1 && result.output.isEmpty)
    #expect(result.error.hasSuffix("leaflog: “\(command)” \(reason).\n"), "\(result.error)")
    let json = try notify(command, "--json")
    #expect(json.status == 1 && json.output.isEmpty)
    #expect(json.error.contains(#""code":"failed""#), "\(json.error)")
  }

  @Test func `a program that reads nothing is no failure, however long the sentence is`() throws {
    // More than a pipe holds, so that the program has ended before all of it is written (pipe(7): 65,536 bytes).
    for number in 0..<90 {
      let name = "\(number) " + String(repeating: "🌱", count: 190)
      try fixture.json("activity", "add", name, "--every", "1", "--start-from", "2024-01-01")
    }
    let byteCount = try fixture.leaflog("remind", "notify").output.utf8.count
    #expect(byteCount > 65_536)
    let ignored = try notify("exec true")
    #expect(ignored.status == 0 && ignored.output.isEmpty && ignored.error.isEmpty)
    let counted = try notify("wc -c")
    #expect(counted.output.contains("\(byteCount)"), "\(counted.output) \(counted.error)")
  }

  @Test func `the program may change the library`() throws {
    let result = try notify("'\(Command.executable)' mood set okay --quiet")
    #expect(result.status == 0 && result.error.isEmpty, "\(result.error)")
    #expect(try fixture.leaflog("remind", "notify").output == "No daily log yet.\n")
  }

  @Test(arguments: ["", "  "])
  func `a program has a name`(command: String) throws {
    let result = try fixture.leaflog("remind", "notify", "--command", command)
    #expect(result.status == 64 && result.error.contains("--command 'mail"), "\(result.error)")
  }
}
