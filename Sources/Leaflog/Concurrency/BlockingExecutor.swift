internal import Dispatch

/// Runs tasks on Dispatch's threads: decoding and file work block, and Swift's cooperative threads
/// must not.
package final class BlockingExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "leaflog.blocking", attributes: .concurrent)

  package init() {}

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
