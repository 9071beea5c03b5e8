import ArgumentParser
internal import Leaflog

/// `leaflog tag`
struct TagCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tag", abstract: "Tags of your own, on photos and entries of any kind.",
    discussion: """
      `--tag` of `timeline`, `photo list` and `search` shows what has a tag; case does not matter.
      """,
    subcommands: [TagList.self, TagAdd.self, TagRemove.self, TagRename.self],
    defaultSubcommand: TagList.self)
}

/// `--tag`, for creating or changing an entry.
struct TagOptions: ParsableArguments {
  @Option(
    help:
      "A tag of your own; can be given several times. These replace those there are, '' removes them.",
    completion: .tags)
  var tag: [String] = []

  /// The tags; nil when none were given.
  var tags: [String]? { tag.isEmpty ? nil : tag }
}

/// `--tag` and `--favourite`, for selecting entries.
struct TagFilterOptions: ParsableArguments {
  @Option(help: "Only with this tag; several of them all have to be there.", completion: .tags)
  var tag: [String] = []

  @Flag(help: "Only favourites.")
  var favourite = false

  var isEmpty: Bool { tag.isEmpty && !favourite }
}
