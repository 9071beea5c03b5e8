internal import Language
package import Leaflog

/// A list of entries as shown on a page: which ones, how they are split into sections, and where they link to.
struct ShownEntries {
  var query = TimelineQuery()
  var layout = TimelineLayout.days
  var isSelecting = false
  /// Whether many photos of one plant and day are shown as one.
  var isStacking = true
  /// The address of the page, without a month.
  var address = PageAddress("/timeline")
  /// The filters that a photo's page keeps, so that its neighbours are those in the list.
  var kept: [(String, String)] = []

  fileprivate func parts(of tallies: [DayTally]) -> [TimelineParts.Section] {
    TimelineParts(tallies, as: layout, isStacking: isStacking).sections
  }
}

/// A month or a year of a list, with the parts that are filled.
struct Section {
  let span: String
  let name: String
  let summary: String
  let parts: [Part]

  struct Part {
    /// Starts at 1.
    let number: Int
    let content: SectionContent
  }
}

/// The contents of a part of a section.
package struct SectionContent: Screen {
  /// Empty: it is made without a template.
  package static let template = ""

  let isSelecting: Bool
  let groups: [EntryGroup]
  let words: Words
}

extension SectionContent: HTMLPart {
  /// Each line ends with a line feed.
  var html: HTML { "\(groups.map { $0.html(isSelecting: isSelecting, words) })" }
}

/// Photos as a grid, then other entries as lines.
struct EntryGroup {
  /// The day, as the address of a place on the page names it.
  let day: String
  /// `Today`, `Wed 25 November`; empty for none.
  let heading: String
  let tiles: [Tile]
  let entries: [EntryLine]

  init(day: String = "", heading: String = "", tiles: [Tile], entries: [EntryLine]) {
    (self.day, self.heading, self.tiles, self.entries) = (day, heading, tiles, entries)
  }

  /// Each line ends with a line feed.
  fileprivate func html(isSelecting: Bool, _ words: Words) -> HTML {
    let content: HTML =
      "\(photos(isSelecting: isSelecting), if: !tiles.isEmpty)\(lines(words), if: !entries.isEmpty)"
    guard !heading.isEmpty else { return content }
    return """
      <div class="day" id="d-\(day)">
      <h3>\(heading)\(choice(words), if: isSelecting)</h3>
      \(content)</div>

      """
  }

  /// The button that selects the photos of the day.
  private func choice(_ words: Words) -> HTML {
    #" <button class="round with-scripts" type="button" data-span="on=\#(day)" aria-label="\#(words["select"]): \#(heading)">✓</button>"#
  }

  private func photos(isSelecting: Bool) -> HTML {
    """
    <div class="tiles">
    \(lines: isSelecting ? tiles.map(\.choice) : tiles.map(\.html))</div>

    """
  }

  private func lines(_ words: Words) -> HTML {
    """
    <div class="lines">
    \(lines: entries.map { $0.html(words) })</div>

    """
  }

  /// The entries of a day, under a heading.
  ///
  /// - Parameters:
  ///   - stacks: tiles for photos that are shown as one.
  ///   - namesPlant: false on the plant's own page.
  ///   - list: the address of the list, to which forms return.
  init(
    _ day: LocalDay, stacks: [Tile] = [], _ entries: [Entry], keeping query: String = "",
    label: Tile.Label = .plant, namesPlant: Bool = true, returningTo list: PageAddress,
    in context: PageContext
  ) {
    let photos = entries.compactMap {
      Tile(
        $0, keeping: query, label: $0.time.precision == nil ? label : .date,
        namesPlant: namesPlant, in: context)
    }
    // A day that is only known to lie in a month or a year is not named.
    let imprecise = stacks.isEmpty && entries.allSatisfy { $0.time.precision != nil }
    self.init(
      day: day.description,
      heading: imprecise
        ? entries.first.map { context.reader.day($0.time) } ?? "" : context.reader.dayHeading(day),
      tiles: (stacks + photos).named(context.reader),
      entries: entries.compactMap { EntryLine($0, returningTo: list, in: context) })
  }
}

/// The months of a page, or its years: the contents of those that are visible first, and the sizes of all, from which a
/// script reserves the places of the others.
struct MonthSections {
  let isSelecting: Bool
  /// Those of all sections.
  let photoCount: Int
  /// The address of a part's contents, without its section and number.
  let url: String
  let sections: [Section]
  /// `2026-11/140/31.20.50.40.33.29.26.24/…`: the photos of a section, then for each of its parts the headings, the
  /// lines, and the rows of tiles for each number of columns; `31.20` for a part without tiles.
  let sizes: String
  /// `3 4 5 6 8 10`
  let columnCounts: String
  /// The number of all sections.
  let sectionCount: Int
  var hasScrubber: Bool { sectionCount > 1 }
  let words: Words

  // For browsers without scripts.
  let newestHref: String?
  let olderHref: String?
  let years: [Link]

  /// The smallest number of items filled at first, in whole parts: two screens of a desktop.
  private static let filledItemCount = 40

  /// - Parameters:
  ///   - start: the first part to fill; nil means the newest.
  ///   - url: the address at which a script finds the contents of parts.
  init(
    _ shown: ShownEntries, from start: SectionStart?, at url: String, _ context: PageContext
  ) throws {
    words = context.words
    let all = shown.parts(of: try context.library.timeline.tally(shown.query))
    let first = start.flatMap { $0.index(in: all) } ?? 0
    let firstPart = all.indices.contains(first) ? start?.part(in: all[first]) ?? 0 : 0
    var sections: [Section] = []
    var (left, older) = (Self.filledItemCount, String?.none)
    for section in all.dropFirst(first) where older == nil {
      var parts: [Section.Part] = []
      for number in (sections.isEmpty ? firstPart : 0)..<section.parts.count {
        guard left > 0 else {
          older = shown.address.link(to: section.span, part: number + 1)
          break
        }
        let content = try SectionContent(
          section.parts[number], shown, at: shown.address.section(section.span, part: number + 1),
          in: context)
        parts.append(Section.Part(number: number + 1, content: content))
        left -= section.parts[number].itemCount
      }
      guard !parts.isEmpty else { break }
      let reader = context.reader
      sections.append(
        Section(
          span: "\(section.span)",
          name: section.span.month.map(reader.month) ?? "\(section.span)",
          summary: .dotted(
            section.photoCount > 0 ? reader.count("countPhotos", section.photoCount) : nil,
            section.entryCount > 0 ? reader.count("countEntries", section.entryCount) : nil),
          parts: parts))
    }
    self.sections = sections
    self.url = url
    isSelecting = shown.isSelecting
    photoCount = all.reduce(0) { $0 + $1.photoCount }
    sizes = all.reduce(into: "") { $1.write(to: &$0) }
    columnCounts = TimelineParts.columnCounts.map { "\($0)" }.joined(separator: " ")
    sectionCount = all.count
    newestHref = first > 0 || firstPart > 0 ? shown.address.text : nil
    olderHref = older
    var years: [SectionSpan] = []
    for span in all.map(\.span) where years.last?.year != span.year { years.append(span) }
    self.years =
      years.count < 2
      ? []
      : years.map { Link(href: shown.address.link(to: $0, part: 1), label: "\($0.year)") }
  }
}

extension MonthSections: NamedValues {
  var values: [String: Any] { ["html": html, "hasScrubber": hasScrubber] }

  private var html: HTML {
    """
    \(past, if: !sections.isEmpty)\(scrubber, if: hasScrubber)
    <div class="months" id="months" data-url="\(url)" data-sizes="\(sizes)" data-columns="\(columnCounts)" data-photos-one="\(words["countPhotos.one"])" data-photos-other="\(words["countPhotos.other"])" data-entries-one="\(words["countEntries.one"])" data-entries-other="\(words["countEntries.other"])">
    \(lines: sections.map { $0.html(isSelecting: isSelecting, words) })</div>
    <noscript>
    \(older)
    <p class="part actions">\(newest)\(years.map(\.button))</p>
    </noscript>
    \(end, if: !sections.isEmpty)
    """
  }

  /// A list of years is hundreds of stops of Tab.
  private var past: HTML { ##"<a class="skip" href="#past">\##(words["pastList"])</a>"## }

  private var end: HTML {
    #"<p class="unseen" id="past" tabindex="-1">\#(words["endOfList"])</p>"#
  }

  private var older: HTML? {
    olderHref.map {
      #"<p class="part"><a class="button wide" href="\#($0)">\#(words["older"])</a></p>"#
    }
  }

  private var newest: HTML? {
    newestHref.map { Link(href: $0, label: words["newest"]).button }
  }

  private var scrubber: HTML {
    """

    <div class="scrubber" id="scrubber" hidden>
    <div class="years" aria-hidden="true"></div>
    <input type="range" min="0" max="\(sectionCount - 1)" value="0" step="1" aria-label="\(words["jumpToMonth"])">
    <output aria-live="off"></output>
    </div>
    """
  }
}

extension Link {
  fileprivate var button: HTML { #"<a class="button" href="\#(href)">\#(label)</a>"# }
}

extension Section {
  fileprivate func html(isSelecting: Bool, _ words: Words) -> HTML {
    """
    <section class="month" id="m-\(span)" aria-label="\(name)">
    <div class="title"><h2>\(name)</h2><p class="cut">\(summary)</p>\(choice(words), if: isSelecting)</div>
    \(lines: parts)</section>
    """
  }

  /// The button that selects the photos of the section.
  private func choice(_ words: Words) -> HTML {
    #"<button class="round with-scripts" type="button" data-span="month=\#(span)" aria-label="\#(words["select"]): \#(name)">✓</button>"#
  }
}

extension Section.Part: HTMLPart {
  var html: HTML {
    """
    <div class="fill" data-part="\(number)">
    \(content.html)</div>
    """
  }
}

/// The place in a list that a page starts with.
package struct SectionStart: Sendable {
  private let days: ClosedRange<LocalDay>
  private let part: Int?

  /// - Parameter part: starts at 1.
  package init(_ span: SectionSpan, part: Int = 1) { (days, self.part) = (span.days, part) }

  /// The part that shows a day.
  package init(_ day: LocalDay) { (days, part) = (day...day, nil) }

  /// The first section that does not begin after the place; nil if there is none.
  fileprivate func index(in sections: [TimelineParts.Section]) -> Int? {
    sections.firstIndex { $0.span.days.lowerBound <= days.upperBound }
  }

  /// The index of the part in a section.
  fileprivate func part(in section: TimelineParts.Section) -> Int {
    // The first of an older section, where the section of the place has nothing.
    guard section.span.days.contains(days.lowerBound) else { return 0 }
    let own = section.parts.firstIndex { $0.slices.contains { $0.day.day <= days.lowerBound } }
    let wanted = part.map { $0 - 1 } ?? own ?? section.parts.count - 1
    return min(max(wanted, 0), section.parts.count - 1)
  }
}

extension SectionSpan {
  fileprivate var year: Int { days.lowerBound.civil.year }
}

extension PageAddress {
  /// The address of a section of this page.
  fileprivate func link(to span: SectionSpan, part: Int) -> String {
    section(span, part: part).text + "#m-\(span)"
  }

  fileprivate func section(_ span: SectionSpan, part: Int) -> PageAddress {
    with("month", "\(span)").with("part", part > 1 ? "\(part)" : nil)
  }

  /// The address of a day of this page.
  fileprivate func link(to day: LocalDay) -> String { with("on", "\(day)").text + "#d-\(day)" }
}

extension PageContext {
  /// The address of a day's place in the whole timeline.
  func timelineHref(at day: LocalDay) -> String { PageAddress("/timeline").link(to: day) }
}

extension TimelineParts.Section {
  /// Appends the sizes to those of the sections before. Ten years have more than ten thousand numbers.
  fileprivate func write(to sizes: inout String) {
    sizes += "\(sizes.isEmpty ? "" : " ")\(span)/\(photoCount)"
    for part in parts {
      sizes += "/"
      sizes += String(part.headingCount)
      sizes += "."
      sizes += String(part.entryCount)
      guard part.tileCount > 0 else { continue }
      for count in part.rowCounts {
        sizes += "."
        sizes += String(count)
      }
    }
  }
}

extension SectionContent {
  /// A part by its section and number; empty if it no longer exists.
  init(
    _ shown: ShownEntries, section: SectionSpan, part: Int, in context: PageContext
  ) throws {
    // The tally of all sections, which is cached in memory.
    let days = try context.library.timeline.tally(shown.query).filter {
      section.days.contains($0.day)
    }
    let all = shown.parts(of: days).first?.parts ?? []
    guard all.indices.contains(part - 1) else {
      self.init(isSelecting: shown.isSelecting, groups: [], words: context.words)
      return
    }
    try self.init(
      all[part - 1], shown, at: shown.address.section(section, part: part), in: context)
  }

  /// - Parameter place: the address of the part.
  fileprivate init(
    _ part: TimelineParts.Part, _ shown: ShownEntries, at place: PageAddress,
    in context: PageContext
  ) throws {
    var query = shown.query
    query.firstDay = part.slices.map(\.day.days.lowerBound).min()
    query.lastDay = part.slices.map(\.day.days.upperBound).max()
    // All stacks of a day, as a slice of it may have none of them.
    let stacks = part.slices.flatMap(\.day.photoStacks)
    let found = try context.library.timeline.entries(
      query, stacking: stacks.map(\.stack),
      limit: min(100_000, part.slices.reduce(0) { $0 + $1.day.photoCount + $1.day.entryCount }))
    let entriesOf = Dictionary(grouping: found.entries) { $0.time.localDay }
    var groups: [EntryGroup] = []
    for slice in part.slices {
      let stacked = slice.day.photoStacks.sliced(slice.items).compactMap { stack, count -> Tile? in
        found.covers[stack].flatMap {
          Tile($0, standingFor: count, of: stack, in: shown, context)
        }
      }
      groups.append(
        EntryGroup(
          slice.day.day, stacks: stacked, slice.entries(of: entriesOf[slice.day.day] ?? []),
          keeping: PageAddress("", shown.kept).query, label: shown.label,
          namesPlant: shown.query.plant == nil, returningTo: place, in: context))
    }
    if part.layout != .days {
      groups = [
        EntryGroup(tiles: groups.flatMap(\.tiles), entries: groups.flatMap(\.entries))
      ]
    }
    self.init(isSelecting: shown.isSelecting, groups: groups, words: context.words)
  }
}

extension ShownEntries {
  /// The texts that distinguish the photos of the list.
  fileprivate var label: Tile.Label {
    query.plant == nil ? .plant : layout == .grid ? .ageAndDate : .age
  }
}

extension TimelineParts.Day {
  /// The stacks, with the numbers of their photos.
  fileprivate var photoStacks: [(stack: PhotoStack, count: Int)] {
    stacks.map { (PhotoStack(days: days, plant: $0.plant), $0.count) }
  }
}

extension TimelineParts.Slice {
  /// The entries in the slice, of those of its day outside stacks.
  fileprivate func entries(of entries: [Entry]) -> [Entry] {
    let photos = entries.filter { $0.kind == .photo }
    let others = entries.filter { $0.kind != .photo }
    let (first, end) = (items.lowerBound - day.stacks.count, items.upperBound - day.stacks.count)
    return Array((photos + others).sliced(max(first, 0)..<max(end, 0)))
  }
}

extension Tile {
  /// The photo that stands for a stack, which leads to all of them.
  fileprivate init?(
    _ photo: Entry, standingFor count: Int, of stack: PhotoStack, in shown: ShownEntries,
    _ context: PageContext
  ) {
    let day = stack.days.lowerBound
    switch shown.layout {
    case .days, .grid:
      let address = PageAddress("/timeline", shown.kept)
        .with("plant", stack.plant?.description).with("day", "\(day)").with("kind", "photo")
      self.init(
        photo, label: shown.label, namesPlant: shown.query.plant == nil,
        stack: (address.text, count), in: context)
    case .pictureADay:
      let address = shown.address.with("zoom", nil)
      self.init(photo, label: .day, standingFor: count, at: address.link(to: day), in: context)
    case .pictureAMonth:
      let span = SectionSpan(of: CalendarMonth(of: day))
      let address = shown.address.with("zoom", TimelineFilters.Zoom.months.rawValue)
      self.init(
        photo, label: .month, standingFor: count, at: address.link(to: span, part: 1),
        in: context)
    }
  }
}

extension Array {
  /// The elements in a range, as far as they exist.
  fileprivate func sliced(_ range: Range<Int>) -> ArraySlice<Element> {
    self[range.clamped(to: 0..<count)]
  }
}
