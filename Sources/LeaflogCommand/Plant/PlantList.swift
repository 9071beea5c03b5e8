import ArgumentParser
internal import Foundation
internal import Leaflog

/// `leaflog plant list`
struct PlantList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "All plants by name, with their latest photo's date.")

  @Flag(help: "Those that were deleted, with their photos in the trash.")
  var deleted = false

  @OptionGroup var global: GlobalOptions

  func run() throws {
    let library = try global.openLibrary(for: .reading)
    let (plants, today) = (try library.plants(deleted: deleted), library.today)
    if global.json {
      Output.result(
        JSON.line(Listing(items: plants.map { PlantDocument($0, today: today) }, next: nil)))
    } else {
      PlantText(terminal: .output, in: library).lines(plants).forEach(Output.result)
      if plants.isEmpty, !global.quiet {
        Output.error(
          deleted
            ? "No plant is in the trash."
            : "No plants yet. `leaflog import FOLDER` or `leaflog plant add NAME` adds some.")
      }
    }
  }
}

/// Plants as lines of text: name, photos, latest day, location. Deleted ones have the day on which they
/// were.
struct PlantText {
  let terminal: Terminal
  /// The library's, in which the days are told.
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
    let rows = plants.map { plant in
      [
        TextLayout.singleLine(plant.name),
        plant.photoCount == 0 ? "no photos" : Quantities.count(plant.photoCount, "photo"),
        day(of: plant).map { "\($0)" } ?? "",
        day(of: plant).map { (plant.deletedAt == nil ? "" : "deleted ") + $0.agoText(on: today) }
          ?? "",
        TextLayout.singleLine(plant.location ?? ""),
      ]
    }
    let widths = (0..<5).map { column in rows.map { TextLayout.width($0[column]) }.max() ?? 0 }
    let fixed = widths[1] + widths[2] + widths[3] + 3 * 2
    let name = min(widths[0], max(12, terminal.width - fixed - min(widths[4], 16) - 2))
    return rows.map { row in
      var line = terminal.styled(
        TextLayout.padded(TextLayout.truncated(row[0], to: name), to: name), .green)
      line += "  " + TextLayout.rightAligned(row[1], to: widths[1])
      line += "  " + TextLayout.padded(row[2], to: widths[2])
      line += "  " + TextLayout.rightAligned(row[3], to: widths[3])
      let room = terminal.width - name - fixed - 2
      if room > 0, !row[4].isEmpty { return line + "  " + TextLayout.truncated(row[4], to: room) }
      return row[2].isEmpty ? String(line.dropLast(widths[2] + widths[3] + 4)) : line
    }
  }
}
