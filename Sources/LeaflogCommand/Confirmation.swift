internal import Foundation
internal import Glibc

/// Whether something that destroys is to be done.
enum Confirmation {
  case yes, no
  /// Nobody can be asked: say what would be done, and do nothing.
  case dryRun

  /// `--yes` answers; a terminal is shown what is meant and asked; anything else is a dry run. Whoever
  /// says no is told that nothing was done.
  ///
  /// - Parameter shown: lines above the question, as a terminal is to have them.
  static func ask(
    _ question: String, _ options: GlobalOptions,
    showing shown: (Terminal) -> [String] = { _ in [] }
  ) -> Confirmation {
    if options.yes { return .yes }
    guard canAsk(options) else { return .dryRun }
    shown(.error).forEach(Output.error)
    Output.write("\(question) [y/N] ", to: STDERR_FILENO)
    let answer = readLine()?.trimmingCharacters(in: .whitespaces).lowercased()
    if ["y", "yes"].contains(answer) { return .yes }
    Output.error("Nothing was done.")
    return .no
  }

  /// Whether somebody is there who can answer.
  static func canAsk(_ options: GlobalOptions) -> Bool {
    !options.json && isatty(STDIN_FILENO) == 1 && Terminal.error.isTerminal
  }

  static let hint = "Nothing was done. --yes does it."

  /// Why a dry run is one, in JSON.
  var reason: String? { self == .dryRun ? Self.reason : nil }

  static let reason = "Nobody could be asked. --yes does it."
}
