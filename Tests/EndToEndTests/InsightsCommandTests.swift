import DiaryModel
import Foundation
import TestSupport
import Testing

@Suite struct InsightsCommandTests {
  private static let today = CommandFixture.todayFarFromMidnight()

  private func library(_ fill: (inout DiaryFixture) throws -> Void = { _ in }) throws
    -> CommandFixture
  {
    var fixture = try CommandFixture()
    fixture.leaflog.environment = ["COLUMNS": "80"]
    let zone = TimeZone.farFromMidnight
    #expect(try fixture.leaflog("init", "--time-zone", zone.identifier, "--quiet").status == 0)
    var diary = DiaryFixture()
    try fill(&diary)
    try diary.write(to: fixture.folder.file("library"), in: zone)
    return fixture
  }

  /// Two episodes, one that goes on, logs of 80 days and symptoms of half a year.
  private func filled() throws -> CommandFixture {
    let today = Self.today
    return try library { diary in
      diary.add(
        Episode(
          endDay: today.advanced(by: -34), type: .cold, symptoms: [.cough, .runnyNose],
          mucus: .green), from: today.advanced(by: -40))
      diary.add(Episode(type: .allergy, symptoms: [.runnyNose]), from: today.advanced(by: -3))
      for back in 0..<80 where back % 5 != 0 {
        var log = DailyLog()
        log.sleepHours = back % 2 == 0 ? 7 : 8
        log.stress = back % 4 + 1
        log.officeDay = back % 3 == 0
        log.sugar = .low
        diary.add(log, on: today.advanced(by: -back))
      }
      for back in stride(from: 0, to: 180, by: 9) {
        try diary.addSymptom(
          "headache with a name as long as people make them", Double(back % 5 + 1),
          at: .day(today.advanced(by: -back)))
      }
    }
  }

  @Test func `an empty library gives a short text and whole JSON`() throws {
    let fixture = try library()
    let result = try fixture.leaflog("insights")
    #expect(result.status == 0 && result.error == "")
    #expect(result.output.contains("Nothing was logged in this period"))
    #expect(result.output.split(separator: "\n").count < 8)
    expectDisclaimer(result.output)
    let document = try fixture.json("insights")
    #expect((document["disclaimer"] as? String)?.contains("no medical advice") == true)
    for key in [
      "episodes", "episodeSymptoms", "loggedSymptoms", "severityByWeek", "triggerWindows",
      "symptomDays", "logsByWeek",
    ] {
      #expect((document[key] as? [Any])?.isEmpty == true, "\(key)")
    }
    #expect((document["episodeCounts"] as? [[String: Int]])?.map { $0["count"] } == [0, 0, 0])
    #expect((document["logs"] as? [String: Any])?["dayCount"] as? Int == 90)
    #expect((document["baseline"] as? [String: Any])?["loggedDayCount"] as? Int == 0)
  }

  private func expectDisclaimer(_ output: String) {
    let end = output.split(whereSeparator: \.isWhitespace).suffix(16).joined(separator: " ")
    #expect(end.hasSuffix("It is no medical advice and says nothing about causes."))
  }

  @Test(arguments: ["30", "90", "365", "1", "3660"])
  func `all is shown in 80 columns, and in 40`(_ days: String) throws {
    var fixture = try filled()
    for width in [80, 40] {
      fixture.leaflog.environment = ["COLUMNS": "\(width)"]
      let result = try fixture.leaflog("insights", "--days", days)
      #expect(result.status == 0 && result.error == "")
      for line in result.output.split(separator: "\n") {
        #expect(line.count <= width, "\(line)")
        #expect(line.last != " ", "\(line)")
      }
      #expect(!result.output.contains("\u{1B}"))
      expectDisclaimer(result.output)
    }
  }

  @Test func `every part is there`() throws {
    let fixture = try filled()
    let text = try fixture.leaflog("insights").output
    for heading in [
      "Episodes", "Symptoms of episodes", "Symptoms", "Daily logs, 64 of 90 days", "By week",
      "A year of symptoms", "The seven days before each episode",
    ] {
      #expect(text.contains("\n\(heading)\n"), "\(heading)")
    }
    let cold = Self.today.advanced(by: -40)
    #expect(text.contains("Started in the last 30 days: 1, 90 days: 2, 365 days: 2"))
    #expect(text.contains("Mean duration: 7 days, excluding the ongoing one"))
    #expect(text.contains("  cold     \(cold) – \(cold.advanced(by: 6))  7 days  ·"))
    #expect(text.contains("  allergy  \(Self.today.advanced(by: -3)) – ongoing "))
    #expect(text.contains("Mucus: green 1. The colour is not diagnostic."))
    #expect(text.contains("runny nose  2  █"))
    #expect(text.contains("Baseline: the 49 days without an episode"))
    #expect(text.contains { "▁▂▃▄▅▆▇".contains($0) })
    #expect(text.contains("░ 1 ▒ 2 ▓ 3 █ 4 or more"))
    #expect(text.contains("\n  Mon "))
  }

  @Test func `no words of causes`() throws {
    let fixture = try filled()
    let texts = try [
      fixture.leaflog("insights").output, fixture.leaflog("insights", "--json").output,
      fixture.leaflog("insights", "--help").output, library().leaflog("insights").output,
    ]
    for text in texts {
      for word in ["because", "caused", "leads to", "risk", "due to", "effect"] {
        #expect(!text.lowercased().contains(word), "\(word)")
      }
    }
    #expect(!texts[0].lowercased().contains("trigger"))
  }

  @Test func `JSON has the documented keys`() throws {
    let document = try filled().json("insights", "--days", "30")
    #expect(
      Set(document.keys) == [
        "firstDay", "lastDay", "disclaimer", "episodeCounts", "episodes", "episodeSymptoms",
        "loggedSymptoms", "severityByWeek", "symptomDays", "logs", "logsByWeek", "baseline",
        "triggerWindows", "moodsByWeek",
      ])
    #expect(document["lastDay"] as? String == "\(Self.today)")
    let episode = try #require((document["episodes"] as? [[String: Any]])?.first)
    #expect(episode["isOngoing"] as? Bool == true && episode["lastDay"] == nil)
    #expect((episode["episode"] as? [String: Any])?["type"] as? String == "allergy")
    let window = try #require((document["triggerWindows"] as? [[String: Any]])?.first)
    #expect(window["episode"] as? String == episode["id"] as? String)
    #expect(window["type"] as? String == "allergy")
    #expect(window["firstDay"] as? String == "\(Self.today.advanced(by: -10))")
    #expect(window["lastDay"] as? String == "\(Self.today.advanced(by: -4))")
    #expect((window["logs"] as? [String: Any])?["dayCount"] as? Int == 7)
    let longer = try filled().json("insights")
    #expect(longer["meanDurationDays"] as? Double == 7)
    #expect(longer["mucusNote"] as? String == "The colour is not diagnostic.")
  }

  @Test func `a field that no day has is not counted as zero, in text and JSON`() throws {
    let today = Self.today
    let fixture = try library { diary in
      for back in 1...14 {
        var log = DailyLog()
        log.sleepHours = 7
        if back > 9 { log.humidifier = back < 12 }
        diary.add(log, on: today.advanced(by: -back))
      }
      diary.add(Episode(type: .cold), from: today)
    }
    let text = try fixture.leaflog("insights").output
    #expect(text.contains("7 h on 14 days"))
    #expect(text.contains(/Humidifier +2 of 5 days/))
    for name in ["Office  ", "Alcohol", "Sick contact  "] { #expect(!text.contains(name)) }
    // Logged, sleep, stress, office, sick contact, humidifier.
    #expect(text.contains(/baseline +14\/59 +7 \(14\) +– +– +– +2\.8 \(5\)/), "\(text)")
    #expect(text.contains(/cold [-0-9]+ +7\/7 +7 \(7\) +– +– +– +–/), "\(text)")
    let logs = try #require(try fixture.json("insights")["logs"] as? [String: Any])
    #expect(logs["humidifierDayCount"] as? Int == 2 && logs["officeDayCount"] == nil)
    let recorded = logs["recordedDayCounts"] as? [String: Int]
    #expect(
      recorded?["humidifier"] == 5 && recorded?["officeDay"] == 0 && recorded?["sleepHours"] == 14)
  }

  @Test func `without a baseline nothing is compared`() throws {
    let today = Self.today
    let fixture = try library { diary in
      diary.add(Episode(type: .cough), from: today.advanced(by: -70))
      var log = DailyLog()
      log.officeDay = true
      diary.add(log, on: today.advanced(by: -72))
    }
    let text = try fixture.leaflog("insights").output
    #expect(text.contains("there is no baseline"))
    #expect(!text.contains("\n  baseline "))
  }

  @Test func `symptoms of the command line are counted`() throws {
    let fixture = try library()
    #expect(try fixture.leaflog("symptom", "add", "headache", "--severity", "4").status == 0)
    let text = try fixture.leaflog("insights", "--days", "7").output
    #expect(text.contains("  headache  1  ███"))
    #expect(text.contains("severity 4"))
  }

  @Test func `text, JSON, charts and counts round a mean alike, halves up`() throws {
    let today = Self.today
    let fixture = try library { diary in
      // 7.25 hours and severity 3.55 on the average.
      for (back, hours) in [(0, 7.0), (1, 7.5)] {
        var log = DailyLog()
        log.sleepHours = hours
        diary.add(log, on: today.advanced(by: -back))
      }
      for severity in [3.5, 3.6] {
        try diary.addSymptom("cough", severity, at: .day(today))
      }
    }
    let document = try fixture.json("insights")
    let logs = document["logs"] as? [String: Any]
    #expect(logs?["averageSleepHours"] as? Double == 7.3)
    let symptoms = document["loggedSymptoms"] as? [[String: Any]]
    #expect(symptoms?.first?["averageSeverity"] as? Double == 3.6)
    let text = try fixture.leaflog("insights").output
    #expect(text.contains("7.3") && !text.contains("7.2"), "\(text)")
    #expect(text.contains("3.6") && !text.contains("3.5"), "\(text)")
    let folder = fixture.folder.file("svg")
    #expect(try fixture.leaflog("insights", "--svg", folder).status == 0)
    let chart = try String(contentsOfFile: folder + "/severity.svg", encoding: .utf8)
    #expect(chart.contains("3.6 of 5"), "\(chart.prefix(400))")
    let buckets = try fixture.json("symptom", "list", "--by", "year")["buckets"] as? [[String: Any]]
    #expect(buckets?.first?["averageSeverity"] as? Double == 3.6)
  }

  @Test(arguments: ["0", "3661", "soon"])
  func `so many days are wrong usage`(_ days: String) throws {
    let fixture = try library()
    #expect(try fixture.leaflog("insights", "--days", days).status == 64)
    #expect(try fixture.refusal("insights", "--days", days, status: 64).code == "invalidRequest")
  }
}
