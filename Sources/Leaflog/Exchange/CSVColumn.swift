internal import DiaryModel

/// A column of a table, defined once for writing and reading.
struct CSVColumn<Row> {
  /// The name of the field in JSON.
  let name: String
  /// The accepted values, for messages.
  let takes: String
  /// Whether the table has to have it.
  var isRequired = false
  /// The cell as it is written, quotes included; empty without a value.
  let cell: (Row) -> String
  /// Sets the row's field from a cell. Empty cells are skipped, unless the column is required.
  let set: (inout Row, String) throws -> Void

  /// The error for a cell that the column does not accept.
  func wrong(_ text: String) -> InvalidValue {
    InvalidValue(name, takes: takes, given: text.isEmpty ? "nothing" : "“\(text)”")
  }

  func required() -> CSVColumn {
    var column = self
    column.isRequired = true
    return column
  }

  /// The same column for a type that contains such a row.
  func lifted<Whole>(_ path: WritableKeyPath<Whole, Row>) -> CSVColumn<Whole> {
    CSVColumn<Whole>(
      name: name, takes: takes, isRequired: isRequired, cell: { cell($0[keyPath: path]) },
      set: { try set(&$0[keyPath: path], $1) })
  }

  /// `parse` returns nil for values that are not accepted.
  static func value<Value>(
    _ name: String, takes: String, _ path: WritableKeyPath<Row, Value?>,
    write: @escaping (Value) -> String, parse: @escaping (String) -> Value?
  ) -> CSVColumn {
    CSVColumn(
      name: name, takes: takes, cell: { $0[keyPath: path].map(write) ?? "" },
      set: { row, text in
        guard let value = parse(text) else {
          throw InvalidValue(name, takes: takes, given: text.isEmpty ? "nothing" : "“\(text)”")
        }
        row[keyPath: path] = value
      })
  }

  static func text(
    _ name: String, takes: String = "a text", _ path: WritableKeyPath<Row, String?>
  ) -> CSVColumn {
    value(name, takes: takes, path, write: CSVText.quoted) { $0.tidied }
  }

  static func integer(
    _ name: String, _ range: ClosedRange<Int>, _ path: WritableKeyPath<Row, Int?>
  ) -> CSVColumn {
    value(
      name, takes: "\(range.lowerBound) to \(range.upperBound)", path, write: { String($0) },
      parse: { text in Int(text).flatMap { range.contains($0) ? $0 : nil } })
  }

  static func choice<Value: RawRepresentable & CaseIterable>(
    _ name: String, _ path: WritableKeyPath<Row, Value?>
  ) -> CSVColumn where Value.RawValue == String {
    value(name, takes: Value.alternatives, path, write: { CSVText.quoted($0.rawValue) }) { text in
      try? Value.written(text, field: name)
    }
  }

  static func flag(_ name: String, _ path: WritableKeyPath<Row, Bool?>) -> CSVColumn {
    value(name, takes: "yes or no", path, write: { $0 ? "yes" : "no" }) { text in
      ["yes": true, "no": false, "true": true, "false": false][text.lowercased()]
    }
  }

  static func day(_ name: String, _ path: WritableKeyPath<Row, LocalDay?>) -> CSVColumn {
    value(name, takes: DiaryFields.day, path, write: \.description) { LocalDay(isoDay($0)) }
  }

  /// RFC 9557 (2.2): `Z` is a moment without a known zone, `+00:00` a clock that shows UTC.
  static func time(_ name: String, _ path: WritableKeyPath<Row, RecordedTime?>) -> CSVColumn {
    value(
      name, takes: DiaryFields.time, path,
      write: { time in
        if case .zoned(let wall, .utc) = time { return "\(wall)+00:00" }
        return time.iso8601
      },
      parse: { text in
        // LibreOffice writes times with a space.
        let text = isoDay(text).replacing(" ", with: "T", maxReplacements: 1)
        guard text.hasSuffix("Z"), case .zoned(let wall, let offset)? = RecordedTime(text) else {
          return RecordedTime(text)?.withKnownDay
        }
        return .instant(wall.timestamp(offset: offset))
      })
  }

  static func list(_ name: String, _ path: WritableKeyPath<Row, [String]>) -> CSVColumn {
    CSVColumn(
      name: name, takes: "texts with semicolons between",
      cell: { CSVText.quoted(CSVText.list($0[keyPath: path])) },
      set: { $0[keyPath: path] = CSVText.items($1) })
  }

  static func choices<Value: RawRepresentable & CaseIterable>(
    _ name: String, _ path: WritableKeyPath<Row, [Value]>
  ) -> CSVColumn where Value.RawValue == String {
    CSVColumn(
      name: name, takes: Value.alternatives,
      cell: { CSVText.quoted(CSVText.list($0[keyPath: path].map(\.rawValue))) },
      set: { row, text in
        row[keyPath: path] = try CSVText.items(text).map { try Value.written($0, field: name) }
      })
  }
}

/// A day or time as a spreadsheet shows it in German and other languages, `25.11.2026 9:30`, in the form of ISO 8601; any
/// other text as it is. No language has the month before the day where there are dots between them.
private func isoDay(_ text: String) -> String {
  guard
    let parts = text.wholeMatch(of: /(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})(?:[ T](\d{1,2})(:.*))?/)
  else { return text }
  func padded(_ number: Substring) -> String { number.count == 1 ? "0" + number : String(number) }
  let day = "\(parts.3)-\(padded(parts.2))-\(padded(parts.1))"
  guard let hour = parts.4, let rest = parts.5 else { return day }
  return "\(day) \(padded(hour))\(rest)"
}

extension RawRepresentable where Self: CaseIterable, RawValue == String {
  /// All values as files spell them: `cough, soreThroat or fever`.
  static var alternatives: String {
    let names = allCases.map(\.rawValue)
    return names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
  }

  /// Like `named`, but the error lists the values as files spell them.
  static func written(_ text: String, field: String) throws(InvalidValue) -> Self {
    do { return try named(text, field: field) } catch {
      throw InvalidValue(field, takes: alternatives, given: text.isEmpty ? "nothing" : "“\(text)”")
    }
  }
}
