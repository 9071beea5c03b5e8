import BlobStorage
import Foundation
import Leaflog
import Synchronization
import TestSupport
import Testing

@Suite struct ExportTests {
  private final class Exported: Sendable {
    private let all = Mutex<[ExportOutcome]>([])
    func add(_ outcome: ExportOutcome) { all.withLock { $0.append(outcome) } }
    var list: [ExportOutcome] { all.withLock { $0 } }
  }

  private func export(
    _ fixture: LibraryFixture, to name: String = "out",
    _ change: (inout ExportRequest) -> Void = { _ in }
  ) throws -> [ExportOutcome] {
    var request = ExportRequest(.matching(TimelineQuery()), to: fixture.folder.file(name))
    change(&request)
    let exported = Exported()
    try PhotoExporter(fixture.library).run(request) { exported.add($0) }
    return exported.list
  }

  @Test(arguments: [StoragePolicy.exact, .lossless])
  func `exact bytes come out as they went in`(policy: StoragePolicy) async throws {
    let fixture = try LibraryFixture(policy: policy)
    _ = try await fixture.run([Fixtures.path("Photos"), Fixtures.path("Colour")])
    let outcomes = try export(fixture)
    #expect(outcomes.count > 20)
    for outcome in outcomes {
      #expect(outcome.result == .written)
      let path = fixture.folder.file("out/" + (try #require(outcome.path)))
      let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      #expect(
        bytes.withUnsafeBytes { BlobID(hashing: $0) } == outcome.entry.photo?.sourceDigest,
        "\(path)")
    }
    // Again: nothing is written, nothing is there twice.
    let before = fixture.folder.files(below: "out")
    let again = try export(fixture)
    #expect(again.count == outcomes.count && again.allSatisfy { $0.result == .unchanged })
    #expect(fixture.folder.files(below: "out") == before)
    #expect(before.filter { !$0.hasSuffix(".leaflog-export.jsonl") }.count == outcomes.count * 2)
  }

  @Test(arguments: [StoragePolicy.exact, .lossless, .compact])
  func `tags, favourite, notes, plant and the date's source come back from an export`(
    policy: StoragePolicy
  ) async throws {
    let fixture = try LibraryFixture(policy: policy)
    _ = try await fixture.run([Fixtures.path("Photos")])
    let entries = try fixture.entries()
    let library = fixture.library
    _ = try library.photos.edit(entries[0].id, notes: "a note", tags: ["aphids", "new pot"])
    _ = try library.photos.setFavourite(true, for: .photos([entries[1].id, entries[2].id]))
    let plant = try #require(entries[2].plant)
    _ = try library.photos.edit(entries[2].id, tags: [plant.name])
    _ = try library.photos.edit(entries[3].id, time: RecordedTime("2020-02-29T23:59:59"))
    _ = try export(fixture)
    let other = try LibraryFixture(policy: policy)
    _ = try await other.run([fixture.folder.file("out")])
    struct Facts: Equatable {
      let time, notes, plant, source: String?
      let tags: [String]
      let isFavourite: Bool?

      init(_ entry: Entry) {
        (time, notes, plant) = (entry.time.recorded.iso8601, entry.notes, entry.plant?.name)
        (source, tags) = (entry.photo?.captureSource.rawValue, entry.tags)
        isFavourite = entry.photo?.isFavourite
      }
    }
    let (before, after) = (
      try fixture.entries().map(Facts.init), try other.entries().map(Facts.init)
    )
    #expect(before.count == after.count)
    for (before, after) in zip(before, after) { #expect(before == after) }
  }

  @Test func `an export comes in again as it was`() async throws {
    let fixture = try LibraryFixture(policy: .exact)
    _ = try await fixture.run([Fixtures.path("Photos")])
    let first = try #require(try fixture.entries().first)
    _ = try fixture.library.photos.edit(
      first.id, notes: "<two> \"lines\" & an \u{1} end\nand more 🌱",
      time: RecordedTime("2020-02-29T23:59:59.5"))
    let second = try fixture.entries()[3]
    _ = try fixture.library.plants.edit(try fixture.library.plants.find(matching: "basil").id) {
      $0.name = "Basil: A/B \"x\" & <y>"
    }
    _ = try fixture.library.plants.edit(try fixture.library.plants.find(matching: "tomato").id) {
      $0.name = "Basil- A-B -x- & -y-"
    }
    _ = try fixture.library.photos.redate(.photos([second.id]), .source(.mtime))
    _ = try export(fixture)
    let again = try LibraryFixture(policy: .exact)
    _ = try await again.run([fixture.folder.file("out")])
    func facts(_ fixture: LibraryFixture) throws -> Set<[String]> {
      Set(
        try fixture.entries().map {
          [
            $0.id.description, $0.time.recorded.iso8601, $0.plant?.name ?? "",
            $0.photo?.captureSource.rawValue ?? "",
            ($0.notes ?? "").replacingOccurrences(of: "\u{1}", with: ""),
          ]
        })
    }
    #expect(try facts(again) == facts(fixture))
  }

  @Test func `a thing that differs is never overwritten`() async throws {
    let fixture = try LibraryFixture()
    _ = try await fixture.run([Fixtures.path("Photos/monstera/IMG_0001.jpg")])
    let mine = try fixture.folder.write(Data("mine".utf8), to: "out/2025-04-02_081105.jpg")
    let kept = try fixture.folder.write(
      Data("mine".utf8), to: "out/monstera/2025-04-02_081105.jpg")
    #expect(try export(fixture)[0].path == "monstera/2025-04-02_081105_2.jpg")
    #expect(try export(fixture)[0].result == .unchanged)
    let id = try fixture.entries()[0].id
    _ = try fixture.library.photos.edit(id, notes: "changed since")
    #expect(try export(fixture)[0].result == .outdated)
    let sidecar = try fixture.folder.write(
      Data("theirs".utf8), to: "out/monstera/2025-04-02_081105_2.jpg.xmp")
    guard case .failed(let message) = try export(fixture, { $0.replacesOutdated = true })[0].result
    else {
      Issue.record("the sidecar that somebody has changed was not noticed")
      return
    }
    #expect(message.contains("_2.jpg.xmp"))
    #expect(FileManager.default.contents(atPath: sidecar) == Data("theirs".utf8))
    for path in [mine, kept] {
      #expect(FileManager.default.contents(atPath: path) == Data("mine".utf8))
    }
    #expect(
      fixture.folder.files(below: "out").filter { $0.contains(".leaflog-") } == [
        ".leaflog-export.jsonl"
      ])
  }

  /// Small pictures of one plant, of which only the year is known.
  private func scans(_ count: Int) async throws -> LibraryFixture {
    let fixture = try LibraryFixture(policy: .exact)
    for number in 0..<count {
      let rows = [0, UInt8(number % 256), UInt8(number / 256)]
      try fixture.folder.write(
        Data(EmbeddedMetadata.png(width: 2, height: 1, isGrey: true, rows: rows)),
        to: "photos/elm/scan \(number).png")
    }
    let year = try #require(RecordedTime("1978"))
    #expect(try await fixture.run { $0.time = year }.summary.added == count)
    return fixture
  }

  private func sidecar(_ fixture: LibraryFixture, _ path: String) throws -> String {
    try String(contentsOfFile: fixture.folder.file("out/\(path).xmp"), encoding: .utf8)
  }

  @Test func `more than a thousand photos of one plant and date are all exported`() async throws {
    let fixture = try await scans(1100)
    let outcomes = try export(fixture)
    #expect(outcomes.count == 1100 && outcomes.allSatisfy { $0.result == .written })
    #expect(Set(outcomes.compactMap(\.path)).count == 1100)
    #expect(fixture.folder.files(below: "out/elm").count == 2200)
    #expect(try export(fixture).allSatisfy { $0.result == .unchanged })
  }

  @Test func `a photo keeps its name, and an update replaces what has changed of it`() async throws
  {
    let fixture = try await scans(6)
    let paths = try export(fixture).reduce(into: [:]) { $0[$1.entry.id] = $1.path }
    let entries = try fixture.entries()
    _ = try fixture.library.photos.edit(entries[0].id, notes: "the first one")
    _ = try fixture.library.photos.edit(entries[1].id, time: RecordedTime("1980-05-06T07:08:09"))
    let left = try export(fixture)
    #expect(left.count { $0.result == .outdated } == 2)
    #expect(left.allSatisfy { $0.path == paths[$0.entry.id] })
    let path = try #require(paths[entries[0].id] ?? nil)
    #expect(try !sidecar(fixture, path).contains("the first one"))
    let updated = try export(fixture) { $0.replacesOutdated = true }
    #expect(updated.count { $0.result == .updated } == 2)
    #expect(updated.allSatisfy { $0.path == paths[$0.entry.id] })
    #expect(try sidecar(fixture, path).contains("the first one"))
    #expect(try export(fixture).allSatisfy { $0.result == .unchanged })
    // A file that was removed is written again, under its name.
    try FileManager.default.removeItem(atPath: fixture.folder.file("out/" + path))
    #expect(try export(fixture).first { $0.result == .written }?.path == path)
    #expect(fixture.folder.files(below: "out").count == 13)
  }

  @Test func `photos that are no longer selected are told, and deleted only when that is wanted`()
    async throws
  {
    let fixture = try await scans(6)
    let written = try export(fixture)
    let gone = Set(written.prefix(3).map(\.entry.id))
    try fixture.library.photos.delete(.photos(Array(gone)))
    let changed = try #require(written[0].path)
    try fixture.folder.write(Data("mine".utf8), to: "out/" + changed)
    var request = ExportRequest(.matching(TimelineQuery()), to: fixture.folder.file("out"))
    let exporter = PhotoExporter(fixture.library)
    let kept = try exporter.run(request) { _ in }.others
    #expect(Set(kept.map(\.photo)) == gone && kept.allSatisfy { $0.result == .kept })
    #expect(fixture.folder.files(below: "out/elm").count == 12)
    request.deletesOthers = true
    let deleted = try exporter.run(request) { _ in }.others
    #expect(deleted.count { $0.result == .deleted } == 2)
    let left = try #require(deleted.first { $0.result != .deleted })
    #expect(left.path == changed && left.result != .kept)
    #expect(fixture.folder.files(below: "out/elm").count == 8)
    #expect(FileManager.default.contents(atPath: fixture.folder.file("out/" + changed))?.count == 4)
    #expect(try exporter.run(request) { _ in }.others.count == 1)
  }

  @Test func `images of an export without a list are taken into one`() async throws {
    let fixture = try await scans(5)
    let before = try export(fixture)
    try FileManager.default.removeItem(atPath: fixture.folder.file("out/.leaflog-export.jsonl"))
    let edited = before[2]
    _ = try fixture.library.photos.edit(edited.entry.id, notes: "later")
    let mine = try fixture.folder.write(Data("mine".utf8), to: "out/elm/1978_99.png")
    let again = try export(fixture)
    #expect(again.map(\.path) == before.map(\.path))
    #expect(again.count { $0.result == .unchanged } == 4 && again[2].result == .outdated)
    #expect(try export(fixture) { $0.replacesOutdated = true }[2].result == .updated)
    #expect(try sidecar(fixture, #require(edited.path)).contains("later"))
    #expect(FileManager.default.contents(atPath: mine) == Data("mine".utf8))
  }

  @Test func `another rendition replaces the former one under its name`() async throws {
    let fixture = try await scans(3)
    _ = try export(fixture)
    let left = try export(fixture) { $0.quality = .preview }
    #expect(left.allSatisfy { $0.result == .outdated })
    // A folder with exact files must not pass for one without locations.
    let stripped = try export(fixture) { ($0.quality, $0.stripsLocation) = (.preview, true) }
    #expect(stripped.allSatisfy { if case .failed = $0.result { true } else { false } })
    let updated = try export(fixture) { ($0.quality, $0.replacesOutdated) = (.preview, true) }
    #expect(updated.allSatisfy { $0.result == .updated && $0.path?.hasSuffix(".jpg") == true })
    #expect(fixture.folder.files(below: "out/elm").allSatisfy { $0.contains(".jpg") })
    #expect(fixture.folder.files(below: "out/elm").count == 6)
  }

  @Test func `a failed update leaves the files known, and two exports do not write at a time`()
    async throws
  {
    let fixture = try await scans(2)
    let before = try export(fixture)
    _ = try fixture.library.photos.edit(before[0].entry.id, notes: "new")
    // A folder in the image's place cannot be written over, nor is it known.
    let path = fixture.folder.file("out/" + (try #require(before[0].path)) + ".xmp")
    try FileManager.default.moveItem(atPath: path, toPath: path + ".aside")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    let failed = try export(fixture) { $0.replacesOutdated = true }
    #expect(failed.count { if case .failed = $0.result { true } else { false } } == 1)
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.moveItem(atPath: path + ".aside", toPath: path)
    #expect(try export(fixture) { $0.replacesOutdated = true }[0].result == .updated)
    var request = ExportRequest(.matching(TimelineQuery()), to: fixture.folder.file("out"))
    request.replacesOutdated = true
    var codes: [LeaflogError.Code] = []
    try PhotoExporter(fixture.library).run(request) { _ in
      do throws(LeaflogError) {
        try PhotoExporter(fixture.library).run(request) { _ in }
      } catch { codes.append(error.code) }
    }
    #expect(codes == [.locked, .locked])
  }

  @Test func `a list that was cut off, or names files elsewhere, harms nothing`() async throws {
    let fixture = try await scans(3)
    let before = try export(fixture)
    let list = fixture.folder.file("out/.leaflog-export.jsonl")
    let whole = try Data(contentsOf: URL(fileURLWithPath: list))
    try whole.dropLast(40).write(to: URL(fileURLWithPath: list))
    #expect(try export(fixture).map(\.path) == before.map(\.path))
    let outside = try fixture.folder.write(Data("mine".utf8), to: "elsewhere.png")
    let text = try String(contentsOfFile: list, encoding: .utf8)
    try Data(text.replacing("elm/1978.png", with: "../elsewhere.png").utf8)
      .write(to: URL(fileURLWithPath: list))
    let error = #expect(throws: LeaflogError.self) {
      try export(fixture) { ($0.replacesOutdated, $0.deletesOthers) = (true, true) }
    }
    #expect(error?.message.contains(".leaflog-export.jsonl") == true)
    #expect(FileManager.default.contents(atPath: outside) == Data("mine".utf8))
  }

  @Test func `names are safe on every file system, and two of a second are two`() async throws {
    let fixture = try LibraryFixture()
    for (number, name) in ["1.jpg", "2.jpg"].enumerated() {
      let photo = try Fixtures.data("Photos/tomato/IMG_20250705_190500.jpg")
      try fixture.folder.write(
        photo + Data(repeating: 0, count: number), to: "photos/IMG_20250705_190500 \(name)")
    }
    _ = try await fixture.run { $0.plant = .named("../a:b?*. ") }
    let paths = try export(fixture).compactMap(\.path).sorted()
    #expect(
      paths == ["-.-a-b--/2025-07-05_190500.jpg", "-.-a-b--/2025-07-05_190500_2.jpg"])
    #expect(
      fixture.folder.files().allSatisfy { $0.hasPrefix("out/") || !$0.contains("2025-07-05_") })
  }

  @Test func `a damaged blob is a failure, and the others are written`() async throws {
    let fixture = try LibraryFixture(policy: .exact)
    _ = try await fixture.run([Fixtures.path("Photos/monstera")])
    let photo = try fixture.library.photos.find(try fixture.entries()[0].id)
    let original = try #require(photo.renditions.first { $0.role == .original })
    let path = fixture.library.photos.path(of: original)
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    bytes[bytes.count / 2] ^= 1
    try bytes.write(to: URL(fileURLWithPath: path))
    let outcomes = try export(fixture)
    #expect(outcomes.filter { $0.result == .written }.count == 4)
    guard
      case .failed(let message)? = outcomes.first(where: { $0.entry.id == photo.entry.id })?.result
    else {
      Issue.record("a flipped bit went unnoticed")
      return
    }
    #expect(message.contains("damaged"))
  }

  @Test func `previews and compressed copies can be had instead`() async throws {
    let fixture = try LibraryFixture()
    _ = try await fixture.run([Fixtures.path("Photos/monstera/IMG_0001.jpg")])
    let preview = try export(fixture, to: "previews") { $0.quality = .preview }
    let path = fixture.folder.file("previews/" + (try #require(preview[0].path)))
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)).range(of: Data("Exif".utf8)) == nil)
    #expect(try export(fixture, to: "masters") { $0.quality = .master }[0].result == .written)
    #expect(
      try export(fixture, to: "bare") { $0.stripsLocation = true }[0].result == .written)
  }

  @Test(
    .enabled(
      if: Fixtures.sharedPhotos != nil && ExifTool.isInstalled,
      "the shared photos or exiftool are not here"))
  func `of a whole zoo no exported file tells a place`() async throws {
    let fixture = try LibraryFixture(policy: .exact)
    _ = try await fixture.run([try #require(Fixtures.sharedPhotos) + "/zoo"])
    let outcomes = try export(fixture) { $0.stripsLocation = true }
    // Some of the zoo's files differ in their metadata alone.
    #expect(outcomes.count > 60)
    #expect(try ExifTool.places(in: fixture.folder.file("out")) == [])
    let refused = outcomes.filter { $0.path == nil }
    #expect(refused.count <= 3, "\(refused.map(\.result))")
    for outcome in refused {
      guard case .placeStays(let message) = outcome.result else {
        Issue.record("\(outcome.result)")
        continue
      }
      let name = try fixture.library.photos.find(outcome.entry.id).originalName
      #expect(message.hasPrefix(name))
    }
  }

  @Test(arguments: ["IMG_0001.jpg", "garden 48.8584N 2.2945E.jpg"])
  func `a sidecar has the file's name, unless places are to be left out`(
    name: String
  ) async throws {
    let fixture = try LibraryFixture()
    try fixture.folder.copy("Photos/monstera/IMG_0001.jpg", to: "photos/fern/" + name)
    _ = try await fixture.run()
    for (folder, isStripped) in [("whole", false), ("bare", true)] {
      let photo = try #require(
        try export(fixture, to: folder) { $0.stripsLocation = isStripped }.first?.path)
      let sidecar = fixture.folder.file("\(folder)/\(photo).xmp")
      let text = try String(contentsOfFile: sidecar, encoding: .utf8)
      #expect(
        text.contains("xmpMM:PreservedFileName=\"\(name)\"") == !isStripped, "\(text)")
    }
  }

  @Test func `a file that tells its place still is refused by name`() async throws {
    let fixture = try LibraryFixture(policy: .exact)
    let brob = Data([0, 0, 0, 16]) + Data("brobxml ".utf8) + Data([1, 2, 3, 4])
    try fixture.folder.write(Fixtures.data("Places/place.jxl") + brob, to: "photos/fern/packed.jxl")
    _ = try await fixture.run()
    let outcome = try #require(try export(fixture) { $0.stripsLocation = true }.first)
    guard case .placeStays(let message) = outcome.result else {
      Issue.record("\(outcome.result)")
      return
    }
    #expect(message.hasPrefix("packed.jxl"))
    #expect(!message.contains("--"))
    #expect(fixture.folder.files(below: "out").isEmpty)
  }

  @Test(arguments: [ExportRequest.Quality.best, .master, .preview])
  func `a photo whose notes have coordinates is refused, as its sidecar would tell them`(
    quality: ExportRequest.Quality
  ) async throws {
    let fixture = try LibraryFixture()
    _ = try await fixture.run([Fixtures.path("Photos/monstera/IMG_0001.jpg")])
    let id = try fixture.entries()[0].id
    _ = try fixture.library.photos.edit(id, notes: "at 52.520008, 13.404954", tags: ["shade"])
    let outcome = try #require(
      try export(fixture) { ($0.stripsLocation, $0.quality) = (true, quality) }.first)
    guard case .placeStays(let message) = outcome.result else {
      Issue.record("\(outcome.result)")
      return
    }
    #expect(message.hasPrefix("IMG_0001.jpg: ") && message.contains("its notes"))
    #expect(outcome.isPlaceInWords && outcome.path == nil)
    #expect(fixture.folder.files(below: "out").isEmpty)
    _ = try fixture.library.photos.edit(id, notes: "2024-05-06, 50 5 cm")
    #expect(
      try export(fixture) { ($0.stripsLocation, $0.quality) = (true, quality) }[0].result
        == .written)
    // Without the option, words go out as they are.
    _ = try fixture.library.photos.edit(id, notes: "at 52.520008, 13.404954")
    #expect(try export(fixture, to: "all")[0].result == .written)
  }
}
