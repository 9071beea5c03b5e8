/// The key of a row of `setting`.
package enum SettingKey: String, Sendable {
  /// An IANA name, e.g. `Europe/Berlin`.
  case timeZone
  /// Present while the zone is the machine's because nobody has chosen one.
  case isTimeZoneGuess
  /// A storage policy's name.
  case policy
  /// The labels for severities, as `SeverityScales` writes them.
  case severityScales
  /// Where the quote of the day comes from: `bundled` or `zenquotes`.
  case quoteSource
  /// Files larger than this are not imported: `512 MB`.
  case maxImportFileSize
  /// The time of the reminder at the end of the day: `20:00`.
  case reminderTime
  /// Whether the reminder is `on` or `off`.
  case reminder
  /// The parts of the reminder, as `ReminderPart.text` writes them.
  case reminderParts
  /// The name of the diary's owner, for reports.
  case reportName
  /// Whether the notice that the diary is not medical advice is `acknowledged` or `unread`.
  case disclaimer
  /// The language of the pages: `auto`, `en` or `de`.
  case language
  /// How many hours after midnight a day ends: `0` to `6`.
  case dayEnd
  /// The day on which weeks begin: `auto`, `monday`, `saturday` or `sunday`.
  case weekStart
  /// The id in the library's marker, so that a lost marker can be recreated.
  case libraryID
  /// The commit up to which words were permanently removed, and when: backups keep nothing from before.
  case forgottenUpTo
}

extension SettingKey {
  /// The settings that users choose. The others are Leaflog's own notes.
  static let chosen: [SettingKey] = [
    .timeZone, .policy, .severityScales, .quoteSource, .maxImportFileSize, .reminderTime,
    .reminder, .reminderParts, .reportName, .disclaimer, .language, .dayEnd, .weekStart,
  ]
}
