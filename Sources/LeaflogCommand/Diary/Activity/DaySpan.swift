internal import Leaflog

/// Consecutive days on which an activity was done, both ends included.
struct DaySpan {
  let days: [LocalDay]

  /// - Parameter names: the names of the two options.
  /// - Throws: `LeaflogError` when the last day comes first, or there are too many.
  init(from first: LocalDay, to last: LocalDay, names: (String, String)) throws {
    guard first <= last else {
      throw LeaflogError(.invalidRequest, "\(names.0) \(first) is after \(names.1) \(last).")
    }
    guard last.dayNumber - first.dayNumber < LibraryActivities.maxCompletionCount else {
      throw LeaflogError(
        .invalidRequest,
        "At most \(LibraryActivities.maxCompletionCount) days can be recorded at once.")
    }
    days = (first.dayNumber...last.dayNumber).map { LocalDay(dayNumber: $0) }
  }
}
