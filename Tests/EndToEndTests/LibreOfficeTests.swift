import Foundation
import FoundationXML
import Leaflog
import TestSupport
import Testing

/// Tables as LibreOffice sees them: the same values, without a formula.
@Suite(.enabled(if: LibreOffice.program != nil, "LibreOffice is not installed"))
struct LibreOfficeTests {
  @Test func `every table has the same values there`() throws {
    let fixture = try CommandFixture()
    _ = try fixture.leaflog("init", "--time-zone", "Europe/Berlin", "--quiet")
    #expect(try fixture.leaflog("import-diary", Fixtures.path("Diary/diary-1.json")).status == 0)
    #expect(try fixture.leaflog("export", "csv", "-o", fixture.folder.file("tables")).status == 0)
    let tables = fixture.folder.files(below: "tables").map { fixture.folder.file("tables/" + $0) }
    #expect(tables.count == 7)
    try convert(tables, in: fixture.folder)
    for table in tables {
      let name = URL(fileURLWithPath: table).deletingPathExtension().lastPathComponent
      let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: table)))
      let csv = try CSVTable(SourceText(name: name, bytes: bytes).bytes)
      let expected = ([csv.header] + csv.records).map { $0.cells.map(\.text) }
      let found = try sheet(fixture.folder.file("sheets/\(name).fods"))
      #expect(found.count == expected.count, "\(name)")
      for (row, cells) in zip(found, expected) {
        for (index, text) in cells.enumerated() {
          let cell = index < row.count ? row[index] : SheetCell()
          #expect(cell.formula == nil, "\(name)")
          #expect(cell.says(text), "\(name): \(cell) instead of \(text)")
        }
      }
    }
  }

  @Test func `tables that it saves with semicolons are imported without a difference`() throws {
    let fixture = try CommandFixture()
    _ = try fixture.leaflog("init", "--time-zone", "Europe/Berlin", "--quiet")
    #expect(try fixture.leaflog("import-diary", Fixtures.path("Diary/diary-1.json")).status == 0)
    for (day, note) in [
      ("2025-05-01", "=1+1"), ("2025-05-02", "-1 cup; or @2"), ("2025-05-03", "'+x"),
    ] {
      #expect(
        try fixture.leaflog.run(["mood", "set", "calm", "--on", day, "--note", note]).status == 0)
    }
    let names = DiaryCSV.ofDiary.map(\.fileName).filter { $0 != "completions.csv" }
    #expect(try fixture.leaflog("export", "csv", "-o", fixture.folder.file("tables")).status == 0)
    // Semicolons, quotes, UTF-8, all texts in quotes, cells as they are shown.
    try convert(
      names.map { fixture.folder.file("tables/" + $0) }, in: fixture.folder,
      to: "csv:Text - txt - csv (StarCalc):59,34,76,1,,0,true,true,false")
    let other = try CommandFixture()
    _ = try other.leaflog("init", "--time-zone", "Europe/Berlin", "--quiet")
    for name in names.reversed() {
      let imported = try other.leaflog("import-diary", fixture.folder.file("sheets/" + name))
      #expect(imported.status == 0, "\(name): \(imported.error)")
      #expect(imported.output.hasPrefix("The columns are separated by semicolons."))
    }
    #expect(try other.leaflog("export", "csv", "-o", other.folder.file("tables")).status == 0)
    for name in names {
      let (here, there) = (
        fixture.folder.file("tables/" + name), other.folder.file("tables/" + name)
      )
      let texts = try [here, there].map { path in
        String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
      }
      // Lines within a cell end with LF there.
      #expect(
        texts[0].replacing("\r\n", with: "\n") == texts[1].replacing("\r\n", with: "\n"), "\(name)")
    }
  }

  /// Commas, quotes, UTF-8, and quoted fields as text: what the dialog offers, as a filter's tokens.
  private func convert(
    _ tables: [String], in folder: TemporaryFolder, to format: String = "fods"
  ) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(LibreOffice.program))
    process.arguments =
      [
        "--headless", "-env:UserInstallation=file://" + folder.file("profile"),
        "--infilter=CSV:44,34,76,1,,0,true", "--convert-to", format, "--outdir",
        folder.file("sheets"),
      ] + tables
    (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
    process.standardInput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }

  private struct SheetCell {
    var type = ""
    /// Of a number or a date.
    var value = ""
    var text = ""
    var formula: String?

    /// Whether this is what a cell of the table says.
    func says(_ cell: String) -> Bool {
      switch type {
      case "float": Double(value) == Double(cell)
      // LibreOffice reads times without an offset as such, and writes them to hundredths of a second.
      case "date": value == cell || text == cell
      // Tabs within a cell it leaves out.
      default: text == cell.replacing("\r\n", with: "\n").replacing("\t", with: "")
      }
    }
  }

  private func sheet(_ path: String) throws -> [[SheetCell]] {
    let document = try XMLDocument(
      data: Data(contentsOf: URL(fileURLWithPath: path)), options: [.nodePreserveWhitespace])
    return try document.nodes(forXPath: "//*[local-name()='table-row']").map { row in
      (row.children ?? []).compactMap { $0 as? XMLElement }.flatMap { element in
        func attribute(_ name: String) -> String? { element.attribute(forName: name)?.stringValue }
        var cell = SheetCell()
        cell.type = attribute("office:value-type") ?? ""
        cell.value = attribute("office:value") ?? attribute("office:date-value") ?? ""
        cell.formula = attribute("table:formula")
        cell.text = (element.children ?? []).filter { $0.name == "text:p" }.map(text)
          .joined(separator: "\n")
        let count = attribute("table:number-columns-repeated").flatMap { Int($0) } ?? 1
        return Array(repeating: cell, count: min(count, 100))
      }
    }
  }

  /// Spaces in a row are an element in OpenDocument (part 3, 6.1.3).
  private func text(_ node: XMLNode) -> String {
    switch node.name {
    case "text:s":
      let count = (node as? XMLElement)?.attribute(forName: "text:c")?.stringValue
      return String(repeating: " ", count: count.flatMap { Int($0) } ?? 1)
    default:
      return node.kind == .text
        ? node.stringValue ?? "" : (node.children ?? []).map(text).joined()
    }
  }
}

private enum LibreOffice {
  static let program = [
    "/usr/bin/soffice", "/usr/local/bin/soffice", "/opt/libreoffice/program/soffice",
  ]
  .first { FileManager.default.isExecutableFile(atPath: $0) }
}
