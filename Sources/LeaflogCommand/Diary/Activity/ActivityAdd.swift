import ArgumentParser
internal import Documents
internal import Leaflog

/// `leaflog activity add`
struct ActivityAdd: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add a recurring activity.",
    discussion: """
      leaflog activity add 'water the monstera' --emoji 💧 --plant monstera --every 7d
      leaflog activity add yoga --done-on yesterday --done-from 2026-03-01 --done-to 2026-03-14

      Without --emoji, it gets one that fits its name or category. `leaflog activity done` records \
      when it is done.
      """)

  @Argument(help: "The name, which must be unique.")
  var name: String

  @OptionGroup var details: ActivityOptions

  @Option(help: "An earlier day on which it was done; can be repeated.")
  var doneOn: [DayArgument] = []

  @Option(help: "The first of several consecutive earlier days on which it was done.")
  var doneFrom: DayArgument?

  @Option(help: "The last of these days.")
  var doneTo: DayArgument?

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard (doneFrom == nil) == (doneTo == nil) else {
      throw ValidationError("--done-from and --done-to must be used together.")
    }
  }

  private func days(in library: Library) throws -> [LocalDay] {
    let named = try doneOn.map { try $0.day(in: library) }
    guard let doneFrom, let doneTo else { return named }
    let span = try DaySpan(
      from: doneFrom.firstDay(in: library), to: doneTo.lastDay(in: library),
      names: ("--done-from", "--done-to"))
    return named + span.days
  }

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .editing)
    // An empty emoji is replaced by a suggestion.
    let today = library.today
    var activity = ActivityDetails(name: name, emoji: "", startFrom: today)
    try details.change(&activity, in: library)
    let days = try days(in: library)
    let added = try library.activities.add(
      activity, plant: try details.plant(in: library) ?? nil, doneOn: days)
    if global.json {
      context.output.print(
        json: ActivityDocument(added, doneToday: days.contains(today), today: today))
    } else if !global.quiet {
      let done =
        days.isEmpty ? "" : ", already done \(Quantities.count(added.completionCount, "time"))"
      context.output.print("Added \(ActivityText.title(added))\(done).")
    }
  }
}
