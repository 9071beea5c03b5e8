/// The key of a row of `setting`.
package enum SettingKey: String, Sendable {
  /// An IANA name, e.g. `Europe/Berlin`.
  case timeZone
  /// A storage policy's name.
  case policy
  /// The labels that severities can be said in, as `SeverityScales` writes them.
  case severityScales
  /// Where the quote of the day comes from: `bundled` or `zenquotes`.
  case quoteSource
  /// Files larger than this are not imported: `512 MB`.
  case maxImportFileSize
  /// When to be reminded at the end of the day: `20:00`.
  case reminderTime
  /// Whether to be reminded: `on` or `off`.
  case reminder
  /// The parts to be reminded of, as `ReminderPart.text` writes it.
  case reminderParts
  /// Whose the diary is, for reports.
  case reportName
  /// Whether somebody has seen that the diary is no medical advice: `acknowledged` or `unread`.
  case disclaimer
  /// The language of the pages: `auto`, `en` or `de`.
  case language
  /// How many hours after midnight a day ends: `0` to `6`.
  case dayEnd
  /// The line of commits that the catalog belongs to: a UUID, another one after each restore and repair.
  case lineage
  /// There when a newer catalog was in this one's place before.
  case isOlderThanBefore
  /// The id in the library's marker, so that a lost marker can be made again.
  case libraryID
  /// There while words that were forgotten for good may still be in files of the library.
  case isForgetting
  /// In a backup's catalog: when it was made, and when its latest change was. Nowhere else.
  case backedUp
  /// Up to which commit words were forgotten for good, and when: backups keep nothing of before.
  case forgottenUpTo
}
