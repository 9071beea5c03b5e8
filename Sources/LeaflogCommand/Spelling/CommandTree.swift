internal import Foundation

/// A command with its subcommands and options, as the parser describes it
/// (`--experimental-dump-help`).
struct CommandTree: Decodable {
  struct Argument: Decodable {
    struct Name: Decodable {
      let kind: String
      let name: String
    }

    /// `option`, `flag` or `positional`.
    let kind: String
    let names: [Name]?

    /// The names as typed: `--library`, `-o`.
    var typed: [String] {
      (names ?? []).map { ($0.kind == "long" ? "--" : "-") + $0.name }
    }
  }

  let commandName: String
  let subcommands: [CommandTree]?
  let defaultSubcommand: String?
  let arguments: [Argument]?

  private struct Document: Decodable { let command: CommandTree }

  /// Decodes a description; nil when it cannot be read, which a test would notice.
  init?(description: String) {
    guard
      let document = try? JSONDecoder().decode(Document.self, from: Data(description.utf8))
    else { return nil }
    self = document.command
  }

  func subcommand(_ name: String) -> CommandTree? {
    subcommands?.first { $0.commandName == name }
  }

  var takesWords: Bool { arguments?.contains { $0.kind == "positional" } ?? false }

  /// The options and flags as typed, including those that the parser adds to every command.
  var options: [String] {
    (arguments ?? []).flatMap(\.typed)
      + [
        "--help", "-h", "--help-hidden", "--version", "--generate-completion-script",
        "--experimental-dump-help",
      ]
  }

  /// Whether this option takes the next word as its value.
  func hasValue(_ option: String) -> Bool {
    arguments?.contains { $0.kind == "option" && $0.typed.contains(option) } ?? false
  }
}
