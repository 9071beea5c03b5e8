import ArgumentParser
internal import Fields
internal import Leaflog

/// `leaflog tag`
struct TagCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tag", abstract: "Manage tags on photos and other entries.",
    discussion: """
      Use `--tag` with `timeline`, `photo list` and `search` to filter by tag, ignoring case.
      """,
    subcommands: [TagList.self, TagAdd.self, TagRemove.self, TagRename.self],
    defaultSubcommand: TagList.self)
}

/// `--tag`, for creating or changing an entry.
struct TagOptions: ParsableArguments {
  @Option(
    parsing: .unconditionalSingleValue,
    help:
      "A tag; can be repeated. Replaces the existing tags; '' removes them.",
    completion: .tags)
  var tag: [String] = []

  /// The tags; nil when none were given.
  var tags: [String]? { tag.isEmpty ? nil : tag }
}

/// `--tag` and `--favourite`, for selecting entries.
struct TagFilterOptions: ParsableArguments {
  @Option(
    parsing: .unconditionalSingleValue,
    help: "Only entries with this tag; if repeated, with all of them.", completion: .tags)
  var tag: [String] = []

  @Flag(help: "Only favourites.")
  var favourite = false

  var isEmpty: Bool { tag.isEmpty && !favourite }
}

/// `leaflog tag list`
private struct TagList: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "All tags and how many entries have each, the most frequent first.")

  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .reading)
    let (tags, today) = (try library.diary.tags(), library.today)
    if global.json {
      return context.output.print(json: Listing(items: tags))
    }
    let rows = tags.map { tag -> [TextTable.Cell] in
      ["\(tag.name)", "\(Quantities.entries(tag.count))", "last \(tag.lastDay.agoText(on: today))"]
    }
    TextTable(
      context.output.terminal, [.init(limit: 40), .init(isRightAligned: true), .init()], rows
    ).lines.forEach(context.output.print)
    if tags.isEmpty, !global.quiet {
      context.error.print("No tags yet. Add one with `leaflog tag add TAG ID`.")
    }
  }
}

/// A tag and the entries that gain or lose it.
private struct TaggedEntries: ParsableArguments {
  @Argument(help: "The tag.", completion: .tags)
  var tag: String

  @Argument(help: "The ids of entries of any kind, or prefixes of them.", completion: .photos)
  var entries: [String]

  func validate() throws {
    if tag.allSatisfy(\.isWhitespace) { throw ValidationError("A tag cannot be empty.") }
  }

  /// The ids without duplicates, in the given order.
  private func ids(in library: Library) throws -> [EntryID] {
    var seen: Set<EntryID> = []
    return try entries.map { try library.diary.entry(matching: $0).id }.filter {
      seen.insert($0).inserted
    }
  }

  /// Changes the entries, and reports the result.
  func change(
    _ context: CommandContext, done: String,
    _ change: (Library, [EntryID]) throws -> EditResult
  ) throws {
    let library = try context.openLibrary(for: .writingSerially)
    try EditReport(context, noun: "entry").report(
      change(library, ids(in: library)), done: done, in: library)
  }
}

/// `leaflog tag add`
private struct TagAdd: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add a tag to entries.")

  @OptionGroup var chosen: TaggedEntries
  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) throws {
    try chosen.change(context, done: "Tagged") { try $0.diary.addTags([chosen.tag], to: $1) }
  }
}

/// `leaflog tag remove`
private struct TagRemove: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove a tag from entries.")

  @OptionGroup var chosen: TaggedEntries
  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) throws {
    try chosen.change(context, done: "Untagged") { try $0.diary.removeTags([chosen.tag], from: $1) }
  }
}

/// `leaflog tag rename`
private struct TagRename: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "rename", abstract: "Rename a tag on all entries that have it.",
    discussion: "If another tag has the new name, the two are merged.")

  @Argument(help: "The tag.", completion: .tags)
  var tag: String

  @Argument(help: "Its new name.", completion: .tags)
  var name: String

  @OptionGroup var global: GlobalOptions

  private struct Renamed: Shown {
    let tag: String
    let entryCount: Int

    static let shown = Fields<Renamed>([
      Field(adding: "tag", .text) { $0.tag }, Field(adding: "entryCount", .count) { $0.entryCount },
    ])
  }

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .writingSerially)
    let count = try library.diary.renameTag(tag, to: name)
    if global.json {
      context.output.print(json: Renamed(tag: name, entryCount: count))
    } else if !global.quiet {
      context.output.print(
        count == 0
          ? "The tag already has this name."
          : "Renamed the tag on \(Quantities.entries(count)). `leaflog undo` undoes it.")
    }
  }
}
