package import Leaflog

/// A timeline cut into the sections of a page, by counts alone: months, and in a month parts. The cut depends on
/// nothing but the counts, so that a section that is fetched later has what its place was kept for.
package struct TimelineParts {
  /// The items of a day in the order in which they are shown: stacks, then photos, then other entries.
  package struct Day {
    let day: LocalDay
    /// Photos of a plant that are shown as one, and how many they are.
    let stacks: [(plant: PlantID, count: Int)]
    let photoCount: Int
    let entryCount: Int

    var tileCount: Int { stacks.count + photoCount }
    var itemCount: Int { tileCount + entryCount }
  }

  /// Some items of a day, by their places in the day.
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
    /// Of the whole month, those in stacks too.
    package var photoCount = 0
    package var entryCount = 0
    package var parts: [Part] = []
  }

  /// More photos of a plant on a day than these are a stack.
  static let maxLoosePhotoCount = 12
  /// As many items has a part, but for the last of a month. Rows of 3, 4, 5, 6, 8 and 10 tiles are full with it.
  static let partItemCount = 120

  /// Newest first.
  package private(set) var months: [Month] = []

  /// - Parameters:
  ///   - tallies: the newest day first.
  ///   - isStacking: whether many photos of a plant on a day are shown as one.
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

  /// How many items the last part of a month still takes; it is a new one where the one before is full.
  private mutating func room(in month: Int) -> Int {
    if let last = months[month].parts.last, last.itemCount < Self.partItemCount {
      return Self.partItemCount - last.itemCount
    }
    months[month].parts.append(Part())
    return Self.partItemCount
  }
}

extension Array {
  /// Neighbours with the same value together.
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
