internal import Leaflog
internal import Synchronization

/// The libraries that a command opened for writing. When it ends, successfully or not, missing changes are sent to
/// their object stores, and their catalogs are copied if that is due.
final class WrittenLibraries: Sendable {
  private let all = Mutex<[(library: Library, since: ContinuousClock.Instant)]>([])
  /// The library that a command finishes itself.
  private let own = Mutex<Library?>(nil)

  func note(_ library: Library) {
    guard library.access.allowsWriting else { return }
    all.withLock { $0.append((library, .now)) }
  }

  /// Notes a library that the command closes itself.
  func noteOwn(_ library: Library) { own.withLock { $0 = library } }

  /// A sentence about the last change that the command has made; nil when it has made none.
  var doneAllTheSame: String? {
    let libraries = all.withLock { $0.map(\.library) } + (own.withLock { $0 }.map { [$0] } ?? [])
    return libraries.compactMap(\.history.lastChange).last.map {
      "The change was made all the same: `leaflog undo \($0)` undoes it."
    }
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
