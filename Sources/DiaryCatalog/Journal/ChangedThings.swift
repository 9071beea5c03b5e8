internal import DiaryModel
internal import Fields
internal import Foundation
internal import GRDB

/// Reads from the changesets of a change which things it touched, and how.
///
/// It reads a few things of each table and stops, so that a change of thousands of entries costs little more than one of
/// three. The columns that a changeset does not have are those of today: no part of a time changes without its day or its
/// moment.
struct ChangedThings {
  let tables: CatalogTables

  /// How many plants, activities, quotes, factors and entries of a change are read, and how many are returned in all.
  private static let limit = 3
  /// How many rows are looked at, except for settings, which come last in their changesets.
  private static let maxRowCount = 20_000
  /// The length of a value, in characters.
  private static let maxLength = 200

  private struct Enough: Error {}

  /// The things of a change: settings first, then plants, activities, quotes and entries. A change of settings has no
  /// entries, as those are only moved by a new time zone.
  func all(of change: Change) throws -> [ChangedThing] {
    var touched = TouchedRows(limit: Self.limit)
    var rowCount = 0
    let columns = ChangeTally.Columns(tables.database)
    let history = tables.history
    do {
      for step in try history.steps(of: change.id) where !touched.isFull {
        try history.changeset(ofStep: step).forEach { row in
          rowCount += 1
          if rowCount > Self.maxRowCount, change.kind != .settings { throw Enough() }
          try touched.add(row, columns)
        }
      }
    } catch is Enough {}
    var things = touched.settings.compactMap(setting).sorted { $0.id < $1.id }
    let others =
      try touched.plants.map { try plant($0, $1, $2) }
      + touched.activities.map { try activity($0, $1) }
      + touched.quotes.map { try quote($0, $1) } + touched.factors.map { try factor($0, $1) }
      + (change.kind == .settings ? [] : touched.entries.map { try entry($0, $1) })
    things += others.compactMap { $0 }.prefix(Self.limit)
    return things
  }
}

extension ChangedThings {
  private func setting(_ row: ChangedRow) -> ChangedThing? {
    guard let key = (row.after["key"] ?? row.before["key"])?.text,
      let known = SettingKey(rawValue: key),
      SettingKey.chosen.contains(known)
    else { return nil }
    return ChangedThing(
      .setting(key), .changed, fields: row.fields([("value", .verbatim)], upTo: Self.maxLength))
  }

  private func plant(
    _ id: Int64, _ row: ChangedRow?, _ aliases: TouchedRows.Aliases
  ) throws -> ChangedThing? {
    let present = try present("plant", id)
    func text(_ column: String) -> String? { row?.text(column, present) ?? present?[column] }
    guard let publicID = text("publicID"), let name = text("name") else { return nil }
    let fate = row?.fate ?? .changed
    var fields = row?.fields(Self.shapes(PlantDetails.fields), upTo: Self.maxLength) ?? []
    // That a former name has become one goes without saying.
    let got = aliases.got.filter { $0 != row?.before["name"]?.text }
    if fate == .changed, !aliases.lost.isEmpty || !got.isEmpty {
      fields.append(ChangedField("aliases", aliases.lost.scalar, got.scalar))
    }
    return ChangedThing(
      .plant(PlantReference(id: PlantID(stored: publicID), name: name)), fate, fields: fields)
  }

  private func activity(_ id: Int64, _ row: ChangedRow) throws -> ChangedThing? {
    let present = try present("activity", id)
    guard let publicID = row.text("publicID", present), let name = row.text("name", present),
      let emoji = row.text("emoji", present)
    else { return nil }
    return ChangedThing(
      .activity(ActivityReference(id: ActivityID(stored: publicID), name: name, emoji: emoji)),
      row.fate,
      fields: try row.fields(Self.shapes(ActivityDetails.fields), upTo: Self.maxLength)
        + plantField(row))
  }

  private func quote(_ id: Int64, _ row: ChangedRow) throws -> ChangedThing? {
    let present = try present("quote", id)
    guard let quote = try (present ?? row.whole).map(Quote.init(stored:)), quote.origin == .own
    else { return nil }
    return ChangedThing(
      .quote(quote), row.fate,
      fields: row.fields(Self.shapes(Quote.fields), upTo: Self.maxLength))
  }

  private func factor(_ id: Int64, _ row: ChangedRow) throws -> ChangedThing? {
    let present = try present("factor", id)
    guard let publicID = row.text("publicID", present), let name = row.text("name", present) else {
      return nil
    }
    let fields = row.fields(
      Self.shapes(FactorDetails.fields).map { $0 == "choices" ? ($0, .verbatim) : ($0, $1) },
      upTo: Self.maxLength
    ).map { $0.name == "choices" ? ChangedField($0.name, $0.before.lines, $0.after.lines) : $0 }
    return ChangedThing(.factor(FactorID(stored: publicID), name: name), row.fate, fields: fields)
  }

  private func entry(_ id: Int64, _ rows: TouchedRows.OfEntry) throws -> ChangedThing? {
    let present = try tables.entries.all(rows: [id]).first
    guard let entry = try present ?? rows.entry?.whole.flatMap({ try gone($0, rows) }) else {
      return nil
    }
    let fate = rows.entry?.fate ?? .changed
    guard fate == .changed else { return ChangedThing(.entry(entry), fate, fields: []) }
    var fields: [ChangedField] = []
    if let row = rows.entry {
      fields += try timeField(row, id) + plantField(row)
      fields += row.fields(
        [("notes", .text), ("tags", .text), ("isFavourite", .flag)], upTo: Self.maxLength
      ).map { field in
        switch field.name {
        case "isFavourite": ChangedField("favourite", field.before, field.after)
        case "tags": ChangedField("tags", field.before.lines, field.after.lines)
        default: field
        }
      }
    }
    if let row = rows.content {
      fields += row.fields(
        entry.kind.part.map { Self.shapes(of: $0) } ?? [("mood", .text)], upTo: Self.maxLength)
    }
    // A label says more than its number.
    if fields.contains(where: {
      $0.name == "severityLabel" && $0.before != .null && $0.after != .null
    }) {
      fields.removeAll { $0.name == "severity" }
    }
    return ChangedThing(
      .entry(entry), fate,
      fields: try fields + itemFields(rows.items, id) + factorFields(rows.factors))
  }

  private func present(_ table: String, _ id: Int64) throws -> Row? {
    try Row.fetchOne(
      tables.database.cachedStatement(sql: "SELECT * FROM \(table) WHERE id = ?"), arguments: [id])
  }

  private static func shapes<Thing>(_ fields: Fields<Thing>) -> [(name: String, rule: Rule)] {
    fields.all.map { ($0.name, $0.rule) }
  }

  private static func shapes<Part: EntryPart>(of _: Part.Type) -> [(name: String, rule: Rule)] {
    shapes(Part.fields)
  }
}

extension ChangedThings {
  private func timeField(_ row: ChangedRow, _ id: Int64) throws -> [ChangedField] {
    let parts = ["localDay", "occurredAt", "timeBasis", "datePrecision"]
    guard row.fate == .changed, parts.contains(where: { row.after[$0] != nil }),
      let present = try present("entry", id)
    else { return [] }
    func time(_ values: [String: ChangesetValue]) -> Scalar {
      let time = EntryTime { values[$0]?.databaseValue ?? present[$0] as DatabaseValue? ?? .null }
      return time.map { .text($0.recorded.iso8601) } ?? .null
    }
    return [ChangedField("time", time(row.before), time(row.after))]
  }

  private func plantField(_ row: ChangedRow) throws -> [ChangedField] {
    guard row.fate == .changed, row.after["plantID"] != nil else { return [] }
    func name(_ values: [String: ChangesetValue]) throws -> Scalar {
      guard let id = values["plantID"]?.integer, let plant = try present("plant", id) else {
        return .null
      }
      return .text(plant["name"])
    }
    return [ChangedField("plant", try name(row.before), try name(row.after))]
  }

  /// The lists of texts of an entry. A position that is in no changeset has the text of today.
  private func itemFields(
    _ items: [EntryItemTable.List: [Int64: ChangedRow]], _ id: Int64
  ) throws -> [ChangedField] {
    try [(EntryItemTable.List.medication, "medications"), (.symptom, "symptoms")].compactMap {
      (list, name) -> ChangedField? in
      guard let changed = items[list] else { return nil }
      let today =
        try EntryItemTable(database: tables.database).texts(
          list, of: RowList(rows: [id]))[id] ?? []
      func texts(_ text: (ChangedRow) -> String?) -> Scalar {
        var texts = Dictionary(uniqueKeysWithValues: today.enumerated().map { (Int64($0), $1) })
        for (position, row) in changed { texts[position] = text(row) }
        return .list(texts.sorted { $0.key < $1.key }.map { .text($0.value) })
      }
      return ChangedField(
        name, texts { $0.before["text"]?.text }, texts { $0.after["text"]?.text })
    }
  }

  /// The values of factors that were changed. A factor that is gone is left out: its deletion is a change of its own.
  private func factorFields(_ rows: [Int64: ChangedRow]) throws -> [ChangedField] {
    let factors = try tables.factors.byRow()
    func values(_ value: (ChangedRow) -> ChangesetValue?) throws -> Scalar {
      var values = FactorValues()
      for (id, row) in rows {
        guard let factor = factors[id], let value = value(row)?.databaseValue else { continue }
        values[factor.name] = try FactorValue(value, factor.details.kind)
      }
      return values.scalar
    }
    let field = ChangedField(
      "factors", try values { $0.before["value"] }, try values { $0.after["value"] })
    return field.before == field.after ? [] : [field]
  }

  /// An entry that is in the catalog no more, from the rows that its change added.
  private func gone(_ row: Row, _ rows: TouchedRows.OfEntry) throws -> Entry? {
    guard let kind = EntryKind(rawValue: row["kind"]),
      let time = EntryTime({ row[$0] as DatabaseValue? ?? .null }),
      let content = try rows.content?.whole.flatMap({ try content(of: kind, $0, of: row) })
    else { return nil }
    let plant = try (row["plantID"] as Int64?).flatMap { try present("plant", $0) }
    return Entry(
      id: EntryID(stored: row["publicID"]), time: time, notes: row["notes"],
      tags: (row["tags"] as String?).map(TagText.tags) ?? [],
      plant: plant.map { PlantReference(id: PlantID(stored: $0["publicID"]), name: $0["name"]) },
      plantDay: nil, content: content, deletedAt: nil, sequence: row["seq"])
  }

  private func content(of kind: EntryKind, _ row: Row, of entry: Row) throws -> EntryContent? {
    switch kind {
    case .photo:
      guard let source = CaptureSource(rawValue: row["captureSource"]),
        let digest = BlobID(bytes: row["sourceDigest"] as Data)
      else { return nil }
      return .photo(
        PhotoSummary(
          size: PixelSize(width: row["width"], height: row["height"]),
          originalName: row["originalName"], captureSource: source,
          sourceDigest: digest, sourceByteCount: row["sourceByteCount"], storedByteCount: 0,
          isFavourite: entry["isFavourite"],
          placeholder: Array(row["placeholder"] as Data? ?? Data()),
          thumbnail: nil))
    case .mood: return .mood(try Mood(stored: row["mood"]))
    case .quote: return try present("quote", row["quoteID"]).map { .quote(try Quote(stored: $0)) }
    case .completion:
      return try present("activity", row["activityID"]).map {
        .completion(Completion(activity: ActivityReference(stored: $0), source: row["source"]))
      }
    default:
      func content<Part: EntryPart>(of _: Part.Type) throws -> EntryContent {
        try Part.fields.thing(in: row, from: .blank).content
      }
      return try kind.part.map { try content(of: $0) }
    }
  }
}

extension EntryTime {
  /// The time in the columns of an entry.
  fileprivate init?(_ column: (String) -> DatabaseValue) {
    guard let moment = Int64.fromDatabaseValue(column("occurredAt")),
      let offset = Int.fromDatabaseValue(column("utcOffset")).flatMap(UTCOffset.init(seconds:)),
      let basis = String.fromDatabaseValue(column("timeBasis")).flatMap(Basis.init),
      let day = String.fromDatabaseValue(column("localDay")).flatMap({ LocalDay($0) })
    else { return nil }
    self.init(
      instant: basis == .day
        ? LocalDateTime(startOf: day).timestamp(offset: offset) : Timestamp(milliseconds: moment),
      offset: offset, basis: basis, day: day,
      precision: String.fromDatabaseValue(column("datePrecision")).flatMap(DatePrecision.init))
  }
}

extension Scalar {
  /// The lines of a text.
  fileprivate var lines: Scalar {
    guard case .text(let text) = self else { return .list([]) }
    return .list(TagText.tags(text).map { .text($0) })
  }
}
