import BlobStorage
import Foundation
import Leaflog
import Synchronization
import TestSupport
import Testing

@Suite struct RecompressTests {
  private final class Outcomes: Sendable {
    private let all = Mutex<[RecompressOutcome]>([])
    func add(_ outcome: RecompressOutcome) { all.withLock { $0.append(outcome) } }
    var list: [RecompressOutcome] { all.withLock { $0 } }
    var changedCount: Int {
      list.count { if case .changed = $0.result { true } else { false } }
    }
    func count(_ reason: RecompressOutcome.Reason) -> Int {
      list.count { $0.result == .kept(reason) }
    }
  }

  private func recompress(
    _ fixture: LibraryFixture, _ policy: StoragePolicy,
    _ change: (inout RecompressRequest) -> Void = { _ in }
  ) async throws -> Outcomes {
    var request = RecompressRequest(policy: policy)
    change(&request)
    let outcomes = Outcomes()
    try await Recompressor(fixture.library).run(request) { outcomes.add($0) }
    return outcomes
  }

  private func roles(_ fixture: LibraryFixture) throws -> [RenditionRole: Int] {
    try fixture.library.store.statistics().renditions.mapValues(\.count)
  }

  private func expectWhole(_ fixture: LibraryFixture) throws {
    var full = VerifyRequest()
    full.readsEverything = true
    #expect(try Verifier(fixture.library).run(full) { Issue.record("\($0.message)") }.isComplete)
  }

  @Test func `packing and unpacking gives every byte back`() async throws {
    let fixture = try LibraryFixture(policy: .exact)
    _ = try await fixture.run([Fixtures.path("Photos")])
    let packed = try await recompress(fixture, .lossless)
    #expect(packed.list.count == 13)
    #expect(packed.changedCount > 8)
    #expect(
      packed.changedCount + packed.count(.savesTooLittle) + packed.count(.notCompressible) == 13)
    #expect(try roles(fixture)[.packed] == packed.changedCount)
    #expect(try await recompress(fixture, .lossless).count(.alreadySo) == packed.changedCount)
    try expectWhole(fixture)
    let exact = try await recompress(fixture, .exact)
    #expect(exact.changedCount == packed.changedCount)
    for entry in try fixture.entries() {
      let photo = try fixture.library.photos.find(entry.id)
      let original = try #require(photo.renditions.first { $0.role == .original })
      #expect(original.blob == entry.photo?.sourceDigest)
    }
    try expectWhole(fixture)
    // The files that were imported are known still.
    #expect(try await fixture.run([Fixtures.path("Photos")]).summary.added == 0)
  }

  @Test func `a compressed copy is never compressed again unasked`() async throws {
    let fixture = try LibraryFixture(policy: .compact)
    _ = try await fixture.run([Fixtures.path("Photos/monstera")])
    let before = fixture.storedFiles
    #expect(try await recompress(fixture, .compact).count(.alreadySo) == 5)
    #expect(try await recompress(fixture, .compact) { $0.targetScore = 50 }.count(.secondLoss) == 5)
    #expect(try await recompress(fixture, .lossless).count(.exactBytesGone) == 5)
    #expect(try await recompress(fixture, .exact).count(.exactBytesGone) == 5)
    #expect(fixture.storedFiles == before)
    let again = try await recompress(fixture, .compact) {
      ($0.targetScore, $0.allowsSecondLoss) = (50, true)
    }
    #expect(again.changedCount == 5)
    try expectWhole(fixture)
  }

  @Test func `from the exact bytes while they are there, and only for what it saves`() async throws
  {
    let fixture = try LibraryFixture(policy: .exact)
    _ = try await fixture.run([Fixtures.path("Photos/monstera")])
    #expect(
      try await recompress(fixture, .compact) { $0.minSaving = 0.9 }.count(.savesTooLittle) == 5)
    _ = try await recompress(fixture, .lossless) { $0.minSaving = 0 }
    let compact = try await recompress(fixture, .compact)
    #expect(compact.changedCount > 0)
    #expect(try roles(fixture)[.packed] ?? 0 == 5 - compact.changedCount)
    try expectWhole(fixture)
  }

  /// Where the exact bytes of photos are that the catalog has only copies of.
  enum Remains: CaseIterable { case condemned, inTrash }

  @Test(arguments: Remains.allCases)
  func `exact bytes that prune has not deleted are the best source`(remains: Remains) async throws {
    let fixture = try LibraryFixture(policy: .exact)
    _ = try await fixture.run([Fixtures.path("Photos/monstera")])
    #expect(try await recompress(fixture, .compact) { $0.targetScore = 60 }.changedCount == 5)
    if remains == .inTrash {
      #expect(try Pruner(fixture.library).run(PruneRequest(), now: .inHours(30)).trashed.count == 5)
    }
    func size() throws -> Int { try fixture.library.store.statistics().storedByteCount }
    let small = try size()
    let better = try await recompress(fixture, .compact)
    #expect(better.changedCount == 5 && better.count(.secondLoss) == 0)
    #expect(try size() > small)
    try expectWhole(fixture)
    let planned = try await recompress(fixture, .exact) { $0.isDryRun = true }
    #expect(planned.changedCount == 5)
    #expect(try roles(fixture)[.original] == nil)
    #expect(try await recompress(fixture, .exact).changedCount == 5)
    for entry in try fixture.entries() {
      let photo = try fixture.library.photos.find(entry.id)
      #expect(photo.renditions.contains { $0.blob == entry.photo?.sourceDigest })
    }
    try expectWhole(fixture)
    try fixture.library.history.undo()
    #expect(try roles(fixture)[.master] == 5)
    try expectWhole(fixture)
  }

  @Test func `damaged remains are no source, and a second loss is offered when there is none`()
    async throws
  {
    let fixture = try LibraryFixture(policy: .exact)
    _ = try await fixture.run([Fixtures.path("Photos/monstera")])
    #expect(try await recompress(fixture, .compact) { $0.targetScore = 60 }.changedCount == 5)
    for entry in try fixture.entries() {
      let store = LocalBlobStore(root: .init(fixture.library.path))
      let path = store.place(of: try #require(entry.photo).sourceDigest)
      var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      bytes[bytes.count / 2] ^= 1
      try bytes.write(to: URL(fileURLWithPath: path))
    }
    #expect(try await recompress(fixture, .exact).count(.exactBytesGone) == 5)
    #expect(try await recompress(fixture, .compact).count(.secondLoss) == 5)
    #expect(try await recompress(fixture, .compact) { $0.allowsSecondLoss = true }.list.count == 5)
  }

  @Test func `one plant alone, and a run that is undone`() async throws {
    let fixture = try LibraryFixture(policy: .exact)
    _ = try await fixture.run([Fixtures.path("Photos")])
    let plant = try fixture.library.plants.find(matching: "monstera").id
    func renditions() throws -> [[Rendition]] {
      try fixture.entries().map { try fixture.library.photos.find($0.id).renditions }
    }
    let before = try renditions()
    #expect(try await recompress(fixture, .compact) { $0.plant = plant }.list.count == 5)
    #expect(try renditions() != before)
    #expect(try fixture.library.history.undo().kind == .recompress)
    #expect(try renditions() == before)
    try expectWhole(fixture)
    try fixture.library.history.redo()
    #expect(try renditions() != before)
    try expectWhole(fixture)
  }

  @Test func `a pruned photo cannot be restored by undo, and the reason is given`() async throws {
    let fixture = try LibraryFixture(policy: .exact)
    _ = try await fixture.run([Fixtures.path("Photos/monstera")])
    #expect(try await recompress(fixture, .compact).changedCount > 0)
    var prune = PruneRequest()
    prune.waived = Set(PruneGuard.allCases)
    _ = try Pruner(fixture.library).run(prune, now: .inHours(30))
    // In the store's trash it can be taken back still.
    try fixture.library.history.undo()
    try expectWhole(fixture)
    try fixture.library.history.redo()
    for hours in [60.0, 90, 120] {
      _ = try Pruner(fixture.library).run(prune, now: .inHours(hours))
    }
    let before = try fixture.entries()
    let error = #expect(throws: LeaflogError.self) { try fixture.library.history.undo() }
    #expect(error?.code == .conflict)
    #expect(error?.message.contains("were pruned") == true)
    #expect(try fixture.entries() == before)
    try expectWhole(fixture)
  }

  @Test func `a dry run changes nothing, and damage is a failure of its photo`() async throws {
    let fixture = try LibraryFixture(policy: .exact)
    _ = try await fixture.run([Fixtures.path("Photos/monstera")])
    let before = fixture.storedFiles
    #expect(try await recompress(fixture, .compact) { $0.isDryRun = true }.changedCount > 0)
    #expect(fixture.storedFiles == before)
    let photo = try fixture.library.photos.find(fixture.entries()[0].id)
    let original = try #require(photo.renditions.first { $0.role == .original })
    let url = URL(fileURLWithPath: fixture.library.photos.path(of: original))
    var bytes = try Data(contentsOf: url)
    bytes[bytes.count / 2] ^= 4
    try bytes.write(to: url)
    let outcomes = try await recompress(fixture, .lossless) { $0.minSaving = 0 }
    let failed = outcomes.list.filter { if case .failed = $0.result { true } else { false } }
    #expect(failed.map(\.entry.id) == [photo.entry.id])
  }
}
