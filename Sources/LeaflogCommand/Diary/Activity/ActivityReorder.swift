import ArgumentParser
internal import Leaflog

/// `leaflog activity reorder`
struct ActivityReorder: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "reorder", abstract: "Put activities into a user-defined order.",
    discussion: """
      Moves one activity, or sets the order if all are named.

        leaflog activity reorder yoga --to 1
        leaflog activity reorder yoga --before 'water the monstera'
        leaflog activity reorder yoga 'feed the cat' 'water the monstera'
      """)

  @Argument(help: "Names, ids, or id prefixes.", completion: .activities)
  var activities: [String]

  @Option(help: "The position to move it to, starting at 1.")
  var to: Int?

  @Option(help: "The activity to move it before.", completion: .activities)
  var before: String?

  @Option(help: "The activity to move it after.", completion: .activities)
  var after: String?

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    let places = [to.map { "\($0)" }, before, after].compactMap { $0 }
    guard places.count <= 1 else {
      throw ValidationError("Give one of --to, --before and --after.")
    }
    guard places.isEmpty || activities.count == 1 else {
      throw ValidationError("--to, --before and --after move one activity.")
    }
    guard !places.isEmpty || activities.count > 1 else {
      throw ValidationError(
        "Give --to, --before or --after, or name all activities in their new order.")
    }
  }

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .editing)
    let ids = try activities.map { try library.activities.named($0).id }
    let place: ActivityPlace? =
      if let to {
        .number(to)
      } else if let before {
        .before(try library.activities.named(before).id)
      } else if let after {
        .after(try library.activities.named(after).id)
      } else {
        nil
      }
    let all =
      if let place {
        try library.activities.reorder(ids[0], to: place)
      } else {
        try library.activities.reorder(ids)
      }
    if global.json || !global.quiet { try ActivityText.tell(all, in: library, context) }
  }
}
