/// The reminder at the end of the day.
public struct Reminder: Sendable, Hashable {
  /// Whether the reminder is on.
  public let isOn: Bool
  /// `20:00`, by the clock of the machine that reminds.
  public let time: String
  /// The parts of the diary to check; at least one.
  public let parts: Set<ReminderPart>
}

extension LibraryDiary {
  /// The reminder's settings.
  public func reminder() throws(LeaflogError) -> Reminder {
    let settings = library.settings
    let parts = try settings.value(of: .reminderParts)
    return Reminder(
      isOn: try settings.value(of: .reminder) == "on", time: try settings.value(of: .reminderTime),
      parts: try translating { try ReminderPart.parts(parts) })
  }
}
