import BlobStorage
import DiaryCatalog
import Foundation
import Imaging
import Leaflog
import Synchronization
import SystemPackage
import TestSupport
import Testing

/// Collects what an import reports.
final class Outcomes: Sendable {
  private let all = Mutex<[FileOutcome]>([])

  func add(_ outcome: FileOutcome) { all.withLock { $0.append(outcome) } }

  var list: [FileOutcome] { all.withLock { $0 } }

  func of(_ suffix: String) -> FileOutcome? { list.first { $0.path.hasSuffix(suffix) } }
}

/// A library in a folder of its own, and photos to put into it beside it. Snapshots of its catalog are taken by tests only.
struct LibraryFixture {
  let folder: TemporaryFolder
  /// The library's.
  let clock = TestClock()
  let library: Library

  init(
    policy: StoragePolicy = .compact, timeZone: TimeZone = .ofTestLibraries,
    files: any FileSystem = POSIXFileSystem()
  ) throws {
    folder = try TemporaryFolder()
    library = try Library.create(
      at: folder.file("library"), Library.Settings(policy: policy, timeZone: timeZone),
      clock: clock.wallClock, files: files, takesSnapshots: false)
  }

  var photos: String { folder.file("photos") }

  func run(
    _ paths: [String]? = nil, _ change: (inout ImportRequest) -> Void = { _ in }
  ) async throws -> (summary: ImportSummary, outcomes: Outcomes) {
    var request = ImportRequest(paths: paths ?? [photos])
    change(&request)
    let outcomes = Outcomes()
    let summary = try await Importer(library).run(request) { outcomes.add($0) }
    return (summary, outcomes)
  }

  func entries(_ query: TimelineQuery = TimelineQuery()) throws -> [Entry] {
    try library.timeline.page(query, limit: 1000).elements
  }

  var storedFiles: [String] { folder.files(below: "library/blobs") }
}

extension FileOutcome {
  var added: ImportedPhoto? { if case .added(let photo) = result { photo } else { nil } }
  var failure: FailureReason? { if case .failed(let reason, _) = result { reason } else { nil } }
  var skip: SkipReason? { if case .skipped(let reason) = result { reason } else { nil } }
}

@Suite struct ImporterTests {
  @Test func `a photo whose copy in the library is damaged is not moved`() async throws {
    let fixture = try LibraryFixture(policy: .exact)
    let photo = try fixture.folder.copy("Photos/monstera/IMG_0001.jpg", to: "photos/1.jpg")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: photo))
    _ = try await fixture.run()
    let blob = PendingBlob(hashing: SharedBytes(copying: bytes))
    let store = LocalBlobStore(root: FilePath(fixture.library.path))
    try Data(bytes.reversed()).write(to: URL(fileURLWithPath: store.place(of: blob.id)))
    _ = try await fixture.run { $0.movesFiles = true }
    #expect(FileManager.default.fileExists(atPath: photo))
  }

  @Test func `of photos whose names differ in case alone, each has its own sidecar`() async throws {
    let fixture = try LibraryFixture(policy: .exact)
    var days: Set<String> = []
    for (number, name) in ["IMG_7.JPG", "img_7.jpg"].enumerated() {
      try fixture.folder.copy("Photos/monstera/IMG_000\(number + 1).jpg", to: "photos/" + name)
      let day = "2020-03-0\(number + 1)"
      days.insert(day)
      let packet = XMPPacket(
        time: try #require(RecordedTime(day + "T12:00:00")), notes: nil, plant: nil)
      try fixture.folder.write(Data(packet.bytes), to: "photos/\(name).xmp")
    }
    _ = try await fixture.run()
    let page = try fixture.library.timeline.page(limit: 9)
    #expect(Set(page.elements.map(\.time.localDay.description)) == days)
  }

  @Test func `frames of one second keep the order of their names, whenever they come`() async throws
  {
    let fixture = try LibraryFixture()
    let photo = try Fixtures.data("Orientation/1.jpg")
    for number in [7, 2, 10, 0, 9, 1, 8, 3] {
      let path = try fixture.folder.write(
        photo + Data(repeating: 0, count: number + 1),
        to: "photos/fern/cam-20260301120000-\(number).jpg")
      _ = try await fixture.run([path])
    }
    for number in [6, 4, 5, 11] {
      try fixture.folder.write(
        photo + Data(repeating: 0, count: number + 1),
        to: "photos/fern/cam-20260301120000-\(number).jpg")
    }
    _ = try await fixture.run()
    let names = try fixture.entries(TimelineQuery(order: .oldestFirst)).map {
      try fixture.library.photos.find($0.id).originalName
    }
    #expect(names == (0...11).map { "cam-20260301120000-\($0).jpg" })
  }

  @Test func `where the clock is behind the library, dates are taken as they are`() async throws {
    let fixture = try LibraryFixture()
    for (number, time) in ["2026-03-01T10:05Z", "1970-01-01T00:05Z", "2026-02-27T10:00Z"]
      .enumerated()
    {
      fixture.clock.set(try #require(RecordedTime(time)))
      let path = try fixture.folder.write(
        Fixtures.data("Orientation/1.jpg") + Data(repeating: 0, count: number + 1),
        to: "photos/2026030\(number + 1)_100000.jpg")
      let (summary, outcomes) = try await fixture.run([path])
      #expect(outcomes.list.first?.warnings == [])
      let found = try #require(outcomes.list.first?.added?.time)
      #expect(found.wall.description == "2026-03-0\(number + 1)T10:00:00")
      #expect((summary.clockWarning == nil) == (number == 0))
    }
  }

  @Test func `a damaged file that nothing knows is written anew`() async throws {
    let fixture = try LibraryFixture(policy: .exact)
    let photo = Fixtures.path("Photos/monstera/IMG_0001.jpg")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: photo))
    let blob = PendingBlob(hashing: SharedBytes(copying: bytes))
    let store = LocalBlobStore(root: FilePath(fixture.library.path))
    try store.put([blob])
    let place = URL(fileURLWithPath: store.place(of: blob.id))
    try Data(bytes.reversed()).write(to: place)
    _ = try await fixture.run([photo])
    #expect(try Data(contentsOf: place) == bytes)
  }

  @Test func `a time that is given holds for all photos, a day keeps their times of day`()
    async throws
  {
    let fixture = try LibraryFixture()
    // From a sidecar at 18:30, from EXIF, and from a modification time alone.
    let tomato = Fixtures.path("Photos/tomato")
    let bare = try fixture.folder.write(
      Fixtures.data("Orientation/1.jpg") + Data([0]), to: "photos/bare.jpg")
    let before = try await fixture.run([tomato, bare]) { $0.isDryRun = true }
    let times = before.outcomes.list.compactMap(\.added).reduce(into: [EntryID: EntryTime]()) {
      $0[$1.id] = $1.time
    }
    let day = try #require(LocalDay("2024-02-03"))
    let result = try await fixture.run([tomato, bare]) { $0.time = .day(day) }
    let added = result.outcomes.list.compactMap(\.added)
    #expect(added.count == times.count && added.count > 2)
    for photo in added {
      #expect(photo.captureSource == .manual && photo.time.localDay == day)
      let isBare = photo.id == result.outcomes.of("bare.jpg")?.added?.id
      let clock = isBare ? 0 : times[photo.id]?.wall.millisecondOfDay
      #expect(photo.time.wall.millisecondOfDay == clock)
    }
    #expect(result.outcomes.of("bare.jpg")?.warnings == [.dateWithoutTime])
    let other = try LibraryFixture()
    let time = try #require(RecordedTime("2024-02-03T10:20:30+02:00"))
    let exact = try await other.run([tomato, bare]) { $0.time = time }
    #expect(exact.outcomes.list.compactMap(\.added).allSatisfy { $0.time.recorded == time })
    let future = try #require(RecordedTime("2999-01-01"))
    await #expect(throws: LeaflogError.self) { try await other.run { $0.time = future } }
  }

  @Test func `the sample photos come in with the right dates, plants and notes`() async throws {
    let fixture = try LibraryFixture()
    let (summary, outcomes) = try await fixture.run([Fixtures.path("Photos")])
    #expect(summary.added == 13)
    #expect(summary.duplicate == 1)
    #expect(summary.failed == 0)
    for answer in Answers.all.photos where !answer.path.contains("DSC_0102") {
      let photo = try #require(outcomes.of(answer.path)?.added)
      #expect(photo.plantName == answer.plant)
      #expect(photo.time.recorded.iso8601 == answer.capturedAt)
      #expect(photo.captureSource.rawValue == answer.captureSource)
      #expect(photo.storedByteCount < photo.sourceByteCount)
    }
    let entries = try fixture.entries()
    #expect(Set(entries.compactMap(\.notes)) == ["first flower", "three green tomatoes"])
    #expect(entries.map(\.time.instant) == entries.map(\.time.instant).sorted(by: >))
    #expect(try fixture.library.plants.all().map(\.name) == ["basil", "monstera", "tomato"])
    #expect(outcomes.of("notes.txt")?.skip == .notAnImage)
    #expect(outcomes.of("DSC_0101.xmp")?.skip == .sidecar)
    #expect(outcomes.of("123.jpg.json")?.skip == .sidecar)
  }

  @Test func `importing again adds nothing and reads nothing`() async throws {
    let fixture = try LibraryFixture()
    try fixture.folder.copy("Photos/monstera/IMG_0001.jpg", to: "photos/fern/a.jpg")
    let id = try #require(try await fixture.run().outcomes.list[0].added).id
    let stored = fixture.storedFiles
    let (summary, outcomes) = try await fixture.run()
    #expect(summary.duplicate == 1 && summary.added == 0 && summary.failed == 0)
    #expect(outcomes.list.map(\.result) == [.duplicate(id)])
    #expect(fixture.storedFiles == stored)
  }

  @Test func `a file that was edited in place is read again, even if its time was kept`()
    async throws
  {
    let fixture = try LibraryFixture()
    let pictures = try ["IMG_0001", "IMG_0002"]
      .map { URL(fileURLWithPath: Fixtures.path("Photos/monstera/\($0).jpg")) }
      .map { try Data(contentsOf: $0) }
    // Bytes behind the end of a JPEG's picture do not matter to it.
    let size = pictures.map(\.count).max() ?? 0
    let padded = pictures.map { $0 + Data(count: size - $0.count) }
    try fixture.folder.write(padded[0], to: "photos/fern/a.jpg")
    let photo = fixture.folder.file("photos/fern/a.jpg")
    #expect(try await fixture.run().summary.added == 1)
    var status = stat()
    #expect(stat(photo, &status) == 0)
    let handle = try #require(FileHandle(forWritingAtPath: photo))
    try handle.write(contentsOf: padded[1])
    try handle.close()
    #expect(utimensat(AT_FDCWD, photo, [status.st_atim, status.st_mtim], 0) == 0)
    let (summary, _) = try await fixture.run()
    #expect(summary.added == 1 && summary.duplicate == 0)
    // It is known as it is now.
    #expect(try await fixture.run().summary.duplicate == 1)
  }

  @Test func `a photo that is its own thumbnail is stored once`() async throws {
    for (policy, blobCount) in [(StoragePolicy.compact, 1), (.exact, 1), (.lossless, 2)] {
      let fixture = try LibraryFixture(policy: policy)
      let (summary, _) = try await fixture.run([Fixtures.path("Colour/srgb.jpg")])
      let entry = try #require(try fixture.entries().first)
      // Its size is told once, too.
      let storedByteCount = try fixture.library.store.statistics().storedByteCount
      #expect(summary.storedByteCount == storedByteCount)
      #expect(entry.photo?.storedByteCount == storedByteCount)
      let photo = try fixture.library.photos.find(entry.id)
      #expect(photo.renditions.map(\.role).contains(.thumbnail))
      #expect(Set(photo.renditions.map(\.blob)).count == blobCount)
      #expect(try !fixture.library.photos.thumbnail(of: photo).isEmpty)
      #expect(!photo.placeholder.isEmpty)
      _ = try Verifier(fixture.library).run(VerifyRequest()) { Issue.record("\($0.message)") }
    }
  }

  @Test func `the same bytes under other names are one photo`() async throws {
    let fixture = try LibraryFixture()
    for name in ["a.jpg", "b.png", "c", "deep/d.jpg"] {
      try fixture.folder.copy("Photos/tomato/DSC_0102.jpg", to: "photos/tomato/\(name)")
    }
    let (summary, outcomes) = try await fixture.run { $0.jobCount = 4 }
    #expect(summary.added == 1)
    #expect(summary.duplicate == 3)
    #expect(Set(outcomes.list.compactMap { $0.added?.id }).count == 1)
    #expect(try fixture.entries().count == 1)
  }

  @Test func `a photo that was compressed is known by its source and by its copy`() async throws {
    let fixture = try LibraryFixture()
    let path = Fixtures.path("Photos/monstera/IMG_0002.jpg")
    let photo = try #require(try await fixture.run([path]).outcomes.list[0].added)
    let master = try #require(
      try fixture.library.photos.find(photo.id).renditions.first { $0.role == .master })
    try fixture.folder.write(
      Data(contentsOf: URL(fileURLWithPath: fixture.library.photos.path(of: master))),
      to: "photos/export.jpg")
    try fixture.folder.copy("Photos/monstera/IMG_0002.jpg", to: "photos/moved/IMG_0002.jpg")
    let again = try await fixture.run()
    #expect(again.summary.duplicate == 2 && again.summary.added == 0)
  }

  @Test func `a photo from the trash comes back, and the outcome says so`() async throws {
    let fixture = try LibraryFixture()
    let path = Fixtures.path("Photos/monstera/IMG_0002.jpg")
    let id = try #require(try await fixture.run([path]).outcomes.list[0].added).id
    try fixture.library.photos.delete(.photos([id]))
    #expect(try fixture.entries().isEmpty)
    let again = try await fixture.run([path])
    #expect(again.outcomes.list.map(\.result) == [.restored(id)])
    #expect(again.summary.restored == 1)
    #expect(try fixture.entries().map(\.id) == [id])
  }

  @Test func `photos in a folder that are in the trash stay there, and so does their plant`()
    async throws
  {
    let fixture = try LibraryFixture()
    let path = try fixture.folder.copy("Photos/monstera/IMG_0002.jpg", to: "photos/fern/1.jpg")
    let other = try fixture.folder.copy("Photos/monstera/IMG_0003.jpg", to: "photos/fern/2.jpg")
    let added = try await fixture.run().outcomes
    let id = try #require(added.of("1.jpg")?.added).id
    try fixture.library.plants.delete(fixture.library.plants.find(matching: "fern").id)
    // The same file, and its bytes under another name, which have to be read to be known.
    try fixture.folder.copy("Photos/monstera/IMG_0002.jpg", to: "photos/fern/copy.jpg")
    for isDryRun in [true, false, false] {
      let again = try await fixture.run { $0.isDryRun = isDryRun }
      #expect(again.summary.restored == 0 && again.summary.skipped == 3)
      #expect(again.outcomes.list.allSatisfy { $0.skip == .inTrash })
    }
    #expect(try fixture.entries().isEmpty && fixture.library.plants.all().isEmpty)
    let none = try await fixture.run([path]) { $0.readmission = .none }
    #expect(none.outcomes.list.map(\.skip) == [.inTrash])

    let named = try await fixture.run([path])
    #expect(named.outcomes.list.map(\.result) == [.restored(id)])
    let all = try await fixture.run { $0.readmission = .all }
    #expect(all.outcomes.of("2.jpg")?.result != nil && all.summary.restored == 1)
    #expect(try fixture.library.plants.all().map(\.name) == ["fern"])
    #expect(FileManager.default.fileExists(atPath: other))
  }

  @Test func `moving leaves a file whose photo is in the trash, without a word`() async throws {
    let fixture = try LibraryFixture(policy: .exact)
    try fixture.folder.copy("Photos/monstera/IMG_0004.jpg", to: "photos/a.jpg")
    let id = try #require(try await fixture.run().outcomes.list[0].added).id
    try fixture.library.photos.delete(.photos([id]))
    try fixture.folder.copy("Photos/monstera/IMG_0004.jpg", to: "photos/b.jpg")
    let moved = try await fixture.run { $0.movesFiles = true }.outcomes
    #expect(moved.list.allSatisfy { $0.skip == .inTrash && $0.warnings.isEmpty })
    #expect(fixture.folder.files(below: "photos") == ["a.jpg", "b.jpg"])
  }

  @Test func `plants come from the folder, from an option, or not at all`() async throws {
    let fixture = try LibraryFixture()
    try fixture.folder.copy("Photos/basil/20250510T120006+0100.jpg", to: "photos/Aloë  /1.jpg")
    try fixture.folder.copy("Photos/basil/20250517T120006+0100.jpg", to: "photos/x/2.jpg")
    try fixture.folder.copy("Photos/basil/20250524T120006+0100.jpg", to: "photos/y/3.jpg")
    _ = try await fixture.run([fixture.photos + "/Aloë  "])
    _ = try await fixture.run([fixture.photos + "/x"]) { $0.plant = .named("aLOË") }
    _ = try await fixture.run([fixture.photos + "/y/3.jpg"]) { $0.plant = .none }
    let entries = try fixture.entries()
    #expect(entries.map { $0.plant?.name } == [nil, "Aloë", "Aloë"])
  }

  @Test(arguments: [
    ("elm/2024-05-01 Balcony", "Balcony"), ("elm/2024-05-01", "elm"), ("elm/2024/05/01", "elm"),
    ("elm/100CANON", "elm"), ("elm/DCIM/101_PANA", "elm"), ("elm/Camera Roll", "elm"),
    ("2024-05-01", "photos"), ("DCIM/100APPLE", "photos"), ("elm/2024-05-01 DCIM", "elm"),
    ("WhatsApp Images", "photos"), ("20240501", "photos"), ("1984 rose", "1984 rose"),
    ("elm/Download", "elm"), ("elm/Photos from 2024", "elm"), ("elm/12345678", "12345678"),
  ])
  func `folders of dates, cameras and systems name no plant`(folder: String, plant: String)
    async throws
  {
    let fixture = try LibraryFixture(policy: .exact)
    let photo = try Fixtures.data("Orientation/1.jpg")
    try fixture.folder.write(photo + [0], to: "photos/\(folder)/a.jpg")
    let added = try await fixture.run().outcomes.list.compactMap(\.added)
    #expect(added.map(\.plantName) == [plant])
    // Given by itself, only its own folder counts, and nothing above it.
    let name = URL(filePath: folder).lastPathComponent
    let own = try LibraryFixture(policy: .exact)
    let alone = try await own.run([fixture.photos + "/" + folder]).outcomes.list.compactMap(\.added)
    let isNamed = [plant, "2024-05-01 \(plant)"].contains(name)
    #expect(alone.map(\.plantName) == [isNamed ? plant : nil])
    let file = try LibraryFixture(policy: .exact)
    let named = try await file.run([fixture.photos + "/" + folder + "/a.jpg"])
    #expect(named.outcomes.list.compactMap(\.added).map(\.plantName) == [isNamed ? plant : nil])
  }

  @Test(arguments: ["100CANON", "2024-05-01 Balcony", "2024-05-01", "dcim"])
  func `a folder that has a plant's name names it, whatever it looks like`(plant: String)
    async throws
  {
    let fixture = try LibraryFixture(policy: .exact)
    _ = try fixture.library.plants.add(PlantDetails(name: plant))
    let photo = try Fixtures.data("Orientation/1.jpg")
    try fixture.folder.write(photo + [0], to: "photos/elm/\(plant.uppercased())/a.jpg")
    let added = try await fixture.run().outcomes.list.compactMap(\.added)
    #expect(added.count == 1)
    #expect(try fixture.entries().map { $0.plant?.name } == [plant])
  }

  @Test func `a note is for photos without any, an assumed zone for times without one`()
    async throws
  {
    let fixture = try LibraryFixture()
    let zone = try #require(TimeZone(identifier: "Asia/Tokyo"))
    let outcomes = try await fixture.run([Fixtures.path("Photos/tomato")]) {
      $0.note = "balcony"
      $0.assumedTimeZone = zone
    }.outcomes
    #expect(
      outcomes.of("DSC_0101.jpg")?.added?.time.recorded.iso8601 == "2025-05-20T18:30:00+02:00")
    #expect(
      outcomes.of("IMG_20250705_190500.jpg")?.added?.time.recorded.iso8601
        == "2025-07-05T19:05:00+09:00")
    #expect(
      Set(try fixture.entries().compactMap(\.notes))
        == ["first flower", "three green tomatoes", "balcony"])
  }

  @Test func `a dry run says what would be and changes nothing`() async throws {
    let fixture = try LibraryFixture()
    let (summary, _) = try await fixture.run([Fixtures.path("Photos")]) { $0.isDryRun = true }
    #expect(summary.added == 13)
    #expect(try fixture.entries().isEmpty)
    #expect(fixture.storedFiles.isEmpty)
  }

  @Test(arguments: StoragePolicy.allCases)
  func `each policy keeps what it promises`(policy: StoragePolicy) async throws {
    let fixture = try LibraryFixture(policy: policy)
    let path = "Photos/monstera/IMG_0004.jpg"
    let photo = try #require(try await fixture.run([Fixtures.path(path)]).outcomes.list[0].added)
    let renditions = try fixture.library.photos.find(photo.id).renditions
    let role: RenditionRole =
      switch policy {
      case .compact: .master
      case .lossless: .packed
      case .exact: .original
      }
    #expect(Set(renditions.map(\.role)) == [role, .thumbnail])
    let full = try #require(renditions.first { $0.role == role })
    let stored = try Data(contentsOf: URL(fileURLWithPath: fixture.library.photos.path(of: full)))
    #expect(stored.count == full.byteCount)
    #expect(policy == .exact ? stored == (try Fixtures.data(path)) : stored.count < 150_000)
  }

  @Test func `moving deletes a file only when its exact bytes are safe`() async throws {
    let fixture = try LibraryFixture(policy: .exact)
    try fixture.folder.copy("Photos/monstera/IMG_0004.jpg", to: "photos/a.jpg")
    try fixture.folder.write(Data("not a photo".utf8), to: "photos/broken.jpg")
    let outcomes = try await fixture.run { $0.movesFiles = true }.outcomes
    #expect(outcomes.of("a.jpg")?.added != nil)
    #expect(fixture.folder.files(below: "photos") == ["broken.jpg"])

    let compact = try LibraryFixture(policy: .compact)
    try compact.folder.copy("Photos/monstera/IMG_0004.jpg", to: "photos/a.jpg")
    await #expect(throws: LeaflogError.self) { try await compact.run { $0.movesFiles = true } }
    _ = try await compact.run()
    // Known, but only as a compressed copy.
    let kept = try await compact.run { ($0.movesFiles, $0.policy) = (true, .exact) }.outcomes
    #expect(kept.list[0].warnings == [.compressedCopy, .notMoved])
    #expect(compact.folder.files(below: "photos") == ["a.jpg"])
  }

  @Test(arguments: [false, true])
  func `the exact bytes of a compressed copy are taken from its file on request, words kept`(
    isMoved: Bool
  ) async throws {
    let fixture = try LibraryFixture()
    let path = try fixture.folder.copy("Photos/monstera/IMG_0004.jpg", to: "photos/fern/a.jpg")
    let id = try #require(try await fixture.run().outcomes.list[0].added).id
    _ = try fixture.library.photos.edit(id, notes: "mine", tags: ["kept"])
    let before = try #require(try fixture.entries().first)
    func roles() throws -> Set<RenditionRole> {
      Set(try fixture.library.photos.find(id).renditions.map(\.role))
    }
    // A file that lies elsewhere is not known by its path, and has to be read.
    if isMoved {
      let folder = fixture.folder.file("photos/moved")
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try FileManager.default.moveItem(atPath: path, toPath: folder + "/a.jpg")
    }
    for isDryRun in [true, false] {
      let told = try await fixture.run { ($0.policy, $0.isDryRun) = (.exact, isDryRun) }.outcomes
      #expect(told.list.map(\.result) == [.duplicate(id)])
      #expect(told.list[0].warnings == [.compressedCopy])
    }
    #expect(try await fixture.run().outcomes.list[0].warnings == [])
    #expect(try roles() == [.master, .thumbnail])
    let planned = try await fixture.run {
      ($0.policy, $0.updatesPhotos, $0.isDryRun) = (.exact, true, true)
    }
    #expect(planned.outcomes.list.map(\.result) == [.updated(id)])
    let taken = try await fixture.run { ($0.policy, $0.updatesPhotos) = (.exact, true) }.outcomes
    #expect(taken.list.map(\.result) == [.updated(id)] && taken.list[0].warnings == [])
    #expect(try roles() == [.original, .thumbnail])
    let after = try #require(try fixture.entries().first)
    #expect(after.notes == "mine" && after.tags == ["kept"] && after.time == before.time)
    #expect(after.plant == before.plant)
    let again = try await fixture.run { ($0.policy, $0.updatesPhotos) = (.exact, true) }.outcomes
    #expect(again.list.map(\.result) == [.duplicate(id)] && again.list[0].warnings == [])
    try fixture.library.history.undo()
    #expect(try roles() == [.master, .thumbnail])
    _ = try Verifier(fixture.library).run(VerifyRequest()) { Issue.record("\($0.message)") }
  }

  @Test func `an import that adds nothing is no change, and stays out of undo's way`() async throws
  {
    let fixture = try LibraryFixture()
    try fixture.folder.copy("Photos/monstera/IMG_0004.jpg", to: "photos/fern/a.jpg")
    let id = try #require(try await fixture.run().outcomes.list[0].added).id
    _ = try fixture.library.photos.edit(id, notes: "oops")
    let changes = try fixture.library.history.page(limit: 100).changes.map(\.id)
    try FileManager.default.moveItem(
      atPath: fixture.photos, toPath: fixture.folder.file("elsewhere"))
    let moved = try await fixture.run([fixture.folder.file("elsewhere")])
    #expect(moved.summary.duplicate == 1)
    #expect(try fixture.library.history.page(limit: 100).changes.map(\.id) == changes)
    // Where it was found is kept all the same.
    let paths = try fixture.library.photos.find(id).sourcePaths
    #expect(paths.contains { $0.contains("elsewhere") })
    try fixture.library.history.undo()
    #expect(try fixture.entries().first?.notes == nil)
  }

  @Test func `no thumbnail and no preview says where it was taken`() async throws {
    let fixture = try LibraryFixture()
    _ = try await fixture.run([Fixtures.path("Photos/monstera/IMG_0001.jpg")])
    let photo = try fixture.library.photos.find(try fixture.entries()[0].id)
    for picture in [
      try fixture.library.photos.thumbnail(of: photo),
      try fixture.library.photos.preview(of: photo),
    ] {
      #expect(picture.range(of: Data("Exif".utf8)) == nil)
    }
    #expect(try fixture.library.store.statistics().previewCache.count == 1)
    let again = try fixture.library.photos.preview(of: photo)
    #expect(again == (try fixture.library.photos.preview(of: photo)))
  }
}
