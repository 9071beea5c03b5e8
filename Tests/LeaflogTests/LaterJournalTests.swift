import DiaryModel
import Foundation
import Leaflog
import Synchronization
import TestSupport
import Testing

/// A library whose object store gets changes some time after they are reported.
@Suite(.serialized) struct LaterJournalTests {
  private let server: ObjectServer
  private let fixture: ObjectLibraryFixture
  private var library: Library { fixture.library }

  init() throws {
    server = try ObjectServer()
    fixture = try ObjectLibraryFixture(server, journal: .async)
  }

  private func unsentCount() throws -> Int? { try library.store.statistics().unsentCommitCount }

  private func addPlant() throws {
    _ = try library.plants.add(PlantDetails(name: UUID().uuidString))
  }

  @Test func `changes go to the store together, and another machine has them all`() async throws {
    try library.store.sendJournal()
    let before = try fixture.keys("journal/").count
    for _ in 0..<3 { try addPlant() }
    #expect(try fixture.keys("journal/").count == before)
    #expect(try unsentCount() == 3)
    try library.store.sendJournal()
    #expect(try fixture.keys("journal/").count == before + 1)
    #expect(try unsentCount() == 0)
    let attached = try fixture.attach("attached")
    #expect(try fixture.rows("attached") == fixture.rows())
    #expect(try attached.store.statistics().unsentCommitCount == 0)
  }

  @Test func `the store is behind for a bounded time`() throws {
    try library.store.sendJournal()
    let before = try fixture.keys("journal/").count
    let start = ContinuousClock.now
    while try fixture.keys("journal/").count == before { try addPlant() }
    #expect(.now - start >= ObjectStoreSettings.Journal.maxLag)
    // Frames are sent before a commit, which then is the first of the next, or after one.
    #expect(try [0, 1].contains(unsentCount()))
  }

  @Test func `a store that is gone for longer than that takes no changes until it is back`() throws
  {
    let isDown = Mutex(false)
    let server = try ObjectServer { _, _ in
      isDown.withLock { $0 } ? .refuse(status: 403, code: "AccessDenied") : .obey
    }
    let fixture = try ObjectLibraryFixture(server, journal: .async)
    isDown.withLock { $0 = true }
    var names: [String] = []
    func add() throws {
      // A change that was refused is in the catalog where only the store lacks it.
      let name = UUID().uuidString
      _ = try fixture.library.plants.add(PlantDetails(name: name))
      names.append(name)
    }
    let error = #expect(throws: LeaflogError.self) { while true { try add() } }
    #expect(error?.code == .refused)
    #expect(throws: LeaflogError.self) { try add() }
    // What the store lacks is told without it.
    let statistics = try fixture.library.store.statistics()
    #expect(statistics.unsentCommitCount ?? 0 >= names.count)
    isDown.withLock { $0 = false }
    try add()
    try fixture.library.store.sendJournal()
    let attached = try fixture.attach("attached")
    #expect(try Set(attached.plants.all().map(\.name)).isSuperset(of: names))
  }

  @Test func `objects that a killed process has not sent are sent by the next one`() throws {
    for _ in 0..<3 { try addPlant() }
    // As if it were killed: it is not closed.
    let next = try Library.open(at: library.path, keys: fixture.keys)
    try next.close()
    #expect(try unsentCount() == 0)
  }

  @Test func `an import that moves deletes no photo whose row the store lacks`() async throws {
    let source = try TemporaryFolder()
    _ = try source.write(Fixtures.data("Photos/basil/20250510T120006+0100.jpg"), to: "a.jpg")
    let lacks = Mutex(false)
    let watch = try ObjectServer { _, _ in
      // Each request is one that came while the photo was still there, or with its frame in the store.
      let isGone = !FileManager.default.fileExists(atPath: source.file("a.jpg"))
      lacks.withLock { $0 = $0 || isGone }
      return .obey
    }
    let fixture = try ObjectLibraryFixture(watch, journal: .async)
    var request = ImportRequest(paths: [source.path])
    request.movesFiles = true
    let summary = try await Importer(fixture.library).run(request) { _ in }
    #expect(summary.added == 1 && source.files().isEmpty)
    #expect(!lacks.withLock { $0 })
    #expect(try fixture.library.store.statistics().unsentCommitCount == 0)
  }

  @Test func `no object goes before the store knows that it may`() async throws {
    _ = try await fixture.importPhotos()
    try library.plants.delete(library.plants.find(matching: "basil").id)
    var forgetting = PruneRequest()
    forgetting.olderThan = .zero
    let pruner = Pruner(library)
    _ = try pruner.run(forgetting, now: .inHours(0.1))
    _ = try pruner.run(PruneRequest(), now: .inHours(25))
    let start = server.requests.count
    #expect(try pruner.run(PruneRequest(), now: .inHours(50)).unlinked.count == 8)
    let made = server.requests.dropFirst(start)
    let frame = try #require(
      made.firstIndex { $0.method == "PUT" && $0.key.hasPrefix("diary/journal/") })
    let deletion = try #require(
      made.firstIndex { $0.method == "DELETE" && $0.key.hasPrefix("diary/blobs/") })
    #expect(frame < deletion)
  }

  @Test func `a closed library leaves nothing unsent, and is closed although the store is gone`()
    throws
  {
    let isDown = Mutex(false)
    let server = try ObjectServer { _, _ in
      isDown.withLock { $0 } ? .refuse(status: 403, code: "AccessDenied") : .obey
    }
    let fixture = try ObjectLibraryFixture(server, journal: .async)
    _ = try fixture.library.plants.add(PlantDetails(name: "fig"))
    isDown.withLock { $0 = true }
    let error = #expect(throws: LeaflogError.self) { try fixture.library.close() }
    #expect(error?.code == .refused)
    try fixture.library.close()
    isDown.withLock { $0 = false }
    let again = try Library.open(at: fixture.library.path, keys: fixture.keys)
    #expect(try again.store.statistics().unsentCommitCount != 0)
    try again.close()
    #expect(try fixture.attach("attached").plants.all().map(\.name) == ["fig"])
  }
}
