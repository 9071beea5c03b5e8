internal import Foundation
internal import Leaflog
internal import Synchronization

/// Reports the progress of an import: a line of JSON for each file, or the failures and a summary.
final class ImportReport: Sendable {
  private struct State {
    var pace = ImportPace()
    var warnings: [ImportWarning: Int] = [:]
    var skipped: [SkipReason: Int] = [:]
    var plants: Set<String> = []
    var hasMetLock = false
    var notices = ImportNotices()
    /// The libraries that were skipped.
    var libraries: [String] = []
    /// Whether the import is over and new files are reported as they arrive.
    var isWatching = false
  }

  private let context: CommandContext
  private let isDryRun: Bool
  private let progress: ProgressLine
  private let state = Mutex(State())

  init(_ context: CommandContext, isDryRun: Bool) {
    self.context = context
    self.isDryRun = isDryRun
    progress = ProgressLine(context)
  }

  private var isJSON: Bool { context.options.json }
  private var isQuiet: Bool { context.options.quiet }

  /// Whether a file could not be imported because another process held the library's lock.
  var hasMetLock: Bool { state.withLock { $0.hasMetLock } }

  /// Starts the progress bar, and counts the files in the background.
  func begin(_ request: ImportRequest) {
    guard context.showsProgress else { return }
    state.withLock { $0.pace = ImportPace() }
    Thread.detachNewThread { [self] in
      let total = Importer.fileCount(request)
      state.withLock { $0.pace.total = total }
    }
  }

  /// Reports what happens in a watch.
  func report(_ event: WatchEvent) {
    switch event {
    case .file(let outcome): report(outcome)
    case .caughtUp(let summary, let plan): pause(summary, plan)
    case .notice(let notice):
      state.withLock { _ in
        progress.clear()
        context.error.print(TextLayout.singleLine(notice.explanation))
      }
    case .rested: state.withLock { _ in progress.clear() }
    case .ended(let open): report(open)
    }
  }

  /// Removes the progress bar while nothing happens, and sums up the work so far.
  private func pause(_ summary: ImportSummary, _ plan: WatchPlan) {
    state.withLock { state in
      progress.clear()
      if !isJSON, !isQuiet { lines(summary, state).forEach(context.output.print) }
      state.notices = ImportNotices()
      state.isWatching = true
    }
    guard !isQuiet else { return }
    let interval = "The folders are searched \(Self.every(plan.interval))"
    let remote = plan.remoteFolders.map { folder in
      ": \(TextLayout.singleLine(folder.path)) is on \(folder.type), where the system does not report what "
        + "other machines write"
    }
    context.error.print(
      "Watching for new files. Press Ctrl-C to stop. " + interval + (remote.first ?? " as well")
        + ".")
  }

  private static func every(_ interval: Duration) -> String {
    switch Int(interval.seconds.rounded()) {
    case 60: "every minute"
    case 3600: "every hour"
    case let seconds where seconds.isMultiple(of: 60): "every \(seconds / 60) minutes"
    case let seconds: "every \(seconds) seconds"
    }
  }

  /// Names the files that a watch has not imported.
  private func report(_ open: [OpenFailure]) {
    guard !open.isEmpty else { return }
    let listed = open.prefix(ImportNotices.listedCount).map { failure in
      "  \(TextLayout.singleLine(failure.path)): \(TextLayout.singleLine(failure.message))"
    }
    let rest = open.count - listed.count
    let lines =
      ["Not imported:"] + listed
      + (rest > 0 ? ["  … and \(rest) more"] : [])
    state.withLock { _ in
      progress.clear()
      lines.forEach(context.error.print)
    }
  }

  func report(_ outcome: FileOutcome) {
    state.withLock { state in
      for warning in outcome.warnings { state.warnings[warning, default: 0] += 1 }
      switch outcome.result {
      case .skipped(let reason):
        state.skipped[reason, default: 0] += 1
        if reason == .library { state.libraries.append(outcome.path) }
      case .added(let photo): if let name = photo.plantName { state.plants.insert(name) }
      case .failed(.locked, _): state.hasMetLock = true
      default: break
      }
      progress.clear()
      if isJSON {
        context.output.print(json: OutcomeDocument(outcome, isDryRun: isDryRun))
      } else {
        reportText(outcome, &state)
      }
      state.pace.advance()
      progress.show(state.pace.text)
    }
  }

  private func reportText(_ outcome: FileOutcome, _ state: inout State) {
    if case .restored = outcome.result {
      let words = isDryRun ? "would be restored from the trash" : "restored from the trash"
      context.output.print("\(TextLayout.singleLine(outcome.path)): \(words)")
    }
    if isQuiet {
      guard case .failed = outcome.result else { return }
    } else if !state.isWatching {
      return state.notices.note(outcome)
    }
    if let line = ImportNotices.line(outcome) { context.output.print(line) }
  }

  func end(_ summary: ImportSummary) {
    state.withLock { state in
      progress.clear()
      if let warning = summary.clockWarning { context.error.print(warning) }
      if isJSON {
        context.output.print(summary: ImportSummaryDocument(summary, isDryRun: isDryRun))
      } else if !isQuiet {
        lines(summary, state).forEach(context.output.print)
      }
    }
  }

  private func lines(_ summary: ImportSummary, _ state: State) -> [String] {
    var lines: [String] = []
    if summary.added > 0 {
      let verb = isDryRun ? "Would add" : "Added"
      var line = "\(verb) \(Quantities.count(summary.added, "photo"))"
      if !state.plants.isEmpty { line += " of \(Quantities.count(state.plants.count, "plant"))" }
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
      let verb = isDryRun ? "Would restore" : "Restored"
      lines.append("\(verb) \(Quantities.count(summary.restored, "photo")) from the trash.")
    }
    if summary.updated > 0 {
      lines.append("Updated \(Quantities.count(summary.updated, "photo")) from changed files.")
    }
    if summary.duplicate > 0 {
      let verb = summary.duplicate == 1 ? "is" : "are"
      lines.append("\(Quantities.count(summary.duplicate, "file")) \(verb) already in the library.")
    }
    lines += skippedLines(summary, state)
    if let fileTimes = state.warnings[.dateIsFileTime] {
      lines.append(
        fileTimes == 1
          ? "1 date is a guess, from the file's time."
          : "\(fileTimes) dates are guesses, from the files' times.")
    }
    for (warning, count) in state.warnings.sorted(by: { $0.key < $1.key })
    where warning != .dateIsFileTime {
      let remedy =
        switch warning {
        case .otherMetadata, .sidecarChanged: "; --update takes it over"
        case .compressedCopy: "; --update takes the exact bytes"
        case .repeatedHour:
          ". `leaflog photo redate ID … --time-zone OFFSET`, such as +01:00, tells which it was"
        default: ""
        }
      lines.append("\(Quantities.count(count, "photo")): \(warning.explanation)\(remedy).")
    }
    lines += Self.lines(summary.mixedPlants)
    if summary.failed > 0 {
      lines.append("\(Quantities.count(summary.failed, "file")) could not be imported.")
    }
    lines += state.notices.lines
    if summary.isInterrupted { lines.append("Interrupted. Run it again to continue.") }
    return lines.isEmpty ? ["Nothing to import."] : lines
  }

  /// The warning about plants of several folders.
  private static func lines(_ plants: [MixedPlant]) -> [String] {
    guard let first = plants.first else { return [] }
    let folders = Quantities.listing(first.folders.map(TextLayout.singleLine))
    let others =
      plants.count > 1
      ? ", and likewise for \(Quantities.count(plants.count - 1, "other plant"))" : ""
    return [
      "“\(TextLayout.singleLine(first.name))” has photos from \(folders)\(others). If these are different plants, "
        + "--plant-from path keeps them apart."
    ]
  }

  private func skippedLines(_ summary: ImportSummary, _ state: State) -> [String] {
    var (lines, counts) = ([String](), state.skipped)
    let inTrash = counts.removeValue(forKey: .inTrash) ?? 0
    if !counts.isEmpty {
      let reasons = counts.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
        .map { "\($0.key.explanation) (\($0.value))" }
      let files = Quantities.count(counts.values.reduce(0, +), "file")
      lines.append("Skipped \(files): \(reasons.joined(separator: "; ")).")
    }
    if inTrash > 0 {
      let (verb, object) = inTrash == 1 ? ("stays", "it") : ("stay", "them")
      lines.append(
        "\(Quantities.count(inTrash, "photo")) \(verb) in the trash; --restore-deleted restores "
          + "\(object).")
    }
    if counts[.otherProgram] != nil {
      lines.append(
        "Other programs' bins, thumbnails and old versions were not searched; --all does.")
    }
    if counts[.link] != nil {
      lines.append("Links to folders were not followed; --follow-links follows them.")
    }
    if let library = state.libraries.first, summary.isAlone(state.libraries.count) {
      let name = TextLayout.singleLine(library)
      lines.append(
        "\(name) contains only a library's own files. `leaflog --library \(name) timeline` shows its "
          + "photos, and `leaflog --library \(name) photo export -o FOLDER` writes them for an import."
      )
    }
    return lines
  }
}

extension ImportSummary {
  /// Whether this number of skipped files is all there was.
  fileprivate func isAlone(_ count: Int) -> Bool {
    added + duplicate + restored + updated + failed == 0 && skipped == count
  }
}

/// The files of an import that need attention, each with the reason: those that failed, were skipped though they look
/// like images, or have warnings.
private struct ImportNotices {
  /// The number of files named in a summary.
  static let listedCount = 10

  private var failed: [String] = []
  private var skipped: [String] = []
  private var warned: [String] = []
  private var count = 0

  /// A line about a file; nil when there is nothing to say about it.
  static func line(_ outcome: FileOutcome) -> String? {
    let path = TextLayout.singleLine(outcome.path)
    switch outcome.result {
    case .failed(_, let message):
      return "\(path): \(TextLayout.singleLine(message))"
    case .skipped(let reason) where outcome.isSkippedImage: return "\(path): \(reason.explanation)"
    case .added, .skipped, .duplicate, .updated, .restored:
      guard !outcome.warnings.isEmpty else { return nil }
      return "\(path): " + outcome.warnings.map(\.explanation).joined(separator: "; ")
    }
  }

  mutating func note(_ outcome: FileOutcome) {
    guard let line = Self.line(outcome) else { return }
    count += 1
    switch outcome.result {
    case .failed: Self.add(line, to: &failed)
    case .skipped: Self.add(line, to: &skipped)
    case .added, .duplicate, .updated, .restored: Self.add(line, to: &warned)
    }
  }

  private static func add(_ line: String, to lines: inout [String]) {
    if lines.count < listedCount { lines.append(line) }
  }

  /// The first notices, failures first, and how to see the rest.
  var lines: [String] {
    guard count > 0 else { return [] }
    let listed = (failed + skipped + warned).prefix(Self.listedCount)
    let rest = count - listed.count
    return ["Worth a look:"] + listed.map { "  " + $0 }
      + (rest > 0 ? ["  … and \(rest) more; --json lists every file."] : [])
  }
}

/// The pace of an import: files done, their rate, and the time left.
private struct ImportPace {
  /// The number of files; unknown at first.
  var total: Int?
  private(set) var done = 0
  private let start = ContinuousClock.now

  mutating func advance() { done += 1 }

  /// The progress as text, with a bar if there is room for one.
  func text(columns: Int) -> String {
    guard let total, total > 0 else { return "\(done)" }
    let rate = Double(done) / max((ContinuousClock.now - start).seconds, 0.001)
    let left = Double(max(0, total - done)) / max(rate, 0.001)
    let text =
      "\(done)/\(total)  \(String(format: "%.1f", rate)) files/s  "
      + "\(Quantities.duration(left)) left"
    let room = min(40, columns - text.count - 4)
    guard room >= 10 else { return text }
    return ProgressLine.bar(Double(done) / Double(total), columns: room) + "  " + text
  }
}
