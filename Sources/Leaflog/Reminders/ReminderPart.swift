/// A part of the diary that the reminder looks at.
public enum ReminderPart: String, Sendable, CaseIterable {
  /// The check-in on symptoms while an episode is active.
  case symptoms
  /// The day's log.
  case log
  /// The day's mood.
  case mood
  /// Activities that are due.
  case activities

  /// Parses a list such as `log, mood`.
  ///
  /// - Throws: `InvalidValue` for an unknown part, and for an empty list.
  static func parts(_ text: String) throws(InvalidValue) -> Set<ReminderPart> {
    let setting = LibrarySetting.reminderParts.rawValue
    var parts: Set<ReminderPart> = []
    for name in text.split(separator: ",").compactMap({ String($0).tidied }) {
      do throws(InvalidValue) { parts.insert(try .named(name, field: setting)) } catch {
        throw InvalidValue(setting, takes: takes, given: text)
      }
    }
    guard !parts.isEmpty else { throw InvalidValue(setting, takes: takes, given: "none") }
    return parts
  }

  private static var takes: String { "some of \(oneOf) with commas between" }

  /// The text that `parts` parses.
  static func text(of parts: Set<ReminderPart>) -> String {
    allCases.filter(parts.contains).map(\.rawValue).joined(separator: ", ")
  }
}
