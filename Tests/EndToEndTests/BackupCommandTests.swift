import Foundation
import TestSupport
import Testing

@Suite struct BackupCommandTests {
  private func imported(_ path: String = Fixtures.path("Photos")) throws -> CommandFixture {
    let fixture = try CommandFixture()
    #expect(try fixture.leaflog("import", path, "--quiet").status == 0)
    return fixture
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

  @Test func `a killed backup leaves the last one whole, and the next finishes it`() throws {
    let fixture = try imported(Fixtures.path("Photos/monstera"))
    let old = try timeline(fixture.folder.file("library"))
    #expect(try fixture.leaflog("backup", place(fixture)).status == 0)
    try fixture.addManyPhotos(60)
    #expect(try fixture.leaflog("import", fixture.photos, "--quiet").status == 0)
    let new = try timeline(fixture.folder.file("library"))
    var kills = 0
    for delay in [30, 45, 60, 80, 100, 130, 170, 220, 300, 400] {
      let running = try fixture.leaflog.start(["backup", place(fixture), "--copy"])
      usleep(UInt32(delay) * 1000)
      kill(running.process.processIdentifier, SIGKILL)
      kills += running.wait().status == 137 ? 1 : 0
      let found = try timeline(place(fixture))
      #expect(found == old || found == new)
      #expect(try Command(library: place(fixture))("verify").status == 0)
    }
    #expect(kills > 0)
    #expect(try fixture.leaflog("backup", place(fixture), "--copy").status == 0)
    #expect(try timeline(place(fixture)) == new)
    #expect(fixture.folder.files(below: "backup/tmp").isEmpty)
    try expectSound(place(fixture))
  }

  @Test func `a first backup that was killed is no library yet, and is finished`() throws {
    let fixture = try CommandFixture()
    try fixture.addManyPhotos(40)
    #expect(try fixture.leaflog("import", fixture.photos, "--quiet").status == 0)
    for delay in [40, 80, 120] {
      let running = try fixture.leaflog.start(["backup", place(fixture), "--copy"])
      usleep(UInt32(delay) * 1000)
      kill(running.process.processIdentifier, SIGKILL)
      _ = running.wait()
      // Nothing, or all of it when the signal came late.
      if try Command(library: place(fixture))("timeline").status != 10 {
        try expectSound(place(fixture))
        #expect(try timeline(place(fixture)) == timeline(fixture.folder.file("library")))
      }
    }
    #expect(try fixture.leaflog("backup", place(fixture), "--copy").status == 0)
    try expectSound(place(fixture))
  }

  @Test func `an interrupted backup ends in order`() throws {
    let fixture = try CommandFixture()
    try fixture.addManyPhotos(150)
    #expect(try fixture.leaflog("import", fixture.photos, "--quiet").status == 0)
    let running = try fixture.leaflog.start(["backup", place(fixture), "--copy", "--json"])
    usleep(150_000)
    kill(running.process.processIdentifier, SIGINT)
    let result = running.wait()
    // A fast disk is through before.
    #expect(result.status == 130 || result.status == 0)
    #expect(try summary(result)["interrupted"] as? Bool == (result.status == 130 ? true : nil))
    #expect(try fixture.leaflog("backup", place(fixture), "--copy").status == 0)
    try expectSound(place(fixture))
  }

  @Test func `backups made while an import runs are whole, each of its moment`() throws {
    let fixture = try imported(Fixtures.path("Photos/monstera"))
    try fixture.addManyPhotos(120)
    let running = try fixture.leaflog.start(["import", fixture.photos, "--json"])
    var counts: [Int] = []
    while running.process.isRunning {
      let result = try fixture.leaflog("backup", place(fixture), "--json")
      #expect(result.status == 0, "\(result.error)")
      try expectSound(place(fixture))
      counts.append(
        try #require(Command(library: place(fixture))("stats", "--json").json[0]["photos"] as? Int))
    }
    #expect(running.wait().status == 0)
    #expect(counts == counts.sorted())
    #expect(Set(counts).count > 1)
    #expect(try fixture.leaflog("backup", place(fixture)).status == 0)
    #expect(try timeline(place(fixture)) == timeline(fixture.folder.file("library")))
  }

  @Test(.enabled(if: geteuid() == 0, "mounting a small disk takes root"))
  func `on a full disk the last backup stays whole, and the library too`() throws {
    let fixture = try imported(Fixtures.path("Photos/monstera"))
    let disk = fixture.folder.file("disk")
    try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: false)
    guard run("/bin/mount", "-t", "tmpfs", "-o", "size=3m", "leaflog-test", disk) == 0 else {
      return
    }
    defer { _ = run("/bin/umount", disk) }
    let old = try timeline(fixture.folder.file("library"))
    let first = try summary(fixture.leaflog("backup", disk, "--json"))
    #expect(first["copied"] as? Int == first["blobs"] as? Int)  // another file system
    try fixture.addManyPhotos(200)
    #expect(
      try fixture.leaflog("import", fixture.photos, "--policy", "exact", "--quiet").status == 0)
    let full = try fixture.leaflog("backup", disk, "--json")
    #expect(full.status == 1)
    #expect(full.error.contains("noSpace"))
    #expect(try timeline(disk) == old)
    try expectSound(disk)
    try expectSound(fixture.folder.file("library"))
  }

  private func run(_ program: String, _ arguments: String...) -> Int32 {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    guard (try? process.run()) != nil else { return -1 }
    process.waitUntilExit()
    return process.terminationStatus
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
