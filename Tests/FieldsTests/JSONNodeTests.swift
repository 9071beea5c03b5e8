import Foundation
import Fields
import Testing

@Suite struct JSONNodeTests {
  @Test(arguments: [
    "null", " true ", "-0", "0.5e+10", "1E5", "\"\"", "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\"",
    "[]", "{}", "[1,[2,{\"a\":[]}]]", "{\"a\":1,\"b\":{\"a\":2}}", "\"\\ud83c\\udf31 🌱\"",
    String(repeating: "[", count: 64) + String(repeating: "]", count: 64),
  ])
  func `JSON that RFC 8259 allows is read`(text: String) throws {
    _ = try JSONNode(parsing: Array(text.utf8))
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
    let failure = #expect(throws: JSONFailure.self) {
      _ = try JSONNode(parsing: Array(text.utf8))
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
      for document in documents where (try? JSONNode(parsing: Array(document.utf8))) != nil {
        good += 1
        #expect(throws: Never.self, "\(document)") {
          try JSONSerialization.jsonObject(with: Data(document.utf8), options: .fragmentsAllowed)
        }
      }
    }
    #expect(good > 10)
  }

  @Test func `values have their positions, and numbers their kinds`() throws {
    let text = #"{"a": [10, {"b\u00e9": "x]}\""}, -1.5e3, 1.5, 3.0, 1e999], "c": null}"#
    let node = try JSONNode(parsing: Array(text.utf8))
    guard case .list(let items)? = node["a"]?.value else {
      Issue.record("it is a list")
      return
    }
    #expect(items.map(\.scalar) == [.whole(10), nil, .whole(-1500), .number(1.5), .whole(3), nil])
    #expect(items.map(\.given) == ["10", "an object", "-1500", "1.5", "3", "1e999"])
    #expect(items[1]["bé"]?.scalar == .text("x]}\""))
    for item in items.dropFirst(2) {
      #expect(text.utf8.dropFirst(item.offset).first.map { "-13".utf8.contains($0) } == true)
    }
    #expect(node["c"]?.scalar == .null)
    #expect(node["d"] == nil)
  }

  @Test func `bytes that are no UTF-8 are refused`() {
    #expect(throws: JSONFailure.self) { try JSONNode(parsing: [0x22, 0xFF, 0x22]) }
  }

  @Test func `a writer's bytes are those of Foundation's encoder`() throws {
    let texts = ["", "a/b", "\u{0}\u{1f}\u{7f}", "\"\\\n\r\t\u{8}\u{c}", "é🌱\u{2028}"]
    let numbers = [0, 7.25, -0.5, 1e-5, 123_456.789, 1e20]
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    for value in texts.map({ Scalar.text($0) }) + numbers.map({ .number($0) })
      + [.flag(true), .null, .whole(.min), .list([.whole(1), .list([])])]
    {
      var json = JSONWriter()
      json.array([value]) { $1.write($0) }
      #expect(
        String(decoding: json.bytes, as: UTF8.self)
          == String(decoding: try encoder.encode([value]), as: UTF8.self))
    }
  }
}
