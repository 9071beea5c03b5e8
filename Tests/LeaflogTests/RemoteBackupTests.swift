import BlobStorage
import DiaryCatalog
import DiaryModel
import Foundation
import Leaflog
import Synchronization
import TestSupport
import Testing

/// Backups of a library to an object store, and of one whose photos are in an object store to a folder.
@Suite(.serialized) struct RemoteBackupTests {
  /// A library in a folder, and a place in an object store to back it up to.
  private struct Fixture {
    let base: LibraryFixture
    let place: ObjectPlace
    let request: BackupRequest

    var library: Library { base.library }

    init(_ kind: LibraryStoreKind) throws { try self.init(ObjectPlace(kind)) }

    init(_ server: ObjectServer) throws { try self.init(ObjectPlace(server, "backup")) }

    private init(_ place: ObjectPlace) throws {
      self.place = place
      base = try LibraryFixture(policy: .exact)
      var request = BackupRequest(.objectStore(place.settings))
      request.keys = place.keys
      self.request = request
    }

    @discardableResult
    func backUp(_ change: (inout BackupRequest) -> Void = { _ in }) throws -> BackupSummary {
      var request = request
      change(&request)
      return try Backup(library).run(request) { Issue.record("\($0.message)") }
    }

    func open() throws -> OpenBackup { try OpenBackup(request.location, keys: request.keys) }

    func restore(to name: String, at moment: RecordedTime? = nil) throws -> Library {
      let path = base.folder.file(name)
      _ = try Restore(open(), to: path, at: moment).run { Issue.record("\($0.message)") }
      return try Library.open(at: path)
    }

    func rows(_ library: Library) throws -> Set<String> {
      try CatalogDump(path: library.path + "/catalog.sqlite").lines
        .filter { !$0.contains("'lineage'") }
    }

    func damage(in library: Library) throws -> [Damage] {
      var request = VerifyRequest()
      request.readsEverything = true
      var found: [Damage] = []
      _ = try Verifier(library).run(request) { found.append($0) }
      return found
    }
  }

  @Test(arguments: LibraryStoreKind.available)
  func `a library is backed up to an object store, and restored from it`(kind: LibraryStoreKind)
    async throws
  {
    let fixture = try Fixture(kind)
    _ = try await fixture.base.run([Fixtures.path("Photos")])
    let first = try fixture.backUp()
    #expect(first.copiedCount == 26 && first.damageCount == 0)
    #expect(try fixture.backUp().copiedCount == 0)
    _ = try fixture.library.plants.add(PlantDetails(name: "Fern"))
    #expect(try fixture.backUp { $0.readsEverything = true }.copiedCount == 0)
    let restored = try fixture.restore(to: "restored")
    #expect(try fixture.rows(restored) == fixture.rows(fixture.library))
    #expect(try fixture.damage(in: restored).isEmpty)
  }

  @Test func `a backup in an object store leads to earlier states, from another machine, too`()
    async throws
  {
    let fixture = try Fixture(.memory)
    _ = try await fixture.base.run([Fixtures.path("Photos/monstera")])
    try fixture.backUp()
    _ = try fixture.library.plants.add(PlantDetails(name: "Fern"))
    let moment = Timestamp.now
    let then = try fixture.rows(fixture.library)
    while Timestamp.now <= moment {}
    _ = try fixture.library.plants.add(PlantDetails(name: "Ivy"))
    // As on a machine that has never backed it up.
    try FileManager.default.removeItem(atPath: fixture.library.path + "/cache")
    try fixture.backUp()
    #expect(try fixture.rows(fixture.restore(to: "then", at: .instant(moment))) == then)
    let now = try fixture.restore(to: "now")
    #expect(try fixture.rows(now) == fixture.rows(fixture.library))
    #expect(throws: LeaflogError.self) {
      _ = try fixture.restore(to: "never", at: RecordedTime("2020-01-01T00:00:00Z"))
    }
  }

  @Test func `a damaged blob of the backup is found by a full run, and replaced`() async throws {
    let fixture = try Fixture(.memory)
    _ = try await fixture.base.run([Fixtures.path("Photos/monstera")])
    try fixture.backUp()
    let key = try #require(fixture.place.keys("blobs/").first)
    let bytes = try fixture.place.client.get(key)
    let other = PendingBlob(hashing: SharedBytes(copying: Array(repeating: 7, count: bytes.count)))
    try fixture.place.client.put(key, other.bytes, digest: other.id)
    #expect(try fixture.backUp().copiedCount == 0)
    #expect(try fixture.backUp { $0.readsEverything = true }.copiedCount == 1)
    #expect(try fixture.damage(in: fixture.restore(to: "restored")).isEmpty)
  }

  @Test func `a file of the backup that is damaged in the store is not taken`() async throws {
    let server = try ObjectServer()
    let fixture = try Fixture(server)
    _ = try fixture.library.plants.add(PlantDetails(name: "Fern"))
    try fixture.backUp()
    // As on a machine that has never backed it up.
    try FileManager.default.removeItem(atPath: fixture.library.path + "/cache")
    let key = try #require(server.objects.keys.first { $0.hasPrefix("backup/files/") })
    let bytes = try #require(server.objects[key])
    server.set(Data(bytes.reversed()), for: key)
    let count = server.requests.count
    let error = #expect(throws: LeaflogError.self) { try fixture.backUp() }
    #expect(error?.code == .damaged && error?.message.contains("files/") == true)
    #expect(server.requests[count...].count { $0.key == key } == 3)
  }

  @Test func `a lost catalog and lost photos are made good by a backup in an object store`()
    async throws
  {
    let fixture = try Fixture(.memory)
    _ = try await fixture.base.run([Fixtures.path("Photos/monstera")])
    try fixture.backUp()
    let rows = try fixture.rows(fixture.library)
    let path = fixture.library.path
    try fixture.library.close()
    for name in ["blobs", "catalog.sqlite", "snapshots", "journal"] {
      try? FileManager.default.removeItem(atPath: path + "/" + name)
    }
    let backup = try fixture.open()
    var outcomes: [RepairOutcome.Result] = []
    try Repairer.run(at: path, from: .backup(backup)) { event in
      if case .rendition(let outcome) = event { outcomes.append(outcome.result) }
    }
    #expect(
      !outcomes.isEmpty && outcomes.allSatisfy { if case .taken = $0 { true } else { false } })
    let repaired = try Library.open(at: path)
    #expect(try fixture.rows(repaired) == rows)
    #expect(try fixture.damage(in: repaired).isEmpty)
  }

  @Test func `one of another library, a library and anything else are refused`() async throws {
    let server = try ObjectServer()
    let fixture = try Fixture(server)
    try fixture.backUp()
    let other = try Fixture(server)
    let error = #expect(throws: LeaflogError.self) { try other.backUp() }
    #expect(error?.code == .invalidRequest && error?.message.contains("another library") == true)
    for key in server.objects.keys { server.set(nil, for: key) }
    server.set(Data("mine".utf8), for: "backup/notes.txt")
    #expect(throws: LeaflogError.self) { try other.backUp() }
    server.set(nil, for: "backup/notes.txt")
    server.set(Data(#"{"format":1,"id":"x"}"#.utf8), for: "backup/leaflog.json")
    #expect(throws: LeaflogError.self) { try other.backUp() }
    let none = #expect(throws: LeaflogError.self) { _ = try fixture.open() }
    #expect(none?.code == .noLibrary || none?.code == .invalidRequest)
  }

  @Test func `a backup that is cut short at any request is the one before, or the new one`()
    async throws
  {
    let limit = RequestLimit()
    let fixture = try Fixture(limit.server())
    _ = try await fixture.base.run([Fixtures.path("Photos/monstera")])
    try fixture.backUp()
    var number = 0
    var isDone = false
    while !isDone {
      let before = try fixture.rows(fixture.restore(to: "before \(number)"))
      _ = try fixture.library.plants.add(PlantDetails(name: "Plant \(number)"))
      limit.set(number)
      isDone = (try? fixture.backUp()) != nil
      limit.set(nil)
      let restored = try fixture.restore(to: "after \(number)")
      let found = try fixture.rows(restored)
      let now = try fixture.rows(fixture.library)
      #expect(found == before || found == now, "request \(number)")
      #expect(try fixture.damage(in: restored).isEmpty)
      number += 1
    }
    #expect(number > 4)
    // What nothing names any more goes.
    try fixture.backUp()
    try fixture.backUp()
    let names = try fixture.place.keys("files/").count
    #expect(names <= 12)
  }

  @Test(arguments: LibraryStoreKind.available)
  func `a library whose photos are in an object store is backed up to a folder`(
    kind: LibraryStoreKind
  ) async throws {
    let fixture = try ObjectLibraryFixture(kind)
    _ = try await fixture.importPhotos()
    let place = fixture.folder.file("backup")
    let request = BackupRequest(path: place)
    let summary = try Backup(fixture.library).run(request) { Issue.record("\($0.message)") }
    #expect(summary.copiedCount == 26)
    #expect(try Backup(fixture.library).run(request) { _ in }.copiedCount == 0)
    let backup = try Library.open(at: place, for: .reading)
    _ = try Restore(backup, to: fixture.folder.file("restored")).run { _ in }
    #expect(try fixture.rows("restored") == fixture.rows())
    let restored = try Library.open(at: fixture.folder.file("restored"))
    #expect(restored.store.address == nil)
    #expect(try fixture.damage(in: restored, isFull: true).isEmpty)
    let missing = try #require(fixture.keys("blobs/").first)
    try fixture.client.delete(missing)
    var damage: [Damage] = []
    let again = try Backup(fixture.library).run(request) { damage.append($0) }
    #expect(again.damageCount == 1 && damage.first?.kind == .missing)
  }
}
