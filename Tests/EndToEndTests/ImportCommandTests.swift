import Foundation
import TestSupport
import Testing

/// A library's place and the command to use it with.
struct CommandFixture {
  let folder: TemporaryFolder
  var leaflog: Command

  init(inMemory: Bool = true) throws {
    folder = try TemporaryFolder(inMemory: inMemory)
    leaflog = Command(library: folder.file("library"))
    // In an empty folder, a library is only made by `init`.
    try FileManager.default.createDirectory(
      atPath: folder.file(".unrelated"), withIntermediateDirectories: false)
  }

  var photos: String { folder.file("photos") }

  /// Photos that are all different.
  func addManyPhotos(_ count: Int, of name: String = "Photos/monstera/IMG_0005.jpg") throws {
    let photo = try Fixtures.data(name)
    for index in 0..<count {
      try folder.write(photo + Data(repeating: 0, count: index), to: "photos/fern/\(index).jpg")
    }
  }

  func entries(_ arguments: String...) throws -> [[String: Any]] {
    let result = try leaflog.run(["timeline", "--json", "--limit", "1000"] + arguments)
    return result.json.first?["items"] as? [[String: Any]] ?? []
  }
}

@Suite struct ImportCommandTests {
  @Test func `a line of JSON a file, then a summary`() throws {
    let fixture = try CommandFixture()
    let result = try fixture.leaflog("import", Fixtures.path("Photos"), "--json")
    #expect(result.status == 0)
    let lines = result.json
    #expect(lines.count == 18)
    let added = try #require(
      lines.first { ($0["path"] as? String)?.hasSuffix("monstera/IMG_0001.jpg") == true })
    #expect(added["outcome"] as? String == "added")
    #expect(added["plant"] as? String == "monstera")
    #expect(added["capturedAt"] as? String == "2025-04-02T08:11:05+02:00")
    #expect(added["captureSource"] as? String == "exif")
    #expect(added["warnings"] as? [String] == [])
    #expect((added["photo"] as? String)?.count == 32)
    let source = try #require(added["sourceByteCount"] as? Int)
    #expect(try #require(added["storedByteCount"] as? Int) < source)
    let skipped = try #require(
      lines.first { ($0["path"] as? String)?.hasSuffix("notes.txt") == true })
    #expect(skipped["outcome"] as? String == "skipped")
    #expect(skipped["reason"] as? String == "notAnImage")
    let summary = try #require(lines.last?["summary"] as? [String: Any])
    #expect(summary["added"] as? Int == 13)
    #expect(summary["duplicate"] as? Int == 1)
    #expect(summary["skipped"] as? Int == 3)
    #expect(summary["failed"] as? Int == 0)
    #expect(summary["seconds"] is Double)
  }

  @Test func `hundreds of files may be named, between options`() throws {
    let fixture = try CommandFixture()
    let files = try (0..<250).map { try fixture.folder.write(Data([1]), to: "names/\($0).txt") }
    let none = fixture.folder.file("none")
    let result = try fixture.leaflog.run(
      ["import", "--plant", "basil"] + files + ["--json", none])
    let paths = result.json.compactMap { $0["path"] as? String }
    #expect(paths.sorted() == (files + [none]).sorted())
    #expect(result.status == 1)
  }

  @Test func `the exit status tells done, partly done and failed`() throws {
    let fixture = try CommandFixture()
    let whole = try Fixtures.data("Photos/monstera/IMG_0001.jpg")
    try fixture.folder.write(whole.prefix(9000), to: "photos/bad.jpg")
    let failed = try fixture.leaflog("import", fixture.photos)
    #expect(failed.status == 1)
    #expect(failed.output.contains("bad.jpg: "))
    try fixture.folder.write(whole, to: "photos/good.jpg")
    #expect(try fixture.leaflog("import", fixture.photos).status == 3)
    try FileManager.default.removeItem(atPath: fixture.photos + "/bad.jpg")
    #expect(try fixture.leaflog("import", fixture.photos).status == 0)
    #expect(try fixture.leaflog("import").status == 64)
    #expect(try fixture.leaflog("import", fixture.photos, "--policy", "tiny").status == 64)
    #expect(try fixture.leaflog("import", fixture.photos, "--move").status == 64)
  }

  @Test func `the summary names the files to look at, the first ten of them`() throws {
    let fixture = try CommandFixture()
    try fixture.folder.copy("Orientation/1.jpg", to: "photos/good.jpg")
    let raw = Data([0x49, 0x49, 0x2A, 0, 16, 0, 0, 0] + Array("CR\u{2}\0".utf8))
    try fixture.folder.write(raw, to: "photos/IMG_1.CR2")
    try fixture.folder.write(Data(), to: "photos/.hidden.jpg")
    try fixture.folder.write(Data(), to: "photos/._good.jpg")
    try fixture.folder.write(Data(), to: "photos/notes.txt")
    for number in 0..<6 { try fixture.folder.write(Data(), to: "photos/bad\(number).jpg") }
    let few = try fixture.leaflog("import", fixture.photos).output
    let listed = few.components(separatedBy: "Worth a look:\n").last ?? ""
    for name in ["bad0.jpg: The file is empty", "IMG_1.CR2: a RAW file", ".hidden.jpg: hidden"] {
      #expect(listed.contains("  \(fixture.photos)/\(name)"), "\(few)")
    }
    #expect(!listed.contains("notes.txt") && !listed.contains("._good"))
    #expect(!few.contains("--json"))

    for number in 6..<30 { try fixture.folder.write(Data(), to: "photos/bad\(number).jpg") }
    let many = try fixture.leaflog("import", fixture.photos).output
    #expect(many.components(separatedBy: ": The file is empty").count == 11)
    #expect(many.contains("  … and 22 more; --json lists every file."), "\(many)")
    let all = try fixture.leaflog("import", fixture.photos, "--json").json
    #expect(all.filter { $0["outcome"] as? String == "failed" }.count == 30)
    let quiet = try fixture.leaflog("import", fixture.photos, "--quiet").output
    #expect(quiet.split(separator: "\n").count == 30)
  }

  @Test func `a photo with a warning is named with it`() throws {
    let fixture = try CommandFixture()
    try fixture.folder.copy("Orientation/1.jpg", to: "photos/IMG_19800101_000000.jpg")
    let result = try fixture.leaflog("import", fixture.photos, "--json")
    let warnings = result.json.first?["warnings"] as? [String] ?? []
    #expect(!warnings.isEmpty)
    let other = try CommandFixture()
    let text = try other.leaflog("import", fixture.photos).output
    #expect(text.contains("  \(fixture.photos)/IMG_19800101_000000.jpg: "), "\(text)")
  }

  @Test func `deleted photos stay deleted, until --restore-deleted, or by their file's name`()
    throws
  {
    let fixture = try CommandFixture.imported(["Photos/basil"])
    let basil = Fixtures.path("Photos/basil")
    try fixture.json("plant", "delete", "basil", "--yes")
    let result = try fixture.leaflog("import", basil)
    #expect(result.status == 0)
    #expect(
      result.output.contains(
        "4 photos stay in the trash; --restore-deleted restores them."),
      "\(result.output)")
    #expect(try fixture.entries().isEmpty)
    #expect(try fixture.json("plant", "list").items.isEmpty)
    let named = try fixture.leaflog("import", basil + "/20250510T120006+0100.jpg", "--json")
    #expect(named.json.first?["outcome"] as? String == "restored")
    let all = try fixture.leaflog("import", basil, "--restore-deleted", "--json")
    #expect(all.json.filter { $0["outcome"] as? String == "restored" }.count == 3)
    #expect(try fixture.entries().count == 4)
  }

  @Test func `a watch takes nothing back from the trash on starting`() throws {
    let fixture = try CommandFixture.imported(["Photos/basil"])
    try fixture.json("photo", "delete", "--plant", "basil", "--yes")
    let interrupt = (after: "Watching for new files. Press Ctrl-C to stop.", text: "\u{3}")
    let session = try PseudoTerminal(answer: nil, typed: interrupt)
      .run(fixture.leaflog, "import", Fixtures.path("Photos/basil"), "--watch")
    #expect(session.status == 130)
    #expect(session.output.contains("4 photos stay in the trash"))
    #expect(try fixture.entries().isEmpty)
  }

  @Test(arguments: [("xterm", true), ("dumb", false), ("", false)])
  func `progress is drawn where a line can be written over`(term: String, isDrawn: Bool) throws {
    let fixture = try CommandFixture()
    var terminal = PseudoTerminal(answer: nil)
    terminal.environment = ["TERM": term]
    let session = try terminal.run(fixture.leaflog, "import", Fixtures.path("Photos/basil"))
    #expect(session.status == 0 && session.output.contains("4 photos"))
    #expect(session.output.contains("\r\u{1B}[K") == isDrawn)
    #expect(session.output.contains("\u{1B}") == isDrawn)
  }

  @Test func `nothing but results is on standard output`() throws {
    let fixture = try CommandFixture()
    let result = try fixture.leaflog("import", Fixtures.path("Photos/basil"), "--quiet")
    #expect(result.output.isEmpty)
    #expect(result.error == "Created a library in \(fixture.folder.file("library")).\n")
    let again = try fixture.leaflog("import", Fixtures.path("Photos/basil"), "--quiet")
    #expect(again.output.isEmpty && again.error.isEmpty)
  }

  @Test func `a killed import is finished by the next, and nothing is there twice`() throws {
    let fixture = try CommandFixture()
    try fixture.addManyPhotos(60, of: "Orientation/1.jpg")
    for count in [1, 8, 16, 24, 32] {
      let running = try fixture.leaflog.start(["import", fixture.photos, "--json"], isHeld: true)
      #expect(running.output.skip(count))
      kill(running.process.processIdentifier, SIGKILL)
      let result = running.wait()
      #expect(result.status == 128 + SIGKILL)
      // What was acknowledged is there.
      let acknowledged = result.json.compactMap { $0["photo"] as? String }
      #expect(acknowledged.count >= count)
      let present = Set(try fixture.entries().compactMap { $0["id"] as? String })
      #expect(present.isSuperset(of: acknowledged))
    }
    #expect(try fixture.leaflog("import", fixture.photos, "--json").status == 0)
    let ids = try fixture.entries().compactMap { $0["id"] as? String }
    #expect(ids.count == 60)
    #expect(Set(ids).count == 60)
    #expect(fixture.folder.files(below: "library/tmp").isEmpty)
    let statistics = try #require(try fixture.leaflog("stats", "--json").json.first)
    #expect((statistics["unreferenced"] as? [String: Any])?["count"] as? Int == 0)
    // A master each, and the thumbnail that they share.
    #expect(fixture.folder.files(below: "library/blobs").count == 61)
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `an interrupted import ends in order`(signal: Int32) throws {
    let fixture = try CommandFixture()
    try fixture.addManyPhotos(40)
    let running = try fixture.leaflog.start(["import", fixture.photos, "--json"], isHeld: true)
    #expect(running.output.skip(1))
    #expect(running.interrupt(with: signal))
    let result = running.wait()
    #expect(result.status == 130)
    let summary = try #require(result.json.last?["summary"] as? [String: Any])
    #expect(summary["interrupted"] as? Bool == true)
    let count = try fixture.entries().count
    #expect(count == summary["added"] as? Int && count > 0 && count < 40)
  }

  @Test func `two imports at once bring everything in once`() throws {
    let fixture = try CommandFixture()
    try fixture.addManyPhotos(30, of: "Orientation/1.jpg")
    #expect(try fixture.leaflog("init").status == 0)
    let both = try (0..<2).map { _ in
      try fixture.leaflog.start(["import", fixture.photos, "--json"])
    }
    let results = both.map { $0.wait() }
    #expect(results.map(\.status) == [0, 0])
    let added = results.compactMap {
      ($0.json.last?["summary"] as? [String: Any])?["added"] as? Int
    }
    #expect(added.reduce(0, +) == 30)
    #expect(try fixture.entries().count == 30)
  }

  @Test func `a watched folder's new photos come in once they are complete`() throws {
    let fixture = try CommandFixture()
    #expect(try fixture.leaflog("init").status == 0)
    try fixture.folder.copy("Photos/basil/20250510T120006+0100.jpg", to: "photos/basil/1.jpg")
    let running = try fixture.leaflog.start(["import", fixture.photos, "--watch", "--json"])
    defer { kill(running.process.processIdentifier, SIGKILL) }
    #expect(running.output.skip(to: #""outcome":"added""#))
    #expect(running.error.skip(to: "Watching for new files."))
    let data = try Fixtures.data("Photos/basil/20250517T120006+0100.jpg")
    let name = try writeInHalves(data, in: fixture.folder)
    #expect(running.output.skip(to: "\(name).jpg"))
    #expect(try fixture.entries().count >= 2)
    #expect(running.interrupt(with: SIGINT))
    let result = running.wait()
    #expect(result.status == 130)
    let outcomes = result.json.filter { ($0["path"] as? String)?.hasSuffix("\(name).jpg") == true }
    #expect(outcomes.map { $0["outcome"] as? String } == ["added"])
    let summary = result.json.last?["summary"] as? [String: Any]
    #expect(summary?["interrupted"] as? Bool == true)
  }

  /// Writes a photo in two halves, of which the first alone is a truncated photo, as often as it takes for the second to
  /// follow at once: a busy processor may let a first half lie for so long that it is taken for a whole file.
  ///
  /// - Returns: the name of the last one.
  private func writeInHalves(_ photo: Data, in folder: TemporaryFolder) throws -> String {
    var number = 1
    while true {
      number += 1
      let begin = ContinuousClock.now
      let path = try folder.write(photo.prefix(30_000), to: "photos/new/\(number).jpg")
      let handle = try #require(FileHandle(forWritingAtPath: path))
      try handle.seekToEnd()
      // The zeros make each a file of its own.
      try handle.write(contentsOf: photo.dropFirst(30_000) + Data(repeating: 0, count: number))
      try handle.close()
      if ContinuousClock.now - begin < .seconds(1) { return "new/\(number)" }
    }
  }

  @Test func `files that appear while a watched folder is being imported come in too`() throws {
    let fixture = try CommandFixture()
    #expect(try fixture.leaflog("init").status == 0)
    try fixture.addManyPhotos(40, of: "Orientation/1.jpg")
    let running = try fixture.leaflog.start(
      ["import", fixture.photos, "--watch", "--json"], isHeld: true)
    defer { kill(running.process.processIdentifier, SIGKILL) }
    #expect(running.output.skip(1))
    // Into a folder that the import has listed by now.
    let late = try Fixtures.data("Photos/basil/20250517T120006+0100.jpg")
    try fixture.folder.write(late, to: "photos/fern/late.jpg")
    #expect(running.output.skip(to: "fern/late.jpg"))
    #expect(running.interrupt(with: SIGINT))
    #expect(running.wait().status == 130)
    #expect(try fixture.entries().count == 41)
  }

  @Test func `files that cannot be removed stay, and their photos count as added`() throws {
    let fixture = try CommandFixture()
    for index in 0..<6 {
      try fixture.folder.write(
        Fixtures.data("Colour/srgb.jpg") + Data(repeating: 0, count: index),
        to: "photos/\(index).jpg")
    }
    chmod(fixture.folder.path, 0o777)
    chmod(fixture.photos, 0o555)
    let asNobody = try Unprivileged(fixture.leaflog)
    #expect(try asNobody("init").status == 0)
    let result = try asNobody("import", fixture.photos, "--move", "--policy", "exact", "--json")
    #expect(result.status == 0, "\(result.error)")
    let added = result.json.filter { $0["outcome"] as? String == "added" }
    #expect(added.count == 6)
    #expect(added.allSatisfy { $0["warnings"] as? [String] == ["dateIsFileTime", "notMoved"] })
    #expect(fixture.folder.files(below: "photos").count == 6)
    chmod(fixture.photos, 0o755)
  }

  @Test(arguments: ["2>/dev/full", "2>&-"])
  func `output that cannot be written ends no import, and is reported`(
    redirection: String
  ) throws {
    let fixture = try CommandFixture()
    try fixture.addManyPhotos(3)
    func run(_ words: String) throws -> Command.Result {
      try fixture.leaflog.start(["-c", "'\(Command.executable)' \(words)"], program: "/bin/sh")
        .wait()
    }
    #expect(try run("import '\(fixture.photos)' \(redirection)").status == 0)
    #expect(try fixture.entries().count == 3)
    let result = try run("timeline --json > /dev/full")
    #expect(result.status == 1)
    #expect(
      result.error
        == "The output could not be written: No space left on device. "
        + "Redirect it to another place.\n")
    let changed = try run("symptom add headache --severity mild > /dev/full")
    #expect(changed.status == 1)
    #expect(
      changed.error.contains("The change was made all the same: `leaflog undo 2` undoes it."),
      "\(changed.error)")
    #expect(try fixture.leaflog("undo", "2").status == 0)
    // The file itself is not written to, and its photo is there.
    let imported = try run("import '\(Fixtures.path("Photos/basil"))' --json > /dev/full")
    #expect(imported.status == 1)
    #expect(imported.error.contains("all the same: `leaflog undo 3`"), "\(imported.error)")
  }

  @Test func `a dry run makes no library`() throws {
    let fixture = try CommandFixture()
    let result = try fixture.leaflog("import", Fixtures.path("Photos"), "--dry-run", "--json")
    #expect(result.status == 0)
    let summary = result.json.last?["summary"] as? [String: Any]
    #expect(summary?["added"] as? Int == 13)
    #expect(summary?["dryRun"] as? Bool == true)
    #expect(fixture.folder.files().isEmpty)
  }

  @Test func `a progressive bomb costs no more than 300 MB`() throws {
    let fixture = try CommandFixture()
    #expect(try fixture.leaflog("init").status == 0)
    var bomb = Array(try Fixtures.data("Colour/progressive.jpg"))
    let frame = try #require(
      bomb.indices.dropLast(9).first { bomb[$0] == 0xFF && bomb[$0 + 1] == 0xC2 })
    for (name, side) in [("large", 16_000), ("middling", 5700), ("small", 4700)] {
      (bomb[frame + 5], bomb[frame + 6]) = (UInt8(side >> 8), UInt8(side & 0xFF))
      (bomb[frame + 7], bomb[frame + 8]) = (UInt8(side >> 8), UInt8(side & 0xFF))
      let folder = fixture.folder.file(name)
      try fixture.folder.write(Data(bomb), to: "\(name)/1.jpg")
      // Watching, it can be looked at when all is done.
      let running = try fixture.leaflog.start(["import", folder, "--watch", "--json"])
      defer { kill(running.process.processIdentifier, SIGKILL) }
      #expect(running.error.skip(to: "Watching for new files."))
      let peak = try #require(running.peakMemory)
      #expect(running.interrupt(with: SIGINT))
      let outcome = try #require(running.wait().json.first?["outcome"] as? String)
      #expect(["added", "failed"].contains(outcome))
      #expect(peak > 10_000 && peak < 300_000, "\(name): \(peak) kB")
    }
  }

  @Test func `an unreadable file and a read-only library say so`() throws {
    let fixture = try CommandFixture()
    try fixture.folder.copy("Photos/basil/20250510T120006+0100.jpg", to: "photos/1.jpg")
    let secret = try fixture.folder.copy(
      "Photos/basil/20250517T120006+0100.jpg", to: "photos/2.jpg")
    chmod(secret, 0)
    chmod(fixture.folder.path, 0o777)
    let asNobody = try Unprivileged(fixture.leaflog)
    let result = try asNobody("import", fixture.photos, "--json")
    #expect(result.status == 3, "\(result.error)")
    let failed = result.json.first { $0["outcome"] as? String == "failed" }
    #expect(failed?["reason"] as? String == "unreadable")
    let library = fixture.folder.file("library")
    _ = try Process.run(
      URL(fileURLWithPath: "/bin/chmod"), arguments: ["-R", "a-w", library]
    ).waitUntilExit()
    let readOnly = try asNobody("import", Fixtures.path("Photos/monstera"), "--json")
    #expect(readOnly.status == 1)
    #expect(readOnly.error.contains("\"code\":\"readOnly\""))
    #expect(try asNobody("timeline", "--json").json.count == 1)
    _ = try Process.run(
      URL(fileURLWithPath: "/bin/chmod"), arguments: ["-R", "a+w", library]
    ).waitUntilExit()
  }
}

/// The command under a user who may not do everything: tests often run as root, who may.
struct Unprivileged {
  private let command: Command

  /// The library is theirs then: nobody else may look into it.
  init(_ command: Command) throws {
    self.command = command
    guard getuid() == 0, let library = command.library else { return }
    let names = FileManager.default.enumerator(atPath: library)?.compactMap { $0 as? String } ?? []
    for path in [library] + names.map({ library + "/" + $0 }) { lchown(path, 65_534, 65_534) }
  }

  func callAsFunction(_ arguments: String...) throws -> Command.Result {
    guard getuid() == 0 else { return try command.run(arguments) }
    return try command.start(arguments, as: 65_534).wait()
  }
}
