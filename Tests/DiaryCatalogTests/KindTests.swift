import DiaryCatalog
import DiaryModel
import TestSupport
import Testing

/// An entry's kind and the table of its content belong together.
@Suite struct KindTests {
  private let fixture: CatalogFixture

  init() throws { fixture = try CatalogFixture() }

  private func addMood() throws -> Entry {
    let time = EntryTime(.day(day("2026-03-01")), in: .gmt)
    let draft = EntryDraft(time: time, notes: nil, tags: [], plant: nil, content: .mood(.happy))
    return try fixture.catalog.change(.moodSet, now: now) { tables, now in
      try tables.entries.add([draft], now: now)[0]
    }
  }

  @Test(arguments: EntryKind.allCases.filter { $0 != .mood })
  func `a table takes no entry of another kind`(kind: EntryKind) throws {
    _ = try addMood()
    let table = kind == .quote ? "favouriteQuote" : kind.rawValue
    let message = try fixture.run("INSERT INTO \(table) (entryID) SELECT id FROM entry")
    #expect(message == "an entry of another kind than \(kind.rawValue)")
  }

  @Test func `verification names an entry whose content is gone`() throws {
    let entry = try addMood()
    #expect(try fixture.catalog.read { try $0.inconsistencies() }.isEmpty)
    #expect(try fixture.run("DELETE FROM mood") == nil)
    #expect(
      try fixture.catalog.read { try $0.inconsistencies() }
        == ["The entry \(entry.id) has nothing in the table of its kind, mood."])
  }
}
