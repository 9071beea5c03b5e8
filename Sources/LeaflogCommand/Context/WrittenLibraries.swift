internal import Leaflog
internal import Synchronization

/// The libraries that a command opened for writing. When it ends, successfully or not, missing changes are sent to
/// their object stores, and their catalogs are copied if that is due.
final class WrittenLibraries: Sendable {
  private let all = Mutex<[(library: Library, since: ContinuousClock.Instant)]>([])

  func note(_ library: Library) {
    guard library.access.allowsWriting else { return }
    all.withLock { $0.append((library, .now)) }
  }

  /// - Parameter failures: receives a message if an object store cannot be reached, as the reported work is done all
  ///   the same.
  /// - Returns: whether all changes are where they have to be.
  func finish(_ failures: StandardStream) -> Bool {
    var isAllSent = true
    for (library, since) in all.withLock({ $0 }) {
      do throws(LeaflogError) { try library.store.sendJournal() } catch {
        isAllSent = false
        failures.print(
          "The last changes are saved on this machine but not yet in the object store: "
            + "\(error.message) The next command sends them.")
      }
      library.store.takeSnapshotIfDue(afterWorkOf: .now - since)
    }
    return isAllSent
  }
}
