import ArgumentParser
internal import Leaflog

/// `leaflog restore`
struct RestoreCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Make the library from a backup.",
    discussion: """
      Where there is no library, it is made at once. Over one that is there only with --yes, and nothing \
      of it is lost: its catalog stays as a snapshot, its blobs where they are, and only those that are \
      missing or damaged are brought over. Photos that the backup lacks are off the timeline then; \
      `leaflog repair` brings them back.
      """)

  @Argument(help: "The folder of the backup.", completion: .directory)
  var directory: String

  @Flag(help: "Copy blobs even where links would do.")
  var copy = false

  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let backup = try Library.open(at: directory, for: .reading)
    let restore = try Restore(backup, to: global.libraryPath)
    let survey = try restore.survey()
    if survey.present != .nothing {
      switch Confirmation.ask(question(survey), global) {
      case .yes: break
      case .no: return
      case .dryRun: return tellDryRun(survey)
      }
    }
    let copiesAll = copy
    let report = DamageReport(global)
    let interruption = Interruption()
    let work = Task {
      try restore.run(copiesAll: copiesAll) {
        report.show($0)
      } report: {
        report.tell($0)
      }
    }
    let summary = try await interruption.value(of: work)
    report.clear()
    tell(summary, survey)
    if summary.isInterrupted { throw ExitStatus.interrupted.exitCode }
    if summary.damageCount > 0 { throw ExitStatus.damaged.exitCode }
  }

  private func text(_ contents: RestoreSurvey.Contents) -> String {
    Quantities.count(contents.photoCount, "photo") + " of "
      + Quantities.count(contents.plantCount, "plant")
  }

  private func plan(_ survey: RestoreSurvey) -> String {
    switch survey.present {
    case .nothing: ""
    case .unreadable(let reason):
      "\(TextLayout.singleLine(reason)) The backup has \(text(survey.backup))."
    case .library(let contents):
      "Replaces \(text(contents)) by \(text(survey.backup)). "
        + (survey.lacking.isEmpty
          ? "The backup has every photo that the library has."
          : "\(Quantities.count(survey.lacking.count, "photo")) of the library are not in the backup.")
    }
  }

  private func question(_ survey: RestoreSurvey) -> String { plan(survey) + " Restore?" }

  private struct Contents: Encodable {
    let photos: Int
    let plants: Int

    init(_ contents: RestoreSurvey.Contents) {
      photos = contents.photoCount
      plants = contents.plantCount
    }
  }

  private struct Summary: Encodable {
    var dryRun: Bool?
    var reason: String?
    var replaced: Contents?
    var restored: Contents
    var lacking: [String]
    var blobs: Int?
    var byteCount: Int?
    var linked: Int?
    var copied: Int?
    var damaged: Int?
    var unknownPhotos: Bool?
    var interrupted: Bool?
    var seconds: Double?

    init(_ survey: RestoreSurvey) {
      if case .library(let contents) = survey.present { replaced = Contents(contents) }
      restored = Contents(survey.backup)
      lacking = survey.lacking.map(\.description)
    }
  }

  private func tellDryRun(_ survey: RestoreSurvey) {
    if global.json {
      var summary = Summary(survey)
      (summary.dryRun, summary.reason) = (true, Confirmation.reason)
      Output.result(JSON.line(["summary": summary]))
    } else {
      Output.result(plan(survey))
      Output.result(Confirmation.hint)
    }
  }

  private func tell(_ done: RestoreSummary, _ survey: RestoreSurvey) {
    if global.json {
      var summary = Summary(survey)
      summary.blobs = done.blobCount
      summary.byteCount = done.byteCount
      summary.linked = done.linkedCount
      summary.copied = done.copiedCount
      summary.damaged = done.damageCount
      summary.unknownPhotos = done.hasUnknownPhotos
      summary.interrupted = done.isInterrupted ? true : nil
      summary.seconds = (done.duration.seconds * 1000).rounded() / 1000
      Output.result(JSON.line(["summary": summary]))
      return
    }
    guard !global.quiet else { return }
    if done.isInterrupted {
      Output.result("Interrupted; the catalog is what it was. Run it again to go on.")
      return
    }
    Output.result(
      "Restored \(text(survey.backup)): \(Quantities.count(done.blobCount, "blob")), "
        + "\(done.linkedCount) linked, \(done.copiedCount) copied, the rest was there.")
    if done.damageCount > 0 {
      Output.result("\(Quantities.count(done.damageCount, "blob")) could not be had; see above.")
    }
    if done.hasUnknownPhotos {
      Output.result(
        "The store has photos that the backup did not know. `leaflog repair` brings them back; until "
          + "then `leaflog prune` leaves them alone.")
    }
  }
}
