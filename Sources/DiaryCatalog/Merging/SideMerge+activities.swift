internal import DiaryModel
internal import Fields
internal import GRDB

/// An activity as one copy of a library has it, with the ids of the copy that receives changes.
private struct ActivityVersion: Equatable {
  var details: ActivityDetails
  var plant: PlantReference?

  /// Besides notes.
  static let fields: [MergeField<ActivityVersion>] =
    ActivityDetails.fields.all.filter { $0.name != "notes" }
    .map { MergeField($0.lifted(\.details)) } + [
      MergeField(
        name: "plant", isEqual: { $0.plant?.id == $1.plant?.id }, copy: { $1.plant = $0.plant },
        text: { $0.plant?.name })
    ]

  static let fieldsBesidesName = fields.filter { $0.name != "name" }
}

/// Activities: by their ids, and those that only one copy has by their names.
extension SideMerge {
  mutating func mergeActivities() throws {
    let present = try tables.activities.exchanged().map(\.activity).byID(\.id)
    let former = try common?.activities.exchanged().map(\.activity).byID(\.id)
    let theirs = try other.activities.exchanged().map(\.activity)
    var known = theirs.filter { present[$0.id] != nil }
    while let activity = try tables.activities.next(of: &known, { ($0.id, $0.details.name) }) {
      guard let own = present[activity.id] else { continue }
      try merge(activity, over: own, since: former?[activity.id], isCommonKnown: former != nil)
    }
    for activity in theirs where present[activity.id] == nil {
      if let before = former?[activity.id] {
        guard activity.deletedAt == nil, activity.details != before.details else { continue }
        try add(activity, deletedAt: now)
        conflict(.deletedHere, activity)
      } else {
        try merge(new: activity, former)
      }
    }
    for (id, activity) in former ?? [:]
    where activity.deletedAt == nil && otherActivities[id] == nil {
      guard let own = present[id], own.deletedAt == nil else { continue }
      deletedActivities.append((id, now, own.details != activity.details))
    }
  }

  /// Adds an activity, unless this copy has added one of the same name, or the other copy has replaced one of that
  /// name.
  private mutating func merge(
    new activity: ExchangedActivity, _ former: [ActivityID: ExchangedActivity]?
  ) throws {
    guard activity.deletedAt == nil,
      let holder = try tables.activities.id(named: activity.details.name)
    else { return try add(activity, deletedAt: deletionTime(activity.deletedAt)) }
    if otherActivities[holder].map({ $0.deletedAt != nil }) ?? true,
      let own = try tables.activities.exchanged().map(\.activity).first(where: { $0.id == holder })
    {
      ids.activities[activity.id] = holder
      deletedActivities.removeAll { $0.id == holder }
      return try merge(
        activity, over: own, since: former?[holder], isCommonKnown: former != nil)
    }
    var renamed = activity
    var notes = MergedNotes(present: activity.details.notes)
    notes.add("name", activity.details.name)
    renamed.details.notes = notes.text
    renamed.details.name += " (other copy)"
    try add(renamed, deletedAt: nil)
    conflict(.taken, renamed)
  }

  private mutating func add(_ activity: ExchangedActivity, deletedAt: Timestamp?) throws {
    var activity = activity
    activity.deletedAt = deletedAt
    activity.plant = try plant(reference(activity), isUndeleted: deletedAt == nil)
      .map { .id($0) }
    activity.rank = 0
    let row = try arrival.add(activity, after: tables.activities.nextRank(orInTrash: true))
    let id = try tables.activities.reference(row).id
    if id != activity.id { ids.activities[activity.id] = id }
    count(.activity, .added)
  }

  /// The activity's plant, with this copy's id.
  private func reference(_ activity: ExchangedActivity) -> PlantReference? {
    guard case .id(let id)? = activity.plant else { return nil }
    return ids.plant(PlantReference(id: id, name: otherPlants[id]?.details.name ?? ""))
  }

  private func version(_ activity: ExchangedActivity) -> ActivityVersion {
    ActivityVersion(details: activity.details, plant: reference(activity))
  }

  private mutating func merge(
    _ theirs: ExchangedActivity, over own: ExchangedActivity, since former: ExchangedActivity?,
    isCommonKnown: Bool
  ) throws {
    let (other, present) = (version(theirs), version(own))
    // Activities that were found by their names are spelt as they are here.
    let fields =
      ids.activities[theirs.id] == nil ? ActivityVersion.fields : ActivityVersion.fieldsBesidesName
    guard isCommonKnown else {
      let notes = MergeField<ActivityVersion>("notes", \.details.notes) { $0 }
      for found in MergeField.differences(fields + [notes], of: other, over: present) {
        conflict(.differs, own, found)
      }
      let isDeleted = (theirs: theirs.deletedAt != nil, present: own.deletedAt != nil)
      if let found = MergedFields<ActivityVersion>.Conflict(isDeleted) {
        conflict(.differs, own, found)
      }
      return
    }
    var merged = MergedFields(fields, of: other, over: present, since: former.map(version))
    let name = merged.whole.details.name
    if own.deletedAt == nil, foldedName(name) != foldedName(own.details.name),
      let holder = try tables.activities.id(named: name), holder != own.id
    {
      merged.whole.details.name = own.details.name
      merged.conflicts.append(.init(field: "name", theirs: name, present: own.details.name))
    }
    let notes = MergedNotes(
      of: theirs.details.notes, over: own.details.notes, since: former.map(\.details.notes),
      keeping: merged.conflicts.map { ($0.field, $0.theirs) })
    if notes.isConflict {
      merged.conflicts.append(
        .init(field: "notes", theirs: theirs.details.notes, present: own.details.notes))
    }
    for found in merged.conflicts { conflict(.bothChanged, own, found) }
    merged.whole.details.notes = notes.text
    try set(merged.whole, of: own)
    try mergeDeletion(
      of: theirs, over: own, since: former, hasNews: merged.hasNews || notes.hasNews,
      isChanged: merged.hasOwnChanges || notes.hasOwnChanges)
  }

  private mutating func set(_ version: ActivityVersion, of activity: ExchangedActivity) throws {
    guard version != self.version(activity) else { return }
    let plant = try plant(version.plant, isUndeleted: activity.deletedAt == nil)
    try tables.activities.set(version.details, plant: plant, of: activity.id)
    count(.activity, .changed)
  }

  private mutating func mergeDeletion(
    of theirs: ExchangedActivity, over own: ExchangedActivity, since former: ExchangedActivity?,
    hasNews: Bool, isChanged: Bool
  ) throws {
    guard let former else { return }
    switch (former.deletedAt, theirs.deletedAt, own.deletedAt) {
    case (nil, let deletedAt?, nil):
      deletedActivities.append((own.id, deletionTime(deletedAt) ?? now, isChanged))
    case (nil, nil, _?): if hasNews { conflict(.deletedHere, own) }
    case (_?, nil, _?):
      if try tables.activities.id(named: own.details.name) == nil {
        let undeleted = try plant(reference(own), isUndeleted: true)
        let row = try tables.activities.row(of: own.id)
        try tables.activities.setDeleted(nil, row)
        try tables.activities.setPlant(undeleted.map { try tables.plants.row(of: $0) }, row)
        count(.activity, .added)
      } else {
        conflict(.taken, own)
      }
    default: break
    }
  }

  /// Deletes the activities that were deleted there and were not done here since.
  mutating func deleteActivities() throws {
    for (id, deletedAt, isChanged) in deletedActivities {
      let row = try tables.activities.row(of: id)
      let activity = try tables.activities.activity(row)
      if !isChanged, activity.completionCount == 0 {
        try tables.activities.setDeleted(deletedAt, row)
        count(.activity, .deleted)
        continue
      }
      let own = ExchangedActivity(
        id: id, details: activity.details, plant: activity.plant.map { .id($0.id) },
        rank: activity.rank)
      conflict(.deletedThere, own)
      var notes = MergedNotes(present: activity.details.notes)
      notes.addDeletion()
      var changed = ActivityVersion(details: activity.details, plant: activity.plant)
      changed.details.notes = notes.text
      guard changed.details != activity.details else { continue }
      try tables.activities.set(changed.details, plant: activity.plant?.id, of: id)
      count(.activity, .changed)
    }
  }

  private mutating func conflict(
    _ reason: SideConflict.Reason, _ activity: ExchangedActivity,
    _ field: MergedFields<ActivityVersion>.Conflict? = nil
  ) {
    outcome.conflicts.append(
      SideConflict(
        reason, .activity, id: activity.id.description,
        name: "activity \(activity.details.name)", field: field?.field, theirs: field?.theirs,
        present: field?.present))
  }
}

/// The activities that completions belong to, and the order of activities.
extension SideMerge {
  /// Makes sure that this copy has the activity of a completion of the other copy, and that it is not in the trash
  /// unless the completion is.
  mutating func haveActivity(_ reference: ActivityReference, isUndeleted: Bool) throws {
    guard let row = try tables.activities.rowIfAny(of: reference.id) else {
      guard let activity = otherActivities[reference.id] else { return }
      return try add(activity, deletedAt: isUndeleted ? nil : deletionTime(activity.deletedAt))
    }
    let activity = try tables.activities.activity(row)
    guard isUndeleted, activity.deletedAt != nil else { return }
    let own = ExchangedActivity(id: activity.id, details: activity.details, rank: activity.rank)
    var details = activity.details
    if try tables.activities.id(named: details.name) != nil {
      var notes = MergedNotes(present: details.notes)
      notes.add("name", details.name)
      details.notes = notes.text
      details.name += " (other copy)"
      try tables.activities.set(details, plant: activity.plant?.id, of: activity.id)
    }
    let undeleted = try plant(activity.plant, isUndeleted: true)
    try tables.activities.setDeleted(nil, row)
    try tables.activities.setPlant(undeleted.map { try tables.plants.row(of: $0) }, row)
    count(.activity, .added)
    conflict(.stillUsed, own)
  }

  /// Takes over the order of the other copy, if only that has changed it.
  mutating func mergeOrder() throws {
    guard let common else { return }
    let theirs = try order(of: other, ids)
    let former = try order(of: common, ids)
    let own = try order(of: tables, SideIDs())
    let (known, before, present) = (Set(theirs), Set(former), Set(own))
    let shared = theirs.filter { before.contains($0) && present.contains($0) }
    let sharedBefore = former.filter { known.contains($0) && present.contains($0) }
    let sharedHere = own.filter { known.contains($0) && before.contains($0) }
    guard shared != sharedBefore, shared != sharedHere else { return }
    guard sharedHere == sharedBefore else {
      let names = try [shared, sharedHere].map { order in
        try order.map { try tables.activities.reference(tables.activities.row(of: $0)).name }
          .joined(separator: ", ")
      }
      outcome.conflicts.append(
        SideConflict(
          .bothChanged, .activity, id: "order", name: "order of activities", field: "order",
          theirs: names[0], present: names[1]))
      return
    }
    var next = theirs.filter(present.contains)[...]
    _ = try tables.activities.reorder { order in
      order = order.map { known.contains($0) ? next.popFirst() ?? $0 : $0 }
    }
    count(.activity, .changed)
  }

  private func order(of tables: CatalogTables, _ ids: SideIDs) throws -> [ActivityID] {
    try tables.activities.exchanged().map(\.activity).filter { $0.deletedAt == nil }
      .map { ids.activities[$0.id] ?? $0.id }
  }
}
