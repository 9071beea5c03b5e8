import Foundation
import TestSupport
import Testing

/// The examples, the synopsis, the options and the links of the manual are true.
@Suite(.serialized) struct ManualTests {
  /// Runs the examples of a document in order.
  private func outputs(_ document: ManualDocument, importedIn imported: ManualPlace) throws
    -> [[String]]
  {
    let place: ManualPlace
    if let beginning = ManualPreparation.beginnings[document.name] {
      place = try ManualPlace()
      #expect(try place.output(of: beginning) == [], "before \(document.path)")
    } else {
      place = try ManualPlace(copying: imported)
    }
    return try document.examples.map { example in
      let preparation =
        ManualPreparation.all[document.name]?[example.command] ?? ManualPreparation()
      let library = preparation.library ?? "diary"
      if !preparation.script.isEmpty {
        let said = try place.output(of: preparation.script, in: library)
        #expect(said == [], "before \(example.command)")
      }
      return try place.output(of: example.command, in: library)
    }
  }

  private func today() -> Date {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar.startOfDay(for: Date())
  }

  @Test func `every example of the manual prints the output that is shown`() throws {
    let imported = try ManualPlace()
    #expect(try imported.output(of: ManualPreparation.imported) == [])
    let comparison = ExampleText(stableIDs: try imported.photoIDs())
    #expect(comparison.stableIDs.count == 13)
    var count = 0
    for var document in try ManualDocument.all() where !document.examples.isEmpty {
      let examples = document.examples
      count += examples.count
      let day = today()
      var outputs = try outputs(document, importedIn: imported)
      // Once more where midnight came between two of them.
      if today() != day { outputs = try self.outputs(document, importedIn: imported) }
      var isChanged = false
      for (example, output) in zip(examples, outputs).reversed() {
        let expected = Array(document.lines[example.range])
        if comparison.matches(output, expected: expected) { continue }
        if ManualDocument.isRecorded {
          document.replace(example.range, with: output)
          isChanged = true
        } else {
          let difference = comparison.normalised(output).difference(
            from: comparison.normalised(expected))
          Issue.record(
            """
            \(document.path): $ \(example.command)
            \(output.joined(separator: "\n"))
            \(difference)
            With LEAFLOG_RECORD=1 in the environment it is written down anew.
            """)
        }
      }
      if isChanged { try document.write() }
    }
    #expect(count > 50)
  }

  @Test func `each preparation belongs to an example`() throws {
    let documents = try ManualDocument.all()
    let examples = documents.map { (name: $0.name, commands: Set($0.examples.map(\.command))) }
    for (name, preparations) in ManualPreparation.all {
      for command in preparations.keys {
        #expect(
          examples.contains { $0.name == name && $0.commands.contains(command) },
          "\(name): \(command)")
      }
    }
    for name in ManualPreparation.beginnings.keys {
      #expect(examples.contains { $0.name == name && !$0.commands.isEmpty }, "\(name)")
    }
  }

  @Test func `the synopsis has every command with its options, and nothing else`() throws {
    var document = try ManualDocument.article("Commands")
    let reference = try Reference()
    #expect(reference.lines.count > 80)
    #expect(reference.lines.allSatisfy { $0.count <= 80 })
    let range = try document.block(below: "## Synopsis")
    if ManualDocument.isRecorded {
      document.replace(range, with: reference.lines)
      try document.write()
    } else {
      let difference = reference.lines.difference(from: document.lines[range])
      #expect(difference.isEmpty, "LEAFLOG_RECORD=1 in the environment writes it down anew.")
    }
  }

  @Test func `every option that a text names is one`() throws {
    let options = Set(try Reference().lines.flatMap { Self.options(in: $0) })
    var count = 0
    for document in try ManualDocument.all() {
      for (number, line) in document.prose {
        for code in line.matches(of: /`[^`]+`/) {
          // Programs of others have their own.
          guard !code.output.contains(/\b(?:swift|docc|vips|cjxl|systemctl|FuzzRunner)\b/) else {
            continue
          }
          for option in Self.options(in: String(code.output)) {
            #expect(options.contains(option), "\(document.path), line \(number): \(line)")
            count += 1
          }
        }
      }
    }
    #expect(count > 100)
  }

  private static func options(in text: String) -> [String] {
    text.matches(of: /(?:^|[^\w-])(--[a-z][a-z-]*)/).map { String($0.output.1) }
  }

  @Test func `every link leads to something`() throws {
    let articles = try ManualDocument.articles()
    let titles = Set(articles.map { String($0.name.dropLast(".md".count)) })
    var count = 0
    for document in try ManualDocument.all() {
      let folder = (document.path as NSString).deletingLastPathComponent
      let headings = Set(document.lines.filter { $0.hasPrefix("#") }.map(Self.anchor))
      for (number, line) in document.prose {
        let articleLinks = line.matches(of: /<doc:([^>]+)>/).map { String($0.output.1) }
        for title in articleLinks {
          #expect(titles.contains(title), "\(document.path), line \(number): \(title)")
        }
        let links = line.matches(of: /\]\(([^)]+)\)/).map { String($0.output.1) }
        for link in links where !link.hasPrefix("https://") {
          let leads =
            link.hasPrefix("#")
            ? headings.contains(String(link.dropFirst()))
            : FileManager.default.fileExists(
              atPath: [Fixtures.checkout, folder, link].joined(separator: "/"))
          #expect(leads, "\(document.path), line \(number): \(link)")
        }
        count += articleLinks.count + links.count
      }
    }
    #expect(count > 40)
  }

  /// The anchor that a heading has on a page.
  private static func anchor(_ heading: String) -> String {
    heading.drop { $0 == "#" || $0 == " " }.lowercased().replacing(" ", with: "-")
      .filter { $0.isLetter || $0.isNumber || $0 == "-" }
  }

  @Test func `every article has a place on the landing page`() throws {
    let landing = try ManualDocument.article("Leaflog").lines.joined(separator: "\n")
    for article in try ManualDocument.articles() where article.name != "Leaflog.md" {
      #expect(
        landing.contains("- <doc:\(article.name.dropLast(".md".count))>\n"), "\(article.name)")
    }
  }

  @Test func `the README is read in ten minutes`() throws {
    #expect(try ManualDocument("README.md").lines.count <= 250)
  }
}

@Suite struct ExampleTextTests {
  private let text = ExampleText(stableIDs: ["43ce3c3f"])

  private func matches(_ output: String, _ expected: String) -> Bool {
    text.matches(
      output.components(separatedBy: "\n"), expected: expected.components(separatedBy: "\n"))
  }

  @Test func `parts that differ from run to run are normalised, and nothing else`() {
    #expect(matches("basil  1.5 MB  in 0.3 s", "basil 914 KB in 12.5 s"))
    #expect(matches("all in 1:05 (0.0 s)", "all in 0.3 s (2:32)"))
    #expect(!matches("all in 3 days", "all in 4 days"))
    #expect(matches("Id  303096605566b34ce3ba552a97666aee", "Id 103096605566b34ce3ba552a97666aee"))
    #expect(!matches("x 43ce3c3f", "x 43ce3c30"))
    #expect(matches("508 days ago", "9 days ago") && !matches("day 47", "day 48"))
    #expect(!matches("2025-07-05 Saturday", "2025-07-06 Sunday"))
    #expect(matches("2027-07-05 Monday\n 12:51 a", "2026-11-21 Saturday\n 09:30 a"))
    #expect(!matches("2025-07-05 Saturday\n 12:51 a", "2025-07-05 Saturday\n 09:30 a"))
    #expect(matches("3  2027-07-05 12:51  a", "3  2026-11-21 09:30  a"))
    #expect(!matches("3  2025-07-05 12:51  a", "3  2025-07-05 09:30  a"))
    #expect(matches("Quote  a\n    b\nMood c", "Quote  d\nMood c"))
  }

  @Test func `an ellipsis stands for any text, or for lines`() {
    #expect(matches("a long text", "a …text") && !matches("a long text", "a …word"))
    #expect(matches("1\n2\n3", "3\n…\n1") && !matches("1\n2", "1\n…\n3"))
    #expect(!matches("1", "1\n…\n1"))
  }
}
