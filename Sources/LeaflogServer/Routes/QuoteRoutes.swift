internal import Documents
internal import Hummingbird
internal import Leaflog

/// Quotes and favourites.
struct QuoteRoutes: Sendable {
  let access: LibraryAccess
  let writing: Writing

  func add(to group: RouterGroup<LeaflogRequestContext>) {
    group.get("quotes") { request, _ in try await quotes(request) }
    group.get("days/:day/quote") { request, context in
      try QueryReader(request).finish()
      let text = try context.text("day")
      return try await Response.json(access) { library in
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
    group.get("quotes/:id") { request, context in
      try QueryReader(request).finish()
      let id = try context.text("id")
      return try await Response.json(access) { library in
        let quote = try library.quotes.find(id)
        return QuoteDocument(
          quote, isFavourite: try library.quotes.favouriteIDs().contains(quote.id))
      }
    }
    writing.add(.post, "quotes", to: group) { call in
      var body = call.body
      let text = try body.requiredText("text")
      let (author, source) = (try body.text("author"), try body.text("source"))
      try body.finish()
      let (quote, isNew) = try call.writer().quotes.add(text, author: author, source: source)
      var document = QuoteDocument(
        quote, isFavourite: try call.library.quotes.favouriteIDs().contains(quote.id))
      document.changed = isNew
      return Written(document, isNew ? .created : .ok, at: "quotes/\(quote.id)")
    }
    writing.add(.delete, "quotes/:id", to: group) { call in
      try call.body.finish()
      let quote = try call.library.quotes.find(call.name("id"))
      let isChanged = try call.writer().quotes.delete(quote)
      var document = QuoteDocument(
        quote, isFavourite: try call.library.quotes.favouriteIDs().contains(quote.id))
      document.changed = isChanged
      return Written(document)
    }
    writing.add(.put, "quotes/:id/favourite", to: group) { call in
      var body = call.body
      let tags = try body.texts("tags")
      try body.finish()
      let quote = try call.library.quotes.find(call.name("id"))
      let (entry, isNew) = try call.writer().quotes.favourite(quote, tags: tags)
      return written(entry, quote, isChanged: isNew)
    }
    writing.add(.delete, "quotes/:id/favourite", to: group) { call in
      try call.body.finish()
      let (entry, isChanged) = try call.writer().quotes.unfavourite(call.name("id"))
      guard case .quote(let quote) = entry.content else { return Written(entry) }
      return written(entry, quote, isChanged: isChanged)
    }
  }

  private func written(_ entry: Entry, _ quote: Quote, isChanged: Bool) -> Written {
    var document = QuoteDocument(entry, quote)
    document.changed = isChanged
    return Written(document)
  }

  private func quotes(_ request: Request) async throws -> Response {
    var reader = QueryReader(request)
    let words = try reader.text("q")
    let position = try reader.position()
    let limit = try reader.count("limit", in: 1...1000, standard: 50)
    try reader.finish()
    return try await Response.json(access) { library in
      let page = try library.quotes.page(matching: words, at: position, limit: limit)
      let favourites = try library.quotes.favouriteIDs()
      return Listing(
        items: page.elements.map {
          QuoteDocument($0, isFavourite: favourites.contains($0.id))
        }, next: page.next?.description)
    }
  }
}
