internal import DiaryModel
internal import Foundation

/// A row of a CSV table that is being read.
struct CSVRow {
  let record: CSVTable.Record
  /// The index of each column's cell, by the column's name.
  let places: [String: Int]
  let zone: TimeZone
  /// The hour until which a time counts for the day before.
  let dayEnd: Int

  /// Fills a row from the cells, in the order of the columns.
  func fill<Row>(_ row: inout Row, _ columns: [CSVColumn<Row>]) throws {
    for column in columns {
      guard let place = places[column.name] else { continue }
      let text = CSVText.unguarded(record.cells[place].text.tidied ?? "")
      if text.isEmpty, !column.isRequired { continue }
      try checking { () throws(InvalidValue) in
        do { try column.set(&row, text) } catch let error as InvalidValue { throw error } catch {
          preconditionFailure("cells throw nothing else")
        }
      }
    }
  }

  /// Adds the cell's place to the error for a value that is not accepted.
  func checking<Value>(
    _ body: () throws(InvalidValue) -> Value
  ) throws(CSVTable.Failure) -> Value {
    do throws(InvalidValue) { return try body() } catch {
      let offset = places[error.field].map { record.cells[$0].offset }
      throw CSVTable.Failure(offset: offset ?? record.offset, reason: error.descriptionInFile)
    }
  }
}
