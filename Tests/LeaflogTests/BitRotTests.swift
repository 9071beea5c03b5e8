import DiaryCatalog
import DiaryModel
import Foundation
import Leaflog
import TestSupport
import Testing

/// Bytes that change by themselves on a disk are found wherever they are, and repaired from what is good.
@Suite struct BitRotTests {
  private let fixture: PastFixture
  private static let isLong = ProcessInfo.processInfo.environment["LEAFLOG_LONG_TESTS"] != nil

  init() async throws {
    fixture = try PastFixture()
    let library = fixture.library
    _ = try await Importer(library).run(
      ImportRequest(paths: [Fixtures.path("Photos/basil")])
    ) { _ in }
    try fixture.library.store.takeSnapshot()
    for name in ["fern", "ivy", "moss"] { try fixture.add(name) }
    let entries = try library.timeline.page().elements
    for (index, entry) in entries.enumerated() {
      _ = try library.photos.edit(
        entry.id, notes: "note \(index)", tags: ["green", "tag \(index)"])
    }
    try library.store.takeSnapshot()
    try fixture.add("oak")
    try library.history.undo()
    try library.history.redo()
    try fixture.add("ash")
    try fixture.backUp()
    try library.close()
  }

  private func damage(of path: String? = nil) throws -> [Damage] {
    var request = VerifyRequest()
    request.readsEverything = true
    var found: [Damage] = []
    let library = try Library.open(at: path ?? fixture.path)
    defer { try? library.close() }
    _ = try Verifier(library).run(request) { found.append($0) }
    return found
  }

  private func copy(_ number: Int) throws -> String {
    let copy = fixture.folder.file("copy\(number)")
    try? FileManager.default.removeItem(atPath: copy)
    try FileManager.default.copyItem(atPath: fixture.path, toPath: copy)
    return copy
  }

  private func flip(_ path: String, _ bit: Int) throws {
    var data = try Data(contentsOf: URL(fileURLWithPath: path))
    data[bit / 8] ^= 1 << UInt8(bit % 8)
    try data.write(to: URL(fileURLWithPath: path))
  }

  private func repair(_ path: String, from backup: String? = nil) throws {
    try Repairer.run(at: path, from: backup.map { .folder($0) }) { _ in }
  }

  @Test func `a library that is well has no damage, and neither has its backup`() throws {
    #expect(try damage().isEmpty)
    #expect(try damage(of: fixture.place).isEmpty)
    #expect(!CatalogRescue.isNeeded(at: fixture.path))
  }

  @Test func `a bit that changes a row is found, wherever it is in the catalog`() throws {
    let before = try CatalogDump(path: fixture.path + "/catalog.sqlite")
    let byteCount = try Data(
      contentsOf: URL(fileURLWithPath: fixture.path + "/catalog.sqlite")
    ).count
    var random = SplitMix64(state: 44)
    var (changedCount, repairedCount) = (0, 0)
    for number in 0..<(Self.isLong ? 400 : 120) {
      let bit = Int.random(in: 0..<(8 * byteCount), using: &random)
      let path = try copy(number)
      defer { try? FileManager.default.removeItem(atPath: path) }
      let catalog = path + "/catalog.sqlite"
      try flip(catalog, bit)
      let after = try? CatalogDump(path: catalog, isProved: false)
      if after == before { continue }
      changedCount += 1
      guard CatalogRescue.isNeeded(at: path) else {
        // Indexes, totals and search indexes are checked by every verification and made again by a repair.
        #expect(try !damage(of: path).isEmpty, "bit \(bit)")
        continue
      }
      if changedCount % 5 != 1, !Self.isLong { continue }
      repairedCount += 1
      try repair(path)
      #expect(try CatalogDump(path: catalog) == before, "bit \(bit)")
      #expect(try damage(of: path).isEmpty, "bit \(bit)")
    }
    #expect(changedCount > 0 && repairedCount > 0)
  }

  @Test func `a thing that has changed by itself is named`() throws {
    try RawCatalog.execute(
      "UPDATE photo SET width = 1 WHERE entryID = 2; UPDATE plant SET notes = 'x' WHERE name = 'fern'",
      at: fixture.path + "/catalog.sqlite")
    let messages = try damage().map(\.message)
    let named = try #require(messages.first { $0.hasPrefix("What has changed") })
    #expect(
      named.contains("the plant fern")
        && named.contains(/the photo of 2025-\d\d-\d\d \([0-9a-f]{8}\)/))
  }

  @Test func `a search index without its words is found, and made again`() throws {
    try RawCatalog.execute(
      "INSERT INTO entryText (entryText) VALUES ('delete-all')",
      at: fixture.path + "/catalog.sqlite")
    #expect(try damage().map(\.kind) == [.catalog])
    try repair(fixture.path)
    #expect(try damage().isEmpty)
  }

  @Test(arguments: [
    "UPDATE state SET version = 7", "DELETE FROM state",
    "PRAGMA ignore_check_constraints = 1; UPDATE state SET version = 0",
    """
    PRAGMA writable_schema = 1;
    UPDATE sqlite_schema SET sql = replace(sql, 'version INTEGER', 'versiom INTEGER') WHERE name = 'state'
    """,
  ])
  func `a catalog with the version of another is not taken for it, and is rebuilt`(
    sql: String
  ) throws {
    let catalog = fixture.path + "/catalog.sqlite"
    let before = try CatalogDump(path: catalog)
    try RawCatalog.execute(sql, at: catalog)
    for access in [Library.Access.reading, .writing] {
      let error = #expect(throws: LeaflogError.self) {
        try Library.open(at: fixture.path, for: access)
      }
      #expect(error?.code == .damaged && error?.remedy == .repair)
    }
    try repair(fixture.path)
    #expect(try CatalogDump(path: catalog) == before)
  }

  @Test(arguments: [
    "UPDATE change SET origin = 'rm -rf' WHERE id = 2",
    "UPDATE changeStep SET changeset = zeroblob(9) WHERE id = (SELECT max(id) FROM changeStep)",
    "INSERT INTO otherCommit (id, isUndo, digest) VALUES (1, 0, zeroblob(32))",
    "UPDATE place SET value = 'x' WHERE key = 'lineage'",
    "UPDATE plant SET createdAt = createdAt + 1 WHERE name = 'fern'",
    "UPDATE photo SET width = width + 1 WHERE entryID = 1",
    "UPDATE setting SET value = 'Asia/Tokyo' WHERE key = 'timeZone'",
    "DELETE FROM entryTag WHERE entryID = 1",
    "UPDATE head SET number = number + 1 WHERE number = 3",
    "UPDATE sqlite_sequence SET seq = 1 WHERE name = 'entry'",
    "UPDATE sqlite_sequence SET seq = 1 WHERE name = 'change'",
    "UPDATE newestFrame SET bytes = substr(bytes, 2)", "UPDATE newestFrame SET hash = zeroblob(32)",
    "UPDATE state SET sum = zeroblob(32)",
    "PRAGMA user_version = 3",
    "DROP INDEX entryByDay",
  ])
  func `a row that was changed by another hand is found, and rebuilt`(sql: String) throws {
    let catalog = fixture.path + "/catalog.sqlite"
    let before = try CatalogDump(path: catalog)
    try RawCatalog.execute(sql, at: catalog)
    #expect(try damage().contains { $0.kind == .catalog })
    try repair(fixture.path)
    #expect(try damage().isEmpty)
    #expect(try CatalogDump(path: catalog) == before)
  }

  @Test func `a bit in a frame or a snapshot is found, and the backup has a copy`() throws {
    var random = SplitMix64(state: 45)
    for folder in ["journal", "snapshots"] {
      for number in 0..<(Self.isLong ? 50 : 6) {
        let path = try copy(number)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let name = try #require(fixture.folder.files(below: "library/" + folder).last)
        let file = "\(path)/\(folder)/\(name)"
        let byteCount = try Data(contentsOf: URL(fileURLWithPath: file)).count
        try flip(file, Int.random(in: 0..<(8 * byteCount), using: &random))
        let kind: Damage.Kind = folder == "journal" ? .journal : .snapshot
        // Unused bytes of a snapshot's pages mean nothing.
        let isFound = try damage(of: path).contains { $0.kind == kind }
        #expect(isFound || folder == "snapshots")
        try repair(path, from: fixture.place)
        #expect(try damage(of: path).isEmpty)
      }
    }
  }

  @Test(arguments: [("entryTag", "tag TEXT"), ("entry", "seq INTEGER")])
  func `a value that is gone ends no verification`(table: String, column: String) throws {
    let catalog = fixture.path + "/catalog.sqlite"
    func replaceInSchema(_ text: String, by other: String) throws {
      try RawCatalog.execute(
        """
        PRAGMA writable_schema = 1;
        UPDATE sqlite_schema SET sql = replace(sql, '\(text)', '\(other)') WHERE name = '\(table)'
        """, at: catalog)
    }
    let before = try CatalogDump(path: catalog)
    let name = column.prefix { $0 != " " }
    try replaceInSchema("\(column) NOT NULL", by: column)
    try RawCatalog.execute("UPDATE \(table) SET \(name) = NULL", at: catalog)
    try replaceInSchema(column, by: "\(column) NOT NULL")
    #expect(try damage().contains { $0.kind == .catalog })
    try repair(fixture.path)
    #expect(try CatalogDump(path: catalog) == before)
  }

  @Test func `data that is forgotten is forgotten in the quarantine, too`() throws {
    func spoil(_ folder: String) throws {
      let name = try #require(fixture.folder.files(below: folder).first)
      try flip(fixture.folder.file("\(folder)/\(name)"), 8 * 20)
    }
    func quarantine(_ folder: String) throws -> [String] {
      try FileManager.default.contentsOfDirectory(
        atPath: fixture.folder.file(folder + "/quarantine"))
    }
    for folder in ["library/snapshots", "library/journal", "backup/snapshots"] {
      try spoil(folder)
    }
    try repair(fixture.path)
    let library = try Library.open(at: fixture.path)
    var request = BackupRequest(path: fixture.place)
    request.readsEverything = true
    _ = try Backup(library).run(request) { _ in }
    #expect(try quarantine("library").count == 2 && quarantine("backup").count == 1)
    let blob = String(repeating: "ab", count: 32)
    try fixture.folder.write(Data(), to: "library/quarantine/" + blob)
    try library.store.reset(.diary, confirmedBy: library.name)
    #expect(try quarantine("library") == [blob])
    _ = try Backup(library).run(request) { _ in }
    #expect(try quarantine("backup").isEmpty)
    try library.close()
  }

  @Test func `a digit of the library's id is found, and the id comes from the catalog`() throws {
    let marker = fixture.path + "/leaflog.json"
    let text = try String(contentsOfFile: marker, encoding: .utf8)
    let digit = try #require(text.firstRange(of: /"id":"[0-9A-F]/)?.upperBound)
    let place = text.utf8.distance(from: text.startIndex, to: digit) - 1
    try flip(marker, 8 * place)
    let error = #expect(throws: LeaflogError.self) { try Library.open(at: fixture.path) }
    #expect(error?.code == .damaged && error?.remedy == .repair)
    try repair(fixture.path)
    #expect(try String(contentsOfFile: marker, encoding: .utf8) == text)
  }

  @Test(arguments: ["access.json", "service.json"])
  func `a damaged file that no backup has is named`(name: String) throws {
    let library = try Library.open(at: fixture.path)
    _ = try library.tokens.add("phone")
    try library.settings.set(.serviceFolders, to: "/tmp")
    try library.close()
    try flip(fixture.path + "/" + name, 8 * 20)
    #expect(try damage().map(\.kind) == [.file])
  }
}

/// What a catalog is rebuilt from is never replaced by something worse.
@Suite struct NewestStateTests {
  private let fixture: PastFixture

  init() throws {
    fixture = try PastFixture()
    try fixture.add("fern")
    try fixture.library.store.takeSnapshot()
  }

  private var catalog: URL { URL(fileURLWithPath: fixture.path + "/catalog.sqlite") }

  private func plants() throws -> [String] {
    try Library.open(at: fixture.path, for: .reading).plants.all().map(\.name).sorted()
  }

  /// An older catalog in place of the present one, whose newest commit only the journal has.
  private func putOlderInPlace() throws {
    try fixture.library.close()
    let older = try Data(contentsOf: catalog)
    try fixture.reopen()
    try fixture.add("ivy")
    try fixture.library.close()
    try older.write(to: catalog)
  }

  private func leads() throws -> [Damage] {
    var found: [Damage] = []
    let library = try Library.open(at: fixture.path, for: .reading)
    _ = try Verifier(library).run(VerifyRequest()) { found.append($0) }
    return found
  }

  @Test func `an older catalog is reported, and brought up to date by the journal`() throws {
    try putOlderInPlace()
    #expect(try plants() == ["fern"])
    #expect(try leads().map(\.kind) == [.journal])
    #expect(try leads().first?.remedy == .repair)
    try fixture.reopen()
    #expect(try fixture.library.plants.all().map(\.name).sorted() == ["fern", "ivy"])
    #expect(try leads().isEmpty)
  }

  @Test func `an older catalog whose note is gone is brought up to date by the next change`() throws
  {
    try putOlderInPlace()
    try FileManager.default.removeItem(atPath: catalog.path + ".generation")
    try fixture.reopen()
    try fixture.add("moss")
    #expect(try plants() == ["fern", "ivy", "moss"])
  }

  @Test func `a repair of an older catalog takes the journal's state, not the backup's`() throws {
    try fixture.backUp()
    try putOlderInPlace()
    try FileManager.default.removeItem(atPath: catalog.path + ".generation")
    var events: [RepairEvent] = []
    try Repairer.run(at: fixture.path, from: .folder(fixture.place)) { events.append($0) }
    #expect(events.count == 1)
    #expect(try plants() == ["fern", "ivy"])
    try fixture.reopen()
    try fixture.backUp()
    #expect(try fixture.tables(at: fixture.now) == fixture.tables())
  }

  @Test func `a frame that is damaged in the library stays good in the backup`() throws {
    try fixture.backUp()
    try fixture.add("ivy")
    try fixture.add("moss")
    let moment = fixture.now
    // Of backups within an hour, the newest two are kept.
    fixture.pass(.seconds(7200))
    try fixture.add("elm")
    try fixture.backUp()
    let wanted = try fixture.tables(at: moment)
    let part = try #require(fixture.folder.files(below: "library/journal").last)
    let path = URL(fileURLWithPath: fixture.folder.file("library/journal/" + part))
    var data = try Data(contentsOf: path)
    let place = try #require(data.range(of: Data("ivy".utf8))?.lowerBound)
    data[place] ^= 1
    try data.write(to: path)
    fixture.pass(.seconds(7200))
    try fixture.add("oak")
    _ = try Backup(fixture.library).run(full(BackupRequest(path: fixture.place))) { _ in }
    #expect(try fixture.tables(at: moment) == wanted)
    #expect(try fixture.tables(at: fixture.now) == fixture.tables())
  }

  private func full(_ request: BackupRequest) -> BackupRequest {
    var request = request
    request.readsEverything = true
    return request
  }

  @Test func `a damaged catalog does not replace the backup's`() throws {
    try fixture.backUp()
    let before = try fixture.tables(of: fixture.place)
    try fixture.library.close()
    try RawCatalog.execute("UPDATE plant SET notes = 'rot'", at: catalog.path)
    try fixture.reopen()
    let error = #expect(throws: LeaflogError.self) { try fixture.backUp() }
    #expect(error?.code == .damaged && error?.remedy == .repair)
    #expect(try fixture.tables(of: fixture.place) == before)
  }

  @Test func `a backup with a damaged catalog or snapshot is restored from what is good`() throws {
    try fixture.backUp()
    fixture.pass(.seconds(7200))
    try fixture.add("ivy")
    try fixture.backUp()
    let moment = fixture.now
    let wanted = try fixture.tables()
    let path = fixture.place + "/catalog.sqlite"
    try RawCatalog.execute("UPDATE plant SET notes = 'rot'", at: path)
    try fixture.restore(to: fixture.folder.file("newest"))
    #expect(try fixture.tables(of: fixture.folder.file("newest")) == wanted)
    let snapshot = try #require(fixture.folder.files(below: "backup/snapshots").sorted().last)
    try RawCatalog.execute(
      "UPDATE plant SET notes = 'rot'", at: fixture.place + "/snapshots/" + snapshot)
    #expect(try fixture.tables(at: moment) == wanted)
  }

  @Test func `a damaged catalog that nothing leads to is kept, and said to be damaged`() throws {
    try fixture.library.close()
    try RawCatalog.execute("UPDATE plant SET notes = 'rot'", at: catalog.path)
    try fixture.remove("library/snapshots", "library/journal")
    var report: CatalogRescueReport?
    try Repairer.run(at: fixture.path, from: nil) {
      if case .catalogRescued(let found) = $0 { report = found }
    }
    #expect(report?.acceptedDamage.isEmpty == false && report?.wasLost == false)
    #expect(
      fixture.folder.files(below: "library/quarantine").contains { $0.hasSuffix("catalog.sqlite") })
    try fixture.reopen()
    #expect(try fixture.library.plants.all().first?.details.notes == "rot")
    #expect(!CatalogRescue.isNeeded(at: fixture.path))
  }

  @Test func `a file that cannot be read stays, and is taken back when it can be`() async throws {
    _ = try await Importer(fixture.library).run(
      ImportRequest(paths: [Fixtures.path("Photos/basil")])
    ) { _ in }
    let entry = try #require(try fixture.library.timeline.page().elements.first)
    let photo = try fixture.library.photos.find(entry.id)
    let master = try #require(photo.renditions.first { $0.role != .thumbnail })
    let path = fixture.library.photos.path(of: master)
    // A folder is a file that gives an error whenever it is read.
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    var results: [RepairOutcome.Result] = []
    try Repairer(fixture.library).run(from: nil) { results.append($0.result) }
    #expect(results == [.unreadable])
    #expect(FileManager.default.fileExists(atPath: path))
    // Elsewhere it was moved aside before it could be read again.
    try FileManager.default.removeItem(atPath: path)
    try fixture.folder.write(
      bytes, to: "library/quarantine/" + (path as NSString).lastPathComponent)
    results = []
    try Repairer(fixture.library).run(from: nil) { results.append($0.result) }
    #expect(results.count == 1)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
  }
}

/// Bytes that change by themselves in an object store.
@Suite(.serialized) struct StoreRotTests {
  private func flip(_ key: String, in fixture: ObjectLibraryFixture) throws {
    var bytes = try fixture.client.get(key).withUnsafeBytes { Data($0) }
    bytes[bytes.count / 2] ^= 4
    try fixture.client.put(key, bytes)
  }

  private func damage(_ fixture: ObjectLibraryFixture) throws -> [Damage] {
    let library = try Library.open(at: fixture.library.path, keys: fixture.keys)
    defer { try? library.close() }
    return try fixture.damage(in: library, isFull: true)
  }

  private func fill(_ fixture: ObjectLibraryFixture) throws {
    for name in ["fern", "ivy"] { _ = try fixture.library.plants.add(PlantDetails(name: name)) }
    try fixture.library.store.takeSnapshot()
    for name in ["moss", "oak"] { _ = try fixture.library.plants.add(PlantDetails(name: name)) }
    try fixture.library.close()
  }

  /// The frames and catalogs in the store.
  private func objects(_ fixture: ObjectLibraryFixture) throws -> [String] {
    try (fixture.keys("journal/") + fixture.keys("catalog/")).filter { !$0.hasSuffix(".catalog") }
  }

  @Test(arguments: LibraryStoreKind.available)
  func `a damaged frame or catalog is found, and put right by what is here`(
    kind: LibraryStoreKind
  ) throws {
    let fixture = try ObjectLibraryFixture(kind)
    try fill(fixture)
    #expect(try damage(fixture).isEmpty)
    let keys = try objects(fixture)
    #expect(keys.count > 3)
    // A repair that puts a catalog deletes what that covers.
    for key in keys where try objects(fixture).contains(key) {
      try flip(key, in: fixture)
      let found = try damage(fixture)
      #expect(found.map(\.remedy) == [.repair] && found.allSatisfy { $0.message.contains(key) })
      try Repairer.run(at: fixture.library.path, from: nil, keys: fixture.keys) { _ in }
      #expect(try damage(fixture).isEmpty)
    }
    let attached = try fixture.attach("attached")
    #expect(try attached.plants.all().count == 4)
    #expect(try fixture.rows("attached") == fixture.rows())
  }

  @Test func `for a damaged frame that is not here any more, the store gets a catalog`() throws {
    let fixture = try ObjectLibraryFixture(.memory)
    try fill(fixture)
    let key = try #require(fixture.keys("journal/").last { $0.hasSuffix(".frames") })
    try flip(key, in: fixture)
    let journal = fixture.library.path + "/journal"
    for name in try FileManager.default.contentsOfDirectory(atPath: journal) {
      try FileManager.default.removeItem(atPath: journal + "/" + name)
    }
    try Repairer.run(at: fixture.library.path, from: nil, keys: fixture.keys) { _ in }
    #expect(try damage(fixture).isEmpty)
    #expect(try !fixture.keys("journal/").contains(key))
    #expect(try fixture.attach("attached").plants.all().count == 4)
    #expect(try fixture.rows("attached") == fixture.rows())
  }
}
