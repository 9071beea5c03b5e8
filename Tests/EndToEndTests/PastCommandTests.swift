import Foundation
import TestSupport
import Testing

/// States between two backups, and the repair of a library without a catalog from one.
@Suite struct PastCommandTests {
  private let fixture: CommandFixture
  private let place: String

  init() throws {
    fixture = try CommandFixture.imported(["Photos/basil"])
    place = fixture.folder.file("backup")
  }

  /// This moment as somebody would type it, to the millisecond.
  private var now: String {
    let formatter = ISO8601DateFormatter()
    formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
    return formatter.string(from: Date()).replacingOccurrences(of: "Z", with: "+00:00")
  }

  private func plants() throws -> [String] {
    try fixture.json("plant", "list").texts("name").sorted()
  }

  @Test func `restore --at gives what there was between two backups`() throws {
    let before = now
    try fixture.json("backup", place)
    _ = try fixture.leaflog("plant", "add", "Fern")
    let between = now
    _ = try fixture.leaflog("plant", "add", "Ivy")
    let done = try fixture.json("backup", place)
    let summary = try #require(done["summary"] as? [String: Any])
    #expect(summary["reachesBackTo"] is String)

    let plan = try fixture.json("restore", place, "--at", between)
    let planned = try #require(plan["summary"] as? [String: Any])
    #expect(planned["at"] is String && planned["candidates"] == nil)
    let commit = try #require(planned["commit"] as? Int)
    let named = try fixture.json("restore", place, "--commit", "\(commit)")["summary"]
    #expect((named as? [String: Any])?["commit"] as? Int == commit)
    #expect(try plants() == ["Fern", "Ivy", "basil"])
    let restored = try fixture.leaflog("restore", place, "--at", between, "--yes")
    #expect(restored.status == 0 && restored.output.contains(" as of "), "\(restored.error)")
    #expect(try plants() == ["Fern", "basil"])
    #expect(try fixture.leaflog("verify", "--full").status == 0)

    let refusal = try fixture.refusal("restore", place, "--at", before, "--yes", status: 1)
    #expect(refusal.code == "notKept" && refusal.message.contains("reaches back to"))
    #expect(
      try fixture.refusal("restore", place, "--commit", "9999", status: 1).code == "notKept")
    #expect(try fixture.refusal("restore", place, "--at", "someday", status: 64).code != "")
    #expect(try plants() == ["Fern", "basil"])
  }

  @Test func `repair --from a backup takes its catalog, and the library's commits since`() throws {
    try fixture.json("backup", place)
    _ = try fixture.leaflog("plant", "add", "Fern")
    for name in ["catalog.sqlite", "catalog.sqlite-wal", "catalog.sqlite-shm", "snapshots"] {
      try? FileManager.default.removeItem(atPath: fixture.folder.file("library/" + name))
    }
    let repaired = try fixture.leaflog("repair", "--from", place)
    #expect(repaired.status == 0, "\(repaired.error)")
    #expect(repaired.output.contains("from the backup's catalog of"))
    #expect(repaired.output.contains("1 commit since"))
    #expect(repaired.output.contains("Nothing else is damaged."))
    #expect(try plants() == ["Fern", "basil"])
  }
}
