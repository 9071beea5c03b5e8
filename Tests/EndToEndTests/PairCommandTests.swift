import Foundation
import TestSupport
import Testing

/// `leaflog serve pair`
@Suite struct PairCommandTests {
  private let fixture: CommandFixture

  init() throws {
    fixture = try CommandFixture()
    try #require(fixture.leaflog("init", "--quiet").status == 0)
  }

  private static let address = "https://192.168.1.5:8765/"

  @Test func `without a service there is nothing to pair with`() throws {
    let refusal = try fixture.refusal("serve", "pair", status: 1)
    #expect(refusal.code == "notFound" && refusal.message.contains("leaflog serve --listen"))
    for address in ["plants.example", "ftp://a/", "https://a/?b", "https:///"] {
      #expect(try fixture.leaflog("serve", "pair", "--address", address).status == 64)
    }
  }

  @Test func `the link is that of the service that runs`() throws {
    let running = try fixture.leaflog.start(["serve", "--port", "0", "--json"])
    let line = try #require(running.output.next())
    let started = try #require(
      try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    let base = try #require(started["address"] as? String)
    let document = try fixture.json("serve", "pair", "tablet")
    let link = try #require(document["address"] as? String)
    #expect(link.hasPrefix(base + "pair?code=") && document["name"] as? String == "tablet")
    let code = try #require(link.split(separator: "=").last)
    #expect(code.wholeMatch(of: /[A-Za-z0-9_-]{22}/) != nil)
    #expect(document["endsAt"] is String)
    #expect(try fixture.leaflog("serve", "pair").error.contains("Only this machine"))
    // One that has access already comes back as itself.
    _ = try fixture.json("token", "add", "phone", "--may", "read")
    let again = try fixture.leaflog("serve", "pair", "Phone")
    #expect(again.status == 0 && again.error.contains("comes back as “phone”"))
    #expect(!(try fixture.leaflog("serve", "pair").error.contains("comes back")))
    let limited = try fixture.refusal("serve", "pair", "phone", "--may", "diary", status: 64)
    #expect(limited.message.contains("has access already"))
    #expect(running.interrupt(with: SIGTERM))
    #expect(running.wait().status == 0)
    #expect(try fixture.leaflog("serve", "pair").status == 1)
    // The library has a digest alone.
    let kept = try String(
      contentsOfFile: fixture.folder.file("library/access.json"), encoding: .utf8)
    #expect(kept.contains("tablet") && !kept.contains(code))
  }

  // MARK: The code

  /// The dark modules of what was printed without colours, where light ones are drawn.
  private func modules(_ lines: some Sequence<Substring>) -> [[Bool]] {
    lines.flatMap { line in
      [
        line.map { $0 != "█" && $0 != "▀" }, line.map { $0 != "█" && $0 != "▄" },
      ]
    }
  }

  private func printed() throws -> (modules: [[Bool]], link: String) {
    let result = try fixture.leaflog("serve", "pair", "--address", Self.address)
    #expect(result.status == 0, "\(result.error)")
    let lines = result.output.split(separator: "\n")
    return (modules(lines.dropLast()), String(lines.last ?? ""))
  }

  @Test func `the code has its corners, and room around`() throws {
    let (modules, link) = try printed()
    #expect(link.hasPrefix(Self.address + "pair?code="))
    let width = try #require(modules.first?.count)
    #expect(modules.allSatisfy { $0.count == width } && (width - 8 - 17) % 4 == 0)
    #expect(width <= 80)
    for index in 0..<4 {
      #expect(!modules[index].contains(true) && !modules[width - 1 - index].contains(true))
      #expect(modules.allSatisfy { !$0[index] && !$0[width - 1 - index] })
    }
    // A square of 7 modules with a ring of light ones in it.
    for (left, top) in [(4, 4), (width - 11, 4), (4, width - 11)] {
      let corner = modules[top..<top + 7].map { $0[left..<left + 7].map { $0 } }
      let (full, ring) = ([Bool](repeating: true, count: 7), [true] + [false, false] + [false])
      #expect(corner[0] == full && corner[6] == full)
      #expect(Array(corner[1].prefix(4)) == ring)
      #expect(corner[3] == [true, false, true, true, true, false, true])
    }
  }

  private static let zbarimg = (ProcessInfo.processInfo.environment["PATH"] ?? "")
    .split(separator: ":").map { "\($0)/zbarimg" }
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  @Test(.enabled(if: zbarimg != nil, "zbarimg is not installed (apt: zbar-tools)"))
  func `a reader reads the link from the code`() throws {
    let (modules, link) = try printed()
    let scale = 6
    let rows = modules.flatMap { row -> [[UInt8]] in
      let pixels = row.flatMap { [UInt8](repeating: $0 ? 0 : 255, count: scale) }
      return [[UInt8]](repeating: pixels, count: scale)
    }
    let head = "P5 \(rows[0].count) \(rows.count) 255\n"
    let path = try fixture.folder.write(Data(head.utf8) + Data(rows.joined()), to: "code.pgm")
    let read = try fixture.leaflog.start(
      ["-q", "--raw", path], program: Self.zbarimg ?? ""
    ).wait()
    #expect(read.output == link + "\n")
  }

  @Test func `a terminal with colours gets black on white, a narrow one the link alone`() throws {
    let arguments = ["serve", "pair", "--address", Self.address]
    var terminal = PseudoTerminal(answer: nil)
    let shown = try terminal.run(fixture.leaflog, arguments).output
    #expect(shown.contains("\u{1B}[38;5;16;48;5;231m") && shown.contains("▀"))
    terminal.columns = 30
    let link = try terminal.run(fixture.leaflog, arguments).output
    #expect(!link.contains("▀") && link.contains("pair?code=") && link.contains("columns"))
  }
}
