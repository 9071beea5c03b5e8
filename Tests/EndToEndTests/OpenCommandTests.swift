import Foundation
import TestSupport
import Testing

/// `leaflog open`
@Suite struct OpenCommandTests {
  /// A library, and a browser that writes the address into a file.
  private func fixture(browser: String = #"echo "$1" > "$OPENED""#) throws -> CommandFixture {
    var fixture = try CommandFixture()
    try #require(fixture.leaflog("init", "--quiet").status == 0)
    try fixture.folder.write(Data("#!/bin/sh\n\(browser)\n".utf8), to: "bin/xdg-open")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: fixture.folder.file("bin/xdg-open"))
    fixture.leaflog.environment["PATH"] = fixture.folder.file("bin") + ":/usr/bin:/bin"
    fixture.leaflog.environment["OPENED"] = fixture.folder.file("opened")
    return fixture
  }

  private func opened(_ fixture: CommandFixture) throws -> String {
    try String(contentsOfFile: fixture.folder.file("opened"), encoding: .utf8)
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  @Test func `a service that runs is opened, and the command ends`() throws {
    let fixture = try fixture()
    let service = try fixture.leaflog.start(["serve", "--port", "0", "--json"])
    let line = try #require(service.output.next())
    let result = try fixture.leaflog.launch("open")
    #expect(result.status == 0 && result.error.isEmpty)
    let port = try #require(line.firstMatch(of: /:(\d+)\//)).1
    #expect(try opened(fixture).contains(":\(port)/"))
    #expect(result.output.contains(":\(port)/"))
    #expect(service.interrupt(with: SIGTERM))
    let ended = service.wait()
    #expect(ended.status == 0 && ended.error.isEmpty, "\(ended.error)")
  }

  @Test func `where none runs one is started, and no browser is said`() throws {
    let fixture = try fixture(browser: "exit 3")
    let running = try fixture.leaflog.start(["open", "--port", "0"])
    let line = try #require(running.output.next())
    let port = try #require(line.firstMatch(of: /:(\d+)\//)).1
    #expect(
      running.error.next() == "Could not open a browser. Open http://localhost:\(port)/ yourself.")
    #expect(running.interrupt(with: SIGTERM))
    #expect(running.wait().status == 0)
  }
}
