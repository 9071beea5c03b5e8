import Foundation
import TestSupport
import Testing

@Suite(.serialized) struct ReadmeExamplesTests {
  /// What is done before an example, and the library that it is shown in where that is another one.
  private struct Preparation {
    var library: String?
    var script = ""
  }

  private static let imported =
    "leaflog init --time-zone UTC --quiet; leaflog import Fixtures/Photos --quiet\n"

  private static let preparations = [
    "leaflog import Fixtures/Photos": Preparation(
      script: "leaflog init --time-zone UTC --quiet"),
    "leaflog import Fixtures/Photos/tomato --json": Preparation(
      library: "tomato", script: "leaflog init --time-zone UTC --quiet"),
    "leaflog today": Preparation(
      library: "today",
      script: imported + """
        leaflog mood set happy --quiet
        leaflog log set --sleep-hours 7.5 --stress 2 --exercise-minutes 30 --exercise-type walk --quiet
        leaflog symptom add headache --severity moderate --medication ibuprofen \
          --note "after the sauna" --quiet
        leaflog activity add "repot the basil" --emoji 🪴 --every 30d --start-from "7 days ago" --quiet
        leaflog activity add "water the monstera" --emoji 💧 --every 7d --quiet
        leaflog activity done "water the monstera" --quiet
        """),
    "leaflog activity list": Preparation(
      script: """
        leaflog activity add "repot the basil" --emoji 🪴 --plant basil --every 30d \
          --start-from "7 days ago" --quiet
        """),
    "leaflog import-diary diary.json": Preparation(
      script: """
        printf '%s\\n' '{' '  "format" : "leaflog-diary",' '  "version" : 1,' '  "entries" : [' \
          '    {' '      "id" : "00000000000000000000000000000001",' '      "kind" : "dailyLog",' \
          '      "occurredAt" : "2026-03-01",' '      "dailyLog" : {' '        "sleepHours" : 7,' \
          '        "sleepQuality" : 4,' '      "stress": 9' '      }' '    }' '  ]' '}' > diary.json
        """),
    "leaflog verify --full": Preparation(
      library: "exact",
      script: "leaflog init --policy exact --time-zone UTC --quiet\n"
        + "leaflog import Fixtures/Photos --quiet"),
    "leaflog recompress --policy compact": Preparation(library: "exact"),
    // As it was before it was changed further up.
    "leaflog show 43ce": Preparation(
      script: """
        leaflog undo 6 --quiet; leaflog undo 7 --quiet
        """),
  ]

  /// Where the examples are run: the libraries, the checkout's fixtures, and what they write.
  private struct Place {
    let folder: TemporaryFolder

    init() throws {
      folder = try TemporaryFolder()
      try FileManager.default.createDirectory(
        atPath: folder.file("here"), withIntermediateDirectories: false)
      try FileManager.default.createSymbolicLink(
        atPath: folder.file("here/Fixtures"), withDestinationPath: Fixtures.folder)
    }

    /// What a shell shows of it.
    func output(of script: String, in library: String = "diary") throws -> [String] {
      var command = Command(library: folder.file(library))
      command.folder = folder.file("here")
      let programs = (Command.executable as NSString).deletingLastPathComponent
      command.environment = [
        "PATH": "\(programs):/usr/bin:/bin", "TZ": "UTC", "LC_ALL": "C.UTF-8",
      ]
      let result = try command.start(
        ["--norc", "-c", "exec 2>&1; \(script)"], program: "/bin/bash"
      ).wait()
      return result.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        .map(String.init)
    }

    /// The first eight characters of the ids of photos.
    func photoIDs() throws -> Set<String> {
      let listing = try output(of: "leaflog timeline --kind photo --limit 1000 --json").joined()
      let page = try JSONSerialization.jsonObject(with: Data(listing.utf8)) as? [String: Any]
      let entries = try #require(page?["entries"] as? [[String: Any]])
      return Set(entries.compactMap { $0["id"] as? String }.map { String($0.prefix(8)) })
    }
  }

  /// Runs all of them in order.
  private func outputs(_ examples: [Readme.Example]) throws -> (
    texts: [[String]], photoIDs: Set<String>
  ) {
    let place = try Place()
    let texts = try examples.map { example in
      let preparation = Self.preparations[example.command] ?? Preparation()
      let library = preparation.library ?? "diary"
      if !preparation.script.isEmpty {
        let said = try place.output(of: preparation.script, in: library)
        #expect(said == [], "before \(example.command)")
      }
      return try place.output(of: example.command, in: library)
    }
    return (texts, try place.photoIDs())
  }

  private func today() -> Date {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar.startOfDay(for: Date())
  }

  @Test func `every example of the README prints what stands there`() throws {
    var readme = try Readme()
    let examples = readme.examples
    #expect(examples.count > 30)
    let commands = Set(examples.map(\.command))
    #expect(commands.isSuperset(of: Self.preparations.keys))
    let day = today()
    var run = try outputs(examples)
    // Once more where midnight came between two of them.
    if today() != day { run = try outputs(examples) }
    let comparison = ExampleText(stableIDs: run.photoIDs)
    #expect(run.photoIDs.count == 13)
    for (example, output) in zip(examples, run.texts).reversed() {
      let expected = Array(readme.lines[example.range])
      if comparison.matches(output, expected: expected) { continue }
      if Readme.isRecorded {
        readme.replace(example.range, with: output)
      } else {
        let difference = comparison.normalised(output).difference(
          from: comparison.normalised(expected))
        Issue.record(
          """
          $ \(example.command)
          \(output.joined(separator: "\n"))
          \(difference)
          With LEAFLOG_RECORD=1 in the environment it is written down anew.
          """)
      }
    }
    if Readme.isRecorded { try readme.write() }
  }

  @Test func `the README's reference has every command with its options, and nothing else`()
    throws
  {
    var readme = try Readme()
    let reference = try Reference()
    #expect(reference.lines.count > 80)
    #expect(reference.lines.allSatisfy { $0.count <= 80 })
    let range = try readme.block(below: "## Reference")
    if Readme.isRecorded {
      readme.replace(range, with: reference.lines)
      try readme.write()
    } else {
      let difference = reference.lines.difference(from: readme.lines[range])
      #expect(difference.isEmpty, "LEAFLOG_RECORD=1 in the environment writes it down anew.")
    }
  }

  @Test func `every option that the README's text names is one`() throws {
    let options = Set(try Reference().lines.flatMap { Self.options(in: $0) })
    var isText = true
    var count = 0
    for line in try Readme().lines {
      if line.hasPrefix("```") { isText.toggle() }
      guard isText, !line.hasPrefix("`swift ") else { continue }
      for code in line.matches(of: /`[^`]+`/) {
        // Programs of others have their own.
        guard !code.output.contains(/\b(?:swift|vips|cjxl|FuzzRunner)\b/) else { continue }
        for option in Self.options(in: String(code.output)) {
          #expect(options.contains(option), "\(line)")
          count += 1
        }
      }
    }
    #expect(count > 50)
  }

  private static func options(in text: String) -> [String] {
    text.matches(of: /(?:^|[^\w-])(--[a-z][a-z-]*)/).map { String($0.output.1) }
  }
}

@Suite struct ExampleTextTests {
  private let text = ExampleText(stableIDs: ["43ce3c3f"])

  private func matches(_ output: String, _ expected: String) -> Bool {
    text.matches(
      output.components(separatedBy: "\n"), expected: expected.components(separatedBy: "\n"))
  }

  @Test func `what differs from run to run is alike, and nothing else`() {
    #expect(matches("basil  1.5 MB  in 0.3 s", "basil 914 KB in 12.5 s"))
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
