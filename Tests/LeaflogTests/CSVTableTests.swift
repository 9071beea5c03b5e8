import Foundation
import Leaflog
import Testing

@Suite struct CSVTableTests {
  private func cells(_ text: String) throws -> [[String]] {
    let table = try CSVTable(Array(text.utf8))
    return ([table.header] + table.records).map { $0.cells.map(\.text) }
  }

  @Test(arguments: ["\r\n", "\n", "\r"])
  func `lines end in three ways, the last in a fourth`(end: String) throws {
    let lines = ["a,b", "1,2", "", "\"x\(end)y\",", "3,4"]
    let expected = [["a", "b"], ["1", "2"], ["x\(end)y", ""], ["3", "4"]]
    #expect(try cells(lines.joined(separator: end)) == expected)
    #expect(try cells(lines.joined(separator: end) + end) == expected)
  }

  @Test func `quotes keep commas, line breaks and quotes`() throws {
    #expect(
      try cells("a,b\r\n\"1,2\",\"a\"\"b\"\"\"\r\n\"\",\"\r\n\"") == [
        ["a", "b"], ["1,2", "a\"b\""], ["", "\r\n"],
      ])
  }

  @Test(arguments: [
    "", "x", "=1+1", "a,b", "\"", "\"\"", "a\r\nb", "\n", "🌱 é", "007", " x ", ";", "'", "-1 cup",
    "+1",
    "@SUM(1)", "'=1", "''=1", "'tis", "＝1+1", "\t=1", "-", "e=mc²",
  ])
  func `a written table is read, and no cell begins as a formula does`(text: String) throws {
    let line = CSVText.line(["a", "b"]) + CSVText.line([CSVText.quoted(text), "1"])
    let read = try cells(line)[1]
    #expect(read.map(CSVText.unguarded) == [text, "1"])
    #expect(!"=+-@＝＋－＠\t".contains(read[0].first ?? "x"))
  }

  @Test(arguments: [
    ("day,stress,notes\n1,2,\"a;b\"\n", CSVSeparator.comma),
    ("day;stress;notes\n1;2;a,b\n", .semicolon),
    ("\"day\";\"stress\"\r\n1;2\r\n", .semicolon), ("day\tstress\n1\t2\n", .tab),
    ("sep=;\r\nday;stress\r\n1;2\r\n", .semicolon), ("day\n1\n", .comma), ("", .comma),
    ("x;y\n", .semicolon), ("\"day,\n", .comma),
  ])
  func `the separator is found by the header`(text: String, separator: CSVSeparator) throws {
    let bytes = Array(text.utf8)
    #expect(CSVSeparator.found(in: bytes, columns: ["day", "stress", "notes"]) == separator)
    guard text.contains("1") else { return }
    let table = try CSVTable(bytes, separator)
    #expect(table.header.cells.first?.text == "day" && table.records.count == 1)
  }

  @Test(arguments: [
    [], ["a"], ["a", "b"], ["a; b", "c\\"], ["\\;", ";\\", "\\\\"], ["x;"], ["a\\b"], ["\n", "é"],
  ])
  func `lists are read as they were written`(items: [String]) {
    let tidy = items.filter { !$0.allSatisfy(\.isWhitespace) }
    #expect(CSVText.items(CSVText.list(tidy)) == tidy)
  }

  @Test func `lists that people typed`() {
    #expect(CSVText.items("a;b ;  c;;") == ["a", "b", "c"])
    #expect(CSVText.items("C:\\temp; x\\") == ["C:\\temp", "x\\"])
  }

  @Test(arguments: [
    ("", 0, "empty"), ("\r\n\r\n", 0, "empty"), ("a,b\r\n1\r\n", 5, "1 field"),
    ("a,b\r\n1,2,3\r\n", 9, "3 fields"), ("a\r\nx\"y\r\n", 4, "doubled"),
    ("a\r\n\"x\"y\r\n", 6, "doubled"), ("a,b\r\n1,\"x\r\n2,3\r\n", 7, "never closed"),
    ("a\r\nx\0y", 4, "NUL"), ("a\r\n\"x\0y\"", 5, "NUL"),
  ])
  func `the first place that is wrong is found`(text: String, offset: Int, reason: String) throws {
    let failure = #expect(throws: CSVTable.Failure.self) { try CSVTable(Array(text.utf8)) }
    #expect(failure?.offset == offset)
    #expect(failure?.reason.contains(reason) == true, "\(failure?.reason ?? "")")
  }
}
