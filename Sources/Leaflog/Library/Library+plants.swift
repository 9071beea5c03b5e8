internal import DiaryCatalog
internal import Foundation

extension Library {
  /// All plants by name; or those that were deleted, the latest first.
  public func plants(deleted: Bool = false) throws(LeaflogError) -> [Plant] {
    try translating { try catalog.plants(deleted: deleted) }
  }

  /// The plant with this name, whatever its case, or this id or an unambiguous start of it.
  /// `inTrash` looks at deleted ones too, when no other is meant.
  public func plant(
    _ nameOrID: String, inTrash: Bool = false
  ) throws(LeaflogError) -> Plant {
    try translating { try catalog.plant(nameOrID, inTrash: inTrash) }
  }

  /// The deleted plant with this name, whatever its case, or this id or an unambiguous start of it;
  /// one that is not deleted when no other is meant.
  public func deletedPlant(_ nameOrID: String) throws(LeaflogError) -> Plant {
    try translating { try catalog.deletedPlant(nameOrID) }
  }

  /// A plant with its record. Costs a look at each of its photos' days.
  public func record(of plant: Plant) throws(LeaflogError) -> PlantRecord {
    try translating {
      var query = TimelineQuery(plant: plant.id, kinds: [.photo], order: .oldestFirst)
      let first = try catalog.page(query, at: .start, limit: 1).elements.first
      let months = try catalog.buckets(query, by: .month)
      query.order = .newestFirst
      let last = try catalog.page(query, at: .start, limit: 1).elements.first
      let days = try catalog.photoDays(of: plant.id)
      let gaps = zip(days.dropFirst(), days).map { $0.dayNumber - $1.dayNumber }.sorted()
      return PlantRecord(
        plant: plant, firstPhoto: first, lastPhoto: last,
        medianDaysBetweenPhotos: Self.median(gaps), months: months,
        entryCount: try catalog.entryCounts(of: plant.id).values.reduce(0, +))
    }
  }

  private static func median(_ sorted: [Int]) -> Double? {
    guard !sorted.isEmpty else { return nil }
    return Double(sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
  }

  /// Adds a plant. Importing a folder does it too.
  ///
  /// - Throws: `LeaflogError` with code `nameTaken` when one has the name, whatever its case.
  public func addPlant(_ details: PlantDetails) throws(LeaflogError) -> Plant {
    try translating { try catalog.addPlant(details, now: moment) }
  }

  /// Changes what is said of a plant. `undo` takes it back.
  public func edit(
    _ plant: PlantID, _ body: (inout PlantDetails) throws -> Void
  ) throws(LeaflogError) -> Plant {
    try translating { try catalog.editPlant(plant, now: moment, body) }
  }

  /// Gives a plant another name. `undo` takes it back.
  ///
  /// - Throws: `LeaflogError` with code `nameTaken` when another plant has it, whatever its case.
  public func rename(_ plant: PlantID, to name: String) throws(LeaflogError) -> Plant {
    try translating {
      try catalog.editPlant(plant, as: .plantRename, now: moment) { $0.name = name }
    }
  }

  /// Gives everything of a plant to another, and deletes it. `undo` takes it back.
  ///
  /// - Returns: how many entries went over, those in the trash included.
  @discardableResult
  public func merge(_ plant: PlantID, into other: PlantID) throws(LeaflogError) -> Int {
    try translating { try catalog.merge(plant, into: other, now: moment) }
  }

  /// Deletes a plant and its activities; its entries go into the trash. `undo` takes it
  /// back. Restoring its photos brings back the plant alone.
  ///
  /// - Returns: how many entries went.
  @discardableResult
  public func delete(_ plant: PlantID) throws(LeaflogError) -> Int {
    try translating { try catalog.deletePlant(plant, now: moment) }
  }

  /// Takes a deleted plant out of the trash, with the activities and the entries that went there with
  /// it. `undo` takes it back.
  ///
  /// - Returns: how many entries came back; nil when the plant is not deleted.
  /// - Throws: `LeaflogError` with code `nameTaken` when another plant has its name by now.
  @discardableResult
  public func restore(_ plant: PlantID) throws(LeaflogError) -> Int? {
    try translating { try catalog.restorePlant(plant, now: moment) }
  }

  /// What would go with a plant that is deleted: its activities, and by kind its entries and theirs.
  public func holdings(
    of plant: PlantID
  ) throws(LeaflogError) -> (activities: Int, entries: [EntryKind: Int]) {
    try translating { try catalog.holdings(of: plant) }
  }

  /// How many entries on the timeline belong to a plant; kinds without any are absent.
  public func entryCounts(of plant: PlantID) throws(LeaflogError) -> [EntryKind: Int] {
    try translating { try catalog.entryCounts(of: plant) }
  }
}
