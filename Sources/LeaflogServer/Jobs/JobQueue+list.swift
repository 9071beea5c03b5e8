internal import Leaflog
internal import Synchronization

/// The list on disk.
extension JobQueue {
  func save() throws {
    let files = try files.get()
    try writing.withLock { _ in try files.write(list: state.withLock { $0.list }.data) }
  }

  /// Saves the list or logs the failure, for changes that have happened whether or not they can be saved.
  func saveOrLog() {
    do { try save() } catch {
      logger.error("the list of jobs was not written", metadata: ["code": "\(code(of: error))"])
    }
  }

  private func code(of error: any Error) -> String {
    (error as? LeaflogError)?.code.rawValue ?? "\(type(of: error))"
  }

  /// Drops the jobs that have ended if text has been erased for good in the meantime.
  func forgetIfDue() {
    guard (try? files.get())?.isForgotten == true else { return }
    state.withLock { $0.list.removeEnded() }
  }

  func trim() {
    let surplus = state.withLock { $0.list.trim() }
    guard let files = try? files.get() else { return }
    for name in surplus.compactMap(\.storedName) { files.remove(name) }
  }
}
