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
        front, overview, timeline, symptoms, severity, days, beforeEpisodes,
      ] + (insights.fields.contains(where: \.isOwn) ? [factors] : [])
        + (insights.moodsByWeek.isEmpty ? [] : [moods]) + [episodes, symptomTable],
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

extension DoctorReport {
  /// The table of daily logs.
  var days: any Block {
    let logs = insights.logs
    guard logs.loggedDayCount > 0 else {
      return Stack(blocks: [
        Heading(text: "Daily logs"),
        Paragraph(
          text: "No day of the span has a log.", style: TextStyle.label.with(color: .quiet)),
      ])
    }
    func cells(_ kind: LogField.Kind) -> [[String]] {
      LogField.builtIn.filter { $0.kind == kind }.map {
        [$0.words.capitalizedFirst, logs.summary(of: $0)?.words() ?? "not logged"]
      }
    }
    let (means, counts) = (cells(.number), cells(.flag))
    return Stack(
      blocks: [
        Heading(text: "Daily logs"),
        Paragraph(
          text:
            "\(counted(logs.loggedDayCount, "day")) of \(logs.dayCount) with a log. Averages and "
            + "counts are over the days on which each was recorded.",
          style: .small, spaceBefore: 2, keepsWithNext: true),
        Table(
          columns: [
            .init(title: "Average", share: 2.2), .init(title: "", share: 3),
            .init(title: "Counted", share: 3), .init(title: "", share: 1.8),
          ],
          rows: (0..<max(means.count, counts.count)).map { index in
            let blank = ["", ""]
            return Table.Row(
              cells: (index < means.count ? means[index] : blank)
                + (index < counts.count ? counts[index] : blank))
          }),
      ]
        + insights.shareCharts.flatMap { chart -> [any Block] in
          [
            Paragraph(
              text: chart.title, style: TextStyle.label.with(weight: .bold), spaceBefore: 14,
              keepsWithNext: true),
            Figure(chart: chart, spaceBefore: 5),
          ]
        })
  }

  /// The own factors of the log: of the span, of the baseline, and before each episode.
  private var factors: any Block {
    Stack(blocks: [
      Heading(text: "Own fields of the log"),
      Paragraph(
        text:
          "Means and counts over the days on which each was recorded; counts of the baseline are in seven days.",
        style: .small, spaceBefore: 2, keepsWithNext: true),
      Table(
        columns: [
          .init(title: "Field", share: 2.5), .init(title: "Days", share: 3),
          .init(title: "Value", share: 4.5),
        ],
        rows: insights.fields.filter(\.isOwn).flatMap { factor in
          insights.summaries(of: factor).enumerated().map { index, row in
            Table.Row(cells: [index == 0 ? factor.name : "", row.name, row.value])
          }
        }),
    ])
  }

  /// The moods of each week, beside what else was recorded in it.
  private var moods: any Block {
    Stack(blocks: [
      Heading(text: "Moods by week"),
      Table(
        columns: [
          .init(title: "Week from", share: 2), .init(title: "Days with each mood", share: 4.6),
          .init(title: "Sleep", share: 1.4, alignment: .trailing),
          .init(title: "Symptoms", share: 1.6, alignment: .trailing),
        ],
        rows: insights.moodsByWeek.map { week in
          Table.Row(cells: [
            week.day.description,
            week.moods.map { "\($0.mood.words) \($0.count)" }.joined(separator: ", "),
            week.averageSleepHours.map { "\(decimal($0)) h" } ?? "–", "\(week.symptomCount)",
          ])
        }),
    ])
  }

  /// The seven days before each episode, next to the baseline.
  private var beforeEpisodes: any Block {
    let title = "Before each episode"
    guard !insights.triggerWindows.isEmpty else {
      return Stack(blocks: [
        Heading(text: title),
        Paragraph(text: "No episodes.", style: TextStyle.label.with(color: .quiet)),
      ])
    }
    let rows =
      [
        row("Baseline", insights.baseline, weight: .bold),
        perSevenDays("Baseline, in seven days", insights.baseline),
      ]
      + insights.triggerWindows.map { window in
        row("\(window.episode.days.first) \(window.episode.episode.type.words)", window.logs)
      }
    return Stack(blocks: [
      Heading(text: title),
      Paragraph(
        text:
          "What was logged in the seven days before each episode, beside the baseline: the last 60 "
          + "days up to \(insights.lastDay) without the days of any episode. Counts are of days, out of the "
          + "days on which each was recorded. These numbers stand beside each other; they do not explain each other.",
        style: .small, spaceBefore: 2, keepsWithNext: true),
      Table(
        columns: [
          .init(title: "Before", share: 3)
        ]
          + (LogField.compared.map(\.words.capitalizedFirst) + ["Logged days"]).map {
            .init(title: $0, share: 1.5, alignment: .trailing)
          }, rows: rows),
    ])
  }

  /// Counts of a longer span, scaled so that they can be compared with those of a week.
  private func perSevenDays(_ name: String, _ logs: LogSummary) -> Table.Row {
    let counts = LogField.compared.map { field in
      guard case .flag = field.kind else { return "" }
      let summary = logs.summary(of: field)
      return summary?.yesDayCount.flatMap { summary?.perSevenDays($0) }.map(decimal) ?? "–"
    }
    return Table.Row(cells: [name] + counts + [""])
  }

  private func row(
    _ name: String, _ logs: LogSummary, weight: TextStyle.Weight = .regular
  ) -> Table.Row {
    let values = LogField.compared.map { field -> String in
      guard let summary = logs.summary(of: field) else { return "–" }
      if let average = summary.average {
        let unit = field.unit == .hours ? " h" : ""
        return "\(decimal(average))\(unit) (\(summary.recordedDayCount))"
      }
      return "\(summary.yesDayCount ?? 0) of \(summary.recordedDayCount)"
    }
    return Table.Row(
      cells: [name] + values + ["\(logs.loggedDayCount) of \(logs.dayCount)"], weight: weight)
  }
}

extension DoctorReport {
  /// The table of all symptom entries of the span.
  var symptomTable: any Block {
    let heading = Heading(text: "Symptom entries")
    guard !symptomEntries.isEmpty else {
      return Stack(blocks: [
        heading,
        Paragraph(
          text: "No symptoms in this span.", style: TextStyle.label.with(color: .quiet)),
      ])
    }
    return Stack(blocks: [
      heading,
      Table(
        columns: [
          .init(title: "Time", share: 3.6), .init(title: "Symptom", share: 2.4),
          .init(title: "Severity", share: 1.8), .init(title: "Note", share: 3.2),
          .init(title: "Medication", share: 2.3), .init(title: "Tags", share: 1.7),
        ], rows: symptomEntries.compactMap(row), style: .label, spaceBefore: 2),
    ])
  }

  private func row(_ entry: Entry) -> Table.Row? {
    guard case .symptom(let symptom) = entry.content else { return nil }
    return Table.Row(cells: [
      "\(entry.time.localDay)\(clock(entry.time))", symptom.name, symptom.severity.inWords,
      entry.notes ?? "", symptom.medications.joined(separator: ", "),
      entry.tags.joined(separator: ", "),
    ])
  }
}

extension DoctorReport {
  /// The time of day after its day, with the offset where that differs from the library's zone.
  private func clock(_ time: EntryTime) -> String {
    guard time.basis != .day else { return "" }
    let clock = " \(padded(time.wall.hour, 2)):\(padded(time.wall.minute, 2))"
    guard zone.offset(atWall: time.wall) != time.offset else { return clock }
    return "\(clock) \(time.offset == .utc ? "+00:00" : time.offset.description)"
  }
}

extension Severity {
  /// `3 of 5`, or a label with its number: `moderate (3)`.
  fileprivate var inWords: String {
    label.map { "\($0) (\(decimal(value)))" } ?? "\(decimal(value)) of 5"
  }
}

extension DoctorReport {
  /// Every episode with all its details.
  var episodes: any Block {
    guard !insights.episodes.isEmpty else {
      return Stack(blocks: [
        Heading(text: "Episodes"),
        Paragraph(
          text: "No episodes in this span.", style: TextStyle.label.with(color: .quiet)),
      ])
    }
    var blocks: [any Block] = [Heading(text: "Episodes")]
    if insights.episodes.contains(where: { $0.episode.mucus != nil }) {
      blocks.append(
        Paragraph(
          text: "Mucus: " + Insights.mucusNote.prefix(1).lowercased()
            + Insights.mucusNote.dropFirst(), style: .small, spaceBefore: 2, keepsWithNext: true))
    }
    blocks.append(
      Table(
        columns: [
          .init(title: "Type", share: 2), .init(title: "From", share: 2),
          .init(title: "To", share: 2), .init(title: "Duration", share: 2),
          .init(title: "Severity", share: 2),
        ], rows: insights.episodes.map(row)))
    return Stack(blocks: blocks)
  }

  private func row(_ record: EpisodeRecord) -> Table.Row {
    let episode = record.episode
    let details: [(String, String?)] = [
      ("Symptoms", episode.symptoms.map(\.words).joinedOrNil),
      ("Worst time", episode.worstTime?.words), ("Mucus", episode.mucus?.words),
      ("Medications", episode.medications.joinedOrNil), ("Doctor visit", episode.doctorVisit),
      ("Test result", episode.testResult), ("Notes", record.notes),
    ]
    return Table.Row(
      cells: [
        episode.type.words.capitalizedFirst, record.days.first.description,
        record.days.last?.description ?? "ongoing",
        record.days.count.map { counted($0, "day") } ?? "ongoing",
        episode.severity.map { "\($0) of 5" } ?? "–",
      ], weight: .bold,
      details: details.compactMap { name, text in text?.tidied.map { (name, $0) } },
      continuedTitle: "\(episode.type.words.capitalizedFirst), \(record.days.first), continued")
  }
}

extension [String] {
  fileprivate var joinedOrNil: String? { isEmpty ? nil : joined(separator: ", ") }
}
