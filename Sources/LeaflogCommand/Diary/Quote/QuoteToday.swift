import ArgumentParser
internal import Documents
internal import Leaflog

/// `leaflog quote today`
struct QuoteToday: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "today", abstract: "The quote of the day, the same all day.",
    discussion: """
      It is one of the quotes that come with Leaflog, or one of those that you added before that day; each \
      comes once before any comes again. No network is needed, and none is used, unless \
      `leaflog settings set quotes.source zenquotes` says so: then zenquotes.io is asked once a day, here \
      and nowhere else.
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
      context.error.print("leaflog: \(problem). Today has a quote of the library instead.")
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
