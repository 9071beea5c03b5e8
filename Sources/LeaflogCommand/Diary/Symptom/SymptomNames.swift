import ArgumentParser
internal import Leaflog

/// `leaflog symptom names`
struct SymptomNames: ParsableCommand {
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

  func run() throws {
    let library = try global.openLibrary(for: .reading)
    let names = try library.symptomNames(startingWith: prefix, today: library.today)
    if global.json {
      let items = names.map {
        Item(name: $0.name, count: $0.count, lastDay: $0.lastDay.description)
      }
      return Output.result(JSON.line(Listing(items: items, next: nil)))
    }
    let width = names.map { TextLayout.width($0.name) }.max() ?? 0
    for name in names {
      let times = Quantities.count(name.count, "time")
      Output.result(
        TextLayout.padded(TextLayout.singleLine(name.name), to: min(width, 40))
          + "  \(times), last \(name.lastDay.agoText(on: library.today))")
    }
  }
}
