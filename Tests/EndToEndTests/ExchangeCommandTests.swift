import Foundation
import Leaflog
import TestSupport
import Testing

/// `leaflog export json|csv` and `leaflog import-diary`
@Suite struct ExchangeCommandTests {
  /// The sample photos and a diary beside them.
  private func filled() throws -> CommandFixture {
    try CommandFixture.imported(name: "diary") { fixture in
      let result = try fixture.leaflog("import-diary", Fixtures.path("Diary/diary-1.json"))
      try #require(result.status == 0, "\(result.error)")
    }
  }

  private func empty() throws -> CommandFixture {
    let fixture = try CommandFixture()
    let made = try fixture.leaflog("init", "--time-zone", "Europe/Berlin", "--quiet")
    try #require(made.status == 0, "\(made.error)")
    return fixture
  }

  @Test func `out, in, out again`() throws {
    let fixture = try filled()
    let path = fixture.folder.file("diary.json")
    let written = try fixture.json("export", "json", "-o", path)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(written["byteCount"] as? Int == text.utf8.count)
    #expect(written["entries"] as? Int == 17)
    #expect(try fixture.leaflog("export", "json", "-o", "-").output == text)
    let other = try empty()
    let report = try other.json("import-diary", path)
    // The photos' plants come along.
    #expect((report["added"] as? [String: Int])?["plant"] == 5)
    #expect((report["added"] as? [String: Int])?["symptom"] == 5)
    #expect(try other.leaflog("export", "json", "-o", "-").output == text)
    let again = try other.leaflog("import-diary", path)
    #expect(
      again.output.hasPrefix("Nothing was added.\nAlready present: 5 symptoms, 3 daily logs, "))
  }

  @Test func `one import is taken back exactly`() throws {
    let fixture = try filled()
    let before = try CatalogDump(of: fixture)
    // The diary is there already; all its ids are others here.
    let text = try String(contentsOfFile: Fixtures.path("Diary/diary-1.json"), encoding: .utf8)
      .replacing("\"0000000000", with: "\"f000000000").replacing("2025-03-0", with: "2025-05-0")
      .replacing("\"monstera\"", with: "\"Hoya\"").replacing("1111111111", with: "f111111111")
      .replacing("eeeeeeeeee", with: "feeeeeeeee").replacing("aaaaaaaaaa", with: "faaaaaaaaa")
      .replacing("\"Water\"", with: "\"Spray\"").replacing("2024-02-0", with: "2024-04-0")
    let path = try fixture.folder.write(Data(text.utf8), to: "other.json")
    let dry = try fixture.leaflog("import-diary", path, "--dry-run")
    #expect(dry.status == 0, "\(dry.error)")
    #expect(dry.output.hasPrefix("Would add 5 symptoms"))
    #expect(try CatalogDump(of: fixture).changes(since: before).isEmpty)
    #expect(try fixture.leaflog("import-diary", path).status == 0)
    #expect(!(try CatalogDump(of: fixture).changes(since: before)).isEmpty)
    let undone = try fixture.leaflog("undo")
    #expect(undone.output.contains("`import-diary /"), "\(undone.error)")
    #expect(try CatalogDump(of: fixture).changes(since: before).isEmpty)
  }

  @Test func `a damaged file changes nothing, and its message names line and column`() throws {
    let fixture = try filled()
    let before = try CatalogDump(of: fixture)
    let text = try String(contentsOfFile: Fixtures.path("Diary/diary-1.json"), encoding: .utf8)
    let fresh = text.replacing("\"0000000000", with: "\"f000000000")
    let csv = "occurredAt,name,severity\r\n2026-03-01,itch,3\r\n2026-03-01,\"ache,3\r\n"
    let damaged: [(name: String, data: Data, place: String)] = [
      ("cut.json", Data(text.utf8.prefix(1000)), "line 36, column 21"),
      (
        "stress.json", Data(fresh.replacing("\"stress\" : 2", with: "\"stress\" : 9").utf8),
        "line 116, column 20"
      ),
      ("mood.json", Data(fresh.utf8), "line "),  // whose days have moods and logs already
      ("bytes.json", Data(text.utf8.prefix(100)) + Data([0xFF]), "line 6, column 1"),
      ("quote.csv", Data(csv.utf8), "line 3, column 12"),
      ("value.csv", Data(csv.replacing("\"ache,3", with: "ache,7").utf8), "line 3, column 17"),
    ]
    for (name, data, place) in damaged {
      let refusal = try fixture.refusal(
        "import-diary", fixture.folder.write(data, to: name), status: name == "mood.json" ? 1 : 64)
      #expect(refusal.message.hasPrefix("\(name), \(place)"), "\(refusal.message)")
      #expect(refusal.code == (name == "mood.json" ? "conflict" : "invalidRequest"))
      #expect(try CatalogDump(of: fixture).changes(since: before).isEmpty, "\(name)")
    }
  }

  private static let python = "/usr/bin/python3"

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: python), "needs python3"))
  func `Python reads the tables, and the same values`() throws {
    let fixture = try filled()
    for note in ["=1+1", "'=1", "-1 cup, \"half\"", "two\nlines; 今日"] {
      _ = try fixture.leaflog.run(
        [
          "symptom", "add", "itch", "--severity", "2", "--at", "2025-06-01", "--yes", "--note",
          note,
        ])
    }
    let folder = fixture.folder.file("tables")
    try fixture.json("export", "csv", "-o", folder)
    let script = """
      import csv, json, sys
      with open(sys.argv[1], encoding="utf-8-sig", newline="") as file:
          print(json.dumps(list(csv.reader(file))))
      """
    for table in DiaryCSV.ofDiary {
      let path = folder + "/" + table.fileName
      let result = try fixture.leaflog.start(["-c", script, path], program: Self.python).wait()
      let read = try JSONDecoder().decode([[String]].self, from: Data(result.output.utf8))
      let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
      let own = try CSVTable(SourceText(name: path, bytes: bytes).bytes)
      #expect(read == ([own.header] + own.records).map { $0.cells.map(\.text) }, "\(table)")
      #expect(bytes.starts(with: [0xEF, 0xBB, 0xBF]))
    }
  }

  private static let rscript = "/usr/bin/Rscript"

  /// Six photos of two plants with their treatments, of which one has an offset of its own and of one no more than the year is known.
  private func replicates() throws -> CommandFixture {
    let fixture = try CommandFixture()
    try #require(try fixture.leaflog("init", "--time-zone", "Europe/Berlin", "--quiet").status == 0)
    for (number, name) in [
      "drought/1/20260301_110000", "control/1/20260301_112000", "drought/1/20260301_120000",
      "control/1/20260301_130000", "drought/1/20260302_120000", "control/1/20260303_120000",
    ].enumerated() {
      try fixture.folder.write(
        DrawnFrame(lightness: 90).png(number), to: "photos/\(name).png")
    }
    try #require(
      try fixture.leaflog("import", fixture.folder.file("photos"), "--plant-from", "path").status
        == 0)
    let photos = try fixture.json("photo", "list", "--oldest-first")["items"] as? [[String: Any]]
    let ids = try #require(photos).compactMap { $0["id"] as? String }
    try #require(ids.count == 6)
    // 12:20 in Berlin.
    _ = try fixture.json("photo", "edit", ids[2], "--at", "2026-03-01T16:50:00+05:30")
    _ = try fixture.json("photo", "edit", ids[4], "--at", "2026", "--note", "=1+1, \"two\"\nlines")
    try fixture.json("export", "csv", "--kind", "photo", "-o", fixture.folder.file("photos.csv"))
    try fixture.folder.write(
      Data("time,moisture\n2026-03-01T10:05:00Z,11\n2026-03-01T11:25:00Z,12\n".utf8),
      to: "sensors.csv")
    return fixture
  }

  /// The output of a program that begins with the manual's example in a language.
  private func output(
    of program: String, _ option: String, _ language: String, _ rest: String,
    in fixture: CommandFixture
  ) throws -> String {
    let blocks = try ManualDocument.article("Exchange").lines.joined(separator: "\n")
      .components(separatedBy: "```\(language)\n").dropFirst()
      .compactMap { $0.components(separatedBy: "```").first }
    let example = try #require(blocks.first)
    var command = fixture.leaflog
    command.folder = fixture.folder.path
    let result = try command.start([option, example + rest], program: program).wait()
    try #require(result.status == 0, "\(result.error)")
    return result.output
  }

  @Test(
    .enabled(
      if: FileManager.default.fileExists(atPath: "/usr/lib/python3/dist-packages/pandas"),
      "needs pandas"))
  func `pandas joins the photos with measurements by their moments`() throws {
    let fixture = try replicates()
    let output = try output(
      of: Self.python, "-c", "python",
      """
      assert str(photos.instant.dt.tz) == "UTC", photos.instant.dtype
      assert list(photos.instant) == sorted(photos.instant)
      print(joined[["instant", "treatment", "replicate", "moisture", "meanLightness"]].to_csv(index=False))
      whole = pd.read_csv("photos.csv")
      print(len(whole), list(whole.notes.dropna()), list(whole.columns[:4]))
      """, in: fixture)
    #expect(
      output == """
        instant,treatment,replicate,moisture,meanLightness
        2026-03-01 10:00:00+00:00,drought,1,11.0,0.349
        2026-03-01 10:20:00+00:00,control,1,,0.349
        2026-03-01 11:20:00+00:00,drought,1,12.0,0.349
        2026-03-01 12:00:00+00:00,control,1,,0.349
        2026-03-03 11:00:00+00:00,control,1,,0.349

        6 ['\\'=1+1, "two"\\nlines'] ['id', 'plant', 'plantDay', 'instant']

        """)
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: rscript), "needs R"))
  func `R reads the photos in the order of the timeline`() throws {
    let fixture = try replicates()
    let output = try output(
      of: Self.rscript, "-e", "r",
      """
      stopifnot(!is.unsorted(photos$instant[!is.na(photos$instant)]), is.numeric(photos$width))
      write.csv(photos[c("instant", "treatment", "replicate", "basis", "localDay")], row.names = FALSE, quote = FALSE)
      """, in: fixture)
    #expect(
      output == """
        instant,treatment,replicate,basis,localDay
        NA,drought,1,year,2026-01-01
        2026-03-01 10:00:00,drought,1,wall,2026-03-01
        2026-03-01 10:20:00,control,1,wall,2026-03-01
        2026-03-01 11:20:00,drought,1,zoned,2026-03-01
        2026-03-01 12:00:00,control,1,wall,2026-03-01
        2026-03-03 11:00:00,control,1,wall,2026-03-03

        """)
  }

  @Test func `only one table can be of a plant`() throws {
    let fixture = try filled()
    let command = ["export", "csv", "--plant", "basil"]
    for (rest, message) in [
      (["-o", "tables"], "Name it with --kind."),
      (["-o", "-", "--kind", "activity"], "Only entries can be chosen by their plant"),
    ] {
      let result = try fixture.leaflog.run(command + rest)
      #expect(
        result.status == 64 && result.error.contains(message), "\(result.error)")
    }
    let basil = try fixture.leaflog.run(command + ["-o", "-", "--kind", "photo", "--quiet"])
    #expect(basil.status == 0 && basil.output.contains(",\"basil\","))
    #expect(!basil.output.contains("monstera"))
  }

  @Test func `tables go into a folder, or one of them anywhere`() throws {
    let fixture = try filled()
    let folder = fixture.folder.file("tables")
    let written = try fixture.json("export", "csv", "-o", folder)
    #expect((written["rows"] as? [String: Int])?["symptom"] == 5)
    #expect(fixture.folder.files(below: "tables").count == 7)
    let moods = try fixture.leaflog("export", "csv", "--kind", "mood", "-o", "-")
    #expect(
      moods.output
        == "\u{FEFF}id,day,mood,tags,plant,notes\r\n\"00000000000000000000000000000011\",2025-03-02,\"happy\",,,\r\n"
    )
    let none = try fixture.leaflog(
      "export", "csv", "--kind", "mood", "--from", "2025-03-03", "-o", "-")
    #expect(none.output == "\u{FEFF}id,day,mood,tags,plant,notes\r\n")
    let other = try empty()
    #expect(
      try other.leaflog("import-diary", folder + "/symptoms.csv").output
        == "Added 5 symptoms and 1 plant. `leaflog undo` undoes it.\n")
  }

  @Test func `the older activity tracker's files`() throws {
    let fixture = try empty()
    let report = try fixture.json("import-diary", Fixtures.path("Diary/okie-1.0.json"))
    #expect(report["added"] as? [String: Int] == ["activity": 2, "completion": 2])
    #expect(report["repeated"] as? Int == 1)
    #expect(
      try fixture.leaflog("import-diary", Fixtures.path("Diary/okie-1.0.json")).output == """
        Nothing was added.
        Already present: 2 completions and 2 activities.
        Skipped 1 completion on days that already had one.

        """)
  }

  @Test func `wrong usage and what cannot be read or written`() throws {
    let fixture = try empty()
    #expect(try fixture.leaflog("import-diary").status == 64)
    #expect(try fixture.leaflog("export", "csv", "-o", "-").status == 64)
    #expect(try fixture.refusal("import-diary", "/nowhere.json", status: 1).code == "notFound")
    #expect(try fixture.refusal("import-diary", fixture.folder.path, status: 1).code == "failed")
    #expect(try fixture.refusal("undo", status: 1).code == "notFound")
    #expect(
      try fixture.refusal("export", "json", "-o", "/nowhere/x.json", status: 1).code == "failed")
    #expect(try fixture.leaflog("export", "json", "--help").output.contains("photo export"))
  }
}
