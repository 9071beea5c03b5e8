internal import Leaflog
internal import Synchronization

/// The libraries that the command opened for writing: when it is done, whether it failed or not, their
/// catalogs are copied if that is due.
enum WrittenLibraries {
  private static let all = Mutex<[(library: Library, since: ContinuousClock.Instant)]>([])

  static func note(_ library: Library) {
    guard library.access == .writing else { return }
    all.withLock { $0.append((library, .now)) }
  }

  static func takeSnapshots() {
    let written = all.withLock { all in
      defer { all = [] }
      return all
    }
    for (library, since) in written { library.takeSnapshotIfDue(afterWorkOf: .now - since) }
  }
}
