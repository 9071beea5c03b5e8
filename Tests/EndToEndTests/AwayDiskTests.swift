import Foundation
import TestSupport
import Testing

/// Commands whose library, or whose backup, is on a disk that is away.
@Suite struct AwayDiskTests {
  private let fixture: CommandFixture

  init() throws { fixture = try CommandFixture() }

  /// A command for a library on a disk, which leaves an empty folder where it is mounted.
  private func leaflog(on disk: String) throws -> Command {
    try FileManager.default.createDirectory(
      atPath: fixture.folder.file(disk), withIntermediateDirectories: true)
    return Command(library: fixture.folder.file(disk + "/library"))
  }

  @Test(arguments: [[], ["--dry-run"], ["--move"], ["--watch"], ["--move", "--policy", "exact"]])
  func `an import makes no library where the disk is away`(options: [String]) throws {
    let photo = try fixture.folder.copy(
      "Photos/basil/20250510T120006+0100.jpg", to: "in/basil/1.jpg")
    let leaflog = try leaflog(on: "usb")
    let result = try leaflog.run(["import", fixture.folder.file("in")] + options)
    #expect(result.status == 10, "\(result.output)")
    #expect(result.error.contains("`leaflog init`"))
    #expect(fixture.folder.files(below: "usb").isEmpty)
    #expect(FileManager.default.fileExists(atPath: photo))
    // Whoever asks for a library there gets it.
    #expect(try leaflog("init").status == 0)
    if options.isEmpty {
      #expect(try leaflog("import", fixture.folder.file("in"), "--quiet").error.isEmpty)
    }
  }

  @Test(arguments: ["--move", "--watch"])
  func `moving and watching make no library at all`(option: String) throws {
    let photo = try fixture.folder.copy(
      "Photos/basil/20250510T120006+0100.jpg", to: "in/basil/1.jpg")
    let result = try fixture.leaflog("import", fixture.folder.file("in"), option)
    #expect(result.status == 10 && result.error.contains("\(option) creates none"))
    #expect(!FileManager.default.fileExists(atPath: fixture.folder.file("library")))
    #expect(FileManager.default.fileExists(atPath: photo))
  }

  @Test func `the library that an import makes is said, even to those who want quiet`() throws {
    _ = try fixture.folder.copy("Photos/basil/20250510T120006+0100.jpg", to: "in/basil/1.jpg")
    let result = try fixture.leaflog("import", fixture.folder.file("in"), "--quiet")
    #expect(result.status == 0 && result.output.isEmpty)
    #expect(result.error == "Created a library in \(fixture.folder.file("library")).\n")
  }

  @Test func `a backup that is gone is not made anew in silence`() throws {
    let fixture = try CommandFixture.imported()
    let files = FileManager.default
    let (disk, away) = (fixture.folder.file("disk"), fixture.folder.file("away"))
    try files.createDirectory(atPath: disk, withIntermediateDirectories: true)
    let first = try fixture.leaflog("backup", disk + "/leaflog", "--copy", "--quiet")
    #expect(first.status == 0 && first.error.contains("on the library's own disk"))
    let backups = try #require(try fixture.json("stats")["backups"] as? [[String: Any]])
    #expect((backups[0]["place"] as? String)?.hasSuffix("/disk/leaflog") == true)
    #expect(try fixture.leaflog("stats").output.contains("today, "))
    // Said once.
    #expect(try fixture.leaflog("backup", disk + "/leaflog", "--quiet").error.isEmpty)
    #expect(!fixture.folder.files(below: "disk/leaflog").contains("backups.json"))

    try files.moveItem(atPath: disk, toPath: away)
    try files.createDirectory(atPath: disk, withIntermediateDirectories: true)
    let refused = try fixture.leaflog("backup", disk + "/leaflog", "--quiet")
    #expect(refused.status != 0 && refused.error.contains("--new"))
    #expect(fixture.folder.files(below: "disk").isEmpty)
    try files.removeItem(atPath: disk)
    try files.moveItem(atPath: away, toPath: disk)
    #expect(try fixture.leaflog("backup", disk + "/leaflog", "--quiet").status == 0)
    // A second disk at the same place is fine once it is asked for.
    try files.removeItem(atPath: disk + "/leaflog")
    let new = try fixture.leaflog("backup", disk + "/leaflog", "--new")
    #expect(new.status == 0 && new.error.contains("on the library's own disk"))
  }
}
