internal import Leaflog

/// Days in a row on which an activity was done, both ends included.
struct DaySpan {
  let first: LocalDay
  let last: LocalDay

  /// - Parameter names: of the two options.
  /// - Throws: when the last day comes first, or there are too many.
  init(
    from first: LocalDay, to last: LocalDay, names: (String, String)
  ) throws(LeaflogError) {
    guard first <= last else {
      throw LeaflogError(
        .invalidRequest, "\(names.0) \(first) is after \(names.1) \(last).")
    }
    guard last.dayNumber - first.dayNumber < Library.maxCompletionCount else {
      throw LeaflogError(
        .invalidRequest,
        "At most \(Library.maxCompletionCount) days can be written down at once.")
    }
    self.first = first
    self.last = last
  }

  var days: [LocalDay] { (first.dayNumber...last.dayNumber).map { LocalDay(dayNumber: $0) } }
}
