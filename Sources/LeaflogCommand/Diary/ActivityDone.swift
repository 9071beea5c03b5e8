import ArgumentParser
internal import Leaflog

/// `leaflog activity done`
struct ActivityDone: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "done", abstract: "Record that an activity was done.",
    discussion: """
      Without days, it is recorded as done now. Days are recorded all or none: no day may be in the \
      future or already recorded. --skip-done skips days that are already recorded.

        leaflog activity done 'water the monstera'
        leaflog activity done 'water the monstera' --on yesterday --on 2026-03-01
        leaflog activity done yoga --from 2026-03-01 --to 2026-03-14 --skip-done
      """)

  @Argument(help: "Its name, its id, or an id prefix.", completion: .activities)
  var activity: String

  @Option(help: "A day on which it was done; can be repeated.")
  var on: [DayArgument] = []

  @Option(help: "The first of several consecutive days on which it was done.")
  var from: DayArgument?

  @Option(help: "The last of these days.")
  var to: DayArgument?

  @Flag(help: "Skip days on which it was already done.")
  var skipDone = false

  @Option(parsing: .unconditional, help: "A note.")
  var note: String?

  @OptionGroup var tagging: TagOptions
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard (from == nil) == (to == nil) else {
      throw ValidationError("--from and --to must be used together.")
    }
  }

  private func days(in library: Library) throws -> [LocalDay] {
    let named = try on.map { try $0.day(in: library) }
    guard let from, let to else { return named }
    let span = try DaySpan(
      from: from.firstDay(in: library), to: to.lastDay(in: library), names: ("--from", "--to"))
    return named + span.days
  }

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .writingSerially)
    let found = try library.activities.find(matching: activity)
    let days = try days(in: library)
    let result =
      days.isEmpty
      ? try library.activities.complete(found.id, notes: note, tags: tagging.tag)
      : try library.activities.complete(
        found.id, on: days, notes: note, tags: tagging.tag, skipsDone: skipDone)
    if global.json || !days.isEmpty {
      return try CompletionNoun.report(context).report(result, done: "Recorded", in: library)
    }
    guard !global.quiet else { return }
    let title = ActivityText.title(found)
    guard !result.changed.isEmpty else {
      return context.output.print("\(title) is already done today.")
    }
    let next = found.details.everyDays.map { ", due again in \(Quantities.count($0, "day"))" }
    context.output.print("✓ \(title)\(next ?? "")")
  }
}

/// `leaflog activity not-done`
struct ActivityNotDone: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "not-done", abstract: "Remove the record that an activity was done.",
    discussion: "The completion is moved to the trash; `leaflog activity restore` restores it.")

  @Argument(help: "Its name, its id, or an id prefix.", completion: .activities)
  var activity: String

  @Option(help: "The day. Default: today.")
  var on: DayArgument?

  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .writingSerially)
    let found = try library.activities.find(matching: activity)
    try CompletionNoun.report(context).report(
      library.activities.uncomplete(found, on: on?.day(in: library) ?? library.today),
      done: "Moved", note: " to the trash", in: library)
  }
}

/// `leaflog activity edit-done`
struct ActivityEditDone: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "edit-done", abstract: "Edit the note and tags of a day on which it was done.",
    discussion: """
      --tag replaces the existing tags; '' removes tags or the note.

        leaflog activity edit-done 'repot the fern' --on 2026-03-01 --note 'larger pot, fresh soil'
      """)

  @Argument(help: "Its name, its id, or an id prefix.", completion: .activities)
  var activity: String

  @Option(help: "The day. Default: today.")
  var on: DayArgument?

  @Option(parsing: .unconditional, help: "A note.")
  var note: String?

  @OptionGroup var tagging: TagOptions
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard note != nil || !tagging.tag.isEmpty else {
      throw ValidationError("Nothing to change. Give at least one of --note and --tag.")
    }
  }

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .writingSerially)
    let found = try library.activities.completion(
      of: library.activities.find(matching: activity), on: on?.day(in: library) ?? library.today)
    let result = try library.activities.edit(found, notes: note, tags: tagging.tags)
    if global.json {
      context.output.print(json: result.changed.first ?? found)
    } else {
      try CompletionNoun.report(context).report(result, done: "Changed", in: library)
    }
  }
}

/// Consecutive days on which an activity was done, both ends included.
struct DaySpan {
  let days: [LocalDay]

  /// - Parameter names: the names of the two options.
  /// - Throws: `LeaflogError` when the last day comes first, or there are too many.
  init(from first: LocalDay, to last: LocalDay, names: (String, String)) throws {
    guard first <= last else {
      throw LeaflogError(.invalidRequest, "\(names.0) \(first) is after \(names.1) \(last).")
    }
    guard last.dayNumber - first.dayNumber < LibraryActivities.maxCompletionCount else {
      throw LeaflogError(
        .invalidRequest,
        "At most \(LibraryActivities.maxCompletionCount) days can be recorded at once.")
    }
    days = (first.dayNumber...last.dayNumber).map { LocalDay(dayNumber: $0) }
  }
}
