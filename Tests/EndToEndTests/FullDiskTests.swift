import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: SmallDisk.isPossible, "no file system can be mounted here"))
struct FullDiskTests {
  @Test func `the files that fit come in, the others fail, and nothing else is printed`() throws {
    let disk = try SmallDisk(size: "4m")
    var fixture = try CommandFixture()
    fixture.leaflog.library = disk.path + "/library"
    try fixture.addManyPhotos(40)
    #expect(try fixture.leaflog("init").status == 0)
    try disk.fill(butFor: 1_200_000)
    let result = try fixture.leaflog.launch("import", fixture.photos, "--policy", "exact", "--json")
    let summary = try #require(result.json.last?["summary"] as? [String: Any], "\(result.error)")
    let added = try #require(summary["added"] as? Int)
    #expect(added > 0 && added < 40)
    #expect(summary["failed"] as? Int == 40 - added)
    #expect(result.status == 3)
    #expect(result.error == "")
    #expect(try fixture.entries().count == added)
    // And nothing that is told as safe is not.
    let acknowledged = result.json.compactMap { $0["photo"] as? String }
    #expect(Set(try fixture.entries().compactMap { $0["id"] as? String }) == Set(acknowledged))
  }

  @Test func `a library on a full disk is read and verified`() throws {
    let disk = try SmallDisk(size: "4m")
    var fixture = try CommandFixture()
    fixture.leaflog.library = disk.path + "/library"
    #expect(
      try fixture.leaflog.launch("import", Fixtures.path("Photos/basil"), "--quiet").status == 0)
    try disk.fill(butFor: 0)
    for arguments in [["verify"], ["verify", "--full"], ["timeline"], ["stats"], ["today"]] {
      let result = try fixture.leaflog.start(arguments).wait()
      #expect(result.status == 0, "\(arguments): \(result.error)")
      #expect(result.error == "", "\(arguments)")
    }
    let refused = try fixture.leaflog.launch("import", Fixtures.path("Photos/tomato"), "--quiet")
    #expect(refused.status == 1)
    #expect(!refused.error.contains("leaflog.snapshots") && !refused.error.contains("warning"))
  }
}
