import DiaryModel
import Foundation
import Testing

@Suite struct LocalDayTests {
  @Test(arguments: [
    (1970, 1, 1, 0), (2000, 2, 29, 11_016), (2025, 4, 2, 20_180), (1826, 6, 1, -52_444),
    (1, 1, 1, -719_162), (9999, 12, 31, 2_932_896),
  ])
  func `a civil date and its day number are the same day`(
    year: Int, month: Int, day: Int, number: Int
  ) throws {
    let local = try #require(LocalDay(year: year, month: month, day: day))
    #expect(local.dayNumber == number)
    #expect(local.civil == (year, month, day))
    #expect(LocalDay(local.description) == local)
  }

  @Test func `every day of four hundred years follows the one before`() throws {
    var previous = try #require(LocalDay(year: 1799, month: 12, day: 31))
    for number in (previous.dayNumber + 1)...(previous.dayNumber + 146_097) {
      let civil = LocalDay(dayNumber: number).civil
      let day = try #require(LocalDay(year: civil.year, month: civil.month, day: civil.day))
      #expect(day.dayNumber == number)
      previous = day
    }
  }

  @Test(arguments: [
    "2025-02-29", "1900-02-29", "2025-13-01", "2025-00-10", "2025-04-31", "2025-4-1", "0000-01-01",
    "", "2025-04-02T08:00", "+025-04-02", "２０２５-04-02",
  ])
  func `a text that is no day is refused`(text: String) {
    #expect(LocalDay(text) == nil)
  }

  @Test func `weekdays are ISO 8601's`() throws {
    #expect(try #require(LocalDay("2025-04-02")).weekday == 3)
    #expect(try #require(LocalDay("1970-01-01")).weekday == 4)
    #expect(try #require(LocalDay("1969-12-28")).weekday == 7)
  }

  @Test(arguments: [
    ("2025-04-02", BucketUnit.week, "2025-W14"), ("2024-12-30", .week, "2025-W01"),
    ("2021-01-03", .week, "2020-W53"), ("2025-04-02", .month, "2025-04"),
    ("2025-04-02", .year, "2025"), ("2025-04-02", .day, "2025-04-02"),
  ])
  func `a day lies in its bucket`(day: String, unit: BucketUnit, name: String) throws {
    #expect(unit.bucketName(of: try #require(LocalDay(day))) == name)
  }
}

@Suite struct UTCOffsetTests {
  @Test(arguments: [
    ("Z", 0), ("+00:00", 0), ("+05:30", 19_800), ("-08:00", -28_800), ("+0200", 7200),
    ("-03", -10_800),
    ("+14:00", 50_400), ("-12:00", -43_200),
  ])
  func `offsets are read`(text: String, seconds: Int) {
    #expect(UTCOffset(text)?.seconds == seconds)
  }

  @Test(arguments: ["", "   :", "+5:30", "05:30", "+05:60", "+19:00", "+05:3", "+a5:30", "+05-30"])
  func `a text that is no offset is refused`(text: String) {
    #expect(UTCOffset(text) == nil)
  }

  @Test func `an offset is written as ISO 8601 has it`() {
    #expect(UTCOffset(seconds: 19_800)?.description == "+05:30")
    #expect(UTCOffset(seconds: -28_800)?.description == "-08:00")
    #expect(UTCOffset.utc.description == "Z")
  }
}

@Suite struct EntryTimeTests {
  let berlin = TimeZone(identifier: "Europe/Berlin")!

  private func wall(_ text: String) throws -> LocalDateTime {
    guard case .wall(let wall) = try #require(RecordedTime(text)) else {
      throw CocoaError(.formatting)
    }
    return wall
  }

  @Test func `a wall time keeps its face and takes its place from the library's zone`() throws {
    let time = EntryTime(.wall(try wall("2025-07-01T08:00:00")), in: berlin)
    #expect(time.wall.description == "2025-07-01T08:00:00")
    #expect(LocalDateTime(utc: time.instant).description == "2025-07-01T06:00:00")
    #expect(time.recorded.iso8601 == "2025-07-01T08:00:00")
  }

  @Test func `a recorded offset wins over the library's zone`() throws {
    let time = EntryTime(
      .zoned(try wall("2025-07-01T23:30:00"), try #require(UTCOffset("-07:00"))), in: berlin)
    #expect(time.localDay.description == "2025-07-01")
    #expect(time.recorded.iso8601 == "2025-07-01T23:30:00-07:00")
    #expect(LocalDateTime(utc: time.instant).description == "2025-07-02T06:30:00")
  }

  @Test func `an instant is shown in the library's zone and stays UTC`() throws {
    let instant = try wall("2025-06-30T23:30:00").timestamp(offset: .utc)
    let time = EntryTime(.instant(instant), in: berlin)
    #expect(time.localDay.description == "2025-07-01")
    #expect(time.recorded.iso8601 == "2025-06-30T23:30:00Z")
  }

  @Test func `a wall time that the clocks skip is placed with the offset before`() throws {
    let time = EntryTime(.wall(try wall("2025-03-30T02:30:00")), in: berlin)
    #expect(time.offset.seconds == 3600)
    #expect(time.wall.description == "2025-03-30T02:30:00")
  }

  @Test func `a wall time that comes twice is the first of the two`() throws {
    let time = EntryTime(.wall(try wall("2025-10-26T02:30:00")), in: berlin)
    #expect(time.offset.seconds == 7200)
  }

  @Test func `in the hours before a day ends, a time counts for the day before`() throws {
    for text in [
      "2026-11-25T02:59:59", "2026-11-25T00:00:00-08:00", "2026-11-25T01:30:00+14:00",
    ] {
      let recorded = try #require(RecordedTime(text))
      let time = EntryTime(recorded, in: berlin, dayEnd: 3)
      #expect(time.localDay.description == "2026-11-24" && time.recorded == recorded)
      // Another day, for which it counts as it does for this one.
      let moved = EntryTime(time.on(try #require(LocalDay("2026-01-31"))), in: berlin, dayEnd: 3)
      #expect(moved.localDay.description == "2026-01-31")
      #expect(moved.wall.day.description == "2026-02-01")
    }
    let later = try #require(RecordedTime("2026-11-25T03:00"))
    #expect(EntryTime(later, in: berlin, dayEnd: 3).localDay.description == "2026-11-25")
    let day = try #require(RecordedTime("2026-11-25"))
    #expect(EntryTime(day, in: berlin, dayEnd: 3).localDay.description == "2026-11-25")
  }

  @Test func `the order has each day once, and within a day the moment`() throws {
    let texts = [
      "2026-10-24T23:50:00-10:00", "2026-10-25", "2026-10-25T00:10:00+14:00",
      "2026-10-25T02:30:00+02:00", "2026-10-25T02:15:00+01:00", "2026-10-26T00:00:00+14:00",
    ]
    for zone in ["Etc/GMT+12", "Europe/Berlin", "Pacific/Kiritimati"] {
      let zone = try #require(TimeZone(identifier: zone))
      let times = try texts.map { EntryTime(try #require(RecordedTime($0)), in: zone) }
      #expect(zip(times, times.dropFirst()).allSatisfy { $0.place < $1.place })
    }
  }

  @Test func `the new time of an entry from elsewhere is read as it was there`() throws {
    let there = try #require(TimeZone(identifier: "America/Los_Angeles"))
    let former = EntryTime(.wall(try wall("2026-11-25T09:00:00")), in: berlin)
    let new = EntryTime(
      .wall(try wall("2026-11-25T08:30:00")), replacing: former, in: there, dayEnd: 0)
    #expect(new.offset == former.offset && new.basis == .wall)
    let summer = EntryTime(
      .wall(try wall("2026-07-01T08:30:00")), replacing: former, in: berlin, dayEnd: 0)
    #expect(summer.offset.seconds == 7200)
  }

  @Test(arguments: [
    ("2026-03-01T09:30", "2026-03-01T09:30:00"),
    ("2026-03-01T09:30:15.25Z", "2026-03-01T09:30:15.250Z"),
    ("2026-03-01T09:30+05:30", "2026-03-01T09:30:00+05:30"),
    ("2026-03-01", "2026-03-01"), ("1978-05", "1978-05"), ("1978", "1978"), ("0001", "0001"),
  ])
  func `typed times are read as they are meant`(text: String, iso: String) {
    #expect(RecordedTime(text)?.iso8601 == iso)
  }

  @Test(arguments: [
    "2026-02-30", "2026-03-01T24:00", "2026-03-01T9:30", "2026-03-01T09:30 ", "T09:30",
    "1978-13", "1978-5", "0000", "978", "19780", "1978-", "1978T09:30", "1978-05T09:30",
  ])
  func `a text that is no time is refused`(text: String) {
    #expect(RecordedTime(text) == nil)
  }
}

@Suite struct TokenTests {
  @Test(arguments: [Int64.min, -1, 0, 1, 1_743_574_265_000, .max], [Int64.min, 0, 42, .max])
  func `a cursor survives being written down`(time: Int64, sequence: Int64) {
    for heading in [Cursor.Heading.older, .newer] {
      let instant = Timestamp(milliseconds: time)
      let cursor = Cursor(
        day: LocalDateTime(utc: instant).day, instant: instant, sequence: sequence,
        heading: heading)
      #expect(Cursor(cursor.description) == cursor)
    }
  }

  @Test func `a text that is no cursor is refused`() {
    let cursor = Cursor.time(
      EntryTime(.instant(Timestamp(milliseconds: 1)), in: .gmt), heading: .older)
    for text in [
      "", "2025-04-02", cursor.description + "0", String(cursor.description.dropLast()),
      "u" + cursor.description.dropFirst(),
    ] {
      #expect(Cursor(text) == nil)
    }
  }

  @Test func `a digest survives being written down`() throws {
    let hex = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    let blob = try #require(BlobID(hex: hex))
    #expect(blob.hex == hex)
    #expect(BlobID(bytes: blob.bytes) == blob)
    #expect(EntryID(sourceDigest: blob).description == String(hex.prefix(32)))
    #expect(BlobID(hex: hex.dropLast()) == nil)
    #expect(BlobID(hex: "g" + hex.dropFirst()) == nil)
  }
}

@Suite struct RecordedTimeTests {
  @Test func `every millisecond is read as it is written`() throws {
    let day = try #require(LocalDay("2026-03-01"))
    for millisecond in 0...999 {
      let wall = try #require(
        LocalDateTime(day: day, hour: 9, minute: 30, second: 11, millisecond: millisecond))
      #expect(RecordedTime("\(wall)") == .wall(wall))
    }
  }

  @Test(arguments: [
    "2026-03-01", "2026-03-01T09:30:00", "1890-03-01T09:30:00+00:53:28",
    "2026-03-01T09:30:59.5-03:30", "2026-03-01T09:30:00+14:00",
  ])
  func `times are read as they are written`(text: String) throws {
    let expected = text.replacing(".5", with: ".500")
    #expect(RecordedTime(text)?.iso8601 == expected)
  }

  @Test(arguments: [
    "2026-03-01T09:30:61", "2026-03-01T09:30:1.x", "2026-03-01T09:30:", "2026-03-01T",
    "2026-03-01T09:30:11.", "2026-03-01T09:30+00:53:60", "2026-03-01T09:30:11.1.1",
  ])
  func `a text that is no time is refused`(text: String) {
    #expect(RecordedTime(text) == nil)
  }
}

@Suite struct PartialDateTests {
  private let berlin = TimeZone(identifier: "Europe/Berlin")!

  @Test(
    arguments: [
      ("1978-05-02", "1978-05-02", nil), ("1978-05", "1978-05-01", .month),
      ("1978", "1978-01-01", .year),
    ] as [(String, String, DatePrecision?)])
  func `a date is sorted at its first day and comes back as far as it was known`(
    text: String, firstDay: String, precision: DatePrecision?
  ) throws {
    let recorded = try #require(RecordedTime(text))
    for zone in [berlin, .gmt, try #require(TimeZone(identifier: "America/St_Johns"))] {
      let placed = EntryTime(recorded, in: zone)
      #expect(placed.basis == .day && placed.precision == precision)
      #expect(placed.localDay.description == firstDay && placed.date == text)
      #expect(placed.wall.millisecondOfDay == 0)
      #expect(placed.recorded == recorded)
    }
  }

  @Test func `a time has no precision less than a day`() throws {
    for text in ["2026-03-01T09:30", "2026-03-01T09:30+05:30", "2026-03-01"] {
      #expect(EntryTime(try #require(RecordedTime(text)), in: berlin).precision == nil)
    }
    let instant = Timestamp(milliseconds: 0)
    #expect(
      EntryTime(
        instant: instant, offset: .utc, basis: .wall, day: LocalDateTime(utc: instant).day,
        precision: .year
      ).precision == nil)
  }

  @Test func `a date on another day is that day`() throws {
    let day = try #require(LocalDay("2026-03-01"))
    for text in ["1978-05-02", "1978-05", "1978"] {
      #expect(EntryTime(try #require(RecordedTime(text)), in: berlin).on(day) == .day(day))
    }
  }

  @Test func `a year begins with its first day, leap years too`() throws {
    for (text, year) in [("2024-12-31", "2024-01-01"), ("2023-03-01", "2023-01-01")] {
      let day = try #require(LocalDay(text))
      #expect(CalendarYear(of: day).firstDay.description == year)
      #expect(CalendarYear(of: day) == CalendarYear(year: day.civil.year))
    }
    #expect(CalendarYear(year: 0) == nil && CalendarYear(year: 10_000) == nil)
  }
}

@Suite struct EdgeOfTimeTests {
  static let edges: [Int64] = [.min, .min + 1, -62_135_596_800_000, -1, 0, .max - 1, .max]

  @Test(arguments: edges)
  func `any moment has a place, and it ends there`(milliseconds: Int64) throws {
    let instant = Timestamp(milliseconds: milliseconds)
    for identifier in ["UTC", "Pacific/Apia", "America/St_Johns"] {
      let zone = try #require(TimeZone(identifier: identifier))
      let placed = EntryTime(.instant(instant), in: zone)
      #expect(placed.instant == instant)
      #expect(!placed.wall.description.isEmpty)
      let wall = RecordedTime.wall(LocalDateTime(utc: instant))
      #expect(!EntryTime(wall, in: zone).localDay.description.isEmpty)
    }
    let cursor = Cursor.time(EntryTime(.instant(instant), in: .gmt), heading: .older)
    #expect(Cursor(cursor.description) == cursor)
  }

  @Test(arguments: [Int.min, -1_000_000_000_000, 0, 1_000_000_000_000, .max])
  func `no day is too far to go`(days: Int) {
    let day = LocalDay(dayNumber: days)
    #expect(!day.advanced(by: days).description.isEmpty)
    #expect((1...7).contains(day.advanced(by: days).weekday))
    #expect(!EntryTime(.day(day), in: .gmt).recorded.iso8601.isEmpty)
    for date in [RecordedTime.month(CalendarMonth(of: day)), .year(CalendarYear(of: day))] {
      #expect(!EntryTime(date, in: .gmt).recorded.iso8601.isEmpty)
    }
  }

  @Test func `sums and products stop at the edge`() {
    #expect(Int64.max.addingSaturated(1) == .max)
    #expect(Int64.min.addingSaturated(-1) == .min)
    #expect(Int64.min.subtractingSaturated(1) == .min)
    #expect(Int64.max.subtractingSaturated(-1) == .max)
    #expect(Int64.max.multipliedSaturated(by: -2) == .min)
    #expect(Int64.min.multipliedSaturated(by: -1) == .max)
    #expect(Int64(3).multipliedSaturated(by: -2).addingSaturated(1).subtractingSaturated(2) == -7)
    #expect(Duration.seconds(Int64.max).saturatedMilliseconds == .max)
    #expect(Duration.milliseconds(-1500).saturatedMilliseconds == -1500)
  }
}
