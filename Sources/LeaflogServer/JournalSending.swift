internal import Leaflog
internal import Logging
internal import ServiceLifecycle

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
