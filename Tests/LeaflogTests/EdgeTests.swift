import Foundation
import Leaflog
import TestSupport
import Testing

/// The edges of the library towards a program: addresses of files, dates, bytes in memory, open files, and folders that
/// go by themselves.
@Suite struct EdgeTests {
  private static let noon = Timestamp(milliseconds: 1_750_000_000_123)

  private static func library() throws -> Library {
    try Library.temporary(Library.Settings(timeZone: .gmt), clock: WallClock { noon })
  }

  @Test func `a library is made and opened by the address of its folder`() throws {
    let folder = try TemporaryFolder()
    let address = URL(fileURLWithPath: folder.file("my garden, 50 % ü"))
    #expect(!Library.exists(at: address))
    try Library.create(at: address, Library.Settings(timeZone: .gmt)).close()
    #expect(Library.exists(at: address))
    let library = try Library.open(at: address, for: .reading)
    #expect(library.path == folder.file("my garden, 50 % ü"))
    try library.close()
    let other = try #require(URL(string: "https://example.org/garden"))
    #expect(!Library.exists(at: other))
    #expect(throws: LeaflogError.self) { try Library.open(at: other) }
    #expect { try Library.create(at: other) } throws: {
      ($0 as? LeaflogError)?.code == .invalidRequest
    }
  }

  @Test func `a moment is the same after it was a date`() throws {
    for milliseconds: Int64 in [0, -1, 1, 1_750_000_000_123, -62_135_596_800_000] {
      let moment = Timestamp(milliseconds: milliseconds)
      #expect(Timestamp(Date(moment)) == moment)
    }
    for seconds in stride(from: 1_700_000_000.001, to: 1_800_000_000, by: 1_234_567.891) {
      let moment = try #require(Timestamp(Date(timeIntervalSince1970: seconds)))
      #expect(Timestamp(Date(moment)) == moment)
    }
    for seconds in [Double.nan, .infinity, -.infinity, 1e300, -1e300, 1e16] {
      #expect(Timestamp(Date(timeIntervalSince1970: seconds)) == nil)
    }
    for moment in [Timestamp(milliseconds: .max), Timestamp(milliseconds: .min)] {
      #expect(Date(moment).timeIntervalSince1970.isFinite)
    }
  }

  @Test func `a temporary library's folder is its owner's, and goes when it is closed`() throws {
    let library = try Self.library()
    let path = library.path
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
    #expect(mode as? Int == 0o700)
    _ = try library.plants.add(PlantDetails(name: "Basil"))
    // Another library in the same folder does not take it away.
    try Library.open(at: path, for: .reading).close()
    #expect(FileManager.default.fileExists(atPath: path))
    try library.close()
    #expect(!FileManager.default.fileExists(atPath: path))
    try library.close()
  }

  @Test func `a temporary library that is not closed goes with its last reference`() throws {
    /// Makes a library, and leaves it.
    func path() throws -> String {
      let library = try Self.library()
      _ = try library.plants.add(PlantDetails(name: "Basil"))
      #expect(FileManager.default.fileExists(atPath: library.path))
      return library.path
    }
    #expect(!FileManager.default.fileExists(atPath: try path()))
  }

  @Test func `a temporary library is not in an object store`() throws {
    let fixture = try ObjectLibraryFixture(.memory)
    let settings = Library.Settings(store: fixture.settings)
    #expect { try Library.temporary(settings) } throws: {
      ($0 as? LeaflogError)?.code == .invalidRequest
    }
  }
}

/// Photos that are in memory.
@Suite struct MemoryImportTests {
  private func bytes(_ name: String = "Photos/basil") throws -> (name: String, data: Data) {
    let folder = Fixtures.path(name)
    let file = try #require(
      FileManager.default.contentsOfDirectory(atPath: folder).sorted().first {
        $0.hasSuffix(".jpg")
      })
    return (file, try Data(contentsOf: URL(fileURLWithPath: folder + "/" + file)))
  }

  @Test func `a photo in memory is imported as its file is`() async throws {
    let (fixture, other) = (try LibraryFixture(), try LibraryFixture())
    let (name, data) = try bytes()
    var request = ImportRequest()
    (request.plant, request.note) = (.named("Basil"), "from memory")
    let outcome = try await Importer(fixture.library).run(data, named: "phone/" + name, request)
    guard case .added(let photo) = outcome.result else { throw Failure(outcome) }
    #expect(outcome.path == name)
    request.paths = [Fixtures.path("Photos/basil/" + name)]
    _ = try await Importer(other.library).run(request) { _ in }
    let entry = try fixture.library.photos.find(photo.id)
    let same = try other.library.photos.find(photo.id)
    #expect(entry.entry.time == same.entry.time && entry.renditions == same.renditions)
    #expect(entry.entry.plant?.name == "Basil" && entry.entry.notes == "from memory")
    #expect(entry.originalName == name && entry.sourcePaths.isEmpty)
    let again = try await Importer(fixture.library).run(data, named: name)
    #expect(again.result == .duplicate(photo.id))
    #expect(try fixture.library.timeline.page(limit: 5).elements.count == 1)
  }

  @Test func `the file's name and time date a photo without a date of its own`() async throws {
    let fixture = try LibraryFixture()
    let plain = try Fixtures.data("Score/scored.png")
    let moment = try #require(Timestamp(Date(timeIntervalSince1970: 1_600_000_000)))
    let outcome = try await Importer(fixture.library).run(
      plain, named: "scan.png", modifiedAt: moment)
    guard case .added(let photo) = outcome.result else { throw Failure(outcome) }
    #expect(photo.captureSource == .mtime && photo.time.instant == moment)
  }

  @Test func `a dry run stores nothing, and a file that is no photo has its reason`() async throws {
    let fixture = try LibraryFixture()
    let (name, data) = try bytes()
    var dry = ImportRequest()
    dry.isDryRun = true
    let outcome = try await Importer(fixture.library).run(data, named: name, dry)
    guard case .added = outcome.result else { throw Failure(outcome) }
    #expect(try fixture.library.timeline.page(limit: 5).elements.isEmpty)
    let text = try await Importer(fixture.library).run(Data("rose".utf8), named: "rose.jpg")
    guard case .failed = text.result else { throw Failure(text) }
    let hidden = try await Importer(fixture.library).run(data, named: "._rose.jpg")
    guard case .skipped = hidden.result else { throw Failure(hidden) }
    for change in [{ $0.paths = ["/"] }, { $0.movesFiles = true }]
      as [(inout ImportRequest) -> Void]
    {
      var request = ImportRequest()
      change(&request)
      await #expect {
        try await Importer(fixture.library).run(data, named: name, request)
      } throws: {
        ($0 as? LeaflogError)?.code == .invalidRequest
      }
    }
  }

  @Test func `many at a time, some of them the same photo, are one entry each`() async throws {
    let fixture = try LibraryFixture()
    let folder = Fixtures.path("Photos/basil")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter {
      $0.hasSuffix(".jpg")
    }
    let importer = Importer(fixture.library)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for name in names + names {
        group.addTask {
          let data = try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name))
          let outcome = try await importer.run(data, named: name)
          if case .failed = outcome.result { throw Failure(outcome) }
        }
      }
      try await group.waitForAll()
    }
    #expect(try fixture.library.timeline.page(limit: 50).elements.count == names.count)
  }

  private struct Failure: Error {
    let outcome: FileOutcome
    init(_ outcome: FileOutcome) { self.outcome = outcome }
  }
}

/// Snapshots of the catalog that nobody asks for.
@Suite struct OwnSnapshotTests {
  @Test func `closing a library that has changed takes a snapshot`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("library")
    let clock = WallClock { Timestamp(milliseconds: 1_750_000_000_000) }
    let library = try Library.create(at: path, Library.Settings(timeZone: .gmt), clock: clock)
    _ = try library.plants.add(PlantDetails(name: "Basil"))
    try library.close()
    let later = WallClock { Timestamp(milliseconds: 1_750_000_000_000 + 86_400_000) }
    let reader = try Library.open(at: path, clock: later)
    #expect(try reader.store.snapshots().count == 1)
    _ = try reader.plants.all()
    try reader.close()
    let writer = try Library.open(at: path, clock: later)
    #expect(try writer.store.snapshots().count == 1, "nothing had changed")
    _ = try writer.plants.add(PlantDetails(name: "Mint"))
    try writer.close()
    #expect(try Library.open(at: path, for: .reading).store.snapshots().count == 2)
  }

  @Test func `an import takes one by itself, a dry run none`() async throws {
    let folder = try TemporaryFolder()
    let library = try Library.create(at: folder.file("library"))
    let before = try library.store.snapshots()
    var request = ImportRequest(paths: [Fixtures.path("Photos/basil")])
    request.isDryRun = true
    _ = try await Importer(library).run(request) { _ in }
    #expect(try library.store.snapshots() == before)
    request.isDryRun = false
    _ = try await Importer(library).run(request) { _ in }
    #expect(try library.store.snapshots().count == before.count + 1)
    try library.close()
  }
}

/// Exports into open files.
@Suite struct OpenFileExportTests {
  @Test func `an open file gets the bytes that a path gets, after those that it has`() throws {
    let fixture = try LibraryFixture()
    _ = try fixture.library.plants.add(PlantDetails(name: "Basil"))
    _ = try fixture.library.diary.setMood(.happy, on: fixture.library.today)
    let (path, open) = (fixture.folder.file("a.json"), fixture.folder.file("b.json"))
    let exporter = DiaryExporter(fixture.library)
    let written = try exporter.writeJSON(into: .file(path))
    #expect(FileManager.default.createFile(atPath: open, contents: Data("# ".utf8)))
    let handle = try #require(FileHandle(forWritingAtPath: open))
    try handle.seekToEnd()
    let summary = try exporter.writeJSON(into: .handle(handle))
    try handle.write(contentsOf: Data("end".utf8))
    try handle.close()
    #expect(summary == written)
    let expected =
      Data("# ".utf8) + (try Data(contentsOf: URL(fileURLWithPath: path))) + Data("end".utf8)
    #expect(try Data(contentsOf: URL(fileURLWithPath: open)) == expected)
  }

  @Test func `a file that cannot be written is an error of the library`() throws {
    let fixture = try LibraryFixture()
    let path = fixture.folder.file("a.json")
    #expect(FileManager.default.createFile(atPath: path, contents: Data()))
    let reading = try #require(FileHandle(forReadingAtPath: path))
    #expect { try DiaryExporter(fixture.library).writeJSON(into: .handle(reading)) } throws: {
      ($0 as? LeaflogError)?.code == .failed
    }
    let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
    #expect { try DiaryExporter(fixture.library).writeJSON(into: .handle(full)) } throws: {
      ($0 as? LeaflogError)?.code == .noSpace
    }
  }
}
