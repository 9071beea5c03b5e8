import DiaryModel
import Fields
import Foundation
import Testing

/// The ranges and rules of what a diary holds.
@Suite struct DiaryValueTests {
  private func day(_ text: String) throws -> LocalDay { try #require(LocalDay(text)) }

  @Test(
    arguments: [
      ("1", 1.0, nil), ("5", 5.0, nil), ("mild", 1.0, "mild"), ("Moderate", 3.0, "moderate"),
      ("SEVERE", 5.0, "severe"),
    ] as [(String, Double, String?)])
  func `a severity is a number or a label`(text: String, value: Double, label: String?) throws {
    let severity = try SeverityScales.standard.severity(text)
    #expect(severity.value == value)
    #expect(severity.label == label)
  }

  @Test(arguments: ["0", "6", "3.5", "-1", "bad", ""])
  func `another severity is refused with what there is`(text: String) throws {
    let error = #expect(throws: InvalidValue.self) { try SeverityScales.standard.severity(text) }
    #expect(error?.description.contains("1 to 5, or mild, moderate, severe") == true)
    #expect(error?.given == text)
  }

  @Test func `labels of one's own are spread over the scale`() throws {
    let scales = try SeverityScales("faint, clear , strong, unbearable;low,high")
    #expect(scales.text == "faint, clear, strong, unbearable; low, high")
    #expect(try scales.severity("clear").value == 2.33)
    #expect(try scales.severity("unbearable").value == 5)
    #expect(try scales.severity("low").value == 1)
    #expect(try scales.severity("4").value == 4)
  }

  @Test(arguments: [
    ("", "2 to 11 labels"), ("one", "2 to 11 labels"), ("a,,b", "2 to 11 labels"),
    ("a,b,c,d,e,f,g,h,i,j,k,l", "2 to 11 labels"), ("a,A", "“a” occurs twice"),
    ("a,b;b,c", "“b” occurs twice"), ("low,2", "“2/10” instead of “2”"),
  ])
  func `a scale that cannot be told apart is refused with the rule that it breaks`(
    text: String, rule: String
  ) {
    let error = #expect(throws: InvalidValue.self) { try SeverityScales(text) }
    #expect(error?.description.contains(rule) == true, "\(error?.description ?? "")")
  }

  @Test func `a scale from 0 to 10 has labels that are no numbers`() throws {
    let scales = try SeverityScales((0...10).map { "\($0)/10" }.joined(separator: ", "))
    #expect(try scales.severity("0/10").value == 1)
    #expect(try scales.severity("10/10").value == 5)
  }

  @Test(arguments: [
    ("sleepHours", "12.25", "0 to 12 in steps of 0.25"),
    ("sleepHours", "7.3", "0 to 12 in steps of 0.25"),
    ("sleepHours", "-0.25", "0 to 12 in steps of 0.25"), ("sleepQuality", "0", "1 to 5"),
    ("stress", "6", "1 to 5"), ("exerciseMinutes", "301", "0 to 300"),
    ("exerciseMinutes", "-1", "0 to 300"),
  ])
  func `a log's value out of range names the field, the range and what was given`(
    field: String, value: String, range: String
  ) throws {
    let text = "{\"\(field)\": \(value)}"
    let error = #expect(throws: InvalidValue.self) {
      try DailyLog.fields.read(JSONNode(parsing: Array(text.utf8)))
    }
    #expect(error?.descriptionInFile == "\(field) takes \(range), not \(value).")
    #expect(error?.description.hasSuffix(" must be \(range), not \(value).") == true)
    #expect(error?.description.contains(field) == false)
  }

  @Test func `the ends of a log's ranges are in them`() throws {
    var log = DailyLog()
    for hours in [0, 0.25, 7.75, 12] {
      log.sleepHours = hours
      #expect(try DailyLog.fields.checked(log) == log)
    }
    for minutes in [0, 300] {
      log.exerciseMinutes = minutes
      #expect(try DailyLog.fields.checked(log) == log)
    }
    #expect(try DailyLog.fields.checked(DailyLog()) == DailyLog())
  }

  @Test func `an episode's duration counts both days`() throws {
    let first = try day("2028-02-27")
    #expect(EpisodeDays(first: first, last: first).count == 1)
    #expect(EpisodeDays(first: first, last: try day("2028-03-01")).count == 4)  // a leap year
    #expect(EpisodeDays(first: try day("2027-02-27"), last: try day("2027-03-01")).count == 3)
    #expect(EpisodeDays(first: first, last: nil).count == nil)
    // Over both changes of daylight saving time.
    #expect(EpisodeDays(first: try day("2026-03-28"), last: try day("2026-03-30")).count == 3)
    #expect(EpisodeDays(first: try day("2026-10-24"), last: try day("2026-10-26")).count == 3)
  }

  @Test(
    arguments: [
      ("2026-03-01", "2026-03-05", "2026-03-05", "2026-03-08", true),  // ends as the other starts
      ("2026-03-01", "2026-03-05", "2026-03-06", "2026-03-08", false),
      ("2026-03-01", "2026-03-09", "2026-03-03", "2026-03-04", true),
      ("2026-03-01", nil, "2026-05-01", nil, true),
      ("2026-03-01", nil, "2026-02-01", "2026-02-28", false),
      ("2026-03-01", nil, "2026-02-01", "2026-03-01", true),
    ] as [(String, String?, String, String?, Bool)])
  func `episodes overlap where they share a day`(
    first: String, last: String?, otherFirst: String, otherLast: String?, overlaps: Bool
  ) throws {
    let one = EpisodeDays(first: try day(first), last: try last.map(day))
    let other = EpisodeDays(first: try day(otherFirst), last: try otherLast.map(day))
    #expect(one.overlaps(other) == overlaps)
    #expect(other.overlaps(one) == overlaps)
  }

  @Test func `an unknown symptom of an episode names the known ones`() {
    let error = #expect(throws: InvalidValue.self) {
      try Episode.Sign.named("itch", field: "symptom")
    }
    #expect(
      error?.description
        == "Symptom must be cough, sore throat, runny nose, sneezing, fever, fatigue, body aches or "
        + "headache, not itch.")
    #expect((try? Episode.Sign.named("sore throat", field: "")) == .soreThroat)
    #expect((try? Episode.Sign.named("Body-Aches", field: "")) == .bodyAches)
  }

  @Test(arguments: ["🌱", "👩🏽‍🌾", "🇩🇪", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "❤️", "☀", "1️⃣", "👨‍👩‍👧‍👦"])
  func `any grapheme that is an emoji is one`(text: String) { #expect(text.isOneEmoji) }

  @Test(arguments: ["", "a", "1", "#", "🌱🌱", "é", "🇩", " ", "ab"])
  func `anything else is none`(text: String) { #expect(!text.isOneEmoji) }

  @Test func `there are nine moods and more, each with an emoji of its own`() {
    #expect(Mood.allCases.count >= 9)
    #expect(Mood.allCases.prefix(3) == [.happy, .okay, .sad])
    #expect(Set(Mood.allCases.map(\.emoji)).count == Mood.allCases.count)
    for mood in Mood.allCases { #expect(mood.emoji.isOneEmoji) }
  }

  @Test func `every content comes back from JSON as it was`() throws {
    func check<Thing: Fielded & Equatable>(_ thing: Thing) throws {
      let node = try JSONNode(parsing: Thing.fields.json(thing))
      #expect(try Thing.fields.read(node) == thing)
      #expect(Patch<Thing>().applied(to: thing) == thing)
      #expect(try Patch<Thing>(node, named: "").applied(to: .blank) == thing)
    }
    for content in DiarySamples.contents {
      switch content {
      case .symptom(let symptom): try check(symptom)
      case .dailyLog(let log): try check(log)
      case .episode(let episode): try check(episode)
      case .quote(let quote): try check(quote)
      case .photo, .mood, .completion: break
      }
    }
  }

  /// A stored property without a field would be lost in every form.
  @Test func `every property of a thing has its field`() {
    func properties(_ thing: Any) -> Set<String> {
      Set(Mirror(reflecting: thing).children.compactMap(\.label))
    }
    #expect(properties(ActivityDetails.blank) == Set(ActivityDetails.fields.names))
    #expect(properties(DailyLog.blank) == Set(DailyLog.fields.names))
    #expect(properties(Episode.blank) == Set(Episode.fields.names))
    #expect(properties(PlantDetails.blank) == Set(PlantDetails.fields.names))
    #expect(properties(Quote.blank) == Set(Quote.fields.names))
    #expect(
      properties(Symptom.blank).union(["severityLabel"]) == Set(Symptom.fields.names))
  }
}

/// One of each kind, with all its fields.
enum DiarySamples {
  static let contents: [EntryContent] = {
    var log = DailyLog()
    (log.sleepHours, log.sleepQuality, log.stress) = (7.25, 4, 2)
    (log.exerciseMinutes, log.exerciseType, log.sugar) = (30, .yoga, .medium)
    (log.alcohol, log.officeDay, log.sickContact, log.humidifier) = (.some, true, false, true)
    guard let severity = try? Severity(2.33, label: "clear"), let mild = try? Severity(1) else {
      preconditionFailure("2.33 and 1 are severities")
    }
    return [
      .symptom(
        Symptom(name: "headache", severity: severity, medications: ["tea", "a, b; c"])),
      .symptom(Symptom(name: "Übelkeit 🤢", severity: mild)),
      .dailyLog(log), .dailyLog(DailyLog()), .mood(.grateful),
      .episode(
        Episode(
          endDay: LocalDay("2026-03-08"), type: .cold, symptoms: [.cough, .soreThroat], severity: 3,
          mucus: .yellow, worstTime: .allDay, medications: ["honey"], doctorVisit: "Dr. Moss",
          testResult: "negative")),
      .episode(Episode(type: .other)),
      .quote(
        Quote(
          id: QuoteID(stored: "b7"), text: "Grow.", author: "A", source: nil, origin: .bundled)),
    ].compactMap { $0 }
  }()
}
