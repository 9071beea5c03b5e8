import Foundation
import Language
import Leaflog
import Pages
import TestSupport
import Testing

/// The catalogs of words.
@Suite struct WordsTests {
  private static func catalog(_ language: String) throws -> [String: String] {
    let path = Fixtures.checkout + "/Sources/Language/Words/\(language).json"
    return try JSONDecoder().decode(
      [String: String].self, from: Data(contentsOf: URL(filePath: path)))
  }

  /// The texts of all files of a folder.
  private static func texts(in folder: String, endingIn ending: String) throws -> [String] {
    let folder = Fixtures.checkout + "/Sources/" + folder
    return try FileManager.default.subpathsOfDirectory(atPath: folder)
      .filter { $0.hasSuffix(ending) }
      .map { try String(contentsOf: URL(filePath: "\(folder)/\($0)"), encoding: .utf8) }
  }

  @Test(arguments: Words.languages)
  func `every word of templates and screens is in the catalog`(language: String) throws {
    let catalog = try Self.catalog(language)
    var (scriptWords, places, icons) = (0, 0, 0)
    for template in try Self.texts(in: "Pages/Templates", endingIn: ".mustache") {
      for match in template.matches(of: /\{\{words\.(\w+)\}\}/) {
        #expect(catalog[String(match.1)] != nil, "\(match.1)")
      }
    }
    for source in try Self.texts(in: "Pages", endingIn: ".swift") {
      for match in source.matches(of: /words(?:\.text\(\s*|\[)"([\w.]+)"/) {
        #expect(catalog[String(match.1)] != nil, "\(match.1)")
      }
      for match in source.matches(of: /\("data-[\w-]+", "([\w.]+)"\)/) {
        scriptWords += 1
        #expect(catalog[String(match.1)] != nil, "\(match.1)")
      }
      for match in source.matches(of: /(?:place|choice)\("[^"]*", "([\w-]+)", "([\w.]+)"/) {
        places += 1
        #expect(PageRenderer.icons.contains(String(match.1)), "\(match.1)")
        #expect(catalog[String(match.2)] != nil, "\(match.2)")
      }
      for match in source.matches(of: /HTML\.icon\("([\w-]+)"\)/) {
        icons += 1
        #expect(PageRenderer.icons.contains(String(match.1)), "\(match.1)")
      }
      for match in source.matches(of: /(?:\.count|\.plural)\(\s*"([\w.]+)"/) {
        #expect(catalog["\(match.1).other"] != nil, "\(match.1)")
      }
    }
    // As they are written now; otherwise nothing would be checked.
    #expect(scriptWords > 30 && places > 9 && icons > 5)
  }

  @Test func `every tag of a template is a section, a partial or a value`() throws {
    for template in try Self.texts(in: "Pages/Templates", endingIn: ".mustache") {
      for match in template.matches(of: /\{\{[^}]*\}\}/) {
        let isKnown = match.output.wholeMatch(of: /\{\{([#^\/]?[\w.]+|>\s*[\w-]+)\}\}/) != nil
        #expect(isKnown, "\(match.output)")
      }
    }
  }

  @Test func `every partial that a template names is a template or an icon`() throws {
    let folder = Fixtures.checkout + "/Sources/Pages/Templates"
    let files = try FileManager.default.contentsOfDirectory(atPath: folder)
    let partials = Set(
      files.map { $0.replacing(".mustache", with: "") } + PageRenderer.icons.map { "icon-" + $0 })
    for template in try Self.texts(in: "Pages/Templates", endingIn: ".mustache") {
      for match in template.matches(of: /\{\{>\s*([^\s}]+)\s*\}\}/) {
        #expect(partials.contains(String(match.1)), "\(match.1)")
      }
    }
  }

  @Test func `every case that is told has its word`() throws {
    let words = Set(try Self.catalog("en").keys)
    let cases: [(String, [String])] = [
      ("mood", Mood.allCases.map(\.rawValue)), ("kind", EntryKind.allCases.map(\.rawValue)),
      ("source", CaptureSource.allCases.map(\.rawValue)),
      ("warning", ImportWarning.allCases.map(\.rawValue)),
      ("type", Episode.Illness.allCases.map(\.rawValue)),
      ("sign", Episode.Sign.allCases.map(\.rawValue)),
      ("symptoms", Episode.Sign.allCases.map(\.rawValue)),
      ("mucus", Episode.Mucus.allCases.map(\.rawValue)),
      ("worstTime", Episode.WorstTime.allCases.map(\.rawValue)),
      ("exerciseType", DailyLog.ExerciseType.allCases.map(\.rawValue)),
      ("sugar", DailyLog.SugarIntake.allCases.map(\.rawValue)),
      ("alcohol", DailyLog.Alcohol.allCases.map(\.rawValue)),
      ("change", ChangeKind.allCases.map(\.rawValue)),
      ("theme", Appearance.Theme.allCases.map(\.rawValue)),
      ("accent", Appearance.Accent.allCases.map(\.rawValue)),
      ("refusal", LeaflogError.Code.allCases.map(\.rawValue)),
      ("refusal", try Self.codesOfService()),
      ("failure", FailureReason.allCases.map(\.rawValue)),
    ]
    for (prefix, names) in cases {
      for name in names { #expect(words.contains("\(prefix).\(name)"), "\(prefix).\(name)") }
    }
  }

  /// The codes of problems that only the service has.
  private static func codesOfService() throws -> [String] {
    let source = try #require(
      try texts(in: "LeaflogServer", endingIn: "Problem.swift").first)
    let code = try #require(source.firstMatch(of: /enum Code: String {([^}]+)}/)).1
    let cases = code.matches(of: /case ([\w, ]+)/).flatMap { $0.1.split(separator: ", ") }
    try #require(cases.count > 5)
    return cases.map(String.init)
  }

  @Test func `both catalogs have the same keys and parameters`() throws {
    let (english, german) = (try Self.catalog("en"), try Self.catalog("de"))
    #expect(Set(english.keys).symmetricDifference(german.keys).isEmpty)
    for (key, text) in english {
      func parameters(_ text: String) -> Set<Substring> {
        Set(text.matches(of: /\{\w+\}/).map(\.output))
      }
      let other = german[key] ?? ""
      // “1” may be said without its number.
      let implied: Set<Substring> = key.hasSuffix(".one") ? ["{count}"] : []
      let missing = parameters(text).symmetricDifference(parameters(other)).subtracting(implied)
      #expect(missing.isEmpty, "\(key)")
    }
  }

  @Test(arguments: Words.languages)
  func `a count has a form for one and one for more`(language: String) throws {
    let catalog = try Self.catalog(language)
    // The number 1 does not stand after such a word: it is “Last day”, not “Last 1 day”.
    let leading = /\b(?i:last|its|letzte\w*|ihre\w*|die|das|de[mnrs]) \{count\}|\{count\} weitere/
    for (key, text) in catalog where key.hasSuffix(".one") || text.contains("{count}") {
      guard let stem = key.wholeMatch(of: /(.+)\.(?:one|other)/)?.1 else { continue }
      let (one, other) = (catalog["\(stem).one"], catalog["\(stem).other"])
      #expect(one != nil && other?.contains("{count}") == true, "\(key)")
      #expect(one?.contains(leading) != true, "\(key)")
    }
  }

  @Test(arguments: Words.languages)
  func `a name stands in quotation marks, or apart`(language: String) throws {
    let name = /\{(?:name|plant|what|text)\}/
    let quoted = language == "de" ? /„\{\w+\}“/ : /“\{\w+\}”/
    let apart = /^\{\w+\}(?:: |, | · )|: \{\w+\}$/
    // None of them fits “Kaktus”, “Monstera”, “Veilchen” and “Farne” alike.
    let articles: Set = [
      "der", "die", "das", "den", "dem", "des", "ein", "eine", "einen", "einem", "einer", "zum",
      "zur", "vom", "beim", "im",
    ]
    var count = 0
    // The name of a diary's owner needs no quotation marks.
    for (key, text) in try Self.catalog(language) where key != "libraryOf" && text.contains(name) {
      count += 1
      let rest = text.replacing(quoted, with: "").replacing(apart, with: "")
      #expect(!rest.contains(name), "\(key): \(text)")
      for match in text.matches(of: /(\w+) [„“]?\{(?:name|plant|what|text)\}/) {
        #expect(!articles.contains(match.1.lowercased()), "\(key): \(text)")
      }
    }
    // As they are written now; otherwise nothing would be checked.
    #expect(count > 20)
  }

  @Test func `German words for another thing agree with its gender`() throws {
    let catalog = try Self.catalog("de")
    for (thing, forms) in [
      ("activity", "Eine andere diese"), ("factor", "Ein anderes dieses"),
      ("plant", "Eine andere diese"),
    ] {
      let text = try #require(catalog["blocker.nameTaken.\(thing)"])
      let match = try #require(
        text.firstMatch(of: /(Eine?) (andere[rs]?) .* zuerst (\w+) um\./), "\(text)")
      #expect("\(match.1) \(match.2) \(match.3)" == forms)
    }
  }

  @Test func `German imperatives end in e`() throws {
    let short = /\b(?i:fang|frag|lass|mach|prüf|schaff|schick|tipp|versuch|zieh)\b/
    for (key, text) in try Self.catalog("de") {
      #expect(!text.contains(short), "\(key): \(text)")
    }
  }
}
