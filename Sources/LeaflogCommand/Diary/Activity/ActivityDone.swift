import ArgumentParser
internal import Leaflog

/// `leaflog activity done`
struct ActivityDone: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "done", abstract: "Write down that an activity was done.",
    discussion: """
      Now, unless days are given; all of them are written down or none: none may be in the future, \
      and on none it may have been done already.

        leaflog activity done 'water the monstera'
        leaflog activity done 'water the monstera' --on yesterday --on 2026-03-01
        leaflog activity done yoga --from 2026-03-01 --to 2026-03-14
      """)

  @Argument(help: "Its name, or its id or the start of it.", completion: .activities)
  var activity: String?

  @Option(help: "A day on which it was done; can be given several times.")
  var on: [DayArgument] = []

  @Option(help: "The first of several days in a row on which it was done.")
  var from: DayArgument?

  @Option(help: "The last of them.")
  var to: DayArgument?

  @Option(help: "Anything else.")
  var note: String?

  @OptionGroup var tagging: TagOptions
  @OptionGroup var undoing: UndoOption
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    let isAlone =
      activity == nil && on.isEmpty && from == nil && to == nil && note == nil
      && tagging.tag.isEmpty
    try undoing.validate(isAlone: isAlone, missing: "Which activity?")
    guard undoing.undo || activity != nil else { throw ValidationError("Which activity?") }
    guard (from == nil) == (to == nil) else {
      throw ValidationError("--from and --to go together: the first and the last day.")
    }
    if let from, let to, from.day > to.day {
      throw ValidationError("--from \(from.day) is after --to \(to.day).")
    }
    if let from, let to, to.day.dayNumber - from.day.dayNumber >= Library.maxCompletionCount {
      throw ValidationError(
        "At most \(Library.maxCompletionCount) days can be written down at once.")
    }
  }

  private var days: [LocalDay] {
    guard let from, let to else { return on.map(\.day) }
    return on.map(\.day)
      + (from.day.dayNumber...to.day.dayNumber).map { LocalDay(dayNumber: $0) }
  }

  func run() throws {
    let library = try global.openLibrary(for: .writing)
    let report = CompletionNoun.report(global)
    guard let activity else { return try report.undo(.activityDone, in: library) }
    let found = try library.activity(activity)
    let result =
      days.isEmpty
      ? try library.complete(found.id, notes: note, tags: tagging.tag)
      : try library.complete(found.id, on: days, notes: note, tags: tagging.tag)
    if global.json || !days.isEmpty {
      return try report.tell(result, done: "Wrote down", kind: .activityDone)
    }
    guard !global.quiet else { return }
    let title = ActivityText.title(found)
    guard !result.changed.isEmpty else {
      return Output.result("\(title) was done today already.")
    }
    let next = found.details.everyDays.map { ", due again in \(Quantities.count($0, "day"))" }
    Output.result("✓ \(title)\(next ?? "")")
  }
}
