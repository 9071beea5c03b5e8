package import Leaflog

/// A timeline cut into the sections of a page, by counts alone: months, and in a month parts of about a hundred pictures
/// and lines. The cut depends on nothing but the counts, so that a section that is fetched later has what its place was
/// kept for.
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
  /// As many items has a part, but for a whole day.
  static let partItemCount = 100

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
    let size = Self.partItemCount
    let room = months[last].parts.last.map { size - $0.itemCount } ?? 0
    if day.itemCount <= room {
      months[last].parts[months[last].parts.count - 1].slices.append(
        Slice(day: day, items: 0..<day.itemCount))
      return
    }
    for start in stride(from: 0, to: day.itemCount, by: size) {
      let items = start..<min(start + size, day.itemCount)
      months[last].parts.append(Part(slices: [Slice(day: day, items: items)]))
    }
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
