/// The records of a CSV file (RFC 4180), with the positions of their cells.
package struct CSVTable {
  package struct Cell: Equatable {
    package let text: String
    /// The offset of its first byte, including an opening quote.
    package let offset: Int
  }

  package struct Record: Equatable {
    package var cells: [Cell]
    /// The offset of its first cell.
    package var offset: Int { cells[0].offset }
  }

  /// A syntax error, and the offset of its byte.
  package struct Failure: Error, Equatable {
    package let offset: Int
    package let reason: String
  }

  /// The first record.
  package let header: Record
  /// The records after the header. Empty lines are skipped.
  package let records: [Record]

  /// Reads a table. Lines may end with CR LF, as in RFC 4180, or with only one of the two.
  ///
  /// - Throws: the first error; every record must have as many cells as the first.
  package init(_ bytes: [UInt8], _ separator: CSVSeparator = .comma) throws(Failure) {
    var reader = bytes[...]
    CSVSeparator.skipNote(&reader)
    var all: [Record] = []
    while let record = try Self.record(&reader, separator) {
      let isEmpty = record.cells.count == 1 && record.cells[0].text.isEmpty
      guard !isEmpty else { continue }
      if let header = all.first, record.cells.count != header.cells.count {
        let place = min(record.cells.count, header.cells.count) - 1
        throw Failure(
          offset: record.cells[record.cells.count > header.cells.count ? place + 1 : place].offset,
          reason: "this row has \(Self.fields(record.cells.count)), and the first row has "
            + "\(Self.fields(header.cells.count)).")
      }
      all.append(record)
    }
    guard let first = all.first else {
      throw Failure(offset: 0, reason: "the file is empty; its first row has to name the columns.")
    }
    header = first
    records = Array(all.dropFirst())
  }

  private static func fields(_ count: Int) -> String { count == 1 ? "1 field" : "\(count) fields" }

  /// The record that begins here; nil at the end.
  fileprivate static func record(
    _ rest: inout ArraySlice<UInt8>, _ separator: CSVSeparator
  ) throws(Failure) -> Record? {
    guard !rest.isEmpty else { return nil }
    var cells: [Cell] = []
    while true {
      cells.append(try cell(&rest, separator))
      guard let byte = rest.popFirst() else { return Record(cells: cells) }
      if byte == separator.byte { continue }
      if byte == 0x0D, rest.first == 0x0A { rest.removeFirst() }
      return Record(cells: cells)
    }
  }

  private static func cell(
    _ rest: inout ArraySlice<UInt8>, _ separator: CSVSeparator
  ) throws(Failure) -> Cell {
    let start = rest.startIndex
    guard rest.first == UInt8(ascii: "\"") else {
      let end = rest.firstIndex { $0 == separator.byte || $0 == 0x0D || $0 == 0x0A }
      let bytes = rest[..<(end ?? rest.endIndex)]
      if let wrong = bytes.firstIndex(where: { $0 == UInt8(ascii: "\"") || $0 == 0 }) {
        throw Failure(
          offset: wrong,
          reason: bytes[wrong] == 0
            ? nul : "a field with quotes in it has to begin with one, and has each of them doubled."
        )
      }
      rest = rest[bytes.endIndex...]
      return Cell(text: String(decoding: bytes, as: UTF8.self), offset: start)
    }
    rest.removeFirst()
    var text: [UInt8] = []
    while let quote = rest.firstIndex(where: { $0 == UInt8(ascii: "\"") || $0 == 0 }) {
      if rest[quote] == 0 { throw Failure(offset: quote, reason: nul) }
      text += rest[..<quote]
      rest = rest[(quote + 1)...]
      guard let next = rest.first, next != separator.byte, next != 0x0D, next != 0x0A else {
        return Cell(text: String(decoding: text, as: UTF8.self), offset: start)
      }
      guard next == UInt8(ascii: "\"") else {
        throw Failure(
          offset: rest.startIndex,
          reason:
            "a \(separator.name) or the end of the line has to follow the quote that ends a field; one that "
            + "belongs to the text is doubled.")
      }
      text.append(next)
      rest.removeFirst()
    }
    throw Failure(offset: start, reason: "the quote that begins this field is never closed.")
  }

  private static let nul = "the character NUL cannot be kept."
}

/// The character between the cells of a table.
public enum CSVSeparator: String, Sendable, CaseIterable {
  /// As in RFC 4180.
  case comma = ","
  /// As Excel writes it where numbers have a decimal comma.
  case semicolon = ";"
  /// As spreadsheets write tab-separated values.
  case tab = "\t"

  fileprivate var byte: UInt8 {
    switch self {
    case .comma: UInt8(ascii: ",")
    case .semicolon: UInt8(ascii: ";")
    case .tab: UInt8(ascii: "\t")
    }
  }

  /// A word for messages.
  public var name: String {
    switch self {
    case .comma: "comma"
    case .semicolon: "semicolon"
    case .tab: "tab"
    }
  }

  /// The separator with which the first record has most of the known columns.
  package static func found(in bytes: [UInt8], columns: Set<String>) -> CSVSeparator {
    func fit(_ separator: CSVSeparator) -> (known: Int, all: Int) {
      var reader = bytes[...]
      skipNote(&reader)
      let cells = (try? CSVTable.record(&reader, separator))?.cells ?? []
      return (cells.count { columns.contains($0.text.tidied ?? "") }, cells.count)
    }
    // `max` returns the first of equal elements: the comma.
    return allCases.map { ($0, fit($0)) }.max { $0.1 < $1.1 }?.0 ?? .comma
  }

  /// Skips the line `sep=;`, by which Excel is told the separator.
  fileprivate static func skipNote(_ bytes: inout ArraySlice<UInt8>) {
    guard bytes.starts(with: Array("sep=".utf8)) else { return }
    let rest = bytes.dropFirst(5).drop { $0 == 0x0D }
    guard let end = rest.first, end == 0x0A else { return }
    bytes = rest.dropFirst()
  }
}
