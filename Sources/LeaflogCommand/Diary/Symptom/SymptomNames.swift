import ArgumentParser
internal import Documents
internal import Leaflog

/// `leaflog symptom names`
struct SymptomNames: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "names", abstract: "List logged names, most likely first.")

  @Argument(help: "A prefix of the names.")
  var prefix = ""

  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .reading)
    let names = try library.diary.symptomNames(startingWith: prefix, today: library.today)
    if global.json {
      return context.output.print(
        json: Listing(items: names.map(SymptomNameDocument.init), next: nil))
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
