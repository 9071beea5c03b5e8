internal import Foundation

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
  /// The number of uses in progress, without those inside another.
  private var count = 0

  /// The connections that the current task or thread is using. A use inside another, such as a read in a commit, goes
  /// on even if closing has begun in between: the commit would fail halfway otherwise.
  @TaskLocal private static var held: Set<ObjectIdentifier> = []

  /// Whether closing has begun.
  var isClosing: Bool {
    condition.lock()
    defer { condition.unlock() }
    return state != .open
  }

  /// Runs a use of the connections.
  ///
  /// - Throws: `CatalogError` with code `closed` when closing has begun.
  func hold<Value>(_ body: () throws -> Value) throws -> Value {
    let held = Self.held
    if held.contains(ObjectIdentifier(self)) { return try body() }
    try begin()
    defer { finish() }
    return try Self.$held.withValue(held.union([ObjectIdentifier(self)]), operation: body)
  }

  private func begin() throws {
    condition.lock()
    defer { condition.unlock() }
    guard state == .open else { throw CatalogError(.closed, "The library was closed.") }
    count += 1
  }

  private func finish() {
    condition.lock()
    defer { condition.unlock() }
    count -= 1
    if count == 0 { condition.broadcast() }
  }

  /// Refuses further uses, waits for those in progress, and closes the connections. If they are already closed, or once
  /// another thread has closed them, it has no effect.
  func end(_ close: () throws -> Void) throws {
    precondition(
      !Self.held.contains(ObjectIdentifier(self)), "A catalog is not closed by its own read")
    condition.lock()
    guard state == .open else {
      while state != .closed { condition.wait() }
      return condition.unlock()
    }
    state = .closing
    while count > 0 { condition.wait() }
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
