internal import Glibc
internal import Leaflog
internal import Logging
internal import NIOPosix
internal import ServiceLifecycle
internal import Synchronization

/// Sends the changes that the library's object store lacks, while the service runs. The last ones are sent when the
/// library is closed.
struct JournalSending: Service {
  let access: LibraryAccess
  let logger: Logger

  func run() async throws {
    try? await cancelWhenGracefulShutdown {
      while true {
        try await Task.sleep(for: ObjectStoreSettings.Journal.maxLag)
        await send()
      }
    }
  }

  /// Sends the changes; those that could not be sent are retried.
  private func send() async {
    do { try await access.write { try $0.store.sendJournal() } } catch {
      let reason = (error as? LeaflogError)?.message ?? "\(error)"
      logger.error("journal not sent", metadata: ["reason": "\(reason)"])
    }
  }
}

/// Writes a service's address to a file while the service runs. A failure to write it does not stop the service.
final class AddressNote: Sendable {
  private let file: ServiceAddressFile
  private let logger: Logger
  private let written = Mutex<(address: String, former: String?)?>(nil)

  init(_ library: Library, logger: Logger) {
    file = ServiceAddressFile(of: library)
    self.logger = logger
  }

  func write(_ address: String) {
    do throws(LeaflogError) {
      let former = file.read()
      try file.write(address)
      written.withLock { $0 = (address, former == address ? nil : former) }
    } catch { report("address not written down", error) }
  }

  func remove() {
    guard let (address, former) = written.withLock({ $0 }) else { return }
    do throws(LeaflogError) { try file.remove(address, former: former) } catch {
      report("address not removed", error)
    }
  }

  private func report(_ message: Logger.Message, _ error: LeaflogError) {
    logger.error(message, metadata: ["code": "\(error.code.rawValue)"])
  }
}

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
