import BlobStorage
import DiaryModel
import Foundation
import Leaflog
import Synchronization
import TestSupport
import Testing

/// Moving a library's photos into an object store, back, and from one to another.
@Suite(.serialized) struct StoreMoveTests {
  /// A library in a folder, and an object store to move it into.
  private struct Fixture {
    let base: LibraryFixture
    let place: ObjectPlace

    var path: String { base.library.path }
    var settings: ObjectStoreSettings { place.settings }
    var keys: ObjectStoreKeys { place.keys }

    init(_ kind: LibraryStoreKind) async throws { try await self.init(ObjectPlace(kind)) }

    init(_ server: ObjectServer) async throws { try await self.init(ObjectPlace(server)) }

    private init(_ place: ObjectPlace) async throws {
      self.place = place
      base = try LibraryFixture(policy: .exact)
      _ = try await base.run([Fixtures.path("Photos")])
      try base.library.close()
    }

    @discardableResult
    func move(_ destination: StoreMove.Destination) throws -> StoreMoveSummary {
      try StoreMove(of: path, to: destination, keys: keys).run { Issue.record("\($0.message)") }
    }

    func open() throws -> Library { try Library.open(at: path, keys: keys) }

    func rows(_ path: String? = nil) throws -> Set<String> {
      try CatalogDump(path: (path ?? self.path) + "/catalog.sqlite").lines
        // Verifying notes when it read each blob.
        .filter { !$0.contains("'lineage'") && !$0.hasPrefix("blob:") }
    }

    func damage() throws -> [Damage] {
      let library = try open()
      defer { try? library.close() }
      var request = VerifyRequest()
      request.readsEverything = true
      var found: [Damage] = []
      _ = try Verifier(library).run(request) { found.append($0) }
      return found
    }

    var fileCount: Int { base.folder.files(below: "library/blobs").count }

    func prune() throws -> PruneReport {
      let library = try open()
      defer { try? library.close() }
      return try Pruner(library).run(PruneRequest())
    }
  }

  @Test(arguments: LibraryStoreKind.available)
  func
    `a library is moved into an object store and back, and the former one stays until it is pruned`(
      kind: LibraryStoreKind
    ) async throws
  {
    let fixture = try await Fixture(kind)
    let rows = try fixture.rows()
    #expect(try fixture.move(.objectStore(fixture.settings)).copiedCount == 26)
    #expect(try fixture.damage().isEmpty && fixture.rows() == rows)
    #expect(fixture.fileCount == 26)
    let library = try fixture.open()
    #expect(library.store.address == fixture.settings.url)
    _ = try library.plants.add(PlantDetails(name: "Fern"))
    try library.close()
    // All of it is in the store.
    let attached = fixture.base.folder.file("attached")
    _ = try LibraryAttachment(fixture.settings, keys: fixture.keys).run(at: attached)
    #expect(try fixture.rows(attached) == fixture.rows())
  }

  @Test func `after a move thumbnails are looked at without a request`() async throws {
    let server = try ObjectServer()
    let fixture = try await Fixture(server)
    try fixture.move(.objectStore(fixture.settings))
    let library = try fixture.open()
    let count = server.requests.count
    for entry in try library.timeline.page(TimelineQuery(), limit: 100).elements {
      let photo = try library.photos.find(entry.id)
      #expect(try library.photos.file(.thumbnail, of: photo).byteCount > 0)
    }
    #expect(server.requests.count == count)
  }

  @Test(arguments: LibraryStoreKind.available)
  func `moving back before a prune copies nothing, and after it everything`(
    kind: LibraryStoreKind
  ) async throws {
    let fixture = try await Fixture(kind)
    try fixture.move(.objectStore(fixture.settings))
    #expect(try fixture.move(.folder).copiedCount == 0)
    #expect(try fixture.open().store.address == nil)
    #expect(try fixture.move(.objectStore(fixture.settings)).copiedCount == 0)
    let pruned = try fixture.prune()
    #expect(pruned.former.count == 26 && fixture.fileCount == 0)
    #expect(try fixture.prune().former.count == 0)
    #expect(try fixture.damage().isEmpty)
    #expect(try fixture.move(.folder).copiedCount == 26)
    #expect(try fixture.damage().isEmpty)
    #expect(try fixture.prune().former.count == 26)
    #expect(try fixture.place.keys("").isEmpty && fixture.fileCount == 26)
    #expect(try fixture.damage().isEmpty)
  }

  @Test func `a library is moved from one object store to another`() async throws {
    let (first, second) = (try ObjectServer(), try ObjectServer())
    let fixture = try await Fixture(first)
    try fixture.move(.objectStore(fixture.settings))
    let other = ObjectStoreSettings(url: "s3://bucket/other", endpoint: second.endpoint)
    #expect(try fixture.move(.objectStore(other)).copiedCount == 26)
    #expect(try fixture.damage().isEmpty)
    _ = try fixture.prune()
    #expect(first.objects.isEmpty && fixture.fileCount == 0)
    #expect(try fixture.damage().isEmpty)
    #expect(throws: LeaflogError.self) { try fixture.move(.objectStore(other)) }
  }

  @Test(arguments: [false, true])
  func `a library that was in another object store is attached from where it is`(isByFolder: Bool)
    async throws
  {
    let (first, second) = (try ObjectServer(), try ObjectServer())
    let fixture = try await Fixture(first)
    try fixture.move(.objectStore(fixture.settings))
    let other = ObjectStoreSettings(url: "s3://bucket/other", endpoint: second.endpoint)
    if isByFolder { try fixture.move(.folder) }
    try fixture.move(.objectStore(other))
    let library = try fixture.open()
    _ = try library.plants.add(PlantDetails(name: "Fern"))
    try library.close()
    let attached = fixture.base.folder.file("attached")
    let report = try LibraryAttachment(other, keys: fixture.keys).run(at: attached)
    #expect(report.losses.isEmpty && report.blobPhotoCount == 0)
    #expect(try fixture.rows(attached) == fixture.rows())
  }

  @Test func `a former store that became another library's or a backup stays as it is`()
    async throws
  {
    let (first, second) = (try ObjectServer(), try ObjectServer())
    let fixture = try await Fixture(first)
    try fixture.move(.objectStore(fixture.settings))
    try fixture.move(
      .objectStore(ObjectStoreSettings(url: "s3://bucket/other", endpoint: second.endpoint)))
    // As after a prune that was cut short.
    for key in first.objects.keys where !key.contains("/blobs/") { first.set(nil, for: key) }
    let newcomer = try Library.create(
      at: fixture.base.folder.file("newcomer"),
      Library.Settings(policy: .exact, timeZone: .ofTestLibraries, store: fixture.settings),
      keys: fixture.keys)
    _ = try newcomer.plants.add(PlantDetails(name: "Fern"))
    let objects = first.objects
    #expect(try fixture.prune().former.count == 26)
    #expect(first.objects == objects)
    let refused = #expect(throws: LeaflogError.self) {
      try fixture.move(.objectStore(fixture.settings))
    }
    #expect(refused?.code == .libraryExists && first.objects == objects)
    for key in first.objects.keys where !key.contains("/blobs/") { first.set(nil, for: key) }
    var request = BackupRequest(.objectStore(fixture.settings))
    request.keys = fixture.keys
    _ = try Backup(fixture.open()).run(request) { Issue.record("\($0.message)") }
    let backup = first.objects
    #expect(try fixture.prune().former.count == 0)
    #expect(first.objects == backup)
    // Nor is a library moved there.
    let occupied = #expect(throws: LeaflogError.self) {
      try fixture.move(.objectStore(fixture.settings))
    }
    #expect(occupied?.code == .invalidRequest && first.objects == backup)
  }

  @Test func `a former store stays while it alone has a photo's blob`() async throws {
    let (first, second) = (try ObjectServer(), try ObjectServer())
    let fixture = try await Fixture(first)
    try fixture.move(.objectStore(fixture.settings))
    try fixture.move(
      .objectStore(ObjectStoreSettings(url: "s3://bucket/other", endpoint: second.endpoint)))
    let lost = try #require(second.objects.keys.first { $0.contains("/blobs/") })
    let bytes = second.objects[lost]
    second.set(nil, for: lost)
    let objects = first.objects
    _ = try fixture.prune()
    #expect(first.objects == objects)
    second.set(bytes, for: lost)
    _ = try fixture.prune()
    #expect(first.objects.isEmpty)
  }

  @Test func `a store that got another address by hand is no former one of itself`() async throws {
    let server = try ObjectServer()
    let fixture = try await Fixture(server)
    try fixture.move(.objectStore(fixture.settings))
    let note = URL(fileURLWithPath: fixture.path + "/store.json")
    let text = try String(contentsOf: note, encoding: .utf8)
    let byHand = text.replacing(/,"sha256":"[0-9a-f]*"/, with: "")
    try byHand.replacing("127.0.0.1", with: "localhost").write(
      to: note, atomically: true, encoding: .utf8)
    let count = server.objects.count
    #expect(try fixture.prune().former.count == 26)
    #expect(server.objects.count >= count && fixture.fileCount == 0)
    #expect(try fixture.damage().isEmpty)
  }

  @Test func `a store whose address has changed is the same store`() async throws {
    let server = try ObjectServer()
    let fixture = try await Fixture(server)
    try fixture.move(.objectStore(fixture.settings))
    var settings = fixture.settings
    settings.endpoint.replace("127.0.0.1", with: "localhost")
    _ = try fixture.prune()
    let summary = try fixture.move(.objectStore(settings))
    #expect(summary.copiedCount == 0 && !summary.leavesFormer)
    #expect(try fixture.prune().former.count == 0)
    #expect(try fixture.damage().isEmpty)
    #expect(try fixture.move(.folder).leavesFormer)
    #expect(try fixture.prune().former.count == 26)
    #expect(server.objects.isEmpty)
    #expect(try fixture.damage().isEmpty)
  }

  @Test func `a copy of a store that was made elsewhere lacks nothing after a move to it`()
    async throws
  {
    let (first, second) = (try ObjectServer(), try ObjectServer())
    let fixture = try await Fixture(first)
    try fixture.move(.objectStore(fixture.settings))
    let copy = try ObjectPlace(second)
    let copied = try fixture.place.keys("blobs/").dropLast(3) + fixture.place.keys("owners/")
    for key in copied {
      let bytes = try fixture.place.client.get(key)
      try copy.client.put(key, bytes, digest: bytes.withUnsafeBytes { BlobID(hashing: $0) })
    }
    #expect(try fixture.move(.objectStore(copy.settings)).copiedCount == 3)
    #expect(try fixture.damage().isEmpty)
    _ = try fixture.prune()
    #expect(try fixture.damage().isEmpty)
    let attached = fixture.base.folder.file("attached")
    _ = try LibraryAttachment(copy.settings, keys: fixture.keys).run(at: attached)
    #expect(try fixture.rows(attached) == fixture.rows())
  }

  @Test func `the settings of a store are changed where it is`() async throws {
    let limit = RequestLimit()
    let fixture = try await Fixture(limit.server())
    try fixture.move(.objectStore(fixture.settings))
    let objects = try fixture.place.keys("")
    var settings = fixture.settings
    settings.journal = .async
    #expect(try fixture.move(.objectStore(settings)).changesSettingsOnly)
    #expect(try fixture.open().store.sendsLater)
    #expect(try fixture.place.keys("") == objects)
    let again = #expect(throws: LeaflogError.self) { try fixture.move(.objectStore(settings)) }
    #expect(again?.code == .invalidRequest)
    settings.journal = .sync
    limit.set(0)
    let refused = #expect(throws: LeaflogError.self) { try fixture.move(.objectStore(settings)) }
    limit.set(nil)
    #expect(refused?.code == .refused)
    #expect(try fixture.open().store.sendsLater)
    #expect(try fixture.damage().isEmpty)
  }

  @Test func `a former store that another machine has taken over stays as it is`() async throws {
    let (first, second) = (try ObjectServer(), try ObjectServer())
    let fixture = try await Fixture(first)
    try fixture.move(.objectStore(fixture.settings))
    try fixture.move(
      .objectStore(ObjectStoreSettings(url: "s3://bucket/other", endpoint: second.endpoint)))
    let attached = fixture.base.folder.file("attached")
    _ = try LibraryAttachment(fixture.settings, keys: fixture.keys).run(at: attached)
    let objects = first.objects
    #expect(try fixture.prune().former.count == 26)
    #expect(first.objects == objects && fixture.fileCount == 0)
    #expect(try fixture.damage().isEmpty)
  }

  @Test func `a library is moved back to a store whose settings are others by now`() async throws {
    let fixture = try await Fixture(.memory)
    try fixture.move(.objectStore(fixture.settings))
    try fixture.move(.folder)
    var settings = fixture.settings
    settings.journal = .async
    #expect(try fixture.move(.objectStore(settings)).copiedCount == 0)
    #expect(try fixture.prune().former.count == 26)
    let library = try fixture.open()
    #expect(library.store.sendsLater)
    try library.close()
    #expect(try fixture.damage().isEmpty)
  }

  @Test func `a move that is cut short at any request leaves a whole library, and goes on`()
    async throws
  {
    let limit = RequestLimit()
    let fixture = try await Fixture(limit.server())
    let rows = try fixture.rows()
    var number = 0
    var isDone = false
    while !isDone {
      limit.set(number)
      isDone = (try? fixture.move(.objectStore(fixture.settings))) != nil
      limit.set(nil)
      #expect(try fixture.damage().isEmpty, "request \(number)")
      // A prune in between takes nothing that is needed.
      if number.isMultiple(of: 5) { _ = try fixture.prune() }
      number += number < 24 ? 6 : 1
      #expect(number < 100)
    }
    #expect(try fixture.open().store.address == fixture.settings.url)
    #expect(try fixture.damage().isEmpty && fixture.rows() == rows)
    _ = try fixture.prune()
    #expect(try fixture.damage().isEmpty && fixture.fileCount == 0)
  }

  @Test func `nothing is moved while a photo is missing, or somebody else has the library open`()
    async throws
  {
    let fixture = try await Fixture(.memory)
    let file = try #require(fixture.base.folder.files(below: "library/blobs").first)
    let place = fixture.base.folder.file("library/blobs/" + file)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: place))
    try FileManager.default.removeItem(atPath: place)
    var damage: [Damage] = []
    let summary = try StoreMove(
      of: fixture.path, to: .objectStore(fixture.settings), keys: fixture.keys
    ).run { damage.append($0) }
    #expect(summary.damageCount == 1 && damage.first?.kind == .missing)
    #expect(try fixture.open().store.address == nil)
    try bytes.write(to: URL(fileURLWithPath: place))
    let reader = try Library.open(at: fixture.path, for: .reading)
    _ = try reader.timeline.page(TimelineQuery(), limit: 1)
    let error = #expect(throws: LeaflogError.self) {
      try fixture.move(.objectStore(fixture.settings))
    }
    #expect(error?.code == .locked)
    try reader.close()
    #expect(try fixture.move(.objectStore(fixture.settings)).copiedCount == 0)
  }

  @Test func `another library's place is refused`() async throws {
    let server = try ObjectServer()
    let (fixture, other) = (try await Fixture(server), try await Fixture(server))
    try fixture.move(.objectStore(fixture.settings))
    let error = #expect(throws: LeaflogError.self) {
      try other.move(.objectStore(other.settings))
    }
    #expect(error?.code == .libraryExists)
    #expect(try other.open().store.address == nil)
  }
}
