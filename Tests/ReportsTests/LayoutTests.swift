import DiaryModel
import Foundation
import Reports
import Testing

@Suite struct LayoutTests {
  /// Diaries that are hard to lay out.
  enum Diary: String, CaseIterable {
    case year, empty, longNames, manySymptoms, lineBreaks, oneLongWord, oldSpan, oneDay, manyAtOnce
    case symptomTable, longSymptomNotes

    var insights: Insights {
      switch self {
      case .year: SampleYear.insights()
      case .empty: SampleYear.nothing
      case .longNames:
        SampleYear.symptoms((1...5).map { String(repeating: "name\($0) ", count: 900) })
      case .manySymptoms: SampleYear.symptoms((1...700).map { "symptom \($0)" })
      case .lineBreaks: SampleYear.nothing.with(notes: String(repeating: "a line\n\n", count: 300))
      case .oneLongWord: SampleYear.nothing.with(notes: String(repeating: "donau", count: 3000))
      case .oldSpan: SampleYear.span(from: "1900-01-01", to: "2026-11-21")
      case .manyAtOnce: SampleYear.span(from: "2026-08-01", to: "2026-11-21", episodeCount: 90)
      case .symptomTable, .longSymptomNotes: SampleYear.nothing
      case .oneDay: SampleYear.span(from: "2026-11-21", to: "2026-11-21")
      }
    }

    func symptomEntries() throws -> [Entry] {
      switch self {
      case .symptomTable: try SampleYear.symptomEntries(count: 300)
      case .longSymptomNotes:
        try SampleYear.symptomEntries(count: 12) { number in
          switch number {
          case 1: String(repeating: "donaudampfschiff", count: 400)
          case 2: SampleYear.longNote
          case 3: String(repeating: "a line\n", count: 200)
          case 4...: SampleYear.scripts.keys.sorted()[number - 4]
          default: nil
          }
        }
      default: []
      }
    }
  }

  @Test(arguments: Diary.allCases, ["en", "de"])
  func `everything is within the margins and nothing lies over anything`(
    diary: Diary, language: String
  ) throws {
    let name = diary == .longNames ? String(repeating: "library ", count: 60) : "diary"
    let made = try DoctorReport(
      diary.insights, symptomEntries: diary.symptomEntries(), personName: name, libraryName: name,
      zone: .gmt, made: SampleYear.made, wording: try #require(ReportWording(language))
    ).pdf()
    for (number, page) in made.pages.enumerated() {
      let paper = Rectangle(x: 0, y: 0, width: 595, height: 841)
      #expect(!page.pieces.isEmpty, "page \(number + 1)")
      for piece in page.pieces {
        #expect(page.column.contains(piece, tolerance: 0.05), "page \(number + 1): \(piece)")
      }
      expectApart(page.pieces, "piece of page \(number + 1)")
      for box in page.textBoxes {
        #expect(paper.contains(box), "page \(number + 1): \(box)")
        #expect(box.x >= page.column.x - 0.5 && box.maxX <= page.column.maxX + 0.5, "\(box)")
      }
      expectApart(page.textBoxes, "text of page \(number + 1)")
    }
  }

  @Test(arguments: BucketUnit.allCases, [0, 1, 40, 3000])
  func `the words of a chart of counts are within its picture, apart`(
    unit: BucketUnit, count: Int
  ) throws {
    let days = (0..<count).map { SampleYear.last.advanced(by: $0 - count + 1) }
    let chart = CountChart(
      title: "counts", days: days, by: unit, today: SampleYear.last, wording: .english)
    #expect(chart.columns.reduce(0) { $0 + $1.count } == count)
    for width in [360.0, 720] {
      let made = try chart.svg(width: width)
      for box in made.textBoxes { #expect(made.area.contains(box), "\(box)") }
      expectApart(made.textBoxes, "\(unit), \(count) days, \(width) wide")
    }
  }

  private func expectApart(
    _ areas: [Rectangle], _ note: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for (index, area) in areas.enumerated() {
      for other in areas.dropFirst(index + 1) where area.overlaps(other, tolerance: 0.6) {
        Issue.record("\(note): \(area) and \(other)", sourceLocation: sourceLocation)
      }
    }
  }

  @Test(arguments: Diary.allCases)
  func `a chart's words are within its picture, apart`(diary: Diary) throws {
    let insights = diary.insights
    let charts: [any Chart] = [
      insights.episodeTimeline(in: .english), insights.episodeSymptomChart(in: .english),
      insights.loggedSymptomChart(in: .english),
      insights.severityChart(in: .english), insights.yearMap(in: .english),
    ]
    for chart in charts {
      for width in [360.0, 720] {
        let made = try chart.svg(width: width)
        for box in made.textBoxes { #expect(made.area.contains(box), "\(chart.title): \(box)") }
        expectApart(made.textBoxes, "\(chart.title), \(width) wide")
      }
    }
  }
}

extension SampleYear {
  static func symptoms(_ names: [String]) -> Insights {
    Insights(
      firstDay: first, lastDay: last, episodes: [], episodeCounts: [], meanDuration: nil,
      episodeSymptoms: [],
      loggedSymptoms: names.map { SymptomFrequency(name: $0, count: 3, averageSeverity: 2) },
      severityByWeek: [], logs: LogSummary(), baseline: LogSummary(), triggerWindows: [])
  }

  /// Episodes that overlap each other and stick out of the span.
  static func span(from first: String, to last: String, episodeCount: Int = 6) -> Insights {
    let (first, last) = (day(first), day(last))
    let episodes = (0..<episodeCount).map { number in
      let start = first.advanced(by: number - 3)
      let episode = Episode(
        endDay: number % 2 == 0 ? nil : last.advanced(by: 3), type: .cold, severity: 4)
      return EpisodeRecord(
        id: .random(), days: episode.days(from: start), episode: episode, notes: nil)
    }
    return Insights(
      firstDay: first, lastDay: last, episodes: episodes,
      episodeCounts: [EpisodeCount(days: 30, count: 6)], meanDuration: 1,
      episodeSymptoms: [SymptomFrequency(name: "cough", count: 1, averageSeverity: nil)],
      loggedSymptoms: [],
      severityByWeek: [SeverityBucket(day: first.advanced(by: -3), count: 1, average: 5)],
      logs: summary(dayCount: 1, loggedDayCount: 1), baseline: LogSummary(),
      triggerWindows: episodes.map {
        TriggerWindow(episode: $0, firstDay: first.advanced(by: -9), logs: LogSummary())
      })
  }
}
