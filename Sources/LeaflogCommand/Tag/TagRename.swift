import ArgumentParser
internal import Leaflog

/// `leaflog tag rename`
struct TagRename: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "rename", abstract: "Rename a tag on all entries that have it.",
    discussion: "If another tag has the new name, the two are merged.")

  @Argument(help: "The tag.", completion: .tags)
  var tag: String

  @Argument(help: "Its new name.", completion: .tags)
  var name: String

  @OptionGroup var global: GlobalOptions

  private struct Renamed: Encodable {
    let tag: String
    let entryCount: Int
  }

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .editing)
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
