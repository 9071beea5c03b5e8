internal import Leaflog
internal import Synchronization

/// The list on the disk.
extension JobQueue {
  func save() throws {
    let files = try files.get()
    try writing.withLock { _ in try files.write(list: state.withLock { $0.list }.data) }
  }

  /// For changes that have happened, whether they can be written down or not.
  func saveOrLog() {
    do { try save() } catch {
      logger.error("the list of jobs was not written", metadata: ["code": "\(code(of: error))"])
    }
  }

  private func code(of error: any Error) -> String {
    (error as? LeaflogError)?.code.rawValue ?? "\(type(of: error))"
  }

  /// Lets go of the jobs that have ended when words were forgotten for good meanwhile.
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
