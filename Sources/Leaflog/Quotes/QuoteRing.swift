/// The rotation of quotes: one a day, so that none repeats before all the others have been shown. An
/// added quote is inserted at the present position: it is shown on the next day, and the others
/// continue after it.
///
/// A day's quote depends on nothing that is added on that day or later.
struct QuoteRing {
  /// Positions of quotes: the bundled ones, then those that were added.
  private var ring: [Int]
  /// The day that `head` is for.
  private var day: LocalDay
  private var head: Int

  /// - Parameters:
  ///   - bundledCount: at least one.
  ///   - additions: the days on which quotes were added, in order.
  init(bundledCount: Int, additions: [LocalDay]) {
    precondition(bundledCount > 0)
    ring = Array(0..<bundledCount)
    day = LocalDay(dayNumber: 0)
    head = 0
    var additionsOfDay = 0
    for (index, added) in additions.enumerated() {
      let first = added.advanced(by: 1)
      if first > day || index == 0 {
        head = place(on: first)
        day = first
        additionsOfDay = 0
      }
      ring.insert(bundledCount + index, at: head + additionsOfDay)
      additionsOfDay += 1
    }
  }

  private func place(on other: LocalDay) -> Int {
    let place = (head + other.dayNumber - day.dayNumber) % ring.count
    return place < 0 ? place + ring.count : place
  }

  /// The position of a day's quote. The additions have to be from before that day.
  func position(on day: LocalDay) -> Int { ring[place(on: day)] }
}
