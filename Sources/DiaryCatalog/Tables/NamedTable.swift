internal import DiaryModel
internal import Fields
internal import GRDB

/// The owner of a table of things that users name: plants, activities, factors.
///
/// Each has a public id, whose start is enough where it is unambiguous; a name, which is unique regardless of case among those
/// that are not in the trash; and details in columns.
protocol NamedTable: CatalogTable {
  associatedtype ID: PublicID
  associatedtype Details: NamedDetails

  /// The name of the table, and the word for one thing.
  static var noun: String { get }
  /// True if deleted things stay in the trash, marked by a column `deletedAt`.
  static var hasTrash: Bool { get }
  /// The columns by which things are listed.
  static var order: String { get }
  /// Lists all things, for a name that none has.
  static var list: Remedy { get }

  /// The error for a name that another thing has already.
  ///
  /// - Parameter holder: the name as that one is spelled, which may be beyond what a token sees.
  static func nameTaken(_ name: String, by holder: String) -> CatalogError
}

/// The details of a thing with a name.
protocol NamedDetails: Fielded {
  var name: String { get }
  /// The columns that follow from the details.
  var columns: [(name: String, value: DatabaseValue)] { get }
}

extension NamedDetails {
  var columns: [(name: String, value: DatabaseValue)] { namedColumns }

  /// One for each field that has a column, and that of the folded name.
  var namedColumns: [(name: String, value: DatabaseValue)] {
    Self.fields.columns(of: self) + [("foldedName", foldedName(name).databaseValue)]
  }
}

/// The row of a thing, with its id and its name.
struct NamedRow<ID: PublicID> {
  let row: Int64
  let id: ID
  let name: String

  init(_ found: Row) {
    (row, id, name) = (found[0], ID(stored: found[1]), found[2])
  }
}

/// Finding.
extension NamedTable {
  static var hasTrash: Bool { true }
  static var order: String { "foldedName" }

  /// The SQL condition that a thing is in the trash, or is not.
  static func isThere(inTrash: Bool = false) -> String {
    guard hasTrash else { return inTrash ? "FALSE" : "TRUE" }
    return inTrash ? "deletedAt IS NOT NULL" : "deletedAt IS NULL"
  }

  /// The only thing with this name, or with this id or an unambiguous start of it.
  ///
  /// - Parameter places: where to search, in this order, until one is found: true for the trash, false for what is not in it.
  func find(_ nameOrID: String, inTrash places: [Bool] = [false]) throws -> NamedRow<ID> {
    for place in places {
      let candidates = try candidates(nameOrID, inTrash: place)
      if candidates.count > 1 {
        throw CatalogError.ambiguousName(nameOrID, candidates.map(\.name))
      }
      if let found = candidates.first { return found }
    }
    throw try CatalogError.unknownName(nameOrID, Self.noun, among: names(), Self.list)
  }

  /// The thing with this id.
  ///
  /// - Parameter places: where to search: true for the trash, false for what is not in it.
  func find(_ id: ID, inTrash places: [Bool] = [false]) throws -> NamedRow<ID> {
    for place in places where try isInCatalog(Self.noun) {
      let found = try Row.fetchOne(
        database.cachedStatement(
          sql: """
            SELECT id, publicID, name FROM \(Self.noun)
            WHERE publicID = ? AND \(Self.isThere(inTrash: place))
            """), arguments: [id.description])
      if let found { return NamedRow(found) }
    }
    throw CatalogError(.notFound, "No \(Self.noun) has the id “\(id)”.", remedy: Self.list)
  }

  private func candidates(_ nameOrID: String, inTrash: Bool) throws -> [NamedRow<ID>] {
    guard let folded = nameOrID.tidied.map(foldedName), try isInCatalog(Self.noun) else {
      return []
    }
    if let named = try row(folded: folded, inTrash: inTrash) { return [named] }
    let digits = try database.cachedStatement(
      sql: """
        SELECT id, publicID, name FROM \(Self.noun)
        WHERE publicID >= ? AND publicID < ? AND \(Self.isThere(inTrash: inTrash))
        ORDER BY \(Self.order) LIMIT \(CatalogError.candidateCount + 1)
        """)
    return try Row.fetchAll(digits, arguments: [folded, folded + "g"])  // after every digit
      .map(NamedRow.init)
  }

  /// The thing with a folded name. Of several in the trash, the one that was deleted last.
  private func row(folded name: String, inTrash: Bool) throws -> NamedRow<ID>? {
    try Row.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT id, publicID, name FROM \(Self.noun)
          WHERE foldedName = ? AND \(Self.isThere(inTrash: inTrash))
          """ + (inTrash ? " ORDER BY deletedAt DESC" : "")),
      arguments: [name]
    ).map(NamedRow.init)
  }

  /// The thing that has a name and is not in the trash.
  func holder(of name: String) throws -> NamedRow<ID>? {
    try row(folded: foldedName(name), inTrash: false)
  }

  /// The row of the thing that has a name and is not in the trash.
  func row(named name: String) throws -> Int64? { try holder(of: name)?.row }

  /// The thing that has a name and is not in the trash.
  func id(named name: String) throws -> ID? { try holder(of: name)?.id }

  private func names() throws -> [String] {
    guard try isInCatalog(Self.noun) else { return [] }
    return try String.fetchAll(
      database,
      sql: "SELECT name FROM \(Self.noun) WHERE \(Self.isThere()) ORDER BY \(Self.order)")
  }

  func row(of id: ID) throws -> Int64 {
    guard let row = try rowIfAny(of: id) else {
      throw CatalogError(.notFound, "No \(Self.noun) has the id “\(id)”.")
    }
    return row
  }

  func rowIfAny(of id: ID) throws -> Int64? {
    try Int64.fetchOne(
      database.cachedStatement(sql: "SELECT id FROM \(Self.noun) WHERE publicID = ?"),
      arguments: [id.description])
  }

  func id(ofRow row: Int64) throws -> ID? {
    try String.fetchOne(
      database.cachedStatement(sql: "SELECT publicID FROM \(Self.noun) WHERE id = ?"),
      arguments: [row]
    ).map(ID.init(stored:))
  }

  func isDeleted(_ row: Int64) throws -> Bool {
    try Bool.fetchOne(
      database.cachedStatement(
        sql: "SELECT \(Self.isThere(inTrash: true)) FROM \(Self.noun) WHERE id = ?"),
      arguments: [row]) ?? false
  }

  /// The value that a query has found.
  ///
  /// - Throws: `CatalogError` with code `damaged` for nil, as something refers to the row.
  func present<Value>(_ found: Value?) throws -> Value {
    guard let found else {
      throw CatalogError(.damaged, "The catalog lacks the \(Self.noun) of something in it.")
    }
    return found
  }
}

/// Writing.
extension NamedTable {
  /// Inserts a thing; `others` are the columns that do not follow from its details.
  ///
  /// - Returns: its row.
  func insert(
    _ details: Details, id: ID, now: Timestamp,
    _ others: KeyValuePairs<String, (any DatabaseValueConvertible)?>
  ) throws -> Int64 {
    let columns = details.columns
    let names = ["publicID", "createdAt"] + others.map(\.key) + columns.map(\.name)
    let marks = names.map { _ in "?" }.joined(separator: ", ")
    try database.cachedStatement(
      sql: "INSERT INTO \(Self.noun) (\(names.joined(separator: ", "))) VALUES (\(marks))"
    ).execute(
      arguments: [id.description, now.milliseconds] + StatementArguments(others.map(\.value))
        + StatementArguments(columns.map(\.value)))
    return database.lastInsertedRowID
  }

  /// Replaces the columns that follow from the details.
  func update(_ details: Details, _ row: Int64) throws {
    let columns = details.columns
    let names = columns.map { "\($0.name) = ?" }.joined(separator: ", ")
    try database.cachedStatement(sql: "UPDATE \(Self.noun) SET \(names) WHERE id = ?")
      .execute(arguments: StatementArguments(columns.map(\.value)) + [row])
  }

  func update(_ column: String, _ value: (any DatabaseValueConvertible)?, _ row: Int64) throws {
    try database.cachedStatement(sql: "UPDATE \(Self.noun) SET \(column) = ? WHERE id = ?")
      .execute(arguments: [value, row])
  }

  /// Checks that a name is free. The unique index would reject it as well, but in SQLite's words.
  ///
  /// - Parameter row: the thing that gets the name; nil for a new one.
  func checkName(_ name: String, of row: Int64?) throws {
    guard let holder = try holder(of: name), holder.row != row else { return }
    throw Self.nameTaken(name, by: holder.name)
  }
}

/// The owner of a table of named things in an order of the user's, by a column `rank`.
protocol OrderedTable: NamedTable {}

extension OrderedTable {
  static var order: String { "rank, id" }

  /// The rank after all others.
  func nextRank(orInTrash: Bool) throws -> Int {
    try Int.fetchOne(
      database,
      sql: """
        SELECT coalesce(max(rank) + 1, 0) FROM \(Self.noun)
        WHERE \(orInTrash ? "TRUE" : Self.isThere())
        """) ?? 0
  }

  /// Reorders all things that are not in the trash; `body` rearranges their ids.
  func rearrange(_ body: (inout [ID]) throws -> Void) throws {
    let rows = try Row.fetchAll(
      database,
      sql: "SELECT id, publicID, rank FROM \(Self.noun) WHERE \(Self.isThere()) ORDER BY rank, id")
    let before = rows.map { ID(stored: $0["publicID"]) }
    var after = before
    try body(&after)
    guard after.count == before.count, Set(after) == Set(before) else {
      throw CatalogError(.invalid, "The order must have each \(Self.noun) exactly once.")
    }
    let places = Dictionary(uniqueKeysWithValues: zip(after, after.indices))
    for (row, id) in zip(rows, before) where after != before && row["rank"] != places[id] {
      try update("rank", places[id], row["id"])
    }
  }
}
