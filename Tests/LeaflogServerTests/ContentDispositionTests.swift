import LeaflogServer
import Testing

/// Names of attachments (RFC 6266, RFC 8187).
@Suite struct ContentDispositionTests {
  @Test(arguments: [
    ("moods.csv", #"attachment; filename="moods.csv""#),
    ("my diary.json", #"attachment; filename="my diary.json""#),
    ("é.webp", #"attachment; filename="_.webp"; filename*=UTF-8''%C3%A9.webp"#),
    ("50%.webp", #"attachment; filename="50_.webp"; filename*=UTF-8''50%25.webp"#),
    (
      "🌿 a'b(c).gif",
      #"attachment; filename="_ a'b(c).gif"; filename*=UTF-8''%F0%9F%8C%BF%20a%27b%28c%29.gif"#
    ),
  ])
  func `a name is told to all`(name: String, value: String) {
    #expect(ContentDisposition.attachment(name) == value)
  }

  @Test(arguments: [
    "../../etc/passwd", "a\\b.exe", "a\"; filename=\"b.exe", "a\r\nSet-Cookie: x", ".htaccess",
    "a\u{202E}gpj.exe", "a:b", "\0", "a/b",
  ])
  func `a name means nothing to a file system, and breaks out of nothing`(name: String) {
    let value = ContentDisposition.attachment(name)
    #expect(value.hasPrefix("attachment; filename=\""))
    #expect(value.unicodeScalars.allSatisfy { (0x20..<0x7F).contains($0.value) })
    let simple = value.dropFirst("attachment; filename=\"".count).prefix { $0 != "\"" }
    #expect(!simple.contains { "/\\:".contains($0) } && !simple.hasPrefix("."))
    #expect(!value.contains("%2F") && !value.contains("%E2%80%AE") && !value.contains("%0"))
    #expect(value.count { $0 == "\"" } == 2)
  }

  @Test func `a long name keeps its ending`() {
    let value = ContentDisposition.attachment(String(repeating: "x", count: 500) + ".webp")
    #expect(value.hasSuffix(".webp\"") && value.count < 160)
  }
}
