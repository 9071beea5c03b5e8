import DiaryCatalog
import DiaryModel
import TestSupport
import Testing

/// Changes to activities, and to plants that have some, are taken back without a trace.
@Suite struct ActivityChangeTests {
  private let fixture: CatalogFixture
  private var catalog: Catalog { fixture.catalog }
  private let fern: PlantID
  private let basil: PlantID
  private let water: ActivityID
  private let yoga: ActivityID

  /// Two plants with photos; watering the fern, which was once done for the basil; yoga, of which a
  /// day is in the trash.
  init() throws {
    fixture = try CatalogFixture()
    let catalog = fixture.catalog
    try catalog.add((0..<6).map { madePhoto($0, plant: $0 < 4 ? "fern" : "basil") })
    (fern, basil) = (try catalog.plant("fern").id, try catalog.plant("basil").id)
    func add(_ name: String, plant: PlantID?) throws -> ActivityID {
      try catalog.addActivity(
        ActivityDetails(name: name, startFrom: day("2026-01-01"), notes: "n", iconName: "i"),
        plant: plant, now: now
      ).id
    }
    water = try add("water", plant: basil)
    yoga = try add("yoga", plant: nil)
    _ = try add("run", plant: fern)
    try Self.complete(catalog, water, "2026-03-01", "2026-03-02")
    _ = try catalog.editActivity(water, plant: fern, now: now) { _ in }
    try Self.complete(catalog, water, "2026-03-03")
    let entries = try Self.complete(catalog, yoga, "2026-03-01", "2026-03-02")
    _ = try catalog.apply(
      [EntryEdit(entries[0].id, isDeleted: true)], as: .activityNotDone, now: now)
  }

  @discardableResult
  private static func complete(
    _ catalog: Catalog, _ activity: ActivityID, _ days: String...
  ) throws -> [Entry] {
    try catalog.complete(
      activity, at: days.map { EntryTime(.day(day($0)), in: .gmt) }, source: "bulk", notes: "x",
      isRepetitionConflict: true, now: now)
  }

  private func state() throws -> [String] { try dump(fixture.folder.file("catalog.sqlite")) }

  private func make(_ kind: ChangeKind) throws {
    switch kind {
    case .activityAdd:
      _ = try catalog.addActivity(
        ActivityDetails(name: "read", startFrom: day("2026-01-01")), plant: fern, now: now)
    case .activityEdit:
      _ = try catalog.editActivity(water, plant: .some(nil), now: now) {
        $0 = ActivityDetails(
          name: "Gießen", emoji: "🚿", category: "Pet", startFrom: day("2025-12-31"), everyDays: 3,
          weeklyGoal: 1, monthlyGoal: 2)
      }
    case .activityDelete: #expect(try catalog.deleteActivity(water, now: now) == 3)
    case .activityReorder: _ = try catalog.reorderActivities(now: now) { $0.reverse() }
    case .activityDone: try Self.complete(catalog, yoga, "2026-03-01", "2026-03-05")
    case .activityNotDone:
      let entry = try #require(
        try catalog.read { try $0.completions.entry(of: water, on: day("2026-03-02")) })
      _ = try catalog.apply([EntryEdit(entry, isDeleted: true)], as: kind, now: now)
    case .plantEdit: #expect(try catalog.merge(fern, into: basil, now: now) == 5)
    case .plantDelete: #expect(try catalog.deletePlant(fern, now: now) == 7)
    default: Issue.record("nobody makes a `\(kind.rawValue)` here")
    }
  }

  static let kinds: [ChangeKind] = [
    .activityAdd, .activityEdit, .activityDelete, .activityReorder, .activityDone, .activityNotDone,
    .plantEdit, .plantDelete,
  ]

  @Test(arguments: kinds) func `undoing leaves the catalog as it was`(kind: ChangeKind) throws {
    let before = try state()
    try make(kind)
    #expect(try state() != before)
    #expect(try catalog.undo(kind) != nil)
    #expect(try state() == before)
  }

  @Test func `many changes are undone one after another, the last first`() throws {
    let kinds: [ChangeKind] = [
      .activityDone, .activityEdit, .activityReorder, .activityNotDone, .activityAdd, .plantEdit,
      .activityDelete,
    ]
    var states: [[String]] = []
    for kind in kinds {
      states.append(try state())
      switch kind {
      // Its days are taken in the meantime.
      case .activityDelete: #expect(try catalog.deleteActivity(water, now: now) == 2)
      default: try make(kind)
      }
    }
    for (kind, before) in zip(kinds, states).reversed() {
      #expect(try catalog.undo(kind) != nil)
      #expect(try state() == before, "\(kind)")
    }
  }

  @Test func `a plant takes its activities along, with what was done of them for any plant`() throws
  {
    let (activities, entries) = try catalog.read { try $0.plants.holdings(of: fern) }
    #expect(activities == 2)
    #expect(entries == [.photo: 4, .completion: 3])
    #expect(try catalog.deletePlant(fern, now: now) == 7)
    #expect(try catalog.activities().map(\.name) == ["yoga"])
    #expect(try catalog.read { try $0.completions.days(of: water) }.isEmpty)
    #expect(try catalog.read { try $0.plants.entryCounts(of: basil) } == [.photo: 2])
  }

  @Test func `a merged plant hands its activities over, deleted ones too`() throws {
    _ = try catalog.deleteActivity(water, now: now)
    #expect(try catalog.merge(fern, into: basil, now: now) == 5)
    #expect(try catalog.activities().map(\.plant?.name) == [nil, "basil"])
    let entry = try #require(
      try catalog.page(
        TimelineQuery(kinds: [.completion], deleted: true), at: .start, limit: 1
      ).elements.first)
    _ = try catalog.apply([EntryEdit(entry.id, isDeleted: false)], as: .activityDone, now: now)
    #expect(try catalog.activity("water").plant?.name == "basil")
  }

  @Test func `an activity that was done since is not taken back`() throws {
    try make(.activityAdd)
    try Self.complete(catalog, catalog.activity("read").id, "2026-03-01")
    let before = try state()
    let error = #expect(throws: CatalogError.self) { try catalog.undo(.activityAdd) }
    #expect(error?.code == .conflict)
    #expect(error?.remedy != nil)
    #expect(try state() == before)
    _ = try catalog.undo(.activityDone)
    #expect(try catalog.undo(.activityAdd) != nil)
    #expect(try !catalog.activities().contains { $0.name == "read" })
  }

  @Test func `a day that has a completion by now keeps an older one in the trash`() throws {
    try make(.activityNotDone)
    let trashed = try catalog.page(
      TimelineQuery(kinds: [.completion], deleted: true), at: .start, limit: 5
    ).elements[0]
    try Self.complete(catalog, water, "2026-03-02")
    let before = try state()
    let undone = #expect(throws: CatalogError.self) { try catalog.undo(.activityNotDone) }
    #expect(undone?.code == .conflict)
    #expect(undone?.message.contains("Its day has another one") == true)
    let restored = #expect(throws: CatalogError.self) {
      try catalog.apply([EntryEdit(trashed.id, isDeleted: false)], as: .activityDone, now: now)
    }
    #expect(restored?.code == .conflict)
    #expect(try state() == before)
  }

  @Test func `restoring a completion brings its activity and its plant back`() throws {
    let entry = try #require(
      try catalog.read { try $0.completions.entry(of: water, on: day("2026-03-03")) })
    try make(.plantDelete)
    let before = try state()
    _ = try catalog.apply([EntryEdit(entry, isDeleted: false)], as: .activityDone, now: now)
    #expect(try catalog.activity("water").completionCount == 1)
    #expect(try catalog.activity("water").plant?.id == fern)
    #expect(try catalog.plant("fern").id == fern)
    _ = try catalog.undo(.activityDone)
    #expect(try state() == before)
    _ = try catalog.addActivity(
      ActivityDetails(name: "Water", startFrom: day("2026-01-01")), plant: nil, now: now)
    let error = #expect(throws: CatalogError.self) {
      try catalog.apply([EntryEdit(entry, isDeleted: false)], as: .activityDone, now: now)
    }
    #expect(error?.code == .nameTaken)
    #expect(throws: CatalogError.self) { try catalog.undo(.plantDelete) }
  }

  @Test func `an activity does not come back to a plant that is deleted by now`() throws {
    try make(.activityDelete)
    _ = try catalog.deletePlant(fern, now: now)
    let before = try state()
    let error = #expect(throws: CatalogError.self) { try catalog.undo(.activityDelete) }
    #expect(error?.code == .conflict)
    #expect(try state() == before)
    _ = try catalog.undo(.plantDelete)
    #expect(try catalog.undo(.activityDelete) == 4)
  }

  @Test func `a change that changes nothing is none`() throws {
    let before = try state()
    _ = try catalog.editActivity(water, plant: fern, now: now) { $0.name = " water " }
    _ = try catalog.complete(
      water, at: [EntryTime(.day(day("2026-03-03")), in: .gmt)], source: "command", notes: nil,
      isRepetitionConflict: false, now: now)
    #expect(try state() == before)
  }
}
