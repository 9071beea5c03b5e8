import BlobStorage
import DiaryModel
import Foundation
import TestSupport
import Testing

/// Imports into object stores whose processes are killed meanwhile, only with `LEAFLOG_LONG_TESTS`.
@Suite(.serialized) struct EngineKillTests {
  private static let isLong = ProcessInfo.processInfo.environment["LEAFLOG_LONG_TESTS"] != nil
  private static let photoCount = 40
  private static let killCount = 20
  /// How long a killed process may take until it answers again.
  fileprivate static let patience = Duration.seconds(180)

  /// A library in a store that nobody else uses.
  private struct Fixture {
    let engine: RunningEngine
    let base: CommandFixture
    let client: S3Client
    private let settings: ObjectStoreSettings

    init(_ kind: ObjectEngine) throws {
      engine = try kind.start()
      let (location, keys) = (try engine.service.location(), engine.service.credentials)
      settings = location.settings
      client = S3Client(location, keys)
      var base = try CommandFixture()
      base.leaflog.environment = [
        "AWS_ACCESS_KEY_ID": keys.key, "AWS_SECRET_ACCESS_KEY": keys.secret,
      ]
      self.base = base
      let made = try base.leaflog(
        "init", "--store", settings.url, "--endpoint", settings.endpoint, "--policy", "exact")
      try #require(made.status == 0, "\(made.error)")
    }

    func blobCount() throws -> Int {
      var count = 0
      try client.list(prefix: "blobs/") { _ in count += 1 }
      return count
    }

    /// A folder of photos that are different in each round.
    func photos(_ count: Int, round: Int) throws -> String {
      let photo = try Fixtures.data("Photos/monstera/IMG_0005.jpg")
      for index in 0..<count {
        let tail = Data("\(round) \(index)".utf8)
        try base.folder.write(photo + tail, to: "photos/\(round)/\(index).jpg")
      }
      return base.folder.file("photos/\(round)")
    }

    /// Imports a folder, and does something once the store has so many more objects, of fewer photos than a pipe holds
    /// lines of. Returns the ids of the photos that were reported as added.
    func add(
      _ folder: String, meanwhile body: () throws -> Void, after objectCount: Int
    ) throws -> (ids: [String], result: Command.Result) {
      let wanted = try blobCount() + objectCount
      let run = try base.leaflog.start(["import", folder, "--json"])
      while run.process.isRunning, try blobCount() < wanted {}
      try body()
      let result = run.wait()
      let added = result.json.filter { $0["outcome"] as? String == "added" }
      return (added.compactMap { $0["photo"] as? String }, result)
    }

    func expectAll(_ count: Int, including reported: Set<String>) throws {
      let ids = try base.entries().compactMap { $0["id"] as? String }
      #expect(ids.count == count)
      #expect(reported.isSubset(of: ids))
      // 12 would be damage; 1 is a store that does not answer yet.
      var verified = try base.leaflog("verify", "--full")
      let start = ContinuousClock.now
      while verified.status == 1, .now - start < EngineKillTests.patience {
        verified = try base.leaflog("verify", "--full")
      }
      #expect(verified.status == 0, "\(verified.output)\(verified.error)")
    }

    /// The timeline of a library that is made from the store alone.
    func attachedTimeline() throws -> String {
      var attached = base.leaflog
      attached.library = base.folder.file("attached")
      let taken = try attached(
        "attach", settings.url, "--endpoint", settings.endpoint, "--yes")
      #expect(taken.status == 0, "\(taken.error)")
      return try attached("timeline", "--limit", "1000").output
    }
  }

  @Test(
    .enabled(if: isLong, "only with LEAFLOG_LONG_TESTS"),
    .enabled(
      if: ObjectEngine.openStackSwift.isAvailable, "swift-proxy and its servers are not installed"))
  func `an import outlives any server of OpenStack Swift`() throws {
    try killInTurn(.openStackSwift, ["proxy", "object", "container", "account"])
  }

  // Killing the OSD would lose everything: it keeps objects in memory.
  @Test(
    .enabled(if: isLong, "only with LEAFLOG_LONG_TESTS"),
    .enabled(if: ObjectEngine.ceph.isAvailable, "radosgw, ceph-mon and ceph-osd are not installed"))
  func `an import outlives Ceph's gateway`() throws { try killInTurn(.ceph, ["gateway-process"]) }

  @Test(
    .enabled(if: isLong, "only with LEAFLOG_LONG_TESTS"),
    .enabled(if: ObjectEngine.seaweedFS.isAvailable, "weed is not installed"))
  func `an import outlives SeaweedFS`() throws { try killInTurn(.seaweedFS, ["weed"]) }

  private func killInTurn(_ kind: ObjectEngine, _ names: [String]) throws {
    let fixture = try Fixture(kind)
    var reported: Set<String> = []
    for round in 0..<Self.killCount {
      let folder = try fixture.photos(Self.photoCount, round: round)
      let name = names[round % names.count]
      let run = try fixture.add(
        folder,
        meanwhile: {
          try fixture.engine.kill(name)
          try fixture.engine.start(name)
        }, after: (round + 1) * Self.photoCount / Self.killCount / 2)
      reported.formUnion(run.ids)
      // Some photos may have failed; a later run adds them, once the store answers again.
      var again = run.result
      let start = ContinuousClock.now
      while again.status != 0, .now - start < Self.patience {
        let reasons = again.json.compactMap { $0["reason"] as? String }
        // OpenStack Swift says that there is no bucket while its account server is away.
        let isAway = again.error.contains("unreachable") || again.error.contains("no bucket")
        try #require(
          reasons.allSatisfy { $0 == "storeFailed" } && (!reasons.isEmpty || isAway),
          "\(again.output)\(again.error)")
        again = try fixture.base.leaflog("import", folder, "--json")
      }
      try fixture.expectAll((round + 1) * Self.photoCount, including: reported)
    }
    #expect(
      try fixture.attachedTimeline() == fixture.base.leaflog("timeline", "--limit", "1000").output)
  }

  @Test(
    .enabled(if: isLong, "only with LEAFLOG_LONG_TESTS"),
    .enabled(if: ObjectEngine.seaweedFSCluster.isAvailable, "weed is not installed"),
    arguments: 1...3)
  func `an import goes on without one of three volume servers`(number: Int) throws {
    let fixture = try Fixture(.seaweedFSCluster)
    let run = try fixture.add(
      fixture.photos(10 * Self.photoCount, round: 0),
      meanwhile: { try fixture.engine.kill("volume\(number)") }, after: Self.photoCount)
    #expect(run.result.status == 0, "\(run.result.output)\(run.result.error)")
    #expect(run.ids.count == 10 * Self.photoCount)
    try fixture.expectAll(10 * Self.photoCount, including: Set(run.ids))
  }
}
