import BlobStorage
import DiaryModel
import Foundation
import Leaflog
import Synchronization
import TestSupport
import Testing

/// Two copies of a library that go different ways: a folder that was copied, rolled back or restored by other means.
@Suite struct ForkTests {
  private func copy(_ folder: TemporaryFolder, _ from: String, _ to: String) throws {
    try FileManager.default.copyItem(atPath: folder.file(from), toPath: folder.file(to))
  }

  private func add(_ names: String..., to path: String, keys: ObjectStoreKeys = ObjectStoreKeys())
    throws(LeaflogError)
  {
    let library = try Library.open(
      at: path, keys: keys, files: POSIXFileSystem(), takesSnapshots: false)
    defer { try? library.close() }
    for name in names { _ = try library.plants.add(PlantDetails(name: name)) }
  }

  private func plants(_ path: String) throws -> [String] {
    let library = try Library.open(at: path, for: .reading)
    defer { try? library.close() }
    return try library.plants.all().map(\.name).sorted()
  }

  private func backUp(
    _ path: String, to place: String, isBeside: Bool = false, isForced: Bool = false
  )
    throws(LeaflogError)
  {
    let library = try Library.open(at: path, for: isBeside ? .writing : .reading)
    defer { try? library.close() }
    var request = BackupRequest(path: place)
    (request.keepsBothCopies, request.overridesChecks) = (isBeside, isForced)
    _ = try Backup(library).run(request) { _ in }
  }

  @Test
  func
    `the backup of a copy that went another way is refused, and keeps both sides beside each other`()
    throws
  {
    let folder = try TemporaryFolder()
    let (one, two, place) = (folder.file("one"), folder.file("two"), folder.file("backup"))
    try Library.create(at: one, Library.Settings(policy: .exact)).close()
    try add("Fern", to: one)
    try copy(folder, "one", "two")
    try add("Moss", "Ivy", to: one)
    try backUp(one, to: place)
    try add("Basil", "Mint", "Sage", to: two)
    for isForced in [false, true] {
      let error = #expect(throws: LeaflogError.self) {
        try backUp(two, to: place, isForced: isForced)
      }
      #expect(error?.code == .forked && error?.remedy == .backUpBeside)
      #expect(error?.message.contains("3 commits") == true, "\(error?.message ?? "")")
      #expect(error?.message.contains("2 commits") == true)
    }
    #expect(try plants(place) == ["Fern", "Ivy", "Moss"])
    try backUp(two, to: place, isBeside: true)
    #expect(try plants(place) == ["Basil", "Fern", "Mint", "Sage"])
    // It goes on from there, and the other side is asked in its turn.
    try add("Dill", to: two)
    try backUp(two, to: place)
    let error = #expect(throws: LeaflogError.self) { try backUp(one, to: place) }
    #expect(error?.code == .forked)
    let snapshots = try FileManager.default.contentsOfDirectory(atPath: place + "/snapshots")
    let sides = try snapshots.map { name in
      let path = folder.file("side-" + name)
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      try FileManager.default.copyItem(
        atPath: place + "/snapshots/" + name, toPath: path + "/catalog.sqlite")
      try FileManager.default.copyItem(
        atPath: one + "/leaflog.json", toPath: path + "/leaflog.json")
      return try plants(path)
    }
    #expect(sides.contains(["Fern", "Ivy", "Moss"]), "\(sides)")
  }

  /// Work on a library after which it has a commit of its own.
  enum Work: CaseIterable {
    case edit, undo, importing, recompress, prune, settings

    func run(_ library: Library) async throws {
      switch self {
      case .edit:
        let fern = try #require(try library.plants.all().first { $0.name == "Fern" })
        _ = try library.plants.edit(fern.id) { $0.notes = "new soil" }
      case .undo: _ = try library.history.undo()
      case .importing:
        _ = try await Importer(library).run(ImportRequest(paths: [Fixtures.path("Photos/basil")])) {
          _ in
        }
      case .recompress:
        _ = try await Recompressor(library).run(RecompressRequest(policy: .lossless)) { _ in }
      case .prune:
        _ = try await Importer(library).run(ImportRequest(paths: [Fixtures.path("Photos/basil")])) {
          _ in
        }
        _ = try library.history.undo()
        var request = PruneRequest()
        request.waived = PruneGuard.ofLibrary
        _ = try Pruner(library).run(Pruner(library).plan(request))
      case .settings: try library.settings.set(.weekStart, to: "sunday")
      }
    }
  }

  @Test(arguments: Work.allCases)
  func `a copy forks whatever was done in it`(_ work: Work) async throws {
    let folder = try TemporaryFolder()
    let (one, two, place) = (folder.file("one"), folder.file("two"), folder.file("backup"))
    let library = try Library.create(at: one, Library.Settings(policy: .exact))
    _ = try await Importer(library).run(ImportRequest(paths: [Fixtures.path("Photos/monstera")])) {
      _ in
    }
    try library.close()
    try add("Fern", to: one)
    try copy(folder, "one", "two")
    try add("Moss", to: one)
    try backUp(one, to: place)
    let other = try Library.open(at: two)
    try await work.run(other)
    try other.close()
    let error = #expect(throws: LeaflogError.self) { try backUp(two, to: place) }
    #expect(error?.code == .forked)
    #expect(try plants(place) == ["Fern", "Moss", "monstera"])
    try backUp(two, to: place, isBeside: true)
    let kept = try Library.open(at: place, for: .reading)
    var request = VerifyRequest()
    request.readsEverything = true
    #expect(try Verifier(kept).run(request) { Issue.record("\($0.message)") }.damageCount == 0)
    try kept.close()
  }

  @Test func `older backups, restored and repaired libraries are ancestors and no forks`() throws {
    let folder = try TemporaryFolder()
    let (path, place) = (folder.file("one"), folder.file("backup"))
    try Library.create(at: path, Library.Settings(policy: .exact)).close()
    try add("Fern", to: path)
    try backUp(path, to: place)
    try copy(folder, "backup", "older")
    try add("Moss", to: path)
    try backUp(path, to: place)
    try add("Ivy", to: path)
    // Back to the older backup, and on: the newer backup is of a line that was replaced on purpose.
    let older = try Library.open(at: folder.file("older"), for: .reading)
    _ = try Restore(older, to: path).run { _ in }
    try older.close()
    try add("Basil", to: path)
    try backUp(path, to: place)
    try backUp(path, to: folder.file("older"))
    #expect(try plants(place) == ["Basil", "Fern"])
    // A lost catalog.
    try FileManager.default.removeItem(atPath: path + "/catalog.sqlite")
    try Repairer.run(at: path, from: nil) { _ in }
    try add("Mint", to: path)
    try backUp(path, to: place)
    #expect(try plants(folder.file("backup")) == ["Basil", "Fern", "Mint"])
  }

  @Test
  func `a commit whose frame was not written before a crash is in the journal of the next process`()
    throws
  {
    let folder = try TemporaryFolder()
    let path = folder.file("library")
    try Library.create(
      at: path, Library.Settings(policy: .exact), files: POSIXFileSystem(), takesSnapshots: false
    ).close()
    let journal = path + "/journal"
    func state() throws -> [String: Data] {
      try FileManager.default.contentsOfDirectory(atPath: journal).reduce(into: [:]) {
        $0[$1] = FileManager.default.contents(atPath: journal + "/" + $1)
      }
    }
    try add("Fern", to: path)
    let before = try state()
    try add("Moss", to: path)
    let after = try state()
    for (name, data) in before { try data.write(to: URL(fileURLWithPath: journal + "/" + name)) }
    #expect(!FileManager.default.fileExists(atPath: path + "/snapshots"))
    try add("Ivy", to: path)
    let name = try #require(after.keys.first)
    #expect(try state()[name]?.starts(with: after[name] ?? Data()) == true)
    #expect(!FileManager.default.fileExists(atPath: path + "/snapshots"))
  }
}

/// Forks of a library whose photos are in an object store.
@Suite struct ObjectForkTests {
  private let server: ObjectServer
  private let fixture: ObjectLibraryFixture
  private let isDown = Switch()
  /// Whether the store acknowledges frames that it does not list.
  private let isForgetful = Switch()

  private final class Switch: Sendable {
    private let value = Mutex(0)
    var isOn: Bool {
      get { value.withLock { $0 != 0 } }
      set { value.withLock { $0 = newValue ? 1 : 0 } }
    }
  }

  init() throws {
    let (isDown, isForgetful) = (isDown, isForgetful)
    server = try ObjectServer { request, _ in
      guard request.method == "PUT", request.key.contains("/journal/") else { return .obey }
      if isForgetful.isOn { return .answer(status: 200, headers: [:], body: "") }
      return isDown.isOn ? .refuse(status: 403, code: "AccessDenied") : .obey
    }
    fixture = try ObjectLibraryFixture(server)
    try add("Fern", "library")
  }

  private func add(_ name: String, _ folder: String) throws(LeaflogError) {
    let library = try Library.open(at: fixture.folder.file(folder), keys: fixture.keys)
    defer { try? library.close() }
    _ = try library.plants.add(PlantDetails(name: name))
  }

  private func plants(_ library: Library) throws -> [String] {
    try library.plants.all().map(\.name).sorted()
  }

  private func copyLibrary(to name: String) throws {
    try FileManager.default.copyItem(
      atPath: fixture.folder.file("library"), toPath: fixture.folder.file(name))
  }

  @Test func `a folder that was rolled back changes nothing, and overwrites nothing in the store`()
    throws
  {
    try copyLibrary(to: "old")
    try add("Moss", "library")
    let objects = server.objects
    let error = #expect(throws: LeaflogError.self) { try add("Ivy", "old") }
    #expect(error?.code == .forked && error?.remedy == .resolveFork)
    #expect(server.objects == objects)
    let old = try Library.open(at: fixture.folder.file("old"), for: .reading, keys: fixture.keys)
    #expect(try plants(old) == ["Fern"])
    try add("Basil", "library")
    #expect(try plants(fixture.attach("attached")) == ["Basil", "Fern", "Moss"])
  }

  @Test func `of two copies that commit at once, at most one acknowledges`() throws {
    try copyLibrary(to: "other")
    let one = try Library.open(at: fixture.folder.file("library"), keys: fixture.keys)
    let two = try Library.open(at: fixture.folder.file("other"), keys: fixture.keys)
    // Both have just seen the store.
    _ = try one.plants.add(PlantDetails(name: "Moss"))
    let error = #expect(throws: LeaflogError.self) {
      _ = try two.plants.add(PlantDetails(name: "Ivy"))
    }
    #expect(error?.code == .forked)
    _ = try one.plants.add(PlantDetails(name: "Basil"))
    #expect(try plants(fixture.attach("attached")) == ["Basil", "Fern", "Moss"])
  }

  @Test func `a store that has lost its journal is said to be lost, and nothing is changed`() throws
  {
    for key in try fixture.client.keys("") where !key.hasPrefix("blobs/") {
      try fixture.client.delete(key)
    }
    let error = #expect(throws: LeaflogError.self) { try add("Moss", "library") }
    #expect(error?.code == .suspicious && error?.remedy == .repairStore)
  }

  @Test func `a store without its frames and catalogs is not attached as an empty diary`() throws {
    for prefix in ["journal/", "catalog/"] {
      for key in try fixture.client.keys(prefix) { try fixture.client.delete(key) }
    }
    let error = #expect(throws: LeaflogError.self) { try fixture.attach("attached") }
    #expect(error?.code == .suspicious)
    // The owner is not locked out: it puts everything there again.
    try Repairer.run(at: fixture.folder.file("library"), from: nil, keys: fixture.keys) { _ in }
    try add("Moss", "library")
    #expect(try plants(fixture.attach("attached")) == ["Fern", "Moss"])
  }

  @Test
  func `a change that is done but not sent is not made twice, and is sent before the next one`()
    throws
  {
    let library = try Library.open(at: fixture.folder.file("library"), keys: fixture.keys)
    isDown.isOn = true
    _ = try library.plants.add(PlantDetails(name: "Moss"))
    #expect(library.store.reasonForUnsent?.code == .refused)
    let error = #expect(throws: LeaflogError.self) {
      _ = try library.plants.add(PlantDetails(name: "Ivy"))
    }
    #expect(error?.code == .refused)
    isDown.isOn = false
    _ = try library.plants.add(PlantDetails(name: "Basil"))
    #expect(library.store.reasonForUnsent == nil)
    #expect(try plants(library) == ["Basil", "Fern", "Moss"])
    #expect(try plants(fixture.attach("attached")) == ["Basil", "Fern", "Moss"])
  }

  @Test func `a commit that the store acknowledges but does not list is put again`() throws {
    let library = try Library.open(at: fixture.folder.file("library"), keys: fixture.keys)
    isForgetful.isOn = true
    _ = try library.plants.add(PlantDetails(name: "Moss"))
    #expect(library.store.reasonForUnsent?.code == .unreachable)
    isForgetful.isOn = false
    _ = try library.plants.add(PlantDetails(name: "Basil"))
    #expect(library.store.reasonForUnsent == nil)
    #expect(try plants(fixture.attach("attached")) == ["Basil", "Fern", "Moss"])
  }

  @Test func `an attachment that was interrupted is run again in the same folder`() throws {
    let path = fixture.folder.file("attached")
    try fixture.attach("attached").close()
    // As it is before the catalog is put in place.
    for name in try FileManager.default.contentsOfDirectory(atPath: path)
    where name.hasPrefix("catalog.sqlite") {
      try FileManager.default.removeItem(atPath: path + "/" + name)
    }
    #expect(try plants(fixture.attach("attached")) == ["Fern"])
    // A folder with anything else is left alone.
    try fixture.folder.write(Data("mine".utf8), to: "other/store.json")
    let error = #expect(throws: LeaflogError.self) { try fixture.attach("other") }
    #expect(error?.code == .invalidRequest)
  }

  @Test func `a store that has lost a commit on which later ones depend is attached without them`()
    throws
  {
    let library = try Library.open(at: fixture.folder.file("library"), keys: fixture.keys)
    _ = try library.plants.add(PlantDetails(name: "Moss"))
    let lost = try #require(try fixture.client.keys("journal/").last)
    _ = try library.plants.add(PlantDetails(name: "Basil"))
    let moss = try #require(try library.plants.all().first { $0.name == "Moss" })
    _ = try library.plants.rename(moss.id, to: "Lichen")
    try fixture.client.delete(lost)
    let attachment = try LibraryAttachment(fixture.settings, keys: fixture.keys)
    let report = try attachment.run(at: fixture.folder.file("attached"))
    #expect(report.losses.count == 2)
    let attached = try Library.open(at: fixture.folder.file("attached"), keys: fixture.keys)
    #expect(try plants(attached) == ["Basil", "Fern"])
  }

  @Test
  func `a copy that sends later keeps what it has acknowledged, and nothing it needs is deleted`()
    throws
  {
    let fixture = try ObjectLibraryFixture(ObjectServer(), journal: .async)
    let path = fixture.folder.file("library")
    _ = try fixture.library.plants.add(PlantDetails(name: "Fern"))
    try fixture.library.close()
    try FileManager.default.copyItem(atPath: path, toPath: fixture.folder.file("other"))
    let one = try Library.open(at: path, keys: fixture.keys)
    _ = try one.plants.add(PlantDetails(name: "Moss"))
    try one.close()
    let two = try Library.open(at: fixture.folder.file("other"), keys: fixture.keys)
    _ = try two.plants.add(PlantDetails(name: "Ivy"))
    let error = #expect(throws: LeaflogError.self) { try two.close() }
    #expect(error?.code == .forked)
    #expect(try fixture.keys("forks/").count == 1)
    #expect(
      try plants(Library.open(at: two.path, for: .reading, keys: fixture.keys)) == ["Fern", "Ivy"])
    let attachment = try LibraryAttachment(fixture.settings, keys: fixture.keys)
    #expect(attachment.survey.forkedCount == 1)
    let again = try Library.open(at: path, keys: fixture.keys)
    let refusal = #expect(throws: LeaflogError.self) {
      try again.store.reset(.diary, confirmedBy: again.name)
    }
    #expect(refusal?.code == .forked)
    let pruner = Pruner(again)
    let pruned = #expect(throws: LeaflogError.self) {
      try pruner.run(pruner.plan(PruneRequest()))
    }
    #expect(pruned?.code == .forked)
    // Bringing the changes over continues both sides.
    let copy = try OpenBackup(.folder(two.path), keys: fixture.keys)
    _ = try LibraryMerge(from: copy, into: again).run()
    #expect(try fixture.keys("forks/").isEmpty)
    _ = try pruner.run(pruner.plan(PruneRequest()))
    try again.close()
    #expect(try plants(fixture.attach("attached")) == ["Fern", "Ivy", "Moss"])
  }

  @Test func `a replica that has applied a commit that was taken back makes itself anew`() throws {
    let replica = try LibraryReplica.create(
      fixture.settings, at: fixture.folder.file("replica"), keys: fixture.keys
    ).replica
    try copyLibrary(to: "other")
    // The replica sees the other side's commit before that is taken back.
    try add("Ivy", "other")
    _ = try replica.update()
    for key in try fixture.client.keys("journal/").suffix(1) { try fixture.client.delete(key) }
    try add("Moss", "library")
    _ = try replica.update()
    try replica.close()
    let copy = try Library.open(
      at: fixture.folder.file("replica"), for: .reading, keys: fixture.keys)
    #expect(try plants(copy) == ["Fern", "Moss"])
  }
}
