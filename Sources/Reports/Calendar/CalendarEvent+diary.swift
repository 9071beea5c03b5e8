package import DiaryModel

extension CalendarEvent {
  /// A reminder at a time of each day, from `today` on.
  ///
  /// - Parameters:
  ///   - notes: the event's description.
  ///   - libraryID: the reminding library's id, so that several fit into one calendar.
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

  /// When an activity is to be done, from the day it is due on; from today when it is overdue. Nil when
  /// it is not done at intervals, or was deleted.
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

  /// When an activity that is due on a day reminds, in minutes after midnight.
  private static let morning = 9 * 60
}
