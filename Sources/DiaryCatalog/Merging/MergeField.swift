internal import DiaryModel
internal import Fields

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

  /// A field of a table.
  init(_ field: Field<Whole>) {
    self.init(
      name: field.shape.words, isEqual: { field.get($0) == field.get($1) },
      copy: { _ = field.restore(field.get($0), in: &$1) },
      text: { field.rule.words(field.get($0)) })
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

/// The notes of a thing of the other side, brought over into those of this side, with lines for the values that this
/// side's take precedence over. Bringing the same over again adds nothing.
struct MergedNotes {
  /// This side's notes, with the changes of the other side.
  private(set) var text: String?
  /// Whether both sides changed the notes.
  private(set) var isConflict = false
  private(set) var hasNews = false
  /// Whether this side has changes that the other side lacks.
  private(set) var hasOwnChanges = false

  private var lines: [String] = []

  private static let prefix = "Other copy: "
  private static let deletion = prefix + "deleted"

  /// - Parameters:
  ///   - base: the notes before both sides changed them; nil if both have added the thing.
  ///   - values: the other side's values that are kept in the notes.
  init(
    of other: String?, over own: String?, since base: String??,
    keeping values: [(name: String, text: String?)]
  ) {
    lines = values.map { Self.line($0.name, $0.text) }
    let kept = Self.line("notes", other.map { "“\($0)”" })
    // Without what an earlier run has added.
    let bare = (lines + [kept, Self.deletion]).reduce(own) { Self.removing($1, from: $0) }
    let field = MergeField<String?>("notes", \.self) { $0 }
    text = own
    switch field.verdict(of: other, over: bare, since: base) {
    case .unchanged: break
    case .changed: (text, hasNews) = (other, true)
    case .conflict:
      isConflict = true
      lines.append(kept)
    }
    if let base, bare != base, bare != other { hasOwnChanges = true }
    for line in lines { add(line) }
  }

  /// This side's notes as they are.
  init(present: String?) { text = present }

  /// Notes that the other side has deleted the thing.
  mutating func addDeletion() { add(Self.deletion) }

  /// Notes a value of the other side.
  mutating func add(_ name: String, _ value: String?) { add(Self.line(name, value)) }

  private static func line(_ name: String, _ text: String?) -> String {
    prefix + (text.map { "\(name) \($0)" } ?? "no \(name)")
  }

  private mutating func add(_ line: String) {
    guard !"\n\(text ?? "")\n".contains("\n\(line)\n") else { return }
    text = text.map { $0 + "\n" + line } ?? line
  }

  private static func removing(_ line: String, from notes: String?) -> String? {
    guard let notes else { return nil }
    return "\n\(notes)\n".replacing("\n\(line)\n", with: "\n", maxReplacements: 1)
      .trimmingPrefix("\n").description.tidied
  }
}
