import Foundation
import Leaflog
import TestSupport
import Testing

/// A library in Berlin without photos, and files beside it.
struct ExchangeFixture {
  let base: LibraryFixture

  init() throws { base = try LibraryFixture() }

  var library: Library { base.library }

  /// The text that `export json` writes.
  func json() throws -> String {
    let path = base.folder.file("out.json")
    _ = try DiaryExporter(library).writeJSON(into: .file(path))
    return try String(contentsOfFile: path, encoding: .utf8)
  }

  /// The text that `export csv --kind` writes, without the byte order mark that each table has.
  func csv(
    _ table: DiaryCSV, from first: String? = nil, to last: String? = nil
  ) throws -> String {
    let path = base.folder.file("out.csv")
    _ = try DiaryExporter(library).writeCSV(
      table, from: first.flatMap { LocalDay($0) }, to: last.flatMap { LocalDay($0) },
      into: .file(path))
    let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
    #expect(text.unicodeScalars.first == "\u{FEFF}")
    return String(text.unicodeScalars.dropFirst())
  }

  @discardableResult
  func read(
    _ text: String, as name: String = "diary.json", merge: DiaryMerge? = nil,
    isDryRun: Bool = false
  ) throws -> DiaryImportReport {
    let path = try base.folder.write(Data(text.utf8), to: name)
    return try DiaryImporter(library).read(path, merge: merge, isDryRun: isDryRun)
  }

  @discardableResult
  func readFixture(_ name: String) throws -> DiaryImportReport {
    try DiaryImporter(library).read(Fixtures.path("Diary/" + name))
  }

  /// The message about a file that cannot be imported; nothing of it may have come in.
  func refusal(
    of text: String, as name: String = "diary.json",
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> LeaflogError {
    let before = try json()
    let error = #expect(throws: LeaflogError.self, sourceLocation: sourceLocation) {
      try read(text, as: name)
    }
    #expect(try json() == before, sourceLocation: sourceLocation)
    return try #require(error, sourceLocation: sourceLocation)
  }

  /// A document with these lists, each written as it is given.
  static func document(
    entries: String = "", activities: String = "", plants: String = "", quotes: String = "",
    settings: String = ""
  ) -> String {
    """
    {"format": "leaflog-diary", "version": 1,
    "plants": [\(plants)],
    "activities": [\(activities)],
    "quotes": [\(quotes)],
    "settings": {\(settings)},
    "entries": [
    \(entries)
    ]}
    """
  }

  /// An id that ends with a number.
  static func id(_ number: Int) -> String {
    let digits = "\(number)"
    return String(repeating: "0", count: 32 - digits.count) + digits
  }
}
