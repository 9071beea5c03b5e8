import ArgumentParser
internal import Leaflog

/// `leaflog timeline`
struct TimelineCommand: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "timeline", abstract: "Read the diary, most recent first, a page at a time.",
    discussion: TerminalPictures.help)

  @Option(help: "Only this kind; can be repeated.")
  var kind: [EntryKind] = []

  @OptionGroup var options: TimelineOptions
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    if options.pictures { try global.allowPictures("--pictures") }
  }

  func run(in context: CommandContext) throws {
    try TimelineReport(options: options, context: context).report(
      Set(kind), isChosen: !kind.isEmpty)
  }
}

/// The entries to read, and where to start: the options of `leaflog timeline` and `leaflog photo list`.
struct TimelineOptions: ParsableArguments {
  @OptionGroup var named: PlantArgument

  @OptionGroup var filter: TagFilterOptions

  @Option(
    help: """
      The number of entries per page, or of counts with --by, 1 to 1000. Default: 50 entries, or \
      all counts.
      """)
  var limit: Int?

  @Option(help: "Continue from a printed cursor, or show entries before a date.")
  var before: PlaceArgument?

  @Option(help: "Continue from a printed cursor, or show entries after a date.")
  var after: PlaceArgument?

  @Option(
    help: "Show the page around this: an entry's id or a prefix of it, a cursor, or a date.")
  var around: AroundArgument?

  @Option(help: "The first day or time to show.")
  var from: BoundArgument?

  @Option(help: "The last day or time to show.")
  var to: BoundArgument?

  @Option(help: "Count entries by day, week, month or year instead.")
  var by: BucketUnit?

  @Flag(help: "Show oldest first.")
  var oldestFirst = false

  @Flag(help: "Show the trash.")
  var deleted = false

  @Flag(help: "Draw each photo's thumbnail below its line.")
  var pictures = false

  func validate() throws {
    if pictures, by != nil {
      throw ValidationError("--pictures and --by cannot be used together: --by only counts.")
    }
    if let limit, !(1...1000).contains(limit) {
      throw ValidationError("--limit takes 1 to 1000, not \(limit).")
    }
    guard [before != nil, after != nil, around != nil].filter({ $0 }).count <= 1 else {
      throw ValidationError("Give one of --before, --after and --around.")
    }
    if by != nil, before != nil || after != nil || around != nil {
      throw ValidationError(
        "--by counts whole spans. Choose days with --from and --to, not with --before, --after or --around."
      )
    }
  }

  func query(_ kinds: Set<EntryKind>, in library: Library) throws -> TimelineQuery {
    var query = TimelineQuery(
      plant: try named.text.map {
        try library.plants.reference(matching: $0, among: deleted ? .undeletedFirst : .undeleted).id
      },
      kinds: kinds, tags: filter.tag, isFavourite: filter.favourite,
      order: oldestFirst ? .oldestFirst : .newestFirst, deleted: deleted)
    query.first = try from?.first(in: library)
    query.last = try to?.last(in: library)
    return query
  }

  func position(in library: Library) throws -> TimelinePosition {
    if let around { return .around(try around.cursor(in: library)) }
    if let before { return .cursor(try before.cursor(heading: .older, in: library)) }
    if let after { return .cursor(try after.cursor(heading: .newer, in: library)) }
    return .start
  }

  /// Whether only some of the entries are selected.
  var isChosen: Bool {
    named.text != nil || !filter.isEmpty || from != nil || to != nil
  }
}

/// An entry by its id or a prefix of it, a cursor, or a moment.
enum AroundArgument: ExpressibleByArgument {
  case place(PlaceArgument)
  case entry(String)

  /// A text that could be both a time and the prefix of an id is a time.
  init(argument: String) {
    let place = PlaceArgument(argument: argument)
    let isID =
      !argument.isEmpty && argument.count <= EntryID.digitCount
      && argument.allSatisfy { $0.isASCII && $0.isHexDigit }
    if isID, case .time(let time) = place, !time.isTime {
      self = .entry(argument)
    } else {
      self = .place(place)
    }
  }

  func cursor(in library: Library) throws -> Cursor {
    switch self {
    case .place(let place): try place.cursor(heading: .older, in: library)
    case .entry(let id): try library.diary.entry(matching: id).cursor(heading: .older)
    }
  }
}

/// `leaflog show`
struct ShowCommand: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show all details of a photo or any other entry.",
    discussion: TerminalPictures.help)

  @OptionGroup var options: ShowOptions

  var global: GlobalOptions { options.global }

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .reading)
    let entry = try library.diary.entry(matching: options.photo)
    guard entry.kind == .photo else { return try EntryText.show(entry, in: library, context) }
    let photo = try library.photos.find(entry.id)
    try PhotoText(library: library, context: context).report(photo, drawn: options.picture)
  }
}

/// A photo or entry to show, and how.
struct ShowOptions: ParsableArguments {
  @Argument(help: "Its id, or a prefix of it.", completion: .photos)
  var photo: String

  @Flag(help: "Draw its thumbnail too.")
  var picture = false

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    if picture { try global.allowPictures("--picture") }
  }
}
