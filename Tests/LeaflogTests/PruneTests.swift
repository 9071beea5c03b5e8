import BlobStorage
import DiaryCatalog
import DiaryModel
import Foundation
import Leaflog
import TestSupport
import Testing

extension Timestamp {
  /// So many hours from now.
  static func inHours(_ hours: Double) -> Timestamp {
    Timestamp(milliseconds: Int64((Date().timeIntervalSince1970 + hours * 3600) * 1000))
  }
}

@Suite struct PruneTests {
  private func request(_ change: (inout PruneRequest) -> Void = { _ in }) -> PruneRequest {
    var request = PruneRequest()
    change(&request)
    return request
  }

  /// A library whose photos of basil are forgotten: 4 of 13.
  private func thinned(_ policy: StoragePolicy = .compact) async throws -> LibraryFixture {
    let fixture = try LibraryFixture(policy: policy)
    _ = try await fixture.run([Fixtures.path("Photos")])
    try fixture.library.plants.delete(fixture.library.plants.find(matching: "basil").id)
    return fixture
  }

  private func prune(
    _ fixture: LibraryFixture, _ hours: Double, _ change: (inout PruneRequest) -> Void = { _ in }
  ) throws -> PruneReport {
    try Pruner(fixture.library).run(request(change), now: .inHours(hours))
  }

  private func isWhole(_ fixture: LibraryFixture) throws -> Bool {
    var full = VerifyRequest()
    full.readsEverything = true
    return try Verifier(fixture.library).run(full) { _ in }.damageCount == 0
  }

  @Test func `a blob is condemned, trashed and unlinked in three runs, never in one`() async throws
  {
    let fixture = try await thinned()
    let all = fixture.storedFiles.count
    // Photos in the trash keep their blobs.
    #expect(try prune(fixture, 0).condemned.count == 0)
    let first = try prune(fixture, 0.1) { $0.olderThan = .zero }
    #expect(first.purgedPhotoCount == 4 && first.condemned.count == 8)
    #expect(first.trashed.count == 0 && first.unlinked.count == 0)
    #expect(fixture.storedFiles.count == all)
    let early = try prune(fixture, 20)
    #expect(early.waiting.count == 8 && early.trashed.count == 0)
    let second = try prune(fixture, 25)
    #expect(second.trashed.count == 8 && second.unlinked.count == 0)
    #expect(fixture.storedFiles.count == all - 8)
    #expect(fixture.folder.files(below: "library/trash").count == 8)
    #expect(try prune(fixture, 40).unlinked.count == 0)
    let third = try prune(fixture, 50)
    #expect(third.unlinked.count == 8)
    #expect(fixture.folder.files(below: "library/trash").isEmpty)
    #expect(try isWhole(fixture))
    #expect(try fixture.entries().count == 9)
  }

  @Test func `a plan changes nothing and tells what its run does`() async throws {
    let fixture = try await thinned()
    let before = fixture.folder.files()
    let plan = try Pruner(fixture.library).plan(
      request { $0.olderThan = .zero }, now: .inHours(0.1))
    #expect(plan.report.purgedPhotoCount == 4 && plan.report.condemned.count == 8)
    #expect(fixture.folder.files() == before)
    #expect(try Pruner(fixture.library).run(plan) == plan.report)
  }

  @Test func `a run that is cancelled has done less, and another finishes it`() async throws {
    let fixture = try await thinned(.exact)
    let pruner = Pruner(fixture.library)
    let plan = try pruner.plan(request { $0.olderThan = .zero }, now: .inHours(0.1))
    let report = try await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try pruner.run(plan)
    }.value
    #expect(report.isInterrupted && report.purgedPhotoCount == 0 && report.condemned.count == 0)
    #expect(try fixture.entries(TimelineQuery(deleted: true)).count == 4)
    #expect(try pruner.run(plan) == plan.report)
    #expect(try fixture.entries(TimelineQuery(deleted: true)).isEmpty)
  }

  @Test func `the progress of a run is the files that it moved and unlinked`() async throws {
    let fixture = try await thinned(.exact)
    _ = try prune(fixture, 0.1) { $0.olderThan = .zero }
    let pruner = Pruner(fixture.library)
    var counts: [Int] = []
    _ = try pruner.run(try pruner.plan(request(), now: .inHours(25))) { counts.append($0) }
    #expect(counts.last == 8)
    _ = try pruner.run(try pruner.plan(request(), now: .inHours(50))) { counts.append($0) }
    #expect(counts == [8, 8])
  }

  @Test(arguments: [0.1, 25]) func `importing a photo again takes its blobs back`(
    hours: Double
  ) async throws {
    let fixture = try await thinned()
    _ = try prune(fixture, 0.05) { $0.olderThan = .zero }
    _ = try prune(fixture, hours)
    let (summary, _) = try await fixture.run([Fixtures.path("Photos/basil")])
    #expect(summary.added == 4)
    for later in [60.0, 120, 180] {
      let report = try prune(fixture, later)
      #expect(report.trashed.count == 0)
    }
    #expect(try isWhole(fixture))
    #expect(try fixture.entries().count == 13)
  }

  @Test func `words that are forgotten for good are nowhere in the library any more`() async throws
  {
    let fixture = try LibraryFixture()
    let words = ["quokkaphoto", "quokkaplant", "quokkasymptom", "quokkajournal"]
    _ = try await fixture.run([Fixtures.path("Photos/basil/20250510T120006+0100.jpg")]) {
      $0.note = words[0]
    }
    let plant = try fixture.library.plants.edit(fixture.library.plants.find(matching: "basil").id) {
      $0.notes = words[1]
    }
    let symptom = try fixture.library.diary.addSymptom(
      Symptom(name: words[2], severity: try Severity(3)))
    try fixture.library.store.takeSnapshot()
    _ = try await fixture.run([Fixtures.path("Photos/basil/20250517T120006+0100.jpg")]) {
      $0.note = words[3]
    }
    _ = try await fixture.run([Fixtures.path("Photos/tomato")])
    try fixture.library.diary.delete([symptom.id], of: .symptom)
    try fixture.library.plants.delete(plant.id)
    func found() throws -> [String] {
      try words.filter { word in
        try fixture.folder.files(below: "library").contains {
          try Data(contentsOf: URL(fileURLWithPath: fixture.folder.file("library/" + $0)))
            .range(of: Data(word.utf8)) != nil
        }
      }
    }
    #expect(try found() == words)
    let report = try prune(fixture, 0.1) {
      ($0.olderThan, $0.waived) = (.zero, PruneGuard.ofLibrary)
    }
    #expect(report.purgedPhotoCount == 2 && report.purgedEntryCount == 1)
    #expect(report.purgedPlantCount == 1)
    #expect(try found() == [])
    #expect(try fixture.library.store.snapshots().count == 1)
    #expect(throws: LeaflogError.self) {
      try fixture.library.plants.find(plant.id, among: .undeletedFirst)
    }
    // What is left can be made again from the one snapshot.
    let left = try fixture.entries().map(\.id)
    try fixture.library.close()
    try FileManager.default.removeItem(atPath: fixture.library.path + "/catalog.sqlite")
    _ = try CatalogRescue(at: fixture.library.path).run()
    let rescued = try Library.open(at: fixture.library.path)
    #expect(try rescued.timeline.page().elements.map(\.id) == left)
  }

  @Test func `the remains of an interrupted import are condemned once they are old`() async throws {
    let fixture = try await thinned()
    let store = LocalBlobStore(root: .init(fixture.folder.file("library")))
    try store.put([PendingBlob(hashing: SharedBytes(copying: [1, 2, 3]))])
    #expect(try prune(fixture, 1).condemned.count == 0)
    let condemned = try prune(fixture, 30).condemned
    #expect(condemned.count == 1 && condemned.byteCount == 3)
    #expect(try prune(fixture, 60).trashed.count == 1)
  }

  @Test func `a file that was condemned while it was damaged is as long as it should be again`()
    async throws
  {
    let fixture = try LibraryFixture(policy: .exact)
    _ = try await fixture.run([Fixtures.path("Photos/basil")])
    let photo = Fixtures.path("Photos/tomato/DSC_0101.jpg")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: photo))
    let blob = PendingBlob(hashing: SharedBytes(copying: bytes))
    let store = LocalBlobStore(root: .init(fixture.library.path))
    try store.put([blob])
    try bytes.prefix(1000).write(to: URL(fileURLWithPath: store.place(of: blob.id)))
    #expect(try prune(fixture, 30).condemned.byteCount == 1000)
    _ = try await fixture.run([photo])
    #expect(try isWhole(fixture))
    #expect(try fixture.library.store.statistics().unreferenced.count == 0)
    _ = try CatalogDump(path: fixture.library.path + "/catalog.sqlite")
  }

  @Test func `suspicious states are refused, with the reason`() async throws {
    let fixture = try await thinned()
    func refusal(_ hours: Double, _ change: (inout PruneRequest) -> Void = { _ in }) -> String? {
      do {
        _ = try prune(fixture, hours, change)
        return nil
      } catch {
        let error = error as? LeaflogError
        return error?.code == .suspicious ? error?.message : nil
      }
    }
    #expect(refusal(0) == nil)
    #expect(refusal(-2) == nil)
    for entry in try fixture.entries() { try fixture.library.photos.delete(.photos([entry.id])) }
    #expect(refusal(1) { $0.olderThan = .zero }?.contains("more than half") == true)
    #expect(refusal(1) { ($0.olderThan, $0.waived) = (.zero, PruneGuard.ofLibrary) } == nil)
    #expect(refusal(2)?.contains("no photos") == true)
    #expect(fixture.storedFiles.count == 26)
  }

  @Test func `an older catalog in place of the present one is noticed`() async throws {
    let fixture = try LibraryFixture()
    _ = try await fixture.run([Fixtures.path("Photos/basil")])
    let catalog = fixture.folder.file("library/catalog.sqlite")
    try fixture.library.close()
    let older = try Data(contentsOf: URL(fileURLWithPath: catalog))
    let library = try Library.open(at: fixture.library.path)
    _ = try await Importer(library).run(
      ImportRequest(paths: [Fixtures.path("Photos/tomato/DSC_0101.jpg")])
    ) { _ in }
    let count = try library.timeline.page().elements.count
    try library.close()
    try older.write(to: URL(fileURLWithPath: catalog))
    // The journal leads on from it.
    let caughtUp = try Library.open(at: fixture.library.path)
    #expect(try caughtUp.timeline.page().elements.count == count)
    _ = try Pruner(caughtUp).run(request())
    try caughtUp.close()
    // Without the journal it stays noticed, whatever is written into it.
    try older.write(to: URL(fileURLWithPath: catalog))
    try FileManager.default.removeItem(atPath: fixture.folder.file("library/journal"))
    let reopened = try Library.open(at: fixture.library.path)
    let error = #expect(throws: LeaflogError.self) { try Pruner(reopened).run(request()) }
    #expect(error?.code == .suspicious)
    _ = try await Importer(reopened).run(
      ImportRequest(paths: [Fixtures.path("Photos/monstera/IMG_0001.jpg")])
    ) { _ in }
    #expect(throws: LeaflogError.self) { try Pruner(reopened).run(request()) }
  }

  @Test func `a library without its marker is not opened`() async throws {
    let fixture = try await thinned()
    try FileManager.default.removeItem(atPath: fixture.folder.file("library/leaflog.json"))
    let error = #expect(throws: LeaflogError.self) { try Library.open(at: fixture.library.path) }
    #expect(error?.code == .markerMissing)
  }

  @Test func `thinning counts a photo only for spans that its date is as fine as`() async throws {
    let fixture = try LibraryFixture(policy: .exact)
    for (folder, time) in [("oak", "1978"), ("elm", "1978-05"), ("ash", "1978-05-06")] {
      for number in 0..<4 {
        let rows = [0, UInt8(folder.count + number), UInt8(folder.utf8.first ?? 0)]
        try fixture.folder.write(
          Data(EmbeddedMetadata.png(width: 2, height: 1, isGrey: true, rows: rows)),
          to: "\(folder)/\(folder)/\(number).png")
      }
      let recorded = try #require(RecordedTime(time))
      _ = try await fixture.run([fixture.folder.file(folder)]) { $0.time = recorded }
    }
    // By a clock that was never set, and the same day stated by hand.
    for number in 0..<3 {
      let name = "fig/2010010\(number + 1)_100000.png"
      let rows = [0, UInt8(number), 250]
      try fixture.folder.write(
        Data(EmbeddedMetadata.png(width: 2, height: 1, isGrey: true, rows: rows)),
        to: "clock/\(name)")
    }
    _ = try await fixture.run([fixture.folder.file("clock")])
    func thinned(per unit: BucketUnit) throws -> ([String: Int], left: Int) {
      let plan = try Pruner(fixture.library).plan(
        request { $0.thinning = Thinning(count: 1, per: unit) })
      let plants = Dictionary(grouping: plan.thinned) { $0.plant?.name ?? "" }
      return (plants.mapValues(\.count), plan.report.unthinnableCount)
    }
    for unit in [BucketUnit.day, .week] {
      #expect(try thinned(per: unit) == (["ash": 3], 11))
    }
    #expect(try thinned(per: .month) == (["ash": 3, "elm": 3], 7))
    #expect(try thinned(per: .year) == (["ash": 3, "elm": 3, "oak": 3], 3))
    let fig = try fixture.library.plants.find(matching: "fig").id
    let entries = try fixture.entries(TimelineQuery(plant: fig))
    for entry in entries {
      _ = try fixture.library.photos.edit(entry.id, time: RecordedTime("2010-01-02T10:00:00"))
    }
    #expect(try thinned(per: .year) == (["ash": 3, "elm": 3, "oak": 3, "fig": 2], 0))
  }

  @Test func `blobs that this catalog has replaced do not count as lost`() async throws {
    let fixture = try LibraryFixture(policy: .exact)
    _ = try await fixture.run([Fixtures.path("Photos/monstera")])
    try await Recompressor(fixture.library).run(RecompressRequest(policy: .compact)) { _ in }
    #expect(try prune(fixture, 1).waiting.byteCount > 500_000)
    #expect(try prune(fixture, 30).trashed.byteCount > 500_000)
    #expect(try prune(fixture, 60).unlinked.byteCount > 500_000)
    #expect(try isWhole(fixture))
  }

  @Test func `files that nothing knows count, also once they are marked, and guards have names`()
    async throws
  {
    let fixture = try LibraryFixture(policy: .exact)
    _ = try await fixture.run([Fixtures.path("Photos/basil")])
    let store = LocalBlobStore(root: .init(fixture.library.path))
    let unknown = SharedBytes(copying: [UInt8](repeating: 7, count: 8 << 20))
    try store.put([PendingBlob(hashing: unknown)])
    func remedy(_ hours: Double, waiving guards: Set<PruneGuard>) -> Remedy? {
      do {
        _ = try prune(fixture, hours) { $0.waived = guards }
        return nil
      } catch { return (error as? LeaflogError)?.remedy }
    }
    for guards in [[], Set(PruneGuard.allCases).subtracting([.halfStore])] {
      #expect(remedy(30, waiving: guards) == .waive(.halfStore))
    }
    #expect(remedy(30, waiving: [.halfStore]) == nil)
    #expect(remedy(60, waiving: []) == .waive(.halfStore))
    #expect(remedy(60, waiving: PruneGuard.ofLibrary) == nil)
    #expect(fixture.folder.files(below: "library/trash").count == 1)
    #expect(!PruneGuard.ofLibrary.contains(.clock) && !PruneGuard.ofLibrary.contains(.otherLines))
    #expect(try isWhole(fixture))
  }

  @Test func `thinning keeps the sharpest of a span, and what has notes`() async throws {
    let fixture = try LibraryFixture()
    _ = try await fixture.run([Fixtures.path("Photos")])
    let entries = try fixture.entries(
      TimelineQuery(plant: fixture.library.plants.find(matching: "basil").id, order: .oldestFirst))
    _ = try fixture.library.photos.edit(entries[0].id, notes: "keep")
    func thinned(per unit: BucketUnit) throws -> [Entry] {
      let request = request { $0.thinning = Thinning(count: 1, per: unit) }
      return try Pruner(fixture.library).plan(request).thinned
    }
    let ofYear = try thinned(per: .year)
    let basil = ofYear.filter { $0.plant?.name == "basil" }
    #expect(basil.map(\.id) == Array(entries.dropFirst().map(\.id)))
    #expect(try thinned(per: .day).isEmpty)
    // A flat photo goes before a sharp one.
    let sharp = try Fixtures.data("Photos/tomato/IMG_20250705_190500.jpg")
    try fixture.folder.write(sharp + [0], to: "photos/fern/IMG_20250801_100000.jpg")
    try fixture.folder.copy("Colour/grey.jpg", to: "photos/fern/IMG_20250801_110000.jpg")
    _ = try await fixture.run()
    let fern = try thinned(per: .week).filter { $0.plant?.name == "fern" }
    #expect(fern.count == 1)
    #expect(
      try fixture.library.photos.find(try #require(fern.first).id).originalName
        .contains(
          "1100"))
  }
}
