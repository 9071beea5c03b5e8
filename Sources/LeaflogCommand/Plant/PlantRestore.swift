import ArgumentParser
internal import Documents
internal import Leaflog

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

  private struct Restored: Encodable {
    let plant: PlantDocument
    let entryCount: Int
    /// Whether anything has changed.
    let changed: Bool

    private enum Key: CodingKey { case entryCount, changed }

    func encode(to encoder: any Encoder) throws {
      try plant.encode(to: encoder)
      var object = encoder.container(keyedBy: Key.self)
      try object.encode(entryCount, forKey: .entryCount)
      try object.encode(changed, forKey: .changed)
    }
  }

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .editing)
    let found = try library.plants.deleted(named: plant)
    let count = try library.plants.restore(found.id)
    if global.json {
      let restored = try library.plants.named(found.id.description)
      context.output.print(
        json: Restored(
          plant: PlantDocument(restored, today: library.today), entryCount: count ?? 0,
          changed: count != nil))
    } else if !global.quiet {
      let name = TextLayout.singleLine(found.name)
      guard let count else { return context.output.print("\(name) is not in the trash.") }
      let entries = count == 0 ? "" : " and \(Quantities.entries(count))"
      context.output.print("Restored \(name)\(entries). `leaflog undo` undoes it.")
    }
  }
}
