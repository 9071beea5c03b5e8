import Foundation
import Leaflog
import TestSupport
import Testing

@Suite struct FavouriteQuoteTests {
  private let now = RecordedTime("2026-03-29T09:30:00+02:00")!

  @Test func `a favourite is an entry, once`() throws {
    let fixture = try LibraryFixture()
    let library = fixture.library
    let quote = try library.quotes.find(matching: "b12")
    let made = try fixture.clock.at(now) { try library.quotes.favourite(quote) }
    let entry = made.entry
    #expect(made.isNew)
    #expect(entry.kind == .quote && entry.content == .quote(quote))
    #expect(entry.time.recorded == now)
    let again = try library.quotes.favourite(quote)
    #expect(again.entry == entry && !again.isNew)
    #expect(try fixture.entries() == [entry])
    #expect(try library.quotes.favourites().elements == [entry])
    #expect(try library.quotes.favouriteIDs() == [quote.id])
    #expect(try library.timeline.search("Earth-worms lamentable").page.elements == [entry])
    // Its day's quote is what it was.
    #expect(try library.quotes.ofDay(#require(LocalDay("2026-03-30"))).origin == .bundled)
  }

  @Test func `one that went to the trash comes back`() throws {
    let fixture = try LibraryFixture()
    let library = fixture.library
    let quote = try library.quotes.find(matching: "b12")
    let entry = try fixture.clock.at(now) { try library.quotes.favourite(quote).entry }
    let gone = try library.quotes.unfavourite(matching: "b12")
    #expect(gone.isChanged && gone.entry.id == entry.id && gone.entry.deletedAt != nil)
    #expect(try !library.quotes.unfavourite(matching: "b12").isChanged)
    #expect(try library.quotes.favouriteIDs().isEmpty && fixture.entries().isEmpty)
    let back = try library.quotes.favourite(quote)
    #expect(back.isNew && back.entry == entry)
    #expect(try fixture.entries(TimelineQuery(deleted: true)).isEmpty)
    // Undone in turn, the latest first.
    try library.history.undo(.quoteFavourite)
    #expect(try library.quotes.favouriteIDs().isEmpty)
    try library.history.undo(.quoteUnfavourite)
    #expect(try library.quotes.favouriteIDs() == [quote.id])
    _ = try library.history.undo(.quoteFavourite)
    #expect(try fixture.entries().isEmpty)
    #expect(try fixture.entries(TimelineQuery(deleted: true)).isEmpty)
    #expect(throws: LeaflogError.self) { try library.quotes.unfavourite(matching: "b12") }
  }

  @Test func `it is found by its quote and by its entry`() throws {
    let fixture = try LibraryFixture()
    let library = fixture.library
    let own = try library.quotes.add("Mine.").quote
    for name in [own.id.description, String(own.id.description.prefix(8))] {
      let entry = try library.quotes.favourite(own).entry
      #expect(try library.quotes.unfavourite(matching: name).entry.id == entry.id)
    }
    let entry = try library.quotes.favourite(own).entry
    #expect(try library.quotes.unfavourite(matching: entry.id.short).isChanged)
    for name in ["b12", "nonesuch", ""] {
      let error = #expect(throws: LeaflogError.self) {
        try library.quotes.unfavourite(matching: name)
      }
      #expect(error?.code == .notFound, "\(name)")
    }
  }

  @Test func `an own quote that is a favourite still takes its turn`() throws {
    let fixture = try LibraryFixture()
    defer { withExtendedLifetime(fixture) {} }
    let library = fixture.library
    fixture.clock.set(now)
    let own = try library.quotes.add("Mine.").quote
    _ = try library.quotes.favourite(own)
    #expect(try library.quotes.ofDay(#require(LocalDay("2026-03-30"))) == own)
    _ = try library.quotes.unfavourite(own.id)
    #expect(try library.quotes.ofDay(#require(LocalDay("2026-03-30"))) == own)
  }

  @Test func `all quotes are listed a page at a time, one's own first`() throws {
    let fixture = try LibraryFixture()
    defer { withExtendedLifetime(fixture) {} }
    let library = fixture.library
    let times = (1...3).map { RecordedTime("2026-03-0\($0)T09:00+01:00")! }
    let own = try times.map { time in
      try fixture.clock.at(time) { try library.quotes.add("Mine \(time)").quote }
    }
    _ = try library.quotes.favourite(library.quotes.find(matching: "b7"))
    let all = try library.quotes.page(limit: 1000).elements
    #expect(Array(all.prefix(3)) == own.reversed())
    #expect(all[3].id.description == "b1")
    var pages: [Page<Quote>] = []
    var position = TimelinePosition.start
    while true {
      let page = try library.quotes.page(at: position, limit: 50)
      pages.append(page)
      guard let next = page.next else { break }
      position = .cursor(next)
    }
    #expect(pages.flatMap(\.elements) == all)
    #expect(pages[0].previous == nil)
    // Back again.
    for index in pages.indices.dropFirst() {
      let back = try library.quotes.page(at: .cursor(#require(pages[index].previous)), limit: 50)
      #expect(back.elements == pages[index - 1].elements)
      #expect(back.next == pages[index - 1].next)
    }
    let around = try library.quotes.page(at: .around(#require(pages[0].next)), limit: 10).elements
    #expect(around == Array(all[45..<55]))
    #expect(throws: LeaflogError.self) { try library.quotes.page(limit: 0) }
  }

  @Test(arguments: [
    ("khayyam rose", true), ("KHAYYÁM", true), ("rubai", true), ("\"thousand roses\"", true),
    ("\"roses thousand\"", false), ("ayyam", false), ("\"thousand rose\"", false),
    ("morn say", true),
    ("xyzzy", false),
  ])
  func `words are found in text, author and source`(text: String, isFound: Bool) throws {
    let fixture = try LibraryFixture()
    defer { withExtendedLifetime(fixture) {} }
    let library = fixture.library
    let found = try library.quotes.page(matching: text).elements.map(\.id.description)
    #expect(found.contains("b5") == isFound, "\(found)")
  }

  @Test func `words that are joined are found as they are`() throws {
    let fixture = try LibraryFixture()
    defer { withExtendedLifetime(fixture) {} }
    let library = fixture.library
    _ = try library.quotes.add("To-morrow’s earth-worms, 3½ of them 🌱", author: "J.-J. Rousseau")
    for text in ["to-morrow", "earth-w", "j.-j.", "tomorrow’s earth", "🌱", "rouss"] {
      let isFound = try library.quotes.page(matching: text).elements.contains { $0.origin == .own }
      #expect(isFound == (text != "tomorrow’s earth"), "\(text)")
    }
  }
}
