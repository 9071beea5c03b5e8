import ArgumentParser
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

      With --thin, --between, --at and --light say which photos are kept. A day, week, month or year that \
      has not enough of these keeps others.
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

  @OptionGroup var hourOptions: HourOptions

  @Option(help: "The time to wait between the steps. Default: a day.")
  var grace: DurationArgument?

  @Option(
    defaultAsFlag: WaivedGuards.ofLibrary,
    help: """
      Prune although a guard refuses: its name, or nothing for all about the library itself.
      """)
  var force: WaivedGuards?

  @Flag(help: "Show what would be removed, and do nothing.")
  var dryRun = false

  @OptionGroup var verbosity: VerbosityOption

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    if dryRun, global.yes { throw ValidationError("Give --dry-run or --yes, not both.") }
    if thin == nil, hourOptions.hours.isLimited {
      throw ValidationError(
        "--between, --at and --light choose what --thin keeps. Give --thin, too.")
    }
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
    request.waived = force?.guards ?? []
    request.thinning = thin?.thinning
    request.hours = hourOptions.hours
    let library = try context.openLibrary(for: global.yes ? .writing : .reading)
    let plan = try Pruner(library).plan(request)
    if global.yes {
      let done = try Pruner(library).run(plan)
      return report(PruneText(plan, done: done, in: library.timeZone), in: library, context)
    }
    let planned = PruneText(plan, done: nil, in: library.timeZone)
    guard planned.isSomething, !dryRun, Answer.canAsk(context) else {
      return report(planned, in: library, context)
    }
    let answer = Answer.ask("Prune?", context) {
      listing($0, in: library).lines(plan.thinned) + planned.lines
    }
    try library.close()
    guard answer == .yes else { return }
    // The plan that was shown is the one that is run, whatever has been added in the meantime.
    let writable = try context.openLibrary(for: .writing)
    let done = try Pruner(writable).run(plan)
    report(PruneText(plan, done: done, in: library.timeZone), in: writable, context)
  }

  private func listing(_ terminal: Terminal, in library: Library) -> EntryListing {
    EntryListing(terminal: terminal, zone: library.timeZone, isWhole: verbosity.verbose)
  }

  private func report(_ text: PruneText, in library: Library, _ context: CommandContext) {
    if global.json {
      for entry in text.thinned { context.output.print(json: ThinnedDocument(entry)) }
      context.output.print(
        summary: PruneDocument(
          text.report, thinned: text.thinned.count, isDryRun: text.isPlanned,
          reason: text.isPlanned && !dryRun ? Answer.reason : nil))
    } else if !global.quiet {
      if !text.thinned.isEmpty {
        listing(context.output.terminal, in: library).lines(text.thinned)
          .forEach(context.output.print)
      }
      text.lines.forEach(context.output.print)
      if text.isPlanned, text.isSomething {
        context.output.print(dryRun ? "Nothing was done." : Answer.hint)
      }
    }
  }
}

/// The guards that a forced prune waives.
struct WaivedGuards: ExpressibleByArgument, CustomStringConvertible {
  let guards: Set<PruneGuard>

  static let ofLibrary = WaivedGuards(guards: PruneGuard.ofLibrary)
  static var allValueStrings: [String] { PruneGuard.allCases.map(\.rawValue) }

  init(guards: Set<PruneGuard>) { self.guards = guards }

  init?(argument: String) {
    guard let named = PruneGuard(rawValue: argument) else { return nil }
    guards = [named]
  }

  var description: String { guards.map(\.rawValue).sorted().joined(separator: ", ") }
}

/// The number to keep per span of time: `1/week`.
struct ThinningArgument: ExpressibleByArgument {
  let thinning: Thinning

  init?(argument: String) {
    guard let thinning = Thinning(text: argument) else { return nil }
    self.thinning = thinning
  }
}

/// The text for a prune, planned or done.
private struct PruneText {
  let report: PruneReport
  let thinned: [Entry]
  /// Whether nothing has been done yet.
  let isPlanned: Bool
  private let zone: TimeZone

  /// - Parameter done: the report of the run; nil before the run.
  init(_ plan: PrunePlan, done: PruneReport?, in zone: TimeZone) {
    (report, isPlanned, self.zone) = (done ?? plan.report, done == nil, zone)
    thinned = done?.delayedUntil == nil ? plan.thinned : []
  }

  /// Whether anything was done, would be done, or is waiting.
  var isSomething: Bool {
    !thinned.isEmpty || !forgotten.isEmpty
      || [
        report.condemned, report.waiting, report.trashed, report.unlinked, report.former,
        report.previews,
      ]
      .contains { $0.count > 0 }
  }

  /// One sentence per line.
  var lines: [String] {
    var lines: [String] = []
    if !thinned.isEmpty {
      let photos = Quantities.count(thinned.count, "photo")
      lines.append(
        isPlanned
          ? "Would move \(photos) to the trash."
          : "Moved \(photos) to the trash. `leaflog undo` undoes it.")
    }
    if report.unthinnableCount > 0 {
      let photos = Quantities.count(report.unthinnableCount, "photo")
      lines.append(
        "\(photos) not counted, as the date is too imprecise or may be by a clock that was never set."
      )
    }
    if !forgotten.isEmpty {
      lines.append(
        "\(isPlanned ? "Would permanently delete" : "Permanently deleted") "
          + "\(Quantities.listing(forgotten)) from the trash, and the history with them: "
          + "no change before this can be undone.")
    }
    lines += [
      line(report.condemned, "Would mark % for removal.", "Marked % for removal.", "file"),
      line(
        report.waiting, "% marked for removal earlier: not due yet.",
        "% marked for removal earlier: not due yet.", "file"),
      line(
        report.trashed, "Would move % to the store's trash.", "Moved % to the store's trash.",
        "file"),
      line(report.unlinked, "Would delete % for good.", "Deleted % for good.", "file"),
      line(
        report.former, "Would delete % from the library's former store.",
        "Deleted % from the library's former store.", "file"),
      line(report.previews, "Would remove %.", "Removed %.", "preview"), delay,
    ].compactMap { $0 }
    return lines.isEmpty ? ["Nothing to prune."] : lines
  }

  private var delay: String? {
    report.delayedUntil.map {
      let time = EntryTime(.instant($0), in: zone)
      return
        "The library has not been changed for more than 30 days. In case the clock is wrong, nothing is "
        + "removed now: prune again after \(RecordedTime.zoned(time.wall, time.offset).iso8601), "
        + "or use --force \(PruneGuard.clock.rawValue)."
    }
  }

  private var forgotten: [String] {
    [
      report.purgedPhotoCount > 0 ? Quantities.count(report.purgedPhotoCount, "photo") : nil,
      report.purgedEntryCount > 0 ? Quantities.entries(report.purgedEntryCount) : nil,
      report.purgedPlantCount > 0 ? Quantities.count(report.purgedPlantCount, "plant") : nil,
      report.purgedActivityCount > 0
        ? Quantities.count(report.purgedActivityCount, "activity") : nil,
    ].compactMap { $0 }
  }

  private func line(
    _ share: PruneReport.Share, _ would: String, _ did: String, _ noun: String
  ) -> String? {
    guard share.count > 0 else { return nil }
    let what = "\(Quantities.count(share.count, noun)), \(Quantities.bytes(share.byteCount))"
    return (isPlanned ? would : did).replacing("%", with: what)
  }
}
