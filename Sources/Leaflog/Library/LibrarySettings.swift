internal import DiaryCatalog
internal import Foundation

/// The settings of a library.
public struct LibrarySettings: LibraryFace {
  let library: Library

  /// In bytes.
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

  /// Sets it. A new time zone moves every entry whose time has none; reopen the library to see it.
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
        // That a notice was seen is no change that anybody would undo.
        try write { try $0.settings.set(key, value) }
      } else {
        try change(.settings) { tables, _ in try tables.settings.set(key, value) }
      }
    }
  }

  private var service: ServiceFile { ServiceFile(library) }

  /// Whether a user of this library has acknowledged `About.disclaimer`.
  public func isDisclaimerAcknowledged() throws(LeaflogError) -> Bool {
    try value(of: .disclaimer) == Acknowledgement.acknowledged.rawValue
  }
}
