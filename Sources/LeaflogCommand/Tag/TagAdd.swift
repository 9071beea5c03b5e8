import ArgumentParser
internal import Leaflog

/// A tag and the entries that get or lose it.
struct TaggedEntries: ParsableArguments {
  @Argument(help: "The tag.", completion: .tags)
  var tag: String

  @Argument(help: "Entries of any kind by their ids, or the starts of them.", completion: .photos)
  var entries: [String]

  func validate() throws {
    if tag.allSatisfy(\.isWhitespace) { throw ValidationError("A tag cannot be empty.") }
  }

  /// Each once, in the order given.
  func ids(in library: Library) throws -> [EntryID] {
    var seen: Set<EntryID> = []
    return try entries.map { try library.entry($0).id }.filter { seen.insert($0).inserted }
  }
}

/// `leaflog tag add`
struct TagAdd: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Give entries a tag besides those they have.")

  @OptionGroup var chosen: TaggedEntries
  @OptionGroup var global: GlobalOptions

  func run() throws {
    let library = try global.openLibrary(for: .writing)
    try TagCommand.report(global).tell(
      library.addTags([chosen.tag], to: chosen.ids(in: library)), done: "Tagged", in: library)
  }
}

/// `leaflog tag remove`
struct TagRemove: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Take a tag off entries.")

  @OptionGroup var chosen: TaggedEntries
  @OptionGroup var global: GlobalOptions

  func run() throws {
    let library = try global.openLibrary(for: .writing)
    try TagCommand.report(global).tell(
      library.removeTags([chosen.tag], from: chosen.ids(in: library)), done: "Untagged",
      in: library)
  }
}
