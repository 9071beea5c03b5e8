import BlobStorage
import DiaryCatalog
import DiaryModel
import Foundation
import Leaflog
import Synchronization
import TestSupport
import Testing

/// A library whose photos are in an object store.
@Suite(.serialized) struct ObjectLibraryTests {
  @Test(arguments: LibraryStoreKind.available)
  func `an imported photo is read, verified, changed and undone`(kind: LibraryStoreKind)
    async throws
  {
    let fixture = try ObjectLibraryFixture(kind)
    let library = fixture.library
    let (summary, _) = try await fixture.importPhotos()
    #expect(summary.added == 13)
    let again = try await fixture.importPhotos().summary
    #expect(again.added == 0 && again.duplicate == 14)
    #expect(try fixture.keys("blobs/").count == 26)
    #expect(fixture.folder.files(below: "library/blobs").isEmpty)
    // With the cache that the import has filled, and without.
    for isCold in [false, true] {
      if isCold {
        try FileManager.default.removeItem(atPath: fixture.folder.file("library/cache/blobs"))
      }
      for entry in try library.timeline.page(TimelineQuery(), limit: 100).elements {
        let photo = try library.photos.find(entry.id)
        for kind in PictureFile.Kind.allCases {
          #expect(try library.photos.file(kind, of: photo).byteCount > 0)
        }
      }
    }
    #expect(try fixture.damage(isFull: false).isEmpty)
    #expect(try fixture.damage(isFull: true).isEmpty)
    let statistics = try library.store.statistics()
    #expect(statistics.unreferenced.count == 0 && statistics.renditions[.original]?.count == 13)
    try library.history.undo()
    #expect(try library.timeline.page(TimelineQuery(), limit: 10).elements.isEmpty)
    try library.history.redo()
    #expect(try library.timeline.page(TimelineQuery(), limit: 100).elements.count == 13)
  }

  @Test(arguments: LibraryStoreKind.available)
  func `a missing and a damaged object are found, and repaired from the photos`(
    kind: LibraryStoreKind
  ) async throws {
    let fixture = try ObjectLibraryFixture(kind)
    _ = try await fixture.importPhotos()
    let keys = try fixture.keys("blobs/")
    try fixture.client.delete(keys[3])
    #expect(try fixture.damage(isFull: false).map(\.kind) == [.missing])
    let other = PendingBlob(hashing: SharedBytes(copying: "x".utf8))
    try fixture.client.put(keys[7], other.bytes, digest: other.id)
    #expect(Set(try fixture.damage(isFull: false).map(\.kind)) == [.missing, .wrongSize])
    #expect(try fixture.damage(isFull: true).count == 2)
    try Repairer.run(
      at: fixture.library.path, from: .folder(Fixtures.path("Photos")), keys: fixture.keys
    ) { _ in }
    #expect(try fixture.damage(isFull: true).isEmpty)
  }

  @Test(arguments: LibraryStoreKind.available)
  func `pruned blobs go in three runs, and come back under another key`(
    kind: LibraryStoreKind
  ) async throws {
    let fixture = try ObjectLibraryFixture(kind)
    let library = fixture.library
    _ = try await fixture.importPhotos()
    let before = Set(try fixture.keys("blobs/"))
    try library.plants.delete(library.plants.find(matching: "basil").id)
    var forgetting = PruneRequest()
    forgetting.olderThan = .zero
    let pruner = Pruner(library)
    #expect(try pruner.run(forgetting, now: .inHours(0.1)).condemned.count == 8)
    #expect(try pruner.run(PruneRequest(), now: .inHours(25)).trashed.count == 8)
    #expect(Set(try fixture.keys("blobs/")) == before)
    // The objects of blobs in the trash are not leftovers.
    #expect(try pruner.run(PruneRequest(), now: .inHours(26)).condemned.count == 0)
    #expect(try Verifier(library).run(VerifyRequest()) { _ in }.unknownCount == 0)
    let third = try pruner.run(PruneRequest(), now: .inHours(50))
    #expect(third.unlinked.count == 8 && third.condemned.count == 0)
    #expect(try library.store.statistics().unreferenced.count == 0)
    let left = Set(try fixture.keys("blobs/"))
    let gone = before.subtracting(left)
    #expect(left.count == 18 && gone.count == 8)
    // The same photos again; a DELETE that comes late meets nothing.
    #expect(try await fixture.importPhotos().summary.added == 4)
    #expect(Set(try fixture.keys("blobs/")).subtracting(left) == Set(gone.map { $0 + ".1" }))
    for key in gone { try fixture.client.delete(key) }
    #expect(try fixture.damage(isFull: true).isEmpty)
    #expect(try library.store.statistics().unreferenced.count == 0)
  }

  @Test(arguments: LibraryStoreKind.available)
  func `a lost disk is made good by the store, and the former machine is refused`(
    kind: LibraryStoreKind
  ) async throws {
    let fixture = try ObjectLibraryFixture(kind)
    let library = fixture.library
    _ = try await fixture.importPhotos()
    let entries = try library.timeline.page(TimelineQuery(), limit: 100).elements
    for (number, entry) in entries.enumerated() {
      _ = try library.photos.edit(entry.id, notes: "note \(number)")
    }
    let attached = try fixture.attach("attached")
    #expect(try fixture.rows("attached") == fixture.rows())
    #expect(try fixture.damage(in: attached, isFull: true).isEmpty)
    _ = try attached.photos.edit(entries[0].id, notes: "on the new machine")
    let error = #expect(throws: LeaflogError.self) {
      _ = try library.photos.edit(entries[1].id, notes: "on the old machine")
    }
    #expect(error?.code == .readOnly && error?.message.contains("taken over") == true)
    // Of the refused change nothing is left to whoever comes next.
    try attached.store.takeSnapshot()
    _ = try attached.photos.edit(entries[2].id, notes: "after a snapshot")
    let third = try fixture.attach("third")
    #expect(try fixture.rows("third") == fixture.rows("attached"))
    // After a power cut it may not be known what the store has, and frames are put once more.
    let pushed = fixture.folder.file("third/pushed.json")
    let before = try Data(contentsOf: URL(fileURLWithPath: pushed))
    for entry in entries[5..<8] { _ = try third.photos.edit(entry.id, notes: "twice") }
    try before.write(to: URL(fileURLWithPath: pushed))
    _ = try third.photos.edit(entries[5].id, notes: "once")
    _ = try fixture.attach("fourth")
    #expect(try fixture.rows("fourth") == fixture.rows("third"))
    #expect(try third.photos.find(entries[0].id).entry.notes == "on the new machine")
  }

  private func generation(_ fixture: ObjectLibraryFixture) throws -> Int {
    try Catalog(path: fixture.library.path + "/catalog.sqlite", access: .readOnly).generation()
  }

  @Test func `an import makes a request for each rendition, and two for each commit`() async throws
  {
    let server = try ObjectServer()
    let fixture = try ObjectLibraryFixture(server)
    let start = server.requests.count
    let commits = try generation(fixture)
    _ = try await fixture.importPhotos()
    let batches = try generation(fixture) - commits
    let made = server.requests.dropFirst(start)
    #expect(made.count { $0.key.hasPrefix("diary/blobs/") && $0.method == "PUT" } == 26)
    #expect(made.count { $0.key.hasPrefix("diary/journal/") && $0.method == "PUT" } == batches)
    let looks = made.count { $0.query["start-after"]?.hasPrefix("diary/journal/") == true }
    // One more for each ten seconds; on a slow machine, that may be each batch.
    #expect(looks >= batches && looks <= 2 * batches + 1)
    // The first commit of all says whose it is, by a listing and a PUT.
    #expect(made.count <= 26 + batches + looks + 2)
  }

  @Test func `of an original that is not here only the parts are asked for that are wanted`()
    async throws
  {
    let server = try ObjectServer()
    let fixture = try ObjectLibraryFixture(server)
    _ = try await fixture.importPhotos()
    let entry = try #require(
      try fixture.library.timeline.page(TimelineQuery(), limit: 1).elements.first)
    let photo = try fixture.library.photos.find(entry.id)
    try FileManager.default.removeItem(atPath: fixture.folder.file("library/cache/blobs"))
    let start = server.requests.count
    let file = try fixture.library.photos.file(.original, of: photo)
    #expect(server.requests.count == start)
    guard case .parts(let parts) = file.content else {
      Issue.record("it comes as a whole")
      return
    }
    let all = try parts[0..<file.byteCount]
    #expect(all.withUnsafeBytes { BlobID(hashing: $0) } == file.digest)
    // It is on this machine now.
    #expect(try parts[100..<200] == all[100..<200])
    #expect(server.requests.count == start + 1)
    try FileManager.default.removeItem(atPath: fixture.folder.file("library/cache/blobs"))
    #expect(try parts[100..<200] == all[100..<200])
    #expect(server.requests.last?.headers["range"] == "bytes=100-199")
    server.set(nil, for: "diary/blobs/\(file.digest.hex.prefix(2))/\(file.digest.hex)")
    #expect(throws: LeaflogError.self) { try parts[0..<100] }
  }

  @Test func `nothing more is changed until the store has the last commit`() async throws {
    let isDown = Mutex(false)
    let server = try ObjectServer { request, _ in
      isDown.withLock { $0 } && request.key.contains("/journal/")
        ? .refuse(status: 403, code: "AccessDenied") : .obey
    }
    let fixture = try ObjectLibraryFixture(server)
    isDown.withLock { $0 = true }
    let (summary, outcomes) = try await fixture.importPhotos()
    #expect(summary.added + summary.duplicate <= 1 && summary.failed > 0, "\(outcomes)")
    #expect(fixture.library.store.reasonForUnsent?.code == .refused)
    await #expect(throws: LeaflogError.self) { try await fixture.importPhotos() }
    isDown.withLock { $0 = false }
    let again = try await fixture.importPhotos().summary
    #expect(again.failed == 0 && again.duplicate + again.added == 14)
    let attached = try fixture.attach("attached")
    #expect(try attached.timeline.page(TimelineQuery(), limit: 100).elements.count == 13)
  }

  @Test func `the secret is in no file of the library, and reading the timeline needs none`() throws
  {
    let server = try ObjectServer()
    let fixture = try ObjectLibraryFixture(server)
    for file in fixture.folder.files() {
      let data = try Data(contentsOf: URL(fileURLWithPath: fixture.folder.file(file)))
      #expect(data.range(of: Data(ObjectPlace.secret.utf8)) == nil, "\(file)")
    }
    #expect(
      !server.objects.values.contains {
        $0.range(of: Data(ObjectPlace.secret.utf8)) != nil
      })
    let count = server.requests.count
    let none = ObjectStoreKeys(environment: ["HOME": fixture.folder.path])
    let library = try Library.open(at: fixture.library.path, for: .reading, keys: none)
    #expect(try library.timeline.page(TimelineQuery(), limit: 10).elements.isEmpty)
    #expect(server.requests.count == count)
    _ = try library.store.statistics()
    #expect(server.requests.count == count)
    let fault = #expect(throws: LeaflogError.self) {
      try Verifier(library).run(VerifyRequest()) { _ in }
    }
    #expect(fault?.code == .refused && fault?.message.contains("AWS_ACCESS_KEY_ID") == true)
  }

  @Test func `a store that accepts anything is refused, and so is a place that is taken`() throws {
    let fixture = try ObjectLibraryFixture(.memory)
    #expect(throws: LeaflogError.self) {
      try Library.create(
        at: fixture.folder.file("second"), Library.Settings(store: fixture.settings),
        keys: fixture.keys)
    }
    #expect(!Library.exists(at: fixture.folder.file("second")))
    let careless = try ObjectServer(checksDigests: false)
    let error = #expect(throws: LeaflogError.self) { try ObjectLibraryFixture(careless) }
    #expect(error?.code == .refused && error?.message.contains("checksum") == true)
  }
}
