internal import Leaflog
internal import Logging
internal import ServiceLifecycle

/// Sends what the library's object store lacks of its changes while the service runs. What came last is sent when the
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

  /// Whatever could not be sent is tried again.
  private func send() async {
    do { try await access.write { try $0.store.sendJournal() } } catch {
      let reason = (error as? LeaflogError)?.message ?? "\(error)"
      logger.error("journal not sent", metadata: ["reason": "\(reason)"])
    }
  }
}
