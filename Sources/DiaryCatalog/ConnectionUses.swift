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

  /// The use of the connections by a thread.
  private struct Use {
    /// Whether it is reading. A connection that reads begins no other transaction.
    var isReading = false
    /// Whether it runs somebody's calls in a transaction, of which each has to be a part.
    var isLent = false
  }

  private let condition = NSCondition()
  private var state = State.open
  /// The uses in progress. One inside another, such as a read in a commit, goes on even if closing has begun in between:
  /// the commit would fail halfway otherwise.
  private var uses: [pthread_t: Use] = [:]

  /// Whether closing has begun.
  var isClosing: Bool { condition.withLock { state != .open } }

  /// Whether the current thread has a use in progress.
  var isInUse: Bool {
    let thread = pthread_self()
    return condition.withLock { uses[thread] != nil }
  }

  /// Whether the current thread is in a read.
  var isReading: Bool {
    let thread = pthread_self()
    return condition.withLock { uses[thread]?.isReading ?? false }
  }

  /// Runs a use of the connections.
  ///
  /// - Parameter isBound: whether it is part of the transaction that the thread is in, if it is in one.
  /// - Throws: `CatalogError` with code `closed` when closing has begun, and `invalid` for a use beside a transaction.
  func hold<Value>(isBound: Bool, _ body: () throws -> Value) throws -> Value {
    let thread = pthread_self()
    guard try begin(thread, isBound: isBound) else { return try body() }
    defer { finish(thread) }
    return try body()
  }

  /// - Returns: false for a use inside another.
  private func begin(_ thread: pthread_t, isBound: Bool) throws -> Bool {
    try condition.withLock {
      if let use = uses[thread] {
        guard !use.isLent || isBound else {
          throw CatalogError(
            .invalid,
            "Within a change or a snapshot, only the library that it was given is used.")
        }
        return false
      }
      guard state == .open else { throw CatalogError(.closed, "The library was closed.") }
      uses[thread] = Use()
      return true
    }
  }

  private func finish(_ thread: pthread_t) {
    condition.withLock {
      uses[thread] = nil
      if uses.isEmpty { condition.broadcast() }
    }
  }

  /// Runs a read.
  ///
  /// - Parameter body: receives whether it is inside another read.
  func reading<Value>(_ body: (_ isNested: Bool) throws -> Value) throws -> Value {
    let former = set(\.isReading, true)
    defer { set(\.isReading, former) }
    return try body(former)
  }

  /// Runs somebody's calls in a transaction.
  func lending<Value>(_ body: () throws -> Value) throws -> Value {
    let former = set(\.isLent, true)
    defer { set(\.isLent, former) }
    return try body()
  }

  /// - Returns: the former value.
  @discardableResult
  private func set(_ property: WritableKeyPath<Use, Bool>, _ value: Bool) -> Bool {
    let thread = pthread_self()
    return condition.withLock {
      let former = uses[thread]?[keyPath: property] ?? false
      uses[thread]?[keyPath: property] = value
      return former
    }
  }

  /// Refuses further uses, waits for those in progress, and closes the connections. If they are already closed, or once
  /// another thread has closed them, it has no effect.
  ///
  /// - Throws: `CatalogError` with code `invalid` inside a use, which it would wait for.
  func end(_ close: () throws -> Void) throws {
    let thread = pthread_self()
    let isDone = try condition.withLock {
      guard uses[thread] == nil else {
        throw CatalogError(.invalid, "A library cannot be closed by one of its own calls.")
      }
      guard state == .open else {
        while state != .closed { condition.wait() }
        return true
      }
      state = .closing
      while !uses.isEmpty { condition.wait() }
      return false
    }
    if isDone { return }
    defer {
      condition.withLock {
        state = .closed
        condition.broadcast()
      }
    }
    try close()
  }
}
