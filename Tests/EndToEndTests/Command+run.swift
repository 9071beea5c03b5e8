import Foundation
import LeaflogCommand
import ServeCommands
import Synchronization
import TestSupport

extension Command {
  /// Runs it in the process of the test.
  func callAsFunction(_ arguments: String...) throws -> Result { try run(arguments) }

  /// Runs it in the process of the test, with streams, environment, current directory and zone of its
  /// own: what the executable does, but for signals, terminals and the log.
  func run(_ arguments: [String], input: [UInt8] = []) throws -> Result {
    let (output, error) = (Transcript(), Transcript())
    let environment = fullEnvironment
    let threads = Threads()
    let terminal = Terminal(environment: environment)
    let context = ProcessContext(
      output: StandardStream(terminal: terminal) { output.write($0) },
      error: StandardStream(terminal: terminal) { error.write($0) },
      input: StandardInput(isTerminal: false, readAll: { input }, readLine: { nil }),
      environment: environment,
      folder: folder ?? FileManager.default.currentDirectoryPath,
      timeZone: try .ofProcess(environment["TZ"]),
      executable: Self.executable, interruption: { Interruption(executor: threads) })
    // The test waits on one of Swift's own threads.
    let status = threads.value {
      await LeaflogCommand.run(arguments, of: ServiceCommandList.self, in: context)
    }
    return Result(status: status, output: output.text, error: error.text)
  }
}

/// The bytes that a command has written to a stream.
private final class Transcript: Sendable {
  private let bytes = Mutex<[UInt8]>([])

  func write(_ more: UnsafeRawBufferPointer) { bytes.withLock { $0.append(contentsOf: more) } }

  var text: String { String(decoding: bytes.withLock { $0 }, as: UTF8.self) }
}
