import ArgumentParser
internal import Leaflog

/// A tag and the entries that gain or lose it.
struct TaggedEntries: ParsableArguments {
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
    return try entries.map { try library.diary.entry($0).id }.filter { seen.insert($0).inserted }
  }

  /// Changes the entries, and reports the result.
  func change(
    _ context: CommandContext, done: String,
    _ change: (Library, [EntryID]) throws -> EditResult
  ) throws {
    let library = try context.openLibrary(for: .editing)
    try EditReport(context, noun: "entry").tell(
      change(library, ids(in: library)), done: done, in: library)
  }
}

/// `leaflog tag add`
struct TagAdd: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add a tag to entries.")

  @OptionGroup var chosen: TaggedEntries
  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) throws {
    try chosen.change(context, done: "Tagged") { try $0.diary.addTags([chosen.tag], to: $1) }
  }
}

/// `leaflog tag remove`
struct TagRemove: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove a tag from entries.")

  @OptionGroup var chosen: TaggedEntries
  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) throws {
    try chosen.change(context, done: "Untagged") { try $0.diary.removeTags([chosen.tag], from: $1) }
  }
}
