internal import Leaflog
internal import Synchronization

/// Reports the progress of an export: a line of JSON for each photo, or the failures and a summary.
final class ExportReport: Sendable {
  private struct Counts: Encodable {
    var written = 0
    var unchanged = 0
    var failed = 0
    var byteCount = 0
    var interrupted: Bool?
  }

  private struct Line: Encodable {
    var photo: String
    var path: String?
    var outcome: String
    var message: String?
    var remedy: String?
    var byteCount: Int?
  }

  private let context: CommandContext
  private let folder: String
  private let counts = Mutex(Counts())

  init(_ context: CommandContext, folder: String) {
    self.context = context
    self.folder = folder
  }

  func tell(_ outcome: ExportOutcome) {
    var line = Line(
      photo: outcome.entry.id.description, path: outcome.path, outcome: "written",
      byteCount: outcome.byteCount)
    counts.withLock { counts in
      switch outcome.result {
      case .written:
        counts.written += 1
        counts.byteCount += outcome.byteCount
      case .unchanged:
        counts.unchanged += 1
        line.outcome = "unchanged"
      case .failed(let message):
        counts.failed += 1
        (line.outcome, line.message, line.byteCount) = ("failed", message, nil)
      case .placeStays(let message):
        counts.failed += 1
        (line.outcome, line.message, line.byteCount) = ("failed", message, nil)
        line.remedy = "Export its preview instead: --rendition preview."
      }
    }
    if context.options.json {
      context.output.print(json: line)
    } else if let message = line.message {
      let text = [message, line.remedy].compactMap { $0 }.joined(separator: " ")
      context.error.print("\(outcome.entry.id.short): \(TextLayout.singleLine(text))")
    }
  }

  func end(isInterrupted: Bool) {
    var counts = counts.withLock { $0 }
    if context.options.json {
      counts.interrupted = isInterrupted ? true : nil
      context.output.print(json: ["summary": counts])
    } else if !context.options.quiet {
      let isAllThere = counts.written == 0 && counts.unchanged > 0
      var parts =
        isAllThere
        ? []
        : [
          "Wrote \(Quantities.count(counts.written, "photo")), \(Quantities.bytes(counts.byteCount)), "
            + "to \(TextLayout.singleLine(folder))."
        ]
      if counts.unchanged > 0 {
        parts.append("\(Quantities.count(counts.unchanged, "photo")) already existed.")
      }
      if counts.failed > 0 { parts.append("\(counts.failed) could not be exported; see above.") }
      if isInterrupted { parts.append("Interrupted. Run it again to continue.") }
      context.output.print(parts.joined(separator: " "))
    }
  }

  var status: ExitStatus {
    counts.withLock {
      $0.failed == 0 ? .done : $0.written + $0.unchanged > 0 ? .partlyDone : .failed
    }
  }
}
