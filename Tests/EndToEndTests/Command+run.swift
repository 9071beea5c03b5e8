import Dispatch
import Foundation
import LeaflogCommand
import Synchronization
import TestSupport

extension Command {
  /// Runs it in the process of the test.
  func callAsFunction(_ arguments: String...) throws -> Result { try run(arguments) }

  /// Runs it in the process of the test, with streams, environment, current directory and zone of its
  /// own: what the executable does, but for signals, terminals and the log.
  func run(_ arguments: [String]) throws -> Result {
    let (output, error) = (Transcript(), Transcript())
    let environment = fullEnvironment
    let terminal = Terminal(environment: environment)
    let context = ProcessContext(
      output: StandardStream(terminal: terminal) { output.write($0) },
      error: StandardStream(terminal: terminal) { error.write($0) },
      input: StandardInput(isTerminal: false) { nil }, environment: environment,
      folder: folder ?? FileManager.default.currentDirectoryPath,
      timeZone: environment["TZ"].flatMap(TimeZone.init(identifier:)) ?? .current,
      executable: Self.executable, interruption: { Interruption(executor: BlockedThreads.shared) })
    let status = BlockedThreads.shared.value { await LeaflogCommand.run(arguments, in: context) }
    return Result(status: status, output: output.text, error: error.text)
  }
}

/// The bytes that a command has written to a stream.
private final class Transcript: Sendable {
  private let bytes = Mutex<[UInt8]>([])

  func write(_ more: UnsafeRawBufferPointer) { bytes.withLock { $0.append(contentsOf: more) } }

  var text: String { String(decoding: bytes.withLock { $0 }, as: UTF8.self) }
}

/// Threads of Dispatch for commands. Tests wait for them on Swift's own, of which there are few.
private final class BlockedThreads: TaskExecutor {
  static let shared = BlockedThreads()

  private let queue = DispatchQueue(label: "leaflog.tests", attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }

  /// Waits for the result of work.
  func value<Value: Sendable>(of work: @escaping @Sendable () async -> Value) -> Value {
    let done = DispatchSemaphore(value: 0)
    let result = Mutex<Value?>(nil)
    Task(executorPreference: self) {
      let value = await work()
      result.withLock { $0 = value }
      done.signal()
    }
    done.wait()
    guard let value = result.withLock({ $0 }) else { preconditionFailure("it has signalled") }
    return value
  }
}
