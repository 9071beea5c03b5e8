internal import Glibc
internal import NIOPosix

/// Threads for background work, such as compressing photos. It gets little processor time while anything else needs it.
final class BackgroundThreads: TaskExecutor {
  /// nice(1): a tenth of the share of a thread at 0. On Linux, each thread has its own (sched(7)).
  private static let niceness: CInt = 10

  private let threads: NIOThreadPool

  init(count: Int) {
    threads = NIOThreadPool(numberOfThreads: count)
    threads.start()
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    threads.submit { [self] _ in
      Self.giveWay()
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }

  /// Runs work that waits for a disk.
  func run(_ body: @escaping @Sendable () throws -> Void) async throws {
    try await threads.runIfActive {
      Self.giveWay()
      try body()
    }
  }

  private static func giveWay() {
    // If this fails, the work runs all the same.
    _ = setpriority(CInt(PRIO_PROCESS.rawValue), 0, niceness)
  }

  func stop() async throws { try await threads.shutdownGracefully() }
}
