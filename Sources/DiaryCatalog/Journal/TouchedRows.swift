internal import DiaryModel
internal import Fields
internal import GRDB

/// A row before and after a change, with the columns that its changesets have.
struct ChangedRow {
  private(set) var fate: ChangedThing.Fate
  private(set) var before: [String: ChangesetValue] = [:]
  private(set) var after: [String: ChangesetValue] = [:]
  /// The number of columns that the table has today.
  private let columnCount: Int

  init(_ row: Changeset.RowChange, _ fate: ChangedThing.Fate, _ columns: ChangeTally.Columns) throws
  {
    self.fate = fate
    let names = try columns.database.columns(in: row.table)
    columnCount = names.count
    for (index, column) in names.enumerated() where index < row.columnCount {
      before[column.name] = row.old(index)
      after[column.name] = row.new(index)
    }
  }

  /// The row after a later step of the same change.
  mutating func add(_ later: ChangedRow) {
    if fate == .changed { fate = later.fate }
    before.merge(later.before) { first, _ in first }
    after.merge(later.after) { $1 }
  }

  /// All columns of a row that was inserted or deleted; nil for one that was only changed, or that had fewer columns
  /// when it was recorded.
  var whole: Row? {
    let values = after.count == columnCount ? after : before
    return values.count == columnCount ? Row(values.mapValues(\.databaseValue)) : nil
  }

  /// The present text of a column, or the one that is recorded for a row that is gone.
  func text(_ column: String, _ present: Row?) -> String? {
    present?[column] ?? after[column]?.text ?? before[column]?.text
  }

  /// The fields that an update has changed, each with a column of its name.
  func fields(_ shapes: [(name: String, rule: Rule)], upTo length: Int) -> [ChangedField] {
    guard fate == .changed else { return [] }
    return shapes.compactMap { name, rule in
      guard let new = after[name] else { return nil }
      func scalar(_ value: ChangesetValue?) -> Scalar {
        let scalar = value.flatMap { Scalar($0.databaseValue, rule) } ?? .null
        guard case .text(let text) = scalar else { return scalar }
        return .text(shortened(text, to: length))
      }
      let field = ChangedField(name, scalar(before[name]), scalar(new))
      return field.before == field.after ? nil : field
    }
  }
}

/// The first rows of each table that a change touched.
struct TouchedRows {
  /// The rows of an entry.
  struct OfEntry {
    var entry: ChangedRow?
    /// Of the table of its kind.
    var content: ChangedRow?
    /// The texts of its lists by their positions.
    var items: [EntryItemTable.List: [Int64: ChangedRow]] = [:]
    /// The values of factors by the factors' rows.
    var factors: [Int64: ChangedRow] = [:]
  }

  /// The aliases that a plant has lost and got.
  struct Aliases {
    var lost: [String] = []
    var got: [String] = []
  }

  /// How many rows of each table are kept, besides settings.
  let limit: Int
  private(set) var settings: [ChangedRow] = []
  private var rows: [String: [Int64: ChangedRow]] = [:]
  private var ofEntries: [Int64: OfEntry] = [:]
  private var aliases: [Int64: Aliases] = [:]

  init(limit: Int) { self.limit = limit }

  /// Whether later steps of a change can be left out.
  var isFull: Bool { ofEntries.count >= limit }

  /// Those of which nothing but aliases has changed have no row.
  var plants: [(Int64, ChangedRow?, Aliases)] {
    let changed = rows["plant", default: [:]]
    return Set(changed.keys).union(aliases.keys).sorted().prefix(limit).map {
      ($0, changed[$0], aliases[$0] ?? Aliases())
    }
  }
  var activities: [(Int64, ChangedRow)] { sorted("activity") }
  var quotes: [(Int64, ChangedRow)] { sorted("quote") }
  var factors: [(Int64, ChangedRow)] { sorted("factor") }
  var entries: [(Int64, OfEntry)] {
    ofEntries.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  private func sorted(_ table: String) -> [(Int64, ChangedRow)] {
    rows[table, default: [:]].sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  mutating func add(_ row: Changeset.RowChange, _ columns: ChangeTally.Columns) throws {
    guard row.table != "setting" else {
      return settings.append(try ChangedRow(row, .changed, columns))
    }
    if row.table == "plantAlias" { return try addAlias(row, columns) }
    guard let id = row.key.values.first?.integer else { return }
    switch row.table {
    case "plant", "activity", "quote", "factor":
      guard rows[row.table]?[id] != nil || rows[row.table, default: [:]].count < limit,
        let fate = try columns.fate(of: row)
      else { return }
      let changed = try ChangedRow(row, fate, columns)
      if rows[row.table]?[id]?.add(changed) == nil { rows[row.table, default: [:]][id] = changed }
    case "entry":
      guard hasRoom(for: id), let fate = try columns.fate(of: row) else { return }
      let changed = try ChangedRow(row, fate, columns)
      if ofEntries[id]?.entry?.add(changed) == nil {
        ofEntries[id, default: OfEntry()].entry = changed
      }
    case let table where ChangeTally.partTables.contains(table):
      guard hasRoom(for: id) else { return }
      try addPart(row, of: id, columns)
    default: return
    }
  }

  private mutating func addAlias(
    _ row: Changeset.RowChange, _ columns: ChangeTally.Columns
  ) throws {
    let plants = try columns.plants(ofAlias: row)
    guard plants.allSatisfy({ aliases[$0] != nil || aliases.count < limit }) else { return }
    let name = try columns.index("name", of: row.table)
    // An update has only the columns that it changes.
    let alias = (row.new(name) ?? row.old(name) ?? row.key.values.first)?.text ?? ""
    let change = try ChangedRow(row, row.fate, columns)
    if let plant = change.before["plantID"]?.integer {
      aliases[plant, default: Aliases()].lost.append(alias)
    }
    if let plant = change.after["plantID"]?.integer {
      aliases[plant, default: Aliases()].got.append(alias)
    }
  }

  private func hasRoom(for entry: Int64) -> Bool { ofEntries[entry] != nil || !isFull }

  private mutating func addPart(
    _ row: Changeset.RowChange, of entry: Int64, _ columns: ChangeTally.Columns
  ) throws {
    var parts = ofEntries[entry] ?? OfEntry()
    let changed = try ChangedRow(row, row.fate, columns)
    if row.table == "entryItem" {
      guard let list = row.key.values[1].text.flatMap(EntryItemTable.List.init),
        let position = row.key.values[2].integer
      else { return }
      parts.items[list, default: [:]][position] = changed
    } else if row.table == "factorValue" {
      guard let factor = row.key.values[1].integer else { return }
      if parts.factors[factor]?.add(changed) == nil { parts.factors[factor] = changed }
    } else if row.table != "rendition", parts.content?.add(changed) == nil {
      parts.content = changed
    }
    ofEntries[entry] = parts
  }
}

extension Changeset.RowChange {
  /// The fate of the row itself.
  fileprivate var fate: ChangedThing.Fate {
    switch operation {
    case .insert: .added
    case .update: .changed
    case .delete: .deleted
    }
  }
}
