import Foundation
import TestSupport
import Testing

/// Names of files that are no UTF-8, and lists of names.
@Suite struct GivenNamesTests {
  /// A folder with a photo in each of two folders whose names differ in a byte that is no UTF-8.
  private func latin() throws -> CommandFixture {
    let fixture = try CommandFixture()
    for (byte, name) in [("\\366", "1.jpg"), ("\\344", "2.jpg")] {
      let photo = Fixtures.path("Orientation/\(name)")
      let result = try shell(
        fixture, #"d="in/$(printf 'R\#(byte)se')"; mkdir -p "$d"; cp '\#(photo)' "$d/1.jpg""#)
      #expect(result.status == 0, "\(result.error)")
    }
    return fixture
  }

  private func shell(_ fixture: CommandFixture, _ script: String) throws -> Command.Result {
    var command = fixture.leaflog
    command.folder = fixture.folder.path
    let folder = (Command.executable as NSString).deletingLastPathComponent
    command.environment["PATH"] = "\(folder):/usr/bin:/bin"
    return try command.start(["-c", script], program: "/bin/sh").wait()
  }

  private func plants(_ fixture: CommandFixture) throws -> [String] {
    let items = try fixture.json("plant", "list")["items"] as? [[String: Any]]
    return (items ?? []).compactMap { $0["name"] as? String }.sorted()
  }

  @Test func `folders whose names are not UTF-8 are plants of their own, with a warning`() throws {
    let fixture = try latin()
    let result = try fixture.leaflog("import", fixture.folder.file("in"), "--json")
    #expect(result.status == 0, "\(result.error)")
    #expect(try plants(fixture) == [#"R\xE4se"#, #"R\xF6se"#])
    let added = result.json.filter { $0["outcome"] as? String == "added" }
    #expect(added.count == 2)
    for outcome in added {
      #expect((outcome["warnings"] as? [String])?.contains("nameEscaped") == true)
      let path = try #require(outcome["path"] as? String)
      #expect(path.hasSuffix(#"\x\#(path.contains(#"\xE4"#) ? "E4" : "F6")se/1.jpg"#), "\(path)")
      let photo = try fixture.json("photo", "show", #require(outcome["photo"] as? String))
      #expect((photo["sourcePaths"] as? [String])?.first?.hasSuffix(path) == true, "\(photo)")
      // The path in the output names the file.
      let again = try fixture.leaflog("import", path, "--json").json.first
      #expect(again?["outcome"] as? String == "duplicate", "\(path)")
    }
  }

  @Test func `a name that is not UTF-8 can be given in an argument or a list`() throws {
    let fixture = try latin()
    let named = try shell(fixture, #"leaflog import "$(printf 'in/R\366se')" --json"#)
    #expect(named.json.first?["outcome"] as? String == "added", "\(named.output)\(named.error)")
    let listed = try shell(
      fixture, "find in -name '*.jpg' -print0 | leaflog import -0 --files-from - --json")
    let outcomes = listed.json.compactMap { $0["outcome"] as? String }
    #expect(outcomes.sorted() == ["added", "duplicate"], "\(listed.output)\(listed.error)")
    #expect(try plants(fixture).count == 2)
  }

  @Test func `a name that looks escaped is its own`() throws {
    let fixture = try latin()
    let photo = Fixtures.path("Orientation/3.jpg")
    let made = try shell(
      fixture, #"mkdir 'in/R\xF6se' && cp '\#(photo)' 'in/R\xF6se/1.jpg'"#)
    #expect(made.status == 0, "\(made.error)")
    let result = try fixture.leaflog("import", fixture.folder.file("in"), "--json")
    #expect(result.status == 0)
    #expect(try plants(fixture) == [#"R\x5CxF6se"#, #"R\xE4se"#, #"R\xF6se"#])
  }

  @Test func `files are imported from a list of lines, on standard input or in a file`() throws {
    let fixture = try CommandFixture()
    let files = ["1.jpg", "2.jpg", "3.jpg"].map { Fixtures.path("Orientation/\($0)") }
    let lines = files[..<2].joined(separator: "\n\n") + "\n"
    let first = try fixture.leaflog.run(
      ["import", "--files-from", "-", "--json"], input: Array(lines.utf8))
    #expect(first.status == 0, "\(first.error)")
    #expect(first.json.compactMap { $0["path"] as? String }.sorted() == Array(files[..<2]))
    let list = try fixture.folder.write(Data(files[1].utf8), to: "list")
    let second = try fixture.leaflog("import", files[2], "--files-from", list, "--json")
    let outcomes = second.json.compactMap { $0["outcome"] as? String }
    #expect(outcomes.sorted() == ["added", "duplicate"])
    let nothing = try fixture.leaflog.run(["import", "--files-from", "-"], input: [])
    #expect(nothing.status == 0 && nothing.output == "Nothing to import.\n")
    #expect(try fixture.leaflog("import", "--files-from", "/nonesuch").status == 1)
    #expect(try fixture.leaflog("import").status == 64)
    #expect(try fixture.leaflog("import", files[0], "-0").status == 64)
  }

  @Test func `a diary is imported from standard input`() throws {
    let fixture = try CommandFixture()
    #expect(try fixture.leaflog("init").status == 0)
    #expect(try fixture.leaflog("symptom", "add", "headache", "--severity", "mild").status == 0)
    let diary = try fixture.leaflog("export", "json", "-o", "-").output
    let other = try CommandFixture()
    #expect(try other.leaflog("init").status == 0)
    let result = try other.leaflog.run(["import-diary", "-", "--json"], input: Array(diary.utf8))
    #expect(result.status == 0, "\(result.error)")
    #expect((result.json.first?["added"] as? [String: Int])?["symptom"] == 1)
    let wrong = try other.leaflog.run(["import-diary", "-"], input: Array("{".utf8))
    #expect(wrong.status == 64 && wrong.error.contains("standard input"), "\(wrong.error)")
  }
}
