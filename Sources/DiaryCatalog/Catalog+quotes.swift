package import DiaryModel
internal import GRDB

/// A quote in the catalog and when it came there.
package struct StoredQuote: Sendable {
  package let quote: Quote
  package let row: Int64
  package let createdAt: Timestamp
}

extension Catalog {
  /// The quote that was kept for a day.
  package func keptQuote(of day: LocalDay) throws -> Quote? {
    try readOnce { try Self.keptQuote(of: day, $0) }
  }

  private static func keptQuote(of day: LocalDay, _ database: Database) throws -> Quote? {
    let find = try database.cachedStatement(
      sql: "SELECT q.* FROM dayQuote d JOIN quote q ON q.id = d.quoteID WHERE d.day = ?")
    return try Row.fetchOne(find, arguments: [day.description]).map(database.quote)
  }

  /// Keeps a quote for a day, unless the day has one by now.
  ///
  /// - Returns: the day's quote.
  package func keep(_ quote: Quote, as day: LocalDay, now: Timestamp) throws -> Quote {
    try write { database in
      if let kept = try Self.keptQuote(of: day, database) { return kept }
      let kept = try Self.same(as: quote, database) ?? quote
      try database.execute(
        sql: "INSERT INTO dayQuote (day, quoteID) VALUES (?, ?)",
        arguments: [day.description, database.quoteRow(kept, now: now)])
      return kept
    }
  }

  /// Keeps a quote that somebody wrote down, unless it is there already, in one transaction that can be
  /// taken back.
  package func add(_ quote: Quote, now: Timestamp) throws -> (quote: Quote, isNew: Bool) {
    try change(.quoteAdd, now: now) { database, _ in
      if let same = try Self.same(as: quote, database) { return (same, false) }
      _ = try database.quoteRow(quote, now: now)
      return (quote, true)
    }
  }

  /// The quote that says the same and comes from the same place: what is fetched or written down a
  /// second time is not another one.
  private static func same(as quote: Quote, _ database: Database) throws -> Quote? {
    try Row.fetchOne(
      database,
      sql: """
        SELECT * FROM quote WHERE origin = ? AND text = ? AND author IS ? AND source IS ?
        """,
      arguments: [quote.origin.rawValue, quote.text, quote.author, quote.source]
    ).map(database.quote)
  }

  /// When the quotes were added that somebody wrote down, in that order.
  package func ownQuoteTimes() throws -> [Timestamp] {
    try readOnce { database in
      try Int64.fetchAll(
        database, sql: "SELECT createdAt FROM quote WHERE origin = 'own' ORDER BY createdAt, id"
      ).map(Timestamp.init(milliseconds:))
    }
  }

  /// One of them.
  package func ownQuote(at index: Int) throws -> Quote {
    try readOnce { database in
      let row = try Row.fetchOne(
        database,
        sql: "SELECT * FROM quote WHERE origin = 'own' ORDER BY createdAt, id LIMIT 1 OFFSET ?",
        arguments: [index])
      guard let row else { throw CatalogError(.damaged, "A quote went from the catalog.") }
      return try database.quote(row)
    }
  }

  /// All that are not of the bundled collection, in no particular order.
  package func storedQuotes() throws -> [StoredQuote] {
    try readOnce { database in
      try Row.fetchAll(database, sql: "SELECT * FROM quote WHERE origin <> 'bundled'").map { row in
        StoredQuote(
          quote: try database.quote(row), row: row["id"],
          createdAt: Timestamp(milliseconds: row["createdAt"]))
      }
    }
  }

  /// The quotes of the catalog whose ids begin so.
  package func quotes(startingWith prefix: String) throws -> [Quote] {
    try readOnce { database in
      try Row.fetchAll(
        database, sql: "SELECT * FROM quote WHERE substr(publicID, 1, length(?1)) = ?1 LIMIT 6",
        arguments: [prefix]
      ).map(database.quote)
    }
  }
}

/// Favourites: entries that have a quote.
extension Catalog {
  /// Makes a quote a favourite: takes its entry out of the trash where there is one, and makes one
  /// otherwise.
  ///
  /// - Returns: its entry, and whether it was none before.
  package func favourite(
    _ quote: Quote, at time: EntryTime, tags: [String]? = nil, now: Timestamp
  ) throws -> (entry: Entry, isNew: Bool) {
    try change(.quoteFavourite, now: now) { database, now in
      let before = try Self.entries(of: quote.id, database)
      let living = before.first { $0.deletedAt == nil }
      let draft = EntryDraft(time: time, tags: tags ?? [], content: .quote(quote))
      let id: EntryID
      if let entry = living ?? before.last {
        id = entry.id
        var edit = EntryEdit(id, isDeleted: false)
        edit.tags = tags.map { tags in { _ in tags } }
        _ = try Self.apply(edit, now, database)
      } else {
        id = draft.id
        try Self.insert(draft, now, database)
      }
      return (try Self.entry(id.description, of: .quote, database), living == nil)
    }
  }

  /// The entries of a quote, those in the trash included, in order of time.
  package func entries(ofQuote id: QuoteID) throws -> [Entry] {
    try read { try Self.entries(of: id, $0) }
  }

  private static func entries(of id: QuoteID, _ database: Database) throws -> [Entry] {
    try database.entries(
      EntrySelection.sql + """
         JOIN favouriteQuote f ON f.entryID = e.id JOIN quote q ON q.id = f.quoteID
        WHERE q.publicID = ? ORDER BY e.occurredAt, e.seq
        """, [id.description])
  }

  /// The quotes that are favourites.
  package func favouriteQuotes() throws -> Set<QuoteID> {
    try readOnce { database in
      let ids = try String.fetchSet(
        database,
        sql: """
          SELECT q.publicID FROM favouriteQuote f JOIN entry e ON e.id = f.entryID
          JOIN quote q ON q.id = f.quoteID WHERE e.deletedAt IS NULL
          """)
      return Set(ids.map(QuoteID.init(stored:)))
    }
  }
}
