import ArgumentParser
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
