import BlobStorage
import DiaryCatalog
import DiaryModel
import SystemPackage
import TestSupport
import Testing

/// Activities in the catalog: what changes with what, and that undoing leaves nothing behind.
@Suite struct ActivityTests {
  private let fixture: CatalogFixture
  private var catalog: Catalog { fixture.catalog }
  private let start = day("2026-01-01")

  init() throws { fixture = try CatalogFixture() }

  private func dump() throws -> [String] {
    try DiaryCatalogTests.dump(fixture.folder.file("catalog.sqlite"))
  }

  @discardableResult
  private func add(_ name: String, plant: PlantID? = nil, every: Int? = nil) throws -> ActivityID {
    try catalog.addActivity(
      ActivityDetails(name: name, startFrom: start, everyDays: every), plant: plant, now: now
    ).id
  }

  @discardableResult
  private func complete(_ activity: ActivityID, _ days: String...) throws -> [Entry] {
    try catalog.complete(
      activity, at: days.map { EntryTime(.day(day($0)), in: .gmt) }, source: "bulk", notes: nil,
      isRepetitionConflict: true, now: now)
  }

  private func found(_ text: String) throws -> [String] {
    try catalog.search(SearchText(text), at: .start, limit: 50).elements.map(\.time.localDay)
      .map(\.description).sorted()
  }

  @Test func `an activity comes back with all that was said of it`() throws {
    let plant = try catalog.addPlant(PlantDetails(name: "fern"), now: now).id
    let details = ActivityDetails(
      name: " Water the fern ", emoji: "💧", category: "hOME", startFrom: day("2024-02-29"),
      notes: " from below ", everyDays: 7, weeklyGoal: 2, monthlyGoal: 9, iconName: "drop.fill")
    let made = try catalog.addActivity(details, plant: plant, now: now)
    let read = try catalog.activity("water THE fern")
    #expect(read == made)
    #expect(read.name == "Water the fern")
    #expect(read.details.emoji == "💧" && read.details.category == "Home")
    #expect(read.details.notes == "from below" && read.details.iconName == "drop.fill")
    #expect(read.details.startFrom == day("2024-02-29") && read.details.everyDays == 7)
    #expect(read.details.weeklyGoal == 2 && read.details.monthlyGoal == 9)
    #expect(read.plant == PlantReference(id: plant, name: "fern"))
    #expect(read.rank == 0 && read.lastDone == nil && read.completionCount == 0)
    #expect(read.createdAt >= now && read.deletedAt == nil)
    #expect(try catalog.activity(String(made.id.description.prefix(6))) == made)
  }

  @Test func `a column that a later version adds is NULL in a catalog of an earlier one`() throws {
    let details = ActivityDetails(
      name: "water", startFrom: start, everyDays: 7, iconName: "drop.fill")
    _ = try catalog.addActivity(details, plant: nil, now: now)
    func readWithout(_ column: String) throws -> ActivityDetails {
      let path = fixture.folder.file("catalog.sqlite")
      try RawCatalog.execute("ALTER TABLE activity DROP COLUMN \(column)", at: path)
      let earlier = try Catalog(path: path, access: .readOnlyOfAnyVersion)
      defer { try? earlier.close() }
      return try earlier.activity("water").details
    }
    let read = try readWithout("iconName")
    #expect(read.startFrom == start && read.everyDays == 7 && read.iconName == nil)
    let error = #expect(throws: CatalogError.self) { try readWithout("startFrom") }
    #expect(error?.code == .damaged)
  }

  @Test(arguments: ["WATER", " water ", "wa\u{0308}ter"])
  func `a name is one activity's only, whatever its case`(name: String) throws {
    let water = try add("water")
    try add("wäter")
    let error = #expect(throws: CatalogError.self) { try add(name) }
    #expect(error?.code == .nameTaken)
    let edit = #expect(throws: CatalogError.self) {
      try catalog.editActivity(add("other"), now: now) { $0.name = name }
    }
    #expect(edit?.code == .nameTaken)
    #expect(
      try catalog.editActivity(water, now: now) { $0.name = "Water" }.name == "Water")
  }

  @Test func `an unknown name says which may have been meant`() throws {
    try add("water the fern")
    try add("yoga")
    let error = #expect(throws: CatalogError.self) { try catalog.activity("yuga") }
    #expect(error?.message == "No activity is called “yuga”. Did you mean “yoga”?")
    let other = #expect(throws: CatalogError.self) { try catalog.activity("accounts") }
    #expect(other?.remedy == .listActivities)
    #expect(throws: CatalogError.self) { try catalog.activity(" ") }
  }

  @Test func `a category of one's own is written as others have it`() throws {
    _ = try catalog.addActivity(
      ActivityDetails(name: "dig", category: "Gärten", startFrom: start), plant: nil, now: now)
    let other = try catalog.addActivity(
      ActivityDetails(name: "sow", category: "GA\u{308}RTEN", startFrom: start), plant: nil,
      now: now)
    #expect(other.details.category == "Gärten")
    #expect(try catalog.read { try $0.activities.categories() } == ["Gärten"])
  }

  @Test func `completions are counted by their days, without those in the trash`() throws {
    let yoga = try add("yoga")
    let entries = try complete(yoga, "2026-03-01", "2026-02-28", "2026-03-05")
    _ = try catalog.apply(
      [EntryEdit(entries[2].id, isDeleted: true)], as: .activityNotDone, now: now)
    let read = try catalog.activity("yoga")
    #expect(read.completionCount == 2 && read.lastDone == day("2026-03-01"))
    #expect(
      try catalog.read { try $0.completions.days(of: yoga) }.map(\.description) == [
        "2026-02-28", "2026-03-01",
      ])
    #expect(
      try catalog.read {
        try $0.completions.days(of: yoga, from: day("2026-03-01"), to: day("2026-03-31"))
      }.count
        == 1)
    #expect(try catalog.read { try $0.completions.activities(on: day("2026-03-01")) } == [yoga])
    #expect(try catalog.read { try $0.completions.activities(on: day("2026-03-05")) }.isEmpty)
    #expect(
      try catalog.read { try $0.completions.entry(of: yoga, on: day("2026-03-01")) }
        == entries[0].id)
    #expect(try catalog.read { try $0.completions.entry(of: yoga, on: day("2026-03-05")) } == nil)
  }

  @Test func `one of several days that has a completion keeps all from being written`() throws {
    let yoga = try add("yoga")
    try complete(yoga, "2026-03-03")
    let before = try dump()
    let error = #expect(throws: CatalogError.self) {
      try complete(yoga, "2026-03-01", "2026-03-02", "2026-03-03", "2026-03-04")
    }
    #expect(error?.code == .conflict)
    #expect(error?.message.contains("2026-03-03") == true)
    #expect(error?.message.contains("2026-03-02") == false)
    #expect(try dump() == before)
    // Of another activity it can be any day's.
    #expect(try complete(add("run"), "2026-03-03").count == 1)
  }

  @Test func `a completion has its activity's plant, and keeps it`() throws {
    let fern = try catalog.addPlant(PlantDetails(name: "fern"), now: now).id
    let basil = try catalog.addPlant(PlantDetails(name: "basil"), now: now).id
    let water = try add("water", plant: fern)
    #expect(try complete(water, "2026-03-01")[0].plant?.name == "fern")
    #expect(
      try catalog.editActivity(water, plant: basil, now: now) { _ in }.plant?.name == "basil")
    #expect(try complete(water, "2026-03-02")[0].plant?.name == "basil")
    #expect(try catalog.read { try $0.plants.entryCounts(of: fern) } == [.completion: 1])
    #expect(try catalog.editActivity(water, plant: .some(nil), now: now) { _ in }.plant == nil)
  }

  @Test func `search finds completions by what their activity is called now`() throws {
    let yoga = try add("yoga")
    let entries = try complete(yoga, "2026-03-01", "2026-03-02")
    _ = try catalog.apply(
      [EntryEdit(entries[1].id, isDeleted: true)], as: .activityNotDone, now: now)
    #expect(try found("yoga") == ["2026-03-01"])
    _ = try catalog.editActivity(yoga, now: now) { ($0.name, $0.emoji) = ("Stretching", "🤸") }
    #expect(try found("yoga").isEmpty)
    #expect(try found("stretch") == ["2026-03-01"])
    #expect(try found("🤸") == ["2026-03-01"])
    // What comes back from before the renaming is called as it is now.
    #expect(try catalog.undo(.activityNotDone) == 1)
    #expect(try found("stretch") == ["2026-03-01", "2026-03-02"])
    try complete(yoga, "2026-03-03")
    _ = try catalog.undo(.activityEdit)
    #expect(try found("stretch").isEmpty)
    #expect(try found("yoga") == ["2026-03-01", "2026-03-02", "2026-03-03"])
  }

  @Test func `an order of one's own has no gaps for those who look at it`() throws {
    let ids = try ["a", "b", "c", "d"].map { try add($0) }
    _ = try catalog.deleteActivity(ids[1], now: now)
    #expect(try catalog.activities().map(\.rank) == [0, 1, 2])
    let order = try catalog.reorderActivities(now: now) { $0.swapAt(0, 2) }
    #expect(order.map(\.name) == ["d", "c", "a"])
    #expect(try catalog.activities().map(\.name) == ["d", "c", "a"])
    try add("e")
    #expect(try catalog.activities().map(\.name) == ["d", "c", "a", "e"])
    _ = try catalog.undo(.activityDelete)
    #expect(try catalog.activities().map(\.rank) == [0, 1, 2, 3, 4])
    let before = try dump()
    _ = try catalog.reorderActivities(now: now) { _ in }
    #expect(throws: CatalogError.self) {
      try catalog.reorderActivities(now: now) { $0.removeLast() }
    }
    #expect(try dump() == before)
  }
}

func day(_ text: String) -> LocalDay { LocalDay(text)! }
