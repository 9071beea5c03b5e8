internal import Foundation
internal import Glibc

/// The uses of a catalog's connections, shared by all catalogs that have the same connections. SQLite must not lose
/// a connection while a statement runs on it.
final class ConnectionUses: @unchecked Sendable {  // `condition` guards the state
  private enum State {
    case open
    case closing
    case closed
  }

  private let condition = NSCondition()
  private var state = State.open
  /// The threads with uses in progress. A use inside another, such as a read in a commit, goes on even if closing has
  /// begun in between: the commit would fail halfway otherwise.
  private var threads: Set<pthread_t> = []

  /// Whether closing has begun.
  var isClosing: Bool {
    condition.lock()
    defer { condition.unlock() }
    return state != .open
  }

  /// Whether the current thread has a use in progress.
  var isInUse: Bool {
    condition.lock()
    defer { condition.unlock() }
    return threads.contains(pthread_self())
  }

  /// Runs a use of the connections.
  ///
  /// - Throws: `CatalogError` with code `closed` when closing has begun.
  func hold<Value>(_ body: () throws -> Value) throws -> Value {
    let thread = pthread_self()
    guard try begin(thread) else { return try body() }
    defer { finish(thread) }
    return try body()
  }

  /// - Returns: false for a use inside another.
  private func begin(_ thread: pthread_t) throws -> Bool {
    condition.lock()
    defer { condition.unlock() }
    if threads.contains(thread) { return false }
    guard state == .open else { throw CatalogError(.closed, "The library was closed.") }
    threads.insert(thread)
    return true
  }

  private func finish(_ thread: pthread_t) {
    condition.lock()
    defer { condition.unlock() }
    threads.remove(thread)
    if threads.isEmpty { condition.broadcast() }
  }

  /// Refuses further uses, waits for those in progress, and closes the connections. If they are already closed, or once
  /// another thread has closed them, it has no effect.
  ///
  /// - Throws: `CatalogError` with code `invalid` inside a use, which it would wait for.
  func end(_ close: () throws -> Void) throws {
    condition.lock()
    guard !threads.contains(pthread_self()) else {
      condition.unlock()
      throw CatalogError(.invalid, "A library cannot be closed by one of its own calls.")
    }
    guard state == .open else {
      while state != .closed { condition.wait() }
      return condition.unlock()
    }
    state = .closing
    while !threads.isEmpty { condition.wait() }
    condition.unlock()
    defer {
      condition.lock()
      state = .closed
      condition.broadcast()
      condition.unlock()
    }
    try close()
  }
}
