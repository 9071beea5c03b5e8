import DiaryModel
import Fields
import Foundation
import Leaflog
import TestSupport

/// The ends of the types, and some values that are in no diary.
enum Ends {
  static let ints: [Int] = [.min, -1, 0, 7, 1_000_000, .max]
  static let longs: [Int64] = ints.map(Int64.init)
  static let doubles: [Double] = [-.infinity, -1e300, -1, 0, .nan, 0.5, 1e300, .infinity]
  static let days: [LocalDay] = [.min, -800_000, 0, 2_932_896, 4_000_000, .max].map(
    LocalDay.init(dayNumber:))
  static let months = days.map(CalendarMonth.init(of:))
  static let moments = longs.map(Timestamp.init(milliseconds:))
  static let walls = days.map(LocalDateTime.init(startOf:)) + moments.map(LocalDateTime.init(utc:))
  static let offsets = [-18 * 3600, 0, 18 * 3600].compactMap(UTCOffset.init(seconds:))
  static let times: [RecordedTime] = {
    var times: [RecordedTime] = days.map { .day($0) }
    times += months.map { .month($0) }
    times += days.map { .year(CalendarYear(of: $0)) }
    times += moments.map { .instant($0) }
    times += walls.map { .wall($0) }
    for wall in walls { times += offsets.map { .zoned(wall, $0) } }
    return times
  }()
  static let durations: [Duration] = [
    .seconds(Int64.min), .zero, .nanoseconds(1), .seconds(Int64.max),
  ]
}

/// Calls a function with each value. It may refuse some.
func each<Value>(_ values: [Value], _ body: (Value) throws -> Void) throws {
  for value in values {
    do { try body(value) } catch {
      guard error is LeaflogError || error is InvalidValue else { throw error }
    }
  }
}

extension ExtremeArgumentTests {
  /// Values that are only made, and what is computed of them.
  static let values: [String: Call] = [
    "AccessGrant.init(_:until:)": { _ in
      try each(Ends.days) { _ = AccessGrant(AccessScope(.send), until: $0) }
    },
    "Activity.daysSince(on:)": { given in
      try each(Ends.days) { _ = given.activity.daysSince(on: $0) }
    },
    "Activity.isDue(on:)": { given in try each(Ends.days) { _ = given.activity.isDue(on: $0) } },
    "ActivityDetails.init(name:emoji:category:startFrom:notes:everyDays:weeklyGoal:monthlyGoal:iconName:)":
      { given in
        let start = given.library.today
        try each(Ends.ints) { count in
          try each([
            ActivityDetails(name: "a\(count)", startFrom: start, everyDays: count),
            ActivityDetails(name: "b\(count)", startFrom: start, weeklyGoal: count),
            ActivityDetails(name: "c\(count)", startFrom: start, monthlyGoal: count),
          ]) { details in
            let added = try given.activities.add(details)
            try each(Ends.days) { _ = added.isDue(on: $0) }
          }
        }
        try each(Ends.days) {
          _ = try given.activities.add(ActivityDetails(name: "d\($0)", startFrom: $0))
        }
      },
    "Bucket.init(name:count:)": { _ in try each(Ends.ints) { _ = Bucket(name: "", count: $0) } },
    "CommitPosition.init(line:number:)": { given in
      try each(Ends.ints) {
        let position = CommitPosition(number: $0)
        _ = position.description
        _ = try given.library.history.commits(after: position, limit: 1)
      }
    },
    "DayTally.init(day:plant:isPhoto:count:)": { _ in
      try each(Ends.ints) {
        _ = DayTally(day: Ends.days[0], plant: nil, isPhoto: true, count: $0)
      }
    },
    "Episode.init(endDay:type:symptoms:severity:mucus:worstTime:medications:doctorVisit:testResult:)":
      { given in
        let today = given.library.today
        try each(Ends.ints) {
          _ = try given.diary.addEpisode(Episode(type: .sinus, severity: $0), from: today)
        }
        try each(Ends.days) {
          _ = try given.diary.addEpisode(Episode(endDay: $0, type: .sinus), from: today)
        }
      },
    "Episode.days(from:)": { _ in
      try each(Ends.days) { end in
        for start in Ends.days {
          let days = Episode(endDay: end, type: .cold).days(from: start)
          _ = days.contains(start)
        }
      }
    },
    "EpisodeDays.init(first:last:)": { _ in
      try each(Ends.days) { first in
        for last in Ends.days { _ = EpisodeDays(first: first, last: last).contains(first) }
      }
    },
    "EpisodeDays.contains(_:)": { _ in
      try each(Ends.days) { _ = EpisodeDays(first: $0, last: nil).contains($0) }
    },
    "FactorDetails.init(name:kind:unit:range:step:choices:isHidden:)": { given in
      for (number, value) in Ends.doubles.enumerated() where !value.isNaN {
        for step in [nil, Double.nan, value, 0.5] {
          try each([0...value.magnitude, value...value]) {
            _ = try given.library.factors.add(
              FactorDetails(name: "f\(number)", kind: .number, range: $0, step: step))
          }
        }
      }
    },
    "LogFieldSummary.perSevenDays(_:)": { given in
      let insights = try given.library.insights.compute(days: 90, today: given.library.today)
      for field in insights.logs.fields { try each(Ends.ints) { _ = field.perSevenDays($0) } }
    },
    "PhotoStack.init(days:plant:)": { given in
      for first in Ends.days {
        try each(Ends.days.filter { $0 >= first }) {
          _ = try given.library.timeline.entries(
            TimelineQuery(), stacking: [PhotoStack(days: first...$0)], limit: 10)
        }
      }
    },
    "PixelSize.init(width:height:)": { _ in
      try each(Ends.ints) { width in
        for height in Ends.ints { _ = PixelSize(width: width, height: height).pixelCount }
      }
    },
    "Rendition.init(role:blob:byteCount:mediaType:size:recipe:)": { given in
      let blob = try given.library.photos.find(matching: "\(given.photo)").renditions[0].blob
      try each(Ends.ints) {
        _ = Rendition(
          role: .original, blob: blob, byteCount: $0, mediaType: "",
          size: PixelSize(width: $0, height: $0), recipe: "")
      }
    },
    "Severity.init(_:label:)": { _ in try each(Ends.doubles) { _ = try Severity($0).description } },
    "Thinning.init(count:per:)": { _ in try each(Ends.ints) { _ = Thinning(count: $0, per: .week) }
    },
  ]

  static let times: [String: Call] = [
    "CalendarMonth.init(of:)": { _ in
      try each(Ends.months) { _ = ($0.days, $0.lastDay, $0.description) }
    },
    "CalendarMonth.init(year:month:)": { _ in
      try each(Ends.ints) { year in
        for month in Ends.ints { _ = CalendarMonth(year: year, month: month) }
      }
    },
    "CalendarMonth.weeks(from:)": { _ in
      try each(Ends.months) { month in for first in Ends.ints { _ = month.weeks(from: first) } }
    },
    "CalendarYear.init(of:)": { _ in try each(Ends.days) { _ = CalendarYear(of: $0).description } },
    "CalendarYear.init(year:)": { _ in try each(Ends.ints) { _ = CalendarYear(year: $0) } },
    "CaptureTime.init(recorded:source:)": { _ in
      try each(Ends.times) { _ = CaptureTime(recorded: $0, source: .exif) }
    },
    "EntryTime.init(_:in:dayEnd:)": { _ in
      for zone in [TimeZone.gmt, TimeZone(identifier: "Europe/Berlin") ?? .gmt] {
        try each(Ends.times) { time in
          for end in Ends.ints {
            let placed = EntryTime(time, in: zone, dayEnd: end)
            _ = (placed.wall.description, placed.recorded.iso8601, placed.date)
          }
        }
      }
    },
    "EntryTime.on(_:)": { _ in
      try each(Ends.times) { time in
        for day in Ends.days { _ = EntryTime(time, in: .gmt).on(day).iso8601 }
      }
    },
    "LibraryTime.recorded(_:)": { given in
      try each(Ends.moments) { _ = given.library.recorded($0).iso8601 }
    },
    "LocalDateTime.init(day:hour:minute:second:millisecond:)": { _ in
      try each(Ends.ints) {
        _ = LocalDateTime(day: Ends.days[0], hour: $0, minute: $0, second: $0, millisecond: $0)
      }
    },
    "LocalDateTime.init(startOf:)": { _ in try each(Ends.walls) { _ = $0.description } },
    "LocalDateTime.init(utc:)": { _ in
      try each(Ends.moments) { _ = LocalDateTime(utc: $0).description }
    },
    "LocalDateTime.timestamp(offset:)": { _ in
      try each(Ends.walls) { wall in
        for offset in Ends.offsets { _ = wall.timestamp(offset: offset) }
      }
    },
    "LocalDay.advanced(by:)": { _ in
      try each(Ends.days) { day in
        for count in Ends.ints { _ = day.advanced(by: count).description }
      }
    },
    "LocalDay.daysAgo(on:)": { _ in
      try each(Ends.days) { day in for other in Ends.days { _ = day.daysAgo(on: other) } }
    },
    "LocalDay.init(dayNumber:)": { _ in try each(Ends.days) { _ = ($0.description, $0.weekday) } },
    "LocalDay.init(year:month:day:)": { _ in
      try each(Ends.ints) { number in
        for other in Ends.ints { _ = LocalDay(year: number, month: other, day: number) }
      }
    },
    "LocalDay.week(from:)": { _ in
      try each(Ends.days) { day in for first in Ends.ints { _ = day.week(from: first) } }
    },
    "TimeZone.offset(at:)": { _ in
      try each(Ends.moments) { _ = TimeZone(identifier: "Europe/Berlin")?.offset(at: $0) }
    },
    "TimeZone.offset(atWall:)": { _ in
      try each(Ends.walls) { _ = TimeZone(identifier: "Europe/Berlin")?.offset(atWall: $0) }
    },
    "Timestamp.init(milliseconds:)": { _ in
      try each(Ends.moments) { _ = LocalDateTime(utc: $0).hour }
    },
    "UTCOffset.init(seconds:)": { _ in
      try each(Ends.ints) { _ = UTCOffset(seconds: $0)?.description }
    },
  ]
}
