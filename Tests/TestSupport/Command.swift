package import Foundation
internal import Glibc

/// Runs the built `leaflog`.
package struct Command {
  package struct Result {
    package let status: Int32
    package let output: String
    package let error: String

    /// The lines of JSON on standard output.
    package var json: [[String: Any]] {
      output.split(separator: "\n").compactMap {
        try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
      }
    }
  }

  /// Beside the test bundle, where the package manager builds it.
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

  /// Starts it without waiting, under another user where one is given (only root may). Another
  /// program finds the same library and environment.
  package func start(
    _ arguments: [String], as user: Int? = nil, program: String = Self.executable
  ) throws -> Running {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: user == nil ? program : "/usr/bin/setpriv")
    let become = user.map { ["--reuid=\($0)", "--clear-groups", Self.executable] } ?? []
    process.arguments = become + arguments
    var environment = ProcessInfo.processInfo.environment.merging(self.environment) { $1 }
    environment["LEAFLOG_LIBRARY"] = library
    process.environment = environment
    if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
    let (output, error) = (Pipe(), Pipe())
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = error
    try process.run()
    return Running(process: process, output: output, error: error)
  }

  package func callAsFunction(_ arguments: String...) throws -> Result {
    try start(arguments).wait()
  }

  /// A process that was started.
  package struct Running: Sendable {
    package let process: Process
    let output: Pipe
    let error: Pipe

    package func wait() -> Result {
      // Both pipes have to be emptied at the same time, or a full one stops the process.
      let errors = ErrorReader(error)
      let outputData = output.fileHandleForReading.readAll()
      let errorData = errors.wait()
      process.waitUntilExit()
      let status =
        process.terminationReason == .exit
        ? process.terminationStatus : 128 + process.terminationStatus
      return Result(
        status: status, output: String(decoding: outputData, as: UTF8.self),
        error: String(decoding: errorData, as: UTF8.self))
    }
  }
}

/// Reads a pipe on a thread of its own.
private final class ErrorReader: @unchecked Sendable {  // the semaphore orders the accesses
  private let done = DispatchSemaphore(value: 0)
  private var data = Data()

  init(_ pipe: Pipe) {
    let handle = pipe.fileHandleForReading
    Thread.detachNewThread { [self] in
      data = handle.readAll()
      done.signal()
    }
  }

  func wait() -> Data {
    done.wait()
    return data
  }
}

extension FileHandle {
  /// Everything to the end. Foundation's own way ends the process when a signal interrupts it.
  fileprivate func readAll() -> Data {
    var all = Data()
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(fileDescriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      if count <= 0 { return all }
      all.append(contentsOf: buffer[..<count])
    }
  }
}
