import ArgumentParser
internal import Fields
internal import Foundation
internal import Leaflog

/// `leaflog history`
struct HistoryCommand: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "history", abstract: "Changes to the library, most recent first.",
    discussion: """
      Each change has a number: `leaflog undo 17` undoes change 17, and `leaflog redo 17` redoes it.
      """)

  @Option(help: "The number of changes per page, 1 to 1000.")
  var limit = 20

  @Option(help: "Show changes before this number.")
  var before: ChangeNumber?

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard (1...1000).contains(limit) else {
      throw ValidationError("--limit takes 1 to 1000, not \(limit).")
    }
  }

  func run(in context: CommandContext) throws {
    let id = try before?.id()
    let library = try context.openLibrary(for: .reading)
    let history = try library.history.page(before: id, limit: limit)
    if global.json { return context.output.print(json: history) }
    ChangeText(terminal: context.output.terminal, zone: library.timeZone).lines(history.changes)
      .forEach(context.output.print)
    if !global.quiet, let hint = hint(history) { context.error.print(hint) }
  }

  private func hint(_ history: History) -> String? {
    if history.hasMore, let last = history.changes.last {
      return "For more, repeat with --before \(last.id)"
    }
    if history.isCut { return "Older changes are no longer kept, and cannot be undone." }
    guard history.changes.isEmpty else { return nil }
    return before == nil ? "Nothing has been changed yet." : "There are no earlier changes."
  }

}

/// `leaflog undo`
struct UndoCommand: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "undo", abstract: "Undo a change.",
    discussion: """
      Without a number, undoes the latest change; repeat to go further back. `leaflog history` lists \
      changes with their numbers, and `leaflog redo` redoes one. A change is undone as a whole, or \
      not at all if something it touched has been changed since.
      """)

  @Argument(
    help: "The change's number. Default: the latest change.",
    completion: .changes(undone: false))
  var change: ChangeNumber?

  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) throws {
    let id = try change?.id()
    let library = try context.openLibrary(for: .writingSerially)
    ChangeReport(context).reportUndone(try library.history.undo(id))
    ReminderFolder.follow(library, context).report(context)
  }
}

/// `leaflog redo`
struct RedoCommand: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "redo", abstract: "Redo an undone change.",
    discussion: """
      Without a number, redoes the change that was undone last. `leaflog history` lists changes with \
      their numbers.
      """)

  @Argument(
    help: "The change's number. Default: the one undone last.",
    completion: .changes(undone: true))
  var change: ChangeNumber?

  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) throws {
    let id = try change?.id()
    let library = try context.openLibrary(for: .writingSerially)
    ChangeReport(context).reportRedone(try library.history.redo(id))
    ReminderFolder.follow(library, context).report(context)
  }
}

/// The number of a change, as shown by `leaflog history`.
struct ChangeNumber: ExpressibleByArgument {
  private let text: String

  init(argument: String) { text = argument }

  /// - Throws: with code `invalidRequest` and an example, for anything that is not a number.
  func id() throws(LeaflogError) -> Int64 {
    if let id = Int64(text), id > 0 { return id }
    throw LeaflogError(
      .invalidRequest,
      "\(text.quoted) is not the number of a change. "
        + "Use a number such as 17 from `leaflog history`.")
  }
}

/// Reports which change was undone or redone.
private struct ChangeReport {
  private let context: CommandContext

  init(_ context: CommandContext) { self.context = context }

  func reportUndone(_ change: Change) {
    var sentences = ["Undid \(summary(change))."]
    let hasFiles = change.counts.contains { $0.thing == .photo && $0.added > 0 }
    if change.kind == .importPhotos, hasFiles {
      sentences.append("The photos' files stay in the store until `leaflog prune`.")
    }
    report(change, sentences + ["`leaflog redo` redoes it."])
  }

  /// The newest change may be a different one, so the hint names the number.
  func reportRedone(_ change: Change) {
    report(
      change,
      ["Redid \(summary(change)).", "`leaflog undo \(change.id)` undoes it."])
  }

  private func report(_ change: Change, _ sentences: [String]) {
    if context.options.json {
      context.output.print(json: change)
    } else if !context.options.quiet {
      context.output.print(sentences.joined(separator: " "))
    }
  }

  /// The change's number, command and effect.
  private func summary(_ change: Change) -> String {
    let title = TextLayout.truncated(change.title, to: 60)
    let command = change.command == nil ? title : "`\(title)`"
    let effect = change.effect.isEmpty ? "" : ": \(change.effect)"
    return "\(change.id), \(command)\(effect)"
  }
}

/// Changes as lines of text, below the day on which they were made: number, time, command, effect, and whether it is
/// undone.
private struct ChangeText {
  let terminal: Terminal
  /// The library's time zone.
  let zone: TimeZone

  func lines(_ changes: [Change]) -> [String] {
    var table = TextTable(
      terminal,
      [
        .init(isRightAligned: true), .init(), .init(style: .green), .init(), .init(style: .dim),
      ], changes.map(row))
    let (number, time, mark) = (table.textWidth(0), table.textWidth(1), table.textWidth(4))
    // Two spaces before each column but the first; the command and its effect share the rest.
    let room = max(8, terminal.width - number - time - 6 - (mark > 0 ? mark + 2 : 0))
    let command = table.textWidth(2)
    let effect = min(table.textWidth(3), max(room / 2, room - command))
    table.columns[2].limit = min(command, room - effect)
    table.columns[3].limit = effect
    var day: LocalDay?
    return zip(table.blocks, changes).flatMap { block, change in
      let made = EntryTime(.instant(change.madeAt), in: zone).localDay
      defer { day = made }
      return (made == day ? [] : [terminal.styled(TimelineText.heading(made), .bold)])
        + block + details(of: change, indent: number + 2)
    }
  }

  /// A line for each of the things that a change touched.
  private func details(of change: Change, indent: Int) -> [String] {
    let further = change.furtherCount
    var lines = change.things.map(\.line)
    if further > 0 {
      lines.append(
        change.kind == .settings
          ? "\(Quantities.entries(further)) moved" : "and \(further) more")
    }
    let room = max(8, terminal.width - indent)
    return lines.flatMap { line in
      let line = TextLayout.singleLine(line)
      return terminal.width < TextTable.leastWidth
        ? TextLayout.wrapped(line, to: room) : [TextLayout.truncated(line, to: room)]
    }.map { String(repeating: " ", count: indent) + terminal.styled($0, .dim) }
  }

  private func row(_ change: Change) -> [TextTable.Cell] {
    let time = EntryTime(.instant(change.madeAt), in: zone)
    return [
      "\(change.id)", .init(TimelineText.clock(time, in: zone)),
      .init(change.title), .init(change.effect), .init(change.isUndone ? "undone" : ""),
    ]
  }
}

extension ChangedThing {
  /// `photo of Monstera, 2026-06-04: notes “bud” → “flower”`
  fileprivate var line: String {
    let changes = fields.map { field in
      let name = setting == nil ? field.name.spacedWords + " " : ""
      return name + [field.before, field.after].map(text).joined(separator: " → ")
    }
    return changes.isEmpty ? title : "\(title): \(changes.joined(separator: ", "))"
  }

  private func text(_ value: Scalar) -> String {
    switch value {
    case .null, .list([]), .text(""): "none"
    case .text(let text): setting == nil ? text.quoted : TextLayout.singleLine(text)
    default: value.shown
    }
  }
}

extension Change {
  /// The command as typed, or else the kind of change in words, as on pages.
  var title: String { TextLayout.singleLine(command ?? kind.words) }

  /// The command as typed; nil for a request to the service (RFC 9110, 9.1).
  var command: String? {
    origin.flatMap { $0.prefixMatch(of: /(?:POST|PUT|PATCH|DELETE) \//) == nil ? $0 : nil }
  }

  /// `12 photos added, 2 plants added`; empty when nothing was counted.
  var effect: String { counts.flatMap(\.parts).joined(separator: ", ") }
}

extension ChangeCount {
  /// `12 photos added`, `1 photo changed`
  var parts: [String] {
    let noun = thing == .dailyLog ? "daily log" : thing.rawValue
    let numbers = [(added, "added"), (changed, "changed"), (deleted, "deleted")]
    return numbers.filter { $0.0 > 0 }.map { "\(Quantities.count($0.0, noun)) \($0.1)" }
  }
}
