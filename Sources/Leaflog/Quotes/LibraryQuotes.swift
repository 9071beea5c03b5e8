internal import DiaryCatalog

/// A day and its quote.
public struct DayQuote: Sendable, Hashable {
  /// The day that the quote is of.
  public let day: LocalDay
  /// The quote that is stored for the day or, without one, whose turn it is.
  public let quote: Quote
  /// Why the quote is not from the service; nil when nothing went wrong.
  public let problem: String?
}

/// Quotes, the quote of a day, and favourites.
public struct LibraryQuotes: LibrarySection {
  let library: Library
}

extension LibraryQuotes {
  /// The longest text of a quote, in characters.
  public static let maxLength = 1000

  /// The quote of a day: the one that was stored for it, or else the one whose turn it is. It stays the
  /// same all day. Needs no network, and changes nothing.
  ///
  /// - Throws: `LeaflogError` when the catalog cannot be read.
  public func ofDay(_ day: LocalDay) throws(LeaflogError) -> Quote {
    try ofDay(day, in: .english)
  }

  /// The quote of a day for readers of a language.
  package func ofDay(
    _ day: LocalDay, in language: QuoteLanguage
  ) throws(LeaflogError) -> Quote {
    try read { tables in
      let kept = try tables.quotes.kept(for: day)
      // A bundled one was kept for readers of English.
      if let kept, language == .english || kept.origin != .bundled { return kept }
      return try quoteInTurn(on: day, tables.quotes, language.bundled)
    }
  }

  /// The quote of a day, without a network; nil while a service has to be asked for today's first
  /// (`fetch(of:from:)`), so that the day does not begin with another one.
  ///
  /// - Throws: `LeaflogError` when the catalog cannot be read.
  public func known(of day: LocalDay) throws(LeaflogError) -> Quote? {
    if day == today, try isServiceDue() { return nil }
    return try ofDay(day)
  }

  /// The quote whose turn it is: bundled quotes and those added before the day take turns.
  private func quoteInTurn(
    on day: LocalDay, _ quotes: QuoteTable, _ bundled: BundledQuotes = .english
  ) throws -> Quote {
    let bundledCount = bundled.count
    let additions = try quotes.ownTimes()
      .map { EntryTime(.instant($0), in: timeZone).localDay }.prefix { $0 < day }
    let ring = QuoteRing(bundledCount: bundledCount, additions: Array(additions))
    let position = ring.position(on: day)
    return position < bundledCount
      ? bundled.quote(position + 1) : try quotes.own(at: position - bundledCount)
  }

  /// Whether `fetch(of:from:)` would ask a service: one is set, and no quote is stored for today yet.
  ///
  /// - Throws: `LeaflogError` when the catalog cannot be read.
  public func isServiceDue() throws(LeaflogError) -> Bool {
    guard try library.settings.value(of: .quotesSource) == QuoteSource.zenquotes.rawValue else {
      return false
    }
    return try read { try $0.quotes.kept(for: today) } == nil
  }

  /// The quote of a day; today's comes from the service, if one is set. The service is asked once a day:
  /// its answer is stored for the day, or, if it fails, the quote whose turn it is. A library opened for
  /// reading asks no service, as it cannot store the answer.
  ///
  /// - Parameter day: today, unless given.
  /// - Throws: `LeaflogError` with code `invalidRequest` for a day in the future.
  public func fetch(
    of day: LocalDay? = nil, from service: QuoteService = .zenquotes
  ) async throws(LeaflogError) -> DayQuote {
    let day = day ?? today
    guard try !library.isAhead(day) else { throw .invalid("\(day) is in the future.") }
    guard day == today, try isServiceDue() else {
      return DayQuote(day: day, quote: try ofDay(day), problem: nil)
    }
    guard library.access.allowsWriting else {
      return DayQuote(
        day: day, quote: try ofDay(day),
        problem: "zenquotes.io was not asked, because the library can only be read")
    }
    var (quote, problem): (Quote, String?)
    do throws(QuoteServiceError) {
      (quote, problem) = (try await service.today(), nil)
    } catch {
      (quote, problem) = (try ofDay(day), error.message)
    }
    let found = quote
    quote = try write { try $0.quotes.keep(found, for: day, now: moment) }
    // Another process may have succeeded meanwhile.
    return DayQuote(day: day, quote: quote, problem: quote == found ? problem : nil)
  }

  /// Adds a quote, which takes turns with the others from the next day on. A quote is added only once.
  ///
  /// Lines of verse may come on lines of their own; they are kept with ` / ` between them.
  ///
  /// - Returns: the quote, and whether it is new.
  /// - Throws: `LeaflogError` with code `invalidRequest` for no text, or one of more than
  ///   `maxLength` characters.
  public func add(
    _ text: String, author: String? = nil, source: String? = nil
  ) throws(LeaflogError) -> AddedQuote {
    try translating {
      let lines = text.split(whereSeparator: \.isNewline).compactMap { String($0).tidied }
      let text = try oneLine(
        lines.joined(separator: " / "), field: "text", upTo: Self.maxLength)
      let quote = Quote(
        id: .random(), text: text,
        author: try author?.tidied.map { try oneLine($0, field: "author") },
        source: try source?.tidied.map { try oneLine($0, field: "source") }, origin: .own)
      let added = EntryTime(now, in: timeZone).instant
      let (kept, isNew) = try change(.quoteAdd) { tables, _ in
        try tables.quotes.add(quote, now: added)
      }
      return AddedQuote(quote: kept, isNew: isNew)
    }
  }

  /// Deletes one of the user's own quotes, which then no longer takes turns. If it is today's quote, another one
  /// takes its place; otherwise today's quote stays the same. A favourite of it stays on the timeline. It can be
  /// undone, and adding the quote again brings it back.
  ///
  /// - Returns: whether it was there until now.
  /// - Throws: `LeaflogError` with code `invalidRequest` for a quote that is not the user's own.
  @discardableResult
  public func delete(_ quote: Quote) throws(LeaflogError) -> Bool {
    guard quote.origin == .own else {
      throw .invalid("The quote \(quote.id) is none of your own; only those are deleted.")
    }
    return try change(.quoteDelete) { tables, now in
      let shown = try tables.quotes.kept(for: today) ?? quoteInTurn(on: today, tables.quotes)
      guard try tables.quotes.delete(quote.id, today: today, now: now) else { return false }
      if shown.id != quote.id { _ = try tables.quotes.keep(shown, for: today, now: now) }
      return true
    }
  }

  /// The quote with this id.
  ///
  /// - Throws: `LeaflogError` with code `notFound` when there is none.
  public func find(_ id: QuoteID) throws(LeaflogError) -> Quote {
    if let quote = BundledQuotes.find(id.description) { return quote }
    // The digits of a bundled id that does not exist may be how another one begins.
    guard
      let quote = try read({ try $0.quotes.startingWith(id.description) }).first(where: {
        $0.id == id && $0.origin != .bundled
      })
    else { throw Self.unknown(id.description) }
    return quote
  }

  private static func unknown(_ id: String) -> LeaflogError {
    LeaflogError(.notFound, "No quote has the id “\(shortened(id))”.", remedy: .listQuotes)
  }

  /// The quote with this id, or an unambiguous prefix of it. A bundled quote's id has to be complete.
  ///
  /// - Throws: `LeaflogError` with code `notFound` when there is none, and `ambiguous` for a prefix of several ids.
  public func find(matching idOrPrefix: String) throws(LeaflogError) -> Quote {
    if let quote = BundledQuotes.find(idOrPrefix) { return quote }
    let prefix = idOrPrefix.lowercased()
    let found =
      prefix.isEmpty
      ? []
      : try read { try $0.quotes.startingWith(prefix) }
        .filter { $0.origin != .bundled }
    guard let quote = found.first else {
      throw Self.unknown(idOrPrefix)
    }
    guard found.count == 1 else {
      let ids = found.map { String($0.id.description.prefix(12)) }.joined(separator: ", ")
      throw LeaflogError(.ambiguous, "“\(idOrPrefix)” could be any of: \(ids).")
    }
    return quote
  }

  /// A page of all quotes: those that are not bundled, newest first, followed by the bundled ones.
  ///
  /// - Parameters:
  ///   - text: words that must match the start of a word in text, author or source, regardless of
  ///     case and diacritics, and phrases in double quotes. Nil takes all.
  ///   - limit: 1 to 1000 quotes.
  /// - Throws: `LeaflogError` with code `invalidRequest` for a limit out of its range.
  public func page(
    matching text: String? = nil, at position: TimelinePosition = .start, limit: Int = 50
  ) throws(LeaflogError) -> Page<Quote> {
    try page(matching: text, in: .english, at: position, limit: limit)
  }

  /// The same with the bundled quotes of a language.
  package func page(
    matching text: String? = nil, in language: QuoteLanguage,
    at position: TimelinePosition = .start, limit: Int = 50
  ) throws(LeaflogError) -> Page<Quote> {
    guard (1...1000).contains(limit) else {
      throw .invalid("A page has 1 to 1000 quotes, not \(limit).")
    }
    let stored = try read { try $0.quotes.allStored() }
    var listed = stored.map {
      ListedQuote(quote: $0.quote, instant: $0.createdAt, sequence: $0.row)
    }
    // The collection is older than any library, and its first quote comes first.
    listed += language.bundled.all.enumerated().map {
      ListedQuote(quote: $1, instant: Timestamp(milliseconds: 0), sequence: Int64(-$0))
    }
    if let text {
      let search = QuoteSearch(text)
      listed = listed.filter { search.fits($0.quote) }
    }
    return ListedQuote.page(listed.sorted { $1 < $0 }, at: position, limit: limit)
  }
}

/// A quote that was to be added.
public struct AddedQuote: Sendable, Hashable {
  /// The quote.
  public let quote: Quote
  /// Whether it was not there before.
  public let isNew: Bool
}

/// A quote that was to become a favourite.
public struct FavouriteQuote: Sendable, Hashable {
  /// Its entry.
  public let entry: Entry
  /// Whether it was not a favourite before.
  public let isNew: Bool
}

/// A quote that is no longer a favourite.
public struct FormerFavourite: Sendable, Hashable {
  /// Its entry, in the trash.
  public let entry: Entry
  /// Whether it was on the timeline before.
  public let isChanged: Bool
}

/// Favourites: quotes with an entry on the timeline.
extension LibraryQuotes {
  /// Makes a quote a favourite. A quote has only one entry: if it is in the trash, it is restored. It can
  /// be undone.
  ///
  /// - Parameter tags: nil leaves those of its entry.
  /// - Returns: its entry, and whether it was not a favourite before.
  /// - Throws: `LeaflogError` with code `invalidRequest` for a tag of several lines.
  public func favourite(
    _ quote: Quote, tags: [String]? = nil
  ) throws(LeaflogError) -> FavouriteQuote {
    let time = library.placed(now)
    let (entry, isNew) = try change(.quoteFavourite) {
      try $0.favourites.add(quote, at: time, tags: tags, now: $1)
    }
    return FavouriteQuote(entry: entry, isNew: isNew)
  }

  /// Puts a favourite into the trash. Undoing it or `favourite` brings it back.
  ///
  /// - Returns: its entry, and whether it was on the timeline before.
  /// - Throws: `LeaflogError` with code `notFound` when it is no favourite.
  @discardableResult
  public func unfavourite(_ id: QuoteID) throws(LeaflogError) -> FormerFavourite {
    try unfavourite(entriesOfFavourite(id))
  }

  /// The same for the favourite whose quote or entry has this id, or an unambiguous prefix of it.
  ///
  /// - Throws: `LeaflogError` with code `notFound` when it is no favourite, and `ambiguous` for a prefix of several ids.
  @discardableResult
  public func unfavourite(matching idOrPrefix: String) throws(LeaflogError) -> FormerFavourite {
    try unfavourite(entriesOfFavourite(matching: idOrPrefix))
  }

  private func unfavourite(_ entries: [Entry]) throws(LeaflogError) -> FormerFavourite {
    let changed = try library.diary.delete(entries.map(\.id), of: .quote).changed
    return FormerFavourite(
      entry: changed.last ?? entries[entries.count - 1], isChanged: !changed.isEmpty)
  }

  /// The entries of a favourite: at least one, in order of time.
  private func entriesOfFavourite(
    matching idOrPrefix: String
  ) throws(LeaflogError) -> [Entry] {
    // `b12` is a complete id, but could also be a prefix of an entry's.
    if BundledQuotes.find(idOrPrefix) == nil {
      do throws(LeaflogError) {
        return [try library.diary.entry(matching: idOrPrefix, of: .quote)]
      } catch  where error.code != .notFound {
        throw error
      } catch {
        // Then it is a quote's id.
      }
    }
    return try entriesOfFavourite(find(matching: idOrPrefix).id)
  }

  private func entriesOfFavourite(_ id: QuoteID) throws(LeaflogError) -> [Entry] {
    let entries = try read { try $0.favourites.entries(of: id) }
    if entries.isEmpty {
      throw LeaflogError(.notFound, "The quote \(id) is not a favourite.")
    }
    return entries
  }

  /// A page of favourites, the latest first.
  ///
  /// - Throws: `LeaflogError` with code `invalidRequest` for a limit out of its range.
  public func favourites(
    from first: LocalDay? = nil, to last: LocalDay? = nil, at position: TimelinePosition = .start,
    limit: Int = 50
  ) throws(LeaflogError) -> Page<Entry> {
    try library.timeline.page(
      TimelineQuery(kinds: [.quote], firstDay: first, lastDay: last), at: position, limit: limit)
  }

  /// The ids of the quotes that are favourites.
  ///
  /// - Throws: `LeaflogError` when the catalog cannot be read.
  public func favouriteIDs() throws(LeaflogError) -> Set<QuoteID> {
    try read { try $0.favourites.quotes() }
  }
}
