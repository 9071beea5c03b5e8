import DiaryCatalog
import DiaryModel
import Foundation
import TestSupport
import Testing

@Suite struct ChangeTests {
  private func filled() throws -> CatalogFixture {
    let fixture = try CatalogFixture()
    try fixture.catalog.add((0..<12).map { madePhoto($0, plant: $0 < 8 ? "fern" : "basil") })
    return fixture
  }

  private func ids(_ catalog: Catalog, _ plant: String) throws -> [EntryID] {
    let query = TimelineQuery(plant: try catalog.plant(plant).id, order: .oldestFirst)
    return try catalog.page(query, at: .start, limit: 100).elements.map(\.id)
  }

  private func edits(_ ids: [EntryID], _ change: (inout EntryEdit) -> Void) -> [EntryEdit] {
    ids.map {
      var edit = EntryEdit($0)
      change(&edit)
      return edit
    }
  }

  @Test func `a history that has grown large loses its oldest changes, but none of the last day`()
    throws
  {
    let day: Int64 = 86_400_000
    func later(_ days: Int64) -> Timestamp {
      Timestamp(milliseconds: now.milliseconds + days * day)
    }
    try HistoryTable.$maxByteCount.withValue(2000) {
      let catalog = try filled().catalog
      let photo = try ids(catalog, "fern")[0]
      func edit(_ note: String, at time: Timestamp) throws {
        _ = try catalog.apply(edits([photo]) { $0.notes = note }, as: .photoEdit, now: time)
      }
      // The import and all edits of its day stay, whatever their size.
      for number in 0..<20 { try edit("\(number)", at: now) }
      #expect(try catalog.history(limit: 100).changes.count == 21)
      #expect(catalog.context.droppedUntil == nil)
      try edit("next day", at: Timestamp(milliseconds: later(1).milliseconds - 1000))
      #expect(try catalog.history(limit: 100).changes.count == 22)
      try edit("third day", at: later(2))
      let history = try catalog.history(limit: 100)
      // The import alone was larger than all others may be.
      #expect(history.isCut && !history.changes.contains { $0.kind == .importPhotos })
      #expect(history.changes.contains { $0.madeAt == later(2) })
      let dropped = try #require(catalog.context.droppedUntil)
      #expect(history.changes.allSatisfy { $0.madeAt > dropped })
    }
  }

  @Test func `the steps of changes leave out tables that undo does not move`() throws {
    let fixture = try CatalogFixture()
    let file = FileFingerprint(
      path: Array("/photos/1.jpg".utf8), byteCount: 1, modifiedAt: 2, changedAt: 3, inode: 4)
    let records = (0..<5).map {
      ImportRecord(content: .new(madePhoto($0)), file: $0 == 0 ? file : nil)
    }
    _ = try fixture.catalog.record(records, now: now)
    func steps(naming table: String) throws -> Int {
      try fixture.count(
        "SELECT 1 FROM changeStep WHERE instr(changeset, CAST('\(table)' AS BLOB)) > 0")
    }
    #expect(try steps(naming: "photo") == 1 && steps(naming: "rendition") == 1)
    #expect(try steps(naming: "sourceFile") == 0 && steps(naming: "trashedBlob") == 0)
    #expect(try steps(naming: "blob") == 0)
    #expect(
      try fixture.count(
        "SELECT 1 FROM change c JOIN changeStep s ON s.changeID = c.id WHERE c.byteCount = length(s.changeset)"
      )
        == 1)
    _ = try fixture.catalog.undo(nil) { _ in }
    #expect(try fixture.catalog.page(TimelineQuery(), at: .start, limit: 9).elements.isEmpty)
    _ = try fixture.catalog.redo(nil) { _ in }
    #expect(try fixture.catalog.page(TimelineQuery(), at: .start, limit: 9).elements.count == 5)
  }

  @Test func `the refusal to undo an import names the photos that were edited later`() throws {
    let catalog = try filled().catalog
    let change = try #require(try catalog.history(limit: 1).changes.first).id
    let photos = try ids(catalog, "fern") + ids(catalog, "basil")
    _ = try catalog.apply(
      edits(Array(photos[..<11])) { $0.notes = "mine" }, as: .photoEdit, now: now)
    let error = #expect(throws: CatalogError.self) { try catalog.undo(change) { _ in } }
    #expect(error?.message.contains("11 of its photos were edited later: ") == true)
    #expect(error?.message.contains(" and 1 more.") == true)
    #expect(error?.remedy == .deleteUnedited(change: change, orUndo: change + 1))
    let added = try catalog.read { try $0.history.photosAdded(by: change) }
    #expect(added.filter { !$0.isChanged }.map(\.id) == [photos[11]])
    #expect(added.count == 12)
    _ = try catalog.undo(change + 1) { _ in }
    #expect(
      try catalog.read { try $0.history.photosAdded(by: change) }.allSatisfy { !$0.isChanged })
    _ = try catalog.undo(change) { _ in }
  }

  /// Every kind of change to photos and plants; `DiaryChangeTests` has the others.
  private static let changes: [ChangeKind] = [
    .photoEdit, .photoMove, .photoRedate, .photoDelete, .photoRestore, .plantEdit, .plantDelete,
  ]

  private func make(_ kind: ChangeKind, _ catalog: Catalog) throws {
    let fern = try ids(catalog, "fern")
    switch kind {
    case .photoEdit:
      _ = try catalog.apply(
        edits([fern[0]]) { $0.notes = "first flower" }, as: kind, now: now)
    case .photoMove:
      let basil = try catalog.plant("basil").id
      _ = try catalog.apply(edits(fern) { $0.plant = basil }, as: kind, now: now)
    case .photoRedate:
      let time = EntryTime(.instant(Timestamp(milliseconds: 5)), in: .gmt)
      _ = try catalog.apply(edits(fern) { $0.time = (time, .manual) }, as: kind, now: now)
    case .photoDelete:
      _ = try catalog.apply(edits(fern) { $0.isDeleted = true }, as: kind, now: now)
    case .photoRestore:
      _ = try catalog.deletePlant(catalog.plant("fern").id, now: now)
      _ = try catalog.apply(edits(fern) { $0.isDeleted = false }, as: kind, now: now)
    case .plantEdit:
      _ = try catalog.editPlant(catalog.plant("fern").id, now: now) {
        $0 = PlantDetails(name: "Farn", scientificName: "Pteridium", location: "hall", notes: "n")
      }
      _ = try catalog.merge(catalog.plant("farn").id, into: catalog.plant("basil").id, now: now)
    case .plantDelete: _ = try catalog.deletePlant(catalog.plant("fern").id, now: now)
    default: Issue.record("nobody makes a `\(kind.rawValue)` here")
    }
  }

  @Test(arguments: changes) func `undoing leaves the catalog as it was`(kind: ChangeKind) throws {
    let fixture = try filled()
    let path = fixture.folder.file("catalog.sqlite")
    if kind == .photoRestore {
      _ = try fixture.catalog.deletePlant(fixture.catalog.plant("fern").id, now: now)
      try #require(try fixture.catalog.undo(.plantDelete) != nil)
    }
    let before = try dump(path)
    try make(kind, fixture.catalog)
    // What was deleted and restored is as it was.
    #expect(try (dump(path) == before) == (kind == .photoRestore))
    while try fixture.catalog.undo(kind) != nil {}
    if kind == .photoRestore { _ = try fixture.catalog.undo(.plantDelete) }
    #expect(try dump(path) == before)
  }

  @Test func `many changes are undone one after another, the last first`() throws {
    let fixture = try filled()
    let path = fixture.folder.file("catalog.sqlite")
    var states = [try dump(path)]
    let kinds: [ChangeKind] = [.photoEdit, .photoRedate, .photoMove]
    let fern = try ids(fixture.catalog, "fern")
    let basil = try fixture.catalog.plant("basil").id
    for kind in kinds {
      _ = try fixture.catalog.apply(
        edits(fern) {
          switch kind {
          case .photoEdit: $0.notes = "one"
          case .photoRedate:
            $0.time = (EntryTime(.instant(Timestamp(milliseconds: 9)), in: .gmt), .manual)
          default: $0.plant = basil
          }
        }, as: kind, now: now)
      states.append(try dump(path))
    }
    for (position, kind) in kinds.enumerated().reversed() {
      #expect(try fixture.catalog.undo(kind) == 8)
      #expect(try dump(path) == states[position])
    }
    #expect(try fixture.catalog.undo(.photoEdit) == nil)
  }

  @Test func `changes by others to other columns stay, and those to the same columns block`() throws
  {
    let fixture = try filled()
    let fern = try ids(fixture.catalog, "fern")
    let basil = try fixture.catalog.plant("basil").id
    func note(_ text: String) throws {
      _ = try fixture.catalog.apply(
        edits([fern[0]]) { $0.notes = text }, as: .photoEdit, now: now)
    }
    let former = try fixture.catalog.entry(fern[0].description, of: .photo).notes
    try note("one")
    _ = try fixture.catalog.apply(edits(fern) { $0.plant = basil }, as: .photoMove, now: now)
    #expect(try fixture.catalog.undo(.photoEdit) == 1)
    let entry = try fixture.catalog.entry(fern[0].description, of: .photo)
    #expect(entry.notes == former && entry.plant?.id == basil)
    try note("two")
    let first = try #require(try fixture.catalog.history(before: nil, limit: 1).changes.first)
    try note("three")
    let before = try dump(fixture.folder.file("catalog.sqlite"))
    let error = #expect(throws: CatalogError.self) {
      try fixture.catalog.undo(first.id) { _ in }
    }
    #expect(error?.code == .conflict)
    #expect(error?.remedy == .undoFirst(change: first.id + 1))
    #expect(try dump(fixture.folder.file("catalog.sqlite")) == before)
  }

  @Test func `an import that took photos back from the trash does not delete them when undone`()
    throws
  {
    let fixture = try filled()
    let first = EntryID(sourceDigest: madePhoto(0).sourceDigest)
    _ = try fixture.catalog.apply(
      edits([first]) { $0.isDeleted = true }, as: .photoDelete, now: now)
    _ = try fixture.catalog.record(
      [ImportRecord(content: .new(madePhoto(0)), file: nil)], as: OpenChange(.importPhotos),
      now: Timestamp(milliseconds: now.milliseconds + 5000), confirm: { _ in })
    let error = #expect(throws: CatalogError.self) { try fixture.catalog.undo(.photoDelete) }
    #expect(error?.code == .conflict)
  }

  @Test func `an import that was undone and is made again is another change`() throws {
    let fixture = try CatalogFixture()
    let catalog = fixture.catalog
    let change = OpenChange(.importPhotos)
    func add(_ numbers: Range<Int>) throws {
      _ = try catalog.record(
        numbers.map { ImportRecord(content: .new(madePhoto($0, plant: nil)), file: nil) },
        as: change, now: now, confirm: { _ in })
    }
    let path = fixture.folder.file("catalog.sqlite")
    try add(0..<2)
    let first = try catalog.undo(nil) { _ in }
    try add(2..<4)
    try add(4..<5)
    let both = try dump(path)
    let second = try catalog.undo(nil) { _ in }
    #expect(second.id != first.id)
    #expect(try catalog.read { try $0.totals.entries() }.isEmpty)
    #expect(try catalog.redo(second.id) { _ in }.id == second.id)
    #expect(try dump(path) == both)
    _ = try catalog.redo(first.id) { _ in }
    #expect(try catalog.read { try $0.totals.entries() }[.photo]?.count == 5)
  }

  @Test func `a change that changes nothing is none`() throws {
    let fixture = try filled()
    let path = fixture.folder.file("catalog.sqlite")
    let before = try dump(path)
    let fern = try fixture.catalog.plant("fern")
    #expect(
      try fixture.catalog.apply(
        edits(ids(fixture.catalog, "fern")) { $0.plant = fern.id }, as: .photoMove, now: now
      ).isEmpty)
    _ = try fixture.catalog.editPlant(fern.id, now: now) { $0.name = " fern " }
    #expect(try dump(path) == before)
  }

  @Test func `a change that fails in the middle changes nothing`() throws {
    let fixture = try filled()
    let path = fixture.folder.file("catalog.sqlite")
    let before = try dump(path)
    let list = edits(try ids(fixture.catalog, "fern") + [.random()]) { $0.notes = "x" }
    #expect(throws: CatalogError.self) {
      try fixture.catalog.apply(list, as: .photoEdit, now: now)
    }
    #expect(try dump(path) == before)
  }

  @Test func `a deleted plant gives its name free, and comes back with its photos`() throws {
    let fixture = try filled()
    let catalog = fixture.catalog
    let fern = try catalog.plant("fern")
    let photos = try ids(catalog, "fern")
    #expect(try catalog.deletePlant(fern.id, now: now) == 8)
    #expect(throws: CatalogError.self) { try catalog.plant("fern") }
    #expect(try catalog.plant("fern", among: .undeletedFirst).id == fern.id)
    #expect(try catalog.plants().map(\.name) == ["basil"])
    // Back with its first photo.
    _ = try catalog.apply(edits([photos[0]]) { $0.isDeleted = false }, as: .photoRestore, now: now)
    #expect(try catalog.plant("FERN").id == fern.id)
    // Once another has the name, photos come back to that one.
    #expect(try catalog.deletePlant(fern.id, now: now) == 1)
    let other = try catalog.addPlant(PlantDetails(name: "Fern"), now: now)
    _ = try catalog.apply(edits(photos) { $0.isDeleted = false }, as: .photoRestore, now: now)
    #expect(try catalog.plant("fern").id == other.id)
    #expect(try catalog.plant("fern").photoCount == 8)
    let error = #expect(throws: CatalogError.self) { try catalog.undo(.plantDelete) }
    #expect(error?.code == .conflict)
  }

  @Test func `a plant that got the name meanwhile keeps a deleted one from coming back`() throws {
    let fixture = try filled()
    let fern = try fixture.catalog.plant("fern")
    _ = try fixture.catalog.deletePlant(fern.id, now: now)
    _ = try fixture.catalog.addPlant(PlantDetails(name: "Fern"), now: now)
    let before = try dump(fixture.folder.file("catalog.sqlite"))
    let error = #expect(throws: CatalogError.self) { try fixture.catalog.undo(.plantDelete) }
    #expect(error?.code == .nameTaken)
    #expect(try dump(fixture.folder.file("catalog.sqlite")) == before)
  }

  @Test func `nothing comes back to a plant that was deleted since`() throws {
    let fixture = try filled()
    let fern = try ids(fixture.catalog, "fern")
    let gone = edits([fern[0]]) { $0.isDeleted = true }
    _ = try fixture.catalog.apply(gone, as: .photoDelete, now: now)
    _ = try fixture.catalog.deletePlant(fixture.catalog.plant("fern").id, now: now)
    let before = try dump(fixture.folder.file("catalog.sqlite"))
    let error = #expect(throws: CatalogError.self) { try fixture.catalog.undo(.photoDelete) }
    #expect(error?.code == .conflict)
    #expect(try dump(fixture.folder.file("catalog.sqlite")) == before)
    _ = try fixture.catalog.undo(.plantDelete)
    #expect(try fixture.catalog.undo(.photoDelete) == 1)
  }
}
