import DiaryModel
import Foundation
import Testing

/// Ids as programs keep them.
@Suite struct IdentifierTests {
  private static let digits = "0123456789abcdef0123456789abcdef"

  private func expectKept<ID: WrittenID>(
    _ id: ID, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    #expect(ID(id.description) == id, sourceLocation: sourceLocation)
    #expect(ID(String(id)) == id, sourceLocation: sourceLocation)
    let json = try JSONEncoder().encode([id])
    #expect(
      String(decoding: json, as: UTF8.self) == "[\"\(id)\"]", sourceLocation: sourceLocation)
    #expect(
      try JSONDecoder().decode([ID].self, from: json) == [id], sourceLocation: sourceLocation)
  }

  private func expectRefused<ID: WrittenID>(
    _ text: String, as _: ID.Type, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    #expect(ID(text) == nil, "\(ID.self)", sourceLocation: sourceLocation)
    let json = try JSONEncoder().encode([text])
    let error = #expect(throws: DecodingError.self, sourceLocation: sourceLocation) {
      try JSONDecoder().decode([ID].self, from: json)
    }
    guard case .dataCorrupted(let context) = error else {
      Issue.record("\(error as Any)", sourceLocation: sourceLocation)
      return
    }
    #expect(context.codingPath.count == 1, sourceLocation: sourceLocation)
    #expect(context.debugDescription.hasSuffix(" is not an id."), sourceLocation: sourceLocation)
  }

  @Test func `every id comes back from its text and from JSON`() throws {
    try expectKept(EntryID.random())
    try expectKept(PlantID.random())
    try expectKept(ActivityID.random())
    try expectKept(FactorID.random())
    try expectKept(TokenID.random())
    try expectKept(QuoteID.random())
    try expectKept(#require(BlobID(hex: Self.digits + Self.digits)))
  }

  @Test(arguments: ["b1", "b12345678", "g7", Self.digits])
  func `quotes that come with Leaflog have ids of their own`(text: String) throws {
    let id = try #require(QuoteID(text))
    #expect(id.description == text)
    try expectKept(id)
  }

  @Test(arguments: [
    "01234567-89ab-cdef-0123-456789abcdef", "0123456789ABCDEF0123456789ABCDEF", Self.digits,
  ])
  func `an id may be written as a UUID and in capitals`(text: String) throws {
    #expect(EntryID(text)?.description == Self.digits)
    #expect(PlantID(text)?.description == Self.digits)
    #expect(QuoteID(text)?.description == Self.digits)
    #expect(TokenID(text)?.description == Self.digits)
  }

  @Test(arguments: [
    "", "basil", "0123", String(digits.dropLast()), digits + "0", "g" + digits.dropFirst(), "b",
    "b123456789", "h7", "B7", " " + digits, "\u{661}" + digits.dropFirst(),
  ])
  func `a text that is not an id is refused`(text: String) throws {
    try expectRefused(text, as: EntryID.self)
    try expectRefused(text, as: PlantID.self)
    try expectRefused(text, as: ActivityID.self)
    try expectRefused(text, as: FactorID.self)
    try expectRefused(text, as: TokenID.self)
    try expectRefused(text, as: QuoteID.self)
    try expectRefused(text, as: BlobID.self)
  }

  @Test func `ids are part of what a program keeps`() throws {
    struct Pinned: Codable, Equatable {
      let plant: PlantID
      let entries: Set<EntryID>
      let quote: QuoteID?
    }
    let pinned = Pinned(plant: .random(), entries: [.random(), .random()], quote: QuoteID("g7"))
    #expect(
      try JSONDecoder().decode(Pinned.self, from: JSONEncoder().encode(pinned)) == pinned)
  }
}
