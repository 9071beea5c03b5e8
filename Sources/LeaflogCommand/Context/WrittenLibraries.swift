internal import Leaflog
internal import Synchronization

/// The libraries that a command opened for writing: when it is done, whether it failed or not, their
/// catalogs are copied if that is due.
final class WrittenLibraries: Sendable {
  private let all = Mutex<[(library: Library, since: ContinuousClock.Instant)]>([])

  func note(_ library: Library) {
    guard library.access == .writing else { return }
    all.withLock { $0.append((library, .now)) }
  }

  func takeSnapshots() {
    for (library, since) in all.withLock({ $0 }) {
      library.store.takeSnapshotIfDue(afterWorkOf: .now - since)
    }
  }
}
