internal import Foundation
internal import Glibc

/// Whether something that destroys is to be done.
enum Confirmation {
  case yes, no
  /// Nobody can be asked: say what would be done, and do nothing.
  case dryRun

  /// `--yes` answers; a terminal is asked; anything else is a dry run.
  static func ask(_ question: String, _ options: GlobalOptions) -> Confirmation {
    if options.yes { return .yes }
    guard !options.json, isatty(STDIN_FILENO) == 1, Terminal.error.isTerminal else {
      return .dryRun
    }
    Output.write("\(question) [y/N] ", to: STDERR_FILENO)
    let answer = readLine()?.trimmingCharacters(in: .whitespaces).lowercased()
    return ["y", "yes"].contains(answer) ? .yes : .no
  }

  static let hint = "Nothing was done. --yes does it."
}
