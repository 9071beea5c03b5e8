import ArgumentParser
internal import Foundation
internal import Leaflog

/// `leaflog repair`
struct RepairCommand: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "repair", abstract: "Repair damaged or missing files.",
    discussion: """
      Reads every byte. Thumbnails are regenerated; other files are copied from --from: a backup, \
      another library, or the folder that the photos were imported from. A lost marker, and a catalog \
      that is lost, damaged or older than its journal, are rebuilt from the snapshots and journal of \
      the library or of a backup, whichever are newer. Files that cannot be repaired are moved to the \
      library's quarantine, and their photos are listed. Exits with 12 if anything remains lost.
      """)

  @Option(
    help: """
      A backup, a library or a folder to copy missing files from, or a backup's location: \
      s3://bucket/prefix.
      """,
    completion: .directory)
  var from: String?

  @OptionGroup var connection: StoreConnectionOptions

  @OptionGroup var global: GlobalOptions

  private struct Line: Encodable {
    let photo: String
    let role: String
    let outcome: String
    let from: String?
    let message: String?

    init(_ result: RepairOutcome) {
      (photo, role) = (result.entry.id.description, result.role.rawValue)
      (outcome, from, message) =
        switch result.result {
        case .taken(let path): ("taken", path, nil)
        case .remade: ("remade", nil, nil)
        case .corrected: ("corrected", nil, nil)
        case .lost: ("lost", nil, nil)
        case .unreadable: ("unreadable", nil, nil)
        case .failed(let message): ("failed", nil, message)
        }
    }
  }

  private struct Summary: Encodable {
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

  func run(in context: CommandContext) throws {
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
        tellMarker(id, isFormer, context)
      case .catalogRescued(let report):
        hasRepaired = true
        tellCatalog(report, context)
        if !report.losses.isEmpty || !report.acceptedDamage.isEmpty { isDamaged = true }
      case .storeRefilled:
        context.error.print(
          "The object store had lost the library's journal. The catalog is there again.")
      case .damage(let damage):
        isDamaged = true
        DamageReport(context).tell(damage)
      case .pastRepaired(let repair):
        hasRepaired = true
        tell(repair, context)
      case .rendition(let outcome):
        summary.add(outcome)
        tell(outcome, context)
      }
    }
    if global.json {
      context.output.print(json: ["summary": summary])
    } else if !global.quiet {
      context.output.print(text(summary, hasRepaired: hasRepaired, isDamaged: isDamaged))
    }
    if summary.lost + summary.unreadable + summary.failed > 0 || isDamaged {
      throw ExitStatus.damaged.exitCode
    }
  }

  private func tell(_ outcome: RepairOutcome, _ context: CommandContext) {
    if global.json { return context.output.print(json: Line(outcome)) }
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

  private struct MadeMarker: Encodable {
    let outcome = "markerMade"
    let id: String
    /// Whether it is the id that the library had before.
    let formerID: Bool
  }

  private func tellMarker(_ id: String, _ isFormer: Bool, _ context: CommandContext) {
    if global.json {
      context.output.print(json: MadeMarker(id: id, formerID: isFormer))
    } else if !global.quiet {
      context.output.print(
        "Recreated the library's marker, leaflog.json"
          + (isFormer ? "." : ", with a new id; make a new backup as well."))
    }
  }

  private struct Rescued: Encodable {
    let outcome: String
    let snapshotTakenAt: String?
    let backupMadeAt: String?
    /// The number of commits after the snapshot or the backup.
    let commits: Int
    /// The number of these commits that the backup contained.
    let commitsFromBackup: Int
    let lost: [Loss]
    let photosFromSnapshots: Int
    let photosFromBlobs: Int
    /// A sentence for each damaged part of a catalog that was kept.
    let damaged: [String]
    let quarantine: String?

    init(_ report: CatalogRescueReport) {
      outcome =
        report.wasLost
        ? "catalogRebuilt" : report.acceptedDamage.isEmpty ? "photosBroughtBack" : "catalogKept"
      (snapshotTakenAt, backupMadeAt) =
        switch report.start {
        case .nothing: (nil, nil)
        case .snapshot(let time): (RecordedTime.instant(time).iso8601, nil)
        case .backup(let time): (nil, RecordedTime.instant(time).iso8601)
        }
      (commits, commitsFromBackup) = (report.commitCount, report.backupCommitCount)
      lost = report.losses.map(Loss.init)
      photosFromSnapshots = report.snapshotPhotoCount
      photosFromBlobs = report.blobPhotoCount
      damaged = report.acceptedDamage
      quarantine = report.quarantine
    }
  }

  private struct Loss: Encodable {
    let firstCommit: Int
    let lastCommit: Int
    let changes: [String]

    init(_ loss: JournalLoss) {
      (firstCommit, lastCommit) = (loss.commits.lowerBound, loss.commits.upperBound)
      changes = loss.changes
    }
  }

  private func tellCatalog(_ report: CatalogRescueReport, _ context: CommandContext) {
    if global.json { return context.output.print(json: Rescued(report)) }
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

  private struct RepairedPast: Encodable {
    let outcome = "pastRepaired"
    let snapshotsSetAside: Int
    let commitsMended: Int
    let commitsLost: Int
    let objectsMended: Int
  }

  private func tell(_ repair: PastRepair, _ context: CommandContext) {
    if global.json {
      return context.output.print(
        json: RepairedPast(
          snapshotsSetAside: repair.snapshotCount, commitsMended: repair.mendedFrameCount,
          commitsLost: repair.lostFrameCount, objectsMended: repair.objectCount))
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
