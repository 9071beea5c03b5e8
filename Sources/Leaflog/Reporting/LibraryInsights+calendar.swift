internal import Reports

/// The result of making a calendar.
public struct GeneratedCalendar: Sendable {
  /// The iCalendar file (RFC 5545).
  public let document: GeneratedDocument
  /// The number of events; one that is repeated counts once.
  public let eventCount: Int
}

extension LibraryInsights {
  /// A calendar of things to do: the reminder at the end of each day, if it is on, and each recurring
  /// activity, from its due day or, when it is overdue, from today. Parts that the reminder does not
  /// check are left out.
  ///
  /// Events keep their identifiers, so importing the calendar again duplicates nothing.
  ///
  /// - Parameter hasCompletions: whether completions are events as well.
  public func calendar(
    today: LocalDay, hasCompletions: Bool = false
  ) throws(LeaflogError) -> GeneratedCalendar {
    var events: [CalendarEvent] = []
    let reminder = try library.diary.reminder()
    if reminder.isOn, let event = try dailyReminder(reminder, today: today) {
      events.append(event)
    }
    if reminder.parts.contains(.activities) {
      events += try library.activities.all().compactMap { CalendarEvent($0, today: today) }
    }
    if hasCompletions {
      events += try library.diary.entries(of: .completion).compactMap { CalendarEvent($0) }
    }
    // RFC 5545, 3.6: a calendar has at least one component.
    guard !events.isEmpty else {
      throw .invalid(
        "There is nothing to put into a calendar: no reminder of symptoms, the log or the mood, and "
          + "no activity that is due at intervals.")
    }
    let calendar = CalendarDocument(
      name: "Leaflog: \(library.name)", events: events, stamp: moment)
    return GeneratedCalendar(
      document: GeneratedDocument(bytes: calendar.bytes, missingGlyphCount: 0),
      eventCount: events.count)
  }

  /// The event of the reminder; nil if it checks only activities, which have events of their own.
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
