internal import DiaryModel
internal import GRDB

/// How many things of each kind a change added, changed and deleted.
struct ChangeTally: Sendable, Hashable, Codable {
  /// The numbers added, changed and deleted, by the names of things.
  private var things: [String: [Int]] = [:]

  var counts: [ChangeCount] {
    ChangeCount.Thing.allCases.compactMap { thing in
      guard let counts = things[thing.rawValue], counts.count == 3 else { return nil }
      return ChangeCount(
        thing: thing, added: counts[0], changed: counts[1], deleted: counts[2])
    }
  }

  init() {}

  init(from decoder: any Decoder) throws {
    things = try decoder.singleValueContainer().decode([String: [Int]].self)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(things)
  }

  private mutating func count(_ thing: String, _ fate: ChangedThing.Fate) {
    guard ChangeCount.Thing(rawValue: thing) != nil,
      let index = ChangedThing.Fate.allCases.firstIndex(of: fate)
    else { return }
    things[thing, default: [0, 0, 0]][index] += 1
  }

  /// The tables with parts of entries; the first column of each is the entry.
  static let partTables: Set<String> = Set(
    EntryKind.allCases.map { CatalogTables.contentTable(of: $0).name }
  ).union(["entryItem", "factorValue", "rendition"])

  /// Counts what a changeset has done to a database.
  mutating func add(_ changeset: Changeset, _ database: Database) throws {
    var entries: [Int64: (fate: ChangedThing.Fate, kind: String?)] = [:]
    var parts: Set<Int64> = []
    var (plants, aliased): (Set<Int64>, Set<Int64>) = ([], [])
    let columns = Columns(database)
    try changeset.forEach { row in
      switch row.table {
      case "entry":
        guard let id = row.key.values.first?.integer,
          let fate = try columns.fate(of: row)
        else { return }
        let kind = try columns.index("kind", of: "entry")
        entries[id] = (fate, (row.new(kind) ?? row.old(kind))?.text)
      case let table where Self.partTables.contains(table):
        if let id = row.key.values.first?.integer { parts.insert(id) }
      case "plant", "activity", "factor":
        if row.table == "plant", let id = row.key.values.first?.integer { plants.insert(id) }
        if let fate = try columns.fate(of: row) { count(row.table, fate) }
      case "plantAlias": aliased.formUnion(try columns.plants(ofAlias: row))
      case "quote":
        if try columns.isOwnQuote(row), let fate = try columns.fate(of: row) {
          count("quote", fate)
        }
      case "setting": count("setting", .changed)
      default: break
      }
    }
    for _ in aliased.subtracting(plants) { count("plant", .changed) }
    for id in parts where entries[id] == nil { entries[id] = (.changed, nil) }
    let find = try database.cachedStatement(sql: "SELECT kind FROM entry WHERE id = ?")
    for (id, entry) in entries {
      let kind = try entry.kind ?? String.fetchOne(find, arguments: [id])
      if let kind { count(kind, entry.fate) }
    }
  }

  /// The indices of columns in the rows of a changeset.
  struct Columns {
    let database: Database

    init(_ database: Database) { self.database = database }

    func index(_ name: String, of table: String) throws -> Int {
      let index = try database.columns(in: table).firstIndex { $0.name == name }
      guard let index else {
        throw CatalogError(.damaged, "The catalog's table \(table) has no column \(name).")
      }
      return index
    }

    /// The plants that lose or get an alias.
    func plants(ofAlias row: Changeset.RowChange) throws -> [Int64] {
      let plant = try index("plantID", of: "plantAlias")
      return [row.old(plant), row.new(plant)].compactMap { $0?.integer }
    }

    /// Whether a row of `quote` is one that a user has added.
    func isOwnQuote(_ row: Changeset.RowChange) throws -> Bool {
      let origin = try index("origin", of: "quote")
      // An update has only the columns it changes, and only the user's own quotes are updated.
      guard let value = row.new(origin) ?? row.old(origin) else { return true }
      return value.text == Quote.Origin.own.rawValue
    }

    /// Nil for an update that no user would call a change.
    func fate(of row: Changeset.RowChange) throws -> ChangedThing.Fate? {
      switch row.operation {
      case .insert: return .added
      case .delete: return .deleted
      case .update: break
      }
      // Factors have no trash.
      guard row.table != "factor" else { return .changed }
      let deletedAt = try index("deletedAt", of: row.table)
      if let after = row.new(deletedAt), let before = row.old(deletedAt) {
        if after == .null { return .added }
        if before == .null { return .deleted }
      }
      guard row.table == "entry" else { return .changed }
      // The words of a completion are those of its activity.
      let words = try index("words", of: "entry")
      let count = try database.columns(in: "entry").count
      return (1..<count).contains { $0 != words && row.new($0) != nil } ? .changed : nil
    }
  }
}
