import ArgumentParser
internal import Documents
internal import Leaflog

/// `leaflog tag list`
struct TagList: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "All tags and how many entries have each, the most frequent first.")

  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .reading)
    let (tags, today) = (try library.diary.tags(), library.today)
    if global.json {
      return context.output.print(json: Listing(items: tags.map(TagDocument.init), next: nil))
    }
    let rows = tags.map { tag -> [TextTable.Cell] in
      ["\(tag.name)", "\(Quantities.entries(tag.count))", "last \(tag.lastDay.agoText(on: today))"]
    }
    TextTable(
      context.output.terminal, [.init(limit: 40), .init(isRightAligned: true), .init()], rows
    ).lines.forEach(context.output.print)
    if tags.isEmpty, !global.quiet {
      context.error.print("No tags yet. Add one with `leaflog tag add TAG ID`.")
    }
  }
}
