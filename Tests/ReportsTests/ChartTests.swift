import DiaryModel
import Foundation
import FoundationXML
import Reports
import Testing

@Suite struct ChartTests {
  private func charts(_ insights: Insights) -> [any Chart] {
    [
      insights.episodeTimeline(in: .english), insights.episodeSymptomChart(in: .english),
      insights.loggedSymptomChart(in: .english),
      insights.severityChart(in: .english), insights.yearMap(in: .english),
    ]
  }

  @Test func `an SVG is well-formed, and says in words what it shows`() throws {
    let insights = SampleYear.insights()
    for chart in charts(insights) + charts(SampleYear.nothing) {
      let made = try chart.svg()
      let document = try #require(XMLScan(made.bytes), "\(chart.title)")
      #expect(document.root == "svg")
      #expect(document.texts["title"] == chart.title)
      #expect(document.texts["desc"] == chart.summary)
      #expect(made.missingGlyphCount == 0)
    }
    #expect(
      insights.loggedSymptomChart(in: .english).summary.hasPrefix("symptom 1: 80, severity 1.5; "))
    #expect(
      insights.episodeTimeline(in: .english).summary.hasSuffix("other from 2026-10-27 on, ongoing"))
  }

  @Test(arguments: [
    "a < b & \"c\" > 'd'", "nul \u{0} bell \u{7} end", "👨‍👩‍👧 </svg>", "\u{FFFE} \u{FFFF}",
  ])
  func `no name breaks an SVG`(name: String) throws {
    let chart = BarChart(
      title: name, bars: [.init(name: name, value: 1, label: name)], wording: .english)
    let document = try #require(XMLScan(try chart.svg().bytes))
    let title = try #require(document.texts["title"])
    #expect(title.count == name.count)
  }

  @Test func `a heat map covers the year that ends with the span`() throws {
    let days = (0..<200).map {
      SeverityBucket(day: SampleYear.last.advanced(by: -2 * $0), count: 2, average: 3)
    }
    let insights = SampleYear.insights()
    let map = Insights(
      firstDay: insights.firstDay, lastDay: insights.lastDay, episodes: [], episodeCounts: [],
      meanDuration: nil, episodeSymptoms: [], loggedSymptoms: [], severityByWeek: [],
      logs: LogSummary(), baseline: LogSummary(), triggerWindows: [], symptomDays: days
    ).yearMap(in: .english)
    #expect(map.firstDay.weekday == 1)
    #expect(map.lastDay == SampleYear.last)
    #expect((map.lastDay.dayNumber - map.firstDay.dayNumber) / 7 == 52)
    #expect(map.summary.contains("2026-11-21: 3"))
    _ = try map.svg()
  }

  @Test func `the same numbers make the same picture`() throws {
    let charts: [any Chart] = [
      SampleYear.insights().severityChart(in: .english),
      BarChart(
        title: "🌱", bars: ["🤧", "👨‍👩‍👧", "🤧"].map { .init(name: $0, value: 1, label: $0) },
        wording: .english),
    ]
    for chart in charts { #expect(try chart.svg().bytes == chart.svg().bytes, "\(chart.title)") }
  }
}

/// The parts of an XML file that tests look at; nil when it is not well-formed.
private final class XMLScan: NSObject, XMLParserDelegate {
  private(set) var root: String?
  private(set) var texts: [String: String] = [:]
  private var open: [String] = []

  init?(_ bytes: [UInt8]) {
    super.init()
    let parser = XMLParser(data: Data(bytes))
    parser.delegate = self
    guard parser.parse() else { return nil }
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    root = root ?? name
    open.append(name)
  }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) { open.removeLast() }

  func parser(_ parser: XMLParser, foundCharacters text: String) {
    if let name = open.last { texts[name, default: ""] += text }
  }
}
