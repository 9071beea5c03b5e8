/// The answer to a question whether something that destroys is to be done.
enum Confirmation {
  case yes, no
  /// Nobody can be asked: say what would be done, and do nothing.
  case dryRun

  /// `--yes` answers; a terminal is shown what is meant and asked; anything else is a dry run. Whoever
  /// says no is told that nothing was done.
  ///
  /// - Parameter shown: lines above the question, as a terminal is to have them.
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

  /// Whether somebody is there who can answer.
  static func canAsk(_ context: CommandContext) -> Bool {
    !context.options.json && context.process.input.isTerminal && context.error.terminal.isTerminal
  }

  static let hint = "Nothing was done. --yes does it."

  /// Why a dry run is one, in JSON.
  var reason: String? { self == .dryRun ? Self.reason : nil }

  static let reason = "There is no terminal to ask on. Repeat it with --yes."
}
