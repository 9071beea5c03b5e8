import ArgumentParser
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
    let moment = try at?.time(in: backup.library)
    let restore = try Restore(
      backup, to: context.libraryPath, at: moment, commit: commit, keys: context.storeKeys)
    tellCandidates(of: restore, in: backup.library, context)
    let survey = try restore.survey()
    if survey.present != .nothing {
      switch Confirmation.ask(question(survey), context) {
      case .yes: break
      case .no: return
      case .dryRun: return tellDryRun(survey, restore, moment, context)
      }
    }
    let copiesAll = copy
    let (summary, _) = try await DamageReport(context).during { report in
      try restore.run(copiesAll: copiesAll) {
        report.show($0)
      } report: {
        report.tell($0)
      }
    }
    tell(summary, survey, restore, moment, context)
    if summary.isInterrupted { throw ExitStatus.interrupted.exitCode }
    if summary.damageCount > 0 { throw ExitStatus.damaged.exitCode }
  }

  /// Lists the states that come into question where the times of commits go back.
  private func tellCandidates(
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

  private struct Contents: Encodable {
    let photos: Int
    let plants: Int
    let otherEntries: Int

    init(_ contents: RestoreSurvey.Contents) {
      photos = contents.photoCount
      plants = contents.plantCount
      otherEntries = contents.entryCount
    }
  }

  private struct Candidate: Encodable {
    let commit: Int
    let at: String

    init(_ moment: BackupMoment) {
      commit = moment.commit
      at = RecordedTime.instant(moment.madeAt).iso8601
    }
  }

  private struct Summary: Encodable {
    var dryRun: Bool?
    var reason: String?
    var at: String?
    /// The last commit of an earlier state.
    var commit: Int?
    /// The states that there may have been at that time; absent where there is but one.
    var candidates: [Candidate]?
    var replaced: Contents?
    var restored: Contents
    var lacking: [String]
    /// Entries other than photos.
    var lackingEntries: Int
    var blobs: Int?
    var byteCount: Int?
    var linked: Int?
    var copied: Int?
    var damaged: Int?
    var unknownPhotos: Bool?
    var interrupted: Bool?
    var seconds: Double?

    init(_ survey: RestoreSurvey, _ restore: Restore) {
      commit = restore.moment?.commit
      if !restore.candidates.isEmpty { candidates = restore.candidates.map(Candidate.init) }
      if case .library(let contents) = survey.present { replaced = Contents(contents) }
      restored = Contents(survey.backup)
      lacking = survey.lacking.map(\.description)
      lackingEntries = survey.lackingEntryCount
    }
  }

  private func tellDryRun(
    _ survey: RestoreSurvey, _ restore: Restore, _ moment: RecordedTime?,
    _ context: CommandContext
  ) {
    if global.json {
      var summary = Summary(survey, restore)
      (summary.dryRun, summary.reason) = (true, Confirmation.reason)
      summary.at = moment?.iso8601
      context.output.print(json: ["summary": summary])
    } else {
      context.output.print(plan(survey))
      context.output.print(Confirmation.hint)
    }
  }

  private func tell(
    _ done: RestoreSummary, _ survey: RestoreSurvey, _ restore: Restore, _ moment: RecordedTime?,
    _ context: CommandContext
  ) {
    if global.json {
      var summary = Summary(survey, restore)
      summary.at = moment?.iso8601
      summary.blobs = done.blobCount
      summary.byteCount = done.byteCount
      summary.linked = done.linkedCount
      summary.copied = done.copiedCount
      summary.damaged = done.damageCount
      summary.unknownPhotos = done.hasUnknownPhotos
      summary.interrupted = done.isInterrupted ? true : nil
      summary.seconds = done.duration.roundedSeconds
      context.output.print(json: ["summary": summary])
      return
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
