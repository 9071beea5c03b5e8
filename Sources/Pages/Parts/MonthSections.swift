package import Leaflog

/// A list of entries as shown on a page: which ones, how they are split into sections, and where they link to.
struct ShownEntries {
  var query = TimelineQuery()
  var isSelecting = false
  /// Whether many photos of one plant and day are shown as one.
  var isStacking = true
  /// The address of the page, without a month.
  var address = PageAddress("/timeline")
  /// The filters that a photo's page keeps, so that its neighbours are those in the list.
  var kept: [(String, String)] = []
}

/// A month of a timeline, with the parts that are filled.
struct Section {
  let month: String
  let name: String
  let summary: String
  let parts: [Part]

  struct Part {
    /// Starts at 1.
    let number: Int
    let content: SectionContent
  }
}

/// The tiles and lines of a filled section.
package struct SectionContent: Screen {
  package static let template = "section"

  let isSelecting: Bool
  let hasTiles: Bool
  let tiles: [Tile]
  let hasEntries: Bool
  let entries: [EntryLine]
}

/// The months of a page: the contents of those that are visible first, and the sizes of all, from which a script
/// reserves the places of the others.
struct MonthSections {
  /// The address of a part's contents, without its month and number.
  let url: String
  let sections: [Section]
  /// `2026-11/140/100.20/60 2026-10/…`: the photos of a month, and the tiles and lines of each of its parts.
  let sizes: String
  /// The index of the last month if there are several.
  let last: Int?
  let hasScrubber: Bool
  let photosOne: String
  let photosOther: String
  let entriesOne: String
  let entriesOther: String

  // For browsers without scripts.
  let newestHref: String?
  let olderHref: String?
  let years: [Link]

  /// The number of items filled at first: two screens of a desktop.
  private static let filledItemCount = 60

  /// - Parameters:
  ///   - start: the first part to fill; nil means the newest.
  ///   - url: the address at which a script finds the contents of parts.
  init(
    _ shown: ShownEntries, from start: SectionStart?, at url: String, _ context: PageContext
  ) throws {
    let words = context.words
    let months = TimelineParts(
      try context.library.timeline.tally(shown.query), isStacking: shown.isStacking
    ).months
    let place = start.flatMap { start in
      months.firstIndex { $0.month.firstDay <= start.month.firstDay }
    }
    let first = place ?? 0
    var firstPart = 0
    if let start, months.indices.contains(first), months[first].month == start.month {
      firstPart = min(max(start.part, 1), months[first].parts.count) - 1
    }
    var sections: [Section] = []
    var (left, older) = (Self.filledItemCount, String?.none)
    for month in months.dropFirst(first) where older == nil {
      var parts: [Section.Part] = []
      for number in (sections.isEmpty ? firstPart : 0)..<month.parts.count {
        guard left > 0 else {
          older = shown.address.link(to: month.month, part: number + 1)
          break
        }
        let content = try SectionContent(month.parts[number], shown, in: context)
        parts.append(Section.Part(number: number + 1, content: content))
        left -= month.parts[number].itemCount
      }
      guard !parts.isEmpty else { break }
      sections.append(
        Section(
          month: "\(month.month)", name: context.reader.month(month.month),
          summary: Self.summary(of: month, context.reader), parts: parts))
    }
    self.sections = sections
    self.url = url
    sizes = months.map(\.sizes).joined(separator: " ")
    hasScrubber = months.count > 1
    last = hasScrubber ? months.count - 1 : nil
    (photosOne, photosOther) = (words["countPhotos.one"], words["countPhotos.other"])
    (entriesOne, entriesOther) = (words["countEntries.one"], words["countEntries.other"])
    newestHref = first > 0 || firstPart > 0 ? shown.address.text : nil
    olderHref = older
    var years: [CalendarMonth] = []
    for month in months.map(\.month) where years.last?.year != month.year { years.append(month) }
    self.years =
      years.count < 2
      ? []
      : years.map { Link(href: shown.address.link(to: $0, part: 1), label: "\($0.year)") }
  }
}

/// The section of a timeline that a page starts with.
package struct SectionStart: Sendable {
  let month: CalendarMonth
  /// Starts at 1.
  let part: Int

  package init(month: CalendarMonth, part: Int = 1) { (self.month, self.part) = (month, part) }
}

extension PageAddress {
  fileprivate func link(to month: CalendarMonth, part: Int) -> String {
    with("month", "\(month)").with("part", part > 1 ? "\(part)" : nil).text + "#m-\(month)"
  }
}

extension TimelineParts.Month {
  fileprivate var sizes: String {
    let parts = parts.map {
      $0.entryCount > 0 ? "\($0.tileCount).\($0.entryCount)" : "\($0.tileCount)"
    }
    return "\(month)/\(photoCount)/" + parts.joined(separator: "/")
  }
}

extension MonthSections {
  private static func summary(of month: TimelineParts.Month, _ reader: Reader) -> String {
    .dotted(
      month.photoCount > 0 ? reader.count("countPhotos", month.photoCount) : nil,
      month.entryCount > 0 ? reader.count("countEntries", month.entryCount) : nil)
  }
}

extension SectionContent {
  /// A section by its month and number; empty if it no longer exists.
  init(
    _ shown: ShownEntries, month: CalendarMonth, part: Int, in context: PageContext
  ) throws {
    // The tally of all months, which is cached in memory.
    let days = try context.library.timeline.tally(shown.query).filter {
      (month.firstDay...month.lastDay).contains($0.day)
    }
    let all = TimelineParts(days, isStacking: shown.isStacking).months.first?.parts ?? []
    guard all.indices.contains(part - 1) else {
      self.init(isSelecting: shown.isSelecting, tiles: [], entries: [])
      return
    }
    try self.init(all[part - 1], shown, in: context)
  }

  fileprivate init(
    _ part: TimelineParts.Part, _ shown: ShownEntries, in context: PageContext
  ) throws {
    var query = shown.query
    let days = part.slices.map(\.day.day)
    (query.firstDay, query.lastDay) = (days.min(), days.max())
    let stacks = part.slices.flatMap { slice in
      slice.day.stacks.map { PhotoStack(day: slice.day.day, plant: $0.plant) }
    }
    let count = part.slices.reduce(0) { $0 + $1.day.photoCount + $1.day.entryCount }
    let found = try context.library.timeline.entries(
      query, stacking: stacks, limit: max(1, count))
    let entriesOf = Dictionary(grouping: found.entries) { $0.time.localDay }
    let keptQuery = PageAddress("", shown.kept).query
    let label: Tile.Label = shown.query.plant == nil ? .day : .age
    var (tiles, lines) = ([Tile](), [EntryLine]())
    for slice in part.slices {
      let entries = entriesOf[slice.day.day] ?? []
      let stacked = slice.day.stacks.map { stack -> Tile? in
        let address = PageAddress(
          "/timeline",
          [("plant", stack.plant.description), ("day", "\(slice.day.day)"), ("kind", "photo")])
        return found.latest[PhotoStack(day: slice.day.day, plant: stack.plant)].flatMap {
          Tile(
            $0, label: label, stack: (address.text, stack.count),
            in: context)
        }
      }
      let photos = entries.filter { $0.kind == .photo }.map {
        Tile($0, keeping: keptQuery, label: label, in: context)
      }
      let others = entries.filter { $0.kind != .photo }
      let shownTiles = (stacked + photos).sliced(slice.items)
      tiles += shownTiles.compactMap { $0 }
      let from = slice.items.lowerBound - slice.day.tileCount
      lines += others.sliced(max(0, from)..<max(0, slice.items.upperBound - slice.day.tileCount))
        .compactMap { EntryLine($0, in: context) }
    }
    self.init(isSelecting: shown.isSelecting, tiles: tiles, entries: lines)
  }

  init(isSelecting: Bool = false, tiles: [Tile], entries: [EntryLine]) {
    self.init(
      isSelecting: isSelecting, hasTiles: !tiles.isEmpty, tiles: tiles,
      hasEntries: !entries.isEmpty, entries: entries)
  }
}

extension Array {
  /// The elements in a range, as far as they exist.
  fileprivate func sliced(_ range: Range<Int>) -> ArraySlice<Element> {
    self[range.clamped(to: 0..<count)]
  }
}
