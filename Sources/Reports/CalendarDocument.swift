package import DiaryModel

/// An iCalendar file (RFC 5545).
package struct CalendarDocument: Sendable {
  package let name: String
  package let events: [CalendarEvent]
  /// When the file is made; part of each event.
  package let stamp: Timestamp

  package init(name: String, events: [CalendarEvent], stamp: Timestamp) {
    self.name = name
    self.events = events
    self.stamp = stamp
  }

  /// The file in UTF-8, with CR LF line endings.
  package var bytes: [UInt8] {
    let head = [
      ContentLine("BEGIN", "VCALENDAR"), ContentLine("VERSION", "2.0"),
      ContentLine("PRODID", "-//Leaflog//Leaflog//EN"), ContentLine("CALSCALE", "GREGORIAN"),
      // `NAME` is RFC 7986's; most programs read the older X-WR-CALNAME.
      .text("NAME", name), .text("X-WR-CALNAME", name),
    ]
    let lines =
      head + events.flatMap { $0.lines(stamp: stamp) } + [ContentLine("END", "VCALENDAR")]
    return lines.flatMap { $0.folded() }
  }
}

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

extension String {
  /// The summary of an event of a plant: `💧 Water · basil`.
  fileprivate func beside(_ plant: PlantReference?) -> String {
    plant.map { "\(self) · \($0.name.isolated)" } ?? self
  }
}

extension CalendarEvent {
  /// A daily reminder at a time of day, from `today` on; nil for an invalid time.
  ///
  /// - Parameters:
  ///   - notes: the event's description.
  ///   - libraryID: the library's id, so that reminders of several libraries fit into one calendar.
  package static func dailyReminder(
    hour: Int, minute: Int, today: LocalDay, notes: String, libraryID: String
  ) -> CalendarEvent? {
    LocalDateTime(day: today, hour: hour, minute: minute).map { time in
      CalendarEvent(
        uid: "reminder-\(libraryID)@leaflog", start: .wall(time), summary: "How was today?",
        notes: notes, everyDays: 1,
        alarm: Alarm(minutes: 0))
    }
  }

  /// The recurring event for an activity, from the day it is due, or from today if it is overdue. Nil when
  /// it has no interval or was deleted.
  package init?(_ activity: Activity, today: LocalDay) {
    guard activity.deletedAt == nil, let due = activity.dueDay,
      let everyDays = activity.details.everyDays
    else { return nil }
    let name = "\(activity.details.emoji) \(activity.name.isolated)"
    self.init(
      uid: "activity-\(activity.id)@leaflog", start: .day(max(due, today)),
      summary: name.beside(activity.plant), notes: activity.details.notes,
      category: activity.details.category, everyDays: everyDays,
      alarm: Alarm(minutes: Self.morning))
  }

  /// The completion of an activity, or an entry of another kind but a photo, on its day. Nil for a photo, and in the
  /// trash.
  package init?(_ entry: Entry) {
    guard let summary = entry.content.isolated.summary, entry.deletedAt == nil else { return nil }
    let mark = if case .completion = entry.content { "✓ " } else { "" }
    self.init(
      uid: "\(entry.kind.rawValue)-\(entry.id)@leaflog", start: .day(entry.time.localDay),
      summary: "\(mark)\(summary)".beside(entry.plant), notes: entry.notes)
  }

  /// The time of the alarm for an activity, in minutes after midnight.
  private static let morning = 9 * 60
}

/// A line of an iCalendar file (RFC 5545).
struct ContentLine {
  /// In capitals.
  let name: String
  var parameters: [(name: String, value: String)] = []
  /// The value as written to the file; `text` escapes plain text.
  let value: String

  init(_ name: String, _ value: String, parameters: [(name: String, value: String)] = []) {
    self.name = name
    self.value = value
    self.parameters = parameters
  }

  /// A line with a text value (section 3.3.11): backslashes, semicolons and commas are escaped, line
  /// breaks are written as `\n`, and control characters other than tabs are dropped.
  static func text(_ name: String, _ text: String) -> ContentLine {
    var value = ""
    // Scalar by scalar, as CR LF is a single character.
    var previous: Unicode.Scalar = " "
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\", ";", ",": value += "\\\(scalar)"
      case "\n" where previous == "\r": break  // its CR was written
      case "\n", "\r", "\u{2028}", "\u{2029}", "\u{85}": value += "\\n"
      case "\t": value += "\t"
      case _ where scalar.properties.generalCategory == .control: break
      default: value.unicodeScalars.append(scalar)
      }
      previous = scalar
    }
    return ContentLine(name, value)
  }

  /// The line folded to at most 75 octets without the line ending (section 3.1); longer ones continue
  /// in lines that begin with a space. The bytes of a scalar stay together.
  func folded() -> [UInt8] {
    let head = ([name] + parameters.map { "\($0.name)=\($0.value)" }).joined(separator: ";")
    var bytes: [UInt8] = []
    var lineLength = 0
    for scalar in "\(head):\(value)".unicodeScalars {
      let encoded = UTF8.encode(scalar).map(Array.init) ?? []
      if lineLength + encoded.count > 75 {
        bytes += [0x0D, 0x0A, 0x20]
        lineLength = 1
      }
      bytes += encoded
      lineLength += encoded.count
    }
    return bytes + [0x0D, 0x0A]
  }
}
