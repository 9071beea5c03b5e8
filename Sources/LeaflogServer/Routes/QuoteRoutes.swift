internal import Hummingbird
internal import Leaflog

/// Quotes and favourites.
struct QuoteRoutes: Sendable {
  func add(to api: API) {
    api.get(
      "quotes", "quotes", .readDiary, "Quotes, your own first",
      query: [Query.someWords] + Query.quotePage,
      answers: [.json(.answer(Listing<QuoteDocument>.self))], quotes)
    api.get(
      "days/\(Path.day)/quote", "quoteOfDay", .readDiary, "The quote of a day",
      answers: [.json(.answer(QuoteDocument.self))],
      quoteOfDay)
    api.get(
      "quotes/\(Path.quote)", "quote", .readDiary, "A quote",
      answers: [.json(.answer(QuoteDocument.self))]
    ) { asked in
      let id = try asked.name(Path.quote)
      return try await Response.json(asked.access) { library in
        let quote = try library.quotes.find(matching: id)
        return QuoteDocument(
          quote, isFavourite: try library.quotes.favouriteIDs().contains(quote.id))
      }
    }
    addWriting(to: api)
  }

  private func addWriting(to api: API) {
    api.write(
      .post, "quotes", "addQuote", .writeDiary, "Add your own quote",
      body: Body([Self.text, Self.author, Self.source]),
      answers: .created(.answer(QuoteDocument.self)),
      .json(.answer(QuoteDocument.self), .ok, "It already exists")
    ) { call in
      let added = try call.writer().quotes.add(
        call.body.known(Self.text), author: call.body.value(Self.author),
        source: call.body.value(Self.source))
      var document = QuoteDocument(
        added.quote, isFavourite: try call.library.quotes.favouriteIDs().contains(added.quote.id))
      document.changed = added.isNew
      return Written(document, added.isNew ? .created : .ok, at: "quotes/\(added.quote.id)")
    }
    api.write(
      .delete, "quotes/\(Path.quote)", "deleteQuote", .writeDiary,
      "Delete one of your own quotes; if it is a favourite, that stays",
      answers: .json(.answer(QuoteDocument.self))
    ) { call in
      let quote = try call.library.quotes.find(matching: call.name(Path.quote))
      let isChanged = try call.writer().quotes.delete(quote)
      var document = QuoteDocument(
        quote, isFavourite: try call.library.quotes.favouriteIDs().contains(quote.id))
      document.changed = isChanged
      return Written(document)
    }
    api.write(
      .put, "quotes/\(Path.quote)/favourite", "favouriteQuote", .writeDiary,
      "Add a quote to favourites",
      body: Body([BodyField.tags]), answers: .json(.answer(QuoteDocument.self))
    ) { call in
      let tags = try call.body.listChange(BodyField.tags)
      let quote = try call.library.quotes.find(matching: call.name(Path.quote))
      let favourite = try call.writer().quotes.favourite(quote, tags: tags)
      return written(favourite.entry, quote, isChanged: favourite.isNew)
    }
    api.write(
      .delete, "quotes/\(Path.quote)/favourite", "unfavouriteQuote", .writeDiary,
      "Remove a quote from favourites", answers: .json(.answer(QuoteDocument.self))
    ) { call in
      let former = try call.writer().quotes.unfavourite(matching: call.name(Path.quote))
      guard case .quote(let quote) = former.entry.content else { return Written(former.entry) }
      return written(former.entry, quote, isChanged: former.isChanged)
    }
  }

  private static let text = Parameter<String>(
    "text", .verbatim, isRequired: true,
    "One line or several, which are joined with “ / ”: at most "
      + "\(LibraryQuotes.maxLength) characters.")
  private static let author = Parameter<String>("author", .text, "One line.")
  private static let source = Parameter<String>("source", .text, "One line.")

  private func quoteOfDay(_ asked: Asked) async throws -> Response {
    let text = try asked.name(Path.day)
    return try await Response.json(asked.access) { library in
      guard let day = text == "today" ? library.today : LocalDay(text) else {
        throw Problem(.badRequest, "Give the day as 2026-03-01.")
      }
      let quote = try library.quotes.ofDay(day)
      var document = QuoteDocument(
        quote, isFavourite: try library.quotes.favouriteIDs().contains(quote.id))
      document.day = day
      return document
    }
  }

  private func written(_ entry: Entry, _ quote: Quote, isChanged: Bool) -> Written {
    var document = QuoteDocument(entry, quote)
    document.changed = isChanged
    return Written(document)
  }

  private func quotes(_ asked: Asked) async throws -> Response {
    let words = try asked.query.value(Query.someWords)
    let position = try asked.query.position()
    let limit = try asked.query.known(Query.limit)
    return try await Response.json(asked.access) { library in
      let page = try library.quotes.page(matching: words, at: position, limit: limit)
      let favourites = try library.quotes.favouriteIDs()
      return Listing(
        items: page.elements.map {
          QuoteDocument($0, isFavourite: favourites.contains($0.id))
        }, next: page.next?.description)
    }
  }
}
