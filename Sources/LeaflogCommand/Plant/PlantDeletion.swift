import ArgumentParser
internal import Fields
internal import Leaflog

/// `leaflog plant delete`
struct PlantDelete: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete a plant and move its entries to the trash.",
    discussion: """
      Its activities and their completions are deleted too. Asks for confirmation. `leaflog undo` and \
      `leaflog plant restore` restore everything; `leaflog photo restore --plant NAME` restores the \
      plant and its photos.
      """)

  @OptionGroup var named: PlantArgument
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard named.text != nil else { throw ValidationError("Give a plant.") }
  }

  private struct Deleted: Shown {
    let plant: PlantDocument
    let entryCounts: [EntryKind: Int]
    let activityCount: Int
    let answer: Answer

    static let shown = Fields<Deleted>(
      PlantDocument.shown.all.map { $0.shown { $0.plant } } + [
        // The number of entries by kind.
        Field(adding: "entries", .counts()) { $0.entryCounts },
        Field(adding: "activityCount", .count) { $0.activityCount },
        Field(adding: "dryRun", .flag) { $0.answer == .dryRun ? true : nil },
        Field(adding: "reason", .text) { $0.answer.reason },
      ])
  }

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .writingSerially)
    let found = try library.plants.find(matching: named.text ?? "")
    let holdings = try library.plants.holdings(of: found.id)
    let total = holdings.entries.values.reduce(0, +)
    let name = TextLayout.singleLine(found.name)
    let activities =
      holdings.activities == 0
      ? "" : " with \(Quantities.count(holdings.activities, "activity"))"
    let going =
      name + activities
      + (total == 0 ? "" : " and move \(Quantities.entries(total)) to the trash")
    let answer = Answer.ask("Delete \(going)?", context) {
      PlantText(terminal: $0, in: library).lines([found])
    }
    if answer == .yes { try library.plants.delete(found.id) }
    if global.json {
      context.output.print(
        json: Deleted(
          plant: PlantDocument(found, today: library.today), entryCounts: holdings.entries,
          activityCount: holdings.activities, answer: answer))
    } else if answer == .dryRun {
      context.output.print("Would delete \(going). \(Answer.hint)")
    } else if answer == .yes, !global.quiet {
      let trash = total == 0 ? "" : " and moved \(Quantities.entries(total)) to the trash"
      context.output.print("Deleted \(name)\(activities)\(trash). `leaflog undo` undoes it.")
    }
    try answer.checkAnswered()
  }
}

/// `leaflog plant restore`
struct PlantRestore: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Restore a deleted plant.",
    discussion: """
      Its activities and entries that were deleted with it are restored as well. `leaflog plant list \
      --deleted` lists the plants in the trash.
      """)

  @Argument(help: "Its name, its id, or an id prefix.")
  var plant: String

  @OptionGroup var global: GlobalOptions

  private struct Restored: Shown {
    let plant: PlantDocument
    /// The number of entries restored with it; nil when it was not in the trash.
    let entryCount: Int?

    static let shown = Fields<Restored>(
      PlantDocument.shown.all.map { $0.shown { $0.plant } } + [
        Field(adding: "entryCount", .count) { $0.entryCount ?? 0 },
        // Whether anything has changed.
        Field(adding: "changed", .flag) { $0.entryCount != nil },
      ])
  }

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .writingSerially)
    let found = try library.plants.find(matching: plant, among: .deletedFirst)
    let count = try library.plants.restore(found.id)
    if global.json {
      let restored = try library.plants.find(found.id)
      context.output.print(
        json: Restored(
          plant: PlantDocument(restored, today: library.today), entryCount: count))
    } else if !global.quiet {
      let name = TextLayout.singleLine(found.name)
      guard let count else { return context.output.print("\(name) is not in the trash.") }
      let entries = count == 0 ? "" : " and \(Quantities.entries(count))"
      context.output.print("Restored \(name)\(entries). `leaflog undo` undoes it.")
    }
  }
}
