import ArgumentParser
internal import Leaflog

/// A tag and the entries that get or lose it.
struct TaggedEntries: ParsableArguments {
  @Argument(help: "The tag.", completion: .tags)
  var tag: String?

  @Argument(help: "Entries of any kind by their ids, or the starts of them.", completion: .photos)
  var entries: [String] = []

  func validate() throws {
    if tag != nil, entries.isEmpty {
      throw ValidationError("Which entries? Name them by their ids.")
    }
    if let tag, tag.allSatisfy(\.isWhitespace) { throw ValidationError("A tag cannot be empty.") }
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
  @OptionGroup var undoing: UndoOption
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    try undoing.validate(isAlone: chosen.tag == nil, missing: "Which tag, and which entries?")
  }

  func run() throws {
    let library = try global.openLibrary(for: .writing)
    let report = TagCommand.report(global)
    guard let tag = chosen.tag else { return try report.undo(.tagAdd, in: library) }
    try report.tell(
      library.addTags([tag], to: chosen.ids(in: library)), done: "Tagged", kind: .tagAdd,
      in: library)
  }
}

/// `leaflog tag remove`
struct TagRemove: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Take a tag off entries.")

  @OptionGroup var chosen: TaggedEntries
  @OptionGroup var undoing: UndoOption
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    try undoing.validate(isAlone: chosen.tag == nil, missing: "Which tag, and which entries?")
  }

  func run() throws {
    let library = try global.openLibrary(for: .writing)
    let report = TagCommand.report(global)
    guard let tag = chosen.tag else { return try report.undo(.tagRemove, in: library) }
    try report.tell(
      library.removeTags([tag], from: chosen.ids(in: library)), done: "Untagged",
      kind: .tagRemove, in: library)
  }
}
