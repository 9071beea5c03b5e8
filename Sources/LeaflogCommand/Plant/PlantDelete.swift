import ArgumentParser
internal import Leaflog

/// `leaflog plant delete`
struct PlantDelete: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete a plant; its photos go into the trash.",
    discussion: """
      Asks when the plant has entries. `leaflog photo restore --plant NAME` or --undo brings it back \
      with them.
      """)

  @Argument(help: "Its name, or its id or the start of it.", completion: .plants)
  var plant: String?

  @Flag(help: "Take back the last `plant delete`.")
  var undo = false

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard undo != (plant != nil) else {
      throw ValidationError(undo ? "--undo goes alone." : "Which plant?")
    }
  }

  private struct Deleted: Encodable {
    let plant: PlantDocument
    /// By kind.
    let entries: [String: Int]
    let dryRun: Bool?

    private enum Key: CodingKey { case entries, dryRun }

    func encode(to encoder: any Encoder) throws {
      try plant.encode(to: encoder)
      var object = encoder.container(keyedBy: Key.self)
      try object.encode(entries, forKey: .entries)
      try object.encodeIfPresent(dryRun, forKey: .dryRun)
    }
  }

  func run() throws {
    let library = try global.openLibrary(for: .writing)
    guard let plant else { return try EditReport(global).undo(.plantDelete, in: library) }
    let found = try library.plant(plant)
    let counts = try library.entryCounts(of: found.id)
    let total = counts.values.reduce(0, +)
    let name = TextLayout.singleLine(found.name)
    let going =
      "\(name)" + (total == 0 ? "" : " and put \(Quantities.entries(total)) into the trash")
    let answer: Confirmation =
      total == 0 ? .yes : Confirmation.ask("Delete \(going)?", global)
    if answer == .yes { try library.delete(found.id) }
    if global.json {
      Output.result(
        JSON.line(
          Deleted(
            plant: PlantDocument(found),
            entries: Dictionary(
              uniqueKeysWithValues: counts.map { ($0.key.rawValue, $0.value) }),
            dryRun: answer == .dryRun ? true : nil)))
    } else if answer == .dryRun {
      Output.result("Would delete \(going). \(Confirmation.hint)")
    } else if answer == .yes, !global.quiet {
      Output.result(
        "Deleted \(name)."
          + (total == 0
            ? ""
            : " \(Quantities.entries(total)) went into the trash. `leaflog plant delete --undo` takes it back.")
      )
    }
  }
}
