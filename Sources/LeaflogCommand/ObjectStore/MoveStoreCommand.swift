import ArgumentParser
internal import Documents
internal import Leaflog

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

  private struct Document: Encodable {
    let store: String?
    let blobs: Int
    let byteCount: Int
    let copied: Int
    let damaged: Int
    let interrupted: Bool?
    let settingsOnly: Bool?
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
    let (summary, _) = try await DamageReport(context).during { report in
      try move.run {
        report.show($0)
      } report: {
        report.tell($0)
      }
    }
    tell(summary, context)
    if summary.isInterrupted { throw ExitStatus.interrupted.exitCode }
    if summary.damageCount > 0 { throw ExitStatus.damaged.exitCode }
  }

  private func tell(_ summary: StoreMoveSummary, _ context: CommandContext) {
    if global.json {
      return context.output.print(json: [
        "summary": Document(
          store: to == "folder" ? nil : to, blobs: summary.blobCount,
          byteCount: summary.byteCount, copied: summary.copiedCount,
          damaged: summary.damageCount, interrupted: summary.isInterrupted ? true : nil,
          settingsOnly: summary.changesSettingsOnly ? true : nil)
      ])
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
