internal import DiaryCatalog

/// Favourites: quotes that stand on the timeline.
extension Library {
  /// Makes a quote a favourite. It is one once: an entry of it that is in the trash comes back.
  /// `undo` takes it back.
  ///
  /// - Parameter tags: nil leaves those of its entry.
  /// - Returns: its entry, and whether it was none before.
  public func favourite(
    _ quote: Quote, tags: [String]? = nil, now: RecordedTime? = nil
  ) throws(LeaflogError) -> (entry: Entry, isNew: Bool) {
    let time = EntryTime(now ?? self.now, in: timeZone)
    return try translating { try catalog.favourite(quote, at: time, tags: tags, now: moment) }
  }

  /// Puts a favourite into the trash. `undo` takes it back, and so does `favourite`.
  ///
  /// - Parameter idOrPrefix: of the quote, or of its entry; the start of it is enough where it is
  ///   unambiguous.
  /// - Returns: its entry, and whether it was on the timeline before.
  @discardableResult
  public func unfavourite(
    _ idOrPrefix: String
  ) throws(LeaflogError) -> (entry: Entry, isChanged: Bool) {
    let entries = try entriesOfFavourite(idOrPrefix)
    let changed = try delete(.quote, entries.map(\.id)).changed
    return (changed.last ?? entries[entries.count - 1], !changed.isEmpty)
  }

  /// At least one, in order of time.
  private func entriesOfFavourite(_ idOrPrefix: String) throws(LeaflogError) -> [Entry] {
    // `b12` is a whole id, and could be the start of an entry's as well.
    if BundledQuotes.number(of: idOrPrefix) == nil {
      do throws(LeaflogError) {
        return [try entry(idOrPrefix, of: .quote)]
      } catch  where error.code != .notFound {
        throw error
      } catch {
        // Then it is a quote's.
      }
    }
    let quote = try quote(idOrPrefix)
    let entries = try translating { try catalog.entries(ofQuote: quote.id) }
    if entries.isEmpty {
      throw LeaflogError(.notFound, "The quote \(quote.id) is not a favourite.")
    }
    return entries
  }

  /// A page of favourites, the latest first.
  public func favourites(
    from first: LocalDay? = nil, to last: LocalDay? = nil, at position: TimelinePosition = .start,
    limit: Int = 50
  ) throws(LeaflogError) -> Page<Entry> {
    try timeline.page(
      TimelineQuery(kinds: [.quote], firstDay: first, lastDay: last), at: position, limit: limit)
  }

  /// The ids of the quotes that are favourites.
  public func favouriteQuotes() throws(LeaflogError) -> Set<QuoteID> {
    try translating { try catalog.favouriteQuotes() }
  }
}
