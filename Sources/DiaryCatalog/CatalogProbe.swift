/// A catalog's hooks for tests. Nobody else sets anything of it.
package struct CatalogProbe: Sendable {
  /// SQLite's `PRAGMA synchronous`. NORMAL loses commits at a power cut
  /// (https://www.sqlite.org/pragma.html#pragma_synchronous), which shows whether a test would see it.
  package enum Synchronous: String, Sendable { case full = "FULL", normal = "NORMAL" }

  package var synchronous = Synchronous.full
  /// Called before a transaction begins, before it is committed, and after.
  package var atBoundary: (@Sendable () -> Void)?

  package init() {}
}
