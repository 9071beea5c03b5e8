import ArgumentParser
internal import Documents
internal import Leaflog

/// `leaflog quote today`
struct QuoteToday: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "today", abstract: "Show the quote of the day.",
    discussion: """
      It is a built-in quote, or one that you added before that day; none repeats until all have \
      been shown. No network is used unless `leaflog settings set quotes.source zenquotes` is set: \
      then this command asks zenquotes.io once a day.
      """)

  @Option(help: "Another day: 2026-03-01, yesterday.")
  var on: DayArgument?

  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) async throws {
    var library = try context.openLibrary(for: .reading)
    let day = try on?.day(in: library) ?? library.today
    if day == library.today, try library.quotes.isServiceDue() {
      do {
        library = try context.openLibrary(for: .editing)
      } catch let error as LeaflogError where error.code == .readOnly {
        // Then the service is not asked, and the result says so.
      }
    }
    let found = try await library.quotes.fetch(of: day)
    if let problem = found.problem {
      context.error.print("leaflog: \(problem). Showing a quote from the library instead.")
    }
    let isFavourite = try library.quotes.favouriteIDs().contains(found.quote.id)
    if global.json {
      var document = QuoteDocument(found.quote, isFavourite: isFavourite)
      document.day = found.day.description
      context.output.print(json: document)
    } else {
      QuoteText(terminal: context.output.terminal).lines(
        found.quote, note: isFavourite ? "a favourite" : nil
      )
      .forEach(context.output.print)
    }
  }
}
