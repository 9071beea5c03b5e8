import ArgumentParser
internal import Documents
internal import Leaflog

/// `leaflog plant rename`
struct PlantRename: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "rename", abstract: "Give a plant another name.")

  @Argument(help: "Its name, its id, or an id prefix.", completion: .plants)
  var plant: String

  @Argument(help: "The new name, which must be unique.")
  var name: String

  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .editing)
    let found = try library.plants.named(plant)
    let renamed = try library.plants.rename(found.id, to: name)
    if global.json {
      context.output.print(json: PlantDocument(renamed, today: library.today))
    } else if !global.quiet {
      let (old, new) = (TextLayout.singleLine(found.name), TextLayout.singleLine(renamed.name))
      context.output.print(
        old == new
          ? "It is already called \(new)."
          : "\(old) is now called \(new). `leaflog undo` undoes it.")
    }
  }
}
