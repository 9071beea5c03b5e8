internal import Leaflog

/// Reports how entries were changed.
struct EditReport {
  private let context: CommandContext
  /// The noun for one of the entries.
  private let noun: String

  init(_ context: CommandContext, noun: String = "photo") {
    self.context = context
    self.noun = noun
  }

  /// - Parameters:
  ///   - done: the verb of the summary, e.g. `Moved`.
  ///   - note: the words after the number of entries.
  func tell(
    _ result: EditResult, done: String, note: String = "", in library: Library
  ) throws {
    if context.options.json {
      context.output.print(json: EditDocument(result) { $0.words })
    } else {
      if !context.options.quiet { summarise(result, done, note, in: library) }
      explain(result.failures)
    }
    guard !result.failures.isEmpty else { return }
    let isSomethingDone = !result.changed.isEmpty || result.unchangedCount > 0
    throw (isSomethingDone ? ExitStatus.partlyDone : .failed).exitCode
  }

  /// Prints one line per reason where many entries share it.
  private func explain(_ failures: [EditResult.Failure]) {
    var reasons: [String] = []
    for failure in failures where !reasons.contains(failure.words) {
      reasons.append(failure.words)
    }
    for reason in reasons {
      let ids = failures.filter { $0.words == reason }.map(\.entry.id.short)
      let names =
        ids.prefix(4).joined(separator: ", ") + (ids.count > 4 ? " and \(ids.count - 4) more" : "")
      context.error.print("\(names): \(TextLayout.singleLine(reason))")
    }
  }

  private func summarise(
    _ result: EditResult, _ done: String, _ note: String, in library: Library
  ) {
    list(result.changed, in: library)
    var lines: [String] = []
    if !result.changed.isEmpty {
      lines.append(
        "\(done) \(Quantities.count(result.changed.count, noun))\(note). "
          + "`leaflog undo` undoes it.")
    }
    if result.unchangedCount > 0 {
      lines.append("\(Quantities.count(result.unchangedCount, noun)) needed no change.")
    }
    if lines.isEmpty, result.failures.isEmpty { lines.append("No \(noun) matches.") }
    lines.forEach(context.output.print)
  }

  /// Shows the entries that would be deleted, and asks.
  func ask(_ question: String, _ going: [Entry], in library: Library) -> Answer {
    Answer.ask(question, context) { lines(going, $0, in: library) }
  }

  /// Reports what would have been done if somebody could have been asked, and ends the command.
  func tellUnanswered(
    _ entries: [Entry], would: String, note: String, in library: Library
  ) throws {
    if context.options.json {
      context.output.print(
        json: EditDocument(wouldEdit: entries, reason: Answer.reason))
    } else {
      list(entries, in: library)
      context.output.print(
        "\(would) \(Quantities.count(entries.count, noun)) \(note). \(Answer.hint)")
    }
    try Answer.dryRun.checkAnswered()
  }

  private static let listedCount = 10

  private func list(_ entries: [Entry], in library: Library) {
    lines(entries, context.output.terminal, in: library).forEach(context.output.print)
  }

  /// The first few entries as timeline lines.
  private func lines(_ entries: [Entry], _ terminal: Terminal, in library: Library) -> [String] {
    let rest = entries.count - Self.listedCount
    return TimelineText(terminal: terminal, zone: library.timeZone)
      .lines(Array(entries.prefix(Self.listedCount)))
      + (rest > 0 ? ["  … and \(rest) more"] : [])
  }
}
