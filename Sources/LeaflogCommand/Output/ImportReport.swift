internal import Foundation
internal import Leaflog
internal import Synchronization

/// Tells how an import goes: a line of JSON a file, or what went wrong and a summary.
final class ImportReport: Sendable {
  private struct State {
    var bar: ProgressBar?
    var warnings: [ImportWarning: Int] = [:]
    var skipped: [SkipReason: Int] = [:]
    var plants: [String: Int] = [:]
    var hasMetLock = false
  }

  private let isJSON: Bool
  private let isQuiet: Bool
  private let isDryRun: Bool
  private let hasBar: Bool
  private let state = Mutex(State())

  init(_ options: GlobalOptions, isDryRun: Bool) {
    isJSON = options.json
    isQuiet = options.quiet
    self.isDryRun = isDryRun
    hasBar = Terminal.error.isTerminal && !options.quiet && !options.noProgress
  }

  /// Whether a file could not be imported because another process kept the library's lock.
  var hasMetLock: Bool { state.withLock { $0.hasMetLock } }

  /// Starts the bar, and counts in the background how far it has to go.
  func begin(_ paths: [String]) {
    guard hasBar else { return }
    state.withLock { $0.bar = ProgressBar() }
    Thread.detachNewThread { [self] in
      let total = Importer.fileCount(paths)
      state.withLock { $0.bar?.total = total }
    }
  }

  /// Takes the bar away while nothing happens.
  func pause() {
    state.withLock { $0.bar?.clear() }
    if !isQuiet { Output.error("Watching. Ctrl-C ends it.") }
  }

  func tell(_ outcome: FileOutcome) {
    state.withLock { state in
      for warning in outcome.warnings { state.warnings[warning, default: 0] += 1 }
      switch outcome.result {
      case .skipped(let reason): state.skipped[reason, default: 0] += 1
      case .added(let photo): state.plants[photo.plantName ?? "no plant", default: 0] += 1
      case .failed(.locked, _): state.hasMetLock = true
      default: break
      }
      state.bar?.clear()
      if isJSON {
        Output.result(JSON.line(OutcomeDocument(outcome, isDryRun: isDryRun)))
      } else if case .failed(let reason, let message) = outcome.result {
        let path = TextLayout.singleLine(outcome.path)
        Output.result("\(path): \(reason.rawValue): \(TextLayout.singleLine(message))")
      } else if case .restored = outcome.result {
        Output.result("\(TextLayout.singleLine(outcome.path)): back from the trash")
      }
      state.bar?.advance()
    }
  }

  func end(_ summary: ImportSummary) {
    state.withLock { state in
      state.bar?.clear()
      state.bar = nil
      if isJSON {
        Output.result(JSON.line(SummaryDocument(summary, isDryRun: isDryRun)))
      } else if !isQuiet {
        lines(summary, state).forEach(Output.result)
      }
    }
  }

  private func lines(_ summary: ImportSummary, _ state: State) -> [String] {
    var lines: [String] = []
    if summary.added > 0 {
      let verb = isDryRun ? "Would add" : "Added"
      let plants = Quantities.count(state.plants.count, "plant")
      var line = "\(verb) \(Quantities.count(summary.added, "photo")) of \(plants)"
      if !isDryRun {
        line +=
          ": \(Quantities.bytes(summary.sourceByteCount)) became "
          + "\(Quantities.bytes(summary.storedByteCount)) ("
          + Quantities.percent(summary.storedByteCount, of: summary.sourceByteCount)
          + ") in \(Quantities.duration(summary.duration.seconds))"
      }
      lines.append(line + ".")
    }
    if summary.restored > 0 {
      lines.append("\(Quantities.count(summary.restored, "photo")) came back from the trash.")
    }
    if summary.duplicate > 0 {
      let verb = summary.duplicate == 1 ? "was" : "were"
      lines.append("\(Quantities.count(summary.duplicate, "file")) \(verb) in the library already.")
    }
    if summary.skipped > 0 {
      let reasons = state.skipped.sorted { $0.value > $1.value }
        .map { "\($0.key.explanation) (\($0.value))" }
      let files = Quantities.count(summary.skipped, "file")
      lines.append("Skipped \(files): \(reasons.joined(separator: "; ")).")
    }
    if summary.guessedDates > 0 {
      lines.append(
        summary.guessedDates == 1
          ? "1 date is a guess, from the file's time."
          : "\(summary.guessedDates) dates are guesses, from the files' times.")
    }
    for (warning, count) in state.warnings.sorted(by: { $0.key < $1.key })
    where warning != .dateIsFileTime {
      lines.append("\(Quantities.count(count, "photo")): \(warning.explanation).")
    }
    if summary.failed > 0 {
      lines.append("\(Quantities.count(summary.failed, "file")) could not be imported; see above.")
    }
    if summary.isInterrupted { lines.append("Interrupted. Run it again to go on.") }
    return lines.isEmpty ? ["Nothing to import."] : lines
  }
}

/// One file's outcome in JSON.
private struct OutcomeDocument: Encodable {
  var path: String
  var outcome: String
  var reason: String?
  var message: String?
  var photo: String?
  var plant: String?
  var capturedAt: String?
  var captureSource: String?
  var sourceByteCount: Int?
  var storedByteCount: Int?
  var warnings: [String]?

  init(_ outcome: FileOutcome, isDryRun: Bool) {
    path = outcome.path
    switch outcome.result {
    case .added(let photo):
      self.outcome = "added"
      self.photo = photo.id.description
      plant = photo.plantName
      capturedAt = photo.time.recorded.iso8601
      captureSource = photo.captureSource.rawValue
      sourceByteCount = photo.sourceByteCount
      storedByteCount = isDryRun ? nil : photo.storedByteCount
    case .duplicate(let id):
      self.outcome = "duplicate"
      photo = id.description
    case .restored(let id):
      self.outcome = "restored"
      photo = id.description
    case .skipped(let reason):
      self.outcome = "skipped"
      self.reason = reason.rawValue
    case .failed(let reason, let message):
      self.outcome = "failed"
      self.reason = reason.rawValue
      self.message = message
    }
    if photo != nil { warnings = outcome.warnings.map(\.rawValue) }
  }
}

private struct SummaryDocument: Encodable {
  struct Counts: Encodable {
    let added: Int
    let duplicate: Int
    let restored: Int
    let skipped: Int
    let failed: Int
    let guessedDates: Int
    let sourceByteCount: Int
    let storedByteCount: Int
    let seconds: Double
    let dryRun: Bool?
    let interrupted: Bool?
  }

  let summary: Counts

  init(_ summary: ImportSummary, isDryRun: Bool) {
    self.summary = Counts(
      added: summary.added, duplicate: summary.duplicate, restored: summary.restored,
      skipped: summary.skipped, failed: summary.failed, guessedDates: summary.guessedDates,
      sourceByteCount: summary.sourceByteCount, storedByteCount: summary.storedByteCount,
      seconds: (summary.duration.seconds * 1000).rounded() / 1000,
      dryRun: isDryRun ? true : nil, interrupted: summary.isInterrupted ? true : nil)
  }
}
