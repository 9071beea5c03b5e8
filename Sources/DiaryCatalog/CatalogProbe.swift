/// A catalog's hooks for tests. Other code leaves them at their defaults.
package struct CatalogProbe: Sendable {
  /// SQLite's `PRAGMA synchronous`. NORMAL loses commits in a power cut
  /// (https://www.sqlite.org/pragma.html#pragma_synchronous), which shows whether a test would notice.
  package enum Synchronous: String, Sendable { case full = "FULL", normal = "NORMAL" }

  package var synchronous = Synchronous.full
  /// Called before a transaction begins, before it is committed, and after.
  package var atBoundary: (@Sendable () -> Void)?

  package init() {}
}
