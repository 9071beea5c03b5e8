internal import Reports

/// A calendar that was made.
public struct MadeCalendar: Sendable {
  /// The iCalendar file (RFC 5545).
  public let document: MadeDocument
  /// How many events it has; one that is repeated counts once.
  public let eventCount: Int
}

extension Library {
  /// What there is to be done as a calendar: the reminder at the end of each day, if it is on, and each
  /// activity that is done at intervals, from the day it is due on or, when it is overdue, from today.
  ///
  /// Events keep their identity from one time to the next, so a calendar that imports it again has
  /// nothing twice.
  ///
  /// - Parameters:
  ///   - hasCompletions: whether each day that something was done on is an event as well.
  ///   - now: the time of making, which each event says; this moment, unless given.
  public func calendar(
    today: LocalDay, hasCompletions: Bool = false, now: Timestamp? = nil
  ) throws(LeaflogError) -> MadeCalendar {
    var events: [CalendarEvent] = []
    let reminder = try reminder()
    if reminder.isOn, let event = try dailyReminder(at: reminder.time, today: today) {
      events.append(event)
    }
    events += try activities().compactMap { CalendarEvent($0, today: today) }
    if hasCompletions { events += try entries(of: .completion).compactMap { CalendarEvent($0) } }
    // RFC 5545, 3.6: a calendar has at least one component.
    guard !events.isEmpty else {
      throw .invalid(
        "There is nothing to put into a calendar: the reminder is off, and no activity is due at "
          + "intervals. `leaflog remind set 20:00` turns it on.")
    }
    let calendar = CalendarDocument(name: "Leaflog: \(name)", events: events, stamp: now ?? moment)
    return MadeCalendar(
      document: MadeDocument(bytes: calendar.bytes, missingGlyphCount: 0),
      eventCount: events.count)
  }

  private func dailyReminder(
    at time: String, today: LocalDay
  ) throws(LeaflogError) -> CalendarEvent? {
    guard case .wall(let wall) = RecordedTime("\(today)T\(time)") else { return nil }
    return CalendarEvent.dailyReminder(
      hour: wall.hour, minute: wall.minute, today: today,
      libraryID: try LibraryMarker.read(layout.marker).id)
  }
}
