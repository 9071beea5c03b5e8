import ArgumentParser
internal import Documents
internal import Foundation
internal import Leaflog

/// `leaflog prune`
struct PruneCommand: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "prune", abstract: "Remove unreferenced files from the store.",
    discussion: """
      Shows what would be removed and asks for confirmation; without a terminal, it only acts with \
      --yes. An unreferenced file is first marked; a day later (--grace) it is moved to the store's \
      trash, and a day after that it is deleted. Importing its photo again rescues it until then. \
      Imports may run at the same time. In a library that has not been changed for 30 days the \
      clock may be wrong, so the first run only notes the time, and one after --grace goes on.
      """)

  @Option(
    help: """
      Permanently delete what has been in the trash for this long, such as 30d. Default: never.
      """)
  var olderThan: DurationArgument?

  @Option(
    help: """
      Keep only the N sharpest photos of each plant per day, week, month or year, and move the \
      others to the trash: 1/week.
      """
  )
  var thin: ThinningArgument?

  @Option(help: "The time to wait between the steps. Default: a day.")
  var grace: DurationArgument?

  @Flag(help: "Prune even if the library looks suspicious.")
  var force = false

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    for (name, span) in [("--older-than", olderThan), ("--grace", grace)] {
      if let span, span.duration < .zero {
        throw ValidationError("\(name) must not be negative.")
      }
    }
  }

  func run(in context: CommandContext) throws {
    var request = PruneRequest()
    request.olderThan = olderThan?.duration
    request.grace = grace?.duration ?? request.grace
    request.isForced = force
    request.thinning = thin?.thinning
    let library = try context.openLibrary(for: global.yes ? .writing : .reading)
    let plan = try Pruner(library).plan(request)
    if global.yes {
      let report = try Pruner(library).run(plan)
      return tell(PruneText(plan, done: report, in: library.timeZone), in: library, context)
    }
    let planned = PruneText(plan, done: nil, in: library.timeZone)
    guard planned.isSomething, Confirmation.canAsk(context) else {
      return tell(planned, in: library, context)
    }
    let answer = Confirmation.ask("Prune?", context) {
      TimelineText(terminal: $0, zone: library.timeZone).lines(plan.thinned) + planned.lines
    }
    try library.close()
    guard answer == .yes else { return }
    // The plan that was shown is the one that is run, whatever has been added in the meantime.
    let writable = try context.openLibrary(for: .writing)
    let report = try Pruner(writable).run(plan)
    tell(PruneText(plan, done: report, in: library.timeZone), in: writable, context)
  }

  private func tell(_ text: PruneText, in library: Library, _ context: CommandContext) {
    if global.json {
      for entry in text.thinned { context.output.print(json: ThinnedDocument(entry)) }
      context.output.print(json: [
        "summary": PruneDocument(
          text.report, thinned: text.thinned.count, isDryRun: text.isPlanned,
          reason: text.isPlanned ? Confirmation.reason : nil)
      ])
    } else if !global.quiet {
      if !text.thinned.isEmpty {
        TimelineText(terminal: context.output.terminal, zone: library.timeZone).lines(text.thinned)
          .forEach(context.output.print)
      }
      text.lines.forEach(context.output.print)
      if text.isPlanned, text.isSomething { context.output.print(Confirmation.hint) }
    }
  }
}

/// The number to keep per span of time: `1/week`.
struct ThinningArgument: ExpressibleByArgument {
  let thinning: Thinning

  init?(argument: String) {
    guard let thinning = Thinning(text: argument) else { return nil }
    self.thinning = thinning
  }
}
