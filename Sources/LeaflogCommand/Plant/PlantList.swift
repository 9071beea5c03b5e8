import ArgumentParser
internal import Documents
internal import Foundation
internal import Leaflog

/// `leaflog plant list`
struct PlantList: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "All plants by name, with their latest photo's date.")

  @Flag(help: "List deleted plants instead.")
  var deleted = false

  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .reading)
    let (plants, today) = (try library.plants.all(deleted: deleted), library.today)
    if global.json {
      context.output.print(
        json: Listing(items: plants.map { PlantDocument($0, today: today) }, next: nil))
    } else {
      PlantText(terminal: context.output.terminal, in: library).lines(plants).forEach(
        context.output.print)
      if plants.isEmpty, !global.quiet {
        context.error.print(
          deleted
            ? "No plants in the trash."
            : "No plants yet. `leaflog import FOLDER` or `leaflog plant add NAME` adds some.")
      }
    }
  }
}

/// Plants as lines of text: name, photos, latest day, location. Deleted plants also have the day of their deletion.
struct PlantText {
  let terminal: Terminal
  /// The library's time zone, in which days are shown.
  private let zone: TimeZone
  private let today: LocalDay

  init(terminal: Terminal, in library: Library) {
    self.terminal = terminal
    (zone, today) = (library.timeZone, library.today)
  }

  private func day(of plant: Plant) -> LocalDay? {
    guard let deletedAt = plant.deletedAt else { return plant.lastPhotoDay }
    return EntryTime(.instant(deletedAt), in: zone).localDay
  }

  func lines(_ plants: [Plant]) -> [String] {
    let rows = plants.map { plant -> [TextTable.Cell] in
      let day = day(of: plant)
      let ago = day.map { (plant.deletedAt == nil ? "" : "deleted ") + $0.agoText(on: today) }
      return [
        .init(TextLayout.singleLine(plant.name)),
        .init(plant.photoCount == 0 ? "no photos" : Quantities.count(plant.photoCount, "photo")),
        .init(day.map { "\($0)" } ?? ""), .init(ago ?? ""),
        .init(TextLayout.singleLine(plant.location ?? "")),
      ]
    }
    var table = TextTable(
      terminal,
      [
        .init(style: .green), .init(isRightAligned: true), .init(), .init(isRightAligned: true),
        .init(),
      ], rows)
    let fixed = (1...3).map { table.textWidth($0) + 2 }.reduce(0, +)
    let name = min(
      table.textWidth(0), max(12, terminal.width - fixed - min(table.textWidth(4), 16) - 2))
    table.columns[0].limit = name
    table.columns[4].limit = max(0, terminal.width - name - fixed - 2)
    return table.lines
  }
}
