/// What can be done about an error. Each interface words it in its own way.
public enum Remedy: Sendable, Hashable {
  /// Undo another change first.
  case undoFirst(change: Int64)
}
