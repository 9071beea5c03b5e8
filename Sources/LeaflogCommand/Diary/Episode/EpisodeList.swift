import ArgumentParser
internal import Leaflog

/// `leaflog episode list`
struct EpisodeList: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List episodes, most recent first, with their duration.")

  @OptionGroup var list: ListOptions
  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .reading)
    let page = try list.page(of: .episode, in: library)
    // A narrow terminal has no room for both days on a line.
    guard !global.json, !page.elements.isEmpty, context.output.terminal.width >= 64 else {
      return list.tell(page, in: library, context, nothing: list.nothing("episodes"))
    }
    table(page.elements, context.output.terminal).lines.forEach(context.output.print)
    if !global.quiet { context.error.print(next: page.next) }
  }

  private func table(_ entries: [Entry], _ terminal: Terminal) -> TextTable {
    let room = max(8, terminal.width - 54)
    return TextTable(
      terminal,
      [
        .init(least: 23), .init(isRightAligned: true, least: 8), .init(style: .green, least: 7),
        .init(least: room, limit: room), .init(style: .dim),
      ], entries.compactMap(row))
  }

  private func row(_ entry: Entry) -> [TextTable.Cell]? {
    guard case .episode(let episode) = entry.content else { return nil }
    let days = episode.days(from: entry.time.localDay)
    let severity = episode.severity.map { "\($0) of 5" }
    let parts = [severity, episode.symptoms.map(\.words).listed, entry.notes].compactMap { $0 }
    return [
      .init("\(days.first)" + (days.last.map { " – \($0)" } ?? "")),
      .init(days.count.map { Quantities.count($0, "day") } ?? "ongoing"),
      .init(episode.type.words), .init(TextLayout.singleLine(parts.joined(separator: " · "))),
      .init(entry.id.short),
    ]
  }
}
