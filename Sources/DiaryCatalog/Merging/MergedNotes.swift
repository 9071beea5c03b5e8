internal import DiaryModel

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
