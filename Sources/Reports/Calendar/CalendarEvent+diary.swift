package import DiaryModel

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
    let plant = activity.plant.map { " · \($0.name)" } ?? ""
    self.init(
      uid: "activity-\(activity.id)@leaflog", start: .day(max(due, today)),
      summary: "\(activity.details.emoji) \(activity.name)\(plant)", notes: activity.details.notes,
      category: activity.details.category, everyDays: everyDays,
      alarm: Alarm(minutes: Self.morning))
  }

  /// The completion of an activity, on its entry's day. Nil for entries of other kinds.
  package init?(_ entry: Entry) {
    guard case .completion(let completion) = entry.content, entry.deletedAt == nil else {
      return nil
    }
    let plant = entry.plant.map { " · \($0.name)" } ?? ""
    self.init(
      uid: "completion-\(entry.id)@leaflog", start: .day(entry.time.localDay),
      summary: "✓ \(completion.activity.emoji) \(completion.activity.name)\(plant)",
      notes: entry.notes)
  }

  /// The time of the alarm for an activity, in minutes after midnight.
  private static let morning = 9 * 60
}
