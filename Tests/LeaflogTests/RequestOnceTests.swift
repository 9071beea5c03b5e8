import DiaryCatalog
import DiaryModel
import Foundation
import Leaflog
import TestSupport
import Testing

/// A request with a key is carried out once, whatever has happened to the library since.
@Suite struct RequestOnceTests {
  private let key = RequestKey(
    digest: Data(repeating: 1, count: 32), request: Data(repeating: 2, count: 32), isLasting: true)

  private func add(to library: Library) throws {
    _ = try library.serving(ClientRequest(origin: "POST /plants", key: key)).plants
      .add(PlantDetails(name: "Fern"))
  }

  /// A library in which the request was carried out.
  private func made(in folder: TemporaryFolder) throws -> String {
    let path = folder.file("library")
    let library = try Library.create(at: path, Library.Settings(policy: .exact))
    try add(to: library)
    try library.close()
    return path
  }

  private func expectOnce(
    at path: String, keys: ObjectStoreKeys = ObjectStoreKeys(),
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let library = try Library.open(at: path, keys: keys)
    defer { try? library.close() }
    let before = try library.plants.all().map(\.name)
    let error = #expect(throws: LeaflogError.self, sourceLocation: sourceLocation) {
      try add(to: library)
    }
    #expect(error?.code == .repeated, sourceLocation: sourceLocation)
    #expect(try library.plants.all().map(\.name) == before, sourceLocation: sourceLocation)
    guard case .carriedOut(let past) = try library.requests.known(by: key)?.answer else {
      Issue.record("its effect is not known", sourceLocation: sourceLocation)
      return
    }
    #expect(past.commit > 0, sourceLocation: sourceLocation)
  }

  @Test func `after its change was undone, and after words were forgotten`() throws {
    let folder = try TemporaryFolder()
    let path = try made(in: folder)
    let library = try Library.open(at: path)
    _ = try library.history.undo()
    guard case .carriedOut(let past) = try library.requests.known(by: key)?.answer else {
      Issue.record("its effect is not known")
      return
    }
    #expect(past.change?.isUndone == true)
    try library.store.reset(.diary, confirmedBy: library.name)
    try library.close()
    try expectOnce(at: path)
  }

  @Test func `after a restore over the library, and in a copy restored elsewhere`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("library")
    try Library.create(at: path, Library.Settings(policy: .exact)).close()
    func backUp(_ place: String) throws {
      let library = try Library.open(at: path, for: .reading)
      _ = try Backup(library).run(BackupRequest(path: folder.file(place))) { _ in }
      try library.close()
    }
    func restore(_ place: String, to path: String) throws {
      let backup = try Library.open(at: folder.file(place), for: .reading)
      _ = try Restore(backup, to: path).run { _ in }
      try backup.close()
    }
    try backUp("before")
    let library = try Library.open(at: path)
    try add(to: library)
    try library.close()
    try backUp("after")
    try restore("before", to: path)
    try expectOnce(at: path)
    try restore("after", to: folder.file("elsewhere"))
    try expectOnce(at: folder.file("elsewhere"))
  }

  @Test func `after the catalog was lost and rebuilt from the journal`() throws {
    let folder = try TemporaryFolder()
    let path = try made(in: folder)
    for name in try FileManager.default.contentsOfDirectory(atPath: path)
    where name.hasPrefix("catalog.sqlite") {
      try FileManager.default.removeItem(atPath: path + "/" + name)
    }
    try Repairer.run(at: path, from: nil) { _ in }
    try expectOnce(at: path)
  }

  @Test func `on another machine, and in a replica that became the library`() throws {
    let server = try ObjectServer()
    let fixture = try ObjectLibraryFixture(server)
    try add(to: fixture.library)
    let replica = try LibraryReplica.create(
      fixture.settings, at: fixture.folder.file("replica"), keys: fixture.keys
    ).replica
    _ = try replica.promote()
    try expectOnce(at: fixture.folder.file("replica"), keys: fixture.keys)
    try fixture.attach("attached").close()
    try expectOnce(at: fixture.folder.file("attached"), keys: fixture.keys)
  }
}
