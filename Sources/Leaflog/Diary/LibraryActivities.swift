internal import DiaryCatalog

/// Recurring activities such as watering, and the days on which they were done.
public struct LibraryActivities: LibrarySection {
  let library: Library
}

extension LibraryActivities {
  /// All activities in user-defined order, each with the day of its last completion. One query, which does not look at the
  /// entries.
  ///
  /// - Parameter isCounting: whether they have their numbers of completions, which takes the longer, the more there are.
  /// - Throws: `LeaflogError` when the catalog cannot be read.
  public func all(isCounting: Bool = true) throws(LeaflogError) -> [Activity] {
    try read { try $0.activities.all(isCounting: isCounting) }
  }

  /// The activities that were done on a day.
  ///
  /// - Throws: `LeaflogError` when the catalog cannot be read.
  public func done(on day: LocalDay) throws(LeaflogError) -> Set<ActivityID> {
    try read { try $0.completions.activities(on: day) }
  }

  /// The activity with this id.
  ///
  /// - Throws: `LeaflogError` with code `notFound` when there is none.
  public func find(_ id: ActivityID) throws(LeaflogError) -> Activity {
    try read { try $0.activities.activity(id) }
  }

  /// The activity with this name, regardless of case, or this id or an unambiguous prefix of it.
  ///
  /// - Throws: `LeaflogError` with code `notFound` when there is none, and `ambiguous` for a prefix of several ids.
  public func find(matching nameOrID: String) throws(LeaflogError) -> Activity {
    try read { try $0.activities.named(nameOrID) }
  }

  /// The built-in categories, followed by the user's own that are in use.
  ///
  /// - Throws: `LeaflogError` when the catalog cannot be read.
  public func categories() throws(LeaflogError) -> [String] {
    let known = ActivityCategory.allCases.map(\.rawValue)
    return known
      + (try read { try $0.activities.categories() }).filter { !known.contains($0) }
  }

  /// Adds an activity at the end of the order, with the days on which it was done before. It can be
  /// undone as a whole.
  ///
  /// - Parameters:
  ///   - plant: the plant it is done for, if any.
  ///   - days: in any order; one that is named twice counts once.
  /// - Throws: `LeaflogError` with code `nameTaken` when another activity has the name, regardless of
  ///   case, and `invalidRequest` for invalid details or a day in the future.
  public func add(
    _ details: ActivityDetails, plant: PlantID? = nil, doneOn days: [LocalDay] = []
  ) throws(LeaflogError) -> Activity {
    let times = try completionTimes(on: days)
    return try change(.activityAdd) {
      try $0.activities.add(details, plant: plant, doneAt: times, now: $1)
    }
  }

  /// Edits the details of an activity. It can be undone.
  ///
  /// - Parameter plant: the plant that it is done for from now on. Completions keep the plant that they were done for.
  /// - Throws: `LeaflogError` with code `notFound` when the activity or the plant does not exist, or the activity was
  ///   deleted, `nameTaken` when another activity has the name, and `invalidRequest` for invalid details.
  public func edit(
    _ id: ActivityID, plant: PlantEdit = .keep,
    _ body: (inout ActivityDetails) throws -> Void = { _ in }
  ) throws(LeaflogError) -> Activity {
    try change(.activityEdit) { tables, _ in
      try tables.activities.edit(id, plant: plant.change, body)
    }
  }

  /// Deletes an activity; its completions go into the trash. Undoing it or restoring one of them
  /// brings it back.
  ///
  /// - Returns: how many completions were deleted.
  /// - Throws: `LeaflogError` with code `notFound` when there is none, or it was deleted already.
  @discardableResult
  public func delete(_ id: ActivityID) throws(LeaflogError) -> Int {
    try change(.activityDelete) { try $0.activities.delete(id, now: $1) }
  }

  /// Moves an activity to another place; those between move up or down by one. It can be undone.
  ///
  /// - Returns: all activities, in their new order.
  /// - Throws: `LeaflogError` with code `invalidRequest` for a number out of range, and `notFound` when one of the
  ///   two is not there.
  @discardableResult
  public func reorder(
    _ id: ActivityID, to place: OrderPlace<ActivityID>
  ) throws(LeaflogError) -> [Activity] {
    try rearrange { try $0.move(id, to: place, "activity") }
  }

  /// Puts the activities into this order. It can be undone.
  ///
  /// - Returns: all activities, in their new order.
  /// - Throws: `LeaflogError` with code `invalidRequest` unless every activity occurs exactly once.
  @discardableResult
  public func reorder(_ ids: [ActivityID]) throws(LeaflogError) -> [Activity] {
    try ids.checkOrder(of: all().map { ($0.id, $0.name) }, "activity")
    return try rearrange { $0 = ids }
  }

  private func rearrange(
    _ body: (inout [ActivityID]) throws -> Void
  ) throws(LeaflogError) -> [Activity] {
    try change(.activityReorder) { tables, _ in try tables.activities.reorder(body) }
  }
}
