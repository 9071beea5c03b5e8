import Foundation
import TestSupport
import Testing

/// The README's session with curl.
@Suite struct CurlSessionTests {
  private static let curl = "/usr/bin/curl"

  /// The commands as they stand in the README, for a service that runs on another port.
  private func commands(port: Int) throws -> String {
    let readme = try String(contentsOfFile: Fixtures.folder + "/../README.md", encoding: .utf8)
    let block = String(
      try #require(readme.firstMatch(of: /```sh\n(token=(?s:.*?))```/)).1)
    #expect(block.contains(":8765/") && block.contains("leaflog serve --require-token &"))
    return block.replacing(":8765/", with: ":\(port)/")
      .replacing("leaflog serve --require-token &", with: "")
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: curl), "needs curl"))
  func `a photo is sent, seen and edited, a second edit is refused, and the first undone`() throws {
    let fixture = try CommandFixture()
    try #require(fixture.leaflog("init", "--policy", "exact", "--quiet").status == 0)
    try #require(fixture.leaflog("token", "add", "first", "--quiet").status == 0)
    var service = fixture.leaflog
    let running = try service.start(["serve", "--require-token", "--port", "0", "--json"])
    let port = try #require(running.output.next()?.firstMatch(of: /:(\d+)\//)).1
    let place = fixture.folder.file("place")
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    for (name, target) in [("leaflog", Command.executable), ("Fixtures", Fixtures.folder)] {
      try FileManager.default.createSymbolicLink(
        atPath: place + "/" + name, withDestinationPath: target)
    }
    service.environment["PATH"] = place + ":/usr/bin:/bin"
    service.folder = place
    let script = try commands(port: try #require(Int(port)))
    let session = try service.start(["-euo", "pipefail", "-c", script], program: "/bin/bash").wait()
    #expect(session.status == 0, "\(session.error)")
    let answers = session.output
    #expect(answers.contains(#""outcome":"added""#))
    #expect(answers.contains(#""notes":"in bloom""#))
    #expect(answers.contains(#""code":"changed""#))
    let thumbnail = try #require(FileManager.default.contents(atPath: place + "/thumbnail.jpg"))
    #expect(thumbnail.starts(with: [0xFF, 0xD8]))
    #expect(running.interrupt(with: SIGTERM))
    #expect(running.wait().status == 0)
    let entry = try #require(fixture.entries().first)
    #expect(try fixture.entries().count == 1 && entry["notes"] == nil)
  }
}
