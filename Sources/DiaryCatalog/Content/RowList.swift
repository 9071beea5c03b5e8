internal import GRDB

/// The ids of rows, as an argument for `json_each` (sqlite.org/json1.html), so that a statement stays the
/// same, and cached, however many there are.
struct RowList: DatabaseValueConvertible {
  let rows: [Int64]

  var databaseValue: DatabaseValue {
    "[\(rows.map(String.init).joined(separator: ","))]".databaseValue
  }

  // Never read: lists are only arguments, but GRDB requires this of all database values.
  static func fromDatabaseValue(_: DatabaseValue) -> RowList? { nil }
}
