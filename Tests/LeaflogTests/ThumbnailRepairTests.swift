import BlobStorage
import DiaryCatalog
import Foundation
import Leaflog
import Synchronization
import TestSupport
import Testing

/// Thumbnails that are made again, as an earlier version may have decoded their photos wrongly.
@Suite struct ThumbnailRepairTests {
  private final class Outcomes: Sendable {
    private let all = Mutex<[ThumbnailOutcome]>([])
    func add(_ outcome: ThumbnailOutcome) { all.withLock { $0.append(outcome) } }
    var list: [ThumbnailOutcome] { all.withLock { $0 } }
    func photos(_ result: ThumbnailOutcome.Result) -> Set<EntryID> {
      Set(list.filter { $0.result == result }.map(\.photo))
    }
    var failed: Set<EntryID> {
      Set(list.filter { if case .failed = $0.result { true } else { false } }.map(\.photo))
    }
  }

  private func repair(_ fixture: LibraryFixture, plant: PlantID? = nil) async throws -> Outcomes {
    var request = ThumbnailRequest()
    request.plant = plant
    let outcomes = Outcomes()
    try await ThumbnailRepair(fixture.library).run(request) { outcomes.add($0) }
    return outcomes
  }

  private func appearance(
    _ fixture: LibraryFixture, _ id: EntryID
  ) throws -> PhotoAppearance {
    let catalog = try Catalog(path: fixture.library.path + "/catalog.sqlite", access: .readOnly)
    defer { try? catalog.close() }
    return try catalog.read { try $0.photos.appearance(of: id) }
  }

  private func appearances(_ fixture: LibraryFixture) throws -> [EntryID: PhotoAppearance] {
    try Dictionary(
      uniqueKeysWithValues: fixture.entries().map { ($0.id, try appearance(fixture, $0.id)) })
  }

  private func spoil(_ fixture: LibraryFixture, _ id: EntryID) throws {
    try WrongThumbnail.plant(in: fixture.library.path, for: id)
  }

  private func expectWhole(_ fixture: LibraryFixture) throws {
    var full = VerifyRequest()
    full.readsEverything = true
    #expect(try Verifier(fixture.library).run(full) { Issue.record("\($0.message)") }.isComplete)
  }

  @Test(arguments: [StoragePolicy.compact, .lossless, .exact])
  func `a wrong thumbnail is replaced, others are left alone, and undo brings it back`(
    policy: StoragePolicy
  ) async throws {
    let fixture = try LibraryFixture(policy: policy)
    try fixture.folder.write(Data(EmbeddedMetadata.wavyPNG), to: "photos/wavy.png")
    _ = try await fixture.run(
      [Fixtures.path("Photos"), Fixtures.path("Colour/srgb.jpg"), fixture.photos])
    let right = try appearances(fixture)
    #expect(right.count == 15)
    let changes = try fixture.library.history.page(limit: 100).changes.count
    #expect(try await repair(fixture).photos(.unchanged) == Set(right.keys))
    #expect(try fixture.library.history.page(limit: 100).changes.count == changes)

    let ids = Set(right.keys.sorted { $0.description < $1.description }.prefix(3))
    for id in ids { try spoil(fixture, id) }
    let wrong = try appearances(fixture)
    let outcomes = try await repair(fixture)
    #expect(outcomes.photos(.replaced) == ids && outcomes.photos(.unchanged).count == 12)
    let repaired = try appearances(fixture)
    for (id, appearance) in repaired {
      let expected = try #require(right[id])
      #expect(appearance.size == expected.size)
      #expect(appearance.thumbnail?.size == expected.thumbnail?.size)
      #expect(appearance.sharpness != nil)
      // The copy of a compact library is not the file itself.
      if policy != .compact { #expect(appearance.isShown(as: expected)) }
    }
    try expectWhole(fixture)
    #expect(try await repair(fixture).photos(.unchanged).count == 15)

    let newest = try #require(try fixture.library.history.page(limit: 1).changes.first)
    #expect(newest.kind == .repairThumbnails)
    #expect(newest.counts.map(\.thing) == [.photo] && newest.counts.map(\.changed) == [3])
    try fixture.library.history.undo()
    #expect(try appearances(fixture) == wrong)
    try expectWhole(fixture)
    try fixture.library.history.redo()
    #expect(try appearances(fixture) == repaired)
    try expectWhole(fixture)
  }

  @Test func `photos of one plant alone, and photos in the trash`() async throws {
    let fixture = try LibraryFixture(policy: .exact)
    _ = try await fixture.run([Fixtures.path("Photos")])
    let plant = try fixture.library.plants.find(matching: "monstera").id
    let others = try fixture.entries().filter { $0.plant?.id != plant }
    let own = try fixture.entries(TimelineQuery(plant: plant))
    let (deleted, other) = (own[0].id, others[0].id)
    for id in [deleted, own[1].id, other] { try spoil(fixture, id) }
    try fixture.library.photos.delete(.photos([deleted]))
    let outcomes = try await repair(fixture, plant: plant)
    #expect(outcomes.photos(.replaced) == [deleted, own[1].id] && outcomes.list.count == 5)
    #expect(try await repair(fixture).photos(.replaced) == [other])
  }

  @Test func `a photo that cannot be read keeps its thumbnail, and holds up no other`() async throws
  {
    let fixture = try LibraryFixture(policy: .exact)
    _ = try await fixture.run([Fixtures.path("Photos/monstera")])
    let ids = try fixture.entries().map(\.id)
    for id in ids.prefix(2) { try spoil(fixture, id) }
    let wrong = try appearance(fixture, ids[0])
    let photo = try fixture.library.photos.find(ids[0])
    let original = try #require(photo.renditions.first { $0.role == .original })
    let path = fixture.library.photos.path(of: original)
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    bytes[bytes.count / 2] ^= 4
    try bytes.write(to: URL(fileURLWithPath: path))
    let outcomes = try await repair(fixture)
    #expect(outcomes.failed == [ids[0]] && outcomes.photos(.replaced) == [ids[1]])
    #expect(outcomes.list.count == 5)
    #expect(try appearance(fixture, ids[0]) == wrong)
  }

  @Test func `a photo's thumbnail is its own file where an import would have it so`() async throws {
    let fixture = try LibraryFixture(policy: .exact)
    let bare = try Fixtures.data("Colour/grey.jpg")
    try fixture.folder.write(bare, to: "photos/a.jpg")
    let id = try #require(try await fixture.run().outcomes.list.first?.added?.id)
    let right = try appearance(fixture, id)
    #expect(right.thumbnail?.blob == bare.withUnsafeBytes { BlobID(hashing: $0) })
    try spoil(fixture, id)
    #expect(try await repair(fixture).photos(.replaced) == [id])
    #expect(try appearance(fixture, id) == right)
    try expectWhole(fixture)
  }

  @Test func `a preview that was made like a wrong thumbnail is made again`() async throws {
    let fixture = try LibraryFixture(policy: .exact)
    _ = try await fixture.run([Fixtures.path("Photos/monstera/IMG_0001.jpg")])
    let entry = try #require(try fixture.entries().first)
    let photo = try fixture.library.photos.find(entry.id)
    let right = try fixture.library.photos.preview(of: photo)
    let cached = try #require(fixture.folder.files(below: "library/cache").first)
    try fixture.folder.write(Data([1, 2, 3]), to: "library/cache/" + cached)
    #expect(try fixture.library.photos.preview(of: photo) == Data([1, 2, 3]))
    try spoil(fixture, entry.id)
    _ = try await repair(fixture)
    #expect(try fixture.library.photos.preview(of: photo) == right)
  }
}
