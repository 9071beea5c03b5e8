import Foundation
import Leaflog
import Synchronization
import TestSupport
import Testing

// These functions stand in the articles about the library as they are here; `LibraryGuideTests` compares.
func saveDiary(of library: Library, to file: URL) throws -> Int {
  guard FileManager.default.createFile(atPath: file.path, contents: nil) else {
    throw CocoaError(.fileWriteUnknown)
  }
  let handle = try FileHandle(forWritingTo: file)
  defer { try? handle.close() }
  return try DiaryExporter(library).writeJSON(into: .handle(handle)).byteCount
}

func importRoses(_ folder: String, into library: Library) async throws -> [String] {
  var request = ImportRequest(paths: [folder])
  (request.plant, request.note) = (.named("Rose"), "from the old phone")
  let failures = Mutex<[String]>([])
  let summary = try await Importer(library).run(request) { outcome in
    guard case .failed(_, let message) = outcome.result else { return }
    failures.withLock { $0.append("\(outcome.path): \(message)") }
  }
  print("\(summary.added) new, \(summary.duplicate) known, \(summary.failed) failed")
  return failures.withLock { $0 }
}

func importPhoto(_ photo: Data, named name: String, into library: Library) async throws -> EntryID?
{
  var request = ImportRequest()
  request.plant = .named("Rose")
  let outcome = try await Importer(library).run(photo, named: name, request)
  switch outcome.result {
  case .added(let photo): return photo.id
  case .duplicate(let id), .updated(let id), .restored(let id): return id
  case .skipped, .failed: return nil
  @unknown default: return nil
  }
}

func previewImport(of folder: String, in library: Library) async throws -> [String] {
  var request = ImportRequest(paths: [folder])
  request.isDryRun = true
  let lines = Mutex<[String]>([])
  _ = try await Importer(library).run(request) { outcome in
    guard case .added(let photo) = outcome.result else { return }
    let doubts = outcome.warnings.map(\.explanation)
    let line = [photo.time.localDay.description, photo.plantName ?? "no plant"] + doubts
    lines.withLock { $0.append(line.joined(separator: ", ")) }
  }
  return lines.withLock { $0.sorted() }
}

func importAll(from folder: String, into library: Library) async throws -> ImportSummary {
  try await Importer(library).watch(ImportRequest(paths: [folder])) { event in
    switch event {
    case .file(let outcome): print("Read \(outcome.path).")
    case .notice(let notice): print(notice.explanation)
    case .caughtUp, .rested, .ended: break
    @unknown default: break
    }
  }
}

func send(_ folder: String, to address: String, token: String) async throws -> Int {
  let service = try await Library.work { try RemoteLibrary(address, token: token) }
  return try await Importer(service).run(ImportRequest(paths: [folder])) { _ in }.added
}

func follow(_ shown: Set<EntryID>, in library: Library) async throws -> [Entry]? {
  for try await commit in try library.history.commits() {
    guard let touched = commit.entries else { return nil }
    let ids = touched.filter { shown.contains($0.id) && $0.fate == .changed }.map(\.id)
    guard !ids.isEmpty else { continue }
    return try await library.read { library in try ids.map { try library.diary.entry($0) } }
  }
  return []
}

func tagAll(_ ids: [EntryID], with tag: String, in library: Library) async throws -> Int {
  try await library.write { library in
    var count = 0
    for id in ids {
      if Task.isCancelled { break }
      _ = try library.photos.edit(id, tags: [tag])
      count += 1
    }
    return count
  }
}

func springLibrary() throws -> Library {
  let noon = Timestamp(milliseconds: 1_745_236_800_000)  // 21 April 2025
  return try Library.temporary(
    Library.Settings(timeZone: .gmt), clock: WallClock { noon })
}

func missedDays() throws -> [Bool] {
  let now = Mutex(Timestamp(milliseconds: 1_745_236_800_000))
  let library = try Library.temporary(
    Library.Settings(timeZone: .gmt), clock: WallClock { now.withLock { $0 } })
  let watering = try library.activities.add(
    ActivityDetails(name: "water", startFrom: library.today, everyDays: 3))
  _ = try library.activities.complete(watering.id)
  let days = try [2, 3, 4].map { day in
    now.withLock { $0 = Timestamp(milliseconds: 1_745_236_800_000 + Int64(day) * 86_400_000) }
    return try library.activities.find(watering.id).isDue(on: library.today)
  }
  try library.close()
  return days
}

func addPhoto(of plant: String, on day: LocalDay, to library: Library) async throws -> FileOutcome {
  // A GIF of one pixel, whose colour is the number of the day.
  let number = day.dayNumber
  let colour = [number >> 16, number >> 8, number].map { UInt8(truncatingIfNeeded: $0) }
  let head = Data("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0]
  let pixel: [UInt8] = [0, 0, 0, 0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3B]
  var request = ImportRequest()
  (request.plant, request.time) = (.named(plant), .day(day))
  return try await Importer(library).run(head + colour + pixel, named: "drawn.gif", request)
}

func isTakenBack(_ body: (Library) throws -> Void, in library: Library) throws -> Bool {
  let before = try summary(of: library)
  try library.change("test", body)
  try library.history.undo()
  return try summary(of: library) == before
}

@Suite struct ArticleTests {
  @Test func `a library of a test has the day that the test says`() throws {
    let library = try springLibrary()
    #expect(library.today == LocalDay("2025-04-21"))
    try library.close()
    #expect(!FileManager.default.fileExists(atPath: library.path))
    #expect(try missedDays() == [false, true, true])
  }

  @Test func `photos come from folders and from memory, and the diary goes into an open file`()
    async throws
  {
    let library = try springLibrary()
    let folder = try TemporaryFolder()
    try folder.copy("Photos/basil/20250510T120006+0100.jpg", to: "photos/a.jpg")
    try folder.write(Data("no photo".utf8), to: "photos/b.jpg")
    let failures = try await importRoses(folder.file("photos"), into: library)
    #expect(failures.count == 1 && failures[0].contains("b.jpg: "))
    let photo = try #require(try library.timeline.page(limit: 2).elements.first)
    #expect(photo.plant?.name == "Rose" && photo.notes == "from the old phone")
    let bytes = try Fixtures.data("Photos/basil/20250510T120006+0100.jpg")
    #expect(try await importPhoto(bytes, named: "c.jpg", into: library) == photo.id)
    #expect(try await importPhoto(Data("none".utf8), named: "d.jpg", into: library) == nil)
    let file = URL(fileURLWithPath: folder.file("diary.json"))
    let byteCount = try saveDiary(of: library, to: file)
    #expect(try Data(contentsOf: file).count == byteCount)
    try library.close()
  }

  @Test func `the entries that are shown are read again when they have changed`() async throws {
    let library = try springLibrary()
    let folder = try TemporaryFolder()
    try folder.copy("Photos/basil/20250510T120006+0100.jpg", to: "photos/a.jpg")
    _ = try await importRoses(folder.file("photos"), into: library)
    let photo = try #require(try library.timeline.page(limit: 1).elements.first)
    // Whenever the other begins: an edit that comes before it is made once more.
    let following = Task { try await follow([photo.id], in: library) }
    let editing = Task {
      var number = 0
      while !Task.isCancelled {
        number += 1
        _ = try await tagAll([photo.id], with: "tag \(number)", in: library)
      }
    }
    let entries = try await following.value
    editing.cancel()
    #expect(entries?.map(\.id) == [photo.id] && entries?.first?.tags.count == 1)
    _ = try? await editing.value
    try library.close()
  }

  @Test func `a dry run tells the dates that photos would get, and changes nothing`() async throws {
    let library = try springLibrary()
    let folder = try TemporaryFolder()
    try folder.copy("Photos/monstera/IMG_0001.jpg", to: "photos/monstera/IMG_0001.jpg")
    let undated = try folder.copy("Orientation/1.jpg", to: "photos/fern/a.jpg")
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_743_465_600)], ofItemAtPath: undated)
    let lines = try await previewImport(of: folder.file("photos"), in: library)
    #expect(lines.count == 2 && lines.contains { $0.hasPrefix("2025-04-02, monstera") })
    #expect(lines.first?.hasPrefix("2025-04-01, fern, the date is a guess") == true)
    #expect(try library.plants.all().isEmpty)
    try library.close()
  }

  @Test func `a watched folder is imported until the task is cancelled`() async throws {
    let library = try springLibrary()
    let folder = try TemporaryFolder()
    try folder.copy("Orientation/1.jpg", to: "photos/fern/a.jpg")
    let watching = Task { try await importAll(from: folder.file("photos"), into: library) }
    for try await plants in try library.values(of: { try $0.plants.all() })
    where plants.contains(where: { $0.name == "fern" }) { break }
    watching.cancel()
    #expect(try await watching.value.added == 1)
    try library.close()
  }

  @Test func `a service that does not answer is an error of the whole import`() async throws {
    for (address, code) in [
      ("http://127.0.0.1:1", LeaflogError.Code.unreachable), ("ftp://example.org", .invalidRequest),
    ] {
      await #expect {
        try await send(Fixtures.path("Photos"), to: address, token: "none")
      } throws: {
        ($0 as? LeaflogError)?.code == code
      }
    }
  }

  @Test func `photos are drawn for a test, and a state is compared`() async throws {
    let library = try springLibrary()
    for day in [library.today, library.today.advanced(by: -1)] {
      guard case .added = try await addPhoto(of: "basil", on: day, to: library).result else {
        Issue.record("no photo of \(day)")
        continue
      }
    }
    let photos = try latestPhotos(of: "basil", in: library)
    #expect(photos.map(\.time.localDay) == [LocalDay("2025-04-21"), LocalDay("2025-04-20")])
    #expect(
      try isTakenBack({ _ = try $0.diary.setMood(.happy, on: $0.today) }, in: library))
    #expect(try isTakenBack({ try repot("basil", into: "a red pot", in: $0) }, in: library))
    try library.close()
  }
}
