import ArgumentParser
internal import Documents
internal import Foundation
internal import Leaflog

/// `leaflog plant show`
struct PlantShow: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show all details of a plant.")

  @OptionGroup var named: PlantArgument

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard named.text != nil else { throw ValidationError("Give a plant.") }
  }

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .reading)
    let record = try library.plants.record(of: library.plants.named(named.text ?? ""))
    if global.json {
      context.output.print(json: PlantRecordDocument(record, today: library.today))
    } else {
      printText(record, library, context)
    }
  }

  private func printText(
    _ record: PlantRecord, _ library: Library, _ context: CommandContext
  ) {
    let fields = FieldList(terminal: context.output.terminal, nameWidth: 12)
    func row(_ name: String, _ value: String?) {
      fields.lines(name, value).forEach(context.output.print)
    }
    let plant = record.plant
    row("Plant", plant.name)
    row("Species", plant.scientificName)
    row("Location", plant.location)
    row("Notes", plant.notes)
    row("Photos", "\(plant.photoCount)")
    if let first = record.firstPhoto, let last = record.lastPhoto {
      row("First", photo(first, library))
      row("Last", photo(last, library) + ", " + last.time.localDay.agoText(on: library.today))
      let age = first.time.localDay.daysAgo(on: library.today)
      if age >= 0 { row("Age", Quantities.count(age, "day") + " since the first photo") }
    }
    row("Rhythm", record.medianDaysBetweenPhotos.map { "a photo every \(number($0)) (median)" })
    for (number, line) in record.months.linesByYear.enumerated() {
      row(number == 0 ? "Months" : "", line)
    }
    row("Id", plant.id.description)
  }

  private func photo(_ entry: Entry, _ library: Library) -> String {
    "\(TimelineText.moment(entry.time, in: library.timeZone)), \(entry.id.short)"
  }

  private func number(_ days: Double) -> String {
    if days == 1 { return "day" }
    return days == days.rounded() ? "\(Int(days)) days" : String(format: "%.1f days", days)
  }
}
