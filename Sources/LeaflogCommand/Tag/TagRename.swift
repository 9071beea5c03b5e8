import ArgumentParser
internal import Leaflog

/// `leaflog tag rename`
struct TagRename: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rename", abstract: "Write a tag otherwise, on all entries that have it.",
    discussion: "A name that another tag has makes one of the two.")

  @Argument(help: "The tag.", completion: .tags)
  var tag: String

  @Argument(help: "Its new name.", completion: .tags)
  var name: String

  @OptionGroup var global: GlobalOptions

  private struct Renamed: Encodable {
    let tag: String
    let entryCount: Int
  }

  func run() throws {
    let library = try global.openLibrary(for: .writing)
    let count = try library.renameTag(tag, to: name)
    if global.json {
      Output.result(JSON.line(Renamed(tag: name, entryCount: count)))
    } else if !global.quiet {
      Output.result(
        count == 0
          ? "It is written so already."
          : "Renamed it on \(Quantities.entries(count)). `leaflog undo` takes it back.")
    }
  }
}
