/// A reason for which a prune removes nothing, unless it is waived.
public enum PruneGuard: String, Sendable, Hashable, CaseIterable {
  /// The catalog has no photos, but the store has blobs.
  case emptyCatalog = "empty-catalog"
  /// The catalog is older than one that was here before.
  case olderCatalog = "older-catalog"
  /// More than half of the store's bytes would go that no change of this catalog has replaced.
  case halfStore = "half-store"
  /// The library has not been changed for a month, so the clock may be ahead.
  case clock
  /// Other lines of the library may need what is in the object store.
  case otherLines = "other-lines"

  /// Those about the state of this library, which say nothing of clocks and other lines.
  public static let ofLibrary: Set<PruneGuard> = [.emptyCatalog, .olderCatalog, .halfStore]
}
