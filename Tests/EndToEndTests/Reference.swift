import Foundation
import TestSupport
import Testing

/// The commands with their arguments, as the command itself tells them, in lines for the manual.
struct Reference {
  /// The output of `--experimental-dump-help`, as far as it is used here.
  private struct Dump: Decodable { let command: Node }

  private struct Node: Decodable {
    let commandName: String
    let shouldDisplay: Bool
    let defaultSubcommand: String?
    let arguments: [Argument]?
    let subcommands: [Node]?
  }

  private struct Argument: Decodable, Hashable {
    struct Name: Decodable, Hashable {
      let kind: String
      let name: String

      var text: String { (kind == "short" ? "-" : "--") + name }
    }

    let kind: String
    let isOptional: Bool
    let isRepeating: Bool
    let shouldDisplay: Bool
    let valueName: String?
    let allValues: [String]?
    let names: [Name]?

    /// `[--by day|week]`
    var text: String {
      let choice = allValues?.joined(separator: "|")
      // More than a line holds stands in the command's help.
      let value = choice.flatMap { $0.count <= 70 ? $0 : nil } ?? (valueName ?? "").uppercased()
      let name = Set((names ?? []).map(\.text)).sorted().joined(separator: "|")
      let words =
        switch kind {
        case "flag": name
        case "option": name + " " + value
        default: value
        }
      return (isOptional ? "[\(words)]" : words) + (isRepeating ? "..." : "")
    }
  }

  /// A line a command, or more for a long one, of at most 80 columns.
  let lines: [String]

  init() throws {
    let result = try Command(library: nil)("--experimental-dump-help")
    try #require(result.status == 0, "\(result.error)")
    let dump = try JSONDecoder().decode(Dump.self, from: Data(result.output.utf8))
    let verbs = Self.verbs(dump.command).filter { $0.words != ["help"] }
    let shared = verbs.dropFirst().reduce(Set(verbs.first?.arguments ?? [])) {
      $0.intersection($1.arguments)
    }
    let everywhere = verbs.first?.arguments.filter(shared.contains).map(\.text) ?? []
    lines =
      Self.wrapped(["leaflog COMMAND"] + everywhere)
      + verbs.flatMap { verb in
        Self.wrapped(
          [verb.words.joined(separator: " ")]
            + verb.arguments.filter { $0.shouldDisplay && !shared.contains($0) }.map(\.text))
      }
  }

  private static func verbs(
    _ node: Node, _ words: [String] = []
  ) -> [(words: [String], arguments: [Argument])] {
    let children = (node.subcommands ?? []).filter(\.shouldDisplay)
    let arguments = node.arguments ?? []
    // A group that only groups has the parser's own options alone.
    let isVerb = children.isEmpty || arguments.contains { $0.kind == "option" }
    return (isVerb ? [(words, arguments)] : [])
      + children.flatMap { child in
        let isDefault = child.commandName == node.defaultSubcommand
        return verbs(child, words + [isDefault ? "[\(child.commandName)]" : child.commandName])
      }
  }

  private static func wrapped(_ parts: [String]) -> [String] {
    var lines = [parts.first ?? ""]
    for part in parts.dropFirst() {
      if lines[lines.count - 1].count + 1 + part.count <= 80 {
        lines[lines.count - 1] += " " + part
      } else {
        lines.append("    " + part)
      }
    }
    return lines
  }
}
