internal import Foundation
internal import Leaflog

/// The context of a running command: its process, and the options that every command understands.
struct CommandContext: Sendable {
  let process: ProcessContext
  let options: GlobalOptions
  /// The command as it was typed, for the history of changes.
  let typed: String?
  /// The libraries it has opened for writing.
  private let written: WrittenLibraries

  init(
    _ process: ProcessContext, _ options: GlobalOptions, typed: String? = nil,
    written: WrittenLibraries = WrittenLibraries()
  ) {
    (self.process, self.options) = (process, options)
    (self.typed, self.written) = (typed, written)
  }

  var output: StandardStream { process.output }
  var error: StandardStream { process.error }

  /// Whether the user would see the progress.
  var showsProgress: Bool { error.terminal.isTerminal && !options.quiet && !options.noProgress }

  /// A typed path, in the form the process needs.
  func path(_ typed: String) -> String { process.path(typed) }

  /// The library's folder, or the place where it would be created.
  var libraryPath: String {
    let variable = process.environment["LEAFLOG_LIBRARY"].flatMap { $0.isEmpty ? nil : $0 }
    if let named = options.library ?? variable { return path(named) }
    return nearestStorage()
      ?? process.baseFolder("XDG_DATA_HOME", standard: ".local/share") + "/leaflog"
  }

  /// - Throws: with code `noLibrary` when there is none.
  func openLibrary(for access: Library.Access) throws -> Library {
    let library = try Library.open(
      at: libraryPath, for: access, clock: process.clock, origin: typed, keys: storeKeys)
    written.note(library)
    warn(of: library)
    return library
  }

  /// Notes a library that the command opened and closes itself.
  func noteOwn(_ library: Library) { written.noteOwn(library) }

  /// Warns of a time zone that is not known.
  func warn(of library: some LibraryTime) {
    guard !options.quiet, let warning = library.zoneWarning else { return }
    error.print(warning + " `leaflog settings set timeZone` sets another.")
  }

  /// Finds the access key of an object store.
  var storeKeys: ObjectStoreKeys { ObjectStoreKeys(environment: process.environment) }

  /// A new library, open for writing.
  func createLibrary(at path: String, _ settings: Library.Settings) throws -> Library {
    try Library.create(at: path, settings, clock: process.clock, origin: typed, keys: storeKeys)
  }

  /// The nearest folder `Storage`, here or above, that contains a library or, in a checkout, the README of one.
  private func nearestStorage() -> String? {
    var folder = URL(fileURLWithPath: process.folder)
    while true {
      let storage = folder.appendingPathComponent("Storage").path
      if Library.exists(at: storage) || isReadmeOfLibrary(storage + "/README.md")
        || Repairer.isMarkerMissing(at: storage)
      {
        return storage
      }
      if folder.path == "/" { return nil }
      folder.deleteLastPathComponent()
    }
  }

  private func isReadmeOfLibrary(_ path: String) -> Bool {
    guard let text = FileManager.default.contents(atPath: path) else { return false }
    return text.starts(with: Data("# A Leaflog library".utf8))
  }
}
