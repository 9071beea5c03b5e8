import LeaflogServer
import TestSupport
import Testing

/// Forms, in whatever pieces they come.
@Suite struct MultipartParserTests {
  private static let form =
    "preamble\r\n--B\r\nContent-Disposition: form-data; name=\"plant\"\r\n\r\nFern\r\n--B  \r\n"
    + "content-disposition: form-data; name=\"f\"; filename=\"a%22b/c é.jpg\"\r\n"
    + "Content-Type: image/jpeg\r\n\r\n\r\n--A\r\n-\r\n--\r\r\n--B\r\n\r\nno head\r\n--B\r\n"
    + "Content-Disposition: form-data; name=empty; filename=x\r\n\r\n\r\n--B--\r\nepilogue\r\n--B"

  /// A part as it was put together again.
  private struct Part: Equatable {
    let name: String?
    let fileName: String?
    var text = ""
  }

  private static func parts(_ pieces: [ArraySlice<UInt8>]) throws -> [Part] {
    var parser = MultipartParser(boundary: "B")
    var (parts, isOpen, bytes) = ([Part](), false, [UInt8]())
    for piece in pieces {
      for event in try parser.events(in: piece) {
        switch event {
        case .begin(let headers):
          #expect(!isOpen)
          parts.append(Part(name: headers.name, fileName: headers.fileName))
          (isOpen, bytes) = (true, [])
        case .bytes(let more):
          #expect(isOpen && !more.isEmpty)
          bytes += more
        case .end:
          parts[parts.count - 1].text = String(decoding: bytes, as: UTF8.self)
          isOpen = false
        }
      }
    }
    try parser.finish()
    return parts
  }

  private static let expected = [
    Part(name: "plant", fileName: nil, text: "Fern"),
    Part(name: "f", fileName: "c é.jpg", text: "\r\n--A\r\n-\r\n--\r"),
    Part(name: nil, fileName: nil, text: "no head"),
    Part(name: "empty", fileName: "x", text: ""),
  ]

  @Test func `a form is the same wherever it is split`() throws {
    let bytes = Array(Self.form.utf8)
    #expect(try Self.parts([bytes[...]]) == Self.expected)
    for split in bytes.indices {
      #expect(try Self.parts([bytes[..<split], bytes[split...]]) == Self.expected)
      for second in stride(from: split, to: bytes.count, by: 7) {
        let pieces = [bytes[..<split], bytes[split..<second], bytes[second...]]
        #expect(try Self.parts(pieces) == Self.expected)
      }
    }
    #expect(try Self.parts(bytes.indices.map { bytes[$0...$0] }) == Self.expected)
  }

  @Test func `a form that ends too early is refused wherever it ends`() {
    let bytes = Array(Self.form.utf8)
    let end = bytes.count - "\r\nepilogue\r\n--B".utf8.count
    for count in 0..<end {
      #expect(throws: MultipartParser.Malformed.self) { try Self.parts([bytes[..<count]]) }
    }
  }

  @Test(arguments: [
    "--B\r\n" + String(repeating: "x", count: 9000), "--Bx", "--B-\r\n", "no delimiter",
    "--B\r\n\r\n" + String(repeating: "\r\n--B\r\n\r\n", count: 1000) + "\r\n--B--",
  ])
  func `a body that is no form, or too large, is refused`(text: String) {
    #expect(throws: MultipartParser.Malformed.self) { try Self.parts([Array(text.utf8)[...]]) }
  }

  @Test func `random letters of delimiters never end the process, and hold little`() throws {
    var random = SplitMix64(state: 7578)
    let letters = Array("\r\n-Bx: ;=\"".utf8)
    for _ in 0..<20_000 {
      let bytes = (0..<random.below(120)).map { _ in
        letters[random.below(letters.count)]
      }
      let split = random.below(bytes.count + 1)
      var parser = MultipartParser(boundary: "B")
      do {
        _ = try parser.events(in: Array("--B\r\n".utf8))
        _ = try parser.events(in: bytes[..<split])
        _ = try parser.events(in: bytes[split...])
        try parser.finish()
      } catch {
        #expect(error.message.hasSuffix("."))
      }
    }
  }
}
