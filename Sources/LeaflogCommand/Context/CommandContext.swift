import ArgumentParser
package import Foundation
internal import Glibc
package import Leaflog
internal import Synchronization

/// A command that does something, unlike those that only group others.
package protocol LeaflogSubcommand: ParsableCommand {
  var global: GlobalOptions { get }

  /// Runs the command with everything it needs from its environment.
  func run(in context: CommandContext) async throws
}

/// The context of a running command: its process, and the options that every command understands.
package struct CommandContext: Sendable {
  package let process: ProcessContext
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

  package var output: StandardStream { process.output }
  package var error: StandardStream { process.error }

  /// Whether the user would see the progress.
  var showsProgress: Bool { error.terminal.hasCursor && !options.quiet && !options.noProgress }

  /// A typed path, in the form the process needs.
  package func path(_ typed: String) -> String { process.path(typed) }

  /// The library's folder, or the place where it would be created.
  package var libraryPath: String {
    namedLibraryPath ?? nearestStorage()
      ?? process.baseFolder("XDG_DATA_HOME", standard: ".local/share") + "/leaflog"
  }

  /// The folder that an option or the environment names.
  var namedLibraryPath: String? {
    let variable = process.environment["LEAFLOG_LIBRARY"].flatMap { $0.isEmpty ? nil : $0 }
    return (options.library ?? variable).map(path)
  }

  /// - Throws: with code `noLibrary` when there is none.
  package func openLibrary(for access: Library.Access) throws -> Library {
    let library = try Library.open(
      at: libraryPath, for: access, clock: process.clock, origin: typed, keys: storeKeys)
    written.note(library)
    warn(of: library)
    if access.allowsWriting { warnOfShare(of: library) }
    return library
  }

  /// Notes a library that the command opened and closes itself.
  func noteOwn(_ library: Library) { written.noteOwn(library) }

  /// Warns of a time zone that is not known.
  func warn(of library: some LibraryTime) {
    guard !options.quiet, let warning = library.zoneWarning else { return }
    error.print(warning + " `leaflog settings set timeZone` sets another.")
  }

  /// Warns of a library on a network share that is about to be changed.
  func warnOfShare(of library: Library) {
    guard !options.quiet, let share = library.networkShare else { return }
    error.print(
      "The library is on a network share (\(share)), where databases break. Keep it on a disk of this machine, and back it "
        + "up there.")
  }

  /// Warns of tokens that others may read.
  package func warnOfOpenTokens(of library: Library) {
    guard !options.quiet, library.tokens.isOpenToOthers else { return }
    error.tell(
      "Others on this machine can read \(library.path)/access.json, with the names of tokens and devices. Mount the disk with "
        + "umask=077; on one with modes, take the right away with chmod.", as: .warning)
  }

  /// Finds the access key of an object store.
  var storeKeys: ObjectStoreKeys { ObjectStoreKeys(environment: process.environment) }

  /// Checks the place of a library that the command is about to make, unless --yes waives that.
  func checkPlaceOfNew(at path: String, isNamed: Bool = false) throws {
    if options.yes { return }
    try Library.checkPlaceOfNew(at: path, isNamed: isNamed)
  }

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

/// The process that a command runs in, or a test's replacement for it. Commands reach their environment only through
/// it.
package struct ProcessContext: Sendable {
  package var output: StandardStream
  package var error: StandardStream
  package var input: StandardInput
  package var environment: [String: String]
  /// The current directory.
  package var folder: String
  package var clock: WallClock
  /// Returns the time zone for new libraries that do not name one, or throws when the environment does not say it.
  package var timeZone: @Sendable () throws -> TimeZone
  /// The path of this program.
  package var executable: String
  /// Starts listening for an interruption of the command.
  package var interruption: @Sendable () -> Interruption

  package init(
    output: StandardStream, error: StandardStream, input: StandardInput,
    environment: [String: String], folder: String, clock: WallClock = .system,
    timeZone: @escaping @autoclosure @Sendable () throws -> TimeZone = .current, executable: String,
    interruption: @escaping @Sendable () -> Interruption
  ) {
    (self.output, self.error, self.input) = (output, error, input)
    (self.environment, self.folder) = (environment, folder)
    (self.clock, self.timeZone) = (clock, timeZone)
    (self.executable, self.interruption) = (executable, interruption)
  }

  /// The current process.
  package static var current: ProcessContext {
    let environment = ProcessInfo.processInfo.environment
    // Other systems have neither `/proc` nor systemd, whose timer starts the program again.
    let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return ProcessContext(
      output: StandardStream(descriptor: STDOUT_FILENO, environment: environment),
      error: StandardStream(descriptor: STDERR_FILENO, environment: environment),
      input: StandardInput(
        isTerminal: isatty(STDIN_FILENO) == 1,
        readAll: { try GivenFile.bytes(ofDescriptor: STDIN_FILENO, named: "standard input") },
        readLine: { readLine() }),
      environment: environment, folder: FileManager.default.currentDirectoryPath,
      timeZone: try .ofProcess(environment["TZ"]), executable: link ?? CommandLine.arguments[0],
      interruption: { .bySignals() })
  }

  /// The user's home folder.
  var home: String {
    environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? NSHomeDirectory()
  }

  /// A base directory of the XDG specification, which must be absolute.
  ///
  /// - Parameter standard: the default, relative to the home folder.
  package func baseFolder(_ variable: String, standard: String) -> String {
    environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "\(home)/\(standard)"
  }

  /// A path typed in the current directory, as the process sees it; unchanged where the two agree.
  func path(_ typed: String) -> String {
    typed.hasPrefix("/") || folder == FileManager.default.currentDirectoryPath
      ? typed : "\(folder)/\(typed)"
  }
}

/// The libraries that a command opened for writing. When it ends, successfully or not, missing changes are sent to
/// their object stores, and their catalogs are copied if that is due.
final class WrittenLibraries: Sendable {
  private let all = Mutex<[(library: Library, since: ContinuousClock.Instant)]>([])
  /// The library that a command finishes itself.
  private let own = Mutex<Library?>(nil)

  func note(_ library: Library) {
    guard library.access.allowsWriting else { return }
    all.withLock { $0.append((library, .now)) }
  }

  /// Notes a library that the command closes itself.
  func noteOwn(_ library: Library) { own.withLock { $0 = library } }

  /// A sentence about the last change that the command has made; nil when it has made none.
  var doneAllTheSame: String? {
    let libraries = all.withLock { $0.map(\.library) } + (own.withLock { $0 }.map { [$0] } ?? [])
    return libraries.compactMap(\.history.lastChange).last.map {
      "The change was made all the same: `leaflog undo \($0)` undoes it."
    }
  }

  /// - Parameter failures: receives a message if an object store cannot be reached, as the reported work is done all
  ///   the same.
  /// - Returns: whether all changes are where they have to be.
  func finish(_ failures: StandardStream) -> Bool {
    var isAllSent = true
    for (library, since) in all.withLock({ $0 }) {
      do throws(LeaflogError) { try library.store.sendJournal() } catch {
        isAllSent = false
        failures.print(
          "The last changes are saved on this machine but not yet in the object store: "
            + "\(error.message) The next command sends them.")
      }
      library.store.takeSnapshotIfDue(afterWorkOf: .now - since)
      if let time = library.history.droppedUntil {
        let moment = TimelineText.moment(
          EntryTime(.instant(time), in: library.timeZone), in: library.timeZone)
        failures.print(
          "The history has grown large: changes up to \(moment) can no longer be undone.")
      }
    }
    return isAllSent
  }
}
