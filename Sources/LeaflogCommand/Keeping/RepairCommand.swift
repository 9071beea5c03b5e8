import ArgumentParser
package import Fields
internal import Foundation
package import Leaflog

/// `leaflog repair`
struct RepairCommand: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "repair", abstract: "Repair damaged or missing files.",
    discussion: """
      Reads every byte. Thumbnails are regenerated; other files are copied from --from: a backup, \
      another library, or the folder that the photos were imported from. A lost marker, and a catalog \
      that is lost, damaged or older than its journal, are rebuilt from the snapshots and journal of \
      the library or of a backup, whichever are newer. Files that cannot be repaired are moved to the \
      library's quarantine, and their photos are listed. Exits with 12 if anything remains lost. With \
      --thumbnails, it makes the thumbnails of all photos again instead, or of a plant's photos, and \
      replaces those that come out otherwise; `leaflog undo` brings the former ones back.
      """)

  @Flag(
    help: """
      Make thumbnails again from the best files that the library has, for all photos or those of a \
      plant, and replace those that come out otherwise. Nothing else is repaired.
      """)
  var thumbnails = false

  @OptionGroup var named: PlantArgument

  @Option(
    help: """
      A backup, a library or a folder to copy missing files from, or a backup's location: \
      s3://bucket/prefix.
      """,
    completion: .directory)
  var from: String?

  @OptionGroup var connection: StoreConnectionOptions

  @OptionGroup var global: GlobalOptions

  private struct Summary: Shown {
    static let shown = Fields<Summary>([
      Field(adding: "taken", .count) { $0.taken }, Field(adding: "remade", .count) { $0.remade },
      Field(adding: "corrected", .count) { $0.corrected },
      Field(adding: "lost", .count) { $0.lost },
      Field(adding: "unreadable", .count) { $0.unreadable },
      Field(adding: "failed", .count) { $0.failed },
    ])

    var taken = 0
    var remade = 0
    var corrected = 0
    var lost = 0
    var unreadable = 0
    var failed = 0

    mutating func add(_ outcome: RepairOutcome) {
      switch outcome.result {
      case .taken: taken += 1
      case .remade: remade += 1
      case .corrected: corrected += 1
      case .lost: lost += 1
      case .unreadable: unreadable += 1
      case .failed: failed += 1
      }
    }
  }

  private func place(_ context: CommandContext) throws -> RepairPlace? {
    guard let from else { return nil }
    switch try connection.backup(from, in: context) {
    case .folder(let path): return .folder(path)
    case .objectStore(let settings):
      return .backup(try OpenBackup(.objectStore(settings), keys: context.storeKeys))
    }
  }

  /// The zone for a catalog that has none. An unknown one keeps nobody from repairing a library.
  private func timeZone(_ context: CommandContext) -> TimeZone {
    do { return try context.process.timeZone() } catch {
      let reason = (error as? LeaflogError)?.words ?? "\(error)"
      if !global.quiet { context.error.print(reason + " UTC is assumed.") }
      return .gmt
    }
  }

  func validate() throws {
    guard thumbnails || named.text == nil else {
      throw ValidationError("A plant is only for --thumbnails.")
    }
    guard !thumbnails || from == nil else {
      throw ValidationError("--thumbnails takes nothing --from elsewhere.")
    }
  }

  func run(in context: CommandContext) async throws {
    if thumbnails { return try await remakeThumbnails(in: context) }
    try repair(in: context)
  }

  private func repair(in context: CommandContext) throws {
    var summary = Summary()
    var (hasRepaired, isDamaged) = (false, false)
    try Repairer.run(
      at: context.libraryPath, from: try place(context), timeZone: timeZone(context),
      clock: context.process.clock, origin: context.typed,
      keys: context.storeKeys
    ) { event in
      switch event {
      case .markerMade(let id, let isFormer):
        hasRepaired = true
        reportMarker(id, isFormer, context)
      case .catalogRescued(let report):
        hasRepaired = true
        reportCatalog(report, context)
        if !report.losses.isEmpty || !report.acceptedDamage.isEmpty { isDamaged = true }
      case .storeRefilled:
        context.error.print(
          "The object store had lost the library's journal. The catalog is there again.")
      case .damage(let damage):
        isDamaged = true
        DamageReport(context).report(damage)
      case .pastRepaired(let repair):
        hasRepaired = true
        report(repair, context)
      case .rendition(let outcome):
        summary.add(outcome)
        report(outcome, context)
      }
    }
    if global.json {
      context.output.print(summary: summary)
    } else if !global.quiet {
      context.output.print(text(summary, hasRepaired: hasRepaired, isDamaged: isDamaged))
    }
    if summary.lost + summary.unreadable + summary.failed > 0 || isDamaged {
      throw ExitStatus.damaged.exitCode
    }
  }

  private func report(_ outcome: RepairOutcome, _ context: CommandContext) {
    if global.json { return context.output.print(json: outcome) }
    let detail: String
    switch outcome.result {
    case .taken, .remade, .corrected: return
    case .lost: detail = " is lost."
    case .unreadable: detail = " cannot be read now, and stays where it is."
    case .failed(let message): detail = " is lost: " + message
    }
    let plant = outcome.entry.plant.map { " of \(TextLayout.singleLine($0.name))" } ?? ""
    context.output.print(
      "\(outcome.entry.id.short)\(plant), \(outcome.entry.time.date): its "
        + "\(outcome.role.rawValue)" + detail)
  }

  private struct MadeMarker: Shown {
    let id: String
    let isFormer: Bool

    static let shown = Fields<MadeMarker>([
      Field(adding: "outcome", .oneOf("markerMade")) { _ in "markerMade" },
      Field(adding: "id", .text) { $0.id },
      // Whether it is the id that the library had before.
      Field(adding: "formerID", .flag) { $0.isFormer },
    ])
  }

  private func reportMarker(_ id: String, _ isFormer: Bool, _ context: CommandContext) {
    if global.json {
      context.output.print(json: MadeMarker(id: id, isFormer: isFormer))
    } else if !global.quiet {
      context.output.print(
        "Recreated the library's marker, leaflog.json"
          + (isFormer ? "." : ", with a new id; make a new backup as well."))
    }
  }

  private func reportCatalog(_ report: CatalogRescueReport, _ context: CommandContext) {
    if global.json { return context.output.print(json: report) }
    guard !global.quiet else { return }
    if report.wasLost {
      context.output.print(start(report))
      report.losses.map(text).forEach(context.output.print)
    } else if !report.acceptedDamage.isEmpty {
      report.acceptedDamage.forEach(context.output.print)
      context.output.print(
        "The snapshots and the journal do not lead to a catalog that could take its place, so it was kept as it is. "
          + "A backup may have better: give it with --from.")
    } else {
      let count = report.snapshotPhotoCount
      context.output.print(
        "The catalog was older than a previous one: recovered \(Quantities.count(count, "photo"))"
          + " that it lacked.")
    }
    if report.blobPhotoCount > 0 {
      context.output.print(
        "Recovered \(Quantities.count(report.blobPhotoCount, "photo")) from image files alone, "
          + "with the EXIF date and no plant.")
    }
    if let place = report.quarantine {
      context.output.print("The former catalog is in \(place).")
    }
  }

  private func report(_ repair: HistoryRepair, _ context: CommandContext) {
    if global.json {
      return context.output.print(json: repair)
    }
    guard !global.quiet else { return }
    if repair.snapshotCount > 0 {
      let count = Quantities.count(repair.snapshotCount, "damaged snapshot")
      context.output.print("Moved \(count) to the quarantine, and took a new one.")
    }
    if repair.mendedFrameCount > 0 {
      let count = Quantities.count(repair.mendedFrameCount, "damaged commit")
      context.output.print("Took \(count) of the journal from the backup.")
    }
    if repair.objectCount > 0 {
      let count = Quantities.count(repair.objectCount, "damaged part")
      context.output.print("Mended \(count) of the journal and the catalogs in the object store.")
    }
    if repair.lostFrameCount > 0 {
      let count = Quantities.count(repair.lostFrameCount, "damaged commit")
      context.output.print(
        "Moved \(count) of the journal to the quarantine: moments between them and the next snapshot can no longer be "
          + "restored. The diary itself has all of its changes.")
    }
  }

  private func start(_ report: CatalogRescueReport) -> String {
    let start =
      switch report.start {
      case .nothing: "without a snapshot"
      case .snapshot(let time): "from the snapshot of \(RecordedTime.instant(time).iso8601)"
      case .backup(let time):
        "from the backup's catalog of \(RecordedTime.instant(time).iso8601), which is newer than the "
          + "library's snapshots"
      }
    let commits = Quantities.count(report.commitCount, "commit")
    let share =
      report.backupCommitCount > 0 ? ", \(report.backupCommitCount) of them from the backup" : ""
    return "Rebuilt the catalog \(start), with \(commits) since\(share)."
  }

  private func text(_ loss: JournalLoss) -> String {
    let commits =
      loss.commits.count == 1
      ? "Commit \(loss.commits.lowerBound) is lost"
      : "Commits \(loss.commits.lowerBound) to \(loss.commits.upperBound) are lost"
    guard !loss.changes.isEmpty else { return commits + "." }
    let rest = loss.changes.count - 5
    return commits + ": "
      + loss.changes.prefix(5).map { "`\(TextLayout.singleLine($0))`" }
      .joined(separator: ", ") + (rest > 0 ? " and \(rest) more." : ".")
  }

  private func text(_ summary: Summary, hasRepaired: Bool, isDamaged: Bool) -> String {
    var parts: [String] = []
    if summary.taken > 0 { parts.append("copied \(Quantities.count(summary.taken, "file"))") }
    if summary.remade > 0 { parts.append("regenerated \(summary.remade)") }
    if summary.corrected > 0 {
      parts.append("corrected the orientation of \(Quantities.count(summary.corrected, "copy"))")
    }
    let lost = summary.lost + summary.unreadable + summary.failed
    if lost > 0 {
      parts.append(
        "could not repair \(lost)" + (from == nil ? "; use --from DIR to name a source" : ""))
    }
    guard let first = parts.first else {
      return isDamaged || hasRepaired ? "Nothing else is damaged." : "No damage found."
    }
    return first.prefix(1).uppercased() + first.dropFirst()
      + parts.dropFirst().map { ", " + $0 }.joined()
      + "."
  }
}

extension RepairOutcome: Shown {
  package static let shown = Fields<RepairOutcome>([
    Field(adding: "photo", .id) { $0.entry.id }, Field(adding: "role", .choice) { $0.role },
    Field(
      adding: "outcome", .oneOf("taken", "remade", "corrected", "lost", "unreadable", "failed")
    ) {
      switch $0.result {
      case .taken: "taken"
      case .remade: "remade"
      case .corrected: "corrected"
      case .lost: "lost"
      case .unreadable: "unreadable"
      case .failed: "failed"
      }
    },
    Field(adding: "from", .text) { if case .taken(let path) = $0.result { path } else { nil } },
    Field(adding: "message", .text) {
      if case .failed(let message) = $0.result { message } else { nil }
    },
  ])
}

extension CatalogRescueReport: Shown {
  package static let shown = Fields<CatalogRescueReport>([
    Field(adding: "outcome", .oneOf("catalogRebuilt", "photosBroughtBack", "catalogKept")) {
      $0.wasLost
        ? "catalogRebuilt" : $0.acceptedDamage.isEmpty ? "photosBroughtBack" : "catalogKept"
    },
    Field(adding: "snapshotTakenAt", .moment) {
      if case .snapshot(let time) = $0.start { time } else { nil }
    },
    Field(adding: "backupMadeAt", .moment) {
      if case .backup(let time) = $0.start { time } else { nil }
    },
    // The number of commits after the snapshot or the backup.
    Field(adding: "commits", .count) { $0.commitCount },
    // The number of these commits that the backup contained.
    Field(adding: "commitsFromBackup", .count) { $0.backupCommitCount },
    Field(adding: "lost", each: loss) { $0.losses },
    Field(adding: "photosFromSnapshots", .count) { $0.snapshotPhotoCount },
    Field(adding: "photosFromBlobs", .count) { $0.blobPhotoCount },
    // A sentence for each damaged part of a catalog that was kept.
    Field(adding: "damaged", .texts) { $0.acceptedDamage },
    Field(adding: "quarantine", .text) { $0.quarantine },
  ])

  private static let loss = Fields<JournalLoss>([
    Field(adding: "firstCommit", .number) { $0.commits.lowerBound },
    Field(adding: "lastCommit", .number) { $0.commits.upperBound },
    Field(adding: "changes", .texts) { $0.changes },
  ])
}

extension HistoryRepair: Shown {
  package static let shown = Fields<HistoryRepair>([
    Field(adding: "outcome", .oneOf("pastRepaired")) { _ in "pastRepaired" },
    Field(adding: "snapshotsSetAside", .count) { $0.snapshotCount },
    Field(adding: "commitsMended", .count) { $0.mendedFrameCount },
    Field(adding: "commitsLost", .count) { $0.lostFrameCount },
    Field(adding: "objectsMended", .count) { $0.objectCount },
  ])
}
