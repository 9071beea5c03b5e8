import Foundation
import Leaflog
import TestSupport
import Testing

@Suite struct RescueTests {
  private func facts(_ library: Library) throws -> Set<[String]> {
    Set(
      try library.timeline.page(limit: 1000).elements.map {
        [
          $0.id.description, $0.time.recorded.iso8601, $0.plant?.name ?? "", $0.notes ?? "",
          $0.photo?.captureSource.rawValue ?? "",
        ]
      })
  }

  private func remove(_ fixture: LibraryFixture, _ names: String...) throws {
    try fixture.library.close()
    for name in names {
      for ending in ["", "-wal", "-shm"] {
        let path = fixture.folder.file("library/" + name + ending)
        if FileManager.default.fileExists(atPath: path) {
          try FileManager.default.removeItem(atPath: path)
        }
      }
    }
  }

  private func expectWhole(_ library: Library) throws {
    var full = VerifyRequest()
    full.readsEverything = true
    #expect(try Verifier(library).run(full) { Issue.record("\($0.message)") }.damageCount == 0)
  }

  @Test(arguments: StoragePolicy.allCases)
  func `a lost catalog comes back with every photo since the last snapshot`(
    policy: StoragePolicy
  ) async throws {
    let fixture = try LibraryFixture(policy: policy)
    _ = try await fixture.run([Fixtures.path("Photos")])
    let before = try facts(fixture.library)
    try remove(fixture, "catalog.sqlite")
    // Nothing makes an empty one in its place.
    for access in [Library.Access.reading, .writing] {
      let error = #expect(throws: LeaflogError.self) {
        try Library.open(at: fixture.library.path, for: access)
      }
      #expect(error?.code == .damaged)
    }
    #expect(CatalogRescue.isNeeded(at: fixture.library.path))
    let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
    let report = try CatalogRescue(at: fixture.library.path).run(timeZone: zone)
    #expect(report.commitCount > 0 && report.losses.isEmpty && report.blobPhotoCount == 0)
    let library = try Library.open(at: fixture.library.path)
    #expect(try facts(library) == before)
    #expect(library.timeZone == fixture.library.timeZone)
    try expectWhole(library)
    #expect(!CatalogRescue.isNeeded(at: fixture.library.path))
    // Importing the same photos again finds them.
    let again = try await Importer(library).run(
      ImportRequest(paths: [Fixtures.path("Photos")])
    ) { _ in }
    #expect(again.added == 0 && again.duplicate == 14)
  }

  @Test func `a damaged catalog is set aside and made again`() async throws {
    let fixture = try LibraryFixture()
    _ = try await fixture.run([Fixtures.path("Photos")])
    let before = try facts(fixture.library)
    try fixture.library.close()
    let path = fixture.folder.file("library/catalog.sqlite")
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    for page in stride(from: 4096, to: bytes.count, by: 4096) {
      bytes.replaceSubrange(page..<(page + 512), with: Data(repeating: 0xA5, count: 512))
    }
    try bytes.write(to: URL(fileURLWithPath: path))
    #expect(CatalogRescue.isNeeded(at: fixture.library.path))
    let clock = TestClock(at: .noonInJune)
    let report = try CatalogRescue(at: fixture.library.path, clock: clock.wallClock).run()
    let aside = try #require(report.quarantine)
    #expect(aside.hasSuffix("/catalog-\(clock.now.milliseconds)"))
    #expect(FileManager.default.contents(atPath: aside + "/catalog.sqlite") == bytes)
    let library = try Library.open(at: fixture.library.path)
    #expect(try facts(library) == before)
    try expectWhole(library)
  }

  @Test func `without anything but blobs photos come back with their EXIF dates`() async throws {
    let fixture = try LibraryFixture(policy: .lossless)
    _ = try await fixture.run([Fixtures.path("Photos")])
    let before = try fixture.entries()
    try remove(fixture, "catalog.sqlite", "journal")
    // A file that claims to be larger than any photo holds up no other.
    let huge = EmbeddedMetadata.png(width: 40_000, height: 40_000, isGrey: true, rows: [0])
    let digest = huge.withUnsafeBytes { BlobID(hashing: $0).hex }
    try fixture.folder.write(Data(huge), to: "library/blobs/\(digest.prefix(2))/\(digest)")
    let report = try CatalogRescue(at: fixture.library.path).run()
    #expect(report.commitCount == 0 && report.blobPhotoCount == 13)
    let library = try Library.open(at: fixture.library.path)
    for old in before where old.photo?.captureSource == .exif {
      let new = try library.photos.entry(old.id)
      #expect(new.time.recorded == old.time.recorded)
    }
    #expect(try library.timeline.page().elements.count == 13)
    try expectWhole(library)
  }

  @Test func `everything of the last snapshot comes back, and the photos that came since`()
    async throws
  {
    let fixture = try LibraryFixture()
    _ = try await fixture.run([Fixtures.path("Photos/basil"), Fixtures.path("Photos/tomato")])
    let plant = try fixture.library.plants.edit(fixture.library.plants.find(matching: "basil").id) {
      $0.location = "sill"
    }
    let entry = try fixture.entries()[0]
    _ = try fixture.library.photos.edit(
      entry.id, notes: "harvest", time: RecordedTime("2024-05-06T07:08"))
    try fixture.library.photos.delete(.photos([fixture.entries()[1].id]))
    try fixture.library.store.takeSnapshot()
    _ = try await fixture.run([Fixtures.path("Photos/monstera")])
    let before = try facts(fixture.library)
    try remove(fixture, "catalog.sqlite")
    let report = try CatalogRescue(at: fixture.library.path).run()
    #expect(report.start != .nothing)
    #expect(report.commitCount > 0 && report.losses.isEmpty && report.blobPhotoCount == 0)
    let library = try Library.open(at: fixture.library.path)
    #expect(try facts(library) == before)
    #expect(try library.plants.find(matching: "basil").details.location == "sill")
    #expect(try library.plants.find(matching: "basil").id == plant.id)
    #expect(
      try library.timeline.page(TimelineQuery(deleted: true)).elements.count == 1)
    try expectWhole(library)
  }

  @Test
  func `photos that a restored backup does not know come back, with all that was known of them`()
    async throws
  {
    let fixture = try LibraryFixture()
    _ = try await fixture.run([Fixtures.path("Photos/basil")])
    let place = fixture.folder.file("backup")
    _ = try Backup(fixture.library).run(BackupRequest(path: place)) { _ in }
    _ = try await fixture.run([Fixtures.path("Photos/monstera"), Fixtures.path("Photos/tomato")])
    let tomato = try #require(try fixture.entries().first { $0.plant?.name == "tomato" })
    _ = try fixture.library.photos.edit(
      tomato.id, notes: "by hand", time: RecordedTime("2024-05-06T07:08"))
    let gone = try #require(try fixture.entries().first { $0.plant?.name == "monstera" })
    try fixture.library.photos.delete(.photos([gone.id]))
    let before = try facts(fixture.library)
    try fixture.library.close()
    let backup = try Library.open(at: place, for: .reading)
    let restored = try Restore(backup, to: fixture.library.path).run { _ in }
    #expect(restored.hasUnknownPhotos)
    #expect(CatalogRescue.isNeeded(at: fixture.library.path))
    let report = try CatalogRescue(at: fixture.library.path).run()
    #expect(!report.wasLost && report.snapshotPhotoCount == 9)
    #expect(report.losses.isEmpty && report.blobPhotoCount == 0)
    let library = try Library.open(at: fixture.library.path)
    #expect(try facts(library) == before)
    #expect(try library.timeline.page(TimelineQuery(deleted: true)).elements.map(\.id) == [gone.id])
    try expectWhole(library)
    let request = PruneRequest()
    #expect(try Pruner(library).run(request).condemned.count == 0)
    #expect(!CatalogRescue.isNeeded(at: fixture.library.path))
  }

  @Test func `a library that is well needs none`() async throws {
    let fixture = try LibraryFixture()
    #expect(!CatalogRescue.isNeeded(at: fixture.library.path))
    #expect(!CatalogRescue.isNeeded(at: fixture.folder.path))
    let error = #expect(throws: LeaflogError.self) { try CatalogRescue(at: fixture.folder.path) }
    #expect(error?.code == .noLibrary)
  }
}
