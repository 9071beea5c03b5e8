import BlobStorage
import Foundation
import Leaflog
import TestSupport
import Testing

// The lines between the marks stand in the README and in the library's guide; a test compares.
// README-EXAMPLE-BEGIN
func printDiary(of photos: String, in folder: String) async throws {
  let library =
    Library.exists(at: folder) ? try Library.open(at: folder) : try Library.create(at: folder)

  let summary = try await Importer(library).run(ImportRequest(paths: [photos])) { outcome in
    if case .failed(let reason, let message) = outcome.result {
      print("\(outcome.path): \(reason): \(message)")
    }
  }
  print("\(summary.added) new photos")

  var position = TimelinePosition.start
  while true {
    let page = try library.timeline.page(at: position, limit: 100)
    for entry in page.elements {
      print(entry.time.localDay, entry.plant?.name ?? "", entry.notes ?? "")
    }
    guard let next = page.next else { break }
    position = .cursor(next)
  }
}
// README-EXAMPLE-END

@Suite struct ReadmeTests {
  @Test func `the README's example runs`() async throws {
    let folder = try TemporaryFolder()
    try await printDiary(of: Fixtures.path("Photos"), in: folder.file("library"))
    let library = try Library.open(at: folder.file("library"), for: .reading)
    #expect(try library.timeline.page().elements.count == 13)
  }

  @Test func `the README has this very example`() throws {
    let source = try String(contentsOfFile: #filePath, encoding: .utf8)
    let begin = try #require(source.range(of: "// README-EXAMPLE-BEGIN\n"))
    let end = try #require(source.range(of: "// README-EXAMPLE-END"))
    let example = source[begin.upperBound..<end.lowerBound]
    let text = try String(contentsOfFile: Fixtures.checkout + "/README.md", encoding: .utf8)
    #expect(text.contains("```swift\nimport Leaflog\n\n\(example)```"))
  }
}

@Suite struct LibraryTests {
  @Test func `a library is made once and found again`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("diary")
    let missing = #expect(throws: LeaflogError.self) { try Library.open(at: path) }
    #expect(missing?.code == .noLibrary)
    let zone = try #require(TimeZone(identifier: "Asia/Tokyo"))
    try Library.create(at: path, Library.Settings(policy: .lossless, timeZone: zone)).close()
    let again = #expect(throws: LeaflogError.self) { try Library.create(at: path) }
    #expect(again?.code == .libraryExists)
    let library = try Library.open(at: path, for: .reading)
    #expect(library.policy == .lossless)
    #expect(library.timeZone == zone)
  }

  @Test(arguments: ["photo.jpg", "photo.jpg/library", "photo.jpg/a/b"])
  func `a library cannot be made below a file`(name: String) throws {
    let folder = try TemporaryFolder()
    try folder.copy("Orientation/1.jpg", to: "photo.jpg")
    let error = #expect(throws: LeaflogError.self) { try Library.create(at: folder.file(name)) }
    #expect(error?.code == .failed)
    #expect(error?.message.contains("Not a directory") == true, "\(error?.message ?? "")")
    #expect(folder.files() == ["photo.jpg"])
  }

  @Test(arguments: ["/proc/leaflog/library", "/proc/self/library"])
  func `a library cannot be made where there are no folders to make`(path: String) throws {
    let error = #expect(throws: LeaflogError.self) { try Library.create(at: path) }
    // Who is not root may not write there anyway.
    #expect(error?.code == (geteuid() == 0 ? .failed : .readOnly))
  }

  @Test func `a library that lost its marker is not made anew over its entries`() async throws {
    let fixture = try LibraryFixture()
    _ = try await fixture.run([Fixtures.path("Photos/basil")])
    try fixture.library.close()
    try FileManager.default.removeItem(atPath: fixture.library.path + "/leaflog.json")
    let error = #expect(throws: LeaflogError.self) {
      try Library.create(at: fixture.library.path)
    }
    #expect(error?.code == .markerMissing)
  }

  @Test func `folders that somebody removed are made again`() async throws {
    let fixture = try LibraryFixture()
    try fixture.library.close()
    try FileManager.default.removeItem(atPath: fixture.library.path + "/tmp")
    let library = try Library.open(at: fixture.library.path)
    let request = ImportRequest(paths: [Fixtures.path("Photos/basil")])
    #expect(try await Importer(library).run(request) { _ in }.added == 4)
  }

  @Test func `a library from the future is refused`() throws {
    let folder = try TemporaryFolder()
    try Library.create(at: folder.path).close()
    try folder.write(Data(#"{"format": 2, "id": "x"}"#.utf8), to: "leaflog.json")
    let error = #expect(throws: LeaflogError.self) { try Library.open(at: folder.path) }
    #expect(error?.code == .tooNew)
    try folder.write(Data("{".utf8), to: "leaflog.json")
    let damaged = #expect(throws: LeaflogError.self) { try Library.open(at: folder.path) }
    #expect(damaged?.code == .damaged)
  }

  @Test func `a library opened for reading is not written`() async throws {
    let fixture = try LibraryFixture()
    try fixture.library.close()
    let library = try Library.open(at: fixture.library.path, for: .reading)
    let outcomes = Outcomes()
    // At once, and not photo by photo.
    let refused = await #expect(throws: LeaflogError.self) {
      try await Importer(library).run(ImportRequest(paths: [Fixtures.path("Photos/basil")])) {
        outcomes.add($0)
      }
    }
    #expect(refused?.code == .readOnly && outcomes.list.isEmpty)
    let recompressed = await #expect(throws: LeaflogError.self) {
      try await Recompressor(library).run(RecompressRequest(policy: .exact)) { _ in }
    }
    #expect(recompressed?.code == .readOnly)
    var preview = ImportRequest(paths: [Fixtures.path("Photos/basil")])
    preview.isDryRun = true
    #expect(try await Importer(library).run(preview) { outcomes.add($0) }.added > 0)
  }

  @Test(arguments: [0, -1, .min, .max, 1001])
  func `a number of entries that no page has is an error`(limit: Int) throws {
    let timeline = try LibraryFixture().library.timeline
    for ask in [
      { _ = try timeline.page(limit: limit) },
      { _ = try timeline.search("x", limit: limit) },
      { _ = try timeline.sample(TimelineQuery(), count: limit) },
    ] as [() throws -> Void] {
      let refused = #expect(throws: LeaflogError.self) { try ask() }
      #expect(refused?.code == .invalidRequest)
    }
  }

  @Test(arguments: [-1, .min, .max, 100_001])
  func `a number of entries that no list of stacks has is an error`(limit: Int) throws {
    let timeline = try LibraryFixture().library.timeline
    let refused = #expect(throws: LeaflogError.self) {
      try timeline.entries(TimelineQuery(), stacking: [], limit: limit)
    }
    #expect(refused?.code == .invalidRequest)
    #expect(try timeline.entries(TimelineQuery(), stacking: [], limit: 0).entries.isEmpty)
  }

  @Test(arguments: [Double.nan, .infinity, -1, 101, -.greatestFiniteMagnitude])
  func `a target that no score can reach is an error`(score: Double) async throws {
    let fixture = try LibraryFixture()
    let refused = await #expect(throws: LeaflogError.self) {
      _ = try await fixture.run { $0.targetScore = score }
    }
    #expect(refused?.code == .invalidRequest)
    var request = RecompressRequest(policy: .compact)
    request.targetScore = score
    let recompressed = await #expect(throws: LeaflogError.self) {
      try await Recompressor(fixture.library).run(request) { _ in }
    }
    #expect(recompressed?.code == .invalidRequest)
    // Below 0, a photo may grow.
    (request.targetScore, request.minSaving) = (80, score < 0 ? -.infinity : score)
    let saving = await #expect(throws: LeaflogError.self) {
      try await Recompressor(fixture.library).run(request) { _ in }
    }
    #expect(saving?.code == .invalidRequest)
  }

  @Test func `the cache of previews keeps within its bound, what was looked at last stays`() throws
  {
    let folder = try TemporaryFolder()
    let cache = PreviewCache(folder: folder.path, limit: 250)
    let ids = (0..<4).map { _ in EntryID.random() }
    let source = PendingBlob(hashing: SharedBytes(copying: [1])).id
    for (number, id) in ids.prefix(2).enumerated() {
      try cache.put(Data(repeating: UInt8(number), count: 100), for: id, of: source)
      try age(folder.file("\(id)-\(source.hex.prefix(16)).jpg"), by: 100 - Double(number))
    }
    #expect(cache.get(ids[0], of: source) == Data(repeating: 0, count: 100))
    // One that was made of another file is none.
    #expect(cache.get(ids[0], of: PendingBlob(hashing: SharedBytes(copying: [2])).id) == nil)
    try cache.put(Data(repeating: 2, count: 100), for: ids[2], of: source)
    #expect(cache.get(ids[1], of: source) == nil)
    #expect(cache.get(ids[0], of: source) != nil && cache.get(ids[2], of: source) != nil)
    #expect(try cache.contents().reduce(0) { $0 + $1.byteCount } <= 250)
  }

  private func age(_ path: String, by seconds: Double) throws {
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -seconds)], ofItemAtPath: path)
  }

  @Test func `pages have one to a thousand entries`() throws {
    let folder = try TemporaryFolder()
    let timeline = try Library.create(at: folder.path).timeline
    for limit in [0, -1, 1001] {
      let error = #expect(throws: LeaflogError.self) { try timeline.page(limit: limit) }
      #expect(error?.code == .invalidRequest)
    }
  }
}
