package import Fields
internal import Leaflog

/// The answer to the question whether to do something destructive.
package enum Answer {
  case yes, no
  /// Nobody can be asked: report what would be done, and do nothing.
  case dryRun

  /// Returns the answer: `--yes` confirms; on a terminal the user is asked; anything else is a dry run. If the answer
  /// is no, it reports that nothing was done.
  ///
  /// - Parameter shown: lines above the question, laid out for a terminal.
  package static func ask(
    _ question: String, _ context: CommandContext,
    showing shown: (Terminal) -> [String] = { _ in [] }
  ) -> Answer {
    if context.options.yes { return .yes }
    guard canAsk(context) else { return .dryRun }
    shown(context.error.terminal).forEach(context.error.print)
    context.error.write("\(question) [y/N] ")
    let answer = context.process.input.answer()
    if ["y", "yes"].contains(answer?.lowercased()) { return .yes }
    context.error.print("Nothing was done.")
    return .no
  }

  /// Whether there is a user who can answer.
  static func canAsk(_ context: CommandContext) -> Bool {
    !context.options.json && context.process.input.isTerminal && context.error.terminal.isTerminal
  }

  package static let hint = "Nothing was done. Repeat with --yes to do it."

  /// Ends an edit or an entry that nobody could be asked about, once it is reported. A verb whose form without `--yes`
  /// is its preview, such as `prune`, ends as a dry run does, with 0.
  package func checkAnswered() throws {
    if self == .dryRun { throw ExitStatus.unanswered.exitCode }
  }

  /// The reason for a dry run, in JSON.
  var reason: String? { self == .dryRun ? Self.reason : nil }

  /// A dry run for want of an answer.
  package struct DryRun: Shown {
    let reason: String

    package init(reason: String) { self.reason = reason }

    package static let shown = Fields<DryRun>([
      Field(adding: "dryRun", .flag) { _ in true }, Field(adding: "reason", .text) { $0.reason },
    ])
  }

  package static let reason = "Cannot ask for confirmation without a terminal. Repeat with --yes."
}

extension Answer {
  /// Does something that the library may want to have confirmed: asks about each reason for doubt, and tries again with
  /// those that are confirmed.
  ///
  /// - Returns: its result; nil if the answer is no.
  static func confirming<Result>(
    _ context: CommandContext, in library: Library,
    _ body: (Set<Doubt.Confirmation>) throws -> Result
  ) throws -> Result? {
    var confirmed: Set<Doubt.Confirmation> = []
    while true {
      do { return try body(confirmed) } catch let error as LeaflogError
        where error.code == .unconfirmed
      {
        let doubts = error.doubts.map { $0.words(on: library.today) }.joined(separator: " ")
        let answer = ask("\(doubts) Continue anyway?", context)
        if answer == .dryRun {
          context.output.print(
            context.options.json
              ? JSON.line(DryRun(reason: "\(doubts) \(reason)")) : "\(doubts) \(hint)")
        }
        try answer.checkAnswered()
        guard answer == .yes else { return nil }
        confirmed.formUnion(error.doubts.map(\.confirmation))
      }
    }
  }
}

extension Doubt {
  /// One sentence about it, which says how long ago something was.
  fileprivate func words(on today: LocalDay) -> String {
    guard case .late(let time) = self else { return message }
    return "That was \(time.localDay.agoText(on: today))."
  }
}
