import DiaryModel
import Foundation
import Language
import Reports
import Testing

/// The structure of a report for screen readers, and its languages.
@Suite(.enabled(if: Poppler.isInstalled, "poppler-utils is not installed"))
struct StructureTests {
  private func report(
    _ insights: Insights, _ entries: [Entry] = [], in language: String
  ) throws -> PDFDocument {
    try DoctorReport(
      insights, symptomEntries: entries, personName: "Ana Núñez", libraryName: "diary", zone: .gmt,
      made: SampleYear.made, wording: try #require(ReportWording(language))
    ).pdf()
  }

  /// The document element of a report of the sample year with 400 symptom entries.
  private func document(in language: String) throws -> StructureElement {
    let made = try report(
      SampleYear.insights(), SampleYear.symptomEntries(count: 400), in: language)
    let structure = try Poppler(made.bytes).structure()
    try #require(structure.map(\.tag) == ["Document"])
    return structure[0]
  }

  private static let headings = [
    "en": [
      "Overview", "Episodes over time", "Symptoms in episodes", "Symptoms that were logged",
      "Severity by week", "Daily logs", "Before each episode", "Own fields of the log",
      "Moods by week", "Episodes", "Symptom entries",
    ],
    "de": [
      "Überblick", "Krankheiten im Verlauf", "Beschwerden bei Krankheiten",
      "Eingetragene Beschwerden", "Stärke pro Woche", "Tagesprotokolle", "Vor jeder Krankheit",
      "Eigene Felder des Protokolls", "Stimmungen pro Woche", "Krankheiten",
      "Beschwerden im Einzelnen",
    ],
  ]

  @Test(arguments: ["en", "de"])
  func `headings are tagged in their order, and the running title and the footer are not`(
    language: String
  ) throws {
    let document = try document(in: language)
    let titles = document.all("H1").map(\.text)
    #expect(titles == [language == "de" ? "Gesundheitsübersicht" : "Health summary"])
    #expect(document.all("H2").map(\.text) == Self.headings[language])
    #expect(document.all("H3").map(\.text) == [language == "de" ? "Zucker" : "Sugar"])
    #expect(!document.text.contains(language == "de" ? "Seite 2 von" : "Page 2 of"))
    #expect(!document.text.contains(" · Ana Núñez"))
  }

  @Test(arguments: ["en", "de"])
  func `each row of each table is tagged once, in order, over all its pages`(
    language: String
  ) throws {
    let wording = try #require(ReportWording(language))
    let insights = SampleYear.insights()
    let tables = try document(in: language).all("Table").map(\.rows)
    let entries = try #require(tables.last)
    let days = (0..<400).map { number in
      wording.shortDay(SampleYear.first.advanced(by: number / 2))
        + (number % 2 == 0 ? " 09:30" : " 17:30")
    }
    #expect(entries.dropFirst().map { $0[0] } == days)
    #expect(
      entries[8] == [
        days[7], "symptom7", wording.text(for: try Severity(2.5)), "note7", "ibuprofen7", "tag7",
      ])
    #expect(entries.allSatisfy { $0.count == 6 })
    #expect(tables.map { $0[0].count } == [2, 4, 7, 3, 4, 5, 6])
    let before = tables[2].dropFirst().map(\.count)
    #expect(before == Array(repeating: 7, count: 2 + insights.episodes.count))
    // A row for each episode, and below it one for each detail.
    let episodes = tables[5].dropFirst()
    #expect(
      episodes.filter { $0.count == 5 }.map { $0[1] }
        == insights.episodes.map { wording.shortDay($0.days.first) })
    #expect(episodes.allSatisfy { [2, 5].contains($0.count) })
    let note = episodes.first { $0.last?.hasPrefix("Sentence 1 ") ?? false }
    #expect(note == [wording["notes"], SampleYear.longNote])
  }

  @Test func `a cell that continues on other pages is complete`() throws {
    let notes = [String(repeating: "donaudampfschiff", count: 400), SampleYear.longNote]
    let entries = try SampleYear.symptomEntries(count: 8) { notes[$0 % 2] }
    let structure = try Poppler(report(SampleYear.nothing, entries, in: "en").bytes).structure()
    let rows = try #require(structure.first?.all("Table").last).rows.dropFirst()
    // On each further page it is in a row without a time.
    var read: [String] = []
    for row in rows {
      #expect(row.count == 6)
      if row[0].isEmpty { read[read.count - 1] += row[3] } else { read.append(row[3]) }
    }
    func letters(_ text: String) -> String { text.filter(\.isLetter) }
    #expect(read.map(letters) == (0..<8).map { letters(notes[$0 % 2]) })
  }

  @Test func `text in several scripts is complete in its element`() throws {
    for (script, note) in SampleYear.scripts where !["emoji", "hindi"].contains(script) {
      let insights = SampleYear.nothing.with(notes: note)
      let made = try report(insights, in: "en")
      guard made.missingGlyphCount == 0 else { continue }
      let structure = try Poppler(made.bytes).structure()
      let texts = structure[0].all("Table").flatMap(\.rows).compactMap(\.last)
      #expect(texts.contains(note.precomposedStringWithCompatibilityMapping), "\(script)")
    }
    // Poppler is told nothing of the texts that stand for pictures here; what is beside them is there.
    let insights = SampleYear.nothing.with(notes: "before 🌱 between 🤧 after")
    let structure = try Poppler(report(insights, in: "en").bytes).structure()
    #expect(structure[0].text.contains("before . between . after"))
  }

  @Test(arguments: ["en", "de"])
  func `a chart's content in words is a paragraph`(language: String) throws {
    let wording = try #require(ReportWording(language))
    let insights = SampleYear.insights()
    let paragraphs = try document(in: language).all("P").map(\.text)
    let charts: [any Chart] = [
      insights.episodeTimeline(in: wording), insights.episodeSymptomChart(in: wording),
      insights.loggedSymptomChart(in: wording), insights.severityChart(in: wording),
    ]
    for chart in charts { #expect(paragraphs.contains(chart.summary), "\(chart.title)") }
  }

  @Test(arguments: [("en", "en"), ("de", "de"), ("de-AT", "de-AT")])
  func `the file names its language, and its title is to be shown`(
    language: String, tag: String
  ) throws {
    let made = try report(SampleYear.insights(), in: language)
    let info = try Poppler(made.bytes).info()
    #expect(info["Tagged"] == "yes")
    let end = String(decoding: made.bytes.suffix(600), as: UTF8.self)
    #expect(end.contains("/Lang (\(tag))\n"))
    #expect(end.contains("/DisplayDocTitle true"))
    #expect(end.contains("/StructTreeRoot") && end.hasSuffix("%%EOF\n"))
    // The cross-reference table is where the file says, and its entry leads to the catalog.
    let start = try #require(end.firstMatch(of: /startxref\n(\d+)\n%%EOF\n$/)?.1)
    let table = String(
      decoding: made.bytes.dropFirst(try #require(Int(start))), as: UTF8.self)
    let entry = try #require(table.prefixMatch(of: /xref\n(\d+) 1\n(\d{10}) 00000 n \n/))
    let catalog = String(
      decoding: made.bytes.dropFirst(try #require(Int(entry.2))).prefix(60), as: UTF8.self)
    #expect(catalog.hasPrefix("\(entry.1) 0 obj\n<< /Type /Catalog"))
  }

  @Test func `a German report has no English word, and German days and numbers`() throws {
    let made = try report(
      SampleYear.insights(), SampleYear.symptomEntries(count: 20), in: "de")
    let text = try Poppler(made.bytes).pages().joined(separator: "\n").unwrapped
    let german = try #require(Words.of("de")).texts
    for (key, english) in Words.standard.texts
    where key.hasPrefix("report.") && english != german[key] && !english.contains("{") {
      let words = english.trimmingCharacters(in: .punctuationCharacters)
      let pattern = try Regex("(?i)\\b\(NSRegularExpression.escapedPattern(for: words))\\b")
      // “symptom 1” and the like are names of the sample.
      let ofSample = ["symptom", "symptoms", "note", "other", "to"].contains(english.lowercased())
      #expect(ofSample || !text.contains(pattern), "\(key): \(english)")
    }
    for part in [
      "22. November 2025 bis 21. November 2026 (365 Tage)", "7,3 h", "3,4 von 5",
      "12, davon 1 andauernd", "wenig: 122 Tage (33 %)", "mittel (3)", "2,5 von 5",
      "22. Nov. 2025 09:30", "Seite 1 von \(made.pages.count)", "glücklich 2, ruhig 1",
      "Erkältung", "laufende Nase",
    ] { #expect(text.contains(part), "\(part)") }
  }

  @Test func `a file of another form than Cairo’s stays as it is`() throws {
    let made = try report(SampleYear.nothing, in: "en").bytes
    for file in [
      [], Array("%PDF-1.5\nstartxref\n9\n%%EOF\n".utf8), Array(made.dropLast(8)),
      made + made.prefix(9),
    ] {
      #expect(PDFUpdate(file).bytes(in: "en") == file)
    }
  }

  @Test func `values that run from right to left keep their places, and nothing is drawn for that`()
    throws
  {
    var insights = SampleYear.nothing.with(notes: "n")
    insights = Insights(
      firstDay: insights.firstDay, lastDay: insights.lastDay,
      episodes: insights.episodes.map {
        var episode = $0.episode
        episode.medications = ["إيبوبروفين 400", "aspirin 7"]
        return EpisodeRecord(id: $0.id, days: $0.days, episode: episode, notes: nil)
      }, episodeCounts: [], meanDuration: nil, episodeSymptoms: [],
      loggedSymptoms: [SymptomFrequency(name: "صداع 3", count: 2, averageSeverity: 3)],
      severityByWeek: [], logs: LogSummary(), baseline: LogSummary(), triggerWindows: [])
    let made = try DoctorReport(
      insights, personName: "ليلى", libraryName: "diary", zone: .gmt, made: SampleYear.made,
      wording: .english
    ).pdf()
    let chart = insights.loggedSymptomChart(in: .english)
    #expect(chart.summary == "\u{2068}صداع 3\u{2069}: 2, severity 3")
    if try report(SampleYear.nothing.with(notes: "إيبوبروفين"), in: "en").missingGlyphCount > 0 {
      try Test.cancel("no font here has Arabic")
    }
    #expect(made.missingGlyphCount == 0)
    let cells = try Poppler(made.bytes).structure()[0].all("Table").flatMap(\.rows)
    let medications = try #require(cells.first { $0.first == "Medications" }?.last)
    #expect(medications.filter { $0.isLetter || $0.isNumber } == "إيبوبروفين400aspirin7")
  }

  @Test func `English is as the library has it`() {
    let wording = ReportWording.english
    #expect(wording["disclaimer"] == Insights.disclaimer)
    #expect(Episode.Illness.allCases.allSatisfy { wording.name($0) == $0.words })
    #expect(Episode.Sign.allCases.allSatisfy { wording.name($0) == $0.words })
    #expect(Episode.Mucus.allCases.allSatisfy { wording.name($0) == $0.words })
    #expect(Episode.WorstTime.allCases.allSatisfy { wording.name($0) == $0.words })
    #expect(Mood.allCases.allSatisfy { wording.name($0) == $0.words })
    for field in LogField.builtIn {
      #expect(wording.name(field).lowercased() == field.words)
      guard case .choice(let choices) = field.kind else { continue }
      for choice in choices { #expect(wording.name(choice, of: field) == choice) }
    }
    let summary = SampleYear.summary(dayCount: 365, loggedDayCount: 365)
    for field in summary.fields {
      #expect(wording.text(for: field) == field.words())
      if field.average == nil {
        #expect(wording.text(for: field, isRate: true) == field.words(isRate: true))
      }
    }
    #expect(wording.day(SampleYear.last) == "2026-11-21")
  }
}
