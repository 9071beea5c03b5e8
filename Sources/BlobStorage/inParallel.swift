internal import Dispatch
internal import Synchronization

/// Processes items on several threads. The caller's is one of them, so that all are processed even if no other is free.
///
/// - Parameter width: the number of items to process at a time.
/// - Throws: the first error, once all items in progress have ended. No further item is started after an error.
package func inParallel<Item: Sendable>(
  _ items: [Item], width: Int, _ body: @escaping @Sendable (Item) throws(BlobStoreError) -> Void
) throws(BlobStoreError) {
  let work = ParallelWork(items, body)
  for _ in 1..<max(1, min(width, items.count)) {
    DispatchQueue.global().async { work.run() }
  }
  work.run()
  if let error = work.finish() { throw error }
}

private final class ParallelWork<Item: Sendable>: Sendable {
  private struct State {
    var next = 0
    var error: BlobStoreError?
    var isOver = false
  }

  private let items: [Item]
  private let body: @Sendable (Item) throws(BlobStoreError) -> Void
  private let state = Mutex(State())
  private let underWay = DispatchGroup()

  init(_ items: [Item], _ body: @escaping @Sendable (Item) throws(BlobStoreError) -> Void) {
    (self.items, self.body) = (items, body)
  }

  /// Processes items until none are left.
  func run() {
    while let item = take() {
      do throws(BlobStoreError) { try body(item) } catch {
        state.withLock { if $0.error == nil { $0.error = error } }
      }
      underWay.leave()
    }
  }

  private func take() -> Item? {
    state.withLock { state in
      guard !state.isOver, state.error == nil, state.next < items.count else { return nil }
      underWay.enter()
      defer { state.next += 1 }
      return items[state.next]
    }
  }

  /// Waits for the other threads. One that starts later finds nothing to do.
  func finish() -> BlobStoreError? {
    state.withLock { $0.isOver = true }
    underWay.wait()
    return state.withLock { $0.error }
  }
}
