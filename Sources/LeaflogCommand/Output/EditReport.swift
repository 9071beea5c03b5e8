internal import Leaflog

/// Tells what was done to entries.
struct EditReport {
  private let options: GlobalOptions
  /// What one of the entries is called.
  private let noun: String

  init(_ options: GlobalOptions, noun: String = "photo") {
    self.options = options
    self.noun = noun
  }

  private struct Document: Encodable {
    struct Failure: Encodable {
      let id: String
      let message: String
    }

    let items: [EntryDocument]
    let unchanged: Int?
    let failed: [Failure]?
    var isDryRun = false

    private enum Key: CodingKey { case items, next, unchanged, failed, dryRun, reason }

    func encode(to encoder: any Encoder) throws {
      var object = encoder.container(keyedBy: Key.self)
      try object.encode(items, forKey: .items)
      try object.encodeNil(forKey: .next)
      try object.encodeIfPresent(unchanged, forKey: .unchanged)
      try object.encodeIfPresent(failed, forKey: .failed)
      guard isDryRun else { return }
      try object.encode(true, forKey: .dryRun)
      try object.encode(Confirmation.reason, forKey: .reason)
    }
  }

  /// `done`: what the summary calls it, e.g. `Moved`. `note` is said after how many.
  func tell(
    _ result: EditResult, done: String, note: String = "", in library: Library
  ) throws {
    if options.json {
      Output.result(
        JSON.line(
          Document(
            items: result.changed.map(EntryDocument.init), unchanged: result.unchangedCount,
            failed: result.failures.map {
              .init(id: $0.entry.id.description, message: $0.message)
            })))
    } else {
      if !options.quiet { summarise(result, done, note, in: library) }
      explain(result.failures)
    }
    guard !result.failures.isEmpty else { return }
    let isSomethingDone = !result.changed.isEmpty || result.unchangedCount > 0
    throw (isSomethingDone ? ExitStatus.partlyDone : .failed).exitCode
  }

  /// One line a reason where many entries share it.
  private func explain(_ failures: [EditResult.Failure]) {
    var reasons: [String] = []
    for failure in failures where !reasons.contains(failure.message) {
      reasons.append(failure.message)
    }
    for reason in reasons {
      let ids = failures.filter { $0.message == reason }.map(\.entry.id.short)
      let names =
        ids.prefix(4).joined(separator: ", ") + (ids.count > 4 ? " and \(ids.count - 4) more" : "")
      Output.error("\(names): \(TextLayout.singleLine(reason))")
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
          + "`leaflog undo` takes it back.")
    }
    if result.unchangedCount > 0 {
      lines.append("\(Quantities.count(result.unchangedCount, noun)) needed no change.")
    }
    if lines.isEmpty, result.failures.isEmpty { lines.append("No \(noun) matches.") }
    lines.forEach(Output.result)
  }

  /// Shows what would go, and asks.
  func ask(_ question: String, _ going: [Entry], in library: Library) -> Confirmation {
    Confirmation.ask(question, options) { lines(going, $0, in: library) }
  }

  /// Says what would be done, and that nothing was.
  func tellDryRun(_ entries: [Entry], would: String, note: String, in library: Library) {
    if options.json {
      Output.result(
        JSON.line(
          Document(
            items: entries.map(EntryDocument.init), unchanged: nil, failed: nil, isDryRun: true)))
    } else {
      list(entries, in: library)
      Output.result(
        "\(would) \(Quantities.count(entries.count, noun)) \(note). \(Confirmation.hint)")
    }
  }

  private static let listedCount = 10

  private func list(_ entries: [Entry], in library: Library) {
    lines(entries, .output, in: library).forEach(Output.result)
  }

  /// The first few as timeline lines.
  private func lines(_ entries: [Entry], _ terminal: Terminal, in library: Library) -> [String] {
    let rest = entries.count - Self.listedCount
    return TimelineText(terminal: terminal, zone: library.timeZone)
      .lines(Array(entries.prefix(Self.listedCount)))
      + (rest > 0 ? ["  … and \(rest) more"] : [])
  }
}
