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
  package let wording: ReportWording

  package init(
    _ insights: Insights, symptomEntries: [Entry] = [], personName: String? = nil,
    libraryName: String, zone: TimeZone, made: RecordedTime, wording: ReportWording
  ) {
    self.wording = wording
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
        title: wording.text("titleOf", ["span": span]),
        runningTitle: wording.text("running", ["span": span, "owner": personName ?? libraryName]),
        footer: wording["disclaimer"], made: made.iso8601, wording: wording))
  }

  private var span: String { wording.span(insights.firstDay, insights.lastDay) }

  private var madeDay: String {
    switch made {
    case .zoned(let wall, _), .wall(let wall): wording.day(wall.day)
    case .instant(let instant): wording.day(LocalDateTime(utc: instant).day)
    case .day, .month, .year: made.iso8601
    }
  }

  private var front: any Block {
    let dayCount = insights.lastDay.dayNumber - insights.firstDay.dayNumber + 1
    var blocks: [any Block] = [
      Paragraph(text: wording["title"], style: .title, spaceBefore: 0, tag: .h1)
    ]
    if let personName {
      blocks.append(
        Paragraph(text: personName, style: TextStyle(size: 14, weight: .bold), spaceBefore: 4))
    }
    blocks += [
      Paragraph(
        text: wording.text("spanOf", ["span": span, "days": wording.days(dayCount)]),
        style: TextStyle(size: 12, color: .quiet), spaceBefore: 2),
      Paragraph(
        text: wording.text("made", ["library": libraryName, "day": madeDay]), style: .label),
      Paragraph(
        text: wording["disclaimer"], style: TextStyle.label.with(weight: .bold), spaceBefore: 4),
    ]
    return Stack(blocks: blocks)
  }

  private var overview: any Block {
    let ongoing = insights.episodes.filter(\.episode.isActive).count
    let count = wording.number(insights.episodes.count)
    let mean = insights.meanDuration.map { wording.days($0) }
    let rows =
      [
        [
          wording["episodesInSpan"],
          ongoing == 0
            ? count
            : wording.text("ongoingOf", ["count": count, "ongoing": wording.number(ongoing)]),
        ],
        [wording["meanDuration"], mean ?? "–"],
      ]
      + insights.episodeCounts.map {
        [wording.text("beganIn", ["count": wording.number($0.days)]), wording.number($0.count)]
      } + [
        [
          wording["loggedDaysOf"],
          wording.count(insights.logs.loggedDayCount, of: insights.logs.dayCount),
        ]
      ]
    return Stack(blocks: [
      Heading(text: wording["overview"]),
      Table(
        columns: [.init(title: "", share: 5), .init(title: "", share: 5)],
        rows: rows.map { Table.Row(cells: $0) }, spaceBefore: 2),
    ])
  }

  private var timeline: any Block {
    Stack(blocks: [
      Heading(text: wording["episodesOverTime"]),
      Figure(chart: insights.episodeTimeline(in: wording)),
    ])
  }

  private var symptoms: any Block {
    Stack(blocks: [
      Heading(text: wording["episodeSymptoms"]), .help(wording["episodeSymptomsHelp"]),
      Figure(chart: insights.episodeSymptomChart(in: wording)),
      Heading(text: wording["loggedSymptoms"]), .help(wording["loggedSymptomsHelp"]),
      Figure(chart: insights.loggedSymptomChart(in: wording)),
    ])
  }

  private var severity: any Block {
    Stack(blocks: [
      Heading(text: wording["severityByWeek"]), .help(wording["severityByWeekHelp"]),
      Figure(chart: insights.severityChart(in: wording)),
    ])
  }

  /// The line of an empty section.
  private func nothing(_ key: String) -> Paragraph {
    Paragraph(text: wording[key], style: TextStyle.label.with(color: .quiet))
  }
}

extension DoctorReport {
  /// The table of daily logs.
  var days: any Block {
    let logs = insights.logs
    guard logs.loggedDayCount > 0 else {
      return Stack(blocks: [
        Heading(text: wording["dailyLogs"]), nothing("noLogs"),
      ])
    }
    func cells(_ kind: LogField.Kind) -> [[String]] {
      LogField.builtIn.filter { $0.kind == kind }.map {
        [
          wording.name($0),
          logs.summary(of: $0).map { wording.text(for: $0) } ?? wording["notLogged"],
        ]
      }
    }
    let (means, counts) = (cells(.number), cells(.flag))
    return Stack(
      blocks: [
        Heading(text: wording["dailyLogs"]),
        .help(
          wording.text(
            "dailyLogsHelp",
            [
              "days": wording.days(logs.loggedDayCount), "all": wording.number(logs.dayCount),
            ])),
        Table(
          columns: [
            .init(title: wording["average"], share: 2.2), .init(title: "", share: 3),
            .init(title: wording["counted"], share: 3), .init(title: "", share: 1.8),
          ],
          rows: (0..<max(means.count, counts.count)).map { index in
            let blank = ["", ""]
            return Table.Row(
              cells: (index < means.count ? means[index] : blank)
                + (index < counts.count ? counts[index] : blank))
          }),
      ]
        + insights.shareCharts(in: wording).flatMap { chart -> [any Block] in
          [
            Paragraph(
              text: chart.title, style: TextStyle.label.with(weight: .bold), spaceBefore: 14,
              keepsWithNext: true, tag: .h3),
            Figure(chart: chart, spaceBefore: 5),
          ]
        })
  }

  /// The own factors of the log: of the span, of the baseline, and before each episode.
  private var factors: any Block {
    Stack(blocks: [
      Heading(text: wording["ownFields"]), .help(wording["ownFieldsHelp"]),
      Table(
        columns: [
          .init(title: wording["ownField"], share: 2.5), .init(title: wording["days"], share: 3),
          .init(title: wording["value"], share: 4.5),
        ],
        rows: insights.fields.filter(\.isOwn).flatMap { factor in
          summaries(of: factor).enumerated().map { index, row in
            Table.Row(cells: [index == 0 ? factor.name : "", row.name, row.value])
          }
        }),
    ])
  }

  private func summaries(of field: LogField) -> [(name: String, value: String)] {
    insights.daySummaries(of: field).map { days, summary in
      switch days {
      case .span: (wording["theseDays"], wording.text(for: summary))
      case .baseline: (wording["usualDays"], wording.text(for: summary, isRate: true))
      case .before(let record):
        (
          wording.text(
            "beforeEpisode",
            [
              "type": wording.name(record.episode.type),
              "day": wording.shortDay(record.days.first),
            ]), wording.text(for: summary)
        )
      }
    }
  }

  /// The moods of each week, beside what else was recorded in it.
  private var moods: any Block {
    Stack(blocks: [
      Heading(text: wording["moodsByWeek"]),
      Table(
        columns: [
          .init(title: wording["weekFrom"], share: 2),
          .init(title: wording["daysWithMood"], share: 4.6),
          .init(title: wording["sleep"], share: 1.4, alignment: .trailing),
          .init(title: wording["symptoms"], share: 1.6, alignment: .trailing),
        ],
        rows: insights.moodsByWeek.map { week in
          Table.Row(cells: [
            wording.shortDay(week.day),
            week.moods.map { "\(wording.name($0.mood)) \(wording.number($0.count))" }
              .joined(separator: ", "),
            week.averageSleepHours.map {
              wording.text("unit.hours", ["value": wording.number($0)])
            } ?? "–", wording.number(week.symptomCount),
          ])
        }),
    ])
  }

  /// The seven days before each episode, next to the baseline.
  private var beforeEpisodes: any Block {
    let heading = Heading(text: wording["before"])
    guard !insights.triggerWindows.isEmpty else {
      return Stack(blocks: [heading, nothing("noEpisodes")])
    }
    let rows =
      [
        row(wording["baseline"], insights.baseline, weight: .bold),
        perSevenDays(wording["baselineInSeven"], insights.baseline),
      ]
      + insights.triggerWindows.map { window in
        row(
          wording.text(
            "episodeOn",
            [
              "day": wording.shortDay(window.episode.days.first),
              "type": wording.name(window.episode.episode.type),
            ]), window.logs)
      }
    return Stack(blocks: [
      heading, .help(wording.text("beforeHelp", ["day": wording.day(insights.lastDay)])),
      Table(
        columns: [
          .init(title: wording["beforeWhat"], share: 3)
        ]
          + (LogField.compared.map { wording.name($0) } + [wording["loggedDays"]]).map {
            .init(title: $0, share: 1.5, alignment: .trailing)
          }, rows: rows),
    ])
  }

  /// Counts of a longer span, scaled so that they can be compared with those of a week.
  private func perSevenDays(_ name: String, _ logs: LogSummary) -> Table.Row {
    let counts = LogField.compared.map { field in
      guard case .flag = field.kind else { return "" }
      let summary = logs.summary(of: field)
      return summary?.yesDayCount.flatMap { summary?.perSevenDays($0) }.map { wording.number($0) }
        ?? "–"
    }
    return Table.Row(cells: [name] + counts + [""])
  }

  private func row(
    _ name: String, _ logs: LogSummary, weight: TextStyle.Weight = .regular
  ) -> Table.Row {
    let values = LogField.compared.map { field -> String in
      guard let summary = logs.summary(of: field) else { return "–" }
      if let average = summary.average {
        let value =
          field.unit == .hours ? wording.mean(average, of: field) : wording.number(average)
        return "\(value) (\(wording.number(summary.recordedDayCount)))"
      }
      return wording.count(summary.yesDayCount ?? 0, of: summary.recordedDayCount)
    }
    return Table.Row(
      cells: [name] + values + [wording.count(logs.loggedDayCount, of: logs.dayCount)],
      weight: weight)
  }
}

extension DoctorReport {
  /// The table of all symptom entries of the span.
  var symptomTable: any Block {
    let heading = Heading(text: wording["symptomEntries"])
    guard !symptomEntries.isEmpty else {
      return Stack(blocks: [heading, nothing("noSymptomsInSpan")])
    }
    return Stack(blocks: [
      heading,
      Table(
        columns: [
          .init(title: wording["time"], share: 3.6), .init(title: wording["symptom"], share: 2.4),
          .init(title: wording["severity"], share: 1.8), .init(title: wording["note"], share: 3.2),
          .init(title: wording["medication"], share: 2.3),
          .init(title: wording["tags"], share: 1.7),
        ], rows: symptomEntries.compactMap(row), style: .label, spaceBefore: 2),
    ])
  }

  private func row(_ entry: Entry) -> Table.Row? {
    guard case .symptom(let symptom) = entry.content else { return nil }
    return Table.Row(cells: [
      "\(wording.shortDay(entry.time.localDay))\(clock(entry.time))", symptom.name,
      wording.text(for: symptom.severity), entry.notes ?? "", symptom.medications.joined(by: ", "),
      entry.tags.joined(by: ", "),
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

extension DoctorReport {
  /// Every episode with all its details.
  var episodes: any Block {
    guard !insights.episodes.isEmpty else {
      return Stack(blocks: [
        Heading(text: wording["episodes"]), nothing("noEpisodesInSpan"),
      ])
    }
    var blocks: [any Block] = [Heading(text: wording["episodes"])]
    if insights.episodes.contains(where: { $0.episode.mucus != nil }) {
      blocks.append(.help(wording["mucusNote"]))
    }
    blocks.append(
      Table(
        columns: [
          .init(title: wording["kind"], share: 2), .init(title: wording["from"], share: 2),
          .init(title: wording["to"], share: 2), .init(title: wording["duration"], share: 2),
          .init(title: wording["severity"], share: 2),
        ], rows: insights.episodes.map(row)))
    return Stack(blocks: blocks)
  }

  private func row(_ record: EpisodeRecord) -> Table.Row {
    let episode = record.episode
    let details: [(String, String?)] = [
      ("symptoms", episode.symptoms.map { wording.name($0) }.joined(by: ", ")),
      ("worstTime", episode.worstTime.map { wording.name($0) }),
      ("mucus", episode.mucus.map { wording.name($0) }),
      ("medications", episode.medications.joined(by: ", ")),
      ("doctorVisit", episode.doctorVisit), ("testResult", episode.testResult),
      ("notes", record.notes),
    ]
    let (type, first) = (
      wording.name(episode.type).capitalizedFirst, wording.shortDay(record.days.first)
    )
    return Table.Row(
      cells: [
        type, first, record.days.last.map { wording.shortDay($0) } ?? wording["ongoing"],
        record.days.count.map { wording.days($0) } ?? wording["ongoing"],
        episode.severity.map { wording.text("ofFive", ["value": wording.number($0)]) } ?? "–",
      ], weight: .bold,
      details: details.compactMap { key, text in text?.tidied.map { (wording[key], $0) } },
      continuedTitle: wording.text("continued", ["type": type, "day": first]))
  }
}

extension Block where Self == Paragraph {
  /// A sentence below a heading that says what is counted.
  static func help(_ text: String) -> Paragraph {
    Paragraph(text: text, style: .small, spaceBefore: 2, keepsWithNext: true)
  }
}
