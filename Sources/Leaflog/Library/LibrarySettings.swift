internal import DiaryCatalog
public import Foundation

/// The settings of a library.
public struct LibrarySettings: LibrarySection {
  let library: Library

  /// The size of the largest file to import, in bytes.
  func maxImportFileByteCount() throws(LeaflogError) -> Int {
    let text = try value(of: .importMaxFileSize)
    guard let byteCount = FileSize.byteCount(text) else {
      throw LeaflogError(.damaged, "The catalog has “\(text)” for import.maxFileSize.")
    }
    return byteCount
  }

  /// The value of a setting.
  ///
  /// - Throws: `LeaflogError` when the catalog cannot be read, and with code `damaged` when the file of the service's
  ///   folders is.
  public func value(of setting: LibrarySetting) throws(LeaflogError) -> String {
    guard let key = setting.key else { return try service.read().folders.text }
    return try read { try $0.settings[key] } ?? setting.standard
  }

  /// Changes a setting. A new time zone moves every entry whose time has none; reopen the library to see it.
  ///
  /// - Throws: `LeaflogError` with code `invalidRequest` for a value that it does not accept.
  public func set(_ setting: LibrarySetting, to value: String) throws(LeaflogError) {
    try translating {
      let value = try setting.checked(value)
      guard let key = setting.key else {
        return try service.write(ServiceSettings(folders: FolderList(stored: value)))
      }
      if setting == .timeZone, let zone = TimeZone(identifier: value) {
        try change(.settings) { tables, _ in try tables.settings.setTimeZone(zone) }
      } else if setting == .disclaimer {
        // Acknowledging a notice is not a change that anybody would undo.
        try write { try $0.settings.set(key, value) }
      } else {
        try change(.settings) { tables, _ in try tables.settings.set(key, value) }
      }
    }
  }

  /// Changes several settings at once, except those that have the value already.
  ///
  /// - Throws: `LeaflogError` with code `invalidRequest` for a value that is not accepted, or a setting that cannot
  ///   be changed with others; then none is changed.
  public func set(_ values: [LibrarySetting: String]) throws(LeaflogError) {
    try translating {
      var changes: [SettingKey: String] = [:]
      for (setting, value) in values {
        let value = try setting.checked(value)
        guard let key = setting.key, setting != .disclaimer else {
          throw LeaflogError(.invalidRequest, "“\(setting.rawValue)” is set by itself.")
        }
        if try self.value(of: setting) != value { changes[key] = value }
      }
      guard !changes.isEmpty else { return }
      try change(.settings) { [changes] tables, _ in
        if let zone = changes[.timeZone].flatMap({ TimeZone(identifier: $0) }) {
          try tables.settings.setTimeZone(zone)
        }
        try tables.settings.set(changes)
      }
    }
  }

  /// Whether a setting accepts a value.
  public func accepts(_ value: String, for setting: LibrarySetting) -> Bool {
    do throws(InvalidValue) {
      _ = try setting.checked(value)
      return true
    } catch {
      return false
    }
  }

  /// Whether nobody has chosen the time zone yet, and no entry depends on it.
  ///
  /// - Throws: `LeaflogError` when the catalog cannot be read.
  public func isTimeZoneOpen() throws(LeaflogError) -> Bool {
    guard try read({ try $0.settings[.isTimeZoneGuess] }) != nil else { return false }
    return try library.timeline.page(limit: 1).elements.isEmpty
  }

  /// How many entries another time zone would show at another hour, and perhaps on another day: those that were recorded
  /// as moments.
  ///
  /// - Throws: `LeaflogError` when the catalog cannot be read.
  public func movedCount(to zone: TimeZone) throws(LeaflogError) -> Int {
    try read { try $0.entries.movedCount(to: zone) }
  }

  private var service: ServiceFile { ServiceFile(library) }

  /// Whether a user of this library has acknowledged `About.disclaimer`.
  ///
  /// - Throws: `LeaflogError` when the catalog cannot be read.
  public func isDisclaimerAcknowledged() throws(LeaflogError) -> Bool {
    try value(of: .disclaimer) == Acknowledgement.acknowledged.rawValue
  }
}

/// A setting of a library.
@nonexhaustive
public enum LibrarySetting: String, Sendable, CaseIterable {
  /// An IANA name: the zone in which times without one are sorted, and instants shown.
  case timeZone
  /// How photos are stored unless an import specifies otherwise.
  case policy
  /// Labels for severities, from the weakest to the strongest.
  case severityScales = "severity.scales"
  /// `bundled` or `zenquotes`.
  case quotesSource = "quotes.source"
  /// The size above which files are not imported, such as `512 MB`. An import takes about as much memory.
  case importMaxFileSize = "import.maxFileSize"
  /// The time of the reminder at the end of the day.
  case reminderTime = "reminder.time"
  /// `on` or `off`.
  case reminder
  /// The parts of the diary to be reminded of, separated by commas.
  case reminderParts = "reminder.parts"
  /// Whether the messages to devices name what is left for the day, `on` or `off`. They are seen on locked screens.
  case reminderNames = "reminder.names"
  /// The address at which the operators of push services reach whoever runs the service, such as
  /// `mailto:me@plants.example` or an `https` address (RFC 8292, 2.1); may be empty. Without it, nothing is sent to devices.
  case pushContact = "push.contact"
  /// The name of the person whose diary it is, for reports; may be empty.
  case reportName = "report.name"
  /// The language of the service's pages: `en`, `de`, or `auto` for the one that each browser prefers.
  case language
  /// How many whole hours after midnight a day ends, 0 to 6: until then it is still the day before.
  case dayEnd = "day.end"
  /// The day on which weeks begin: `monday`, `saturday`, `sunday`, or `auto` for the one usual in the reader's region.
  case weekStart = "week.start"
  /// `acknowledged` once somebody has seen `About.disclaimer`, `unread` before.
  case disclaimer
  /// Folders of this machine that jobs of the service may use: absolute paths separated by colons, none by
  /// default. The setting belongs to the machine, not the diary: it is in no backup, and no undo changes it.
  case serviceFolders = "service.folders"

  /// The key in the catalog; nil for a setting that is not stored there.
  var key: SettingKey? { definition.key }

  /// The default value.
  var standard: String { definition.standard() }

  /// The value as it is stored.
  ///
  /// - Throws: `InvalidValue` for a value that it does not accept.
  func checked(_ value: String) throws(InvalidValue) -> String {
    try definition.checked(value, rawValue)
  }
}

/// Where a setting is stored, what it is by default, and what it accepts.
private struct SettingDefinition {
  let key: SettingKey?
  let standard: () -> String
  /// Returns a value as it is stored; the second text is the setting's name, for errors.
  let checked: (String, String) throws(InvalidValue) -> String

  init(
    _ key: SettingKey?, standard: @autoclosure @escaping () -> String,
    _ checked: @escaping (String, String) throws(InvalidValue) -> String
  ) {
    (self.key, self.standard, self.checked) = (key, standard, checked)
  }

  /// One that accepts the names of an enumeration's cases.
  init<Choice: RawRepresentable<String> & CaseIterable>(_ key: SettingKey, standard: Choice) {
    self.init(key, standard: standard.rawValue) { (value, name) throws(InvalidValue) in
      try Choice.named(value, field: name).rawValue
    }
  }
}

extension LibrarySetting {
  private var definition: SettingDefinition {
    switch self {
    case .timeZone: .init(.timeZone, standard: TimeZone.current.identifier, Self.zone)
    case .policy: .init(.policy, standard: StoragePolicy.compact)
    case .severityScales:
      .init(.severityScales, standard: SeverityScales.standard.text) {
        (value, _) throws(InvalidValue) in try SeverityScales(value).text
      }
    case .quotesSource: .init(.quoteSource, standard: QuoteSource.bundled)
    case .importMaxFileSize: .init(.maxImportFileSize, standard: "512 MB", Self.fileSize)
    case .reminderTime: .init(.reminderTime, standard: "20:00", Self.timeOfDay)
    case .reminder: .init(.reminder, standard: OnOff.on)
    case .reminderParts:
      .init(.reminderParts, standard: ReminderPart.text(of: Set(ReminderPart.allCases))) {
        (value, _) throws(InvalidValue) in ReminderPart.text(of: try ReminderPart.parts(value))
      }
    case .reminderNames: .init(.reminderNames, standard: OnOff.off)
    case .pushContact: .init(.pushContact, standard: "", Self.contact)
    case .reportName:
      .init(.reportName, standard: "") { (value, name) throws(InvalidValue) in
        value.tidied == nil ? "" : try oneLine(value, field: name, upTo: 200)
      }
    case .language: .init(.language, standard: PageLanguage.auto)
    case .dayEnd: .init(.dayEnd, standard: "0", Self.hour)
    case .weekStart: .init(.weekStart, standard: WeekStart.auto)
    case .disclaimer: .init(.disclaimer, standard: Acknowledgement.unread)
    case .serviceFolders:
      .init(nil, standard: "") { (value, name) throws(InvalidValue) in
        try FolderList(value, field: name).text
      }
    }
  }

  private static func zone(_ value: String, _ name: String) throws(InvalidValue) -> String {
    guard let zone = TimeZone(identifier: value) else {
      throw InvalidValue(name, takes: "a name such as Europe/Berlin", given: value)
    }
    return zone.identifier
  }

  private static func fileSize(_ value: String, _ name: String) throws(InvalidValue) -> String {
    guard let byteCount = FileSize.byteCount(value) else {
      throw InvalidValue(name, takes: "a size such as 512 MB or 2 GB", given: value)
    }
    return FileSize.text(byteCount)
  }

  private static func timeOfDay(_ value: String, _ name: String) throws(InvalidValue) -> String {
    guard let time = TimeOfDay(value), time.milliseconds.isMultiple(of: 60_000) else {
      throw InvalidValue(name, takes: "a time of day such as 20:00", given: value)
    }
    return time.description
  }

  private static func contact(_ value: String, _ name: String) throws(InvalidValue) -> String {
    guard let value = value.tidied else { return "" }
    let isMail = value.wholeMatch(of: /mailto:[A-Za-z0-9.!#$%&'*+\/=?^_`{|}~-]+@([A-Za-z0-9.-]+)/)
    let isPage = value.wholeMatch(of: /https:\/\/([A-Za-z0-9.-]+)(:[0-9]+)?(\/[!-~]*)?/)
    // Some push services refuse a host that nobody has (Apple: `BadJwtToken`).
    guard value.utf8.count <= 200, let host = isMail?.output.1 ?? isPage?.output.1,
      host.split(separator: ".", omittingEmptySubsequences: false).count > 1,
      !host.hasPrefix("."), !host.hasSuffix("."), !host.contains(".."),
      !["local", "localhost", "invalid", "test"].contains(host.split(separator: ".").last ?? "")
    else {
      throw InvalidValue(
        name, takes: "an address such as mailto:me@plants.example or https://plants.example",
        given: value)
    }
    return value
  }

  private static func hour(_ value: String, _ name: String) throws(InvalidValue) -> String {
    guard let hour = value.tidied.flatMap({ Int($0) }), dayEnds.contains(hour) else {
      throw InvalidValue(name, takes: "0 to 6 hours after midnight", given: value)
    }
    return "\(hour)"
  }
}

extension LibrarySetting {
  /// The hours after midnight at which a day may end.
  public static let dayEnds = 0...6
}

/// The language of the service's pages.
@nonexhaustive
public enum PageLanguage: String, Sendable, CaseIterable {
  /// The language that each browser prefers.
  case auto
  /// A language by its tag (RFC 5646).
  case en, de
}

/// The day on which weeks begin.
public enum WeekStart: String, Sendable, CaseIterable {
  /// The day that is usual in the reader's region; Monday (ISO 8601) where no reader is known.
  case auto
  /// A day for all readers.
  case monday, saturday, sunday

  /// 1 is Monday, 7 is Sunday; nil for `auto`.
  public var weekday: Int? {
    switch self {
    case .auto: nil
    case .monday: 1
    case .saturday: 6
    case .sunday: 7
    }
  }
}

/// The value of a setting that records whether a notice was acknowledged.
package enum Acknowledgement: String, CaseIterable {
  case unread, acknowledged
}

/// The value of a setting that is on or off.
private enum OnOff: String, CaseIterable {
  case on, off
}

/// The source of the quote of the day.
@nonexhaustive
public enum QuoteSource: String, Sendable, CaseIterable {
  /// The quotes that come with Leaflog, and the user's own.
  case bundled
  /// zenquotes.io, over the network.
  case zenquotes
}
