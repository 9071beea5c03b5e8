internal import DiaryCatalog
package import Foundation

/// The content of a parsed file, with the position of each part.
package struct DiaryFile {
  var batch = DiaryBatch()
  /// The number of completions skipped because their activity had one on the same day already.
  var repeatedCount = 0
  /// Fields of an Okie file that Leaflog has no counterpart for.
  var ignoredFields: Set<String> = []
  /// The separator of a table; nil for JSON.
  var separator: CSVSeparator?
  let source: SourceText
  /// The offset of the byte at which a part of the batch begins.
  var offset: (BatchPlace) -> Int = { _ in 0 }

  init(_ source: SourceText) { self.source = source }

  /// - Throws: when an id or an activity's name occurs twice in the file.
  func checkIDs() throws(LeaflogError) {
    func check<ID: Hashable>(
      _ ids: [ID], _ place: (Int) -> BatchPlace
    ) throws(LeaflogError) {
      var seen: Set<ID> = []
      for (index, id) in ids.enumerated() where !seen.insert(id).inserted {
        throw failure(at: place(index), "the id \(id) occurs twice in the file.")
      }
    }
    try check(batch.plants.map(\.id.description), BatchPlace.plant)
    try check(batch.activities.map(\.id.description), BatchPlace.activity)
    try check(batch.quotes.map(\.quote.id.description), BatchPlace.quote)
    try check(batch.factors.map(\.id.description), BatchPlace.factor)
    try check(batch.entries.map(\.id.description), BatchPlace.entry)
    func check(
      names: [(index: Int, name: String)], _ noun: String, _ place: (Int) -> BatchPlace
    ) throws(LeaflogError) {
      var seen: Set<String> = []
      for (index, name) in names where !seen.insert(foldedName(name)).inserted {
        throw failure(at: place(index), "another \(noun) in the file is called “\(name)” too.")
      }
    }
    try check(
      names: batch.activities.enumerated().filter { $1.deletedAt == nil }
        .map { ($0, $1.details.name) }, "activity", BatchPlace.activity)
    try check(
      names: batch.factors.enumerated().map { ($0, $1.details.name) }, "factor",
      BatchPlace.factor)
  }

  func failure(
    at place: BatchPlace, _ reason: String, _ code: LeaflogError.Code = .invalidRequest
  ) -> LeaflogError {
    source.failure(at: offset(place), reason, code)
  }
}

extension DiaryFile {
  /// Reads a diary in any of the supported formats.
  ///
  /// - Parameters:
  ///   - zone: the library's.
  ///   - dayEnd: the hour until which a time counts for the day before, where the file does not say its day.
  package init(reading source: SourceText, in zone: TimeZone, dayEnd: Int = 0) throws {
    try source.checkEncoding()
    let first = source.bytes.first { $0 > 0x20 }
    let isJSON =
      first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
      || source.name.lowercased().hasSuffix(".json")
    self.init(source)
    if isJSON { try readJSON(zone, dayEnd: dayEnd) } else { try readCSV(zone, dayEnd: dayEnd) }
    try checkIDs()
  }

  private mutating func readCSV(_ zone: TimeZone, dayEnd: Int) throws {
    do {
      let schemas = DiaryCSV.allCases.map { CSVSchema.of($0) }
      let columns = schemas.reduce(into: Set()) { $0.formUnion($1.columns) }
      let separator = CSVSeparator.found(in: source.bytes, columns: columns)
      self.separator = separator
      let table = try CSVTable(source.bytes, separator)
      let (schema, places) = try Self.schema(of: table.header, fileName: source.name)
      for record in table.records {
        try Task.checkCancellation()
        let row = CSVRow(record: record, places: places, zone: zone, dayEnd: dayEnd)
        try schema.read(row, &batch)
      }
      let offsets = table.records.map(\.offset)
      offset = { place in
        switch place {
        case .plant(let index), .activity(let index), .quote(let index), .factor(let index),
          .entry(let index):
          offsets[index]
        }
      }
    } catch let failure as CSVTable.Failure {
      throw source.failure(at: failure.offset, failure.reason)
    }
  }

  /// The schema that fits a table's columns, and the index of each column.
  private static func schema(
    of header: CSVTable.Record, fileName: String
  ) throws(CSVTable.Failure) -> (CSVSchema, places: [String: Int]) {
    let names = header.cells.map { $0.text.tidied ?? "" }
    func unknown(_ schema: CSVSchema) -> [Int] {
      names.indices.filter { !schema.columns.contains(names[$0]) }
    }
    func missing(_ schema: CSVSchema) -> [String] {
      schema.columns.filter { schema.requiredColumns.contains($0) && !names.contains($0) }
    }
    let schemas = DiaryCSV.ofDiary.map { table in
      CSVSchema.of(table, factors: names.compactMap(CSVSchema.factor))
    }
    let fits = schemas.first { unknown($0).isEmpty && missing($0).isEmpty }
    guard let schema = fits else {
      if CSVSchema.isOfPhotos(names) {
        throw CSVTable.Failure(
          offset: header.offset,
          reason:
            "this is the table of photos, which is not imported: photos come from their files.")
      }
      // The message is about the table that the file is named after, or else the most similar one.
      let named = schemas.first { $0.table.fileName == fileName }
      let nearest =
        named
        ?? schemas.min {
          unknown($0).count + missing($0).count < unknown($1).count + missing($1).count
        }
      guard let nearest, unknown(nearest).count < names.count else {
        let kinds = DiaryCSV.ofDiary.map(\.fileName).joined(separator: ", ")
        throw CSVTable.Failure(
          offset: header.offset,
          reason: "the first row names no columns of a diary. An export as CSV has \(kinds)."
        )
      }
      if let column = unknown(nearest).first {
        throw CSVTable.Failure(
          offset: header.cells[column].offset,
          reason: "the column “\(names[column])” is not known; \(nearest.table.fileName) has "
            + nearest.columns.joined(separator: ", ") + ".")
      }
      let columns = missing(nearest).map { "“\($0)”" }.joined(separator: " and ")
      throw CSVTable.Failure(
        offset: header.offset,
        reason: "the column \(columns) is missing, which \(nearest.table.fileName) has to have.")
    }
    var places: [String: Int] = [:]
    for (place, name) in names.enumerated() {
      guard places.updateValue(place, forKey: name) == nil else {
        throw CSVTable.Failure(
          offset: header.cells[place].offset, reason: "the column “\(name)” occurs twice.")
      }
    }
    return (schema, places)
  }
}
