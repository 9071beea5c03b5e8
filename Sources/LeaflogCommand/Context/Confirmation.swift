internal import Documents
internal import Fields

/// The answer to the question whether to do something destructive.
enum Confirmation {
  case yes, no
  /// Nobody can be asked: report what would be done, and do nothing.
  case dryRun

  /// Returns the answer: `--yes` confirms; on a terminal the user is asked; anything else is a dry run. If the answer
  /// is no, it reports that nothing was done.
  ///
  /// - Parameter shown: lines above the question, laid out for a terminal.
  static func ask(
    _ question: String, _ context: CommandContext,
    showing shown: (Terminal) -> [String] = { _ in [] }
  ) -> Confirmation {
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

  static let hint = "Nothing was done. Repeat with --yes to do it."

  /// Ends an edit or an entry that nobody could be asked about, once it is reported. A verb whose form without `--yes`
  /// is its preview, such as `prune`, ends as a dry run does, with 0.
  func checkAnswered() throws {
    if self == .dryRun { throw ExitStatus.unanswered.exitCode }
  }

  /// The reason for a dry run, in JSON.
  var reason: String? { self == .dryRun ? Self.reason : nil }

  /// A dry run for want of an answer.
  struct DryRun: Shown {
    let reason: String

    static let shown = Fields<DryRun>([
      Field(adding: "dryRun", .flag) { _ in true }, Field(adding: "reason", .text) { $0.reason },
    ])
  }

  static let reason = "Cannot ask for confirmation without a terminal. Repeat with --yes."
}
