import Foundation
import TestSupport
import Testing

@Suite struct PictureTests {
  private static let kittyReply = "\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?62;c"
  private static let sixelReply = "\u{1B}[?62;4;6c"

  private func imported(_ paths: String...) throws -> (CommandFixture, [String]) {
    let fixture = try CommandFixture()
    let result = try fixture.leaflog.run(
      ["import", "--json", "--policy", "exact"] + paths.map(Fixtures.path)
    )
    #expect(result.status == 0)
    return (fixture, result.json.compactMap { $0["photo"] as? String })
  }

  @Test func `a terminal that answers for Kitty's graphics gets them`() throws {
    let (fixture, ids) = try imported("Orientation/6.jpg")
    let session = try PseudoTerminal(answer: Self.kittyReply)
      .run(fixture.leaflog, "show", ids[0], "--picture")
    #expect(session.status == 0)
    #expect(session.isRestored)
    let start = try #require(session.output.range(of: "\u{1B}_Ga=T"))
    let header = session.output[start.lowerBound...].prefix { $0 != ";" }
    // 160 × 120 upright in cells of 10 × 20: as wide as may be, and as high as it is then.
    #expect(header.contains("c=59") && header.contains("r=22"), "\(header)")
    #expect(header.contains("s=590") && header.contains("v=440"), "\(header)")
    #expect(!session.output.contains("▀") && !session.output.contains("\u{1B}P"))
  }

  @Test func `a terminal with sixels gets sixels`() throws {
    let (fixture, ids) = try imported("Orientation/6.jpg")
    let session = try PseudoTerminal(answer: Self.sixelReply)
      .run(fixture.leaflog, "show", ids[0], "--picture")
    #expect(session.status == 0)
    #expect(session.isRestored)
    let start = try #require(session.output.range(of: "\u{1B}P"))
    #expect(session.output[start.upperBound...].prefix(10).contains("q"))
    #expect(!session.output.contains("\u{1B}_Ga=T"))
  }

  @Test(arguments: [nil, "\u{1B}[?62;22c", "\u{1B}_Gi=31;ENOTSUPPORTED\u{1B}\\\u{1B}[?1;2c"])
  func `any other terminal gets half blocks, upright and in the photo's colours`(
    reply: String?
  ) throws {
    for name in ["Orientation/1.jpg", "Orientation/6.jpg", "Orientation/7.jpg", "Colour/grey.jpg"] {
      let (fixture, ids) = try imported(name)
      let session = try PseudoTerminal(answer: reply)
        .run(fixture.leaflog, "show", ids[0], "--picture", "--quiet")
      #expect(session.status == 0)
      #expect(session.isRestored)
      #expect(!session.output.contains("\u{1B}_Ga=T") && !session.output.contains("\u{1B}P"))
      let lines = session.output.split(whereSeparator: \.isNewline).filter {
        $0.contains("\u{1B}[38;2;")
      }
      let drawn = DrawnCells(lines.joined(separator: "\n"))
      #expect(drawn.rows.count == 44)
      #expect(drawn.width == 59)
      let known = try #require(
        (Answers.all.orientation.map { ("Orientation/" + $0.path, $0) }
          + Answers.all.colour.map { ("Colour/" + $0.path, $0) }).first { $0.0 == name }?.1)
      let places = [
        (0.25, 0.25, known.quadrants.topLeft), (0.75, 0.25, known.quadrants.topRight),
        (0.25, 0.75, known.quadrants.bottomLeft), (0.75, 0.75, known.quadrants.bottomRight),
      ]
      for (x, y, color) in places {
        let found = drawn.color(x: x, y: y)
        let distance = zip(found, color).map { abs($0 - $1) }.max() ?? 255
        #expect(distance <= known.tolerance + 4, "\(name) at \(x), \(y): \(found), not \(color)")
      }
    }
  }

  @Test func `no colours and few colours are respected`() throws {
    let (fixture, ids) = try imported("Photos/basil")
    var terminal = PseudoTerminal(answer: "\u{1B}[?62;c")
    terminal.environment = ["TERM": "screen-256color"]
    let few = try terminal.run(fixture.leaflog, "show", ids[0], "--picture")
    #expect(few.output.contains(";5;") && !few.output.contains("38;2;"))
    terminal.environment = ["TERM": "xterm-256color", "NO_COLOR": "1"]
    let none = try terminal.run(fixture.leaflog, "show", ids[0], "--picture")
    #expect(none.output.contains("▀"))
    #expect(!none.output.contains(";5;") && !none.output.contains("38;2;"))
    terminal.environment = ["TERM": "dumb"]
    let dumb = try terminal.run(fixture.leaflog, "show", ids[0], "--picture")
    #expect(!dumb.output.contains("\u{1B}_G") && !dumb.output.contains("\u{1B}[c"))
  }

  @Test func `the timeline has small pictures and stays within 80 columns`() throws {
    let (fixture, ids) = try imported("Photos")
    let text = try PseudoTerminal(answer: nil).run(fixture.leaflog, "timeline", "--pictures")
    #expect(text.status == 0)
    let plain = text.output.replacing(#/\u{1B}(\[[0-9;?]*[A-Za-z]|_G[^\u{1B}]*\u{1B}\\)/#, with: "")
    let lines = plain.split(whereSeparator: \.isNewline)
    #expect(lines.allSatisfy { $0.count <= 80 })
    #expect(lines.count { $0.hasSuffix(ids[0].prefix(8)) } == 1)
    let sizes = lines.split { $0.hasPrefix("2025-") || $0.contains(":") }.map(\.count)
    #expect(sizes == Array(repeating: 6, count: 13))
    let kitty = try PseudoTerminal(answer: Self.kittyReply)
      .run(fixture.leaflog, "timeline", "--pictures")
    #expect(kitty.output.ranges(of: "\u{1B}_Ga=T").count == 13)
    #expect(
      !(try PseudoTerminal(answer: nil).run(fixture.leaflog, "timeline"))
        .output.contains("\u{1B}[c"))
  }

  @Test func `a pipe gets the text alone unless colours are forced`() throws {
    let (fixture, ids) = try imported("Orientation/1.jpg")
    let plain = try fixture.leaflog("show", ids[0])
    let piped = try fixture.leaflog("show", ids[0], "--picture")
    #expect(piped.status == 0)
    #expect(piped.output == plain.output)
    #expect(piped.error.contains("CLICOLOR_FORCE=1"))
    #expect(try fixture.leaflog("timeline", "--pictures", "-q").error.isEmpty)
    var forced = fixture.leaflog
    forced.environment = ["CLICOLOR_FORCE": "1", "COLORTERM": "truecolor", "TERM": "xterm"]
    let drawn = try forced("show", ids[0], "--picture")
    #expect(drawn.output.hasPrefix(plain.output))
    #expect(!drawn.output.contains("\u{1B}[c"))
    #expect(DrawnCells(drawn.output.dropFirst(plain.output.count)).width == 59)
  }

  @Test func `JSON and counts have no pictures`() throws {
    let (fixture, ids) = try imported("Orientation/1.jpg")
    let show = try fixture.leaflog("show", ids[0], "--picture", "--json")
    #expect(show.status == 64)
    #expect(show.error.contains("--picture and --json cannot be used together"))
    #expect(try fixture.leaflog("timeline", "--pictures", "--json").status == 64)
    #expect(try fixture.leaflog("timeline", "--pictures", "--by", "month").status == 64)
  }

  @Test func `a lost thumbnail is said and the others are drawn`() throws {
    let (fixture, ids) = try imported("Photos/basil")
    let shown = try fixture.leaflog("show", ids[1], "--json").json.first
    let renditions = try #require(shown?["renditions"] as? [[String: Any]])
    let thumbnail = renditions.first { $0["role"] as? String == "thumbnail" }?["path"] as? String
    try FileManager.default.removeItem(atPath: try #require(thumbnail))
    let page = try PseudoTerminal(answer: Self.kittyReply)
      .run(fixture.leaflog, "timeline", "--pictures")
    #expect(page.status == 3)
    #expect(page.output.contains("cannot show a picture of \(ids[1].prefix(8))"))
    #expect(page.output.ranges(of: "\u{1B}_Ga=T").count == 3)
    let one = try PseudoTerminal(answer: nil).run(fixture.leaflog, "show", ids[1], "--picture")
    #expect(one.status == 12)
    #expect(one.output.contains("SHA-256"))
  }
}
