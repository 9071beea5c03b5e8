package import DiaryModel
package import Foundation

/// A summary of a span for a doctor: the logs in numbers and charts, and each episode with everything
/// that was recorded about it.
package struct DoctorReport {
  package let insights: Insights
  /// The symptoms of the span, oldest first.
  package let symptomEntries: [Entry]
  /// The name of the person; nil if unknown.
  package let personName: String?
  /// The name of the library's folder.
  package let libraryName: String
  /// The library's time zone: times of elsewhere are printed with their offset.
  package let zone: TimeZone
  /// When the report is made; printed, and written into the file's metadata.
  package let made: RecordedTime

  package init(
    _ insights: Insights, symptomEntries: [Entry] = [], personName: String? = nil,
    libraryName: String, zone: TimeZone, made: RecordedTime
  ) {
    self.insights = insights
    self.symptomEntries = symptomEntries
    self.personName = personName?.tidied
    self.libraryName = libraryName
    self.zone = zone
    self.made = made
  }

  /// The report as a PDF on A4.
  ///
  /// - Throws: `ReportsError` when Cairo fails.
  package func pdf() throws(ReportsError) -> PDFDocument {
    try PDFDocument(
      [
        front, overview, timeline, symptoms, severity, days, beforeEpisodes, episodes,
        symptomTable,
      ],
      PDFDocument.Frame(
        title: "Health summary, \(span)",
        runningTitle: "Health summary · \(span) · \(personName ?? libraryName)",
        footer: Insights.disclaimer, made: made.iso8601))
  }

  private var span: String { "\(insights.firstDay) to \(insights.lastDay)" }

  private var madeDay: String {
    switch made {
    case .zoned(let wall, _), .wall(let wall): wall.day.description
    case .instant(let instant): LocalDateTime(utc: instant).day.description
    case .day, .month, .year: made.iso8601
    }
  }

  private var front: any Block {
    let dayCount = insights.lastDay.dayNumber - insights.firstDay.dayNumber + 1
    var blocks: [any Block] = [
      Paragraph(text: "Health summary", style: .title, spaceBefore: 0)
    ]
    if let personName {
      blocks.append(
        Paragraph(text: personName, style: TextStyle(size: 14, weight: .bold), spaceBefore: 4))
    }
    blocks += [
      Paragraph(
        text: "\(span) (\(counted(dayCount, "day")))",
        style: TextStyle(size: 12, color: .quiet), spaceBefore: 2),
      Paragraph(text: "From the diary “\(libraryName)”, made on \(madeDay).", style: .label),
      Paragraph(
        text: Insights.disclaimer, style: TextStyle.label.with(weight: .bold), spaceBefore: 4),
    ]
    return Stack(blocks: blocks)
  }

  private var overview: any Block {
    let ongoing = insights.episodes.filter(\.episode.isActive).count
    var rows = [
      Table.Row(cells: [
        "Episodes in the span",
        "\(insights.episodes.count)" + (ongoing > 0 ? ", \(ongoing) of them ongoing" : ""),
      ]),
      Table.Row(cells: [
        "Mean duration of those that are over",
        insights.meanDuration.map { decimal($0) + ($0.asMean == 1 ? " day" : " days") } ?? "–",
      ]),
    ]
    rows += insights.episodeCounts.map {
      Table.Row(cells: ["Began in the last \(counted($0.days, "day"))", "\($0.count)"])
    }
    rows.append(
      Table.Row(cells: [
        "Days with a log", "\(insights.logs.loggedDayCount) of \(insights.logs.dayCount)",
      ]))
    return Stack(blocks: [
      Heading(text: "Overview"),
      Table(
        columns: [.init(title: "", share: 5), .init(title: "", share: 5)], rows: rows,
        spaceBefore: 2),
    ])
  }

  private var timeline: any Block {
    Stack(blocks: [
      Heading(text: "Episodes over time"), Figure(chart: insights.episodeTimeline),
    ])
  }

  private var symptoms: any Block {
    Stack(blocks: [
      Heading(text: "Symptoms in episodes"),
      Paragraph(
        text: "In how many episodes of the span each was there.", style: .small, spaceBefore: 2,
        keepsWithNext: true),
      Figure(chart: insights.episodeSymptomChart),
      Heading(text: "Symptoms that were logged"),
      Paragraph(
        text: "How often each was logged, and how strong on average, from 1 to 5.", style: .small,
        spaceBefore: 2, keepsWithNext: true),
      Figure(chart: insights.loggedSymptomChart),
    ])
  }

  private var severity: any Block {
    Stack(blocks: [
      Heading(text: "Severity by week"),
      Paragraph(
        text:
          "The mean of the symptoms logged in each week, from 1 to 5. A larger point stands for "
          + "more symptoms; weeks without any are left out.",
        style: .small, spaceBefore: 2, keepsWithNext: true),
      Figure(chart: insights.severityChart),
    ])
  }
}
