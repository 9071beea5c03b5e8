import Foundation
import TestSupport
import Testing

/// README.md, which a test compares, or corrects where the environment has `LEAFLOG_RECORD`.
struct Readme {
  /// A command in a block of the console, and what it prints.
  struct Example {
    let command: String
    /// Of its output.
    let range: Range<Int>
  }

  static let isRecorded = ProcessInfo.processInfo.environment["LEAFLOG_RECORD"] != nil

  private static let path = Fixtures.checkout + "/README.md"

  private(set) var lines: [String]

  init() throws {
    lines = try String(contentsOfFile: Self.path, encoding: .utf8).components(separatedBy: "\n")
  }

  /// In order.
  var examples: [Example] {
    var examples: [Example] = []
    var start: (command: String, output: Int)?
    var isConsole = false
    for (number, line) in lines.enumerated() {
      let isCommand = isConsole && line.hasPrefix("$ ")
      if let begun = start, isCommand || line == "```" {
        examples.append(Example(command: begun.command, range: begun.output..<number))
        start = nil
      }
      if isCommand { start = (String(line.dropFirst(2)), number + 1) }
      if line.hasPrefix("```") { isConsole = line == "```console" }
    }
    return examples
  }

  /// The lines of the first block below a heading.
  func block(below heading: String) throws -> Range<Int> {
    let title = try #require(lines.firstIndex(of: heading), "no \(heading)")
    let begin = try #require(lines[title...].firstIndex { $0.hasPrefix("```") }) + 1
    return begin..<(try #require(lines[begin...].firstIndex(of: "```")))
  }

  mutating func replace(_ range: Range<Int>, with new: [String]) {
    lines.replaceSubrange(range, with: new)
  }

  func write() throws {
    try lines.joined(separator: "\n").write(toFile: Self.path, atomically: true, encoding: .utf8)
  }
}
