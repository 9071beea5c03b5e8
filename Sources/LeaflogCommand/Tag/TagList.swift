import ArgumentParser
internal import Leaflog

/// `leaflog tag list`
struct TagList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "All tags and how many entries have each, the most frequent first.")

  @OptionGroup var global: GlobalOptions

  private struct Item: Encodable {
    let tag: String
    let count: Int
    let lastDay: String

    init(_ tag: Tag) {
      self.tag = tag.name
      count = tag.count
      lastDay = tag.lastDay.description
    }
  }

  func run() throws {
    let library = try global.openLibrary(for: .reading)
    let (tags, today) = (try library.tags(), library.today)
    if global.json {
      return Output.result(JSON.line(Listing(items: tags.map(Item.init), next: nil)))
    }
    let width = tags.map { TextLayout.width($0.name) }.max() ?? 0
    let counts = tags.map { Quantities.entries($0.count) }
    let room = counts.map(TextLayout.width).max() ?? 0
    for (tag, count) in zip(tags, counts) {
      let name = TextLayout.truncated(tag.name, to: min(width, 40))
      Output.result(
        TextLayout.padded(name, to: min(width, 40)) + "  "
          + TextLayout.rightAligned(count, to: room) + "  last \(tag.lastDay.agoText(on: today))")
    }
    if tags.isEmpty, !global.quiet {
      Output.error("No tags yet. `leaflog tag add TAG ID` gives an entry one.")
    }
  }
}
