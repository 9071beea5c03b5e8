import DiaryModel
import Foundation
import Reports
import Testing

@Suite struct DoctorReportTests {
  private func report(_ insights: Insights, name: String = "Anna’s diary") throws -> PDFDocument {
    try DoctorReport(
      insights, libraryName: name, zone: .gmt, made: SampleYear.made, wording: .english
    ).pdf()
  }

  @Test(.enabled(if: Poppler.isInstalled, "poppler-utils is not installed"))
  func `a PDF says what it is`() throws {
    let made = try report(SampleYear.insights())
    let info = try Poppler(made.bytes).info()
    #expect(info["Title"] == "Health summary, 2025-11-22 to 2026-11-21")
    #expect(info["Creator"] == "Leaflog")
    #expect(info["Pages"] == "\(made.pages.count)")
    #expect(info["Page size"]?.contains("A4") == true)
    #expect(info["CreationDate"] != nil)
  }

  @Test(.enabled(if: Poppler.isInstalled, "poppler-utils is not installed"))
  func `every page has its number and the disclaimer`() throws {
    for insights in [SampleYear.insights(), SampleYear.nothing] {
      let made = try report(insights)
      let pages = try Poppler(made.bytes).pages()
      #expect(pages.count == made.pages.count)
      for (index, page) in pages.enumerated() {
        #expect(page.contains("Page \(index + 1) of \(pages.count)"))
        #expect(page.unwrapped.contains(Insights.disclaimer))
      }
    }
  }

  @Test(.enabled(if: Poppler.isInstalled, "poppler-utils is not installed"))
  func `everything that was logged is on it and can be searched for`() throws {
    let insights = SampleYear.insights()
    let text = try Poppler(try report(insights).bytes).pages().joined(separator: "\n").unwrapped
    for record in insights.episodes {
      let episode = record.episode
      var parts = [
        record.days.first.description, record.days.last?.description ?? "ongoing",
        record.days.count.map { "\($0) days" } ?? "ongoing",
        episode.severity.map { "\($0) of 5" } ?? "–",
        episode.symptoms.map(\.words).joined(separator: ", "),
      ]
      parts += [episode.doctorVisit, episode.testResult, episode.mucus?.words].compactMap { $0 }
      parts += episode.medications
      // By words: where lines and pages end depends on the fonts that are there.
      for part in parts {
        for word in part.split(separator: " ") { #expect(text.contains(word), "\(part)") }
      }
    }
    let words = text.split(separator: " ")
    #expect(words.count { $0 == "Sentence" } >= 160)
    #expect(text.contains("very last words."))
    for symptom in insights.loggedSymptoms {
      // A long name stands in lines on the left, its bar's label beside the first.
      for word in symptom.name.split(separator: " ") { #expect(text.contains(word)) }
      #expect(text.contains("\(symptom.count), severity"))
    }
    #expect(text.contains("colour is not diagnostic"))
    for part in ["7.3 h", "3.4 of 5", "2.9 of 5", "24.6 min", "low: 122 days (33 %)"] {
      #expect(text.contains(part), "\(part)")
    }
    #expect(text.contains("12, 1 of them ongoing"))
    for part in [
      "Own fields of the log", "Coffee", "2.5 cups on 2 days", "1 of 2 days",
      "3.5 in seven days, of 2 days", "Moods by week", "happy 2, calm 1",
    ] { #expect(text.contains(part), "\(part)") }
  }

  @Test(
    .enabled(if: Poppler.isInstalled, "poppler-utils is not installed"),
    arguments: SampleYear.scripts.keys.sorted())
  func `a note in any script can be searched for`(script: String) throws {
    let note = try #require(SampleYear.scripts[script])
    var insights = SampleYear.nothing
    insights = insights.with(notes: note)
    let made = try report(insights)
    if made.missingGlyphCount > 0 { try Test.cancel("no font here has \(script)") }
    let text = try Poppler(made.bytes).pages().joined().unwrapped
    #expect(text.contains(note), "\(text)")
  }

  @Test(.enabled(if: Poppler.isInstalled, "poppler-utils is not installed"))
  func `characters that no font has are counted, and can still be searched for`() throws {
    let insights = SampleYear.nothing.with(notes: "before \u{10FFFD}\u{10FFFC} after")
    let made = try report(insights)
    #expect(made.missingGlyphCount == 2)
    #expect(try report(SampleYear.nothing.with(notes: "before after")).missingGlyphCount == 0)
    let text = try Poppler(made.bytes).pages().joined().unwrapped
    #expect(text.contains("\u{10FFFD}\u{10FFFC}"))
  }

  @Test(.enabled(if: Poppler.isInstalled, "poppler-utils is not installed"))
  func `every symptom entry stands in a table, and the person's name on the first page`() throws {
    let entries = try SampleYear.symptomEntries(count: 400)
    let made = try DoctorReport(
      SampleYear.nothing, symptomEntries: entries, personName: " Ana Núñez ", libraryName: "diary",
      zone: .gmt, made: SampleYear.made, wording: .english
    ).pdf()
    let pages = try Poppler(made.bytes).pages()
    #expect(pages[0].contains("Ana Núñez"))
    #expect(pages[1].contains("Ana Núñez"))
    let text = pages.joined(separator: "\n").unwrapped
    for part in [
      "Symptom entries", "2025-11-22 09:30", "moderate (3)", "2.5 of 5", "ibuprofen7", "tag7",
      "note7",
      "symptom399", "tag399",
    ] { #expect(text.contains(part), "\(part)") }
    // The head is repeated on each page that the table goes on to.
    #expect(pages.count { $0.contains("Medication") } >= 5)
    let nobody = try Poppler(try report(SampleYear.nothing).bytes).pages()
    #expect(!nobody[0].contains("Núñez"))
    #expect(nobody.joined().unwrapped.contains("No symptoms in this span."))
  }

  @Test(.enabled(if: Poppler.isInstalled, "poppler-utils is not installed"))
  func `a time of elsewhere stands with its offset, one of the library's zone without`() throws {
    let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
    let entries = try [
      "2025-06-01T10:15:00+09:00", "2025-06-02T10:15:00+02:00", "2025-06-03T10:15:00",
      "2025-06-04T10:15:00Z",
    ].enumerated().map { number, text in
      let time = EntryTime(try #require(RecordedTime(text)), in: zone)
      return Entry(
        id: .random(), time: time, notes: nil, tags: [], plant: nil, plantDay: nil,
        content: .symptom(Symptom(name: "itch", severity: try Severity(2))), deletedAt: nil,
        sequence: Int64(number))
    }
    let made = try DoctorReport(
      SampleYear.nothing, symptomEntries: entries, libraryName: "diary", zone: zone,
      made: SampleYear.made, wording: .english
    ).pdf()
    let text = try Poppler(made.bytes).pages().joined(separator: "\n").unwrapped
    #expect(text.contains("+09:00") && text.contains("+00:00") && !text.contains("+02:00"))
    for day in ["2025-06-02 10:15", "2025-06-03 10:15"] {
      #expect(text.contains(day) && !text.contains("\(day) +"), "\(day)")
    }
  }

  @Test func `the same diary makes the same bytes`() throws {
    let insights = SampleYear.insights()
    let first = try report(insights).bytes
    #expect(try report(insights).bytes == first)
    #expect(first.starts(with: Array("%PDF-1.".utf8)))
  }

  @Test(.enabled(if: Poppler.isInstalled, "poppler-utils is not installed"))
  func `an empty diary makes a report that says so`() throws {
    let text = try Poppler(try report(SampleYear.nothing).bytes).pages().joined().unwrapped
    for part in [
      "No episodes.", "Nothing was logged.", "No symptoms were logged.",
      "No day of the span has a log.", "No episodes in this span.",
    ] { #expect(text.contains(part), "\(part)") }
  }

  @Test(.enabled(if: Poppler.isInstalled, "poppler-utils is not installed"))
  func `nothing is said about causes`() throws {
    let text = try Poppler(try report(SampleYear.insights()).bytes).pages().joined().lowercased()
      .unwrapped.replacing(Insights.disclaimer.lowercased(), with: "")
    for word in ["cause", "because", "trigger", "due to", "leads to", "result of", "risk"] {
      #expect(!text.contains(word), "\(word)")
    }
  }
}

extension Insights {
  /// The same with one episode that has these notes.
  func with(notes: String) -> Insights {
    let days = EpisodeDays(first: firstDay.advanced(by: 5), last: firstDay.advanced(by: 9))
    let episode = EpisodeRecord(
      id: .random(), days: days, episode: Episode(endDay: days.last, type: .cold), notes: notes)
    return Insights(
      firstDay: firstDay, lastDay: lastDay, episodes: [episode], episodeCounts: episodeCounts,
      meanDuration: 5, episodeSymptoms: [], loggedSymptoms: loggedSymptoms, severityByWeek: [],
      logs: logs, baseline: baseline, triggerWindows: [])
  }
}
