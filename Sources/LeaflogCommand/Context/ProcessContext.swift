package import Foundation
internal import Glibc
package import Leaflog

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
  func baseFolder(_ variable: String, standard: String) -> String {
    environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "\(home)/\(standard)"
  }

  /// A path typed in the current directory, as the process sees it; unchanged where the two agree.
  func path(_ typed: String) -> String {
    typed.hasPrefix("/") || folder == FileManager.default.currentDirectoryPath
      ? typed : "\(folder)/\(typed)"
  }
}
