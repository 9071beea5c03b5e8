import ArgumentParser
internal import Foundation
internal import Leaflog

/// Reports how entries were changed.
struct EditReport {
  private let context: CommandContext
  /// The noun for one of the entries.
  private let noun: String

  /// Whether to list all entries.
  private let isVerbose: Bool

  init(_ context: CommandContext, noun: String = "photo", isVerbose: Bool = false) {
    self.context = context
    self.noun = noun
    self.isVerbose = isVerbose
  }

  /// - Parameters:
  ///   - done: the verb of the summary, e.g. `Moved`.
  ///   - note: the words after the number of entries.
  func report(
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
  func reportUnanswered(
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

  private func list(_ entries: [Entry], in library: Library) {
    lines(entries, context.output.terminal, in: library).forEach(context.output.print)
  }

  private func lines(_ entries: [Entry], _ terminal: Terminal, in library: Library) -> [String] {
    EntryListing(terminal: terminal, zone: library.timeZone, isWhole: isVerbose).lines(entries)
  }
}

/// Entries that a command changes, as text: each of a few as a line of the timeline, or the numbers by plant and month
/// of many.
struct EntryListing {
  let terminal: Terminal
  let zone: TimeZone
  /// Whether to list all of them, however many.
  let isWhole: Bool

  private static let listedCount = 10

  func lines(_ entries: [Entry]) -> [String] {
    guard entries.count > Self.listedCount, !isWhole else {
      return TimelineText(terminal: terminal, zone: zone).lines(entries)
    }
    var counts: [String: [String: Int]] = [:]
    for entry in entries {
      let month = BucketUnit.month.bucketName(of: entry.time.localDay)
      counts[entry.plant?.name ?? entry.kind.words, default: [:]][month, default: 0] += 1
    }
    return counts.sorted { $0.key < $1.key }.flatMap { name, counts in
      let months = counts.map { Bucket(name: $0.key, count: $0.value) }.sorted { $0.name < $1.name }
      let count = counts.values.reduce(0, +)
      let head = terminal.styled(TextLayout.singleLine(name), .green) + "  \(count)"
      return [head] + months.linesByYear.map { "  " + $0 }
    } + ["--verbose lists them one by one."]
  }
}

/// The option for long listings.
struct VerbosityOption: ParsableArguments {
  @Flag(help: "List all photos, however many.")
  var verbose = false
}
