internal import Leaflog

/// A list of entries, as a page shows it: which ones, how they are cut into sections, and where they lead.
struct ShownEntries {
  var query = TimelineQuery()
  var isSelecting = false
  /// Whether many photos of a plant on a day are shown as one.
  var isStacking = true
  /// The address of the page, without a month.
  var address = PageAddress("/timeline")
  /// The filters that a photo's page keeps, so that its neighbours are those of the list.
  var kept: [(String, String)] = []
}

/// A section of a timeline: a month, or a part of one.
struct Section {
  let month: String
  let part: Int
  let isFirst: Bool
  let name: String
  let summary: String
  let tileCount: Int
  let entryCount: Int
  let href: String
  let showLabel: String
  let content: SectionContent?
}

/// The tiles and lines of a section that is filled.
package struct SectionContent: Screen {
  package static let template = "section"

  let isSelecting: Bool
  let hasTiles: Bool
  let tiles: [Tile]
  let hasEntries: Bool
  let entries: [EntryLine]
}

struct Scrubber {
  /// The number of the last month, from 0.
  let last: Int
}

/// The sections of a page: all of them with their sizes, and the contents of those that are seen first.
struct MonthSections {
  let sections: [Section]
  let scrubber: Scrubber?
  /// The first month that is not filled, for browsers without scripts.
  let olderHref: String?

  /// So many items are filled at first: two screens of a desk.
  private static let filledItemCount = 60

  /// - Parameter month: the first to be filled; nil means the newest.
  init(_ shown: ShownEntries, from month: CalendarMonth?, _ context: PageContext) throws {
    let parts = TimelineParts(
      try context.library.timeline.tally(shown.query), isStacking: shown.isStacking)
    let start = month.map { wanted in parts.months.first { $0.month.firstDay <= wanted.firstDay } }
    let first = (start ?? parts.months.first)?.month
    var sections: [Section] = []
    var (left, older) = (Self.filledItemCount, String?.none)
    for month in parts.months {
      let address = shown.address.with("month", "\(month.month)")
      let href = "\(address.text)#m-\(month.month)"
      let name = context.reader.month(month.month)
      let summary = context.summary(month)
      for (number, part) in month.parts.enumerated() {
        let isSeen = first.map { month.month.firstDay <= $0.firstDay } ?? true
        let content = isSeen && left > 0 ? try context.content(part, shown) : nil
        if content != nil { left -= part.itemCount }
        if isSeen, content == nil, older == nil { older = href }
        sections.append(
          Section(
            month: "\(month.month)", part: number + 1, isFirst: number == 0, name: name,
            summary: summary, tileCount: part.tileCount, entryCount: part.entryCount, href: href,
            showLabel: context.words.text("showMonth", ["month": name]), content: content))
      }
    }
    self.sections = sections
    scrubber = parts.months.count > 1 ? Scrubber(last: parts.months.count - 1) : nil
    olderHref = older
  }
}

extension PageContext {
  fileprivate func summary(_ month: TimelineParts.Month) -> String {
    .dotted(
      month.photoCount > 0 ? reader.count("countPhotos", month.photoCount) : nil,
      month.entryCount > 0 ? reader.count("countEntries", month.entryCount) : nil)
  }

  /// A section by its month and number; empty when there is none any more.
  func content(
    _ shown: ShownEntries, month: CalendarMonth, part: Int
  ) throws -> SectionContent {
    var query = shown.query
    query.firstDay = max(query.firstDay ?? month.firstDay, month.firstDay)
    query.lastDay = min(query.lastDay ?? month.lastDay, month.lastDay)
    let parts = TimelineParts(try library.timeline.tally(query), isStacking: shown.isStacking)
    let all = parts.months.first?.parts ?? []
    guard all.indices.contains(part - 1) else {
      return SectionContent(
        isSelecting: shown.isSelecting, hasTiles: false, tiles: [], hasEntries: false, entries: [])
    }
    return try content(all[part - 1], shown)
  }

  fileprivate func content(
    _ part: TimelineParts.Part, _ shown: ShownEntries
  ) throws -> SectionContent {
    var query = shown.query
    let days = part.slices.map(\.day.day)
    (query.firstDay, query.lastDay) = (days.min(), days.max())
    let stacks = part.slices.flatMap { slice in
      slice.day.stacks.map { PhotoStack(day: slice.day.day, plant: $0.plant) }
    }
    let count = part.slices.reduce(0) { $0 + $1.day.photoCount + $1.day.entryCount }
    let found = try library.timeline.entries(query, stacking: stacks, limit: max(1, count))
    let entriesOf = Dictionary(grouping: found.entries) { $0.time.localDay }
    let keptQuery = PageAddress("", shown.kept).query
    var (tiles, lines) = ([Tile](), [EntryLine]())
    for slice in part.slices {
      let entries = entriesOf[slice.day.day] ?? []
      let stacked = slice.day.stacks.map { stack -> Tile? in
        let address = PageAddress(
          "/timeline",
          [("plant", stack.plant.description), ("day", "\(slice.day.day)"), ("kind", "photo")])
        return found.latest[PhotoStack(day: slice.day.day, plant: stack.plant)].flatMap {
          tile(
            $0, isOfPlant: shown.query.plant != nil, stack: (address.text, stack.count))
        }
      }
      let photos = entries.filter { $0.kind == .photo }.map {
        tile($0, keeping: keptQuery, isOfPlant: shown.query.plant != nil)
      }
      let others = entries.filter { $0.kind != .photo }
      let shownTiles = (stacked + photos).sliced(slice.items)
      tiles += shownTiles.compactMap { $0 }
      let from = slice.items.lowerBound - slice.day.tileCount
      lines += others.sliced(max(0, from)..<max(0, slice.items.upperBound - slice.day.tileCount))
        .compactMap { line($0) }
    }
    return SectionContent(
      isSelecting: shown.isSelecting, hasTiles: !tiles.isEmpty, tiles: tiles,
      hasEntries: !lines.isEmpty, entries: lines)
  }
}

extension Array {
  /// The elements at these places, as far as there are any.
  fileprivate func sliced(_ range: Range<Int>) -> ArraySlice<Element> {
    self[range.clamped(to: 0..<count)]
  }
}
