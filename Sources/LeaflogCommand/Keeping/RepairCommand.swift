import ArgumentParser
internal import Leaflog

/// `leaflog repair`
struct RepairCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "repair", abstract: "Mend what is damaged or missing.",
    discussion: """
      Reads every byte. Thumbnails are made anew; other files are taken from --from: a backup, another \
      library, or the folder that the photos once came from. A lost marker and a lost catalog are made again, and an older \
      one that was put in place of a newer gets the photos that it does not know. What cannot be mended is moved into the \
      library's quarantine, and the photos are named. Exits with 12 when something stays lost.
      """)

  @Option(help: "Where to look for what is missing.", completion: .directory)
  var from: String?

  @OptionGroup var global: GlobalOptions

  private struct Line: Encodable {
    let photo: String
    let role: String
    let outcome: String
    let from: String?
    let message: String?
  }

  private struct Summary: Encodable {
    var taken = 0
    var remade = 0
    var lost = 0
    var failed = 0
  }

  func run() throws {
    ImportProcess.prepare()
    try rescueMarker()
    let isCatalogDamaged = try rescueCatalog()
    let library = try global.openLibrary(for: .writing)
    var summary = Summary()
    try Repairer(library).run(from: from) { outcome in
      let photo = outcome.entry.id.description
      func tell(_ name: String, from: String? = nil, message: String? = nil) {
        if global.json {
          let role = outcome.role.rawValue
          Output.result(
            JSON.line(Line(photo: photo, role: role, outcome: name, from: from, message: message)))
        } else if name == "lost" || name == "failed" {
          let plant = outcome.entry.plant.map { " of \(TextLayout.singleLine($0.name))" } ?? ""
          Output.result(
            "\(outcome.entry.id.short)\(plant), \(outcome.entry.time.localDay): its "
              + "\(outcome.role.rawValue) is lost" + (message.map { ": " + $0 } ?? "."))
        }
      }
      switch outcome.result {
      case .taken(let path):
        summary.taken += 1
        tell("taken", from: path)
      case .remade:
        summary.remade += 1
        tell("remade")
      case .lost:
        summary.lost += 1
        tell("lost")
      case .failed(let message):
        summary.failed += 1
        tell("failed", message: message)
      }
    }
    if global.json {
      Output.result(JSON.line(["summary": summary]))
    } else if !global.quiet {
      Output.result(text(summary, isCatalogDamaged))
    }
    if summary.lost + summary.failed > 0 || isCatalogDamaged { throw ExitStatus.damaged.exitCode }
  }

  private struct MadeMarker: Encodable {
    let outcome = "markerMade"
    let id: String
    /// Whether it is the one that the library had.
    let formerID: Bool
  }

  private func rescueMarker() throws {
    guard MarkerRescue.isNeeded(at: global.libraryPath) else { return }
    let (id, isFormer) = try MarkerRescue.run(at: global.libraryPath)
    if global.json {
      Output.result(JSON.line(MadeMarker(id: id, formerID: isFormer)))
    } else if !global.quiet {
      Output.result(
        "Made the library's marker, leaflog.json, again"
          + (isFormer ? "." : ", with a new id: make a new backup, too."))
    }
  }

  private struct Rescued: Encodable {
    let outcome: String
    let snapshotTakenAt: String?
    /// How many commits of the journal came after the snapshot.
    let commits: Int
    let lost: [Loss]
    let photosFromSnapshots: Int
    let photosFromBlobs: Int
    let quarantine: String?
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

  /// - Returns: whether something of the catalog stays lost.
  private func rescueCatalog() throws -> Bool {
    guard CatalogRescue.isNeeded(at: global.libraryPath) else { return false }
    let report = try CatalogRescue(at: global.libraryPath).run()
    let time = report.snapshotTakenAt.map { RecordedTime.instant($0).iso8601 }
    if global.json {
      Output.result(
        JSON.line(
          Rescued(
            outcome: report.wasLost ? "catalogRebuilt" : "photosBroughtBack",
            snapshotTakenAt: time, commits: report.commitCount,
            lost: report.losses.map(Loss.init),
            photosFromSnapshots: report.snapshotPhotoCount, photosFromBlobs: report.blobPhotoCount,
            quarantine: report.quarantine)))
    } else if !global.quiet {
      if report.wasLost {
        Output.result(
          "Made the catalog again, "
            + (time.map { "from the snapshot of \($0)" } ?? "without a snapshot")
            + ", with \(Quantities.count(report.commitCount, "commit")) since.")
        report.losses.map(text).forEach(Output.result)
      } else {
        let count = report.snapshotPhotoCount
        Output.result(
          "The catalog was older than one before it: brought back \(Quantities.count(count, "photo"))"
            + " that it did not know.")
      }
      if report.blobPhotoCount > 0 {
        Output.result(
          "\(Quantities.count(report.blobPhotoCount, "photo")) of which only the picture was left: they "
            + "have their EXIF date, and no plant.")
      }
      if let place = report.quarantine { Output.result("What was left of it lies in \(place).") }
    }
    return !report.losses.isEmpty
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

  private func text(_ summary: Summary, _ isCatalogDamaged: Bool) -> String {
    var parts: [String] = []
    if summary.taken > 0 { parts.append("took \(Quantities.count(summary.taken, "file"))") }
    if summary.remade > 0 { parts.append("made \(summary.remade) anew") }
    let lost = summary.lost + summary.failed
    if lost > 0 {
      parts.append(
        "could not mend \(lost)" + (from == nil ? "; --from DIR says where to look" : ""))
    }
    guard let first = parts.first else {
      return isCatalogDamaged ? "Nothing else is damaged." : "All is well."
    }
    return first.prefix(1).uppercased() + first.dropFirst()
      + parts.dropFirst().map { ", " + $0 }.joined()
      + "."
  }
}
