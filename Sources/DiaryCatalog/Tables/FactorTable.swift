package import DiaryModel
internal import Fields
internal import GRDB

/// The owner of `factor`.
package struct FactorTable: OrderedTable {
  typealias ID = FactorID
  typealias Details = FactorDetails

  static let noun = "factor"
  static let hasTrash = false
  static let list = Remedy.listFactors

  let database: Database

  // As the other one is spelled: who may write factors sees all of them.
  static func nameTaken(_ name: String, by holder: String) -> CatalogError {
    CatalogError(.nameTaken, "A factor is called “\(holder)” already. Give it another name.")
  }

  /// All factors in user-defined order.
  package func all() throws -> [Factor] { try all(where: "TRUE") }

  /// The factor with this name, regardless of case, or with this id or an unambiguous start of it.
  package func named(_ nameOrID: String) throws -> Factor { try factor(find(nameOrID).row) }

  /// The factor with this id.
  package func factor(_ id: FactorID) throws -> Factor { try factor(find(id).row) }

  private func all(
    where condition: String, _ arguments: StatementArguments = []
  ) throws -> [Factor] {
    guard try isInCatalog("factor") else { return [] }
    return try Row.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT f.*, (SELECT count(*) FROM factorValue WHERE factorID = f.id) AS valueCount
          FROM (SELECT *, row_number() OVER (ORDER BY rank, id) - 1 AS place FROM factor) f
          WHERE \(condition) ORDER BY f.place
          """), arguments: arguments
    ).map { row in
      Factor(
        id: FactorID(stored: row["publicID"]), details: try FactorDetails(row), rank: row["place"],
        createdAt: Timestamp(milliseconds: row["createdAt"]), valueCount: row["valueCount"])
    }
  }

  /// The factors by their rows.
  func byRow() throws -> [Int64: Factor] {
    guard try isInCatalog("factor") else { return [:] }
    let ids = try Row.fetchAll(
      database.cachedStatement(sql: "SELECT publicID, id FROM factor")
    ).reduce(into: [:]) { $0[FactorID(stored: $1[0])] = $1[1] as Int64 }
    return try all().reduce(into: [:]) { rows, factor in
      if let row = ids[factor.id] { rows[row] = factor }
    }
  }
}

extension FactorTable {
  /// Adds a factor at the end of the order.
  package func add(_ details: FactorDetails, now: Timestamp) throws -> Factor {
    try insert(details.checked(), now: now)
  }

  /// Inserts a factor, with everything that an export can have.
  ///
  /// - Parameter rank: nil puts it at the end of the order.
  @discardableResult
  func insert(
    _ details: FactorDetails, id: FactorID = .random(), rank: Int? = nil, now: Timestamp
  ) throws -> Factor {
    let details = try details.checked(over: details)
    try checkName(details.name, of: nil)
    let row = try insert(
      details, id: id, now: now, ["rank": rank ?? nextRank(orInTrash: true)])
    return try factor(row)
  }

  /// Changes the details of a factor.
  ///
  /// - Throws: `CatalogError` with code `invalid` when days have values that it would no longer take, and `nameTaken`.
  package func edit(
    _ id: FactorID, _ body: (inout FactorDetails) throws -> Void
  ) throws -> Factor {
    let row = try row(of: id)
    let before = try factor(row)
    var details = before.details
    try body(&details)
    details = try details.checked(over: before.details)
    guard details != before.details else { return before }
    guard details.kind == before.details.kind else {
      throw InvalidValue(
        "kind",
        .sentence("“\(before.name)” stays a \(before.details.kind.rawValue). Add another factor."))
    }
    try checkName(details.name, of: row)
    if let day = try tables.factorValues.firstDay(of: id, refusedBy: details) {
      throw CatalogError(
        .invalid,
        "“\(before.name)” has values that it would no longer take, such as that of \(day). "
          + "Widen its range, or append choices.")
    }
    try update(details, row)
    return try factor(row)
  }

  /// Deletes a factor with its values.
  ///
  /// - Returns: the number of values.
  package func delete(_ id: FactorID) throws -> Int {
    let row = try row(of: id)
    try database.execute(sql: "DELETE FROM factorValue WHERE factorID = ?", arguments: [row])
    let count = database.changesCount
    try database.execute(sql: "DELETE FROM factor WHERE id = ?", arguments: [row])
    return count
  }

  /// Reorders all factors; `body` rearranges their ids.
  package func reorder(_ body: (inout [FactorID]) throws -> Void) throws -> [Factor] {
    try rearrange(body)
    return try all()
  }

  func factor(_ row: Int64) throws -> Factor {
    try present(all(where: "f.id = ?", [row]).first)
  }
}

/// The columns of `factor` that users fill in.
extension FactorDetails: NamedDetails {
  init(_ row: Row) throws {
    self = try Self.fields.thing(in: row, from: .blank)
    choices = (row["choices"] as String?).map(TagText.tags) ?? []
  }

  var columns: [(name: String, value: DatabaseValue)] {
    namedColumns + [
      ("choices", choices.isEmpty ? .null : choices.joined(separator: "\n").databaseValue)
    ]
  }
}

/// The owner of `factorValue`: the values of factors in daily logs.
struct FactorValueTable: CatalogTable {
  let database: Database

  /// The values of entries by row; entries without any are left out.
  func values(of entries: RowList) throws -> [Int64: FactorValues] {
    try values("v.entryID IN (SELECT value FROM json_each(?))", [entries])
  }

  /// The values of the logs of a span, by the rows of their entries.
  func values(in days: ClosedRange<LocalDay>) throws -> [Int64: FactorValues] {
    try values(
      "v.entryID IN (SELECT e.id FROM entry e WHERE \(EntrySpan.condition))",
      EntrySpan(kind: .dailyLog, days: days).arguments)
  }

  private func values(
    _ condition: String, _ arguments: StatementArguments
  ) throws -> [Int64: FactorValues] {
    guard try isInCatalog("factorValue") else { return [:] }
    let rows = try Row.fetchCursor(
      database.cachedStatement(
        sql: """
          SELECT v.entryID, v.value, f.name, f.kind, f.unit FROM factorValue v
          JOIN factor f ON f.id = v.factorID WHERE \(condition) ORDER BY v.entryID, f.rank, f.id
          """), arguments: arguments)
    var values: [Int64: FactorValues] = [:]
    while let row = try rows.next() {
      let value = try FactorValue(row["value"], FactorKind(stored: row["kind"]))
      values[row[0], default: FactorValues()].append(row["name"], value, unit: row["unit"])
    }
    return values
  }

  /// Sets the values of an entry, which are checked.
  func set(_ values: FactorValues, ofEntry row: Int64) throws {
    try database.cachedStatement(sql: "DELETE FROM factorValue WHERE entryID = ?")
      .execute(arguments: [row])
    let insert = try database.cachedStatement(
      sql: """
        INSERT INTO factorValue (entryID, factorID, value)
        SELECT ?, id, ? FROM factor WHERE foldedName = ?
        """)
    for item in values.items {
      try insert.execute(arguments: [row, item.value.databaseValue, foldedName(item.name)])
    }
  }

  /// The values in the form in which they are stored, in the order of the factors and with their names as these spell them.
  ///
  /// - Throws: `InvalidValue` for a name that no factor has, and for a value that the factor does not take.
  func checked(_ values: FactorValues) throws -> FactorValues {
    guard !values.isEmpty else { return values }
    let factors = try tables.factors.all()
    let known = Set(factors.map { foldedName($0.name) })
    if let unknown = values.items.first(where: { !known.contains(foldedName($0.name)) }) {
      let names =
        factors.isEmpty
        ? "there are none" : "they are \(factors.map(\.name).joined(separator: ", "))"
      throw InvalidValue(
        unknown.name,
        .sentence("No factor is called “\(shortened(unknown.name))”; \(names)."))
    }
    var checked = FactorValues()
    for factor in factors {
      guard let value = values[factor.name] else { continue }
      checked.append(factor.name, try factor.details.checked(value), unit: factor.details.unit)
    }
    return checked
  }

  /// The first day with a value that a factor would not take if it had these details, the trash included.
  func firstDay(of id: FactorID, refusedBy details: FactorDetails) throws -> LocalDay? {
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT e.localDay, v.value, f.kind FROM factorValue v JOIN factor f ON f.id = v.factorID
        JOIN entry e ON e.id = v.entryID WHERE f.publicID = ? ORDER BY e.localDay
        """, arguments: [id.description])
    while let row = try rows.next() {
      let value = try FactorValue(row["value"], FactorKind(stored: row["kind"]))
      if (try? details.checked(value)) != value { return try LocalDay(stored: row[0]) }
    }
    return nil
  }
}

extension FactorValue {
  /// The value in a column.
  ///
  /// - Throws: `CatalogError` with code `damaged` for one that is of another kind.
  init(_ value: DatabaseValue, _ kind: FactorKind) throws {
    switch (kind, value.storage) {
    case (.flag, .int64(let number)): self = .flag(number != 0)
    case (.number, .double(let number)): self = .number(number)
    case (.choice, .string(let text)): self = .choice(text)
    default:
      throw CatalogError(
        .damaged, "The catalog has “\(value.description)” where that makes no sense.")
    }
  }

  fileprivate var databaseValue: DatabaseValue {
    switch self {
    case .flag(let flag): flag.databaseValue
    case .number(let number): number.databaseValue
    case .choice(let text), .typed(let text): text.databaseValue
    }
  }
}
