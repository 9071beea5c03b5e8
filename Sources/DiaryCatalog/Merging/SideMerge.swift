package import DiaryModel
internal import Foundation
internal import GRDB

/// The copies of a library that was changed in two places.
package struct DivergedSides {
  /// The copy whose changes are brought over.
  let other: CatalogTables
  /// The last state that both copies have in common; nil if it is not known.
  let common: CatalogTables?
  /// The differences of the other copy from the common state or, without one, from this copy.
  let differences: SideDifferences
  /// Photos of the other copy whose files cannot be brought over.
  let unavailable: Set<EntryID>

  package init(
    other: CatalogTables, common: CatalogTables?, differences: SideDifferences,
    unavailable: Set<EntryID> = []
  ) {
    (self.other, self.common, self.differences) = (other, common, differences)
    self.unavailable = unavailable
  }
}

/// The effect of bringing changes over, done or planned.
package struct SideMergeOutcome: Sendable {
  /// A photo of the other copy that is still to be added.
  package struct MissingPhoto: Sendable {
    /// Its id in the other copy.
    package let id: EntryID
    /// When it goes to the trash; nil if it does not.
    package let deletedAt: Timestamp?
  }

  private var tally: [ChangeCount.Thing: (added: Int, changed: Int, deleted: Int)] = [:]
  /// How many things were added, changed and deleted. The missing photos count as added.
  package var counts: [ChangeCount] {
    ChangeCount.Thing.allCases.compactMap { thing in
      tally[thing].map {
        ChangeCount(thing: thing, added: $0.added, changed: $0.changed, deleted: $0.deleted)
      }
    }
  }
  package var conflicts: [SideConflict] = []
  package var missing: [MissingPhoto] = []
  /// The photos whose files were replaced, by their ids in the other copy.
  package var replaced: [EntryID] = []
  /// Whether nothing was changed, apart from the missing photos.
  package var isEmpty = true
  /// The plants of the other copy that have other ids here.
  package var plants: [PlantID: PlantID] = [:]

  enum Fate { case added, changed, deleted }

  mutating func count(_ thing: ChangeCount.Thing, _ fate: Fate) {
    switch fate {
    case .added: tally[thing, default: (0, 0, 0)].added += 1
    case .changed: tally[thing, default: (0, 0, 0)].changed += 1
    case .deleted: tally[thing, default: (0, 0, 0)].deleted += 1
    }
  }
}

extension Catalog {
  /// Makes the changes of another copy of the library anew, in one transaction. What was brought over before is not
  /// changed again. Missing photos are named, and not added.
  ///
  /// - Parameters:
  ///   - isDryRun: rolls everything back at the end.
  ///   - confirm: called for each rendition that replaces another; throws when its blob is not in the store.
  package func bringOver(
    _ sides: DivergedSides, as change: OpenChange, isDryRun: Bool, now: Timestamp,
    confirm: (Rendition) throws -> Void
  ) throws -> SideMergeOutcome {
    struct DryRun: Error { let outcome: SideMergeOutcome }
    do {
      return try withoutActuallyEscaping(confirm) { confirm in
        try self.change(change, now: now) { tables, now in
          var merge = try SideMerge(sides, into: tables, now: now, confirm)
          try merge.run()
          if isDryRun { throw DryRun(outcome: merge.outcome) }
          return merge.outcome
        }
      }
    } catch let dryRun as DryRun {
      return dryRun.outcome
    }
  }
}

/// The changes of another copy of a library on their way into this one, within one transaction.
struct SideMerge {
  let sides: DivergedSides
  let tables: CatalogTables
  /// The moment of the change.
  let now: Timestamp
  let confirm: (Rendition) throws -> Void
  var arrival: BatchArrival
  var ids = SideIDs()
  /// The same for the common state.
  var formerIDs: SideIDs {
    var former = ids
    former.factors = formerFactors
    return former
  }
  var formerFactors: [String: String] = [:]
  var outcome = SideMergeOutcome()
  /// The plants, activities and factors of the other copy.
  let otherPlants: [PlantID: ExchangedPlant]
  let otherActivities: [ActivityID: ExchangedActivity]
  let otherFactors: [Factor]
  /// Plants and activities that the other copy deleted, with whether this one has changed them since.
  var deletedPlants: [(id: PlantID, deletedAt: Timestamp, isChanged: Bool)] = []
  var deletedActivities: [(id: ActivityID, deletedAt: Timestamp, isChanged: Bool)] = []
  private let deletionTimes: [Timestamp: Timestamp]

  var other: CatalogTables { sides.other }
  var common: CatalogTables? { sides.common }

  init(
    _ sides: DivergedSides, into tables: CatalogTables, now: Timestamp,
    _ confirm: @escaping (Rendition) throws -> Void
  ) throws {
    (self.sides, self.tables, self.now, self.confirm) = (sides, tables, now, confirm)
    arrival = BatchArrival(tables: tables, now: now, merge: nil, today: nil)
    otherPlants = try sides.other.plants.exchanged(all: true).byID(\.id)
    otherActivities = try sides.other.activities.exchanged().map(\.activity).byID(\.id)
    otherFactors = try sides.other.factors.all()
    // Things that were deleted together stay together: a plant is restored with what was deleted with it.
    let times = try sides.other.deletionTimes()
    deletionTimes = Dictionary(
      uniqueKeysWithValues: zip(
        times, times.indices.map { now.advanced(byMilliseconds: -Int64($0)) }))
  }

  mutating func run() throws {
    try mergeSettings()
    try mergePlants()
    try mergeActivities()
    try mergeQuotes()
    try mergeFactors()
    try mergeEntries()
    try deleteFactors()
    try deleteActivities()
    try deletePlants()
    try mergeAliases()
    try mergeOrder()
    outcome.plants = ids.plants
  }

  /// The time of deletion here of a thing that was deleted there; nil if it was not.
  func deletionTime(_ deletedAt: Timestamp?) -> Timestamp? {
    deletedAt.map { deletionTimes[$0] ?? now }
  }

  mutating func count(_ thing: ChangeCount.Thing, _ fate: SideMergeOutcome.Fate) {
    outcome.count(thing, fate)
    outcome.isEmpty = false
  }
}

/// Settings and quotes.
extension SideMerge {
  private mutating func mergeSettings() throws {
    for key in SettingKey.chosen {
      let (theirs, present) = try (other.settings[key], tables.settings[key])
      guard theirs != present else { continue }
      let isUsable = key != .timeZone || theirs.map { TimeZone(identifier: $0) != nil } ?? false
      if let common {
        let former = try common.settings[key]
        guard theirs != former else { continue }
        if present == former, isUsable {
          try set(key, theirs)
          count(.setting, .changed)
          continue
        }
      } else if present == nil, isUsable, let theirs {
        try set(key, theirs)
        count(.setting, .changed)
        continue
      }
      outcome.conflicts.append(
        SideConflict(
          common == nil ? .differs : .bothChanged, .setting, id: key.rawValue,
          name: "setting \(key.rawValue)", field: "value", theirs: theirs, present: present))
    }
  }

  private func set(_ key: SettingKey, _ value: String?) throws {
    guard let value else { return try tables.settings.remove(key) }
    guard key == .timeZone else { return try tables.settings.set(key, value) }
    guard let zone = TimeZone(identifier: value) else { return }
    try tables.settings.setTimeZone(zone)
  }

  private mutating func mergeQuotes() throws {
    let former = try common?.quotes.exchanged().byID(\.quote.id)
    for exchanged in try other.quotes.exchanged() {
      let before = former?[exchanged.quote.id]
      if let present = try tables.quotes.stored(like: exchanged.quote) {
        ids.quotes[exchanged.quote.id] = present.quote.id
        if former != nil { try mergeDeletion(of: exchanged, over: present, since: before) }
      } else if before == nil {
        // Its days follow, as this copy may have other quotes for them.
        var quote = exchanged
        (quote.days, quote.deletedAt) = ([], deletionTime(exchanged.deletedAt))
        try arrival.add(quote)
        count(.quote, .added)
      }
      for day in exchanged.days where before?.days.contains(day) != true {
        guard try tables.quotes.kept(for: day) == nil else { continue }
        _ = try tables.quotes.keep(exchanged.quote, for: day, now: now)
        outcome.isEmpty = false
      }
    }
  }

  private mutating func mergeDeletion(
    of theirs: ExchangedQuote, over present: ExchangedQuote, since former: ExchangedQuote?
  ) throws {
    let isDeleted = theirs.deletedAt != nil
    guard isDeleted != (present.deletedAt != nil), isDeleted != (former?.deletedAt != nil),
      theirs.quote.origin == .own
    else { return }
    try tables.quotes.setDeleted(present.quote.id, at: deletionTime(theirs.deletedAt))
    count(.quote, isDeleted ? .deleted : .added)
  }
}

extension Sequence {
  func byID<ID: Hashable>(_ id: (Element) -> ID) -> [ID: Element] {
    Dictionary(map { (id($0), $0) }) { first, _ in first }
  }
}

/// The entries that one copy of a library has added, changed and removed since another state of it, compared by their
/// ids.
package struct SideDifferences {
  package private(set) var added: [EntryID] = []
  package private(set) var changed: [EntryID] = []
  /// Those on the timeline of the other state that are not even in the trash any more.
  package private(set) var removed: [EntryID] = []

  /// Walks both catalogs; only the ids of entries that differ are in memory.
  package init(of side: CatalogTables, since base: CatalogTables) throws {
    var (own, former) = (EntryWalk(side), EntryWalk(base))
    var (entry, other) = (try own.next(), try former.next())
    while entry != nil || other != nil {
      let order = Self.order(entry, other)
      switch (entry, other) {
      case (let entry?, _) where order < 0: added.append(entry.id)
      case (_, let other?) where order > 0:
        if other.deletedAt == nil { removed.append(other.id) }
      case (let entry?, let other?):
        if !EntryVersion(entry).isSame(as: EntryVersion(other)) { changed.append(entry.id) }
      default: break
      }
      if order <= 0 { entry = try own.next() }
      if order >= 0 { other = try former.next() }
    }
  }

  /// Negative when the first comes before the second; the end comes last.
  private static func order(_ first: Entry?, _ second: Entry?) -> Int {
    guard let first else { return 1 }
    guard let second else { return -1 }
    let (left, right) = (first.id.description, second.id.description)
    return left == right ? 0 : left < right ? -1 : 1
  }
}

/// All entries of a catalog in the order of their ids, a page at a time.
private struct EntryWalk {
  private let tables: CatalogTables
  private var page: ArraySlice<Entry> = []
  private var last = ""

  init(_ tables: CatalogTables) { self.tables = tables }

  mutating func next() throws -> Entry? {
    if page.isEmpty { page = try tables.entries.page(afterID: last)[...] }
    let entry = page.popFirst()
    if let entry { last = entry.id.description }
    return entry
  }
}

extension EntryTable {
  /// The next entries in the order of their ids, those in the trash included.
  fileprivate func page(afterID id: String) throws -> [Entry] {
    try fetch(
      EntrySelection.sql + " WHERE e.publicID > ? ORDER BY e.publicID LIMIT 500", [id])
  }
}

extension NamedTable {
  /// Removes the next of the things that another copy has as well: first those whose names are free here, as renamed ones free
  /// theirs for others, and any if none is free, as after a swap of names.
  func next<Thing>(of things: inout [Thing], _ key: (Thing) -> (id: ID, name: String)) throws
    -> Thing?
  {
    let free = try things.firstIndex { thing in
      let (id, name) = key(thing)
      return try self.id(named: name).map { $0 == id } ?? true
    }
    return things.isEmpty ? nil : things.remove(at: free ?? 0)
  }
}
