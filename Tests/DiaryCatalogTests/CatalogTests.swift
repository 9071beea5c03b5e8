import BlobStorage
import DiaryCatalog
import DiaryModel
import Foundation
import GRDBSQLite
import SystemPackage
import TestSupport
import Testing

/// A catalog in a folder of its own.
struct CatalogFixture {
  let folder: TemporaryFolder
  let catalog: Catalog

  init(_ connections: Catalog.Connections = .pool) throws {
    folder = try TemporaryFolder()
    catalog = try Catalog(
      path: folder.file("catalog.sqlite"),
      access: .readWrite(
        lock: FileLock(FilePath(folder.file("lock"))), connections: connections))
  }

  /// The steps by which SQLite carries out a query.
  func plan(of sql: String) throws -> [String] {
    try rows("EXPLAIN QUERY PLAN " + sql) { String(cString: sqlite3_column_text($0, 3)) }
  }

  /// The number of rows of a query.
  func count(_ sql: String) throws -> Int { try rows(sql) { _ in }.count }

  private func rows<Value>(_ sql: String, _ value: (OpaquePointer?) -> Value) throws -> [Value] {
    var (database, statement): (OpaquePointer?, OpaquePointer?)
    try #require(sqlite3_open(folder.file("catalog.sqlite"), &database) == SQLITE_OK)
    defer { sqlite3_close(database) }
    try #require(sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK)
    defer { sqlite3_finalize(statement) }
    var values: [Value] = []
    while sqlite3_step(statement) == SQLITE_ROW { values.append(value(statement)) }
    return values
  }

  /// Runs statements beside the catalog, as a damaged or foreign program would.
  ///
  /// - Returns: SQLite's message; nil when all went well.
  func run(_ sql: String) throws -> String? {
    var database: OpaquePointer?
    try #require(sqlite3_open(folder.file("catalog.sqlite"), &database) == SQLITE_OK)
    defer { sqlite3_close(database) }
    var message: UnsafeMutablePointer<CChar>?
    guard sqlite3_exec(database, sql, nil, nil, &message) != SQLITE_OK else { return nil }
    defer { sqlite3_free(message) }
    return message.map { String(cString: $0) } ?? ""
  }
}

/// A photo that nobody took, number `number`.
func madePhoto(
  _ number: Int, at time: Int64? = nil, plant: String? = "monstera", thumbnail: String? = nil,
  notes: String? = nil
) -> NewPhoto {
  let digest = BlobID(hashing: "photo \(number)")
  let instant = Timestamp(milliseconds: time ?? 1_700_000_000_000 + Int64(number) * 60_000)
  return NewPhoto(
    sourceDigest: digest, sourceByteCount: 3_000_000, sourceMediaType: "image/jpeg",
    originalName: "IMG_\(number).jpg", size: PixelSize(width: 4032, height: 3024),
    time: EntryTime(.instant(instant), in: .gmt), captureSource: .exif,
    notes: notes ?? (number.isMultiple(of: 10) ? "note \(number)" : nil),
    plant: plant.map { .named($0) },
    placeholder: [1, 2, 3], warnings: [],
    renditions: [
      rendition(.master, "master \(number)", 1_000_000),
      rendition(.thumbnail, thumbnail ?? "thumbnail \(number)", 30_000),
    ])
}

private func rendition(_ role: RenditionRole, _ content: String, _ byteCount: Int) -> Rendition {
  Rendition(
    role: role, blob: BlobID(hashing: content), byteCount: byteCount, mediaType: "image/jpeg",
    size: PixelSize(width: 512, height: 384), recipe: "test")
}

extension BlobID {
  init(hashing text: String) { self = Array(text.utf8).withUnsafeBytes { BlobID(hashing: $0) } }
}

let now = Timestamp(milliseconds: 1_750_000_000_000)

extension Catalog {
  @discardableResult
  func add(_ photos: some Sequence<NewPhoto>) throws -> [RecordOutcome] {
    try record(
      photos.map { ImportRecord(content: .new($0), file: nil) }, as: OpenChange(.importPhotos),
      now: now, confirm: { _ in })
  }
}

@Suite struct CatalogTests {
  @Test(arguments: [Catalog.Connections.pool, .one])
  func `the writer survives power loss, and others read meanwhile`(
    _ connections: Catalog.Connections
  ) throws {
    let fixture = try CatalogFixture(connections)
    #expect(try fixture.catalog.synchronousMode() == 2)
    try fixture.catalog.add([madePhoto(1)])
    // A log is what lets them.
    #expect(FileManager.default.fileExists(atPath: fixture.folder.file("catalog.sqlite-wal")))
    let reader = try Catalog(path: fixture.folder.file("catalog.sqlite"), access: .readOnly)
    try fixture.catalog.write { tables in
      try tables.settings.set(.language, "de")
      #expect(try reader.read { try $0.settings[.language] } == nil)
    }
    #expect(try reader.read { try $0.settings[.language] } == "de")
  }

  @Test
  func
    `one connection reads within a write what that has written, and keeps nothing of a failed one`()
    throws
  {
    struct Failure: Error {}
    let catalog = try CatalogFixture(.one).catalog
    #expect(throws: Failure.self) {
      try catalog.write { tables in
        try tables.settings.set(.language, "de")
        #expect(try catalog.read { try $0.settings[.language] } == "de")
        throw Failure()
      }
    }
    #expect(try catalog.read { try $0.settings[.language] } == nil)
    #expect(throws: Failure.self) { try catalog.read { _ in throw Failure() } }
    try catalog.write { try $0.settings.set(.language, "en") }
    #expect(try catalog.read { try $0.settings[.language] } == "en")
  }

  @Test func `closing twice is harmless`() throws {
    let fixture = try CatalogFixture()
    try fixture.catalog.add([madePhoto(1)])
    try fixture.catalog.close()
    try fixture.catalog.close()
  }

  @Test func `a photo is found by its id, its digest and its full renditions`() throws {
    let catalog = try CatalogFixture().catalog
    let photo = madePhoto(7)
    let id = EntryID(sourceDigest: photo.sourceDigest)
    #expect(try catalog.add([photo]) == [.added(id)])
    let found = try catalog.photo(String(id.description.prefix(6)).uppercased())
    #expect(found.entry.id == id)
    #expect(found.entry.plant?.name == "monstera")
    #expect(found.entry.photo?.storedByteCount == 1_030_000)
    #expect(found.renditions.map(\.role) == [.master, .thumbnail])
    #expect(try catalog.read { try $0.photos.known(withDigest: photo.sourceDigest) }?.id == id)
    #expect(
      try catalog.read { try $0.photos.known(withDigest: BlobID(hashing: "master 7")) }?.id == id)
    #expect(
      try catalog.read { try $0.photos.known(withDigest: BlobID(hashing: "thumbnail 7")) } == nil)
  }

  @Test func `an unknown id and an ambiguous one say so`() throws {
    let catalog = try CatalogFixture().catalog
    try catalog.add((0..<40).map { madePhoto($0) })
    func code(_ prefix: String) -> CatalogError.Code? {
      do { _ = try catalog.photo(prefix) } catch { return (error as? CatalogError)?.code }
      return nil
    }
    #expect(code("") == .notFound)
    #expect(code("zz") == .notFound)
    #expect(code("'; DROP TABLE photo; --") == .notFound)
    #expect("0123456789abcdef".contains { code(String($0)) == .ambiguous })
  }

  @Test func `the same photo is recorded once`() throws {
    let catalog = try CatalogFixture().catalog
    let id = EntryID(sourceDigest: madePhoto(1).sourceDigest)
    try catalog.add([madePhoto(1)])
    #expect(try catalog.add([madePhoto(1)]) == [.duplicate(id)])
    var edit = EntryEdit(id)
    edit.isDeleted = true
    _ = try catalog.apply([edit], as: .photoDelete, now: now)
    #expect(try catalog.page(TimelineQuery(), at: .start, limit: 5).elements.isEmpty)
    #expect(
      try catalog.page(TimelineQuery(deleted: true), at: .start, limit: 5).elements.count == 1)
    #expect(try catalog.add([madePhoto(1)]) == [.restored(id)])
    #expect(try catalog.page(TimelineQuery(), at: .start, limit: 5).elements.map(\.id) == [id])
  }

  @Test func `a photo that was pruned since it was looked up is no duplicate`() throws {
    let catalog = try CatalogFixture().catalog
    let id = EntryID(sourceDigest: madePhoto(1).sourceDigest)
    try catalog.add([madePhoto(1)])
    let known = try #require(
      try catalog.read { try $0.photos.known(withDigest: madePhoto(1).sourceDigest) })
    var edit = EntryEdit(id)
    edit.isDeleted = true
    _ = try catalog.apply([edit], as: .photoDelete, now: now)
    try catalog.purge(deletedBefore: Timestamp(milliseconds: now.milliseconds + 10))
    try catalog.add([madePhoto(2)])
    let error = #expect(throws: CatalogError.self) {
      try catalog.record(
        [ImportRecord(content: .known(known), file: nil)], as: OpenChange(.importPhotos), now: now,
        confirm: { _ in })
    }
    #expect(error?.code == .notFound)
  }

  @Test func `a batch is recorded whole or not at all`() throws {
    let catalog = try CatalogFixture().catalog
    var broken = madePhoto(2)
    broken = NewPhoto(
      sourceDigest: broken.sourceDigest, sourceByteCount: 0, sourceMediaType: "", originalName: "",
      size: broken.size, time: broken.time, captureSource: .exif, notes: nil, plant: .named("fern"),
      placeholder: [], warnings: [], renditions: [])
    #expect(throws: CatalogError.self) { try catalog.add([madePhoto(1), broken]) }
    #expect(try catalog.page(TimelineQuery(), at: .start, limit: 5).elements.isEmpty)
    #expect(try catalog.plants().isEmpty)
  }

  @Test func `blobs that photos share are counted once`() throws {
    let catalog = try CatalogFixture().catalog
    try catalog.add([madePhoto(1, thumbnail: "same"), madePhoto(2, thumbnail: "same")])
    let blobs = try catalog.read { try $0.totals.referencedBlobs() }
    #expect(blobs == BlobShare(count: 3, byteCount: 2_030_000))
    #expect(try catalog.read { try $0.totals.renditions() }[.thumbnail]?.count == 2)
    #expect(try catalog.read { try $0.blobs.referenced() }.count == 3)
  }

  @Test func `a wrong total is found, and counted anew`() throws {
    let fixture = try CatalogFixture()
    try fixture.catalog.add([madePhoto(1), madePhoto(2)])
    let path = fixture.folder.file("catalog.sqlite")
    #expect(try fixture.catalog.read { try $0.inconsistencies() }.isEmpty)
    #expect(
      try fixture.run("UPDATE total SET count = 7 WHERE kind IN ('photo', 'referenced')") == nil)
    #expect(try fixture.catalog.read { try $0.inconsistencies() }.count == 2)
    try fixture.catalog.write { try $0.totals.recount() }
    #expect(try fixture.catalog.read { try $0.inconsistencies() }.isEmpty)
    #expect(try fixture.run("UPDATE dayTotal SET count = count + 1") == nil)
    #expect(try fixture.run("INSERT INTO dayTotal VALUES ('2020-02-03', 'mood', 0, 1)") == nil)
    let found = try fixture.catalog.read { try $0.inconsistencies() }
    #expect(found.contains("The total of 2020-02-03 is not what a count gives."))
    #expect(found.count >= 2)
    try fixture.catalog.write { try $0.totals.recount() }
    #expect(try fixture.catalog.read { try $0.inconsistencies() }.isEmpty)
    _ = try CatalogDump(path: path)
  }

  @Test func `totals are those of a count through trash, purge, replacement and reset`() throws {
    let fixture = try CatalogFixture()
    let catalog = fixture.catalog
    /// The photos on the timeline, and the blobs with a reference; the dump compares all totals with counts.
    func totals() throws -> [BlobShare] {
      _ = try dump(fixture.folder.file("catalog.sqlite"))
      return try catalog.read { tables in
        [try tables.totals.entries()[.photo] ?? BlobShare(), try tables.totals.referencedBlobs()]
      }
    }
    let photos = [madePhoto(1, thumbnail: "same"), madePhoto(2, thumbnail: "same"), madePhoto(3)]
    try catalog.add(photos)
    let all = [
      BlobShare(count: 3, byteCount: 9_000_000), BlobShare(count: 5, byteCount: 3_060_000),
    ]
    #expect(try totals() == all)
    #expect(try catalog.undo(.importPhotos) != nil)
    #expect(try totals() == [BlobShare(), BlobShare()])
    _ = try catalog.redo(nil) { _ in }
    #expect(try totals() == all)

    var edit = EntryEdit(EntryID(sourceDigest: photos[0].sourceDigest))
    edit.isDeleted = true
    _ = try catalog.apply([edit], as: .photoDelete, now: now)
    #expect(try totals() == [BlobShare(count: 2, byteCount: 6_000_000), all[1]])
    try catalog.purge(deletedBefore: Timestamp(milliseconds: now.milliseconds + 10))
    #expect(try totals()[1] == BlobShare(count: 4, byteCount: 2_060_000))

    // The changeset has the new rendition before its blob.
    let last = EntryID(sourceDigest: photos[2].sourceDigest)
    let former = photos[2].renditions[0]
    let replacement = RenditionReplacement(
      photo: last, former: [former], new: rendition(.packed, "packed 3", 700_000))
    _ = try catalog.change(.recompress, now: now) { tables, now in
      try tables.renditions.apply([replacement], now: now) { _ in }
    }
    let replaced = try totals()
    #expect(replaced[1] == BlobShare(count: 4, byteCount: 1_760_000))
    #expect(try catalog.undo(.recompress) != nil)
    #expect(try totals()[1] == BlobShare(count: 4, byteCount: 2_060_000))
    _ = try catalog.redo(nil) { _ in }
    #expect(try totals() == replaced)
    try catalog.reset(.everything) {}
    #expect(try totals() == [BlobShare(), BlobShare()])
  }

  @Test func `an unchanged file is known without reading it, a changed one is not`() throws {
    let catalog = try CatalogFixture().catalog
    let path = Array("/photos/caf\u{E9}".utf8) + [0xFF, 0x0A]
    func file(
      _ path: [UInt8], byteCount: Int = 5, modifiedAt: Int64 = 77, changedAt: Int64 = 78,
      inode: UInt64 = .max
    ) -> FileFingerprint {
      FileFingerprint(
        path: path, byteCount: byteCount, modifiedAt: modifiedAt, changedAt: changedAt,
        inode: inode)
    }
    _ = try catalog.record(
      [ImportRecord(content: .new(madePhoto(1)), file: file(path))], as: OpenChange(.importPhotos),
      now: now, confirm: { _ in })
    #expect(
      try catalog.read { try $0.photos.known(of: file(path)) }?.id
        == EntryID(sourceDigest: madePhoto(1).sourceDigest))
    for changed in [
      file(path + [1]), file(path, byteCount: 6), file(path, modifiedAt: 78),
      file(path, changedAt: 79), file(path, inode: 1),
    ] {
      #expect(try catalog.read { try $0.photos.known(of: changed) } == nil)
    }
  }

  @Test func `plant names are one without regard to case and composition`() throws {
    let catalog = try CatalogFixture().catalog
    try catalog.add([
      madePhoto(1, plant: "Pe\u{0301}rsil"), madePhoto(2, plant: "PÉRSIL"),
      madePhoto(3, plant: "Basil"),
    ])
    let plants = try catalog.plants()
    #expect(plants.map(\.name) == ["Basil", "Pe\u{0301}rsil"])
    #expect(plants.map(\.photoCount) == [1, 2])
    #expect(try catalog.plant("pérsil").id == plants[1].id)
    #expect(try catalog.plant(String(plants[1].id.description.prefix(8))).id == plants[1].id)
    #expect(throws: CatalogError.self) { try catalog.plant("Basi") }
    #expect(throws: CatalogError.self) { try catalog.plant("") }
  }

  @Test func `a reader sees what a writer commits, and cannot write`() throws {
    let fixture = try CatalogFixture()
    let reader = try Catalog(path: fixture.folder.file("catalog.sqlite"), access: .readOnly)
    try fixture.catalog.add([madePhoto(1)])
    #expect(try reader.page(TimelineQuery(), at: .start, limit: 5).elements.count == 1)
    let error = #expect(throws: CatalogError.self) { try reader.add([madePhoto(2)]) }
    #expect(error?.code == .readOnly)
  }

  @Test(
    .enabled(if: SmallDisk.isPossible, "no file system can be mounted here"),
    arguments: [true, false])
  func `on a read-only disk, a catalog is read with its log, or not at all`(
    hasSharedMemory: Bool
  ) throws {
    let fixture = try CatalogFixture()
    try fixture.catalog.add([madePhoto(1)])
    let disk = try SmallDisk(size: "8m")
    // As a snapshot of the disk has them, or a machine that lost its power.
    for name in ["catalog.sqlite", "catalog.sqlite-wal", "catalog.sqlite-shm"]
    where hasSharedMemory || !name.hasSuffix("shm") {
      try FileManager.default.copyItem(
        atPath: fixture.folder.file(name), toPath: disk.path + "/" + name)
    }
    try disk.coverReadOnly()
    let path = disk.path + "/catalog.sqlite"
    guard hasSharedMemory else {
      let error = #expect(throws: CatalogError.self) { try Catalog(path: path, access: .readOnly) }
      #expect(error?.code == .readOnly && error?.message.contains("catalog.sqlite-wal") == true)
      return
    }
    let reader = try Catalog(path: path, access: .readOnly)
    #expect(try reader.page(TimelineQuery(), at: .start, limit: 5).elements.count == 1)
    try reader.close()
  }

  @Test func `a catalog from the future and a damaged one are refused`() throws {
    let folder = try TemporaryFolder()
    try folder.write(Data("no database, and longer than a page header".utf8), to: "catalog.sqlite")
    let error = #expect(throws: CatalogError.self) {
      try Catalog(path: folder.file("catalog.sqlite"), access: .readOnly)
    }
    #expect(error?.code == .damaged)
  }
}
