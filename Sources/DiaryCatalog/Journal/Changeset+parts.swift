internal import Foundation

/// The parts of a changeset, one for each table (the comment "CHANGESET FORMAT" of SQLite's sqlite3session.c).
extension Changeset {
  /// The changes of the tables for which a condition holds.
  ///
  /// - Throws: `CatalogError` with code `damaged` when it is not in that format.
  func limited(to isIncluded: (String) -> Bool) throws -> Changeset {
    try bytes.withUnsafeBytes { bytes in
      var reader = PartReader(bytes: bytes)
      var ranges: [Range<Int>] = []
      while let part = try reader.next() { if isIncluded(part.table) { ranges.append(part.range) } }
      let count = ranges.reduce(0) { $0 + $1.count }
      // Large ones are not copied where all of them is kept.
      guard count < bytes.count else { return self }
      var kept = Data(capacity: count)
      for range in ranges { kept.append(contentsOf: bytes[range]) }
      return Changeset(bytes: kept)
    }
  }
}

/// Finds where each table's changes begin and end.
private struct PartReader {
  private let bytes: UnsafeRawBufferPointer
  private var index = 0

  init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// SQLite's codes (sqlite3.h).
  private static let (delete, insert, update): (UInt8, UInt8, UInt8) = (9, 18, 23)

  mutating func next() throws -> (table: String, range: Range<Int>)? {
    guard index < bytes.count else { return nil }
    let start = index
    guard try byte() == UInt8(ascii: "T") else { throw Self.malformed }
    let columnCount = try length()
    try skip(columnCount)
    let name = bytes[index...].prefix { $0 != 0 }
    try skip(name.count + 1)
    while index < bytes.count, bytes[index] != UInt8(ascii: "T") { try skipChange(columnCount) }
    return (String(decoding: name, as: UTF8.self), start..<index)
  }

  private mutating func skipChange(_ columnCount: Int) throws {
    let operation = try byte()
    // Whether a trigger made it.
    try skip(1)
    switch operation {
    case Self.insert, Self.delete: try skipRecord(columnCount)
    case Self.update:
      try skipRecord(columnCount)
      try skipRecord(columnCount)
    default: throw Self.malformed
    }
  }

  private mutating func skipRecord(_ columnCount: Int) throws {
    for _ in 0..<columnCount {
      switch try byte() {
      // Undefined, or SQLITE_NULL.
      case 0, 5: break
      // SQLITE_INTEGER, SQLITE_FLOAT.
      case 1, 2: try skip(8)
      // SQLITE_TEXT, SQLITE_BLOB.
      case 3, 4: try skip(length())
      default: throw Self.malformed
      }
    }
  }

  private mutating func byte() throws -> UInt8 {
    guard index < bytes.count else { throw Self.malformed }
    defer { index += 1 }
    return bytes[index]
  }

  private mutating func skip(_ count: Int) throws {
    guard (0...(bytes.count - index)).contains(count) else { throw Self.malformed }
    index += count
  }

  /// A varint (https://www.sqlite.org/fileformat2.html#varint) of at most 32 bits.
  private mutating func length() throws -> Int {
    var value = 0
    for _ in 0..<5 {
      let byte = try byte()
      value = value << 7 | Int(byte & 0x7F)
      if byte < 0x80 { return value }
    }
    throw Self.malformed
  }

  private static var malformed: CatalogError {
    CatalogError(.damaged, "A changeset is not in SQLite's format.")
  }
}
