import Foundation
import Leaflog
import TestSupport
import Testing

/// Finding things by their ids, and by texts that may be names, ids or their beginnings.
@Suite struct FindingTests {
  private let fixture: LibraryFixture
  private var library: Library { fixture.library }

  init() throws { fixture = try LibraryFixture() }

  @Test func `a photo and its entry are found by an id that was kept`() async throws {
    _ = try await fixture.run([Fixtures.path("Photos/basil")])
    let entry = try #require(try fixture.entries().first)
    let id = try #require(EntryID(entry.id.description))
    #expect(try library.photos.find(id) == library.photos.find(matching: entry.id.short))
    #expect(try library.photos.entry(id) == entry)
    #expect(try library.photos.entry(matching: entry.id.short) == entry)
    #expect(try library.diary.entry(id) == entry)
    #expect(code { try library.diary.entry(id, of: .symptom) } == .notFound)
    try library.photos.delete(.photos([id]))
    #expect(try library.photos.find(id).entry.deletedAt != nil)
    #expect(code { try library.photos.find(.random()) } == .notFound)
  }

  @Test func `a plant is found by its id, in the trash if that is asked for`() throws {
    let plant = try library.plants.add(PlantDetails(name: "basil"))
    #expect(try library.plants.find(plant.id) == plant)
    #expect(try library.plants.find(matching: "BASIL") == plant)
    #expect(try library.plants.reference(plant.id).name == "basil")
    try library.plants.delete(plant.id)
    #expect(code { try library.plants.find(plant.id) } == .notFound)
    #expect(code { try library.plants.reference(plant.id) } == .notFound)
    #expect(try library.plants.find(plant.id, among: .undeletedFirst).id == plant.id)
    #expect(try library.plants.reference(plant.id, among: .undeletedFirst).name == "basil")
    #expect(try library.plants.find(matching: "basil", among: .deletedFirst).id == plant.id)
    #expect(code { try library.plants.find(.random(), among: .undeletedFirst) } == .notFound)
  }

  @Test func `an id never finds a thing that has it for a name`() throws {
    let basil = try library.plants.add(PlantDetails(name: "basil"))
    let named = try library.plants.add(PlantDetails(name: basil.id.description))
    #expect(try library.plants.find(basil.id) == basil)
    #expect(try library.plants.find(matching: basil.id.description) == named)
    let phone = try library.tokens.add("phone").token
    let other = try library.tokens.add(phone.id.description).token
    #expect(try library.tokens.find(phone.id).name == "phone")
    #expect(try library.tokens.revoke(phone.id).name == "phone")
    #expect(code { try library.tokens.revoke(phone.id) } == .notFound)
    #expect(try library.tokens.all().map(\.id) == [other.id])
  }

  @Test func `activities and factors are found by their ids`() throws {
    let yoga = try library.activities.add(ActivityDetails(name: "yoga", startFrom: library.today))
    #expect(try library.activities.find(yoga.id) == library.activities.find(matching: "yoga"))
    try library.activities.delete(yoga.id)
    #expect(code { try library.activities.find(yoga.id) } == .notFound)
    let coffee = try library.factors.add(FactorDetails(name: "coffee", kind: .flag))
    #expect(try library.factors.find(coffee.id) == coffee)
    try library.factors.delete(coffee.id)
    #expect(code { try library.factors.find(coffee.id) } == .notFound)
  }

  @Test(arguments: ["b12", "g7"])
  func `a quote in either language is found by its id, and a favourite of it removed`(
    text: String
  ) throws {
    let id = try #require(QuoteID(text))
    let quote = try library.quotes.find(id)
    #expect(quote.id == id)
    #expect(code { try library.quotes.unfavourite(id) } == .notFound)
    let entry = try library.quotes.favourite(quote).entry
    let gone = try library.quotes.unfavourite(id)
    #expect(gone.isChanged && gone.entry.id == entry.id)
  }

  @Test func `an id of the collection that no quote has is not the beginning of another`() throws {
    let fixture = try LibraryFixture()
    let quotes = fixture.library.quotes
    var own: Quote
    repeat {
      own = try quotes.add("Grow \(Int.random(in: 0..<1_000_000_000))").quote
    } while own.id.description.wholeMatch(of: /b[0-9]{3}.*/) == nil
    let beginning = String(own.id.description.prefix(4))
    let id = try #require(QuoteID(beginning))
    if let bundled = try? quotes.find(id) {
      #expect(bundled.id == id)
    } else {
      #expect(try quotes.find(matching: beginning).id == own.id)
    }
    #expect(throws: LeaflogError.self) { try quotes.find(#require(QuoteID("b99999999"))) }
  }

  @Test(arguments: ["b12", "g7"])
  func `a favourite quote in either language is imported from JSON`(text: String) throws {
    let exchange = try ExchangeFixture()
    let quotes = exchange.library.quotes
    _ = try quotes.favourite(quotes.find(matching: text))
    let json = try exchange.json()
    let other = try ExchangeFixture()
    try other.read(json)
    #expect(try other.library.quotes.favouriteIDs().map(\.description) == [text])
    #expect(try other.json() == json)
  }

  @Test func `the id of an upload can be kept`() throws {
    let text = String(repeating: "a1", count: 16)
    let id = try #require(UploadID(text))
    #expect(try JSONDecoder().decode(UploadID.self, from: JSONEncoder().encode(id)) == id)
    #expect(id.description == text)
    #expect(UploadID(text.uppercased()) == nil && UploadID("a1") == nil)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(UploadID.self, from: Data("\"a1\"".utf8))
    }
  }

  private func code(_ body: () throws -> some Any) -> LeaflogError.Code? {
    do {
      _ = try body()
      return nil
    } catch { return (error as? LeaflogError)?.code }
  }
}
