import ArgumentParser
internal import Documents
internal import Leaflog

/// `leaflog search`
struct SearchCommand: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "search", abstract: "Find words in notes, tags, plant names and locations.",
    discussion: """
      Every word has to be found, each at the start of a word; case and accents do not matter. What \
      stands in double quotes is found as it stands: leaflog search '"first flower"'.
      """)

  @Argument(help: "What to look for.")
  var text: [String]

  @Option(help: "Only this kind; can be given several times.")
  var kind: [EntryKind] = []

  @Option(help: "Only this plant: a name or an id.", completion: .plants)
  var plant: String?

  @OptionGroup var filter: TagFilterOptions

  @Option(help: "The first day to look at.")
  var from: DayArgument?

  @Option(help: "The last day to look at.")
  var to: DayArgument?

  @Option(help: "How many entries a page has, 1 to 1000.")
  var limit = 50

  @Option(help: "A page's cursor, for the page that it leads to.")
  var before: Cursor?

  @Option(help: "The same as --before.")
  var after: Cursor?

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard text.contains(where: { $0.contains { !$0.isWhitespace } }) else {
      throw ValidationError("Search for what? Give a word, or several.")
    }
    guard (1...1000).contains(limit) else {
      throw ValidationError("--limit takes 1 to 1000, not \(limit).")
    }
    guard before == nil || after == nil else {
      throw ValidationError("Give one of --before and --after.")
    }
  }

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .reading)
    let query = TimelineQuery(
      plant: try plant.map { try library.plants.reference($0).id }, kinds: Set(kind),
      tags: filter.tag,
      isFavourite: filter.favourite, firstDay: try from?.firstDay(in: library),
      lastDay: try to?.lastDay(in: library))
    let result = try library.timeline.search(
      text.joined(separator: " "), in: query, at: (before ?? after).map { .cursor($0) } ?? .start,
      limit: limit)
    if global.json {
      context.output.print(json: SearchDocument(result, today: library.today))
      return
    }
    PlantText(terminal: context.output.terminal, in: library).lines(result.plants).forEach(
      context.output.print)
    if !result.plants.isEmpty, !result.page.elements.isEmpty { context.output.print("") }
    TimelineText(terminal: context.output.terminal, zone: library.timeZone).lines(
      result.page.elements
    ).forEach(context.output.print)
    guard !global.quiet else { return }
    if let next = result.page.next {
      context.error.print("There is more: repeat it with --before \(next)")
    } else if result.plants.isEmpty, result.page.elements.isEmpty {
      context.error.print("Nothing found.")
    }
  }

}

extension Cursor: ExpressibleByArgument {}
