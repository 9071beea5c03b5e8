import ArgumentParser
internal import Documents
internal import Leaflog

/// `leaflog symptom names`
struct SymptomNames: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "names", abstract: "Names that were logged before, the likeliest first.")

  @Argument(help: "What the names begin with.")
  var prefix = ""

  @OptionGroup var global: GlobalOptions

  private struct Item: Encodable {
    let name: String
    let count: Int
    let lastDay: String
  }

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .reading)
    let names = try library.diary.symptomNames(startingWith: prefix, today: library.today)
    if global.json {
      let items = names.map {
        Item(name: $0.name, count: $0.count, lastDay: $0.lastDay.description)
      }
      return context.output.print(json: Listing(items: items, next: nil))
    }
    let rows = names.map { name -> [TextTable.Cell] in
      [
        .init(TextLayout.singleLine(name.name)),
        "\(Quantities.count(name.count, "time")), last \(name.lastDay.agoText(on: library.today))",
      ]
    }
    TextTable(context.output.terminal, [.init(limit: 40), .init()], rows).lines
      .forEach(context.output.print)
  }
}
