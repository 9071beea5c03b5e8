import Foundation
import Leaflog
import Testing

@Suite struct JSONSyntaxTests {
  @Test(arguments: [
    "null", " true ", "-0", "0.5e+10", "1E5", "\"\"", "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\"",
    "[]", "{}", "[1,[2,{\"a\":[]}]]", "{\"a\":1,\"b\":{\"a\":2}}", "\"\\ud83c\\udf31 🌱\"",
    String(repeating: "[", count: 64) + String(repeating: "]", count: 64),
  ])
  func `what RFC 8259 allows is right`(text: String) throws {
    try JSONSyntax.check(Array(text.utf8))
  }

  @Test(arguments: [
    ("", 0), ("  ", 2), ("nul", 0), ("truex", 4), ("01", 1), ("-", 1), ("1.", 2), ("1e", 2),
    (".5", 0), ("+1", 0), ("NaN", 0), ("Infinity", 0), ("'a'", 0), ("[1,]", 3), ("[1 2]", 3),
    ("[1", 2), ("{\"a\"}", 4), ("{\"a\":}", 5), ("{a:1}", 1), ("{\"a\":1,}", 7), ("{\"a\":1", 6),
    ("[1]]", 3), ("\"a", 0), ("\"a\nb\"", 2), ("\"\\x\"", 2), ("\"\\u12G4\"", 1),
    ("\"\\u12", 1), ("\"a\\ud800\"", 2), ("\"\\udc00\"", 1), ("\"\\ud800\\u0041\"", 1),
    ("\"\\u0000\"", 1), ("{\"a\":1, \"a\":2}", 8), ("{\"a\":1,\"\\u0061\":2}", 7), ("// no", 0),
    (String(repeating: "[", count: 65), 64),
  ])
  func `the first place that is wrong is found`(text: String, offset: Int) throws {
    let failure = #expect(throws: JSONSyntax.Failure.self) {
      try JSONSyntax.check(Array(text.utf8))
    }
    #expect(failure?.offset == offset, "\(failure?.reason ?? "")")
  }

  @Test func `everything that it lets through, JSONDecoder reads`() throws {
    // Every document of up to four of these pieces.
    let pieces = ["[", "]", "{", "}", ",", ":", "\"a\"", "1", "null"]
    var documents = [""]
    var good = 0
    for _ in 0..<4 {
      documents = documents.flatMap { start in pieces.map { start + $0 } }
      for document in documents where (try? JSONSyntax.check(Array(document.utf8))) != nil {
        good += 1
        #expect(throws: Never.self, "\(document)") {
          try JSONSerialization.jsonObject(with: Data(document.utf8), options: .fragmentsAllowed)
        }
      }
    }
    #expect(good > 10)
  }
}

@Suite struct JSONPositionsTests {
  private struct Key: CodingKey, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    let stringValue: String
    let intValue: Int?
    init(stringValue: String) { (self.stringValue, intValue) = (stringValue, nil) }
    init(intValue: Int) { (stringValue, self.intValue) = ("\(intValue)", intValue) }
    init(stringLiteral: String) { self.init(stringValue: stringLiteral) }
    init(integerLiteral: Int) { self.init(intValue: integerLiteral) }
  }

  private static let text = """
    {"a": [10, {"b\\u00e9": "x]}\\"", "c": -1.5e3}, []],
     "d": {"e": null, "a": "é"}}
    """

  private func found(_ path: Key...) -> (text: String, isExact: Bool, line: Int, column: Int) {
    let source = SourceText(name: "x", bytes: Array(Self.text.utf8))
    let positions = JSONPositions(bytes: source.bytes)
    let (offset, isExact) = positions.value(at: path)
    let (line, column) = source.position(at: offset)
    return (positions.shown(at: offset), isExact, line, column)
  }

  @Test func `values are found by their paths`() {
    #expect(found() == ("an object", true, 1, 1))
    #expect(found("a") == ("a list", true, 1, 7))
    #expect(found("a", 0) == ("10", true, 1, 8))
    #expect(found("a", 1, "bé") == ("“x]}\"”", true, 1, 24))
    #expect(found("a", 1, "c") == ("-1.5e3", true, 1, 38))
    #expect(found("a", 2) == ("a list", true, 1, 47))
    #expect(found("d", "e") == ("null", true, 2, 13))
    #expect(found("d", "a") == ("“é”", true, 2, 24))
  }

  @Test func `what is not there is told by what is around it`() {
    #expect(found("a", 3) == ("a list", false, 1, 7))
    #expect(found("a", 2, 0) == ("a list", false, 1, 47))
    #expect(found("d", "x", "y") == ("an object", false, 2, 7))
    #expect(found("a", "x") == ("a list", false, 1, 7))
  }
}

@Suite struct SourceTextTests {
  @Test(arguments: [
    (0, 1, 1), (1, 1, 2), (3, 1, 3), (4, 2, 1), (5, 3, 1), (6, 3, 2), (8, 4, 1), (26, 4, 2),
    (27, 4, 3), (99, 4, 3),
  ])
  func `columns count characters, and lines end in three ways`(
    offset: Int, line: Int, column: Int
  ) {
    // The family is one character of 18 bytes.
    let text = "aé\n\rb\r\n👨‍👩‍👧x"
    #expect(SourceText(name: "x", bytes: Array(text.utf8)).position(at: offset) == (line, column))
  }

  @Test func `a byte order mark is no character`() throws {
    let source = SourceText(name: "x", bytes: [0xEF, 0xBB, 0xBF, 0x61])
    #expect(source.bytes == [0x61])
  }

  @Test(
    arguments: [
      ([0x61, 0xFF], 2), ([0xC3], 1), ([0xC0, 0x80], 1), ([0x61, 0xE2, 0x82], 2),
      ([0xED, 0xA0, 0x80], 1), ([0xF4, 0x90, 0x80, 0x80], 1), ([0xC3, 0xA9, 0x80], 2),
      ([0xE2, 0x82, 0x41], 1),
    ] as [([UInt8], Int)])
  func `the first byte that is no UTF-8 is named`(bytes: [UInt8], column: Int) throws {
    let error = #expect(throws: LeaflogError.self) {
      try SourceText(name: "x", bytes: bytes).checkEncoding()
    }
    #expect(error?.message.hasPrefix("x, line 1, column \(column): the byte 0x") == true)
  }
}
