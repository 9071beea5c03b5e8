internal import CSQLiteSession
internal import Foundation
internal import Journal

/// The SHA-256 of a row: of its table's name and of all its values with their types, one after the other.
///
/// Each value is its type as SQLite numbers it (one byte), then an integer or a number in 8 bytes, or a text or a blob
/// with its byte count (8 bytes) before it. A real that is an integer is written as one, as SQLite stores it.
struct RowDigest {
  private var bytes: [UInt8]

  init(table: String) {
    bytes = Array(table.utf8)
    bytes.append(0)
    bytes.reserveCapacity(512)
  }

  /// The digest as a sum of one row.
  var sum: StateSum { bytes.withUnsafeBytes(StateSum.init(hashing:)) }

  mutating func add(_ value: ChangesetValue) {
    switch value {
    case .null: bytes.append(UInt8(SQLITE_NULL))
    case .integer(let integer): add(integer)
    case .real(let real): add(real)
    case .text(let text):
      var text = text
      text.withUTF8 { add(SQLITE_TEXT, UnsafeRawBufferPointer($0)) }
    case .blob(let data): data.withUnsafeBytes { add(SQLITE_BLOB, $0) }
    }
  }

  /// Adds a value that is valid during the call.
  mutating func add(_ value: OpaquePointer?) {
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: add(sqlite3_value_int64(value))
    case SQLITE_FLOAT: add(sqlite3_value_double(value))
    case SQLITE_TEXT:
      let start = sqlite3_value_text(value)
      add(SQLITE_TEXT, UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value))))
    case SQLITE_BLOB:
      let start = sqlite3_value_blob(value)
      add(SQLITE_BLOB, UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value))))
    default: bytes.append(UInt8(SQLITE_NULL))
    }
  }

  /// Adds a column of the present row of a statement.
  mutating func add(column: CInt, of row: OpaquePointer?) {
    switch sqlite3_column_type(row, column) {
    case SQLITE_INTEGER: add(sqlite3_column_int64(row, column))
    case SQLITE_FLOAT: add(sqlite3_column_double(row, column))
    case SQLITE_TEXT:
      let start = sqlite3_column_text(row, column)
      add(
        SQLITE_TEXT,
        UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(row, column))))
    case SQLITE_BLOB:
      let start = sqlite3_column_blob(row, column)
      add(
        SQLITE_BLOB,
        UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(row, column))))
    default: bytes.append(UInt8(SQLITE_NULL))
    }
  }

  private mutating func add(_ integer: Int64) {
    bytes.append(UInt8(SQLITE_INTEGER))
    append(integer)
  }

  private mutating func add(_ real: Double) {
    if let integer = Int64(exactly: real) { return add(integer) }
    bytes.append(UInt8(SQLITE_FLOAT))
    append(Int64(bitPattern: real.bitPattern))
  }

  private mutating func add(_ type: CInt, _ value: UnsafeRawBufferPointer) {
    bytes.append(UInt8(type))
    append(Int64(value.count))
    bytes.append(contentsOf: value)
  }

  private mutating func append(_ integer: Int64) {
    withUnsafeBytes(of: integer.littleEndian) { bytes.append(contentsOf: $0) }
  }
}

extension RowDigest {
  /// The name of the SQL function that gives the digest of its arguments, the first of which is the table's name. Tables
  /// that are in no changeset have a column for it.
  private static let function = "rowDigest"

  /// Makes the SQL function known to a connection.
  @discardableResult
  static func register(on connection: OpaquePointer?) -> CInt {
    sqlite3_create_function_v2(
      connection, function, -1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, nil,
      { context, count, values in
        guard count > 0, let values, let name = sqlite3_value_text(values[0]) else { return }
        var digest = RowDigest(table: String(cString: name))
        for place in 1..<Int(count) { digest.add(values[place]) }
        let bytes = digest.sum.bytes
        bytes.withUnsafeBytes {
          // -1: SQLITE_TRANSIENT, so that SQLite copies the bytes.
          let isCopied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
          sqlite3_result_blob(context, $0.baseAddress, CInt($0.count), isCopied)
        }
      }, nil, nil, nil)
  }
}
