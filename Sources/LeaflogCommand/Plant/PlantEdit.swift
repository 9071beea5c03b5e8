import ArgumentParser
internal import Documents
internal import Leaflog

/// `leaflog plant edit`
struct PlantEdit: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Change the details of a plant, or merge it into another.",
    discussion: "An empty text ('') removes a value.")

  @OptionGroup var named: PlantArgument

  @Option(parsing: .unconditional, help: "A new name.")
  var name: String?

  @Option(parsing: .unconditional, help: "Its scientific name.")
  var scientificName: String?

  @Option(parsing: .unconditional, help: "Its location.")
  var location: String?

  @Option(parsing: .unconditional, help: "A note.")
  var note: String?

  @Option(help: "Move all its photos to this plant, and delete it.", completion: .plants)
  var mergeInto: String?

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    let details = [name, scientificName, location, note].compactMap { $0 }
    guard named.text != nil else { throw ValidationError("Give a plant.") }
    guard details.isEmpty != (mergeInto == nil) else {
      throw ValidationError(
        details.isEmpty
          ? "Nothing to change. Give at least one of --name, --scientific-name, --location, --note "
            + "or --merge-into."
          : "--merge-into cannot be combined with other changes.")
    }
  }

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .editing)
    let found = try library.plants.named(named.text ?? "")
    if let mergeInto {
      return try merge(found, into: library.plants.named(mergeInto), in: library, context)
    }
    let edited = try library.plants.edit(found.id) { details in
      details.name = name ?? details.name
      details.scientificName = scientificName ?? details.scientificName
      details.location = location ?? details.location
      details.notes = note ?? details.notes
    }
    if global.json {
      context.output.print(json: PlantDocument(edited, today: library.today))
    } else if !global.quiet {
      PlantText(terminal: context.output.terminal, in: library).lines([edited]).forEach(
        context.output.print)
    }
  }

  private struct Merged: Encodable {
    let plant: PlantDocument
    let mergedPlant: PlantDocument
    let entryCount: Int
    let dryRun: Bool?
    let reason: String?
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
    let answer = Confirmation.ask("Move \(what), and delete \(name)?", context) {
      PlantText(terminal: $0, in: library).lines([plant, other])
    }
    if answer == .yes { try library.plants.merge(plant.id, into: other.id) }
    if global.json {
      let result = answer == .yes ? try library.plants.named(other.id.description) : other
      context.output.print(
        json: Merged(
          plant: PlantDocument(result, today: library.today),
          mergedPlant: PlantDocument(plant, today: library.today), entryCount: counts,
          dryRun: answer == .dryRun ? true : nil, reason: answer.reason))
    } else if answer == .dryRun {
      context.output.print("Would move \(what), and delete \(name).\n\(Confirmation.hint)")
    } else if answer == .yes, !global.quiet {
      context.output.print("Moved \(what). `leaflog undo` undoes it.")
    }
    try answer.checkAnswered()
  }
}
