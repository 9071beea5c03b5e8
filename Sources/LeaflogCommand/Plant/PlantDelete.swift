import ArgumentParser
internal import Documents
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

  private struct Deleted: Encodable {
    let plant: PlantDocument
    /// The number of entries by kind.
    let entries: [String: Int]
    let activityCount: Int
    let answer: Confirmation

    private enum Key: CodingKey { case entries, activityCount, dryRun, reason }

    func encode(to encoder: any Encoder) throws {
      try plant.encode(to: encoder)
      var object = encoder.container(keyedBy: Key.self)
      try object.encode(entries, forKey: .entries)
      try object.encode(activityCount, forKey: .activityCount)
      guard answer == .dryRun else { return }
      try object.encode(true, forKey: .dryRun)
      try object.encodeIfPresent(answer.reason, forKey: .reason)
    }
  }

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .editing)
    let found = try library.plants.named(named.text ?? "")
    let (activityCount, counts) = try library.plants.holdings(of: found.id)
    let total = counts.values.reduce(0, +)
    let name = TextLayout.singleLine(found.name)
    let activities =
      activityCount == 0
      ? "" : " with \(Quantities.count(activityCount, "activity"))"
    let going =
      name + activities
      + (total == 0 ? "" : " and move \(Quantities.entries(total)) to the trash")
    let answer = Confirmation.ask("Delete \(going)?", context) {
      PlantText(terminal: $0, in: library).lines([found])
    }
    if answer == .yes { try library.plants.delete(found.id) }
    if global.json {
      context.output.print(
        json: Deleted(
          plant: PlantDocument(found, today: library.today),
          entries: Dictionary(
            uniqueKeysWithValues: counts.map { ($0.key.rawValue, $0.value) }),
          activityCount: activityCount, answer: answer))
    } else if answer == .dryRun {
      context.output.print("Would delete \(going). \(Confirmation.hint)")
    } else if answer == .yes, !global.quiet {
      let trash = total == 0 ? "" : " and moved \(Quantities.entries(total)) to the trash"
      context.output.print("Deleted \(name)\(activities)\(trash). `leaflog undo` undoes it.")
    }
    try answer.checkAnswered()
  }
}
