import Foundation
import Leaflog
import Synchronization
import TestSupport
import Testing

@Suite final class QuoteTests: Sendable {
  /// The folder that the libraries of a test are in, for as long as it runs.
  private let folders = Mutex<[TemporaryFolder]>([])
  /// That of the libraries.
  private let clock = TestClock()

  private func day(_ text: String) throws -> LocalDay { try #require(LocalDay(text)) }

  private func time(_ text: String) throws -> RecordedTime { try #require(RecordedTime(text)) }

  private func library(_ zone: String = "Europe/Berlin") throws -> (TemporaryFolder, Library) {
    let folder = try TemporaryFolder()
    folders.withLock { $0.append(folder) }
    let settings = Library.Settings(timeZone: try #require(TimeZone(identifier: zone)))
    let library = try Library.create(at: folder.file("library"), settings, clock: clock.wallClock)
    return (folder, library)
  }

  /// The quotes of consecutive days.
  private func quotes(
    _ library: Library, from first: LocalDay, count: Int
  ) throws -> [QuoteID] {
    try (0..<count).map { try library.quotes.ofDay(first.advanced(by: $0)).id }
  }

  @Test func `a quote within a quote has the marks of its language`() {
    func quote(_ id: String, _ text: String) -> Quote {
      Quote(id: QuoteID(stored: id), text: text, author: "A", source: nil, origin: .bundled)
    }
    #expect(
      quote("b1", "“Sow,” she said, “and wait.”").attributed
        == "“‘Sow,’ she said, ‘and wait.’” — A")
    #expect(quote("g1", "„Säe“, sprach sie.").attributed == "„‚Säe‘, sprach sie.“ — A")
    #expect(quote("g1", "Säe.").quoted == "„Säe.“")
    #expect(quote("ab", #"She said "grow" (or "sow")."#).quoted == "“She said ‘grow’ (or ‘sow’).”")
    #expect(quote("ab", #""Grow", she said."#).quoted == "“‘Grow’, she said.”")
    #expect(quote("g1", #"Er sagte "säe"."#).quoted == "„Er sagte ‚säe‘.“")
  }

  @Test func `readers of German get German quotes, the same all day`() throws {
    let (_, library) = try library()
    let first = try day("2026-03-01")
    let days = (0..<60).map { first.advanced(by: $0) }
    let quotes = try days.map { try library.quotes.ofDay($0, in: .german) }
    #expect(quotes == (try days.map { try library.quotes.ofDay($0, in: .german) }))
    #expect(Set(quotes.map(\.id)).count == 60)
    for quote in quotes {
      #expect(quote.id.description.hasPrefix("g") && quote.author != nil && quote.source != nil)
      #expect(try library.quotes.find(quote.id) == quote)
    }
  }

  @Test func `the collection has a quote for each day of a leap year`() throws {
    let (_, library) = try library()
    let all = try library.quotes.page(limit: 1000)
    #expect(all.elements.count >= 366)
    #expect(all.next == nil)
    #expect(Set(all.elements.map(\.text)).count == all.elements.count)
    #expect(Set(all.elements.map(\.id)).count == all.elements.count)
    for quote in all.elements {
      #expect(quote.origin == .bundled)
      for field in [quote.text, quote.author ?? "", quote.source ?? ""] {
        #expect(!field.isEmpty && field.trimmingCharacters(in: .whitespaces) == field, "\(quote)")
        #expect(!field.contains { $0.isNewline || $0 == "\t" }, "\(quote)")
      }
      #expect(try library.quotes.find(quote.id) == quote)
    }
    #expect(all.elements.map(\.id.description) == (1...all.elements.count).map { "b\($0)" })
  }

  @Test
  func `before the hour at which a day ends, the service is asked for the day that is not over`()
    throws
  {
    let (_, library) = try library()
    try library.settings.set(.dayEnd, to: "3")
    try library.settings.set(.quotesSource, to: "zenquotes")
    let open = try library.refreshed()
    try clock.at(time("2026-03-02T00:40:00+01:00")) {
      let day = try self.day("2026-03-01")
      #expect(open.today == day)
      #expect(try open.quotes.isServiceDue() && open.quotes.known(of: day) == nil)
    }
  }

  @Test func `a quote of one's own is deleted, and comes back`() throws {
    let (_, library) = try library()
    let monday = try day("2026-03-02")
    for text in ["first", "second", "third"] {
      _ = try clock.at(time("2026-03-01T09:00:00+01:00")) { try library.quotes.add(text) }
    }
    let shown = try quotes(library, from: monday, count: 3)
    let second = try #require(
      try library.quotes.page(limit: 10).elements.first { $0.text == "second" })
    let entry = try library.quotes.favourite(second).entry
    let now = try time("2026-03-02T12:00:00+01:00")
    #expect(try clock.at(now) { try library.quotes.delete(second) })
    #expect(try !clock.at(now) { try library.quotes.delete(second) })
    let left = try library.quotes.page(limit: 10).elements.filter { $0.origin == .own }
    #expect(left.map(\.text).sorted() == ["first", "third"])
    #expect(try library.quotes.ofDay(monday).id == shown[0])
    #expect(try !quotes(library, from: monday, count: 400).contains(second.id))
    #expect(try library.quotes.favourites().elements.map(\.id) == [entry.id])
    _ = try library.history.undo()
    #expect(try quotes(library, from: monday, count: 3) == shown)
    #expect(try clock.at(now) { try library.quotes.delete(second) })
    #expect(try library.quotes.add("second").isNew)
    #expect(try library.quotes.page(limit: 1).elements == [second])
  }

  @Test func `today has another quote once its own is deleted`() throws {
    let (_, library) = try library()
    try clock.set(time("2026-03-01T09:00:00+01:00"))
    let quote = try library.quotes.add("mine").quote
    let today = try day("2026-03-02")
    #expect(try library.quotes.ofDay(today) == quote)
    try clock.set(time("2026-03-02T12:00:00+01:00"))
    _ = try library.quotes.delete(quote)
    #expect(try library.quotes.ofDay(today).origin == .bundled)
  }

  @Test func `a bundled quote is not deleted`() throws {
    let (_, library) = try library()
    let quote = try library.quotes.find(matching: "b1")
    #expect { try library.quotes.delete(quote) } throws: {
      ($0 as? LeaflogError)?.code == .invalidRequest
    }
  }

  @Test(arguments: ["2026-11-21", "2024-02-01", "1969-06-01", "0001-01-01"])
  func `no quote comes twice in 366 days, leap days included`(first: String) throws {
    let (_, library) = try library()
    let found = try quotes(library, from: day(first), count: 366)
    #expect(Set(found).count == 366)
    let leap = try library.quotes.ofDay(day("2024-02-29"))
    #expect(try library.quotes.ofDay(day("2024-02-28")) != leap)
    #expect(try library.quotes.ofDay(day("2024-03-01")) != leap)
  }

  @Test func `libraries have the same quote on the same day, as long as nobody adds any`() throws {
    let ((_, one), (_, other)) = (try library("Asia/Tokyo"), try library("America/Havana"))
    let first = try day("2026-03-25")
    #expect(try quotes(one, from: first, count: 10) == quotes(other, from: first, count: 10))
  }

  @Test func `the day lasts from midnight to midnight, also when the clocks change`() async throws {
    let (_, library) = try library()
    for (date, times) in [
      ("2026-03-29", ["00:00+01:00", "01:59:59+01:00", "03:00+02:00", "23:59:59+02:00"]),
      ("2026-10-25", ["00:00+02:00", "02:30+02:00", "02:30+01:00", "23:59:59+01:00"]),
    ] {
      let expected = try library.quotes.ofDay(day(date))
      for text in times {
        try clock.set(time("\(date)T\(text)"))
        let found = try await library.quotes.fetch()
        #expect(found.day == LocalDay(date))
        #expect(found.quote == expected)
      }
      // Midnight on the library's clock, whatever its offset is by then.
      try clock.set(time("\(day(date).advanced(by: 1))T00:00"))
      let next = try await library.quotes.fetch()
      #expect(next.quote != expected)
    }
  }

  @Test func `a quote that is added comes on the next day, and the others go on`() throws {
    let (_, library) = try library()
    let today = try day("2026-03-29")
    let before = try quotes(library, from: today.advanced(by: -20), count: 800)
    try clock.set(time("2026-03-29T15:00+02:00"))
    let own = try library.quotes.add("Mine.").quote
    let after = try quotes(library, from: today.advanced(by: -20), count: 800)
    #expect(after.prefix(21) == before.prefix(21))
    #expect(after[21] == own.id)
    let count = try library.quotes.page(limit: 1000).elements.count
    #expect(Array(after[22..<(21 + count)]) == Array(before[21..<(20 + count)]))
    #expect(after[21 + count] == own.id)
    for start in stride(from: 21, to: 800 - count, by: 17) {
      #expect(Set(after[start..<(start + count)]).count == count)
    }
  }

  @Test func `several come one after another, and none that was shown comes again soon`() throws {
    let (_, library) = try library()
    let today = try day("2024-02-20")
    var own: [QuoteID] = []
    for (date, text) in [
      ("2024-02-28T09:00+01:00", "One"), ("2024-02-28T23:59:59+01:00", "Two"),
      ("2024-02-29T00:00+01:00", "Three"), ("2024-03-05T12:00+01:00", "Four"),
    ] {
      try clock.set(time(date))
      own.append(try library.quotes.add(text).quote.id)
    }
    let found = try quotes(library, from: today, count: 386)
    // Two has to wait: Three comes on the day after it was added as well.
    #expect(Array(found[9...11]) == [own[0], own[2], own[1]])
    #expect(found[15] == own[3])
    #expect(Set(found).count == found.count)
  }

  @Test(arguments: [
    ("America/Havana", "2026-11-01"), ("America/Sao_Paulo", "2018-11-04"),
    ("Africa/Cairo", "2026-04-24"), ("Pacific/Apia", "2026-04-05"),
  ])
  func `an entry in the first or last minute of a day is on that day only, wherever midnight is`(
    zone: String, date: String
  ) throws {
    let (_, library) = try library(zone)
    let today = try day(date)
    let first = EntryTime(.day(today), in: library.timeZone).instant
    let next = EntryTime(.day(today.advanced(by: 1)), in: library.timeZone).instant
    let before = try library.quotes.ofDay(today)
    for instant in [first.milliseconds, next.milliseconds - 1000] {
      clock.set(.instant(Timestamp(milliseconds: instant)))
      _ = try library.quotes.add("\(instant)")
      #expect(try library.quotes.ofDay(today) == before)
    }
    #expect(try library.quotes.ofDay(today.advanced(by: 1)).origin == .own)
    // A second before the day is in it.
    let eve = Timestamp(milliseconds: first.milliseconds - 1000)
    clock.set(.instant(eve))
    let own = try library.quotes.add("eve").quote
    #expect(try library.quotes.ofDay(today) == own)
  }

  @Test func `the quote of a future day is refused`() async throws {
    let (_, library) = try library()
    try clock.set(time("2026-03-29T23:59+02:00"))
    let error = await #expect(throws: LeaflogError.self) {
      try await library.quotes.fetch(of: day("2026-03-30"))
    }
    #expect(error?.code == .invalidRequest)
    _ = try await library.quotes.fetch(of: day("1900-01-01"))
  }

  @Test func `own quotes are tidied, and the same one is one`() throws {
    let (_, library) = try library()
    let added = try library.quotes.add(
      "  Tiger, tiger,\r\n burning bright \n\n", author: " William Blake ", source: "")
    let quote = added.quote
    #expect(added.isNew)
    #expect(quote.text == "Tiger, tiger, / burning bright")
    #expect(quote.author == "William Blake" && quote.source == nil && quote.origin == .own)
    let again = try library.quotes.add("Tiger, tiger, / burning bright", author: "William Blake")
    #expect(again.quote == quote && !again.isNew)
    #expect(try library.quotes.add("Tiger, tiger, / burning bright").isNew)
    #expect(try library.quotes.add(String(repeating: "ä", count: 1000)).isNew)
    for text in ["", " \n\t ", "a\u{1B}[31mb", String(repeating: "a", count: 1001)] {
      let error = #expect(throws: LeaflogError.self) { try library.quotes.add(text) }
      #expect(error?.code == .invalidRequest)
    }
    #expect(throws: LeaflogError.self) { try library.quotes.add("a", author: "b\nc") }
  }

  @Test func `a quote is found by its id or the start of it`() throws {
    var (_, library) = try library()
    // Ids are random: one that begins with the letter of the bundled ones could be meant by “b0”.
    var own = try library.quotes.add("Mine.").quote
    while own.id.description.hasPrefix("b") {
      // A deleted one would still be found.
      (_, library) = try self.library()
      own = try library.quotes.add("Mine.").quote
    }
    let id = own.id.description
    #expect(try library.quotes.find(matching: id) == own)
    #expect(try library.quotes.find(matching: String(id.prefix(8)).uppercased()) == own)
    #expect(try library.quotes.find(matching: "B12").id.description == "b12")
    for text in ["", "b0", "b99999", "b012", "b-1", "nonesuch", "%", "_", id + "0"] {
      let error = #expect(throws: LeaflogError.self) { try library.quotes.find(matching: text) }
      #expect(error?.code == .notFound, "\(text)")
    }
    for index in 0..<40 { _ = try library.quotes.add("\(index)") }
    let ids = try library.quotes.page(limit: 41).elements.map(\.id.description)
    let digit = try #require(
      "0123456789acdef".first { digit in ids.count { $0.first == digit } > 1 })
    let error = #expect(throws: LeaflogError.self) {
      try library.quotes.find(matching: String(digit))
    }
    #expect(error?.code == .ambiguous)
  }
}
