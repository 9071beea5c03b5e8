import BlobStorage
import DiaryCatalog
import DiaryModel
import Foundation
import Leaflog
import SystemPackage
import TestSupport
import Testing

/// Versions of the catalog's schema, tried with one that no release has.
@Suite struct MigrationTests {
  /// A version that adds a column and a table. A mood sets the colour of the newest plant, so that a commit changes nothing
  /// else of the plant.
  private static let trial = Schema(
    Schema.current.versions + [
      Schema.Version(
        """
        ALTER TABLE plant ADD COLUMN colour TEXT;
        CREATE TABLE pot (id INTEGER PRIMARY KEY, plantID INTEGER REFERENCES plant (id)) STRICT;
        CREATE TRIGGER colourOfPlant AFTER INSERT ON mood BEGIN
          UPDATE plant SET colour = new.mood WHERE id = (SELECT max(id) FROM plant);
        END;
        """)
    ])

  private let fixture: PastFixture

  init() throws {
    fixture = try PastFixture()
    try fixture.add("fern")
    try fixture.add("ivy")
  }

  private func inTrial<Value>(_ body: () throws -> Value) rethrows -> Value {
    try Schema.$current.withValue(Self.trial, operation: body)
  }

  private func damage(of path: String) throws -> [String] {
    let library = try Library.open(at: path, for: .reading)
    defer { try? library.close() }
    var request = VerifyRequest()
    request.readsEverything = true
    var found: [String] = []
    _ = try Verifier(library).run(request) { found.append($0.message) }
    return found
  }

  private func commitCount() throws -> Int {
    let catalog = try Catalog(
      path: fixture.path + "/catalog.sqlite", access: .readOnlyOfAnyVersion)
    defer { try? catalog.close() }
    return try catalog.generation()
  }

  /// The tables of a library that is restored from the backup.
  private func restored(at moment: Timestamp? = nil) throws -> Set<String> {
    let target = fixture.folder.file("restored")
    try? FileManager.default.removeItem(atPath: target)
    let backup = try OpenBackup(.folder(fixture.place))
    _ = try Restore(backup, to: target, at: moment.map { .instant($0) }).run { _ in }
    return try fixture.tables(of: target)
  }

  private func rows(_ tables: Set<String>) -> Set<String> {
    tables.filter { !$0.hasPrefix("schema:") }
  }

  /// The rows as they are in version 1, if nothing was set in the column that the trial adds.
  private func withoutColours(_ tables: Set<String>) -> Set<String> {
    Set(rows(tables).map { $0.replacing(/^(plant: .*) \| NULL$/) { $0.output.1 } })
  }

  @Test func `the text of each version is as it was released`() {
    let digests = Schema.current.versions.map { version in
      Array(version.text.utf8).withUnsafeBytes { BlobID(hashing: $0).hex }
    }
    #expect(
      digests == [
        "d4bd7cd94be97187b0501e0d1000668dc23bc4e702503afceca564ac79b29e24",
        "8f85b8564665b4009d99a152fe0d1df163987f45403570df4b405168378a2c18",
      ])
  }

  @Test func `a library from before the first version is named, and left as it is`() throws {
    let path = fixture.folder.file("early.sqlite")
    try Data().write(to: URL(fileURLWithPath: path))
    try RawCatalog.execute("CREATE TABLE grdb_migrations (identifier TEXT)", at: path)
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let error = #expect(throws: CatalogError.self) { try Catalog(path: path, access: .readOnly) }
    #expect(error?.code == .tooOld)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
  }

  @Test(arguments: [
    """
    DROP TABLE sentPhoto;
    CREATE TABLE sentPhoto (
      photoID INTEGER PRIMARY KEY REFERENCES photo (entryID) ON DELETE CASCADE,
      senderID TEXT NOT NULL, sender TEXT NOT NULL, claimedTime TEXT
    ) STRICT;
    """, "DROP TABLE otherCommit",
  ])
  func `a library of a version between two releases is refused by name, and left as it is`(
    _ earlier: String
  ) throws {
    let path = fixture.path + "/catalog.sqlite"
    try fixture.library.close()
    try RawCatalog.execute(earlier, at: path)
    for intent in [Library.Access.reading, .writing] {
      let error = #expect(throws: LeaflogError.self) {
        try Library.open(at: fixture.path, for: intent).close()
      }
      #expect(error?.code == .readOnly && error?.message.contains("between two releases") == true)
    }
  }

  @Test func `opening for writing brings a library up to date by a commit, after a snapshot`()
    throws
  {
    let count = try commitCount()
    try inTrial {
      try fixture.reopen()
      #expect(try commitCount() == count + 1)
      let snapshots = try FileManager.default.contentsOfDirectory(
        atPath: fixture.path + "/snapshots")
      #expect(
        snapshots.contains {
          CatalogSnapshot(FilePath(fixture.path + "/snapshots/" + $0))?.generation == count
        })
      try fixture.add("moss")
      #expect(try damage(of: fixture.path).isEmpty)
      #expect(try fixture.tables().contains { $0.hasPrefix("plant:") && $0.contains("'moss'") })
      try fixture.reopen()
      #expect(try commitCount() == count + 2)
    }
  }

  @Test func `reading brings a library up to date, too`() throws {
    try fixture.library.close()
    try inTrial {
      let library = try Library.open(at: fixture.path, for: .reading)
      #expect(try library.plants.all().count == 2)
    }
  }

  @Test func `an older program does not write what a newer one has brought up to date`() throws {
    let older = fixture.library
    try inTrial { try Library.open(at: fixture.path).close() }
    let before = try inTrial { try fixture.tables() }
    for attempt in [{ _ = try older.plants.add(PlantDetails(name: "moss")) }, fixture.reopen] {
      let error = #expect(throws: LeaflogError.self) { try attempt() }
      #expect(error?.code == .tooNew)
    }
    let after = try inTrial { try fixture.tables() }
    #expect(after == before)
  }

  @Test func `backups and moments on both sides of a migration are one line`() throws {
    try fixture.backUp()
    let (before, earlier) = (fixture.now, try rows(fixture.tables()))
    try fixture.add("moss")
    let (between, unmigrated) = (fixture.now, try rows(fixture.tables()))
    try inTrial {
      #expect(try withoutColours(restored()) == earlier)
      #expect(try damage(of: fixture.folder.file("restored")).isEmpty)
      fixture.pass()
      try fixture.reopen()
      try fixture.add("oak")
      let (after, later) = (fixture.now, try fixture.tables())
      try fixture.add("ash")
      #expect(throws: LeaflogError.self) {
        try Library.open(at: fixture.place, for: .reading)
      }
      try fixture.backUp()
      #expect(try damage(of: fixture.place).isEmpty)
      #expect(try withoutColours(restored(at: before)) == earlier)
      #expect(try withoutColours(restored(at: between)) == unmigrated)
      #expect(try restored(at: after) == later)
      #expect(try restored() == fixture.tables())
    }
  }

  @Test(arguments: ["snapshots", "snapshots and frames of before", "catalog put back"])
  func `a lost catalog is rebuilt across a migration`(loss: String) throws {
    try fixture.library.close()
    let old = fixture.folder.file("old.sqlite")
    try FileManager.default.copyItem(atPath: fixture.path + "/catalog.sqlite", toPath: old)
    try inTrial {
      try fixture.reopen()
      try fixture.add("oak")
      let tables = try fixture.tables()
      try fixture.remove("library/catalog.sqlite")
      switch loss {
      case "snapshots":
        for name in try FileManager.default.contentsOfDirectory(
          atPath: fixture.path + "/snapshots")
        {
          try FileManager.default.removeItem(atPath: fixture.path + "/snapshots/" + name)
        }
      case "catalog put back":
        try FileManager.default.copyItem(atPath: old, toPath: fixture.path + "/catalog.sqlite")
      default: break
      }
      if loss != "catalog put back" {
        try Repairer.run(at: fixture.path, from: nil) { _ in }
      } else {
        try Library.open(at: fixture.path).close()
      }
      #expect(try fixture.tables() == tables)
      #expect(try damage(of: fixture.path).isEmpty)
    }
  }

  @Test func `a migration whose frame was not appended is appended by the next process`() throws {
    try fixture.library.close()
    let journal = fixture.path + "/journal"
    let kept = fixture.folder.file("journal")
    try FileManager.default.copyItem(atPath: journal, toPath: kept)
    try inTrial {
      try fixture.reopen()
      let tables = try fixture.tables()
      try fixture.library.close()
      try FileManager.default.removeItem(atPath: journal)
      try FileManager.default.copyItem(atPath: kept, toPath: journal)
      try Library.open(at: fixture.path).close()
      #expect(try damage(of: fixture.path).isEmpty)
      try fixture.remove("library/catalog.sqlite", "library/snapshots")
      try Repairer.run(at: fixture.path, from: nil) { _ in }
      #expect(try fixture.tables() == tables)
    }
  }

  @Test func `undoing a change does not lose what a later version keeps of it`() throws {
    try inTrial {
      try fixture.reopen()
      let before = try fixture.tables()
      _ = try fixture.library.diary.setMood(.calm, on: #require(LocalDay("2026-01-01")))
      let after = try fixture.tables()
      #expect(after.contains { $0.hasPrefix("plant:") && $0.hasSuffix("'calm'") })
      let changes = try fixture.library.history.page(limit: 9).changes
      #expect(changes.count == 3)
      let error = #expect(throws: LeaflogError.self) {
        try fixture.library.history.undo(changes[1].id)
      }
      #expect(error?.code == .conflict && error?.remedy == .undoFirst(change: changes[0].id))
      #expect(try fixture.tables() == after)
      try fixture.library.history.undo()
      #expect(try fixture.tables() == before)
      try fixture.library.history.undo()
      try fixture.library.history.redo()
      #expect(try fixture.tables() == before)
      #expect(try damage(of: fixture.path).isEmpty)
    }
  }

  /// The changes by a version to the columns of tables, other than appending some that may be NULL and have no default.
  private func faults(of version: Int, in schema: Schema) throws -> [String] {
    let folder = try TemporaryFolder()
    let tables = try [version - 1, version].map { number in
      let path = folder.file("\(number).sqlite")
      try Schema.$current.withValue(Schema(Array(schema.versions.prefix(number)))) {
        try Catalog(
          path: path, access: .readWrite(lock: FileLock(FilePath(folder.file("lock"))))
        ).close()
      }
      let rows = try RawCatalog.rows(
        """
        SELECT m.name, c.name, c."notnull", c.dflt_value FROM sqlite_schema m, pragma_table_info(m.name) c
          WHERE m.type = 'table' ORDER BY m.name, c.cid
        """, at: path)
      return Dictionary(grouping: rows) { $0[0] }
    }
    return tables[0].flatMap { table, columns -> [String] in
      guard let later = tables[1][table], later.prefix(columns.count).elementsEqual(columns) else {
        return ["\(table) has other columns"]
      }
      return later.dropFirst(columns.count).filter { $0.suffix(2) != ["0", "NULL"] }
        .map { "\(table).\($0[1]) has a default or cannot be NULL" }
    }
  }

  @Test func `each version only appends, or ends the history`() throws {
    func schema(_ text: String) -> Schema {
      Schema(Schema.current.versions + [Schema.Version(text)])
    }
    let newest = Schema.current.newest
    for version in (2..<(newest + 1)) where !Schema.current.versions[version - 1].endsHistory {
      #expect(try faults(of: version, in: Schema.current).isEmpty)
    }
    #expect(try faults(of: newest + 1, in: Self.trial).isEmpty)
    for text in [
      "ALTER TABLE plant ADD COLUMN colour TEXT DEFAULT 'green'",
      "ALTER TABLE plant RENAME COLUMN notes TO words",
      "ALTER TABLE plant ADD COLUMN colour TEXT NOT NULL DEFAULT ''",
    ] { #expect(try faults(of: newest + 1, in: schema(text)).count == 1) }
  }

  @Test func `a version that does not only append ends the history`() throws {
    let change = try #require(fixture.library.history.page(limit: 9).changes.first?.id)
    let schema = Schema(
      Schema.current.versions + [
        Schema.Version("DROP INDEX entryInTrash;", endsHistory: true)
      ])
    try Schema.$current.withValue(schema) {
      try fixture.reopen()
      let error = #expect(throws: LeaflogError.self) {
        try fixture.library.history.undo(change)
      }
      #expect(error?.message.contains("no longer kept") == true)
      #expect(try damage(of: fixture.path).isEmpty)
    }
  }

  @Test func `a replica follows its owner through a migration, and neither before it nor behind`()
    throws
  {
    let owner = try ObjectLibraryFixture(.memory)
    _ = try owner.library.plants.add(PlantDetails(name: "fern"))
    let path = owner.folder.file("replica")
    try LibraryReplica.create(owner.settings, at: path, keys: owner.keys).replica.close()
    func update() throws -> Int {
      let replica = try LibraryReplica(at: path, keys: owner.keys)
      defer { try? replica.close() }
      return try replica.update().commitCount
    }
    _ = try owner.library.plants.add(PlantDetails(name: "ivy"))
    try owner.library.close()
    try inTrial {
      // The replica has the newer program, and the owner has not written with it yet.
      #expect(try update() == 1)
      let early = #expect(throws: LeaflogError.self) {
        try Library.open(at: path, for: .reading, keys: owner.keys)
      }
      #expect(early?.code == .readOnly && early?.message.contains("there first") == true)
      let library = try Library.open(at: owner.library.path, keys: owner.keys)
      _ = try library.plants.add(PlantDetails(name: "moss"))
      try library.close()
    }
    let late = #expect(throws: LeaflogError.self) { try update() }
    #expect(late?.code == .tooNew)
    try inTrial { () throws in
      #expect(try update() == 2)
      #expect(try owner.rows("replica") == owner.rows())
      #expect(try owner.attach("attached").plants.all().count == 3)
    }
  }
}
