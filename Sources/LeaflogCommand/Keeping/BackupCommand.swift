import ArgumentParser
internal import Leaflog

/// `leaflog backup`
struct BackupCommand: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "backup", abstract: "Create or update a backup of the library.",
    discussion: """
      The backup is a library of its own: `leaflog --library DIR timeline` reads it, and `leaflog \
      restore DIR` restores it. Only missing files are copied, while imports continue, and every copy \
      is read back. Commits since the last backup are included, so `leaflog restore --at` can restore \
      any state in between. Photos are never deleted from a backup. On the same disk, blobs are \
      hard-linked instead of copied: this takes no space, but a disk failure destroys both. Only a \
      backup on another disk or in an object store is safe.
      """)

  @Argument(
    help: """
      The backup: an existing one, an empty or new folder, or a location in an object store: \
      s3://bucket/prefix.
      """,
    completion: .directory)
  var place: String

  @OptionGroup var connection: StoreConnectionOptions

  @Flag(help: "Copy files even where hard links are possible.")
  var copy = false

  @Flag(help: "Also read every byte of the backup, and replace damaged files.")
  var full = false

  @Flag(
    help: """
      If the backup is of a copy of this library that has gone another way, keep both sides in it.
      """)
  var beside = false

  @Flag(
    help: "Make a new backup where this library was backed up to before, and there is none now.")
  var new = false

  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) async throws {
    let library = try context.openLibrary(for: beside ? .writing : .reading)
    var request = BackupRequest(try connection.backup(place, in: context))
    request.keys = context.storeKeys
    request.copiesAll = copy
    request.readsEverything = full
    request.overridesChecks = global.yes
    request.recreatesMissing = new
    request.keepsBothCopies = beside
    let final = request
    let summary = try await DamageReport(context).during { report in
      try Backup(library).run(final) {
        report.show($0)
      } report: {
        report.report($0)
      }
    }
    // Even under --quiet: a disk that should be there may not be mounted.
    if summary.isNewOnOwnDisk {
      context.error.print(
        "\(TextLayout.singleLine(place)) is a new backup on the library's own disk: a disk failure destroys both."
      )
    }
    report(summary, context)
    if summary.isInterrupted { throw ExitStatus.interrupted.exitCode }
    if summary.damageCount > 0 { throw ExitStatus.damaged.exitCode }
  }

  private func report(_ summary: BackupSummary, _ context: CommandContext) {
    if global.json {
      context.output.print(summary: summary)
    } else if !global.quiet {
      lines(summary).forEach(context.output.print)
    }
  }

  private func lines(_ summary: BackupSummary) -> [String] {
    let place = TextLayout.singleLine(place)
    let moved =
      "\(summary.linkedCount) linked, \(summary.copiedCount) copied "
      + "(\(Quantities.bytes(summary.copiedByteCount)))"
    if summary.isInterrupted {
      return [
        "Interrupted; the backup in \(place) is unchanged. So far: \(moved). Run it again to continue."
      ]
    }
    var lines = [
      "\(place) contains all \(Quantities.count(summary.blobCount, "blob")), "
        + "\(Quantities.bytes(summary.byteCount)): \(moved), the rest already present "
        + "(\(Quantities.duration(summary.duration.seconds)))."
    ]
    if summary.damageCount > 0 {
      lines[0] =
        "Backed up all intact files to \(place): \(moved). "
        + "\(Quantities.count(summary.damageCount, "blob")) of the library "
        + "\(summary.damageCount == 1 ? "is" : "are") damaged; see above."
    }
    if summary.surplusCount > 0 {
      lines.append(
        "It also contains \(Quantities.count(summary.surplusCount, "blob")) that the library no "
          + "longer refers to; they are kept.")
    }
    if summary.linkedCount > 0, !summary.isNewOnOwnDisk {
      lines.append(
        "Linked files are on the library's disk. Keep another backup on a different disk.")
    }
    return lines
  }
}
