import DiaryModel
import Foundation
import Synchronization
import TestSupport
import Testing

/// The command with a library whose photos are in an object store.
@Suite struct ObjectStoreKillTests {
  /// Kills a process at one of the requests that it makes.
  private final class Killer: Sendable {
    private let state = Mutex<(process: pid_t?, left: Int)>((nil, 0))

    func arm(_ process: pid_t, after count: Int) { state.withLock { $0 = (process, count) } }
    func disarm() { state.withLock { $0 = (nil, 0) } }

    /// Whether it was killed at this one.
    func isDue() -> Bool {
      state.withLock { state in
        guard let process = state.process else { return false }
        state.left -= 1
        guard state.left < 0 else { return false }
        kill(process, SIGKILL)
        return true
      }
    }
  }

  private func fixture(_ server: ObjectServer) throws -> CommandFixture {
    var fixture = try CommandFixture()
    fixture.leaflog.environment = ["AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret"]
    let made = try fixture.leaflog(
      "init", "--store", "s3://bucket/diary", "--endpoint", server.endpoint, "--policy", "exact")
    #expect(made.status == 0 && made.output.contains("s3://bucket/diary"), "\(made.error)")
    return fixture
  }

  /// Whether the request is carried out before the process is killed.
  @Test(arguments: [ObjectServer.Reaction.drop, .obeySilently])
  func `an import that is killed at any request loses nothing that it reported`(
    last: ObjectServer.Reaction
  ) throws {
    for count in 0... {
      let killer = Killer()
      let server = try ObjectServer { _, _ in killer.isDue() ? last : .obey }
      let fixture = try fixture(server)
      let run = try fixture.leaflog.start(["import", Fixtures.path("Photos/basil"), "--json"])
      // It takes longer to start than this does; a request before it would only move the count.
      killer.arm(run.process.processIdentifier, after: count)
      let result = run.wait()
      killer.disarm()
      let reported = result.json.filter { $0["outcome"] as? String == "added" }
      let again = try fixture.leaflog("import", Fixtures.path("Photos/basil"))
      #expect(again.status == 0, "\(count): \(again.output)\(again.error)")
      let entries = try fixture.entries()
      #expect(entries.count == 4, "\(count)")
      let digests = Set(entries.compactMap { $0["id"] as? String })
      for photo in reported {
        #expect(digests.contains(photo["photo"] as? String ?? ""), "\(count)")
      }
      let verified = try fixture.leaflog("verify", "--full")
      #expect(verified.status == 0, "\(count): \(verified.output)\(verified.error)")
      // From the store alone, it is all there.
      var attached = fixture.leaflog
      attached.library = fixture.folder.file("attached")
      let taken = try attached(
        "attach", "s3://bucket/diary", "--endpoint", server.endpoint, "--yes")
      #expect(taken.status == 0, "\(count): \(taken.error)")
      #expect(try attached("timeline").output == fixture.leaflog("timeline").output, "\(count)")
      if result.status == 0 {
        #expect(count > 8)
        break
      }
    }
  }

  @Test func `commands tell what is wrong with the store, and how to name it`() throws {
    let server = try ObjectServer()
    let fixture = try fixture(server)
    let usage = try fixture.leaflog("init", "--store", "s3://bucket")
    #expect(usage.status == 64 && usage.error.contains("--endpoint"))
    let taken = try fixture.leaflog(
      "init", fixture.folder.file("other"), "--store", "s3://bucket/diary", "--endpoint",
      server.endpoint)
    #expect(taken.status == 64 && taken.error.contains("leaflog attach"))
    var nobody = fixture.leaflog
    nobody.environment = ["HOME": fixture.folder.path, "XDG_CONFIG_HOME": fixture.folder.path]
    nobody.environment["AWS_ACCESS_KEY_ID"] = ""
    let refused = try nobody("verify")
    #expect(refused.status == 1 && refused.error.contains("AWS_SECRET_ACCESS_KEY"))
    let statistics = try nobody("stats")
    #expect(statistics.status == 0 && statistics.error.isEmpty)
    let dryRun = try fixture.leaflog(
      "attach", "s3://bucket/diary", "--endpoint", server.endpoint, "--library",
      fixture.folder.file("other"))
    #expect(dryRun.status == 0 && dryRun.output.contains("Repeat with --yes"))
    let backup = try fixture.leaflog("backup", "s3://bucket/diary", "--endpoint", server.endpoint)
    #expect(backup.status == 64 && backup.error.contains("s3://bucket/diary"))
  }
}
