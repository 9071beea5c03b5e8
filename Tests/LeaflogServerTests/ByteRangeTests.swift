import LeaflogServer
import Testing

/// The forms of `Range` (RFC 9110, 14.1.2), on a file of 100 bytes.
@Suite struct ByteRangeTests {
  @Test(arguments: [
    ("bytes=0-0", 0...0), ("bytes=0-99", 0...99), ("bytes=10-19", 10...19), ("bytes=90-", 90...99),
    ("bytes=99-", 99...99), ("bytes=-5", 95...99), ("bytes=-100", 0...99), ("bytes=-101", 0...99),
    ("bytes=50-1000", 50...99), ("BYTES=1-2", 1...2), ("bytes= 1-2 ", 1...2),
    ("bytes=0-99999999999999999999", 0...99), ("bytes=-99999999999999999999", 0...99),
  ])
  func `a range gives its bytes`(header: String, part: ClosedRange<Int>) {
    #expect(ByteRange(header, byteCount: 100) == .part(part))
  }

  @Test(arguments: ["bytes=100-", "bytes=100-200", "bytes=-0", "bytes=99999999999999999999-"])
  func `a range behind the end is refused`(header: String) {
    #expect(ByteRange(header, byteCount: 100) == .unsatisfiable)
  }

  @Test(arguments: [
    nil, "", "bytes", "bytes=", "bytes=-", "bytes=5-4", "bytes=a-b", "bytes=1", "bytes=1-2-3",
    "bytes=+1-2",
    "bytes=0x1-2", "bytes=0-1,5-6", "bytes=0-,0-,0-", "items=0-1", "bytes=1-٢",
  ])
  func `anything else is answered with the whole file`(header: String?) {
    #expect(ByteRange(header, byteCount: 100) == .whole)
  }

  @Test func `an empty file has no part`() {
    #expect(ByteRange("bytes=0-", byteCount: 0) == .unsatisfiable)
    #expect(ByteRange("bytes=-1", byteCount: 0) == .unsatisfiable)
    #expect(ByteRange(nil, byteCount: 0) == .whole)
  }
}

/// Lists of entity tags (RFC 9110, 13.1).
@Suite struct EntityTagTests {
  private let tag = EntityTag(digest: "ab")

  @Test(arguments: [#""ab""#, #""x", "ab""#, #""x","ab" "#, "*", #" "ab" , "y""#])
  func `a list has the tag`(list: String) {
    #expect(tag.isIn(list, weakly: true) && tag.isIn(list, weakly: false))
  }

  @Test(arguments: ["", "ab", #""abc""#, #""a""#, #"W/"x""#, ",,", #""AB""#])
  func `a list has others`(list: String) {
    #expect(!tag.isIn(list, weakly: true) && !tag.isIn(list, weakly: false))
  }

  @Test func `a weak tag is enough for what may be kept`() {
    #expect(tag.isIn(#"W/"ab""#, weakly: true) && !tag.isIn(#"W/"ab""#, weakly: false))
  }
}
