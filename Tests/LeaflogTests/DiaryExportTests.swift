import Foundation
import Leaflog
import TestSupport
import Testing

@Suite struct DiaryExportTests {
  @Test func `out, in and out again is the same byte for byte`() throws {
    let fixture = try ExchangeFixture()
    try fixture.readFixture("diary-1.json")
    let text = try String(contentsOfFile: Fixtures.path("Diary/diary-1.json"), encoding: .utf8)
    #expect(try fixture.json() == text)
    let other = try ExchangeFixture()
    try other.read(text)
    #expect(try other.json() == text)
  }

  @Test func `entries that were logged here come back too`() throws {
    let fixture = try ExchangeFixture()
    for time in ["2026-03-01T09:30", "2026-03-01", "2026-03-01T09:30:59.009+01:00"] {
      _ = try fixture.library.diary.addSymptom(
        Symptom(name: "itch", severity: Severity(2.5)), at: RecordedTime(time), notes: "at " + time,
        confirmed: [.late])
    }
    let gone = try fixture.library.diary.addSymptom(Symptom(name: "ache", severity: Severity(1)))
    try fixture.library.diary.delete([gone.id], of: .symptom)
    let plant = try fixture.library.plants.add(PlantDetails(name: "Fern", location: "hall"))
    _ = plant
    let text = try fixture.json()
    let other = try ExchangeFixture()
    let report = try other.read(text)
    #expect(report.added == [.entry(.symptom): 4, .plant: 1])
    #expect(try other.json() == text)
    #expect(try other.library.diary.entry(gone.id, of: .symptom).deletedAt != nil)
  }

  @Test func `tags of every kind come back from JSON and from each table`() throws {
    let fixture = try ExchangeFixture()
    let library = fixture.library
    let tags = ["Häufig", "a, b; c", "\"q\""]
    let day = try #require(LocalDay("2026-03-01"))
    _ = try library.diary.addSymptom(
      Symptom(name: "itch", severity: Severity(2)), at: .day(day), tags: tags, confirmed: [.late])
    _ = try library.diary.setDailyLog(on: day, tags: tags) { $0.stress = 2 }
    _ = try library.diary.setMood(.calm, on: day, tags: tags)
    _ = try library.diary.addEpisode(Episode(endDay: day, type: .cold), from: day, tags: tags)
    _ = try library.quotes.favourite(library.quotes.find(matching: "b1"), tags: tags)
    let activity = try library.activities.add(ActivityDetails(name: "yoga", startFrom: day))
    _ = try library.activities.complete(activity.id, on: [day], tags: tags)
    let json = try fixture.json()
    let other = try ExchangeFixture()
    try other.read(json)
    #expect(try other.json() == json)
    for table in DiaryCSV.ofDiary where table != .activity {
      let third = try ExchangeFixture()
      try third.read(fixture.csv(.activity), as: "activities.csv")
      let text = try fixture.csv(table)
      try third.read(text, as: "table.csv")
      #expect(try third.csv(table) == text)
      let entries = try third.library.timeline.page().elements
      #expect(entries.map(\.tags) == [tags], "\(table)")
    }
  }

  @Test func `an empty diary is a whole document`() throws {
    #expect(
      try ExchangeFixture().json() == """
        {
          "activities" : [],
          "entries" : [],
          "format" : "leaflog-diary",
          "plants" : [],
          "quotes" : [],
          "settings" : {},
          "timeZone" : "Europe/Berlin",
          "version" : 1
        }

        """)
  }

  @Test func `photos stay out, and their plants come along`() async throws {
    let fixture = try ExchangeFixture()
    _ = try await fixture.base.run([Fixtures.path("Photos/basil")])
    let json = try fixture.json()
    #expect(json.contains("\"entries\" : []"))
    #expect(json.contains("\"name\" : \"basil\""))
    // A plant in the trash that only photos refer to stays out.
    try fixture.library.plants.delete(fixture.library.plants.find(matching: "basil").id)
    #expect(try fixture.json().contains("\"plants\" : []"))
  }

  @Test func `tables have their columns, in quotes what is text`() throws {
    let fixture = try ExchangeFixture()
    try fixture.readFixture("diary-1.json")
    #expect(
      try fixture.csv(.dailyLog)
        == [
          "id,day,sleepHours,sleepQuality,stress,exerciseMinutes,exerciseType,sugar,alcohol,"
            + "officeDay,sickContact,humidifier,tags,plant,notes",
          "\"\(ExchangeFixture.id(6))\",2025-03-02,7.25,4,2,30,\"walk\",\"low\",\"none\",yes,no,yes,,,"
            + "\"a day\"",
          "\"\(ExchangeFixture.id(7))\",2025-03-03,,,,,,,,,,,,,", "",
        ].joined(separator: "\r\n"))
    #expect(
      try fixture.csv(.mood)
        == "id,day,mood,tags,plant,notes\r\n"
        + "\"\(ExchangeFixture.id(11))\",2025-03-02,\"happy\",,,\r\n")
    #expect(
      try fixture.csv(.episode).contains(
        "2025-03-04,2025-03-08,\"cold\",\"cough; soreThroat; bodyAches\",3,\"clear\",\"allDay\","
          + "\"tea\\; honey\",\"2025-03-05, Dr. “X”\",\"negative\",,,\r\n"))
    #expect(
      try fixture.csv(.symptom).contains(
        ",2025-03-01,\"headache\",3,\"moderate\",\"ibuprofen; 007\","
          + "\"pain; a\\; b\\\\; \"\"quoted\"\"\",,\"'=1+1\"\r\n"))
  }

  @Test func `a span of days leaves the others out, and the trash is out anyway`() throws {
    let fixture = try ExchangeFixture()
    try fixture.readFixture("diary-1.json")
    func count(_ table: DiaryCSV, _ first: String?, _ last: String?) throws -> Int {
      try CSVTable(Array(fixture.csv(table, from: first, to: last).utf8)).records.count
    }
    #expect(try count(.symptom, nil, nil) == 5)
    #expect(try count(.symptom, "2025-03-02", nil) == 1)
    #expect(try count(.symptom, nil, "2025-03-01") == 4)
    #expect(try count(.completion, "2024-02-07", "2024-02-07") == 1)
    #expect(try count(.dailyLog, nil, nil) == 2)
    #expect(try count(.quote, nil, nil) == 1)
    #expect(try count(.activity, nil, nil) == 2)
  }

  @Test func `all tables in one folder, over those of before`() throws {
    let fixture = try ExchangeFixture()
    try fixture.readFixture("diary-1.json")
    try fixture.base.folder.write(Data("old".utf8), to: "tables/moods.csv")
    let summary = try DiaryExporter(fixture.library).writeCSV(
      intoFolder: fixture.base.folder.file("tables"))
    #expect(summary.rowCounts?[.symptom] == 5)
    #expect(summary.entryCount == 14)
    let names = DiaryCSV.ofDiary.map(\.fileName).sorted()
    #expect(fixture.base.folder.files(below: "tables") == names)
    for table in DiaryCSV.ofDiary {
      let path = fixture.base.folder.file("tables/" + table.fileName)
      let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
      #expect(try text == "\u{FEFF}" + fixture.csv(table))
    }
  }

  @Test func `tables are read back, and are the same tables again`() throws {
    let fixture = try ExchangeFixture()
    try fixture.readFixture("diary-1.json")
    let other = try ExchangeFixture()
    for table in DiaryCSV.ofDiary.reversed() where table != .completion {
      try other.read(fixture.csv(table), as: table.fileName)
      #expect(try other.csv(table) == fixture.csv(table))
    }
    // Of the completions one belongs to an activity in the trash, which tables leave out.
    let completions = try fixture.csv(.completion).split(separator: "\r\n")
      .filter { !$0.contains("2024-02-07") }.joined(separator: "\r\n")
    try other.read(completions, as: "completions.csv")
    #expect(try other.csv(.completion) == completions + "\r\n")
    // And what is there already is known again.
    let report = try other.read(fixture.csv(.symptom), as: "symptoms.csv")
    #expect(report.added.isEmpty && report.present == [.entry(.symptom): 5])
  }
}
