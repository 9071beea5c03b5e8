import Foundation
import TestSupport
import Testing

@Suite struct BackupCommandTests {
  private func imported(_ path: String = Fixtures.path("Photos")) throws -> CommandFixture {
    try CommandFixture.imported([path], policy: "compact")
  }

  private func place(_ fixture: CommandFixture) -> String { fixture.folder.file("backup") }

  private func summary(_ result: Command.Result) throws -> [String: Any] {
    try #require(result.json.last?["summary"] as? [String: Any], "\(result.error)")
  }

  private func timeline(_ path: String) throws -> String {
    try Command(library: path)("timeline", "--json", "--limit", "1000").output
  }

  private func expectSound(_ path: String) throws {
    let verified = try Command(library: path)("verify", "--full")
    #expect(verified.status == 0, "\(verified.output)\(verified.error)")
  }

  @Test func `a backup is a library, and a library comes back from it`() throws {
    let fixture = try imported()
    let before = try timeline(fixture.folder.file("library"))
    let first = try summary(fixture.leaflog("backup", place(fixture), "--json"))
    #expect(first["blobs"] as? Int == first["linked"] as? Int)
    #expect(first["copied"] as? Int == 0 && first["surplus"] as? Int == 0)
    #expect(try #require(first["byteCount"] as? Int) > 0 && first["seconds"] is Double)
    let second = try summary(fixture.leaflog("backup", place(fixture), "--json"))
    #expect(second["linked"] as? Int == 0 && second["copied"] as? Int == 0)
    #expect(try timeline(place(fixture)) == before)
    try expectSound(place(fixture))

    try FileManager.default.removeItem(atPath: fixture.folder.file("library"))
    let restored = try fixture.leaflog("restore", place(fixture), "--copy", "--json")
    #expect(restored.status == 0)
    #expect(try summary(restored)["copied"] as? Int == first["blobs"] as? Int)
    #expect(try timeline(fixture.folder.file("library")) == before)
    try expectSound(fixture.folder.file("library"))
  }

  @Test func `over a library a restore is a dry run until --yes`() throws {
    let fixture = try imported(Fixtures.path("Photos/monstera"))
    _ = try fixture.leaflog("backup", place(fixture))
    #expect(try fixture.leaflog("import", Fixtures.path("Photos/basil"), "--quiet").status == 0)
    let now = try timeline(fixture.folder.file("library"))
    let dry = try fixture.leaflog("restore", place(fixture), "--json")
    #expect(dry.status == 0)
    let plan = try summary(dry)
    #expect(plan["dryRun"] as? Bool == true)
    let replaced = try #require(plan["replaced"] as? [String: Int])
    let backedUp = try #require(plan["restored"] as? [String: Int])
    let lacking = try #require(plan["lacking"] as? [String])
    #expect(try #require(replaced["photos"]) - lacking.count == backedUp["photos"])
    #expect(!lacking.isEmpty)
    #expect(try fixture.leaflog("restore", place(fixture)).output.contains("--yes"))
    #expect(try timeline(fixture.folder.file("library")) == now)

    let done = try fixture.leaflog("restore", place(fixture), "--yes", "--json")
    #expect(done.status == 0)
    #expect(try summary(done)["unknownPhotos"] as? Bool == true)
    #expect(try timeline(fixture.folder.file("library")) == timeline(place(fixture)))
    #expect(try fixture.leaflog("prune").status == 1)
    try expectSound(fixture.folder.file("library"))
  }

  @Test func `exit statuses tell damage, wrong places and no library`() throws {
    let fixture = try imported(Fixtures.path("Photos/monstera"))
    #expect(try fixture.leaflog("backup").status == 64)
    #expect(try fixture.leaflog("backup", fixture.folder.file("library")).status == 64)
    #expect(try fixture.leaflog("restore", fixture.folder.file("none")).status == 10)
    #expect(
      try Command(library: fixture.folder.file("none"))("backup", place(fixture)).status == 10)
    let blob = try #require(fixture.folder.files(below: "library/blobs").first)
    try fixture.folder.write(Data("rot".utf8), to: "library/blobs/" + blob)
    let damaged = try fixture.leaflog("backup", place(fixture), "--json")
    #expect(damaged.status == 12)
    #expect(damaged.json.first?["blob"] as? String == (blob as NSString).lastPathComponent)
    #expect((damaged.json.first?["photos"] as? [String])?.isEmpty == false)
    #expect(try summary(damaged)["damaged"] as? Int == 1)
  }

  /// A backup that copies, and stops at some blob, of which its log has a line each, when nobody reads on.
  private func held(_ fixture: CommandFixture) throws -> Command.Running {
    var leaflog = fixture.leaflog
    leaflog.environment["LEAFLOG_LOG"] = "debug"
    return try leaflog.start(["backup", place(fixture), "--copy", "--json"], isHeld: true)
  }

  @Test func `a killed backup leaves the last one whole, and the next finishes it`() throws {
    let fixture = try imported(Fixtures.path("Photos/monstera"))
    let old = try timeline(fixture.folder.file("library"))
    #expect(try fixture.leaflog("backup", place(fixture)).status == 0)
    try fixture.addManyPhotos(60, of: "Orientation/1.jpg")
    #expect(try fixture.leaflog("import", fixture.photos, "--quiet").status == 0)
    let new = try timeline(fixture.folder.file("library"))
    for count in [1, 5, 10, 15] {
      let running = try held(fixture)
      #expect(running.error.skip(count))
      kill(running.process.processIdentifier, SIGKILL)
      #expect(running.wait().status == 128 + SIGKILL)
      #expect(try timeline(place(fixture)) == old)
      #expect(try Command(library: place(fixture))("verify").status == 0)
    }
    #expect(try fixture.leaflog("backup", place(fixture), "--copy").status == 0)
    #expect(try timeline(place(fixture)) == new)
    #expect(fixture.folder.files(below: "backup/tmp").isEmpty)
    try expectSound(place(fixture))
  }

  @Test func `a first backup that was killed is no library yet, and is finished`() throws {
    let fixture = try CommandFixture()
    try fixture.addManyPhotos(60, of: "Orientation/1.jpg")
    #expect(try fixture.leaflog("import", fixture.photos, "--quiet").status == 0)
    for count in [1, 5, 10] {
      let running = try held(fixture)
      #expect(running.error.skip(count))
      kill(running.process.processIdentifier, SIGKILL)
      #expect(running.wait().status == 128 + SIGKILL)
      #expect(try Command(library: place(fixture))("timeline").status == 10)
    }
    #expect(try fixture.leaflog("backup", place(fixture), "--copy").status == 0)
    #expect(try timeline(place(fixture)) == timeline(fixture.folder.file("library")))
    try expectSound(place(fixture))
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `an interrupted backup ends in order`(signal: Int32) throws {
    let fixture = try CommandFixture()
    try fixture.addManyPhotos(80, of: "Orientation/1.jpg")
    #expect(try fixture.leaflog("import", fixture.photos, "--quiet").status == 0)
    let running = try held(fixture)
    #expect(running.error.skip(1))
    #expect(running.interrupt(with: signal))
    let result = running.wait()
    #expect(result.status == 130)
    let summary = try summary(result)
    #expect(summary["interrupted"] as? Bool == true)
    let copied = try #require(summary["copied"] as? Int)
    #expect(try copied > 0 && copied < #require(summary["blobs"] as? Int))
    #expect(try Command(library: place(fixture))("timeline").status == 10)
    let last = try self.summary(fixture.leaflog("backup", place(fixture), "--copy", "--json"))
    #expect(try #require(last["copied"] as? Int) + copied == last["blobs"] as? Int)
    try expectSound(place(fixture))
  }

  @Test func `backups made while an import runs are whole, each of its moment`() throws {
    let fixture = try imported(Fixtures.path("Photos/monstera"))
    try fixture.addManyPhotos(70, of: "Orientation/1.jpg")
    let running = try fixture.leaflog.start(["import", fixture.photos, "--json"], isHeld: true)
    var counts: [Int] = []
    for read in [1, 20, 20] {
      #expect(running.output.skip(read))
      let result = try fixture.leaflog("backup", place(fixture), "--json")
      #expect(result.status == 0, "\(result.error)")
      #expect(running.process.isRunning)
      try expectSound(place(fixture))
      counts.append(
        try #require(Command(library: place(fixture))("stats", "--json").json[0]["photos"] as? Int))
    }
    #expect(running.wait().status == 0)
    // Those that were acknowledged by then, and those that were there before.
    #expect(zip(counts, [1, 21, 41]).allSatisfy { $0 >= $1 + 5 })
    #expect(counts == counts.sorted())
    #expect(try fixture.leaflog("backup", place(fixture)).status == 0)
    #expect(try timeline(place(fixture)) == timeline(fixture.folder.file("library")))
  }

  @Test(.enabled(if: SmallDisk.isPossible, "a small disk cannot be mounted here"))
  func `on a full disk the last backup stays whole, and the library too`() throws {
    let fixture = try imported(Fixtures.path("Photos/monstera"))
    let disk = try SmallDisk(at: fixture.folder.file("disk"), size: "3m")
    let old = try timeline(fixture.folder.file("library"))
    let first = try summary(fixture.leaflog("backup", disk.path, "--json"))
    #expect(first["copied"] as? Int == first["blobs"] as? Int)  // another file system
    try fixture.addManyPhotos(40)
    #expect(
      try fixture.leaflog("import", fixture.photos, "--policy", "exact", "--quiet").status == 0)
    let full = try fixture.leaflog("backup", disk.path, "--json")
    #expect(full.status == 1)
    #expect(full.error.contains("noSpace"))
    #expect(try timeline(disk.path) == old)
    try expectSound(disk.path)
    try expectSound(fixture.folder.file("library"))
  }

  @Test func `imports and edits leave snapshots of the catalog, reading does not`() throws {
    let fixture = try imported(Fixtures.path("Photos/monstera"))
    #expect(fixture.folder.files(below: "library/snapshots").count == 1)
    _ = try fixture.leaflog("timeline")
    _ = try fixture.leaflog("prune")
    _ = try fixture.leaflog("import", Fixtures.path("Photos/monstera"), "--dry-run")
    #expect(fixture.folder.files(below: "library/snapshots").count == 1)
    // An hour ago, as far as its name tells.
    let name = fixture.folder.files(below: "library/snapshots")[0]
    try FileManager.default.moveItem(
      atPath: fixture.folder.file("library/snapshots/" + name),
      toPath: fixture.folder.file("library/snapshots/2025-01-01T000000Z" + name.dropFirst(18)))
    #expect(try fixture.leaflog("plant", "add", "moss").status == 0)
    #expect(fixture.folder.files(below: "library/snapshots").count == 2)
  }
}
