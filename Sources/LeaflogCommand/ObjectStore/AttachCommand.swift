import ArgumentParser
internal import Fields
internal import Foundation
internal import Leaflog

/// `leaflog attach`
struct AttachCommand: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "attach",
    abstract: "Attach a library in an object store to this machine.",
    discussion: """
      The catalog is restored from the store, up to the last acknowledged change. From then on, this \
      machine writes to the library; changes by the previous machine are refused.
      """)

  @Argument(help: "The library's location, as given to `leaflog init`: s3://bucket/prefix.")
  var store: String

  @Option(
    help: """
      The head of the side to follow, if copies of the library have gone different ways. 64 digits, as \
      the error lists them.
      """)
  var head: String?

  @OptionGroup var connection: StoreConnectionOptions

  @OptionGroup var journal: StoreJournalOptions

  @OptionGroup var global: GlobalOptions

  private struct Attached: Shown {
    let path: String
    let store: String
    let dryRun: Bool
    let reason: String?
    let lastCommit: Int
    let lostCommits: Int

    static let shown = Fields<Attached>([
      Field(adding: "path", .text) { $0.path }, Field(adding: "store", .text) { $0.store },
      Field(adding: "dryRun", .flag) { $0.dryRun }, Field(adding: "reason", .text) { $0.reason },
      Field(adding: "lastCommit", .number) { $0.lastCommit },
      Field(adding: "lostCommits", .count) { $0.lostCommits },
    ])
  }

  func run(in context: CommandContext) throws {
    try context.checkPlaceOfNew(at: context.libraryPath)
    let settings = try journal.settings(connection.settings(store, in: context))
    let attachment = try LibraryAttachment(settings, to: head, keys: context.storeKeys)
    let survey = attachment.survey
    let path = context.libraryPath
    let commits = Quantities.count(survey.lastCommit, "commit")
    switch Answer.ask(
      "Take over the library at \(store), with \(commits)? Changes by the machine that writes to it "
        + "now will be refused.",
      context)
    {
    case .yes: break
    case .no: return
    case .dryRun:
      return print(
        Attached(
          path: path, store: store, dryRun: true, reason: Answer.reason,
          lastCommit: survey.lastCommit, lostCommits: 0), context)
    }
    let report = try attachment.run(at: path, clock: context.process.clock, origin: context.typed)
    if survey.forkedCount > 0 {
      context.error.print(
        "The store also has \(Quantities.count(survey.forkedCount, "object")) of another copy of this library, which "
          + "had gone another way.")
    }
    print(
      Attached(
        path: path, store: store, dryRun: false, reason: nil, lastCommit: survey.lastCommit,
        lostCommits: report.losses.count), context)
    if !report.losses.isEmpty { throw ExitStatus.damaged.exitCode }
  }

  private func print(_ attached: Attached, _ context: CommandContext) {
    if global.json { return context.output.print(json: attached) }
    if attached.dryRun {
      return context.output.print(
        "Would take over the library at \(store), with \(Quantities.count(attached.lastCommit, "commit")). "
          + Answer.hint)
    }
    if attached.lostCommits > 0 {
      context.error.print(
        "\(Quantities.count(attached.lostCommits, "commit")) could not be found in the store.")
    }
    if !global.quiet {
      context.output.print("The library at \(store) is now in \(attached.path).")
    }
  }
}

/// `leaflog move-store`
struct MoveStoreCommand: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "move-store",
    abstract: "Move the library's photos into an object store, or back into its folder.",
    discussion: """
      Photos are copied and checked while other commands continue; then the library switches to the \
      new store in one step. An interrupted move resumes with the next run. The former store is kept \
      until `leaflog prune`: until then, moving back copies only new photos. If the library is \
      already in the named store, only the other options, such as --region, --ca or --journal, are \
      applied; a running service picks them up when it restarts.
      """)

  @Argument(help: "The target: s3://bucket/prefix, or `folder` for the library's own folder.")
  var to: String

  @OptionGroup var connection: StoreConnectionOptions

  @OptionGroup var journal: StoreJournalOptions

  @OptionGroup var global: GlobalOptions

  private struct Document: Shown {
    let store: String?
    let summary: StoreMoveSummary

    static let shown = Fields<Document>([
      Field(adding: "store", .text) { $0.store },
      Field(adding: "blobs", .count) { $0.summary.blobCount },
      Field(adding: "byteCount", .byteCount) { $0.summary.byteCount },
      Field(adding: "copied", .count) { $0.summary.copiedCount },
      Field(adding: "damaged", .count) { $0.summary.damageCount },
      Field(adding: "interrupted", .flag) { $0.summary.isInterrupted ? true : nil },
      Field(adding: "settingsOnly", .flag) { $0.summary.changesSettingsOnly ? true : nil },
    ])
  }

  func validate() throws {
    guard to == "folder" || to.hasPrefix("s3://") else {
      throw ValidationError("Name a location in an object store, s3://bucket/prefix, or `folder`.")
    }
    if to == "folder", connection.endpoint != nil {
      throw ValidationError(
        "--endpoint requires a location in an object store: s3://bucket/prefix.")
    }
  }

  func run(in context: CommandContext) async throws {
    let destination: StoreMove.Destination =
      to == "folder"
      ? .folder : .objectStore(try journal.settings(connection.settings(to, in: context)))
    let move = StoreMove(
      of: context.libraryPath, to: destination, keys: context.storeKeys,
      clock: context.process.clock)
    let summary = try await DamageReport(context).during { report in
      try move.run {
        report.show($0)
      } report: {
        report.report($0)
      }
    }
    report(summary, context)
    if summary.isInterrupted { throw ExitStatus.interrupted.exitCode }
    if summary.damageCount > 0 { throw ExitStatus.damaged.exitCode }
  }

  private func report(_ summary: StoreMoveSummary, _ context: CommandContext) {
    if global.json {
      return context.output.print(
        summary: Document(store: to == "folder" ? nil : to, summary: summary))
    }
    guard !global.quiet else { return }
    if summary.changesSettingsOnly {
      return context.output.print(
        "The photos stay in \(to); its settings were changed.")
    }
    let copied =
      "\(summary.copiedCount) copied (\(Quantities.bytes(summary.copiedByteCount)))"
    if summary.isInterrupted {
      return context.output.print(
        "Interrupted; the library was not moved. So far: \(copied). Run it again to continue.")
    }
    if summary.damageCount > 0 {
      return context.output.print(
        "Nothing was moved: \(Quantities.count(summary.damageCount, "blob")) of the library "
          + "\(summary.damageCount == 1 ? "is" : "are") damaged; see above.")
    }
    let place = to == "folder" ? "the library's folder" : to
    context.output.print(
      "The photos are now in \(place): \(Quantities.count(summary.blobCount, "blob")), \(copied).")
    if summary.leavesFormer {
      context.output.print(
        "The former store is kept until `leaflog prune` deletes it.")
    }
  }
}
