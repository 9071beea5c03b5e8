import ArgumentParser
internal import Leaflog

/// `leaflog plant delete`
struct PlantDelete: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete a plant; its entries go into the trash.",
    discussion: """
      Its activities go with it, and what was done of them. Asks when there is any of this. \
      `leaflog plant restore` and --undo bring it all back; `leaflog photo restore --plant NAME` the \
      plant and its photos.
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
    let activityCount: Int
    let dryRun: Bool?

    private enum Key: CodingKey { case entries, activityCount, dryRun }

    func encode(to encoder: any Encoder) throws {
      try plant.encode(to: encoder)
      var object = encoder.container(keyedBy: Key.self)
      try object.encode(entries, forKey: .entries)
      try object.encode(activityCount, forKey: .activityCount)
      try object.encodeIfPresent(dryRun, forKey: .dryRun)
    }
  }

  func run() throws {
    let library = try global.openLibrary(for: .writing)
    guard let plant else { return try EditReport(global).undo(.plantDelete, in: library) }
    let found = try library.plant(plant)
    let (activityCount, counts) = try library.holdings(of: found.id)
    let total = counts.values.reduce(0, +)
    let name = TextLayout.singleLine(found.name)
    let activities =
      activityCount == 0
      ? "" : " with \(activityCount == 1 ? "1 activity" : "\(activityCount) activities")"
    let going =
      name + activities
      + (total == 0 ? "" : " and put \(Quantities.entries(total)) into the trash")
    let answer: Confirmation =
      total + activityCount == 0 ? .yes : Confirmation.ask("Delete \(going)?", global)
    if answer == .yes { try library.delete(found.id) }
    if global.json {
      Output.result(
        JSON.line(
          Deleted(
            plant: PlantDocument(found, today: library.today),
            entries: Dictionary(
              uniqueKeysWithValues: counts.map { ($0.key.rawValue, $0.value) }),
            activityCount: activityCount,
            dryRun: answer == .dryRun ? true : nil)))
    } else if answer == .dryRun {
      Output.result("Would delete \(going). \(Confirmation.hint)")
    } else if answer == .yes, !global.quiet {
      let trash = total == 0 ? "" : " \(Quantities.entries(total)) went into the trash."
      let hint = total + activityCount == 0 ? "" : " `leaflog plant delete --undo` takes it back."
      Output.result("Deleted \(name)\(activities).\(trash)\(hint)")
    }
  }
}
