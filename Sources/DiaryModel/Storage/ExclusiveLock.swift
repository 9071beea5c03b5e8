/// A lock that keeps two processes from writing to a library at the same time.
package protocol ExclusiveLock: Sendable {
  func withLock<Result>(_ body: () throws -> Result) throws -> Result
}
