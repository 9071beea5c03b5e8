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
