import DiaryModel
import Foundation
import TestSupport
import Testing

@Suite struct ReportCommandTests {
  /// A library with an episode, a log, a symptom and two activities.
  private func diary() throws -> CommandFixture {
    let fixture = try CommandFixture()
    for arguments in [
      ["init", "--time-zone", TimeZone.farFromMidnight.identifier],
      [
        "episode", "add", "--start", "10 days ago", "--end", "7 days ago", "--type", "cold",
        "--symptom", "cough", "--note", "slept a lot",
      ],
      ["log", "set", "--sleep-hours", "7.5", "--sugar", "low"],
      ["symptom", "add", "headache", "--severity", "3"],
      ["activity", "add", "Water", "--emoji", "💧", "--every", "3d"],
      ["activity", "add", "Repot", "--emoji", "🪴"],
      ["activity", "done", "Water", "--on", "9 days ago"],
    ] {
      let result = try fixture.leaflog.run(arguments + ["--quiet", "--yes"])
      try #require(result.status == 0, "\(arguments): \(result.error)")
    }
    return fixture
  }

  private let today = CommandFixture.todayFarFromMidnight()

  private func bytes(_ path: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path))
  }

  @Test func `a PDF is written whole, and replaces what is there`() throws {
    let fixture = try diary()
    let path = try fixture.folder.write(Data("old".utf8), to: "out/report.pdf")
    let made = try fixture.json("export", "pdf", "-o", path)
    #expect(made["path"] as? String == path)
    #expect(made["pageCount"] as? Int == 2)
    #expect(made["missingGlyphCount"] as? Int == 0)
    #expect(made["lastDay"] as? String == today.description)
    #expect(made["firstDay"] as? String == today.advanced(by: -89).description)
    let data = try bytes(path)
    #expect(made["byteCount"] as? Int == data.count)
    #expect(data.starts(with: Data("%PDF-".utf8)))
    #expect(fixture.folder.files(below: "out") == ["report.pdf"])
    let text = try fixture.leaflog("export", "pdf", "-o", path)
    #expect(text.output.hasPrefix("Wrote \(path): ") && text.error.isEmpty)
    #expect(try fixture.leaflog("export", "pdf", "-o", path, "--quiet").output.isEmpty)
  }

  @Test(arguments: [
    (["--from", "2026-01-05", "--to", "2026-02-03"], "2026-01-05", "2026-02-03"),
    (["--to", "2026-02-03", "--days", "30"], "2026-01-05", "2026-02-03"),
    (["--to", "2026-02-03"], "2025-11-06", "2026-02-03"),
    (["--from", "2026-02-03", "--to", "2026-02-03"], "2026-02-03", "2026-02-03"),
  ])
  func `any span can be asked for`(options: [String], first: String, last: String) throws {
    let fixture = try diary()
    let result = try fixture.leaflog.run(
      ["export", "pdf", "-o", fixture.folder.file("r.pdf"), "--json"] + options
    )
    let made = try #require(result.json.first)
    #expect(made["firstDay"] as? String == first)
    #expect(made["lastDay"] as? String == last)
  }

  @Test func `a PDF is in the language that was asked for`() throws {
    let fixture = try diary()
    let path = fixture.folder.file("r.pdf")
    for language in ["en", "de", "de-AT"] {
      #expect(try fixture.leaflog("export", "pdf", "-o", path, "--language", language).status == 0)
      #expect(try bytes(path).range(of: Data("/Lang (\(language))".utf8)) != nil)
    }
    for language in ["fr", "de-", "en-Latn-GB", ""] {
      let refused = try fixture.leaflog("export", "pdf", "-o", path, "--language", language)
      #expect(refused.status == 64 && refused.error.contains("'en' and 'de'"), "\(language)")
    }
  }

  @Test func `characters that no font has are told, with what to install`() throws {
    let fixture = try diary()
    _ = try fixture.leaflog("symptom", "add", "\u{10FFFD}\u{10FFFC}", "--severity", "2", "--quiet")
    let path = fixture.folder.file("r.pdf")
    let result = try fixture.leaflog("export", "pdf", "-o", path)
    #expect(result.status == 0)
    // In the chart and in the table.
    #expect(result.error.contains("4 characters are drawn as boxes"))
    #expect(result.error.contains("fonts-noto-core"))
    let made = try fixture.json("export", "pdf", "-o", path)
    #expect(made["missingGlyphCount"] as? Int == 4)
  }

  @Test func `a document goes to standard output, alone`() throws {
    let fixture = try diary()
    let calendar = try fixture.leaflog("export", "ics", "-o", "-")
    #expect(calendar.output.hasPrefix("BEGIN:VCALENDAR\r\n"))
    #expect(calendar.output.hasSuffix("END:VCALENDAR\r\n"))
    #expect(try fixture.leaflog("export", "pdf", "-o", "-").output.hasPrefix("%PDF-"))
    for kind in ["pdf", "ics"] {
      _ = try fixture.refusal("export", kind, "-o", "-", status: 64)
    }
  }

  @Test func `a picture that cannot be made is refused and leaves nothing`() throws {
    let fixture = try diary()
    let path = fixture.folder.file("out/r.pdf")
    for arguments in [
      ["--from", "2026-03-02", "--to", "2026-03-01"], ["--days", "0"], ["--days", "3661"],
      ["--from", "2026-03-01", "--days", "3"],
    ] {
      let result = try fixture.leaflog.run(["export", "pdf", "-o", path] + arguments)
      #expect(result.status == 64, "\(arguments): \(result.error)")
    }
    let refused = try fixture.refusal("export", "pdf", "-o", path, status: 1)
    #expect(refused.message.contains("no such folder"))
    #expect(try fixture.leaflog("export", "pdf", "-o", fixture.folder.path).status == 64)
    #expect(try fixture.leaflog("export", "ics").status == 64)
    #expect(fixture.folder.files().allSatisfy { $0.hasPrefix("library/") })
  }

  @Test func `a calendar has the reminder and what is due, and completions when asked`() throws {
    let fixture = try diary()
    let path = fixture.folder.file("r.ics")
    func text() throws -> String { String(decoding: try bytes(path), as: UTF8.self) }
    #expect(try fixture.json("export", "ics", "-o", path)["eventCount"] as? Int == 2)
    let day = today.description.replacing("-", with: "")
    #expect(try text().contains("DTSTART:\(day)T200000\r\n"))
    // Due six days ago.
    #expect(try text().contains("DTSTART;VALUE=DATE:\(day)\r\nRRULE:FREQ=DAILY;INTERVAL=3\r\n"))
    #expect(try text().contains("SUMMARY:💧 Water\r\n"))
    #expect(try !text().contains("Repot"))
    let uids = try text().split(separator: "\r\n").filter { $0.hasPrefix("UID:") }
    _ = try fixture.leaflog("remind", "off", "--quiet")
    let made = try fixture.json("export", "ics", "-o", path, "--completions")
    #expect(made["eventCount"] as? Int == 2)
    let done = today.advanced(by: -9).description.replacing("-", with: "")
    #expect(try text().contains("DTSTART;VALUE=DATE:\(done)\r\nSUMMARY:✓ 💧 Water\r\n"))
    #expect(try uids.filter { try text().contains($0) }.count == 1)
  }

  @Test func `insights are drawn into a folder`() throws {
    let fixture = try diary()
    let folder = fixture.folder.file("pictures")
    let made = try fixture.json("insights", "--svg", folder)
    let names = ["episodeSymptoms", "episodes", "severity", "symptoms", "year"].map { $0 + ".svg" }
    #expect(fixture.folder.files(below: "pictures") == names)
    #expect((made["paths"] as? [String])?.count == 5)
    #expect(made["disclaimer"] as? String == Insights.disclaimer)
    let text = String(decoding: try bytes(folder + "/symptoms.svg"), as: UTF8.self)
    #expect(text.contains("headache: 1, severity 3"))
  }
}
