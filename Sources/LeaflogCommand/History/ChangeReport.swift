internal import Documents
internal import Leaflog

/// Reports which change was undone or redone.
struct ChangeReport {
  private let context: CommandContext

  init(_ context: CommandContext) { self.context = context }

  func tellUndone(_ change: Change) {
    var sentences = ["Undid \(summary(change))."]
    let hasFiles = change.counts.contains { $0.thing == .photo && $0.added > 0 }
    if change.kind == .importPhotos, hasFiles {
      sentences.append("The photos' files stay in the store until `leaflog prune`.")
    }
    tell(change, sentences + ["`leaflog redo` redoes it."])
  }

  /// The newest change may be a different one, so the hint names the number.
  func tellRedone(_ change: Change) {
    tell(
      change,
      ["Redid \(summary(change)).", "`leaflog undo \(change.id)` undoes it."])
  }

  private func tell(_ change: Change, _ sentences: [String]) {
    if context.options.json {
      context.output.print(json: ChangeDocument(change))
    } else if !context.options.quiet {
      context.output.print(sentences.joined(separator: " "))
    }
  }

  /// The change's number, command and effect.
  private func summary(_ change: Change) -> String {
    let title = TextLayout.truncated(change.title, to: 60)
    let command = change.origin == nil ? title : "`\(title)`"
    let effect = change.effect.isEmpty ? "" : ": \(change.effect)"
    return "\(change.id), \(command)\(effect)"
  }
}
