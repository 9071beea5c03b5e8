import Foundation
import TestSupport
import Testing

/// The built executable does what commands do in the process of a test.
@Suite struct ExecutableTests {
  /// The words of every command that does something, hidden ones too.
  private func commands() throws -> [[String]] {
    let dump = try Command(library: nil)("--experimental-dump-help").output
    let document = try JSONSerialization.jsonObject(with: Data(dump.utf8)) as? [String: Any]
    return leaves(try #require(document?["command"] as? [String: Any]))
  }

  private func leaves(_ command: [String: Any]) -> [[String]] {
    guard let children = command["subcommands"] as? [[String: Any]] else { return [[]] }
    return children.flatMap { child in
      leaves(child).map { [child["commandName"] as? String ?? ""] + $0 }
    }
  }

  private func expectSame(
    _ command: Command, _ arguments: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Command.Result {
    let launched = try command.start(arguments).wait()
    let here = try command.run(arguments)
    #expect(launched.status == here.status, "\(arguments)", sourceLocation: sourceLocation)
    #expect(launched.output == here.output, "\(arguments)", sourceLocation: sourceLocation)
    #expect(launched.error == here.error, "\(arguments)", sourceLocation: sourceLocation)
    return launched
  }

  @Test func `every command starts, and tells its usage`() throws {
    let commands = try commands()
    #expect(commands.count > 70)
    var leaflog = Command(library: nil)
    leaflog.environment = ["COLUMNS": "80"]
    for words in commands where words != ["help"] {
      let result = try expectSame(leaflog, words + ["--help"])
      #expect(result.status == 0 && result.error.isEmpty, "\(words)")
      // A mood is set without a word for it.
      let named = words == ["mood", "say"] ? ["mood", "<mood>"] : words
      #expect(result.output.contains("USAGE: leaflog \(named.joined(separator: " "))"), "\(words)")
      let wide = result.output.split(separator: "\n").filter { $0.count > 80 }
      #expect(wide.isEmpty, "\(words)")
      let alias = result.output.split(separator: "\n").first { $0.hasPrefix("  --after <after>") }
      #expect(alias?.contains("--before") != true, "\(words)")
    }
  }

  @Test func `an error's usage is wrapped, and the version is JSON if asked for`() throws {
    var leaflog = Command(library: nil)
    leaflog.environment = ["COLUMNS": "80"]
    let wrong = try expectSame(leaflog, ["symptom", "add"])
    #expect(wrong.status == 64 && wrong.error.contains("Usage: leaflog symptom add <name>"))
    #expect(wrong.error.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(wrong.error)")
    let plain = try expectSame(leaflog, ["--version"]).output
    let document = try expectSame(leaflog, ["--version", "--json"]).json.first
    #expect(document?["version"] as? String == plain.trimmingCharacters(in: .newlines))
  }

  /// ld.so(8) lists what it would load.
  @Test func `it starts without the libraries of pictures, of text and of the network`() throws {
    var leaflog = Command(library: nil)
    leaflog.environment = ["LD_TRACE_LOADED_OBJECTS": "1"]
    let loaded = try leaflog.start(["--version"]).wait().output
    #expect(loaded.contains("libsqlite3.so"))
    for name in [
      "vips", "jxl", "pango", "cairo", "fontconfig", "X11", "curl", "FoundationNetworking",
    ] {
      #expect(!loaded.contains("lib\(name)"), "\(name)")
    }
  }

  private static let lines: [(arguments: [String], status: Int32)] = [
    (["--version"], 0), (["help", "import"], 0), (["plant", "help"], 64), (["tmeline"], 64),
    (["timeline", "--limit", "0"], 64), (["timeline", "--limit", "0", "--json"], 64),
    (["timeline", "--since", "2026"], 64), (["show"], 64), (["show", "ab", "--json"], 1),
    (["show", "ab"], 1), (["timeline", "--library", "/nonesuch"], 10), (["photo"], 0),
    (["settings", "set", "policy", "tiny", "--json"], 64), (["settings", "get", "policy"], 0),
    (["plant", "delete", "fern", "--json"], 13), (["plant", "delete", "fern"], 13),
    (["restore", "/nonesuch"], 10), (["completions", "bash"], 0),
  ]

  @Test(arguments: lines)
  func `statuses, results and errors are the same`(arguments: [String], status: Int32) throws {
    var fixture = try CommandFixture()
    fixture.leaflog.environment = ["COLUMNS": "80"]
    try #require(fixture.leaflog("init", "--quiet").status == 0)
    try fixture.json("plant", "add", "fern")
    #expect(try expectSame(fixture.leaflog, arguments).status == status)
  }

  @Test func `a context has its own variables, zone and current directory`() throws {
    let fixture = try CommandFixture()
    var leaflog = fixture.leaflog
    (leaflog.library, leaflog.folder) = ("here", fixture.folder.path)
    leaflog.environment = ["TZ": "Pacific/Kiritimati"]
    let made = try #require(try leaflog("init", "--json").json.first)
    #expect((made["path"] as? String)?.hasSuffix(fixture.folder.path + "/here") == true)
    #expect(made["timeZone"] as? String == "Pacific/Kiritimati")
    #expect(try leaflog("export", "json", "-o", "diary.json").status == 0)
    #expect(fixture.folder.files().contains("diary.json"))
    #expect(try leaflog("import", "nothing").error.contains("There is nothing at"))
  }
}
