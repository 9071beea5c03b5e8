import BlobStorage
import DiaryModel
import Foundation
import Leaflog
import Synchronization
import TestSupport
import Testing

/// Read-only replicas of a library whose photos are in an object store.
@Suite(.serialized) struct LibraryReplicaTests {
  private func replica(
    of fixture: ObjectLibraryFixture, _ name: String = "replica"
  ) throws -> (LibraryReplica, LibraryReplica.Update) {
    let made = try LibraryReplica.create(
      fixture.settings, at: fixture.folder.file(name), keys: fixture.keys)
    return (made.replica, made.update)
  }

  private func notes(_ fixture: ObjectLibraryFixture, in name: String) throws -> [String] {
    let library = try Library.open(
      at: fixture.folder.file(name), for: .reading, keys: fixture.keys)
    return try library.timeline.page(TimelineQuery(), limit: 100).elements.compactMap(\.notes)
  }

  @Test(arguments: LibraryStoreKind.available)
  func `a replica follows imports, edits and undo, row by row`(kind: LibraryStoreKind) async throws
  {
    let fixture = try ObjectLibraryFixture(kind)
    let library = fixture.library
    let (replica, first) = try replica(of: fixture)
    #expect(first.lastCommit > 0 && LibraryReplica.exists(at: fixture.folder.file("replica")))
    _ = try await fixture.importPhotos()
    let imported = try replica.update(isThorough: false)
    #expect(imported.commitCount > 0 && !imported.isReplaced)
    #expect(try fixture.rows("replica") == fixture.rows())
    let entries = try library.timeline.page(TimelineQuery(), limit: 100).elements
    for (number, entry) in entries.enumerated() {
      _ = try library.photos.edit(entry.id, notes: "note \(number)")
    }
    try library.history.undo()
    let edited = try replica.update(isThorough: false)
    #expect(edited.commitCount == entries.count + 1)
    #expect(try fixture.rows("replica") == fixture.rows())
    #expect(try replica.update().commitCount == 0)
    let read = try Library.open(
      at: fixture.folder.file("replica"), for: .reading, keys: fixture.keys)
    for entry in try read.timeline.page(TimelineQuery(), limit: 100).elements {
      let photo = try read.photos.find(entry.id)
      for kind in PictureFile.Kind.allCases {
        #expect(try read.photos.file(kind, of: photo).byteCount > 0)
      }
    }
    #expect(try fixture.damage(in: read, isFull: true).isEmpty)
  }

  @Test func `a replica is written by nobody, and brought up to date by one`() async throws {
    let fixture = try ObjectLibraryFixture(.memory)
    let (replica, _) = try replica(of: fixture)
    let path = fixture.folder.file("replica")
    let error = #expect(throws: LeaflogError.self) {
      try Library.open(at: path, keys: fixture.keys)
    }
    #expect(error?.code == .readOnly && error?.remedy == .promoteReplica)
    let second = #expect(throws: LeaflogError.self) {
      try LibraryReplica(at: path, keys: fixture.keys)
    }
    #expect(second?.code == .locked && second?.remedy == .endFollowing)
    try replica.close()
    _ = try LibraryReplica(at: path, keys: fixture.keys).update()
    let own = #expect(throws: LeaflogError.self) {
      try LibraryReplica(at: fixture.library.path, keys: fixture.keys)
    }
    #expect(own?.code == .invalidRequest)
  }

  @Test(arguments: LibraryStoreKind.available)
  func `a replica that was away finds its way by a newer catalog`(kind: LibraryStoreKind)
    async throws
  {
    let fixture = try ObjectLibraryFixture(kind)
    _ = try await fixture.importPhotos()
    let (replica, _) = try replica(of: fixture)
    let entries = try fixture.library.timeline.page(TimelineQuery(), limit: 100).elements
    for (number, entry) in entries.enumerated() {
      _ = try fixture.library.photos.edit(entry.id, notes: "note \(number)")
      if number.isMultiple(of: 3) { try fixture.library.store.takeSnapshot() }
    }
    let update = try replica.update()
    #expect(update.isReplaced)
    #expect(try fixture.rows("replica") == fixture.rows())
    // A reader that has had it open all the while sees it, too.
    #expect(try notes(fixture, in: "replica").count == entries.count)
  }

  @Test func `words that are forgotten for good are forgotten by replicas, too`() async throws {
    let fixture = try ObjectLibraryFixture(.memory)
    _ = try await fixture.importPhotos()
    let (replica, _) = try replica(of: fixture)
    try fixture.library.plants.delete(fixture.library.plants.find(matching: "basil").id)
    var forgetting = PruneRequest()
    forgetting.olderThan = .zero
    _ = try Pruner(fixture.library).run(forgetting, now: .inHours(0.1))
    _ = try replica.update()
    #expect(try fixture.rows("replica") == fixture.rows())
  }

  @Test func `a look at the store is one request`() throws {
    let server = try ObjectServer()
    let fixture = try ObjectLibraryFixture(server)
    let (replica, _) = try replica(of: fixture)
    let start = server.requests.count
    _ = try replica.update(isThorough: false)
    #expect(server.requests.count == start + 1)
    _ = try fixture.library.plants.add(PlantDetails(name: "Fern"))
    let before = server.requests.count
    _ = try replica.update(isThorough: false)
    #expect(server.requests.count == before + 2)
  }

  @Test(arguments: LibraryStoreKind.available)
  func `a promoted replica has all that was reported, and the former owner is refused`(
    kind: LibraryStoreKind
  ) async throws {
    let fixture = try ObjectLibraryFixture(kind)
    _ = try await fixture.importPhotos()
    let (replica, _) = try replica(of: fixture)
    let entries = try fixture.library.timeline.page(TimelineQuery(), limit: 100).elements
    _ = try fixture.library.photos.edit(entries[0].id, notes: "the last of the former owner")
    _ = try replica.promote()
    let promoted = try Library.open(at: fixture.folder.file("replica"), keys: fixture.keys)
    #expect(try fixture.rows("replica") == fixture.rows())
    let error = #expect(throws: LeaflogError.self) {
      _ = try fixture.library.photos.edit(entries[1].id, notes: "nobody was told of this")
    }
    #expect(error?.code == .readOnly)
    _ = try promoted.photos.edit(entries[2].id, notes: "by the new owner")
    // Neither those who follow nor those who attach see what nobody was told of.
    let (other, _) = try self.replica(of: fixture, "other")
    #expect(try notes(fixture, in: "other").sorted() == notes(fixture, in: "replica").sorted())
    #expect(try !notes(fixture, in: "other").contains("nobody was told of this"))
    _ = try promoted.photos.edit(entries[3].id, notes: "once more")
    #expect(try other.update(isThorough: false).commitCount == 1)
    #expect(try fixture.rows("other") == fixture.rows("replica"))
    _ = try fixture.attach("attached")
    #expect(try fixture.rows("attached") == fixture.rows("replica"))
  }

  @Test func `those who follow change over to a new owner`() async throws {
    let fixture = try ObjectLibraryFixture(.memory)
    _ = try await fixture.importPhotos()
    let (first, _) = try replica(of: fixture, "first")
    let (second, _) = try replica(of: fixture, "second")
    _ = try first.promote()
    let promoted = try Library.open(at: fixture.folder.file("first"), keys: fixture.keys)
    _ = try promoted.plants.add(PlantDetails(name: "Fern"))
    #expect(try second.update(isThorough: false).isReplaced)
    #expect(try fixture.rows("second") == fixture.rows("first"))
  }

  @Test func `a promotion that is cut short at any request loses nothing, and can be made again`()
    async throws
  {
    for number in 0..<14 {
      let limit = RequestLimit()
      let fixture = try ObjectLibraryFixture(limit.server())
      _ = try fixture.library.plants.add(PlantDetails(name: "Fern"))
      let (replica, _) = try replica(of: fixture)
      _ = try fixture.library.plants.add(PlantDetails(name: "Basil"))
      limit.set(number)
      let isDone = (try? replica.promote()) != nil
      limit.set(nil)
      let path = fixture.folder.file("replica")
      try? replica.close()
      if !isDone, LibraryReplica.exists(at: path) {
        // Its former owner may have been refused already, or not.
        _ = try LibraryReplica(at: path, keys: fixture.keys).promote()
      }
      let promoted = try Library.open(at: path, keys: fixture.keys)
      _ = try promoted.plants.add(PlantDetails(name: "Mint"))
      let names = try promoted.plants.all().map(\.name).sorted()
      #expect(names == ["Basil", "Fern", "Mint"], "request \(number)")
      _ = try fixture.attach("attached")
      #expect(try fixture.rows("attached") == fixture.rows("replica"), "request \(number)")
      #expect(throws: LeaflogError.self) {
        _ = try fixture.library.plants.add(PlantDetails(name: "Thyme"))
      }
    }
  }

  @Test func `a replica whose making was cut short is made on`() async throws {
    let isDown = Mutex(false)
    let server = try ObjectServer { request, _ in
      isDown.withLock { $0 } && request.method == "GET" && request.key.contains("/journal/")
        ? .refuse(status: 403, code: "AccessDenied") : .obey
    }
    let fixture = try ObjectLibraryFixture(server)
    isDown.withLock { $0 = true }
    #expect(throws: LeaflogError.self) { _ = try replica(of: fixture) }
    #expect(!Library.exists(at: fixture.folder.file("replica")))
    isDown.withLock { $0 = false }
    _ = try replica(of: fixture)
    #expect(try fixture.rows("replica") == fixture.rows())
  }
}
