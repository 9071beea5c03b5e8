import ArgumentParser
internal import Fields
internal import Leaflog

/// `leaflog bring-over`
struct BringOverCommand: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "bring-over",
    abstract: "Bring the changes of another copy of the library over to this one.",
    discussion: """
      For a library that was copied or rolled back, and then changed in two places. Run it in the copy \
      that is to be kept. The copies are compared, and what the other one has added, changed and \
      deleted since --since is done here as well, as one change that `leaflog undo` undoes. Where both \
      changed the same, this copy keeps its value, and the other's is added to the notes. Without \
      --since, only what this copy lacks is added. The other copy is only read.
      """)

  @Argument(
    help: "The other copy, or a backup of it: its folder, or its location in an object store.",
    completion: .directory)
  var copy: String

  @Option(
    help: "A backup or copy from before both were changed, the newest that there is.",
    completion: .directory)
  var since: String?

  @OptionGroup var connection: StoreConnectionOptions

  @Flag(help: "Show what would be done, and do nothing.")
  var dryRun = false

  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) async throws {
    let library = try context.openLibrary(for: .writing)
    let bringing = try LibraryMerge(
      from: open(copy, context), into: library, since: since.map { try open($0, context) })
    let text = BringOverText(try bringing.survey())
    if text.survey.isEmpty || dryRun {
      return report(text, isDryRun: dryRun, reason: nil, context)
    }
    let answer = Answer.ask("Bring this over?", context) { _ in text.plan }
    switch answer {
    case .yes: break
    case .no: return
    case .dryRun: return report(text, isDryRun: true, reason: answer.reason, context)
    }
    let summary = try await DamageReport(context).during { report in
      try bringing.run {
        report.show($0)
      } report: {
        report.report($0)
      }
    }
    report(summary, context)
    if summary.isInterrupted { throw ExitStatus.interrupted.exitCode }
    if summary.damageCount > 0 { throw ExitStatus.damaged.exitCode }
  }

  private func open(_ place: String, _ context: CommandContext) throws -> OpenBackup {
    try OpenBackup(
      connection.backup(place, in: context), keys: context.storeKeys, clock: context.process.clock)
  }

  private func report(
    _ text: BringOverText, isDryRun: Bool, reason: String?, _ context: CommandContext
  ) {
    if global.json {
      var document = BringOverDocument(text.survey)
      (document.isDryRun, document.reason) = (isDryRun, reason)
      return context.output.print(summary: document)
    }
    guard !global.quiet || isDryRun else { return }
    text.plan.forEach(context.output.print)
    if reason != nil { context.output.print(Answer.hint) }
  }

  private func report(_ summary: LibraryMergeSummary, _ context: CommandContext) {
    if global.json {
      return context.output.print(summary: BringOverDocument(summary))
    }
    guard !global.quiet else { return }
    if summary.isInterrupted {
      return context.output.print("Interrupted. Run it again to continue.")
    }
    BringOverText(summary.survey).result.forEach(context.output.print)
    if summary.damageCount > 0 {
      context.output.print(
        "\(Quantities.count(summary.damageCount, "blob")) could not be copied; see above.")
    }
  }
}

/// The differences of two copies as lines of text.
private struct BringOverText {
  let survey: LibraryMergeSurvey

  init(_ survey: LibraryMergeSurvey) { self.survey = survey }

  /// The lines of a preview.
  var plan: [String] {
    let start =
      survey.hasCommonState
      ? []
      : [
        "No common state is known (--since): what only the other copy has is added, and nothing is "
          + "changed or deleted."
      ]
    return start + conflicts
      + [survey.isEmpty ? "There is nothing to bring over." : "To bring over: \(effects)."]
  }

  /// The lines of a report.
  var result: [String] { conflicts + ["Brought over: \(effects)."] }

  private var effects: String { survey.counts.flatMap(\.parts).joined(separator: ", ") }

  private var conflicts: [String] {
    survey.conflicts.map { TextLayout.singleLine(sentence($0)) }
  }

  private func sentence(_ conflict: SideConflict) -> String {
    let field = conflict.field.map { ", \($0)" } ?? ""
    let values =
      conflict.field == nil
      ? "" : ": \(conflict.present ?? "none") here, \(conflict.theirs ?? "none") there"
    let outcome =
      switch conflict.reason {
      case .bothChanged: "changed in both copies; stays as it is here"
      case .deletedHere: "changed there and deleted here; stays deleted"
      case .deletedThere: "deleted there and changed here; stays"
      case .stillUsed: "deleted here and used there; restored"
      case .taken: "its name or day is taken here"
      case .differs: "differs; stays as it is here"
      }
    return "\(conflict.name)\(field)\(values) (\(outcome))."
  }
}

/// The differences of two copies, and what was brought over, in JSON.
private struct BringOverDocument: Shown {
  var isDryRun = false
  var reason: String?
  private let survey: LibraryMergeSurvey
  private var summary: LibraryMergeSummary?

  init(_ survey: LibraryMergeSurvey) { self.survey = survey }

  init(_ summary: LibraryMergeSummary) {
    survey = summary.survey
    self.summary = summary
  }

  static let shown = Fields<BringOverDocument>([
    Field(adding: "dryRun", .flag) { $0.isDryRun ? true : nil },
    Field(adding: "reason", .text) { $0.reason },
    Field(adding: "hasCommonState", .flag) { $0.survey.hasCommonState },
    Field(adding: "counts", each: ChangeCount.shown) { $0.survey.counts },
    Field(adding: "conflicts", each: conflict) { $0.survey.conflicts },
    Field(adding: "linked", .count) { $0.summary?.linkedCount },
    Field(adding: "copied", .count) { $0.summary?.copiedCount },
    Field(adding: "damaged", .count) { $0.summary?.damageCount },
    Field(adding: "interrupted", .flag) { $0.summary?.isInterrupted == true ? true : nil },
    Field(adding: "seconds", .seconds) { $0.summary?.duration.roundedSeconds },
  ])

  private static let conflict = Fields<SideConflict>([
    Field(adding: "reason", .text) { $0.reason.rawValue },
    Field(adding: "thing", .choice) { $0.thing },
    Field(adding: "id", .text) { $0.id }, Field(adding: "name", .text) { $0.name },
    Field(adding: "field", .text) { $0.field }, Field(adding: "theirs", .text) { $0.theirs },
    Field(adding: "present", .text) { $0.present },
  ])
}
