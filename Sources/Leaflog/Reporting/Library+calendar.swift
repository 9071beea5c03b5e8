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
  /// What the reminder does not look at is left out.
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
    if reminder.isOn, let event = try dailyReminder(reminder, today: today) {
      events.append(event)
    }
    if reminder.parts.contains(.activities) {
      events += try activities().compactMap { CalendarEvent($0, today: today) }
    }
    if hasCompletions { events += try entries(of: .completion).compactMap { CalendarEvent($0) } }
    // RFC 5545, 3.6: a calendar has at least one component.
    guard !events.isEmpty else {
      throw .invalid(
        "There is nothing to put into a calendar: no reminder of symptoms, the log or the mood, and "
          + "no activity that is due at intervals.")
    }
    let calendar = CalendarDocument(name: "Leaflog: \(name)", events: events, stamp: now ?? moment)
    return MadeCalendar(
      document: MadeDocument(bytes: calendar.bytes, missingGlyphCount: 0),
      eventCount: events.count)
  }

  /// Nil where there is nothing to write down at the end of a day: activities have events of their own.
  private func dailyReminder(
    _ reminder: Reminder, today: LocalDay
  ) throws(LeaflogError) -> CalendarEvent? {
    let things: [String] = [ReminderPart.symptoms, .log, .mood].filter(reminder.parts.contains)
      .map { part in
        switch part {
        case .log: "the day’s log"
        case .mood: "the mood"
        default: part.rawValue
        }
      }
    guard let last = things.last,
      case .wall(let wall) = RecordedTime("\(today)T\(reminder.time)")
    else { return nil }
    let first = things.dropLast().joined(separator: ", ")
    return CalendarEvent.dailyReminder(
      hour: wall.hour, minute: wall.minute, today: today,
      notes: "Time to write down \(first.isEmpty ? last : "\(first) and \(last)").",
      libraryID: try LibraryMarker.read(layout.marker).id)
  }
}
