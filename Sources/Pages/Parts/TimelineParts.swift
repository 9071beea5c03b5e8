package import Leaflog

/// A timeline split into the sections of a page: months, and parts of a month. The split depends only on the counts, so
/// that a section that is fetched later fits the place reserved for it.
package struct TimelineParts {
  /// The items of a day in display order: stacks, then photos, then other entries.
  package struct Day {
    let day: LocalDay
    /// Photos of a plant that are shown as one, and their number.
    let stacks: [(plant: PlantID, count: Int)]
    let photoCount: Int
    let entryCount: Int

    var tileCount: Int { stacks.count + photoCount }
    var itemCount: Int { tileCount + entryCount }
  }

  /// Some items of a day, by their indices in the day.
  package struct Slice {
    let day: Day
    let items: Range<Int>

    var tileCount: Int { items.clamped(to: 0..<day.tileCount).count }
    var entryCount: Int { items.count - tileCount }
  }

  package struct Part {
    var slices: [Slice] = []

    package var tileCount: Int { slices.reduce(0) { $0 + $1.tileCount } }
    package var entryCount: Int { slices.reduce(0) { $0 + $1.entryCount } }
    package var itemCount: Int { slices.reduce(0) { $0 + $1.items.count } }
  }

  package struct Month {
    package let month: CalendarMonth
    /// All photos of the month, including those in stacks.
    package var photoCount = 0
    package var entryCount = 0
    package var parts: [Part] = []
  }

  /// The largest number of photos of one plant and day that are shown separately; more make a stack.
  static let maxLoosePhotoCount = 12
  /// The number of items in a part, except for the last one of a month. It fills rows of 3, 4, 5, 6, 8 and 10 tiles.
  static let partItemCount = 120

  /// Newest first.
  package private(set) var months: [Month] = []

  /// - Parameters:
  ///   - tallies: the newest day first.
  ///   - isStacking: whether many photos of one plant and day are shown as one.
  package init(_ tallies: [DayTally], isStacking: Bool) {
    for tallies in tallies.chunked(by: \.day) {
      add(Self.day(tallies, isStacking: isStacking), tallies)
    }
  }

  private static func day(_ tallies: [DayTally], isStacking: Bool) -> Day {
    var (stacks, photos, entries) = ([(plant: PlantID, count: Int)](), 0, 0)
    for tally in tallies {
      if !tally.isPhoto {
        entries += tally.count
      } else if isStacking, let plant = tally.plant, tally.count > maxLoosePhotoCount {
        stacks.append((plant, tally.count))
      } else {
        photos += tally.count
      }
    }
    return Day(day: tallies[0].day, stacks: stacks, photoCount: photos, entryCount: entries)
  }

  private mutating func add(_ day: Day, _ tallies: [DayTally]) {
    let month = CalendarMonth(of: day.day)
    if months.last?.month != month { months.append(Month(month: month)) }
    let last = months.count - 1
    for tally in tallies {
      if tally.isPhoto { months[last].photoCount += tally.count }
      if !tally.isPhoto { months[last].entryCount += tally.count }
    }
    var items = 0..<day.itemCount
    while !items.isEmpty {
      let taken = items.prefix(room(in: last))
      months[last].parts[months[last].parts.count - 1].slices.append(Slice(day: day, items: taken))
      items = taken.upperBound..<items.upperBound
    }
  }

  /// The number of items that still fit in the last part of a month. A new part is added when it is full.
  private mutating func room(in month: Int) -> Int {
    if let last = months[month].parts.last, last.itemCount < Self.partItemCount {
      return Self.partItemCount - last.itemCount
    }
    months[month].parts.append(Part())
    return Self.partItemCount
  }
}

extension Array {
  /// Groups of adjacent elements with the same value.
  fileprivate func chunked<Value: Equatable>(by value: (Element) -> Value) -> [[Element]] {
    reduce(into: []) { chunks, element in
      if let last = chunks.last?.last, value(last) == value(element) {
        chunks[chunks.count - 1].append(element)
      } else {
        chunks.append([element])
      }
    }
  }
}
