internal import DiaryCatalog

/// Favourites: quotes that stand on the library.timeline.
extension LibraryQuotes {
  /// Makes a quote a favourite. It is one only once: an entry of it in the trash is restored. It can
  /// be undone.
  ///
  /// - Parameter tags: nil leaves those of its entry.
  /// - Returns: its entry, and whether it was none before.
  public func favourite(
    _ quote: Quote, tags: [String]? = nil
  ) throws(LeaflogError) -> (entry: Entry, isNew: Bool) {
    let time = EntryTime(now, in: timeZone)
    return try change(.quoteFavourite) {
      try $0.favourites.add(quote, at: time, tags: tags, now: $1)
    }
  }

  /// Puts a favourite into the trash. Undoing it or `favourite` brings it back.
  ///
  /// - Parameter idOrPrefix: of the quote, or of its entry; the start of it is enough where it is
  ///   unambiguous.
  /// - Returns: its entry, and whether it was on the timeline before.
  @discardableResult
  public func unfavourite(
    _ idOrPrefix: String
  ) throws(LeaflogError) -> (entry: Entry, isChanged: Bool) {
    let entries = try entriesOfFavourite(idOrPrefix)
    let changed = try library.diary.delete(.quote, entries.map(\.id)).changed
    return (changed.last ?? entries[entries.count - 1], !changed.isEmpty)
  }

  /// At least one, in order of time.
  private func entriesOfFavourite(_ idOrPrefix: String) throws(LeaflogError) -> [Entry] {
    // `b12` is a whole id, and could be the start of an entry's as well.
    if BundledQuotes.number(of: idOrPrefix) == nil {
      do throws(LeaflogError) {
        return [try library.diary.entry(idOrPrefix, of: .quote)]
      } catch  where error.code != .notFound {
        throw error
      } catch {
        // Then it is a quote's.
      }
    }
    let quote = try find(idOrPrefix)
    let entries = try read { try $0.favourites.entries(of: quote.id) }
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
    try library.timeline.page(
      TimelineQuery(kinds: [.quote], firstDay: first, lastDay: last), at: position, limit: limit)
  }

  /// The ids of the quotes that are favourites.
  public func favouriteIDs() throws(LeaflogError) -> Set<QuoteID> {
    try read { try $0.favourites.quotes() }
  }
}
