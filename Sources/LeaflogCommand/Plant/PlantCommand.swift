import ArgumentParser
internal import Fields
internal import Foundation
internal import Leaflog

/// `leaflog plant`
struct PlantCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plant", abstract: "Add, list, edit and delete plants.",
    subcommands: [
      PlantAdd.self, PlantList.self, PlantShow.self, PlantEdit.self, PlantRename.self,
      PlantDelete.self, PlantRestore.self,
    ], defaultSubcommand: PlantList.self)
}

extension LocalDay {
  /// `today`, `yesterday`, `12 days ago`.
  func agoText(on today: LocalDay) -> String {
    let days = daysAgo(on: today)
    return switch days {
    case 0: "today"
    case 1: "yesterday"
    case ..<0: "in \(Quantities.count(-days, "day"))"
    default: "\(days) days ago"
    }
  }
}

/// The details of a plant, apart from its name and its aliases.
private struct PlantOptions: ParsableArguments {
  @Option(parsing: .unconditional, help: "Its scientific name, e.g. 'Monstera deliciosa'.")
  var scientificName: String?

  @Option(parsing: .unconditional, help: "Its location.")
  var location: String?

  @Option(parsing: .unconditional, help: "A note.")
  var note: String?

  var isEmpty: Bool { scientificName == nil && location == nil && note == nil }

  func change(_ plant: inout PlantDetails) {
    plant.scientificName = scientificName ?? plant.scientificName
    plant.location = location ?? plant.location
    plant.notes = note ?? plant.notes
  }
}

/// `leaflog plant add`
private struct PlantAdd: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add a plant.",
    discussion: "Importing a folder adds the plant with the folder's name.")

  @Argument(help: "The name, which must be unique.")
  var name: String

  @OptionGroup var details: PlantOptions

  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .writingSerially)
    var plant = PlantDetails(name: name)
    details.change(&plant)
    let added = try library.plants.add(plant)
    if global.json {
      context.output.print(json: PlantDocument(added, today: library.today))
    } else if !global.quiet {
      context.output.print("Added \(TextLayout.singleLine(added.name)).")
    }
  }
}

/// `leaflog plant list`
private struct PlantList: LeaflogSubcommand {
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
        .init(TextLayout.singleLine(plant.details.location ?? "")),
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
    table.columns[4].limit = max(
      terminal.width < TextTable.leastWidth ? 1 : 0, terminal.width - name - fixed - 2)
    return table.lines
  }
}

/// `leaflog plant show`
private struct PlantShow: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show all details of a plant.")

  @OptionGroup var named: PlantArgument

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard named.text != nil else { throw ValidationError("Give a plant.") }
  }

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .reading)
    let record = try library.plants.record(of: library.plants.find(matching: named.text ?? ""))
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
    row("Species", plant.details.scientificName)
    row("Location", plant.details.location)
    row(
      "Aliases", plant.details.aliases.isEmpty ? nil : plant.details.aliases.joined(separator: ", ")
    )
    row("Notes", plant.details.notes)
    row("Photos", "\(plant.photoCount)")
    if let first = record.firstPhoto, let last = record.lastPhoto {
      row("First", photo(first, library))
      row("Last", photo(last, library) + ", " + last.time.localDay.agoText(on: library.today))
      // A first photo by a clock that was never set does not begin the plant's age.
      let firstDay = plant.firstPhotoDay ?? first.time.localDay
      let since = firstDay == first.time.localDay ? "the first photo" : firstDay.description
      let age = firstDay.daysAgo(on: library.today)
      if age >= 0 { row("Age", Quantities.count(age, "day") + " since " + since) }
    }
    row(
      "Rhythm",
      record.photosPerDay.map { "\(Int($0.rounded())) photos a day (mean)" }
        ?? record.medianDaysBetweenPhotos.map { "a photo every \(number($0)) (median)" })
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

/// `leaflog plant edit`
private struct PlantEdit: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Change the details of a plant, or merge it into another.",
    discussion: """
      An empty text ('') removes a value. Photos in folders with the plant's name or one of its aliases \
      become the plant's. A plant that is renamed or merged leaves its name as an alias.
      """)

  @OptionGroup var named: PlantArgument

  @Option(parsing: .unconditional, help: "A new name.")
  var name: String?

  @OptionGroup var details: PlantOptions

  @Option(
    name: .customLong("alias"), parsing: .unconditionalSingleValue,
    help: "Another name of folders with its photos. Can be repeated.")
  var aliases: [String] = []

  @Option(
    name: .customLong("remove-alias"), parsing: .unconditionalSingleValue,
    help: "An alias to remove. Can be repeated.")
  var removedAliases: [String] = []

  @Option(help: "Move all its photos to this plant, and delete it.", completion: .plants)
  var mergeInto: String?

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    let isEmpty = name == nil && details.isEmpty && aliases.isEmpty && removedAliases.isEmpty
    guard named.text != nil else { throw ValidationError("Give a plant.") }
    guard isEmpty != (mergeInto == nil) else {
      throw ValidationError(
        isEmpty
          ? "Nothing to change. Give at least one of --name, --scientific-name, --location, --note, "
            + "--alias, --remove-alias or --merge-into."
          : "--merge-into cannot be combined with other changes.")
    }
  }

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .writingSerially)
    let found = try library.plants.find(matching: named.text ?? "")
    if let mergeInto {
      return try merge(found, into: library.plants.find(matching: mergeInto), in: library, context)
    }
    let edited = try library.plants.edit(found.id) { plant in
      plant.name = name ?? plant.name
      details.change(&plant)
      try changeAliases(of: &plant)
    }
    if global.json {
      context.output.print(json: PlantDocument(edited, today: library.today))
    } else if !global.quiet {
      PlantText(terminal: context.output.terminal, in: library).lines([edited]).forEach(
        context.output.print)
    }
  }

  private func changeAliases(of plant: inout PlantDetails) throws {
    plant.aliases += aliases
    for name in removedAliases {
      let folded = foldedName(name)
      guard let index = plant.aliases.firstIndex(where: { foldedName($0) == folded }) else {
        throw LeaflogError(.notFound, "“\(plant.name)” has no alias “\(name)”.")
      }
      plant.aliases.remove(at: index)
    }
  }

  private struct Merged: Shown {
    let plant: PlantDocument
    let mergedPlant: PlantDocument
    let entryCount: Int
    let answer: Answer

    static let shown = Fields<Merged>([
      Field(adding: "plant", PlantDocument.shown) { $0.plant },
      Field(adding: "mergedPlant", PlantDocument.shown) { $0.mergedPlant },
      Field(adding: "entryCount", .count) { $0.entryCount },
      Field(adding: "dryRun", .flag) { $0.answer == .dryRun ? true : nil },
      Field(adding: "reason", .text) { $0.answer.reason },
    ])
  }

  private func merge(
    _ plant: Plant, into other: Plant, in library: Library, _ context: CommandContext
  ) throws {
    guard plant.id != other.id else {
      throw LeaflogError(.invalidRequest, "A plant cannot be merged into itself.")
    }
    let counts = try library.plants.entryCounts(of: plant.id).values.reduce(0, +)
    let name = TextLayout.singleLine(plant.name)
    let what =
      "\(Quantities.entries(counts)) from \(name) to \(TextLayout.singleLine(other.name))"
    let answer = Answer.ask("Move \(what), and delete \(name)?", context) {
      PlantText(terminal: $0, in: library).lines([plant, other])
    }
    if answer == .yes { try library.plants.merge(plant.id, into: other.id) }
    if global.json {
      let result = answer == .yes ? try library.plants.find(other.id) : other
      context.output.print(
        json: Merged(
          plant: PlantDocument(result, today: library.today),
          mergedPlant: PlantDocument(plant, today: library.today), entryCount: counts,
          answer: answer))
    } else if answer == .dryRun {
      context.output.print("Would move \(what), and delete \(name).\n\(Answer.hint)")
    } else if answer == .yes, !global.quiet {
      context.output.print("Moved \(what). `leaflog undo` undoes it.")
    }
    try answer.checkAnswered()
  }
}

/// `leaflog plant rename`
private struct PlantRename: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "rename", abstract: "Give a plant another name.")

  @Argument(help: "Its name, its id, or an id prefix.", completion: .plants)
  var plant: String

  @Argument(help: "The new name, which must be unique.")
  var name: String

  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .writingSerially)
    let found = try library.plants.find(matching: plant)
    let renamed = try library.plants.rename(found.id, to: name)
    if global.json {
      context.output.print(json: PlantDocument(renamed, today: library.today))
    } else if !global.quiet {
      let (old, new) = (TextLayout.singleLine(found.name), TextLayout.singleLine(renamed.name))
      context.output.print(
        old == new
          ? "It is already called \(new)."
          : "\(old) is now called \(new). New photos in a folder \(old) still go to it. `leaflog undo` undoes it."
      )
    }
  }
}
