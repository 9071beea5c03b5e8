import BlobStorage
import DiaryModel
import Foundation
import Leaflog
import TestSupport
import Testing

/// Restoring a backup over a library whose photos are in an object store.
@Suite(.serialized) struct RestoreIntoStoreTests {
  /// A library in a store with a backup in a folder, closed.
  private struct Fixture {
    let base: ObjectLibraryFixture
    let backedUp: Set<String>

    var path: String { base.library.path }
    var place: String { base.folder.file("backup") }

    init(_ base: ObjectLibraryFixture) async throws {
      self.base = base
      _ = try await base.importPhotos()
      _ = try Backup(base.library).run(BackupRequest(path: base.folder.file("backup"))) {
        Issue.record("\($0.message)")
      }
      backedUp = try base.rows().filter(Self.isComparable)
    }

    /// Restoring begins a line of history of its own, and counts what prune waits for anew.
    private static func isComparable(_ row: String) -> Bool {
      !row.hasPrefix("retiredKey:") && !row.contains("'backedUp'")
    }

    func rows(_ name: String = "library") throws -> Set<String> {
      try base.rows(name).filter(Self.isComparable)
    }

    func open() throws -> Library { try Library.open(at: path, keys: base.keys) }

    @discardableResult
    func restore() throws -> RestoreSummary {
      let backup = try Library.open(at: place, for: .reading)
      defer { try? backup.close() }
      return try Restore(backup, to: path, keys: base.keys).run { Issue.record("\($0.message)") }
    }

    func damage() throws -> [Damage] {
      let library = try open()
      defer { try? library.close() }
      return try base.damage(in: library, isFull: true)
    }

    /// Deletes all photos for good.
    func deleteAll() throws {
      for plant in try base.library.plants.all() { try base.library.plants.delete(plant.id) }
      let pruner = Pruner(base.library)
      var request = PruneRequest()
      request.olderThan = .zero
      request.waived = Set(PruneGuard.allCases)
      _ = try pruner.run(request, now: .inHours(0.1))
      request.olderThan = nil
      for hours in [25.0, 50] { _ = try pruner.run(request, now: .inHours(hours)) }
      #expect(try base.keys("blobs/").isEmpty)
    }
  }

  @Test(arguments: LibraryStoreKind.available)
  func `a former state comes back, and another machine finds it`(kind: LibraryStoreKind)
    async throws
  {
    let fixture = try await Fixture(ObjectLibraryFixture(kind))
    _ = try fixture.base.library.plants.add(PlantDetails(name: "Fern"))
    let entry = try #require(
      try fixture.base.library.timeline.page(TimelineQuery(), limit: 1).elements.first)
    _ = try fixture.base.library.photos.delete(.photos([entry.id]))
    try fixture.base.library.close()
    let key = try #require(fixture.base.keys("blobs/").first)
    try fixture.base.client.delete(key)
    let summary = try fixture.restore()
    #expect(summary.copiedCount == 1 && summary.damageCount == 0 && !summary.hasUnknownPhotos)
    #expect(try fixture.rows() == fixture.backedUp)
    #expect(try fixture.damage().isEmpty)
    let attached = try fixture.base.attach("attached")
    #expect(try fixture.rows("attached") == fixture.rows())
    #expect(try fixture.base.damage(in: attached, isFull: true).isEmpty)
  }

  @Test func `blobs that were deleted for good get other keys, which late DELETEs do not meet`()
    async throws
  {
    let fixture = try await Fixture(ObjectLibraryFixture(.memory))
    let former = try fixture.base.keys("blobs/")
    try fixture.deleteAll()
    try fixture.base.library.close()
    #expect(try fixture.restore().copiedCount == 26)
    #expect(try Set(fixture.base.keys("blobs/")) == Set(former.map { $0 + ".1" }))
    for key in former { try fixture.base.client.delete(key) }
    #expect(try fixture.rows() == fixture.backedUp)
    #expect(try fixture.damage().isEmpty)
    let attached = try fixture.base.attach("attached")
    #expect(try fixture.base.damage(in: attached, isFull: true).isEmpty)
  }

  @Test func `a former owner and a lost catalog are refused`() async throws {
    let fixture = try await Fixture(ObjectLibraryFixture(.memory))
    try fixture.base.library.close()
    let catalog = fixture.path + "/catalog.sqlite"
    try FileManager.default.moveItem(atPath: catalog, toPath: catalog + ".away")
    let lost = #expect(throws: LeaflogError.self) { try fixture.restore() }
    #expect(lost?.code == .damaged && lost?.remedy == .repair)
    try FileManager.default.moveItem(atPath: catalog + ".away", toPath: catalog)
    let attached = try fixture.base.attach("attached")
    let objects = try fixture.base.keys("")
    let former = #expect(throws: LeaflogError.self) { try fixture.restore() }
    #expect(former?.code == .readOnly)
    #expect(try fixture.base.keys("") == objects)
    #expect(try fixture.base.damage(in: attached, isFull: true).isEmpty)
  }

  @Test func `cut short at any request, it leaves a whole library and goes on`() async throws {
    let limit = RequestLimit()
    let server = try limit.server()
    let fixture = try await Fixture(ObjectLibraryFixture(server))
    _ = try fixture.base.library.plants.add(PlantDetails(name: "Fern"))
    let changed = try fixture.rows()
    try fixture.base.library.close()
    for key in try fixture.base.keys("blobs/").prefix(3) { try fixture.base.client.delete(key) }
    var isDone = false
    for count in 0..<60 where !isDone {
      limit.set(count)
      do {
        try fixture.restore()
        isDone = true
      } catch let error as LeaflogError { #expect(error.code == .refused) }
      limit.set(nil)
      let rows = try fixture.rows()
      #expect(rows == changed || rows == fixture.backedUp)
    }
    #expect(isDone)
    try fixture.restore()
    #expect(try fixture.rows() == fixture.backedUp)
    #expect(try fixture.damage().isEmpty)
    _ = try fixture.base.attach("attached")
    #expect(try fixture.rows("attached") == fixture.rows())
  }
}
