package import Leaflog

/// How a list of entries is arranged on a page.
package enum TimelineLayout: Sendable {
  /// By days: under the heading of each, its photos as a grid and its other entries as lines.
  case days
  /// One grid of photos in each month.
  case grid
  /// A picture for each day, in sections by month.
  case pictureADay
  /// A picture for each month, in sections by year.
  case pictureAMonth
}

/// The month or the year that a section of a list shows.
package struct SectionSpan: Sendable, Equatable, LosslessStringConvertible {
  package let days: ClosedRange<LocalDay>
  private let unit: BucketUnit

  /// The month or year that a day lies in.
  private init(_ unit: BucketUnit, of day: LocalDay) {
    (days, self.unit) = (unit.days(around: day), unit)
  }

  package init(of month: CalendarMonth) { self.init(.month, of: month.firstDay) }

  /// The section of a layout that a day lies in.
  init(of day: LocalDay, in layout: TimelineLayout) {
    self.init(layout == .pictureAMonth ? .year : .month, of: day)
  }

  /// Parses `YYYY-MM` or `YYYY`.
  package init?(_ text: String) {
    if let month = CalendarMonth(text) {
      self.init(of: month)
    } else if let first = CalendarMonth(text + "-01") {
      self.init(.year, of: first.firstDay)
    } else {
      return nil
    }
  }

  /// `2026-11`, or `2026`.
  package var description: String { unit.bucketName(of: days.lowerBound) }

  /// The month; nil for a year.
  var month: CalendarMonth? { unit == .month ? CalendarMonth(of: days.lowerBound) : nil }
}

/// A timeline split into the sections of a page, and parts of a section. The split depends only on the counts, so that a
/// part that is fetched later fits the place reserved for it.
package struct TimelineParts {
  /// The items of a day in display order: stacks, then photos, then other entries. Where a picture stands for a whole
  /// month, those of the month.
  package struct Day {
    let days: ClosedRange<LocalDay>
    /// Photos that are shown as one: those of a plant, or all (nil); and their number.
    let stacks: [(plant: PlantID?, count: Int)]
    let photoCount: Int
    let entryCount: Int

    var day: LocalDay { days.lowerBound }
    var tileCount: Int { stacks.count + photoCount }
    var itemCount: Int { tileCount + entryCount }
  }

  /// Some items of a day, by their indices in the day.
  package struct Slice {
    let day: Day
    let items: Range<Int>

    var tileCount: Int { items.clamped(to: 0..<day.tileCount).count }
    var entryCount: Int { items.count - tileCount }
    /// Elements of the page, approximately.
    var weight: Int { 5 + 2 * tileCount + 4 * entryCount }
  }

  package struct Part {
    let layout: TimelineLayout
    private(set) var slices: [Slice] = []
    /// The sum of those of its slices.
    private(set) var weight = 0

    fileprivate init(_ layout: TimelineLayout) { self.layout = layout }

    fileprivate mutating func append(_ slice: Slice) {
      slices.append(slice)
      weight += slice.weight
    }

    package var tileCount: Int { slices.reduce(0) { $0 + $1.tileCount } }
    package var entryCount: Int { slices.reduce(0) { $0 + $1.entryCount } }
    package var itemCount: Int { tileCount + entryCount }
    package var headingCount: Int { layout == .days ? slices.count : 0 }

    /// The rows of tiles for each number of columns.
    package var rowCounts: [Int] {
      var counts = columnCounts.map { _ in 0 }
      for tileCount in layout == .days ? slices.map(\.tileCount) : [tileCount] {
        for (index, columns) in columnCounts.enumerated() {
          counts[index] += (tileCount + columns - 1) / columns
        }
      }
      return counts
    }
  }

  package struct Section {
    package let span: SectionSpan
    /// All photos of the section, including those in stacks.
    package var photoCount = 0
    package var entryCount = 0
    package var parts: [Part] = []
  }

  /// The numbers of columns that the stylesheet chooses from.
  package static let columnCounts = [3, 4, 5, 6, 8, 10]
  /// The largest number of photos of one plant and day that are shown separately; more make a stack.
  static let maxLoosePhotoCount = 12
  /// The number of items of a day, or photos of a grid, in one part. It fills rows of all numbers of columns.
  static let maxItemCount = 120
  /// The largest weight of a part with several days: several such parts are near the window at once.
  static let maxWeight = 300

  /// Newest first.
  package private(set) var sections: [Section] = []
  private let layout: TimelineLayout

  /// - Parameters:
  ///   - tallies: the newest day first.
  ///   - isStacking: whether many photos of one plant and day are shown as one.
  package init(_ tallies: [DayTally], as layout: TimelineLayout = .days, isStacking: Bool) {
    self.layout = layout
    let groups = tallies.chunked { tally -> LocalDay in
      layout == .pictureAMonth ? CalendarMonth(of: tally.day).firstDay : tally.day
    }
    for group in groups {
      let photoCount = group.reduce(0) { $0 + ($1.isPhoto ? $1.count : 0) }
      switch layout {
      case .days, .grid: add(Self.day(group, isStacking: isStacking), group)
      case .pictureADay, .pictureAMonth:
        guard photoCount > 0 else { continue }
        let unit = layout == .pictureADay ? BucketUnit.day : .month
        let days = unit.days(around: group[group.startIndex].day)
        add(Day(days: days, stacks: [(nil, photoCount)], photoCount: 0, entryCount: 0), group)
      }
    }
  }

  private static func day(_ tallies: ArraySlice<DayTally>, isStacking: Bool) -> Day {
    var (stacks, photos, entries) = ([(plant: PlantID?, count: Int)](), 0, 0)
    for tally in tallies {
      if !tally.isPhoto {
        entries += tally.count
      } else if isStacking, let plant = tally.plant, tally.count > maxLoosePhotoCount {
        stacks.append((plant, tally.count))
      } else {
        photos += tally.count
      }
    }
    let day = tallies[tallies.startIndex].day
    return Day(days: day...day, stacks: stacks, photoCount: photos, entryCount: entries)
  }

  private mutating func add(_ day: Day, _ tallies: ArraySlice<DayTally>) {
    if sections.last?.span.days.contains(day.day) != true {
      sections.append(Section(span: SectionSpan(of: day.day, in: layout)))
    }
    let last = sections.count - 1
    for tally in tallies {
      if tally.isPhoto { sections[last].photoCount += tally.count }
      if !tally.isPhoto { sections[last].entryCount += tally.count }
    }
    var items = 0..<day.itemCount
    while !items.isEmpty {
      let room = layout == .days ? Self.maxItemCount : Self.maxItemCount - filledCount(in: last)
      let slice = Slice(day: day, items: items.prefix(room))
      if !hasRoom(for: slice, in: last) { sections[last].parts.append(Part(layout)) }
      sections[last].parts[sections[last].parts.count - 1].append(slice)
      items = slice.items.upperBound..<items.upperBound
    }
  }

  /// The number of items in the last part of a section; none if it is full.
  private func filledCount(in section: Int) -> Int {
    (sections[section].parts.last?.itemCount ?? 0) % Self.maxItemCount
  }

  private func hasRoom(for slice: Slice, in section: Int) -> Bool {
    guard let last = sections[section].parts.last else { return false }
    guard layout == .days else { return last.itemCount < Self.maxItemCount }
    // A day stays together, unless it fills a part by itself.
    return last.weight + slice.weight <= Self.maxWeight
      && last.slices.last?.day.days != slice.day.days
  }
}

extension Array {
  /// Groups of adjacent elements with the same value.
  fileprivate func chunked<Value: Equatable>(by value: (Element) -> Value) -> [ArraySlice<Element>]
  {
    var (chunks, start): ([ArraySlice<Element>], Int) = ([], 0)
    for index in indices where index + 1 == count || value(self[index + 1]) != value(self[index]) {
      chunks.append(self[start...index])
      start = index + 1
    }
    return chunks
  }
}
