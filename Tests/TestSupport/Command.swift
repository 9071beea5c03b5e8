package import Foundation
internal import Glibc

/// The command `leaflog` with its library, environment and current directory.
package struct Command {
  package struct Result: Sendable {
    package let status: Int32
    package let output: String
    package let error: String

    package init(status: Int32, output: String, error: String) {
      (self.status, self.output, self.error) = (status, output, error)
    }

    /// The lines of JSON on standard output.
    package var json: [[String: Any]] {
      output.split(separator: "\n").compactMap {
        try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
      }
    }
  }

  /// The executable beside the test bundle, where the package manager builds it.
  package static let executable = built("leaflog")

  /// Another program of this package.
  package static func built(_ name: String) -> String {
    var folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    // `swift test` may start a helper from the toolchain, and names the bundle in its arguments.
    for argument in CommandLine.arguments where argument.contains(".xctest") {
      let bundle = String(argument[..<argument.range(of: ".xctest")!.upperBound])
      folder = URL(fileURLWithPath: bundle).deletingLastPathComponent()
    }
    return folder.appendingPathComponent(name).path
  }

  package var library: String?
  package var environment: [String: String] = [:]
  package var folder: String?

  package init(library: String?) { self.library = library }

  /// Programs are started one at a time, so that none inherits another's pipe before it is marked.
  private static let starting = NSLock()

  /// Starts the built executable without waiting for it, as another user if one is given (requires root). Another
  /// program gets the same library and environment.
  ///
  /// With `isHeld`, its pipes hold one page each, so that it soon stops if nobody reads its lines. With `hasInput`, its
  /// standard input stays open for the lifetime of this process.
  package func start(
    _ arguments: [String], as user: Int? = nil, program: String = Self.executable,
    isHeld: Bool = false, hasInput: Bool = false
  ) throws -> Running {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: user == nil ? program : "/usr/bin/setpriv")
    let become = user.map { ["--reuid=\($0)", "--clear-groups", program] } ?? []
    process.arguments = become + arguments
    process.environment = fullEnvironment
    if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
    Self.starting.lock()
    defer { Self.starting.unlock() }
    let (output, error) = (Pipe.ownedHere, Pipe.ownedHere)
    if isHeld {
      // F_SETPIPE_SZ (fcntl(2)), which no Swift module declares.
      for pipe in [output, error]
      where fcntl(pipe.fileHandleForWriting.fileDescriptor, 1031, CInt(4096)) < 0 {
        throw POSIXError(.init(rawValue: errno) ?? .EIO)
      }
    }
    process.standardInput = FileHandle.nullDevice
    if hasInput {
      process.standardInput = Pipe.ownedHere
    }
    process.standardOutput = output
    process.standardError = error
    try process.run()
    return Running(process: process, output: LineReader(output), error: LineReader(error))
  }

  /// The environment of the test, with its own variables and the library's.
  package var fullEnvironment: [String: String] {
    var environment = ProcessInfo.processInfo.environment.merging(self.environment) { $1 }
    environment["LEAFLOG_LIBRARY"] = library
    return environment
  }

  /// Runs the built executable in a process of its own.
  package func launch(_ arguments: String...) throws -> Result { try start(arguments).wait() }

  /// A running process.
  package struct Running: Sendable {
    package let process: Process
    /// Its standard output.
    package let output: LineReader
    /// Its standard error.
    package let error: LineReader

    /// Reads all output and waits for the process to end. The result includes lines that were read before.
    package func wait() -> Result {
      // Both pipes must be drained at the same time, or a full one would block the process.
      let done = DispatchSemaphore(value: 0)
      Thread.detachNewThread { [error] in
        error.readToEnd()
        done.signal()
      }
      output.readToEnd()
      done.wait()
      process.waitUntilExit()
      let status =
        process.terminationReason == .exit
        ? process.terminationStatus : 128 + process.terminationStatus
      return Result(status: status, output: output.text, error: error.text)
    }
  }
}

extension Pipe {
  /// A pipe that other started programs do not inherit: otherwise, it would not end before they do.
  fileprivate static var ownedHere: Pipe {
    let pipe = Pipe()
    for handle in [pipe.fileHandleForReading, pipe.fileHandleForWriting] {
      _ = fcntl(handle.fileDescriptor, F_SETFD, FD_CLOEXEC)
    }
    return pipe
  }
}
