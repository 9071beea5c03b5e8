import ArgumentParser
internal import Fields
internal import Leaflog

/// `leaflog restore`
struct RestoreCommand: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Restore the library from a backup.",
    discussion: """
      If there is no library, it is restored at once; an existing one is only replaced with --yes, \
      and nothing of it is lost: its catalog is kept as a snapshot and its blobs stay, and only \
      missing or damaged ones are copied. --at restores the state at a time between two backups: after the last commit made by then. Where \
      the times of commits go back, as under a wrong clock, it lists the states that come into \
      question, and --commit chooses one. \
      Photos that the backup lacks are then not on the timeline; `leaflog repair` recovers them.
      """)

  @Argument(
    help: "The backup: its folder, or its location in an object store: s3://bucket/prefix.",
    completion: .directory)
  var place: String

  @OptionGroup var connection: StoreConnectionOptions

  @Option(help: "Restore the state at a time, such as 'yesterday 9:30' or 2026-03-01T09:30.")
  var at: TimeArgument?

  @Option(help: "Restore the state after the commit with this number.")
  var commit: Int?

  @Flag(help: "Copy blobs even where hard links are possible.")
  var copy = false

  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) async throws {
    let backup = try OpenBackup(
      connection.backup(place, in: context), keys: context.storeKeys, clock: context.process.clock)
    context.warn(of: backup.library)
    if !Library.exists(at: context.libraryPath) {
      try context.checkPlaceOfNew(at: context.libraryPath)
    }
    let moment = try at?.time(in: backup.library)
    let restore = try Restore(
      backup, to: context.libraryPath, at: moment, commit: commit, keys: context.storeKeys)
    reportCandidates(of: restore, in: backup.library, context)
    let survey = try restore.survey()
    if survey.present != .nothing {
      switch Answer.ask(question(survey), context) {
      case .yes: break
      case .no: return
      case .dryRun: return reportDryRun(survey, restore, moment, context)
      }
    }
    let copiesAll = copy
    let summary = try await DamageReport(context).during { report in
      try restore.run(copiesAll: copiesAll) {
        report.show($0)
      } report: {
        report.report($0)
      }
    }
    report(summary, survey, restore, moment, context)
    if summary.isInterrupted { throw ExitStatus.interrupted.exitCode }
    if summary.damageCount > 0 { throw ExitStatus.damaged.exitCode }
  }

  /// Lists the states that come into question where the times of commits go back.
  private func reportCandidates(
    of restore: Restore, in backup: Library, _ context: CommandContext
  ) {
    guard let chosen = restore.moment, !restore.candidates.isEmpty else { return }
    let states = restore.candidates.map { moment in
      let time = EntryTime(.instant(moment.madeAt), in: backup.timeZone)
      return "commit \(moment.commit) of \(RecordedTime.zoned(time.wall, time.offset).iso8601)"
    }
    context.error.print(
      "A clock was wrong: the times of commits go back. By that time there were "
        + "\(states.joined(separator: ", ")). Commit \(chosen.commit) is the last; --commit chooses "
        + "another.")
  }

  private func text(_ contents: RestoreSurvey.Contents) -> String {
    Quantities.count(contents.photoCount, "photo") + " of "
      + Quantities.count(contents.plantCount, "plant")
      + (contents.entryCount > 0 ? " and \(otherEntries(contents.entryCount))" : "")
  }

  private func otherEntries(_ count: Int) -> String {
    "\(count) other \(count == 1 ? "entry" : "entries")"
  }

  private func plan(_ survey: RestoreSurvey) -> String {
    switch survey.present {
    case .nothing: ""
    case .unreadable(let reason):
      "\(TextLayout.singleLine(reason)) The backup has \(text(survey.backup))."
    case .library(let contents):
      "Replaces \(text(contents)) with \(text(survey.backup)). " + lacking(survey)
    }
  }

  private func lacking(_ survey: RestoreSurvey) -> String {
    let parts = [
      survey.lacking.isEmpty ? nil : Quantities.count(survey.lacking.count, "photo"),
      survey.lackingEntryCount == 0 ? nil : otherEntries(survey.lackingEntryCount),
    ].compactMap { $0 }
    guard !parts.isEmpty else { return "The backup has every photo that the library has." }
    let isOne = survey.lacking.count + survey.lackingEntryCount == 1
    return
      "\(parts.joined(separator: " and ")) of the library \(isOne ? "is" : "are") not in the backup."
  }

  private func question(_ survey: RestoreSurvey) -> String { plan(survey) + " Restore?" }

  private struct Summary: Shown {
    let survey: RestoreSurvey
    let restore: Restore
    /// The moment that was asked for.
    let moment: RecordedTime?
    /// The work that was done; nil for a dry run.
    var done: RestoreSummary?

    private var replaced: RestoreSurvey.Contents? {
      if case .library(let contents) = survey.present { contents } else { nil }
    }

    static let shown = Fields<Summary>([
      Field(adding: "dryRun", .flag) { $0.done == nil ? true : nil },
      Field(adding: "reason", .text) { $0.done == nil ? Answer.reason : nil },
      Field(adding: "at", .captureTime) { $0.moment },
      // The last commit of an earlier state.
      Field(adding: "commit", .number) { $0.restore.moment?.commit },
      // The states that there may have been at that time; absent where there is but one.
      Field(adding: "candidates", each: candidate) {
        $0.restore.candidates.isEmpty ? nil : $0.restore.candidates
      },
      Field(adding: "replaced", contents) { $0.replaced },
      Field(adding: "restored", contents) { $0.survey.backup },
      Field(adding: "lacking", .ids) { $0.survey.lacking },
      // Entries other than photos.
      Field(adding: "lackingEntries", .count) { $0.survey.lackingEntryCount },
      Field(adding: "blobs", .count) { $0.done?.blobCount },
      Field(adding: "byteCount", .byteCount) { $0.done?.byteCount },
      Field(adding: "linked", .count) { $0.done?.linkedCount },
      Field(adding: "copied", .count) { $0.done?.copiedCount },
      Field(adding: "damaged", .count) { $0.done?.damageCount },
      Field(adding: "unknownPhotos", .flag) { $0.done?.hasUnknownPhotos },
      Field(adding: "interrupted", .flag) { $0.done?.isInterrupted == true ? true : nil },
      Field(adding: "seconds", .seconds) { $0.done?.duration.roundedSeconds },
    ])

    private static let contents = Fields<RestoreSurvey.Contents>([
      Field(adding: "photos", .count) { $0.photoCount },
      Field(adding: "plants", .count) { $0.plantCount },
      Field(adding: "otherEntries", .count) { $0.entryCount },
    ])

    private static let candidate = Fields<BackupMoment>([
      Field(adding: "commit", .number) { $0.commit }, Field(adding: "at", .moment) { $0.madeAt },
    ])
  }

  private func reportDryRun(
    _ survey: RestoreSurvey, _ restore: Restore, _ moment: RecordedTime?,
    _ context: CommandContext
  ) {
    if global.json {
      context.output.print(summary: Summary(survey: survey, restore: restore, moment: moment))
    } else {
      context.output.print(plan(survey))
      context.output.print(Answer.hint)
    }
  }

  private func report(
    _ done: RestoreSummary, _ survey: RestoreSurvey, _ restore: Restore, _ moment: RecordedTime?,
    _ context: CommandContext
  ) {
    if global.json {
      return context.output.print(
        summary: Summary(survey: survey, restore: restore, moment: moment, done: done))
    }
    guard !global.quiet else { return }
    if done.isInterrupted {
      context.output.print("Interrupted; the catalog is unchanged. Run it again to continue.")
      return
    }
    context.output.print(
      "Restored \(text(survey.backup))\(moment.map { " as of \($0.iso8601)" } ?? commit.map { " as of commit \($0)" } ?? ""): "
        + "\(Quantities.count(done.blobCount, "blob")), "
        + "\(done.linkedCount) linked, \(done.copiedCount) copied, the rest already present.")
    if done.damageCount > 0 {
      context.output.print(
        "\(Quantities.count(done.damageCount, "blob")) could not be restored; see above.")
    }
    if done.hasUnknownPhotos {
      context.output.print(
        "The store contains photos that the backup lacks. `leaflog repair` recovers them; "
          + "`leaflog prune` does not touch them.")
    }
  }
}
