internal import DiaryModel

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
    func mean(_ value: Double?, _ unit: String, _ field: LogField) -> String {
      value.map { "\(decimal($0))\(unit), \(counted(logs.recordedDayCount(of: field), "day"))" }
        ?? "not logged"
    }
    func count(_ days: Int?, _ field: LogField) -> String {
      days.map { "\($0) of \(logs.recordedDayCount(of: field))" } ?? "not logged"
    }
    let means = [
      ("Sleep", mean(logs.averageSleepHours, " h", .sleepHours)),
      ("Sleep quality", mean(logs.averageSleepQuality, " of 5", .sleepQuality)),
      ("Stress", mean(logs.averageStress, " of 5", .stress)),
      ("Exercise", mean(logs.averageExerciseMinutes, " min a day", .exerciseMinutes)),
    ]
    let counts = [
      ("Office days", count(logs.officeDayCount, .officeDay)),
      ("Days with a sick contact", count(logs.sickContactDayCount, .sickContact)),
      ("Days with a humidifier on", count(logs.humidifierDayCount, .humidifier)),
      ("Days with alcohol", count(logs.alcoholDayCount, .alcohol)),
    ]
    return Stack(blocks: [
      Heading(text: "Daily logs"),
      Paragraph(
        text: "\(counted(logs.loggedDayCount, "day")) of \(logs.dayCount) with a log. Averages and "
          + "counts are over the days on which each was recorded.",
        style: .small, spaceBefore: 2, keepsWithNext: true),
      Table(
        columns: [
          .init(title: "Average", share: 2.2), .init(title: "", share: 3),
          .init(title: "Counted", share: 3), .init(title: "", share: 1.8),
        ],
        rows: zip(means, counts).map {
          Table.Row(cells: [$0.0, $0.1, $1.0, $1.1])
        }),
      Paragraph(
        text: "Sugar", style: TextStyle.label.with(weight: .bold), spaceBefore: 14,
        keepsWithNext: true),
      Figure(chart: insights.sugarChart, spaceBefore: 5),
    ])
  }

  /// The seven days before each episode, next to the baseline.
  var beforeEpisodes: any Block {
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
          + "days up to \(insights.lastDay) without the days of any episode. Office, contact and "
          + "humidifier are counts of days, out of the days on which each was recorded. These numbers stand beside "
          + "each other; they do not explain each other.",
        style: .small, spaceBefore: 2, keepsWithNext: true),
      Table(
        columns: [
          .init(title: "Before", share: 2.6),
          .init(title: "Sleep", share: 1.5, alignment: .trailing),
          .init(title: "Stress", share: 1.2, alignment: .trailing),
          .init(title: "Office", share: 1.3, alignment: .trailing),
          .init(title: "Sick contact", share: 1.6, alignment: .trailing),
          .init(title: "Humidifier", share: 1.5, alignment: .trailing),
          .init(title: "Logged days", share: 1.6, alignment: .trailing),
        ], rows: rows),
    ])
  }

  /// Counts of a longer span, scaled so that they can be compared with those of a week.
  private func perSevenDays(_ name: String, _ logs: LogSummary) -> Table.Row {
    func count(_ days: Int?, _ field: LogField) -> String {
      logs.perSevenDays(days, of: field).map(decimal) ?? "–"
    }
    return Table.Row(cells: [
      name, "", "", count(logs.officeDayCount, .officeDay),
      count(logs.sickContactDayCount, .sickContact), count(logs.humidifierDayCount, .humidifier),
      "",
    ])
  }

  private func row(
    _ name: String, _ logs: LogSummary, weight: TextStyle.Weight = .regular
  ) -> Table.Row {
    func count(_ days: Int?, _ field: LogField) -> String {
      days.map { "\($0) of \(logs.recordedDayCount(of: field))" } ?? "–"
    }
    func mean(_ value: Double?, _ unit: String, _ field: LogField) -> String {
      value.map { "\(decimal($0))\(unit) (\(logs.recordedDayCount(of: field)))" } ?? "–"
    }
    return Table.Row(
      cells: [
        name, mean(logs.averageSleepHours, " h", .sleepHours),
        mean(logs.averageStress, "", .stress), count(logs.officeDayCount, .officeDay),
        count(logs.sickContactDayCount, .sickContact), count(logs.humidifierDayCount, .humidifier),
        "\(logs.loggedDayCount) of \(logs.dayCount)",
      ], weight: weight)
  }
}
