internal import Foundation

/// An unknown word of a command line, and the one that was probably meant.
///
/// The parser reports such words only when nothing else is wrong: a missing required argument hides an option that does
/// not exist. This looks only at the words, and only once a command has failed.
struct Misspelling {
  /// The message to show.
  let message: String
  /// Whether the parser took the word for an argument of the default subcommand.
  let isTakenForArgument: Bool

  /// Words known from other programs, and their equivalents here.
  private static let synonyms = [
    "ls": "list", "rm": "delete", "remove": "delete", "new": "add", "create": "add",
    "--since": "--from", "--until": "--to", "--after": "--from", "--before": "--to",
    "--start": "--from", "--end": "--to", "--date": "--on", "--day": "--on", "--time": "--at",
    "--notes": "--note", "--comment": "--note", "--count": "--limit", "--out": "--output",
    "--file": "--output", "--tags": "--tag", "--tz": "--time-zone", "--force": "--yes",
  ]

  /// Nil when every word is known or may be a value.
  init?(in arguments: [String], of root: CommandTree) {
    var command = root
    var path = root.commandName
    var options: [String] = []
    var unknownWord: String?
    var isInWords = true
    var skipsNext = false
    func topLevel(_ typed: String) -> String? {
      root.subcommand(typed).map { "\(root.commandName) \($0.commandName)" }
    }
    for word in arguments.prefix(while: { $0 != "--" }) {
      if skipsNext {
        skipsNext = false
      } else if word.hasPrefix("-"), word.count > 1 {
        let name = String(word.prefix { $0 != "=" })
        options.append(name)
        let takers = [command, command.defaultSubcommand.flatMap { command.subcommand($0) }]
        skipsNext = name == word && takers.contains { $0?.hasValue(word) ?? false }
      } else if isInWords, let all = command.subcommands, !all.isEmpty {
        if let next = command.subcommand(word) {
          (command, path) = (next, "\(path) \(next.commandName)")
        } else {
          let fallback = command.defaultSubcommand.flatMap { command.subcommand($0) }
          let names = all.map(\.commandName)
          let meant = Self.meant(word, among: names)
          let mayBeValue = fallback?.takesWords ?? false
          // Ids are hexadecimal digits: `fade` is not a misspelt `add`.
          let isMeant = meant != nil && !(mayBeValue && word.allSatisfy(\.isHexDigit))
          if isMeant || fallback == nil {
            message = Self.noCommand(
              "\(path) \(word)", meant.map { "\(path) \($0)" } ?? topLevel(word), path)
            isTakenForArgument = fallback != nil
            return
          }
          // An option before it may be the real mistake.
          if !mayBeValue { unknownWord = word }
          isInWords = false
        }
      }
    }
    if let name = command.defaultSubcommand, let fallback = command.subcommand(name) {
      command = fallback
    }
    let known = command.options
    let unknown = options.first { option in
      option.hasPrefix("--")
        // Short options may be joined with each other or with their value; a number is a value.
        ? !known.contains(option)
        : option.dropFirst().first?.isLetter ?? false && !known.contains(String(option.prefix(2)))
    }
    guard let unknown else {
      guard let unknownWord else { return nil }
      message = Self.noCommand("\(path) \(unknownWord)", topLevel(unknownWord), path)
      isTakenForArgument = true
      return
    }
    // Verbs such as `undo` are not options; nouns are options of some commands.
    let verb = String(unknown.drop { $0 == "-" })
    let isVerb = root.subcommand(verb)?.subcommands?.isEmpty ?? true
    let meant =
      Self.meant(unknown, among: known.filter { $0.hasPrefix("--") })
      ?? (isVerb ? topLevel(verb).map { "`\($0)`" } : nil)
    message =
      "`\(path)` has no option \(unknown.quoted). "
      + (meant.map { "Did you mean \($0)?" } ?? "See `\(path) --help`.")
    isTakenForArgument = false
  }

  private static func meant(_ word: String, among words: [String]) -> String? {
    let typed = word.lowercased()
    if let known = synonyms[typed], words.contains(known) { return known }
    guard word.hasPrefix("--") else { return word.nearest(in: words) }
    let near = String(typed.dropFirst(2)).nearest(in: words.map { String($0.dropFirst(2)) })
    return near.map { "--\($0)" }
  }

  private static func noCommand(_ typed: String, _ meant: String?, _ parent: String) -> String {
    let remedy =
      meant.map { "Did you mean `\($0)`?" } ?? "See `\(parent) --help`."
    return "There is no `\(TextLayout.truncated(TextLayout.singleLine(typed), to: 60))`. \(remedy)"
  }
}

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

  fileprivate func subcommand(_ name: String) -> CommandTree? {
    subcommands?.first { $0.commandName == name }
  }

  fileprivate var takesWords: Bool { arguments?.contains { $0.kind == "positional" } ?? false }

  /// The options and flags as typed, including those that the parser adds to every command.
  var options: [String] {
    (arguments ?? []).flatMap(\.typed)
      + [
        "--help", "-h", "--help-hidden", "--version", "--generate-completion-script",
        "--experimental-dump-help",
      ]
  }

  /// Whether this option takes the next word as its value.
  fileprivate func hasValue(_ option: String) -> Bool {
    arguments?.contains { $0.kind == "option" && $0.typed.contains(option) } ?? false
  }
}
