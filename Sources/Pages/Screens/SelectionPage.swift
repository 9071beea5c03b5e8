package import Leaflog

/// The part of the timeline that selects photos: addresses for its script, the number of all photos, and the actions.
struct SelectionParts {
  /// The address of the ids of photos that a script selects, open for parameters.
  let idsHref: String
  /// The page that acts on all photos of the list.
  let allHref: String
  let allCount: Int
  /// `All 2,561`
  let allLabel: String
  /// The largest number of ids that a form sends: they take 36 bytes each, and a form may have a megabyte.
  let most = 20_000
  let actions: SelectionActions

  init(
    _ shown: ShownEntries, _ count: Int, _ plants: [Option], _ context: PageContext
  ) {
    idsHref = PageAddress("/timeline/ids", shown.address.parameters).open
    allHref = PageAddress("/timeline/selection", shown.address.parameters).with("select", nil).text
    allCount = count
    allLabel = context.words.text("allCount", ["number": context.reader.number(count)])
    actions = SelectionActions(plants, query: "", nil, context)
  }
}

/// Buttons that move, tag, date and delete photos.
struct SelectionActions {
  /// The filters of the photos, where a form means all that match; empty where it has ids.
  let query: String
  let plantOptions: [Option]
  let dateSources: [Option]
  // The values of a form that was refused, to show them again.
  let newPlant: String?
  let tags: String?
  let shiftHours: String?
  let isMoving: Bool
  let isTagging: Bool
  let isDating: Bool

  init(_ plants: [Option], query: String, _ typed: TypedForm?, _ context: PageContext) {
    func text(_ name: String) -> String? { typed?[name].flatMap { $0.isEmpty ? nil : $0 } }
    let (plant, source) = (text("plant"), text("source"))
    self.query = query
    plantOptions = plants.map {
      Option(value: $0.value, label: $0.label, isChosen: $0.value == plant)
    }
    dateSources = Redating.Source.allCases.map {
      Option(
        value: $0.rawValue, label: context.words["source.\($0.rawValue)"],
        isChosen: $0.rawValue == source)
    }
    (newPlant, tags, shiftHours) = (text("newPlant"), text("tags"), text("shiftHours"))
    isMoving = plant != nil || newPlant != nil
    isTagging = tags != nil
    isDating = source != nil || shiftHours != nil
  }
}

/// Says how many photos are selected, and acts on them: all photos of a list, for browsers without scripts and for more
/// photos than a form can name, or those of a form that was not taken.
package struct SelectionPage: Screen {
  package static let template = "selection"

  let page: PageFrame
  /// `2,561 photos`
  let heading: String
  /// The filters.
  let subheading: String?
  let problem: PageProblem?
  let backHref: String
  let query: String
  /// The number of photos that match, which the form sends back. Nil where it has ids.
  let count: Int?
  let ids: [String]
  /// Nil where nothing is selected.
  let actions: SelectionActions?

  package init(
    _ context: PageContext, _ filters: TimelineFilters, refusal: Refusal? = nil
  ) throws {
    let words = context.words
    let (shown, plant) = try filters.shown(in: context.library)
    let address = shown.address.with("select", nil)
    ids = refusal?.typed.values["id"] ?? []
    // A form that names nothing means nothing, and never everything.
    let isAll = refusal == nil || refusal?.typed["count"] != nil
    let number = isAll ? try filters.photos(in: context.library).count : ids.count
    count = isAll ? number : nil
    query = isAll ? address.query : ""
    heading = number > 0 ? context.reader.count("countPhotos", number) : words["selection"]
    subheading = isAll ? filters.label(plant, context.reader) : nil
    problem = context.problem(refusal)
    backHref = context.back ?? address.text
    actions =
      number == 0
      ? nil
      : SelectionActions(
        try context.plantOptions(chosen: nil), query: query, refusal?.typed, context)
    page = try context.frame(words["selection"], at: .timeline)
  }
}

extension TimelineFilters {
  /// The ids of the photos that match, in the order shown.
  ///
  /// - Parameters:
  ///   - days: the only days; nil means all.
  ///   - ends: two photos; only those between them.
  package func photos(
    in library: Library, days: ClosedRange<LocalDay>? = nil, between ends: (EntryID, EntryID)? = nil
  ) throws -> [EntryID] {
    var filters = self
    filters.isSelecting = true
    var query = try filters.shown(in: library).entries.query
    if let days, query.firstDay == nil {
      (query.firstDay, query.lastDay) = (days.lowerBound, days.upperBound)
    }
    return try library.timeline.ids(query, between: ends)
  }
}

/// The ids of photos that a page's script selects at once, in the order shown.
package struct SelectableIDs: Shown {
  private let ids: [EntryID]

  package init(_ ids: [EntryID]) { self.ids = ids }

  package static let shown = Fields<SelectableIDs>([
    .init(adding: "ids", .ids) { $0.ids }
  ])
}
