internal import Glibc
internal import NIOPosix

/// Threads for work that nobody waits for on a page, such as compressing photos: while there is anything else to do,
/// it gets little of the processor.
final class BackgroundThreads: TaskExecutor {
  /// nice(1): a tenth of the share of a thread of 0. Linux gives each thread one of its own (sched(7)).
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
    // Without it the work is done all the same.
    _ = setpriority(CInt(PRIO_PROCESS.rawValue), 0, niceness)
  }

  func stop() async throws { try await threads.shutdownGracefully() }
}
