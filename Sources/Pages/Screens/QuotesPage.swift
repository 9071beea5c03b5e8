internal import Leaflog

/// Quotes: favourites, the user's own, or all.
package struct QuotesPage: Screen {
  package static let template = "quotes"

  package enum Filter: String, CaseIterable {
    case all, favourites, own
  }

  private static let pageLength = 30

  let page: PageFrame
  let problem: PageProblem?
  let conflict: Conflict?
  let filters: [Choice]
  let searchText: String?
  let hasQuotes: Bool
  let quotes: [QuoteCard]
  let olderHref: String?
  let emptyText: String
  let rows: [FormRow]

  /// - Parameters:
  ///   - filter: nil means favourites, or all if there are none.
  ///   - text: words to search for.
  ///   - offset: the number of quotes to skip.
  package init(
    _ context: PageContext, _ filter: Filter? = nil, text: String? = nil, from offset: Int = 0,
    refusal: Refusal? = nil
  ) throws {
    let words = context.words
    let favourites = try context.library.quotes.favouriteIDs()
    let chosen = filter ?? (favourites.isEmpty || text != nil ? .all : .favourites)
    page = try context.frame(words["quotes"], at: .today)
    problem = context.problem(refusal)
    func address(_ filter: Filter) -> PageAddress {
      PageAddress("/quotes", [("filter", filter.rawValue)]).with("text", text)
    }
    filters = Filter.allCases.map {
      Choice(
        href: address($0).text, label: words["quoteFilter.\($0.rawValue)"],
        isChosen: $0 == chosen)
    }
    searchText = text
    let found = try Self.quotes(chosen, text, in: context)
    quotes = found.dropFirst(offset).prefix(Self.pageLength).map {
      QuoteCard(
        $0, isFavourite: favourites.contains($0.id),
        canDelete: $0.origin == .own && chosen != .favourites)
    }
    hasQuotes = !quotes.isEmpty
    let next = offset + Self.pageLength
    olderHref = found.count > next ? address(chosen).with("before", "\(next)").text : nil
    emptyText = words["quotesNone"]
    let form = FormBuilder(refusal, context, prefix: "quote-")
    rows = [
      FormRow(form.area("text", label: "quoteText", isRequired: true, maxLength: 2000)),
      FormRow(pair: [
        form.field("author", stored: nil, .init()), form.field("source", stored: nil, .init()),
      ]),
    ]
    conflict = refusal?.conflict(at: "/quotes?filter=own", rows.fields, words)
  }
}

extension QuotesPage {
  private static func quotes(
    _ filter: Filter, _ text: String?, in context: PageContext
  ) throws -> [Quote] {
    let library = context.library
    let language = QuoteLanguage(context.words.language)
    var (all, position) = ([Quote](), TimelinePosition.start)
    while true {
      let page = try library.quotes.page(
        matching: text, in: language, at: position, limit: 1000)
      all += page.elements
      guard let next = page.next else { break }
      position = .cursor(next)
    }
    switch filter {
    case .all: return all
    case .own: return all.filter { $0.origin == .own }
    case .favourites:
      let found = Set(all.map(\.id))
      var seen: Set<QuoteID> = []
      return try library.diary.entries(of: .quote).reversed().compactMap { entry in
        guard case .quote(let quote) = entry.content, seen.insert(quote.id).inserted else {
          return nil
        }
        return text == nil || found.contains(quote.id) ? quote : nil
      }
    }
  }
}
