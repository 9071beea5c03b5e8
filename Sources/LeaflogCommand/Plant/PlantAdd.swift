import ArgumentParser
internal import Documents
internal import Leaflog

/// `leaflog plant add`
struct PlantAdd: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add a plant.",
    discussion: "Importing a folder adds the plant with the folder's name.")

  @Argument(help: "The name, which must be unique.")
  var name: String

  @Option(parsing: .unconditional, help: "Its scientific name, e.g. 'Monstera deliciosa'.")
  var scientificName: String?

  @Option(parsing: .unconditional, help: "Its location.")
  var location: String?

  @Option(parsing: .unconditional, help: "A note.")
  var note: String?

  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .editing)
    let plant = try library.plants.add(
      PlantDetails(name: name, scientificName: scientificName, location: location, notes: note))
    if global.json {
      context.output.print(json: PlantDocument(plant, today: library.today))
    } else if !global.quiet {
      context.output.print("Added \(TextLayout.singleLine(plant.name)).")
    }
  }
}
