import ArgumentParser
internal import Leaflog

/// `leaflog photo`
struct PhotoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "photo", abstract: "List, correct, move, delete and export photos.",
    subcommands: [
      PhotoList.self, PhotoShow.self, PhotoEdit.self, PhotoFavourite.self, PhotoUnfavourite.self,
      PhotoMove.self, PhotoRedate.self, PhotoDelete.self, PhotoRestore.self, PhotoExport.self,
    ])
}

/// The photos selected for a command: some by id, or all that match.
struct PhotoChoice {
  let ids: [String]
  let plant: String?
  let from: DayArgument?
  let to: DayArgument?
  var tags: [String] = []
  var isFavourite = false

  private var hasFilter: Bool {
    plant != nil || from != nil || to != nil || !tags.isEmpty || isFavourite
  }

  /// - Throws: when both ways are used, or neither; `options` names those of the second.
  func validate(options: String) throws {
    if !ids.isEmpty, hasFilter {
      throw ValidationError("Give either ids or \(options), not both.")
    }
    if ids.isEmpty, !hasFilter {
      throw ValidationError("No photos selected. Give their ids, or use \(options).")
    }
  }

  /// The selected photos; `deleted` selects from the trash.
  func selection(in library: Library, deleted: Bool = false) throws -> PhotoSelection {
    if !ids.isEmpty {
      var seen: Set<EntryID> = []
      return .photos(
        try ids.map { try library.photos.entry($0).id }.filter { seen.insert($0).inserted })
    }
    return .matching(
      TimelineQuery(
        plant: try plant.map { try library.plants.reference($0, inTrash: deleted).id },
        kinds: [.photo],
        tags: tags, isFavourite: isFavourite, firstDay: try from?.firstDay(in: library),
        lastDay: try to?.lastDay(in: library), order: .oldestFirst, deleted: deleted))
  }
}

/// The arguments of commands that take photos by id, or all that match.
struct PhotoChoiceOptions: ParsableArguments {
  @Argument(help: "The ids of photos, or prefixes of them.", completion: .photos)
  var photos: [String] = []

  @Option(help: "All photos of this plant.", completion: .plants)
  var plant: String?

  @Option(help: "Photos of this day and later.")
  var from: DayArgument?

  @Option(help: "Photos up to this day.")
  var to: DayArgument?

  @OptionGroup var filter: TagFilterOptions

  static let names = "--plant, --from, --to, --tag and --favourite"

  var choice: PhotoChoice {
    PhotoChoice(
      ids: photos, plant: plant, from: from, to: to, tags: filter.tag,
      isFavourite: filter.favourite)
  }
}
