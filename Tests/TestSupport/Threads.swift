internal import Dispatch
internal import Foundation
internal import Synchronization

/// Runs tasks on their own threads, for tasks that block. Swift and Dispatch have only as many threads as the processor
/// has cores, and tasks queued on them wait behind all tests that have started.
package final class Threads: TaskExecutor {
  package init() {}

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    Thread.detachNewThread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }

  /// Blocks until work has returned its result.
  package func value<Value: Sendable>(of work: @escaping @Sendable () async -> Value) -> Value {
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
