internal import DiaryCatalog

/// Where in the order of one's own an activity goes.
public enum ActivityPlace: Sendable, Hashable {
  /// Counted from 1.
  case number(Int)
  case before(ActivityID)
  case after(ActivityID)
}

extension Library {
  /// All activities in the order of one's own, each with how often and when last it was done. One
  /// query, which does not look at the entries.
  public func activities() throws(LeaflogError) -> [Activity] {
    try translating { try catalog.activities() }
  }

  /// The activities that were done on a day.
  public func activities(doneOn day: LocalDay) throws(LeaflogError) -> Set<ActivityID> {
    try translating { try catalog.activities(doneOn: day) }
  }

  /// The activity with this name, whatever its case, or this id or an unambiguous start of it.
  public func activity(_ nameOrID: String) throws(LeaflogError) -> Activity {
    try translating { try catalog.activity(nameOrID) }
  }

  /// The categories that are there from the start, and then those of one's own that are in use.
  public func activityCategories() throws(LeaflogError) -> [String] {
    let known = ActivityCategory.allCases.map(\.rawValue)
    return known
      + (try translating { try catalog.activityCategories() }).filter { !known.contains($0) }
  }

  /// Adds an activity at the end of the order, with the days on which it was done before.
  /// `undo` takes all of it back.
  ///
  /// - Parameters:
  ///   - plant: the plant it is done for, if any.
  ///   - days: in any order; one that is named twice counts once.
  ///   - now: when the last day ends that may be among them.
  /// - Throws: `LeaflogError` with code `nameTaken` when one has the name, whatever its case, and
  ///   `invalidRequest` for details that the diary does not take, or a day that is still to come.
  public func addActivity(
    _ details: ActivityDetails, plant: PlantID? = nil, doneOn days: [LocalDay] = [],
    now: RecordedTime? = nil
  ) throws(LeaflogError) -> Activity {
    let times = try completionTimes(on: days, now: now)
    return try translating {
      try catalog.addActivity(details, plant: plant, doneAt: times, now: moment)
    }
  }

  /// Changes what is said of an activity. `undo` takes it back.
  ///
  /// - Parameter plant: nil leaves it. Completions keep the plant that they were done for.
  public func editActivity(
    _ id: ActivityID, plant: PlantID?? = nil,
    _ body: (inout ActivityDetails) throws -> Void = { _ in }
  ) throws(LeaflogError) -> Activity {
    try translating { try catalog.editActivity(id, plant: plant, now: moment, body) }
  }

  /// Deletes an activity; its completions go into the trash. `undo` takes it back, and
  /// so does restoring one of them.
  ///
  /// - Returns: how many completions went.
  @discardableResult
  public func deleteActivity(_ id: ActivityID) throws(LeaflogError) -> Int {
    try translating { try catalog.deleteActivity(id, now: moment) }
  }

  /// Puts an activity at another place; those between move up or down by one.
  /// `undo` takes it back.
  ///
  /// - Returns: all activities, in their new order.
  /// - Throws: `LeaflogError` with code `invalidRequest` for a number that is no place.
  @discardableResult
  public func reorderActivity(
    _ id: ActivityID, to place: ActivityPlace
  ) throws(LeaflogError) -> [Activity] {
    try reorderActivities { order in
      guard let old = order.firstIndex(of: id) else {
        throw LeaflogError(.notFound, "The activity has been deleted.")
      }
      if place == .before(id) || place == .after(id) { return }
      order.remove(at: old)
      let new: Int? =
        switch place {
        case .number(let number): (1...order.count + 1).contains(number) ? number - 1 : nil
        case .before(let other): order.firstIndex(of: other)
        case .after(let other): order.firstIndex(of: other).map { $0 + 1 }
        }
      guard let new else {
        throw LeaflogError.invalid("An activity's place is 1 to \(order.count + 1).")
      }
      order.insert(id, at: new)
    }
  }

  /// Puts the activities into this order. `undo` takes it back.
  ///
  /// - Returns: all activities, in their new order.
  /// - Throws: `LeaflogError` with code `invalidRequest` unless each activity is there once.
  @discardableResult
  public func reorderActivities(_ ids: [ActivityID]) throws(LeaflogError) -> [Activity] {
    let all = try activities()
    func names(_ activities: [Activity]) -> String {
      activities.map { "“\($0.name)”" }.joined(separator: ", ")
    }
    let absent = all.filter { !ids.contains($0.id) }
    guard absent.isEmpty else {
      throw .invalid("The order has to name every activity: \(names(absent)) is missing.")
    }
    let repeated = all.filter { activity in ids.count { $0 == activity.id } > 1 }
    guard repeated.isEmpty else {
      throw .invalid("The order may name each activity once: \(names(repeated)) is there twice.")
    }
    return try reorderActivities { $0 = ids }
  }

  private func reorderActivities(
    _ body: (inout [ActivityID]) throws -> Void
  ) throws(LeaflogError) -> [Activity] {
    try translating { try catalog.reorderActivities(now: moment, body) }
  }
}
