internal import GRDB

/// Rows by their ids, as an argument for `json_each` (sqlite.org/json1.html): a statement stays the same,
/// and cached, however many there are.
struct RowList: DatabaseValueConvertible {
  let rows: [Int64]

  var databaseValue: DatabaseValue {
    "[\(rows.map(String.init).joined(separator: ","))]".databaseValue
  }

  // Lists are arguments only; GRDB wants this of a value that could be read, too.
  static func fromDatabaseValue(_: DatabaseValue) -> RowList? { nil }
}
