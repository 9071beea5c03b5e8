import ArgumentParser
internal import Foundation
internal import Leaflog

/// `leaflog prune`
struct PruneCommand: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "prune", abstract: "Remove files from the store that nothing refers to any more.",
    discussion: """
      Shows what would be removed and asks; without a terminal it does nothing, unless --yes is given. \
      A file that nothing refers to is marked first; a day later (--grace) it is moved into the \
      store's trash, and a day after that it is deleted. Importing its photo again takes it back on \
      the way. It may run beside imports.
      """)

  @Option(
    help: "Delete for good what has been in the trash for this long: 30d. Never, unless given.")
  var olderThan: DurationArgument?

  @Option(
    help:
      "Of each plant's photos put all but the N sharpest of a day, week, month or year into the trash: 1/week."
  )
  var thin: ThinningArgument?

  @Option(help: "The time to wait between the steps; a day, unless given.")
  var grace: DurationArgument?

  @Flag(help: "Prune even if the library looks suspicious.")
  var force = false

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    for (name, span) in [("--older-than", olderThan), ("--grace", grace)] {
      if let span, span.duration < .zero {
        throw ValidationError("\(name) takes a span of time that is not negative.")
      }
    }
  }

  func run(in context: CommandContext) throws {
    var request = PruneRequest()
    request.olderThan = olderThan?.duration
    request.grace = grace?.duration ?? request.grace
    request.isForced = force
    guard !global.yes else { return try prune(request, context) }

    let library = try context.openLibrary(for: .reading)
    let pruner = Pruner(library)
    let thinned = try thin.map { try pruner.photosToThin($0.thinning) } ?? []
    let plan = try pruner.run(request)
    guard plan.isSomething || !thinned.isEmpty, Confirmation.canAsk(context) else {
      return tell(plan, thinned, in: library, context)
    }
    let answer = Confirmation.ask("Prune?", context) {
      TimelineText(terminal: $0, zone: library.timeZone).lines(thinned) + lines(plan, thinned.count)
    }
    try library.close()
    // What was shown is what is thinned, whatever came in meanwhile.
    if answer == .yes { try prune(request, context, thinning: thinned) }
  }

  private func prune(
    _ request: PruneRequest, _ context: CommandContext, thinning shown: [Entry]? = nil
  ) throws {
    let library = try context.openLibrary(for: .writing)
    let pruner = Pruner(library)
    let thinned = try shown ?? thin.map { try pruner.photosToThin($0.thinning) } ?? []
    var request = request
    request.isDryRun = false
    let report = try pruner.run(request)
    if !thinned.isEmpty { try library.photos.delete(.photos(thinned.map(\.id))) }
    tell(report, thinned, in: library, context)
  }

  private func tell(
    _ report: PruneReport, _ thinned: [Entry], in library: Library, _ context: CommandContext
  ) {
    if global.json {
      for entry in thinned { context.output.print(json: Thinned(entry)) }
      context.output.print(json: ["summary": Summary(report, thinnedCount: thinned.count)])
    } else if !global.quiet {
      if !thinned.isEmpty {
        TimelineText(terminal: context.output.terminal, zone: library.timeZone).lines(thinned)
          .forEach(context.output.print)
      }
      lines(report, thinned.count).forEach(context.output.print)
      if report.isDryRun, report.isSomething || !thinned.isEmpty {
        context.output.print(Confirmation.hint)
      }
    }
  }

  private struct Thinned: Encodable {
    let photo: String
    let plant: String?
    let localDay: String
    let outcome = "thinned"

    init(_ entry: Entry) {
      photo = entry.id.description
      plant = entry.plant?.name
      localDay = entry.time.localDay.description
    }
  }

  private struct Summary: Encodable {
    let thinned: Int
    let purgedPhotos: Int
    /// Of other kinds.
    let purgedEntries: Int
    let purgedPlants: Int
    let purgedActivities: Int
    let condemned: ShareDocument
    let waiting: ShareDocument
    let trashed: ShareDocument
    let unlinked: ShareDocument
    let previews: ShareDocument
    let dryRun: Bool?
    let reason: String?

    init(_ report: PruneReport, thinnedCount: Int) {
      thinned = thinnedCount
      purgedPhotos = report.purgedPhotoCount
      purgedEntries = report.purgedEntryCount
      purgedPlants = report.purgedPlantCount
      purgedActivities = report.purgedActivityCount
      condemned = ShareDocument(report.condemned)
      waiting = ShareDocument(report.waiting)
      trashed = ShareDocument(report.trashed)
      unlinked = ShareDocument(report.unlinked)
      previews = ShareDocument(report.previews)
      dryRun = report.isDryRun ? true : nil
      reason = report.isDryRun ? Confirmation.reason : nil
    }
  }

  private struct ShareDocument: Encodable {
    let count: Int
    let byteCount: Int

    init(_ share: PruneReport.Share) {
      count = share.count
      byteCount = share.byteCount
    }
  }

  private func lines(_ report: PruneReport, _ thinnedCount: Int) -> [String] {
    func line(_ share: PruneReport.Share, _ would: String, _ did: String, _ noun: String) -> String?
    {
      guard share.count > 0 else { return nil }
      let what = "\(Quantities.count(share.count, noun)), \(Quantities.bytes(share.byteCount))"
      return (report.isDryRun ? would : did).replacing("%", with: what)
    }
    var lines: [String] = []
    if thinnedCount > 0 {
      let photos = Quantities.count(thinnedCount, "photo")
      lines.append(
        report.isDryRun
          ? "Would put \(photos) into the trash."
          : "Put \(photos) into the trash. `leaflog undo` takes it back.")
    }
    let purged = [
      report.purgedPhotoCount > 0 ? Quantities.count(report.purgedPhotoCount, "photo") : nil,
      report.purgedEntryCount > 0 ? Quantities.entries(report.purgedEntryCount) : nil,
      report.purgedPlantCount > 0 ? Quantities.count(report.purgedPlantCount, "plant") : nil,
      report.purgedActivityCount > 0
        ? Quantities.count(report.purgedActivityCount, "activity") : nil,
    ].compactMap { $0 }
    if !purged.isEmpty {
      lines.append(
        "\(report.isDryRun ? "Would forget" : "Forgot") \(Quantities.listing(purged)) "
          + "of the trash, for good.")
    }
    lines += [
      line(report.condemned, "Would mark % for removal.", "Marked % for removal.", "file"),
      line(
        report.waiting, "% marked for removal earlier: not due yet.",
        "% marked for removal earlier: not due yet.",
        "file"),
      line(
        report.trashed, "Would move % into the store's trash.", "Moved % into the store's trash.",
        "file"),
      line(report.unlinked, "Would delete % for good.", "Deleted % for good.", "file"),
      line(report.previews, "Would remove %.", "Removed %.", "preview"),
    ].compactMap { $0 }
    return lines.isEmpty ? ["Nothing to prune."] : lines
  }
}

extension PruneReport {
  /// Whether anything was done, would be, or waits.
  fileprivate var isSomething: Bool {
    purgedPhotoCount + purgedEntryCount + purgedPlantCount + purgedActivityCount > 0
      || [condemned, waiting, trashed, unlinked, previews].contains { $0.count > 0 }
  }
}

/// How much to keep of a span: `1/week`.
struct ThinningArgument: ExpressibleByArgument {
  let thinning: Thinning

  init?(argument: String) {
    let parts = argument.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let count = Int(parts[0]), (1...1_000_000).contains(count),
      let unit = BucketUnit(rawValue: String(parts[1]))
    else { return nil }
    thinning = Thinning(count: count, per: unit)
  }
}
