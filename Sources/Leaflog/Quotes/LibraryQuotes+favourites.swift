internal import DiaryCatalog

/// Favourites: quotes with an entry on the timeline.
extension LibraryQuotes {
  /// Makes a quote a favourite. A quote has only one entry: if it is in the trash, it is restored. It can
  /// be undone.
  ///
  /// - Parameter tags: nil leaves those of its entry.
  /// - Returns: its entry, and whether it was not a favourite before.
  public func favourite(
    _ quote: Quote, tags: [String]? = nil
  ) throws(LeaflogError) -> (entry: Entry, isNew: Bool) {
    let time = library.placed(now)
    return try change(.quoteFavourite) {
      try $0.favourites.add(quote, at: time, tags: tags, now: $1)
    }
  }

  /// Puts a favourite into the trash. Undoing it or `favourite` brings it back.
  ///
  /// - Parameter idOrPrefix: the id of the quote or of its entry, or an unambiguous prefix of it.
  /// - Returns: its entry, and whether it was on the timeline before.
  @discardableResult
  public func unfavourite(
    _ idOrPrefix: String
  ) throws(LeaflogError) -> (entry: Entry, isChanged: Bool) {
    let entries = try entriesOfFavourite(idOrPrefix)
    let changed = try library.diary.delete(.quote, entries.map(\.id)).changed
    return (changed.last ?? entries[entries.count - 1], !changed.isEmpty)
  }

  /// The entries of a favourite: at least one, in order of time.
  private func entriesOfFavourite(_ idOrPrefix: String) throws(LeaflogError) -> [Entry] {
    // `b12` is a complete id, but could also be a prefix of an entry's.
    if BundledQuotes.number(of: idOrPrefix) == nil {
      do throws(LeaflogError) {
        return [try library.diary.entry(idOrPrefix, of: .quote)]
      } catch  where error.code != .notFound {
        throw error
      } catch {
        // Then it is a quote's id.
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
