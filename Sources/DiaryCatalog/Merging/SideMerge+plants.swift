internal import DiaryModel
internal import Fields
internal import GRDB

/// Plants: by their ids, and those that only one copy has by their names.
extension SideMerge {
  mutating func mergePlants() throws {
    let present = try tables.plants.exchanged(all: true).byID(\.id)
    let former = try common?.plants.exchanged(all: true).byID(\.id)
    let theirs = try other.plants.exchanged(all: true)
    var known = theirs.filter { present[$0.id] != nil }
    while let plant = try tables.plants.next(of: &known, { ($0.id, $0.details.name) }) {
      guard let own = present[plant.id] else { continue }
      try merge(plant, over: own, since: former?[plant.id], isCommonKnown: former != nil)
    }
    for plant in theirs where present[plant.id] == nil {
      if let before = former?[plant.id] {
        if plant.deletedAt == nil, plant.details != before.details { try addToTrash(plant) }
      } else {
        try merge(new: plant, former)
      }
    }
    try findNamesakes(of: theirs)
    for (id, plant) in former ?? [:] where plant.deletedAt == nil && otherPlants[id] == nil {
      guard let own = present[id], own.deletedAt == nil else { continue }
      deletedPlants.append((id, now, own.details != plant.details))
    }
  }

  /// Lets what belongs to a plant that is in the trash here belong to the one that has its name by now.
  private mutating func findNamesakes(of theirs: [ExchangedPlant]) throws {
    for plant in theirs where plant.deletedAt == nil && ids.plants[plant.id] == nil {
      guard let row = try tables.plants.rowIfAny(of: plant.id) else { continue }
      let undeleted = try tables.plants.namesake(of: row)
      if let undeleted { ids.plants[plant.id] = try tables.plants.id(ofRow: undeleted) }
    }
  }

  /// Adds a plant, unless this copy has added one of the same name, or the other copy has replaced one of that name.
  private mutating func merge(
    new plant: ExchangedPlant, _ former: [PlantID: ExchangedPlant]?
  ) throws {
    guard plant.deletedAt == nil, let holder = try tables.plants.id(named: plant.details.name)
    else { return try add(plant) }
    if otherPlants[holder].map({ $0.deletedAt != nil }) ?? true,
      let own = try tables.plants.exchanged(holder)
    {
      ids.plants[plant.id] = holder
      deletedPlants.removeAll { $0.id == holder }
      return try merge(
        plant, over: own, since: former?[holder], isCommonKnown: former != nil)
    }
    var renamed = plant
    var notes = MergedNotes(present: plant.details.notes)
    notes.add("name", plant.details.name)
    renamed.details.notes = notes.text
    renamed.details.name += " (other copy)"
    try add(renamed)
    conflict(.taken, renamed)
  }

  private mutating func add(_ plant: ExchangedPlant) throws {
    var plant = plant
    plant.deletedAt = deletionTime(plant.deletedAt)
    let row = try arrival.add(plant)
    if let id = try tables.plants.id(ofRow: row), id != plant.id { ids.plants[plant.id] = id }
    count(.plant, .added)
  }

  /// Adds a plant that was changed there and permanently removed here.
  private mutating func addToTrash(_ plant: ExchangedPlant) throws {
    var deleted = plant
    deleted.deletedAt = now
    _ = try arrival.add(deleted)
    count(.plant, .changed)
    conflict(.deletedHere, plant)
  }

  private mutating func merge(
    _ theirs: ExchangedPlant, over own: ExchangedPlant, since former: ExchangedPlant?,
    isCommonKnown: Bool
  ) throws {
    // Plants that were found by their names are spelt as they are here.
    let fields = PlantDetails.fields.all.filter {
      $0.name != "aliases" && ($0.name != "name" || ids.plants[theirs.id] == nil)
    }
    .map(MergeField.init)
    guard isCommonKnown else {
      for field in MergeField.differences(fields, of: theirs.details, over: own.details) {
        conflict(.differs, own, field)
      }
      let isDeleted = (theirs: theirs.deletedAt != nil, present: own.deletedAt != nil)
      if let found = MergedFields<PlantDetails>.Conflict(isDeleted) {
        conflict(.differs, own, found)
      }
      return
    }
    var merged = MergedFields(
      fields.filter { $0.name != "notes" }, of: theirs.details, over: own.details,
      since: former?.details)
    let name = merged.whole.name
    if own.deletedAt == nil, foldedName(name) != foldedName(own.details.name),
      let holder = try tables.plants.id(named: name), holder != own.id
    {
      merged.whole.name = own.details.name
      merged.conflicts.append(.init(field: "name", theirs: name, present: own.details.name))
    }
    let notes = MergedNotes(
      of: theirs.details.notes, over: own.details.notes, since: former.map(\.details.notes),
      keeping: merged.conflicts.map { ($0.field, $0.theirs) })
    let hasNews = merged.hasNews || notes.hasNews
    let isChanged = merged.hasOwnChanges || notes.hasOwnChanges
    if notes.isConflict {
      merged.conflicts.append(
        .init(field: "notes", theirs: theirs.details.notes, present: own.details.notes))
    }
    for found in merged.conflicts { conflict(.bothChanged, own, found) }
    merged.whole.notes = notes.text
    try set(merged.whole, of: own)
    try mergeDeletion(of: theirs, over: own, since: former, hasNews: hasNews, isChanged: isChanged)
  }

  private mutating func set(_ details: PlantDetails, of plant: ExchangedPlant) throws {
    guard details != plant.details else { return }
    try tables.plants.set(details, of: plant.id)
    count(.plant, .changed)
  }

  private mutating func mergeDeletion(
    of theirs: ExchangedPlant, over own: ExchangedPlant, since former: ExchangedPlant?,
    hasNews: Bool, isChanged: Bool
  ) throws {
    guard let former else { return }
    switch (former.deletedAt, theirs.deletedAt, own.deletedAt) {
    case (nil, let deletedAt?, nil):
      deletedPlants.append((own.id, deletionTime(deletedAt) ?? now, isChanged))
    case (nil, nil, _?): if hasNews { conflict(.deletedHere, own) }
    case (_?, nil, _?):
      if try tables.plants.id(named: own.details.name) == nil {
        try tables.plants.setDeleted(nil, tables.plants.row(of: own.id))
        count(.plant, .added)
      } else {
        conflict(.taken, own)
      }
    default: break
    }
  }

  /// Deletes the plants that were deleted there and that nothing here belongs to any more.
  mutating func deletePlants() throws {
    for (id, deletedAt, isChanged) in deletedPlants {
      let holdings = try tables.plants.holdings(of: id)
      let plant = try tables.plants.named(id.description, among: .undeletedFirst)
      if !isChanged, holdings.activities == 0, holdings.entries.isEmpty {
        try tables.plants.setDeleted(deletedAt, tables.plants.row(of: id))
        count(.plant, .deleted)
      } else {
        let own = ExchangedPlant(id: id, details: plant.details)
        conflict(.deletedThere, own)
        var notes = MergedNotes(present: plant.details.notes)
        notes.addDeletion()
        var details = plant.details
        details.notes = notes.text
        try set(details, of: own)
      }
    }
  }

  /// Brings over the aliases that were added, moved to another plant or removed there, unless this copy has done something
  /// else with them or has a plant of the name.
  mutating func mergeAliases() throws {
    let theirs = PlantAliases(of: Array(otherPlants.values))
    let former = try common.map { try PlantAliases(of: $0.plants.exchanged(all: true)) }
    let own = try PlantAliases(of: tables.plants.exchanged(all: true))
    for (folded, alias) in theirs.names.sorted(by: { $0.key < $1.key }) {
      let (plant, before) = (ids.plants[alias.plant] ?? alias.plant, former?.names[folded]?.plant)
      let present = own.names[folded]?.plant
      guard alias.plant != before, plant != present, let row = try tables.plants.rowIfAny(of: plant)
      else { continue }
      if present != before {
        try conflictOfAlias(alias.name, of: plant, present: present)
      } else if try tables.plants.row(named: alias.name) == nil {
        try tables.plants.setAliases(tables.plants.aliases(of: row) + [alias.name], of: row)
        count(.plant, .changed)
      }
    }
    for (folded, alias) in former?.names ?? [:]
    where theirs.names[folded] == nil && own.names[folded]?.plant == alias.plant
      // One that was purged there has lost its aliases with everything else.
      && otherPlants[alias.plant] != nil
    {
      try tables.plants.removeAlias(alias.name)
      count(.plant, .changed)
    }
  }

  private mutating func conflictOfAlias(
    _ name: String, of plant: PlantID, present: PlantID?
  ) throws {
    let names = try [plant, present].map {
      try $0.map { try tables.plants.reference(named: $0.description, among: .undeletedFirst).name }
    }
    outcome.conflicts.append(
      SideConflict(
        present == nil ? .deletedHere : .taken, .plant, id: plant.description,
        name: "alias \(name)", field: "plant", theirs: names[0], present: names[1]))
  }

  private mutating func conflict(
    _ reason: SideConflict.Reason, _ plant: ExchangedPlant,
    _ field: MergedFields<PlantDetails>.Conflict? = nil
  ) {
    outcome.conflicts.append(
      SideConflict(
        reason, .plant, id: plant.id.description, name: "plant \(plant.details.name)",
        field: field?.field, theirs: field?.theirs, present: field?.present))
  }
}

/// The plants that other things belong to.
extension SideMerge {
  /// This copy's plant for something of the other copy. It is added or restored if it has to be.
  ///
  /// - Parameters:
  ///   - plant: with this copy's id.
  ///   - isUndeleted: whether the thing is not in the trash; then neither is its plant.
  mutating func plant(_ plant: PlantReference?, isUndeleted: Bool) throws -> PlantID? {
    guard let plant else { return nil }
    guard var row = try tables.plants.rowIfAny(of: plant.id) ?? addForOthers(plant.id) else {
      return nil
    }
    if isUndeleted {
      let isDeleted = try tables.plants.isDeleted(row)
      row = try tables.plants.undeletedRow(row)
      if isDeleted, let id = try tables.plants.id(ofRow: row) {
        let details = PlantDetails(name: plant.name)
        conflict(.stillUsed, ExchangedPlant(id: id, details: details))
        count(.plant, .added)
      }
    }
    return try tables.plants.id(ofRow: row)
  }

  private mutating func addForOthers(_ id: PlantID) throws -> Int64? {
    guard let plant = otherPlants[id] else { return nil }
    count(.plant, .added)
    return try arrival.add(plant)
  }
}

/// The aliases of all plants by their folded names, with the plants.
private struct PlantAliases {
  let names: [String: (name: String, plant: PlantID)]

  init(of plants: [ExchangedPlant]) {
    names = Dictionary(
      plants.flatMap { plant in
        plant.details.aliases.map { (foldedName($0), (name: $0, plant: plant.id)) }
      }
    ) { first, _ in first }
  }
}
