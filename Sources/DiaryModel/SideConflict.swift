/// A thing on which two copies of a library that were changed separately do not agree. The copy that receives the
/// changes keeps its own value.
public struct SideConflict: Sendable, Hashable {
  /// The kind of disagreement.
  @nonexhaustive
  public enum Reason: String, Sendable, CaseIterable {
    /// Both copies changed the same field, or both added the thing. The other copy's value is added to the notes.
    case bothChanged
    /// The other copy changed it, and this one deleted it. It stays deleted, with the other copy's changes.
    case deletedHere
    /// The other copy deleted it, and this one changed it or uses it. It stays.
    case deletedThere
    /// This copy deleted it, and the other one has something new that belongs to it. It is restored.
    case stillUsed
    /// Its name or its day is taken here.
    case taken
    /// The copies differ, and which of them changed it is not known. Nothing of it is changed.
    case differs
  }

  /// The kind of disagreement, and how it was settled.
  public let reason: Reason
  /// The kind of thing that it is about.
  public let thing: ChangeCount.Thing
  /// The public id in the copy that receives the changes; the key of a setting.
  public let id: String
  /// The thing in words, such as `mood of 2026-03-01`.
  public let name: String
  /// The field in words; nil for the thing as a whole.
  public let field: String?
  /// The value in the copy whose changes are brought over; nil for none.
  public let theirs: String?
  /// The value in the copy that receives the changes; nil for none.
  public let present: String?

  package init(
    _ reason: Reason, _ thing: ChangeCount.Thing, id: String, name: String, field: String? = nil,
    theirs: String? = nil, present: String? = nil
  ) {
    (self.reason, self.thing, self.id, self.name) = (reason, thing, id, name)
    (self.field, self.theirs, self.present) = (field, theirs, present)
  }
}
