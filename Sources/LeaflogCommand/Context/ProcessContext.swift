package import Foundation
internal import Glibc
package import Leaflog

/// The process that a command runs in, or what a test puts in its place. Commands reach their
/// surroundings through it alone.
package struct ProcessContext: Sendable {
  package var output: StandardStream
  package var error: StandardStream
  package var input: StandardInput
  package var environment: [String: String]
  /// The current directory.
  package var folder: String
  package var clock: WallClock
  /// Finds the zone of new libraries for which no other is named.
  package var timeZone: @Sendable () -> TimeZone
  /// The path of this program.
  package var executable: String
  /// Begins to listen for what interrupts a command.
  package var interruption: @Sendable () -> Interruption

  package init(
    output: StandardStream, error: StandardStream, input: StandardInput,
    environment: [String: String], folder: String, clock: WallClock = .system,
    timeZone: @escaping @autoclosure @Sendable () -> TimeZone = .current, executable: String,
    interruption: @escaping @Sendable () -> Interruption
  ) {
    (self.output, self.error, self.input) = (output, error, input)
    (self.environment, self.folder) = (environment, folder)
    (self.clock, self.timeZone) = (clock, timeZone)
    (self.executable, self.interruption) = (executable, interruption)
  }

  /// This process.
  package static var current: ProcessContext {
    let environment = ProcessInfo.processInfo.environment
    // Other systems have no `/proc`, and no systemd, whose timer starts the program again.
    let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return ProcessContext(
      output: StandardStream(descriptor: STDOUT_FILENO, environment: environment),
      error: StandardStream(descriptor: STDERR_FILENO, environment: environment),
      input: StandardInput(isTerminal: isatty(STDIN_FILENO) == 1) { readLine() },
      environment: environment, folder: FileManager.default.currentDirectoryPath,
      executable: link ?? CommandLine.arguments[0], interruption: { .bySignals() })
  }

  /// The home folder of the user.
  var home: String {
    environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? NSHomeDirectory()
  }

  /// A base directory of the XDG specification, which has to be absolute.
  ///
  /// - Parameter standard: the folder below the home folder that is meant unless the variable is set.
  func baseFolder(_ variable: String, standard: String) -> String {
    environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "\(home)/\(standard)"
  }

  /// A path as the process sees it that somebody typed in the current directory; as it was typed where
  /// the two are the same.
  func path(_ typed: String) -> String {
    typed.hasPrefix("/") || folder == FileManager.default.currentDirectoryPath
      ? typed : "\(folder)/\(typed)"
  }
}
