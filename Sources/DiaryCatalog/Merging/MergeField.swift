internal import DiaryModel

/// A field of a thing that both copies of a library have.
struct MergeField<Whole>: Sendable {
  /// In words, such as `sleep hours`.
  let name: String
  let isEqual: @Sendable (Whole, Whole) -> Bool
  /// Copies the field from the first thing to the second.
  let copy: @Sendable (Whole, inout Whole) -> Void
  /// The value in words; nil while the field is empty.
  let text: @Sendable (Whole) -> String?

  init<Value: Equatable & SendableMetatype>(
    _ name: String, _ path: WritableKeyPath<Whole, Value> & Sendable,
    text: @escaping @Sendable (Value) -> String?
  ) {
    self.init(
      name: name, isEqual: { $0[keyPath: path] == $1[keyPath: path] },
      copy: { $1[keyPath: path] = $0[keyPath: path] }, text: { text($0[keyPath: path]) })
  }

  init<Value: Equatable & SendableMetatype>(
    _ name: String, _ path: WritableKeyPath<Whole, Value?> & Sendable
  ) {
    self.init(name, path) { (value: Value?) in value.map { "\($0)" } }
  }

  init(
    name: String, isEqual: @escaping @Sendable (Whole, Whole) -> Bool,
    copy: @escaping @Sendable (Whole, inout Whole) -> Void,
    text: @escaping @Sendable (Whole) -> String?
  ) {
    (self.name, self.isEqual, self.copy, self.text) = (name, isEqual, copy, text)
  }

  /// The same field of a part that another thing has.
  func of<Other>(
    _ part: @escaping @Sendable (Other) -> Whole?,
    set: @escaping @Sendable (Whole, inout Other) -> Void
  ) -> MergeField<Other> {
    MergeField<Other>(
      name: name,
      isEqual: { first, second in
        guard let first = part(first), let second = part(second) else { return false }
        return isEqual(first, second)
      },
      copy: { source, target in
        guard let source = part(source), var changed = part(target) else { return }
        copy(source, &changed)
        set(changed, &target)
      }, text: { part($0).flatMap(text) })
  }

  /// How a field differs.
  enum Verdict {
    /// There is nothing to take over.
    case unchanged
    case changed
    /// Both sides changed it.
    case conflict
  }

  /// - Parameter base: the thing before both sides changed it; nil if both have added it.
  func verdict(of other: Whole, over own: Whole, since base: Whole?) -> Verdict {
    if isEqual(other, own) { return .unchanged }
    guard let base else {
      if text(own) == nil { return .changed }
      return text(other) == nil ? .unchanged : .conflict
    }
    if isEqual(other, base) { return .unchanged }
    return isEqual(own, base) ? .changed : .conflict
  }
}

/// The fields of a thing of the other side, brought over into that of this side.
struct MergedFields<Whole> {
  struct Conflict {
    let field: String
    let theirs: String?
    let present: String?
  }

  /// This side's thing, with the changes of the other side.
  var whole: Whole
  var conflicts: [Conflict] = []
  /// Whether the other side has changes that this side lacks.
  var hasNews = false
  /// Whether this side has changes that the other side lacks.
  var hasOwnChanges = false

  init(_ fields: [MergeField<Whole>], of other: Whole, over own: Whole, since base: Whole?) {
    whole = own
    for field in fields {
      switch field.verdict(of: other, over: own, since: base) {
      case .unchanged: break
      case .changed:
        field.copy(other, &whole)
        hasNews = true
      case .conflict: conflicts.append(.init(field, of: other, over: own))
      }
      if let base, !field.isEqual(own, base), !field.isEqual(own, other) { hasOwnChanges = true }
    }
  }
}

extension MergedFields.Conflict {
  init(_ field: MergeField<Whole>, of other: Whole, over own: Whole) {
    self.init(field: field.name, theirs: field.text(other), present: field.text(own))
  }
}

extension MergedFields.Conflict {
  /// That only one of two things is in the trash.
  init?(_ isDeleted: (theirs: Bool, present: Bool)) {
    guard isDeleted.theirs != isDeleted.present else { return nil }
    self.init(
      field: "deleted", theirs: isDeleted.theirs ? "yes" : "no",
      present: isDeleted.present ? "yes" : "no")
  }
}

extension MergeField {
  /// The fields in which two things differ.
  static func differences(
    _ fields: [MergeField], of other: Whole, over own: Whole
  ) -> [MergedFields<Whole>.Conflict] {
    fields.filter { !$0.isEqual(other, own) }.map { .init($0, of: other, over: own) }
  }
}
