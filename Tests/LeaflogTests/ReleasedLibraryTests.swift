import DiaryCatalog
import DiaryModel
import Foundation
import Leaflog
import TestSupport
import Testing

/// Libraries and diary files as each released version of the schema has written them. `Fixtures/make-library.sh` made them.
@Suite struct ReleasedLibraryTests {
  static let versions = (1...Schema.current.newest).map(String.init).filter {
    FileManager.default.fileExists(atPath: Fixtures.path("Library/" + $0))
  }

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The path of a copy of a version's library.
  private func copy(_ version: String) throws -> String {
    let path = folder.file("library")
    try FileManager.default.copyItem(atPath: Fixtures.path("Library/" + version), toPath: path)
    return path
  }

  private func tables(_ path: String) throws -> Set<String> {
    try CatalogDump(path: path + "/catalog.sqlite").lines
  }

  private func damage(_ library: Library) throws -> [String] {
    var request = VerifyRequest()
    request.readsEverything = true
    var found: [String] = []
    _ = try Verifier(library).run(request) { found.append($0.message) }
    return found
  }

  private func json(_ library: Library) throws -> String {
    let path = folder.file("out.json")
    _ = try DiaryExporter(library).writeJSON(into: .file(path))
    return try String(contentsOfFile: path, encoding: .utf8)
  }

  @Test func `each version but a newest that is still to be released has left a library`() {
    #expect(Self.versions.count >= max(1, Schema.current.newest - 1))
  }

  @Test(arguments: versions)
  func `it is read, verified and edited`(version: String) throws {
    let path = try copy(version)
    let library = try Library.open(at: path)
    #expect(try damage(library).isEmpty)
    let entries = try library.timeline.page(limit: 100).elements
    #expect(
      Dictionary(grouping: entries, by: \.kind).mapValues(\.count) == [
        .photo: 2, .symptom: 2, .dailyLog: 1, .episode: 1, .mood: 1, .quote: 1, .completion: 1,
      ])
    let symptoms = entries.compactMap { entry -> Symptom? in
      if case .symptom(let symptom) = entry.content { symptom } else { nil }
    }
    #expect(symptoms.map(\.name) == ["Itchy eyes", "Headache"])
    #expect(symptoms.last?.medications == ["Ibuprofen"])
    for entry in entries where entry.kind == .photo {
      let photo = try library.photos.find(entry.id)
      for kind in PictureFile.Kind.allCases {
        #expect(try library.photos.file(kind, of: photo).byteCount > 0)
      }
    }
    let found = try library.timeline.search("süss").page.elements
    #expect(found.map(\.notes) == ["After pruning: „Süß“ 🌿"])
    // A change of that version is undone and redone by this one.
    let before = try tables(path)
    let undone = try library.history.undo()
    #expect(try tables(path) != before)
    #expect(try library.history.redo().id == undone.id)
    #expect(try tables(path) == before)
    _ = try library.plants.add(PlantDetails(name: "fern"))
    #expect(try damage(library).isEmpty)
    try library.close()
  }

  @Test(arguments: versions)
  func `it is rebuilt from its journal and its snapshot`(version: String) throws {
    let path = try copy(version)
    try Library.open(at: path).close()
    let before = try tables(path)
    for name in ["catalog.sqlite", "catalog.sqlite-wal", "catalog.sqlite-shm"]
    where FileManager.default.fileExists(atPath: path + "/" + name) {
      try FileManager.default.removeItem(atPath: path + "/" + name)
    }
    try Repairer.run(at: path, from: nil) { _ in }
    #expect(try tables(path) == before)
    let library = try Library.open(at: path)
    #expect(try damage(library).isEmpty)
    try library.close()
  }

  @Test(arguments: versions)
  func `its damaged catalog is kept where nothing leads to it`(version: String) throws {
    let path = try copy(version)
    try RawCatalog.execute("UPDATE plant SET notes = 'rot'", at: path + "/catalog.sqlite")
    for name in ["snapshots", "journal"] {
      try FileManager.default.removeItem(atPath: path + "/" + name)
    }
    var report: CatalogRescueReport?
    try Repairer.run(at: path, from: nil) {
      if case .catalogRescued(let found) = $0 { report = found }
    }
    #expect(report?.acceptedDamage.isEmpty == false && report?.wasLost == false)
    let library = try Library.open(at: path)
    #expect(try library.plants.all().allSatisfy { $0.details.notes == "rot" })
    #expect(try damage(library).isEmpty)
    try library.close()
  }

  @Test(arguments: versions)
  func `it is backed up, and restored as it is and as it was`(version: String) throws {
    let path = try copy(version)
    let library = try Library.open(at: path)
    let (before, backup) = (try json(library), folder.file("backup"))
    func backUp() throws -> Int {
      _ = try Backup(library).run(BackupRequest(path: backup)) { _ in }
      let catalog = try Catalog(path: backup + "/catalog.sqlite", access: .readOnly)
      defer { try? catalog.close() }
      return try catalog.generation()
    }
    let commit = try backUp()
    _ = try library.plants.add(PlantDetails(name: "fern"))
    _ = try backUp()
    let after = try json(library)
    try library.close()
    for (expected, number) in [(after, nil), (before, commit)] {
      let target = folder.file("restored to \(number ?? 0)")
      _ = try Restore(OpenBackup(.folder(backup)), to: target, commit: number).run { _ in }
      let restored = try Library.open(at: target)
      #expect(try json(restored) == expected)
      #expect(try damage(restored).isEmpty)
      try restored.close()
    }
  }

  @Test(arguments: versions)
  func `its diary file is imported, and says what the library says`(version: String) throws {
    let library = try Library.open(at: copy(version))
    let zone = library.timeZone
    let other = try Library.create(at: folder.file("other"), .init(timeZone: zone))
    _ = try DiaryImporter(other).read(Fixtures.path("Library/\(version).json"))
    #expect(try json(other) == json(library))
  }
}
