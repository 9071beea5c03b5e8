import Foundation
import FoundationXML
import TestSupport
import Testing

@Suite struct ExportCommandTests {
  private func export(
    _ fixture: CommandFixture, _ arguments: String..., status: Int32 = 0,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> (lines: [[String: Any]], summary: [String: Any]) {
    let result = try fixture.leaflog.run(
      ["photo", "export", "-o", fixture.folder.file("out"), "--json"] + arguments
    )
    #expect(result.status == status, "\(result.error)", sourceLocation: sourceLocation)
    let lines = result.json
    return (Array(lines.dropLast()), lines.last?["summary"] as? [String: Any] ?? [:])
  }

  private func data(_ fixture: CommandFixture, _ name: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: fixture.folder.file("out/" + name)))
  }

  @Test func `names tell plant and wall time, and each has a sidecar`() throws {
    let fixture = try CommandFixture.imported()
    let (lines, summary) = try export(fixture)
    let images = [
      "basil/2025-05-10_120006.jpg", "basil/2025-05-17_120006.jpg", "basil/2025-05-24_120006.jpg",
      "basil/2025-05-31_120006.jpg", "monstera/2025-04-02_081105.jpg",
      "monstera/2025-04-16_080240.jpg", "monstera/2025-05-07_075812.jpg",
      "monstera/2025-06-04_082031.jpg", "monstera/2025-07-01_080500.jpg",
      "tomato/2025-05-20_183000.jpg", "tomato/2025-06-10_183110.jpg",
      "tomato/2025-06-20_183000.jpg",  // a moment in UTC, told in the library's zone
      "tomato/2025-07-05_190500.jpg",
    ]
    #expect(
      fixture.folder.files(below: "out")
        == [".leaflog-export.jsonl"] + images.flatMap { [$0, $0 + ".xmp"] })
    #expect(lines.compactMap { $0["path"] as? String }.sorted() == images)
    #expect(lines.allSatisfy { $0["outcome"] as? String == "written" })
    #expect(Set(lines.compactMap { $0["photo"] as? String }).count == 13)
    #expect(summary["written"] as? Int == 13)
    #expect(summary["failed"] as? Int == 0)
    let bytes = lines.compactMap { $0["byteCount"] as? Int }.reduce(0, +)
    #expect(summary["byteCount"] as? Int == bytes)
  }

  @Test func `a sidecar tells date, notes and plant`() throws {
    let fixture = try CommandFixture.imported()
    try fixture.json("photo", "edit", fixture.id("2025-05-10"), "--note", "a < b & “c” 🌱")
    _ = try export(fixture, "--plant", "basil", "--to", "2025-05-10")
    let document = try XMLDocument(data: data(fixture, "basil/2025-05-10_120006.jpg.xmp"))
    let description = try #require(
      try document.nodes(forXPath: "//*[local-name()='Description']").first)
    let date = (description as? XMLElement)?.attribute(forName: "exif:DateTimeOriginal")?
      .stringValue
    #expect(date == "2025-05-10T12:00:06+01:00")
    func text(_ name: String) throws -> [String?] {
      try document.nodes(forXPath: "//*[local-name()='\(name)']//*[local-name()='li']").map(
        \.stringValue)
    }
    #expect(try text("description") == ["a < b & “c” 🌱"])
    #expect(try text("subject") == ["basil"])
  }

  @Test(arguments: ["exact", "lossless"])
  func `the imported files come out byte for byte`(policy: String) throws {
    let fixture = try CommandFixture.imported(policy: policy)
    _ = try export(fixture)
    let imported = try Answers.all.photos.map { try Fixtures.data("Photos/" + $0.path) }
    let images = fixture.folder.files(below: "out").filter { $0.hasSuffix(".jpg") }
    #expect(images.count == 13)
    #expect(Set(try images.map { try data(fixture, $0) }) == Set(imported))
  }

  @Test func `a compressed copy or a preview comes out where there is no more or it is asked for`()
    throws
  {
    let fixture = try CommandFixture.imported(["Photos/monstera"], policy: "compact")
    let (lines, _) = try export(fixture, "--from", "2025-07-01", "--rendition", "preview")
    #expect(lines.compactMap { $0["path"] as? String } == ["monstera/2025-07-01_080500.jpg"])
    let preview = try data(fixture, "monstera/2025-07-01_080500.jpg")
    #expect(EXIFScan(jpeg: preview) == nil)
    let (masters, _) = try export(fixture, "--rendition", "master", "--update")
    let paths = masters.compactMap { $0["path"] as? String }
    #expect(paths.count == 5)
    for (path, master) in zip(paths, masters) {
      let shown = try fixture.json("show", try #require(master["photo"] as? String))
      let renditions = shown["renditions"] as? [[String: Any]] ?? []
      let stored = try #require(renditions.first { $0["role"] as? String == "master" })
      let file = URL(fileURLWithPath: try #require(stored["path"] as? String))
      #expect(try data(fixture, path) == Data(contentsOf: file))
    }
  }

  @Test(arguments: ["exact", "lossless"])
  func `on request no place is left, and the date is`(policy: String) throws {
    let fixture = try CommandFixture.imported(["Photos/monstera"], policy: policy)
    let name = "monstera/2025-04-02_081105.jpg"
    _ = try export(fixture)
    let whole = try #require(EXIFScan(jpeg: try data(fixture, name)))
    #expect(whole.hasGPS)
    try FileManager.default.removeItem(atPath: fixture.folder.file("out"))
    let (lines, _) = try export(fixture, "--strip-location")
    #expect(lines.count == 5)
    let stripped = try data(fixture, name)
    let exif = try #require(EXIFScan(jpeg: stripped))
    #expect(!exif.hasGPS)
    #expect(exif.dateTimeOriginal == "2025:04:02 08:11:05")
    #expect(whole.dateTimeOriginal == "2025:04:02 08:11:05")
    // Degrees as EXIF's rationals, wherever they may stand: 52/1 and 13/1.
    for bytes in [[52, 0, 0, 0, 1, 0, 0, 0], [0, 0, 0, 52, 0, 0, 0, 1]] as [[UInt8]] {
      #expect(stripped.range(of: Data(bytes)) == nil)
    }
    #expect(!fixture.folder.files(below: "out").isEmpty)
    let sidecar = try String(decoding: data(fixture, name + ".xmp"), as: UTF8.self)
    #expect(!sidecar.contains("GPS"))
  }

  @Test func `a second run changes nothing`() throws {
    let fixture = try CommandFixture.imported()
    _ = try export(fixture)
    func state() throws -> [String] {
      try fixture.folder.files(below: "out").map {
        let facts = try FileManager.default.attributesOfItem(
          atPath: fixture.folder.file("out/" + $0))
        return "\($0) \(facts[.modificationDate] ?? "") \(facts[.systemFileNumber] ?? "")"
      }
    }
    let before = try state()
    let (lines, summary) = try export(fixture)
    #expect(lines.allSatisfy { $0["outcome"] as? String == "unchanged" })
    #expect(summary["written"] as? Int == 0)
    #expect(summary["unchanged"] as? Int == 13)
    #expect(try state() == before)
    let text = try fixture.leaflog("photo", "export", "-o", fixture.folder.file("out"))
    #expect(text.output.hasSuffix("13 photos already existed.\n"))
  }

  @Test func `an existing file that differs is never overwritten`() throws {
    let fixture = try CommandFixture.imported(["Photos/basil"])
    let mine = try fixture.folder.write(Data("mine".utf8), to: "out/basil/2025-05-10_120006.jpg")
    let (lines, _) = try export(fixture)
    #expect(lines.first?["path"] as? String == "basil/2025-05-10_120006_2.jpg")
    #expect(try Data(contentsOf: URL(fileURLWithPath: mine)) == Data("mine".utf8))
    let sidecar = "basil/2025-05-17_120006.jpg.xmp"
    let before = try data(fixture, sidecar)
    try fixture.json("photo", "edit", fixture.id("2025-05-17"), "--note", "new")
    let (again, summary) = try export(fixture)
    #expect(
      again.map { $0["outcome"] as? String } == ["unchanged", "outdated", "unchanged", "unchanged"])
    #expect(summary["outdated"] as? Int == 1)
    #expect(try data(fixture, sidecar) == before)
    try fixture.folder.write(Data("theirs".utf8), to: "out/" + sidecar)
    let (failed, _) = try export(fixture, "--update", status: 3)
    #expect(failed.map { $0["outcome"] as? String }.count { $0 == "failed" } == 1)
    #expect((failed[1]["message"] as? String)?.contains(sidecar) == true)
    #expect(try data(fixture, sidecar) == Data("theirs".utf8))
  }

  @Test func `an export again updates and deletes what is asked, and says what it leaves`() throws {
    let fixture = try CommandFixture.imported(["Photos/basil"])
    _ = try export(fixture)
    let out = fixture.folder.file("out")
    try fixture.json("photo", "edit", fixture.id("2025-05-17"), "--note", "new")
    let left = try fixture.leaflog("photo", "export", "-o", out, "--from", "2025-05-17")
    #expect(left.status == 0)
    #expect(left.output.contains("No longer selected: basil/2025-05-10_120006.jpg\n"))
    #expect(left.output.contains("1 photo changed since; --update replaces its files."))
    #expect(left.output.contains("--delete removes it."))
    let (lines, summary) = try export(fixture, "--update", "--delete", "--from", "2025-05-17")
    #expect(lines.first?["outcome"] as? String == "updated")
    #expect(lines.last?["outcome"] as? String == "deleted")
    #expect(lines.last?["path"] as? String == "basil/2025-05-10_120006.jpg")
    #expect(summary["updated"] as? Int == 1 && summary["deleted"] as? Int == 1)
    #expect(try data(fixture, "basil/2025-05-17_120006.jpg.xmp").range(of: Data("new".utf8)) != nil)
    #expect(fixture.folder.files(below: "out/basil").count == 6)
  }

  @Test func `a folder that cannot be written says so, and nothing is in it`() throws {
    let fixture = try CommandFixture.imported(["Photos/basil"])
    chmod(fixture.folder.path, 0o777)
    let out = fixture.folder.file("out")
    try FileManager.default.createDirectory(atPath: out, withIntermediateDirectories: true)
    chmod(out, 0o555)
    let asNobody = try Unprivileged(fixture.leaflog)
    for folder in [out, out + "/deeper"] {
      let result = try asNobody("photo", "export", "-o", folder)
      #expect(result.status == 1)
      #expect(result.error.contains(folder), "\(result.error)")
    }
    #expect(fixture.folder.files(below: "out").isEmpty)
    chmod(out, 0o755)
    try fixture.folder.write(Data(), to: "file")
    #expect(try fixture.leaflog("photo", "export", "-o", fixture.folder.file("file")).status == 1)
  }

  @Test func `an export that is imported gives the same dates, notes and plants`() throws {
    let fixture = try CommandFixture.imported()
    try fixture.json("photo", "edit", fixture.id("2025-05-10"), "--note", "a < b\n& “c” 🌱 'd'")
    try fixture.json("photo", "edit", fixture.id("2025-04-02"), "--at", "2025-04-03T09:30")
    try fixture.json("photo", "edit", fixture.id("2025-04-16"), "--at", "2025-04-17T23:30Z")
    try fixture.json("photo", "move", fixture.id("2025-06-04"), "--plant", "basil")
    try fixture.json("plant", "edit", "tomato", "--name", "Tomate “Anaïs” & Söhne")
    _ = try export(fixture)
    let other = try CommandFixture()
    #expect(try other.leaflog("init", "--time-zone", "Europe/Berlin").status == 0)
    #expect(try other.leaflog("import", "-q", fixture.folder.file("out")).status == 0)
    func facts(_ fixture: CommandFixture) throws -> [String] {
      try fixture.entries().map {
        "\($0["occurredAt"] ?? "") \($0["localDay"] ?? "") \($0.plantName ?? "") \($0["notes"] ?? "")"
      }
    }
    #expect(try facts(other) == facts(fixture))
    #expect(try facts(other).count == 13)
  }
}

/// The values of a JPEG's EXIF block, by the tags that are asked for (EXIF 2.32, 4.6).
struct EXIFScan {
  /// Whether the GPS directory says anything.
  private(set) var hasGPS = false
  private(set) var dateTimeOriginal: String?

  /// Nil when there is none.
  init?(jpeg: Data) {
    guard let start = jpeg.range(of: Data("Exif\0\0".utf8))?.upperBound else { return nil }
    let block = [UInt8](jpeg[start...])
    let isLittle = block[0] == 0x49
    func integer(_ at: Int, _ count: Int) -> Int {
      let bytes = block[at..<(at + count)]
      return (isLittle ? Array(bytes.reversed()) : Array(bytes)).reduce(0) { $0 << 8 | Int($1) }
    }
    func tags(_ directory: Int) -> [Int: Int] {
      (0..<integer(directory, 2)).reduce(into: [:]) {
        let at = directory + 2 + 12 * $1
        $0[integer(at, 2)] = integer(at + 8, 4)
      }
    }
    let main = tags(integer(4, 4))
    if let directory = main[0x8825] { hasGPS = !tags(directory).isEmpty }
    if let exif = main[0x8769], let at = tags(exif)[0x9003] {
      dateTimeOriginal = String(decoding: block[at..<(at + 19)], as: UTF8.self)
    }
  }
}
