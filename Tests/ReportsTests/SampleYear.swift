import DiaryModel
import Foundation

/// A year of being watched closely: 12 episodes, 40 names of symptoms, a log on every day.
enum SampleYear {
  static let first = day("2025-11-22")
  static let last = day("2026-11-21")
  static let made = RecordedTime("2026-11-21T18:30:00+01:00")!

  static func day(_ text: String) -> LocalDay { LocalDay(text)! }

  /// Notes whose pieces have to be found again; each is on its own.
  static let scripts = [
    "arabic": "شعرت بتحسن بعد النوم الطويل", "hindi": "मुझे दो दिन से बुखार है",
    "chinese": "喉咙痛，喝了很多热水", "cyrillic": "Кашель по ночам, пил чай",
    "hebrew": "כאב ראש חזק בבוקר", "japanese": "のどが痛い、熱はない",
    "emoji": "better 👨‍👩‍👧 today 🌱 and 🤧 gone 👍🏽", "greek": "Πονοκέφαλος το πρωί",
  ]

  static let longNote =
    (1...160).map { "Sentence \($0) of a note that goes on and on." }
    .joined(separator: " ") + " The very last words."

  static func insights() -> Insights {
    let episodes = episodes()
    return Insights(
      firstDay: first, lastDay: last, episodes: episodes,
      episodeCounts: [
        EpisodeCount(days: 30, count: 1), EpisodeCount(days: 90, count: 3),
        EpisodeCount(days: 365, count: 12),
      ], meanDuration: 7.4,
      episodeSymptoms: Episode.Sign.allCases.enumerated().map {
        SymptomFrequency(name: $0.element.words, count: 9 - $0.offset, averageSeverity: nil)
      },
      loggedSymptoms: (1...40).map {
        SymptomFrequency(
          name: $0 == 7
            ? "a pressure behind the eyes that comes with bright light and goes away in the dark"
            : "symptom \($0)", count: 82 - 2 * $0, averageSeverity: 1 + Double($0 % 9) / 2)
      },
      severityByWeek: (0..<52).filter { $0 % 9 != 4 }.map {
        SeverityBucket(
          day: day("2025-11-17").advanced(by: 7 * $0), count: 1 + $0 % 7,
          average: 1 + Double(($0 * 5) % 17) / 4)
      }, logs: summary(dayCount: 365, loggedDayCount: 365),
      baseline: summary(dayCount: 52, loggedDayCount: 50),
      triggerWindows: episodes.map {
        TriggerWindow(
          episode: $0, firstDay: $0.days.first.advanced(by: -7),
          logs: summary(dayCount: 7, loggedDayCount: 7))
      },
      moodsByWeek: [
        MoodBucket(
          day: day("2025-11-24"), moods: [MoodCount(.happy, 2), MoodCount(.calm, 1)],
          averageSleepHours: 7.5, symptomCount: 1, completionCount: 0)
      ], ownFields: factors.map { LogField($0.details) })
  }

  private static let factors: [(details: FactorDetails, values: [FactorValue])] = [
    (
      FactorDetails(name: "Coffee", kind: .number, unit: "cups", range: 0...10),
      [.number(2), .number(3)]
    ),
    (FactorDetails(name: "Migraine pill", kind: .flag), [.flag(true), .flag(false)]),
  ]

  static func episodes() -> [EpisodeRecord] {
    let texts = scripts.keys.sorted().map { scripts[$0]! }
    return (0..<12).map { number in
      let start = first.advanced(by: 9 + 30 * number)
      var episode = Episode(
        endDay: number == 11 ? nil : start.advanced(by: 2 + number),
        type: Episode.Illness.allCases[number % 6],
        symptoms: Array(Episode.Sign.allCases.prefix(1 + number % 8)),
        severity: number == 4 ? nil : 1 + number % 5)
      if number % 2 == 0 {
        episode.mucus = .yellow
        episode.worstTime = .allDay
        episode.medications = ["ibuprofen 400 mg \(number)", "saline spray", "honey 🍯 & thyme"]
      }
      if number % 3 == 0 {
        episode.doctorVisit = "Dr. Weiß, visit \(number): rest, fluids, come back after a week"
        episode.testResult = "PCR negative (\(number))"
      }
      return EpisodeRecord(
        id: .random(), days: EpisodeDays(first: start, last: episode.endDay), episode: episode,
        notes: number < texts.count ? texts[number] : number == 9 ? longNote : nil)
    }
  }

  /// One every few hours, every kind of severity among them.
  static func symptomEntries(
    count: Int, note: (Int) -> String? = { "note\($0)" }
  ) throws -> [Entry] {
    let severities = [try Severity(3, label: "moderate"), try Severity(2.5)]
    return (0..<count).map { number in
      let wall = LocalDateTime(
        day: first.advanced(by: number / 2), hour: number % 2 == 0 ? 9 : 17, minute: 30)!
      return Entry(
        id: .random(), time: EntryTime(.wall(wall), in: .gmt), notes: note(number),
        tags: ["tag\(number)"], plant: nil, plantDay: nil,
        content: .symptom(
          Symptom(
            name: "symptom\(number)", severity: severities[number % 2],
            medications: ["ibuprofen\(number)"])), deletedAt: nil, sequence: Int64(number))
    }
  }

  static func summary(dayCount: Int, loggedDayCount: Int) -> LogSummary {
    let logs = (0..<loggedDayCount).map { number -> DailyLog in
      var log = DailyLog()
      log.sleepHours = 7.26
      log.sleepQuality = number % 5 < 2 ? 4 : 3
      log.stress = number % 10 == 0 ? 2 : 3
      log.exerciseMinutes = number % 5 < 3 ? 25 : 24
      log.officeDay = number < loggedDayCount / 2
      log.sickContact = number < loggedDayCount / 7
      log.humidifier = number < loggedDayCount / 3
      log.alcohol = number < loggedDayCount / 5 ? DailyLog.Alcohol.some : DailyLog.Alcohol.none
      log.sugar = DailyLog.SugarIntake.allCases[number % 3]
      for factor in factors where number < factor.values.count {
        log.factors[factor.details.name] = factor.values[number]
      }
      return log
    }
    return LogSummary(dayCount: dayCount, logs, factors.map { LogField($0.details) })
  }

  static var nothing: Insights {
    Insights(
      firstDay: first, lastDay: last, episodes: [], episodeCounts: [], meanDuration: nil,
      episodeSymptoms: [], loggedSymptoms: [], severityByWeek: [], logs: LogSummary(),
      baseline: LogSummary(), triggerWindows: [])
  }
}
