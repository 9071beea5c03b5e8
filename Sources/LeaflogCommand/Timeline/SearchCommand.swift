import ArgumentParser
internal import Leaflog

/// `leaflog search`
struct SearchCommand: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "search", abstract: "Find words in notes, tags, plant names and locations.",
    discussion: """
      All words must match, each at the start of a word; case and accents are ignored. Text in \
      double quotes is matched as a phrase: leaflog search '"first flower"'.
      """)

  @Argument(help: "What to look for.")
  var text: [String]

  @Option(help: "Only this kind; can be repeated.")
  var kind: [EntryKind] = []

  @Option(help: "Only this plant: a name or an id.", completion: .plants)
  var plant: String?

  @OptionGroup var filter: TagFilterOptions

  @Option(help: "The first day or time to look at.")
  var from: BoundArgument?

  @Option(help: "The last day or time to look at.")
  var to: BoundArgument?

  @Option(help: "The number of entries per page, 1 to 1000.")
  var limit = 50

  @Option(help: "Continue from a cursor printed by the previous page.")
  var before: Cursor?

  @Option(help: "The same: a cursor knows in which direction it continues.")
  var after: Cursor?

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard text.contains(where: { $0.contains { !$0.isWhitespace } }) else {
      throw ValidationError("Give one or more words to search for.")
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
    var query = TimelineQuery(
      plant: try plant.map { try library.plants.reference(matching: $0).id }, kinds: Set(kind),
      tags: filter.tag, isFavourite: filter.favourite)
    query.first = try from?.first(in: library)
    query.last = try to?.last(in: library)
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
      context.error.print("For more, repeat with --before \(next)")
    } else if result.plants.isEmpty, result.page.elements.isEmpty {
      let meant = result.suggestion.map { " Did you mean \($0.quoted)?" } ?? ""
      context.error.print("Nothing found.\(meant)")
    }
  }

}

extension Cursor: ExpressibleByArgument {}
