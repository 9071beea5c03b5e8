internal import DiaryCatalog
package import Foundation

/// A file that was read: what it brings, and where each thing stands in it.
package struct ParsedDiary {
  var batch = DiaryBatch()
  /// Completions that came after another one of their activity on the same day, and were left out.
  var repeatedCount = 0
  /// Fields of an older program that nothing here corresponds to.
  var ignoredFields: Set<String> = []
  let source: SourceText
  /// The byte at which a thing of the batch begins.
  var offset: (BatchPlace) -> Int = { _ in 0 }

  init(_ source: SourceText) { self.source = source }

  /// - Throws: when an id stands twice in the file.
  func checkIDs() throws(LeaflogError) {
    func check<ID: Hashable>(
      _ ids: [ID], _ place: (Int) -> BatchPlace
    ) throws(LeaflogError) {
      var seen: Set<ID> = []
      for (index, id) in ids.enumerated() where !seen.insert(id).inserted {
        throw failure(at: place(index), "the id \(id) stands twice in the file.")
      }
    }
    try check(batch.plants.map(\.id.description), BatchPlace.plant)
    try check(batch.activities.map(\.id.description), BatchPlace.activity)
    try check(batch.quotes.map(\.quote.id.description), BatchPlace.quote)
    try check(batch.entries.map(\.id.description), BatchPlace.entry)
    var names: Set<String> = []
    for (index, activity) in batch.activities.enumerated() where activity.deletedAt == nil {
      guard !names.insert(foldedName(activity.details.name)).inserted else { continue }
      throw failure(
        at: .activity(index),
        "another activity in the file is called “\(activity.details.name)” too.")
    }
  }

  func failure(
    at place: BatchPlace, _ reason: String, _ code: LeaflogError.Code = .invalidRequest
  ) -> LeaflogError {
    source.failure(at: offset(place), reason, code)
  }
}

extension ParsedDiary {
  /// Reads a diary in any of the forms that there are.
  package init(reading source: SourceText, in zone: TimeZone) throws {
    try source.checkEncoding()
    let first = source.bytes.first { $0 > 0x20 }
    let isJSON =
      first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
      || source.name.lowercased().hasSuffix(".json")
    self.init(source)
    if isJSON { try readJSON(zone) } else { try readCSV(zone) }
    try checkIDs()
  }

  private mutating func readCSV(_ zone: TimeZone) throws {
    do {
      let table = try CSVTable(source.bytes)
      let (sheet, places) = try Self.sheet(of: table.header, fileName: source.name)
      for record in table.records {
        try sheet.read(SheetRow(record: record, places: places, zone: zone), &batch)
      }
      let offsets = table.records.map(\.offset)
      offset = { place in
        switch place {
        case .plant(let index), .activity(let index), .quote(let index), .entry(let index):
          offsets[index]
        }
      }
    } catch let failure as CSVTable.Failure {
      throw source.failure(at: failure.offset, failure.reason)
    }
  }

  /// The kind whose columns a table has.
  private static func sheet(
    of header: CSVTable.Record, fileName: String
  ) throws(CSVTable.Failure) -> (DiarySheet, places: [String: Int]) {
    let names = header.cells.map { $0.text.tidied ?? "" }
    func strangers(_ sheet: DiarySheet) -> [Int] {
      names.indices.filter { !sheet.columns.contains(names[$0]) }
    }
    func missing(_ sheet: DiarySheet) -> [String] {
      sheet.columns.filter { sheet.requiredColumns.contains($0) && !names.contains($0) }
    }
    let sheets = DiaryTable.allCases.map { DiarySheet.of($0) }
    let fits = sheets.first { strangers($0).isEmpty && missing($0).isEmpty }
    guard let sheet = fits else {
      // Speaks of the kind that the file's name tells, or else of the one that it resembles most.
      let named = sheets.first { $0.table.fileName == fileName }
      let nearest =
        named
        ?? sheets.min {
          strangers($0).count + missing($0).count < strangers($1).count + missing($1).count
        }
      guard let nearest, strangers(nearest).count < names.count else {
        let kinds = DiaryTable.allCases.map(\.fileName).joined(separator: ", ")
        throw CSVTable.Failure(
          offset: header.offset,
          reason: "the first row names no columns of a diary. `leaflog export csv` writes \(kinds)."
        )
      }
      if let stranger = strangers(nearest).first {
        throw CSVTable.Failure(
          offset: header.cells[stranger].offset,
          reason: "the column “\(names[stranger])” is not known; \(nearest.table.fileName) has "
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
          offset: header.cells[place].offset, reason: "the column “\(name)” stands twice.")
      }
    }
    return (sheet, places)
  }
}
