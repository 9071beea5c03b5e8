internal import DiaryModel
internal import GRDB

/// The kinds of things, the plants and the entries that the changesets of a commit have touched. Each changeset is read
/// once.
struct TouchedThings {
  private struct TouchedRow {
    var fate: ChangedThing.Fate
    /// Nil until it is read from the catalog, as an update has only the columns that it changes.
    var name: (id: String, kind: String)?
  }

  /// The columns that are looked at in each row.
  private struct Places {
    let kind, publicID, plant, deletedAt: Int
    let activityPlant, plantID, plantName: Int
    /// Those that entries show, by table.
    let shown: [String: [Int]]

    init(_ columns: ChangeTally.Columns) throws {
      kind = try columns.index("kind", of: "entry")
      publicID = try columns.index("publicID", of: "entry")
      plant = try columns.index("plantID", of: "entry")
      deletedAt = try columns.index("deletedAt", of: "entry")
      activityPlant = try columns.index("plantID", of: "activity")
      plantID = try columns.index("publicID", of: "plant")
      plantName = try columns.index("name", of: "plant")
      var shown: [String: [Int]] = [:]
      for (table, names) in Self.shownNames {
        // A catalog may be from before there were factors.
        guard try columns.database.tableExists(table) else { continue }
        shown[table] = try names.map { try columns.index($0, of: table) }
      }
      self.shown = shown
    }

    private static let shownNames = [
      "plant": ["name"], "activity": ["name", "emoji"], "factor": ["name", "kind"],
      "quote": ["text", "author", "source"],
    ]
  }

  private let database: Database
  private let columns: ChangeTally.Columns
  private let places: Places

  private var kinds: Set<ChangeCount.Thing> = []
  /// The entries by their rows; emptied once there are too many.
  private var entries: [Int64: TouchedRow] = [:]
  private var isMany = false
  /// Entries that were added or deleted, whose kinds and plants are in the changesets.
  private var whole: Set<Int64> = []
  /// Entries that were changed in a way that counts, or in a part.
  private var changed: Set<Int64> = []
  /// Entries and activities of which something was changed, perhaps nothing that counts.
  private var updated: (entries: Set<Int64>, activities: Set<Int64>) = ([], [])
  private var plants: Set<Int64> = []
  /// Public ids of plants, of which those that are gone have no row.
  private var plantIDs: Set<String> = []
  /// Rows whose changes other entries show, by table.
  private var shown: [String: Set<Int64>] = [:]

  init(_ database: Database) throws {
    self.database = database
    columns = ChangeTally.Columns(database)
    places = try Places(columns)
  }

  /// Adds what a changeset did, or undid.
  mutating func add(_ changeset: Changeset, isInverted: Bool = false) throws {
    try changeset.forEach(isInverted: isInverted) { try add($0) }
  }

  private mutating func add(_ row: Changeset.RowChange) throws {
    switch row.table {
    case "entry": try addEntry(row)
    case "plant", "activity", "factor":
      if try columns.fate(of: row) != nil { addKind(row.table) }
      addShown(row)
      addPlants(of: row)
    case "plantAlias":
      addKind("plant")
      plants.formUnion(try columns.plants(ofAlias: row))
    case "quote":
      if try columns.isOwnQuote(row), try columns.fate(of: row) != nil { addKind("quote") }
      addShown(row)
    case "setting": addKind("setting")
    case let table where ChangeTally.partTables.contains(table):
      if let id = row.firstKey, !whole.contains(id) {
        changed.insert(id)
        add(id, .changed, nil)
      }
    default: break
    }
  }

  private mutating func addKind(_ name: String?) {
    if let kind = name.flatMap({ ChangeCount.Thing(rawValue: $0) }) { kinds.insert(kind) }
  }

  private mutating func addEntry(_ row: Changeset.RowChange) throws {
    guard let id = row.firstKey else { return }
    for plant in [row.old(places.plant), row.new(places.plant)] {
      if let plant = plant?.integer { plants.insert(plant) }
    }
    guard row.operation != .update else {
      updated.entries.insert(id)
      guard let fate = try columns.fate(of: row) else { return }
      changed.insert(id)
      return add(id, fate, nil)
    }
    let isAdded = row.operation == .insert
    func value(_ column: Int) -> ChangesetValue? { isAdded ? row.new(column) : row.old(column) }
    let kind = value(places.kind)?.text
    addKind(kind)
    whole.insert(id)
    // A row that is added with a time of deletion, or removed with one, was not on the timeline.
    guard !isMany, value(places.deletedAt) == .null, let kind,
      let publicID = value(places.publicID)?.text
    else {
      entries[id] = nil
      return
    }
    add(id, isAdded ? .added : .deleted, (publicID, kind))
  }

  private mutating func add(
    _ id: Int64, _ fate: ChangedThing.Fate, _ name: (id: String, kind: String)?
  ) {
    guard !isMany else { return }
    var row = entries[id] ?? TouchedRow(fate: fate)
    // A later step of the same commit may have gone on with it.
    if fate != .changed { row.fate = fate }
    row.name = name ?? row.name
    entries[id] = row
    if entries.count > Commit.maxEntryCount { (isMany, entries) = (true, [:]) }
  }

  private mutating func addShown(_ row: Changeset.RowChange) {
    guard row.operation == .update, let id = row.firstKey,
      places.shown[row.table]?.contains(where: { row.new($0) != nil }) ?? false
    else { return }
    shown[row.table, default: []].insert(id)
  }

  private mutating func addPlants(of row: Changeset.RowChange) {
    guard let id = row.firstKey else { return }
    if row.table == "plant" {
      plants.insert(id)
      if let name = row.old(places.plantID)?.text { plantIDs.insert(name) }
    } else if row.table == "activity" {
      for plant in [row.old(places.activityPlant), row.new(places.activityPlant)] {
        if let plant = plant?.integer { plants.insert(plant) }
      }
      if row.operation == .update { updated.activities.insert(id) }
    }
  }
}

extension TouchedThings {
  /// The commit, with the names that things have in the catalog as it is now.
  mutating func commit(at position: CommitPosition) throws -> Commit {
    let find = try database.cachedStatement(
      sql: """
        SELECT e.publicID, e.kind, e.deletedAt IS NULL, p.publicID
        FROM entry e LEFT JOIN plant p ON p.id = e.plantID WHERE e.id = ?
        """)
    for id in changed.union(updated.entries).subtracting(whole) {
      guard let row = try Row.fetchOne(find, arguments: [id]) else { continue }
      if changed.contains(id) { addKind(row[1]) }
      if let plant = row[3] as String? { plantIDs.insert(plant) }
    }
    try addThoseThatShow()
    return Commit(
      at: position, kinds: kinds, plants: try plantsTouched(),
      entries: isMany
        ? nil
        : try entries.sorted { $0.key < $1.key }.compactMap {
          try touched($0.key, $0.value, find)
        })
  }

  /// Nil for an entry that a later commit has deleted or put into the trash, which that one names.
  private func touched(
    _ id: Int64, _ row: TouchedRow, _ find: Statement
  ) throws -> TouchedEntry? {
    var name = row.name
    if name == nil || row.fate == .changed, let found = try Row.fetchOne(find, arguments: [id]) {
      let isOnTimeline: Bool = found[2]
      guard isOnTimeline || row.fate != .changed else { return nil }
      name = (found[0], found[1])
    }
    guard let name, let kind = EntryKind(rawValue: name.kind) else { return nil }
    return TouchedEntry(id: EntryID(stored: name.id), kind: kind, fate: row.fate)
  }

  /// Adds the entries that show what was changed of other things.
  private mutating func addThoseThatShow() throws {
    let queries = [
      "plant": "SELECT id FROM entry WHERE plantID = ? AND deletedAt IS NULL",
      "activity": "SELECT entryID FROM completion WHERE activityID = ?",
      "factor": "SELECT entryID FROM factorValue WHERE factorID = ?",
      "quote": "SELECT entryID FROM favouriteQuote WHERE quoteID = ?",
    ]
    for (table, ids) in shown {
      guard let sql = queries[table] else { continue }
      for id in ids where !isMany {
        let rows = try Int64.fetchCursor(database.cachedStatement(sql: sql), arguments: [id])
        while !isMany, let row = try rows.next() { add(row, .changed, nil) }
      }
    }
  }

  private func plantsTouched() throws -> Set<PlantID> {
    var names = plantIDs
    for (column, keys) in [
      ("id", plants), ("id IN (SELECT plantID FROM activity WHERE id", updated.activities),
    ] {
      let find = try database.cachedStatement(
        sql: "SELECT publicID FROM plant WHERE \(column) = ?" + (column == "id" ? "" : ")"))
      for key in keys {
        if let name = try String.fetchOne(find, arguments: [key]) { names.insert(name) }
      }
    }
    return Set(names.map { PlantID(stored: $0) })
  }
}
