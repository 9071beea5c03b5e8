import ArgumentParser
internal import Leaflog

/// `leaflog tag rename`
struct TagRename: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rename", abstract: "Write a tag otherwise, on all entries that have it.",
    discussion: "A name that another tag has makes one of the two.")

  @Argument(help: "The tag.", completion: .tags)
  var tag: String?

  @Argument(help: "Its new name.", completion: .tags)
  var name: String?

  @OptionGroup var undoing: UndoOption
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    try undoing.validate(isAlone: tag == nil && name == nil, missing: "Which tag?")
    if tag != nil, name == nil { throw ValidationError("What shall it be called?") }
  }

  private struct Renamed: Encodable {
    let tag: String
    let entryCount: Int
  }

  func run() throws {
    let library = try global.openLibrary(for: .writing)
    guard let tag, let name else {
      return try TagCommand.report(global).undo(.tagRename, in: library)
    }
    let count = try library.renameTag(tag, to: name)
    if global.json {
      Output.result(JSON.line(Renamed(tag: name, entryCount: count)))
    } else if !global.quiet {
      Output.result(
        count == 0
          ? "It is written so already."
          : "Renamed it on \(Quantities.entries(count)). `leaflog tag rename --undo` takes it back."
      )
    }
  }
}
