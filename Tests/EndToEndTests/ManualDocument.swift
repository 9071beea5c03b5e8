import Foundation
import TestSupport
import Testing

/// A text of the manual: README.md, an article of the documentation catalog, or another README. A test
/// compares its examples, or corrects them where the environment has `LEAFLOG_RECORD`.
struct ManualDocument {
  /// A command in a block of the console, and its output.
  struct Example {
    let command: String
    /// The lines of its output.
    let range: Range<Int>
  }

  static let isRecorded = ProcessInfo.processInfo.environment["LEAFLOG_RECORD"] != nil

  private static let catalog = "Sources/Leaflog/Leaflog.docc"

  /// All texts that people read, the README first.
  static func all() throws -> [ManualDocument] {
    try ["README.md", "Storage/README.md", "Tests/README.md"].map { try ManualDocument($0) }
      + articles()
  }

  /// The articles of the documentation catalog, by name.
  static func articles() throws -> [ManualDocument] {
    try FileManager.default.contentsOfDirectory(atPath: Fixtures.checkout + "/" + catalog).sorted()
      .filter { $0.hasSuffix(".md") }.map { try ManualDocument("\(catalog)/\($0)") }
  }

  static func article(_ name: String) throws -> ManualDocument {
    try ManualDocument("\(catalog)/\(name).md")
  }

  /// Below the checkout.
  let path: String
  private(set) var lines: [String]

  init(_ path: String) throws {
    self.path = path
    lines = try String(contentsOfFile: Fixtures.checkout + "/" + path, encoding: .utf8)
      .components(separatedBy: "\n")
  }

  /// The file's name.
  var name: String { (path as NSString).lastPathComponent }

  /// The examples in order.
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

  /// The lines outside of code blocks, with their numbers.
  var prose: [(number: Int, line: String)] {
    var isText = true
    return zip(1..., lines).filter { _, line in
      if line.hasPrefix("```") { isText.toggle() }
      return isText
    }
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
    try lines.joined(separator: "\n").write(
      toFile: Fixtures.checkout + "/" + path, atomically: true, encoding: .utf8)
  }
}
