import ArgumentParser
internal import Documents
internal import Leaflog

/// `leaflog backup`
struct BackupCommand: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "backup", abstract: "Bring a backup of the library up to date.",
    discussion: """
      The backup is a library of its own; `leaflog --library DIR timeline` looks into it, and `leaflog \
      restore DIR` makes the library from it. Only what is missing is brought over, while imports go \
      on, and all of it is read back. The commits since the last backup come along, so that `leaflog restore \
      --at` gives what there was between the two. No photo is ever deleted from a backup. On the same disk blobs are \
      linked, not copied: that takes no room, but a fault of the disk takes both. A backup on another \
      disk, or in an object store, is the one that is safe.
      """)

  @Argument(
    help:
      "The backup, or an empty folder, or one to make; or a place in an object store: s3://bucket/prefix.",
    completion: .directory)
  var place: String

  @OptionGroup var connection: StoreConnectionOptions

  @Flag(help: "Copy files even where hard links would do.")
  var copy = false

  @Flag(help: "Read every byte of the backup, too, and replace what is damaged in it.")
  var full = false

  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) async throws {
    let library = try context.openLibrary(for: .reading)
    var request = BackupRequest(try connection.backup(place, in: context))
    request.keys = context.storeKeys
    request.copiesAll = copy
    request.isFull = full
    request.isForced = global.yes
    let final = request
    let (summary, _) = try await DamageReport(context).during { report in
      try Backup(library).run(final) {
        report.show($0)
      } report: {
        report.tell($0)
      }
    }
    tell(summary, context)
    if summary.isInterrupted { throw ExitStatus.interrupted.exitCode }
    if summary.damageCount > 0 { throw ExitStatus.damaged.exitCode }
  }

  private func tell(_ summary: BackupSummary, _ context: CommandContext) {
    if global.json {
      context.output.print(json: ["summary": BackupDocument(summary)])
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
        "Interrupted; the backup in \(place) is what it was. So far: \(moved). The next run goes on."
      ]
    }
    var lines = [
      "\(place) has all \(Quantities.count(summary.blobCount, "blob")), "
        + "\(Quantities.bytes(summary.byteCount)): \(moved), the rest was there "
        + "(\(Quantities.duration(summary.duration.seconds)))."
    ]
    if summary.damageCount > 0 {
      lines[0] =
        "Backed up to \(place) what is whole: \(moved). "
        + "\(Quantities.count(summary.damageCount, "blob")) of the library "
        + "\(summary.damageCount == 1 ? "is" : "are") not; see above."
    }
    if summary.surplusCount > 0 {
      lines.append(
        "\(Quantities.count(summary.surplusCount, "blob")) in it that the library does not refer to "
          + "any more; they stay.")
    }
    if summary.linkedCount > 0 {
      lines.append("Linked files share the library's disk. Keep a backup on another disk, too.")
    }
    return lines
  }
}
