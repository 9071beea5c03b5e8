package import DiaryModel

/// An event in a calendar.
package struct CalendarEvent: Sendable, Hashable {
  package enum Start: Sendable, Hashable {
    /// The whole day.
    case day(LocalDay)
    /// A time of day in whatever zone the reader is ("floating").
    case wall(LocalDateTime)
  }

  /// The time of an alarm, relative to the start, which is midnight for whole days.
  package struct Alarm: Sendable, Hashable {
    package let minutes: Int

    package init(minutes: Int) { self.minutes = minutes }

    /// A duration (section 3.3.6).
    fileprivate var duration: String {
      minutes == 0 ? "PT0S" : minutes % 60 == 0 ? "PT\(minutes / 60)H" : "PT\(minutes)M"
    }
  }

  /// The same in every export, so that importing it again replaces the event.
  package let uid: String
  package let start: Start
  package let summary: String
  package var notes: String?
  package var category: String?
  /// The interval of repetition in days; nil for a single event.
  package var everyDays: Int?
  package var alarm: Alarm?

  package init(
    uid: String, start: Start, summary: String, notes: String? = nil, category: String? = nil,
    everyDays: Int? = nil, alarm: Alarm? = nil
  ) {
    self.uid = uid
    self.start = start
    self.summary = summary
    self.notes = notes
    self.category = category
    self.everyDays = everyDays
    self.alarm = alarm
  }

  /// The event's lines (RFC 5545, section 3.6.1).
  func lines(stamp: Timestamp) -> [ContentLine] {
    var lines = [
      ContentLine("BEGIN", "VEVENT"), .text("UID", uid),
      ContentLine("DTSTAMP", LocalDateTime(utc: stamp).basicFormat + "Z"),
    ]
    switch start {
    case .day(let day):
      lines.append(ContentLine("DTSTART", day.basicFormat, parameters: [("VALUE", "DATE")]))
    case .wall(let wall):
      lines += [ContentLine("DTSTART", wall.basicFormat), ContentLine("DURATION", "PT5M")]
    }
    if let everyDays { lines.append(ContentLine("RRULE", "FREQ=DAILY;INTERVAL=\(everyDays)")) }
    lines.append(.text("SUMMARY", summary))
    if let notes { lines.append(.text("DESCRIPTION", notes)) }
    if let category { lines.append(.text("CATEGORIES", category)) }
    lines.append(ContentLine("TRANSP", "TRANSPARENT"))  // does not count as busy time
    if let alarm {
      lines += [
        ContentLine("BEGIN", "VALARM"), ContentLine("ACTION", "DISPLAY"),
        ContentLine("TRIGGER", alarm.duration),
        .text("DESCRIPTION", summary), ContentLine("END", "VALARM"),
      ]
    }
    return lines + [ContentLine("END", "VEVENT")]
  }
}

extension LocalDay {
  /// `20260301`
  fileprivate var basicFormat: String {
    let (year, month, day) = civil
    return padded(year, 4) + padded(month, 2) + padded(day, 2)
  }
}

extension LocalDateTime {
  /// `20260301T093000`
  fileprivate var basicFormat: String {
    "\(day.basicFormat)T\(padded(hour, 2))\(padded(minute, 2))\(padded(second, 2))"
  }
}
