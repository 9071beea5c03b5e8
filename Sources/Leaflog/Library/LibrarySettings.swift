internal import DiaryCatalog
internal import Foundation

/// The settings of a library.
public struct LibrarySettings: LibraryFace {
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
  public func isTimeZoneOpen() throws(LeaflogError) -> Bool {
    guard try read({ try $0.settings[.isTimeZoneGuess] }) != nil else { return false }
    return try library.timeline.page(limit: 1).elements.isEmpty
  }

  private var service: ServiceFile { ServiceFile(library) }

  /// Whether a user of this library has acknowledged `About.disclaimer`.
  public func isDisclaimerAcknowledged() throws(LeaflogError) -> Bool {
    try value(of: .disclaimer) == Acknowledgement.acknowledged.rawValue
  }
}
