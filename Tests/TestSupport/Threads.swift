internal import Dispatch
internal import Foundation
internal import Synchronization

/// Runs tasks on threads of their own, for those that wait. Swift's threads and Dispatch's are as few as
/// the processor's cores, and what stands in line for them stands behind all tests that have begun.
package final class Threads: TaskExecutor {
  package init() {}

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    Thread.detachNewThread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }

  /// Waits for the result of work.
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
