internal import DiaryCatalog
internal import Foundation

/// The plant that photos or an activity get when they are edited.
public enum PlantEdit: Sendable, Hashable {
  /// They keep the plant that they have, if any.
  case keep
  /// They belong to no plant.
  case remove
  /// They belong to this plant.
  case set(PlantID)

  /// Sets this plant; nil removes it.
  public init(_ plant: PlantID?) { self = plant.map(Self.set) ?? .remove }

  /// The plant that is set, if any.
  public var id: PlantID? { change ?? nil }

  /// The new plant; nil keeps it, and `.some(nil)` removes it.
  var change: PlantID?? {
    switch self {
    case .keep: .none
    case .remove: .some(nil)
    case .set(let plant): .some(plant)
    }
  }
}

/// The numbers of things that belong to a plant.
public struct PlantHoldings: Sendable, Hashable {
  /// The number of its activities.
  public let activities: Int
  /// The numbers of its entries and those of its activities, by kind; kinds without any are absent.
  public let entries: [EntryKind: Int]
}

/// Plants, their records and what belongs to them.
public struct LibraryPlants: LibrarySection {
  let library: Library
}

extension LibraryPlants {
  /// All plants by name; or those that were deleted, the latest first.
  ///
  /// - Throws: `LeaflogError` when the catalog cannot be read.
  public func all(deleted: Bool = false) throws(LeaflogError) -> [Plant] {
    try read { try $0.plants.all(deleted: deleted) }
  }

  /// The plant that photos in a folder belong to: the one with the folder's name, regardless of case, or with that alias.
  ///
  /// - Throws: `LeaflogError` when the catalog cannot be read.
  public func ofFolder(_ name: String) throws(LeaflogError) -> Plant? {
    try read { tables in try tables.plants.name(ofFolder: name).map { try tables.plants.named($0) }
    }
  }

  /// The photo that stands for each of these plants, by name; nil means all plants.
  package func covers(of ids: Set<PlantID>? = nil) throws(LeaflogError) -> [PlantCover] {
    try read { try $0.plants.covers(of: ids) }
  }

  /// The names and ids of all plants, by name, without reading what belongs to them.
  ///
  /// - Throws: `LeaflogError` when the catalog cannot be read.
  public func references() throws(LeaflogError) -> [PlantReference] {
    try read { try $0.plants.references() }
  }

  /// The plant with this id.
  ///
  /// - Parameter scope: the plants to look for it among.
  /// - Throws: `LeaflogError` with code `notFound` when there is none among them.
  public func find(
    _ id: PlantID, among scope: PlantScope = .undeleted
  ) throws(LeaflogError) -> Plant {
    try read { try $0.plants.plant(id, among: scope) }
  }

  /// The plant with this name, regardless of case, or this id or an unambiguous prefix of it.
  ///
  /// - Parameter scope: the plants to look for it among.
  /// - Throws: `LeaflogError` with code `notFound` when there is none, and `ambiguous` for a prefix of several ids.
  public func find(
    matching nameOrID: String, among scope: PlantScope = .undeleted
  ) throws(LeaflogError) -> Plant {
    try read { try $0.plants.named(nameOrID, among: scope) }
  }

  /// The name and id of the plant that `find` finds, without counting its photos.
  ///
  /// - Throws: `LeaflogError` with code `notFound` when there is none.
  public func reference(
    _ id: PlantID, among scope: PlantScope = .undeleted
  ) throws(LeaflogError) -> PlantReference {
    try read { try $0.plants.reference(id, among: scope) }
  }

  /// The name and id of the plant that `find` finds, without counting its photos.
  ///
  /// - Throws: `LeaflogError` with code `notFound` when there is none, and `ambiguous` for a prefix of several ids.
  public func reference(
    matching nameOrID: String, among scope: PlantScope = .undeleted
  ) throws(LeaflogError) -> PlantReference {
    try read { try $0.plants.reference(named: nameOrID, among: scope) }
  }

  /// A plant with its record. Reads the day of each of its photos.
  ///
  /// - Throws: `LeaflogError` when the catalog cannot be read.
  public func record(of plant: Plant) throws(LeaflogError) -> PlantRecord {
    try read { tables in
      var query = TimelineQuery(plant: plant.id, kinds: [.photo], order: .oldestFirst)
      let first = try tables.timeline.page(query, at: .start, limit: 1).elements.first
      let months = try tables.timeline.buckets(query, by: .month)
      query.order = .newestFirst
      let last = try tables.timeline.page(query, at: .start, limit: 1).elements.first
      let days = try tables.plants.photoDays(of: plant.id).filter {
        $0 >= plant.firstPhotoDay ?? $0
      }
      let gaps = zip(days.dropFirst(), days).map { $0.dayNumber - $1.dayNumber }.sorted()
      let median = Self.median(gaps)
      // Those by a clock that was never set are on other days.
      let counted = TimelineQuery(
        plant: plant.id, kinds: [.photo], firstDay: days.first, lastDay: days.last)
      let count = try median == 1 ? tables.timeline.tally(counted).reduce(0) { $0 + $1.count } : 0
      let daily = Double(count) / Double(max(1, days.count))
      return PlantRecord(
        plant: plant, firstPhoto: first, lastPhoto: last, medianDaysBetweenPhotos: median,
        photosPerDay: median == 1 && daily >= 2 ? daily : nil, months: months,
        entryCount: try tables.plants.entryCounts(of: plant.id).values.reduce(0, +))
    }
  }

  private static func median(_ sorted: [Int]) -> Double? {
    guard !sorted.isEmpty else { return nil }
    return Double(sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
  }

  /// Adds a plant. Importing a folder does so, too.
  ///
  /// - Throws: `LeaflogError` with code `nameTaken` when another plant has the name, regardless of
  ///   case.
  public func add(_ details: PlantDetails) throws(LeaflogError) -> Plant {
    try change(.plantAdd) { try $0.plants.add(details, now: $1) }
  }

  /// Edits the details of a plant. It can be undone.
  ///
  /// - Throws: `LeaflogError` with code `notFound` when there is none, `nameTaken` when another plant has the name or a
  ///   new alias, and `invalidRequest` for invalid details.
  public func edit(
    _ plant: PlantID, _ body: (inout PlantDetails) throws -> Void
  ) throws(LeaflogError) -> Plant {
    try change(.plantEdit) { tables, _ in try tables.plants.edit(plant, body) }
  }

  /// Renames a plant; its former name becomes an alias, by which folders of photos name it. It can be undone.
  ///
  /// - Throws: `LeaflogError` with code `nameTaken` when another plant has the name, regardless of
  ///   case.
  public func rename(_ plant: PlantID, to name: String) throws(LeaflogError) -> Plant {
    try change(.plantRename) { tables, _ in try tables.plants.edit(plant) { $0.name = name } }
  }

  /// Merges a plant into another and deletes it; its name and its aliases become aliases of the other. It can be undone.
  ///
  /// - Returns: how many entries were moved, those in the trash included.
  /// - Throws: `LeaflogError` with code `notFound` when one of the two does not exist, and `invalidRequest` when they
  ///   are the same.
  @discardableResult
  public func merge(_ plant: PlantID, into other: PlantID) throws(LeaflogError) -> Int {
    try change(.plantEdit) { try $0.plants.merge(plant, into: other, now: $1) }
  }

  /// Deletes a plant and its activities; its entries go into the trash. It can be undone. Restoring
  /// its photos restores the plant alone.
  ///
  /// - Returns: how many entries were deleted.
  /// - Throws: `LeaflogError` with code `notFound` when there is none.
  @discardableResult
  public func delete(_ plant: PlantID) throws(LeaflogError) -> Int {
    try change(.plantDelete) { try $0.plants.delete(plant, now: $1) }
  }

  /// Takes a deleted plant out of the trash, with the activities and the entries that were deleted
  /// with it. It can be undone.
  ///
  /// - Returns: how many entries were restored; nil when the plant is not deleted.
  /// - Throws: `LeaflogError` with code `nameTaken` when another plant has its name by now.
  @discardableResult
  public func restore(_ plant: PlantID) throws(LeaflogError) -> Int? {
    try change(.plantRestore) { tables, _ in try tables.plants.restore(plant) }
  }

  /// The numbers of things that would be deleted with a plant: its activities, and, by kind, its entries
  /// and those of its activities.
  ///
  /// - Throws: `LeaflogError` with code `notFound` when there is no such plant.
  public func holdings(
    of plant: PlantID
  ) throws(LeaflogError) -> PlantHoldings {
    let (activities, entries) = try read { try $0.plants.holdings(of: plant) }
    return PlantHoldings(activities: activities, entries: entries)
  }

  /// How many entries on the timeline belong to a plant; kinds without any are absent.
  ///
  /// - Throws: `LeaflogError` when the catalog cannot be read.
  public func entryCounts(of plant: PlantID) throws(LeaflogError) -> [EntryKind: Int] {
    try read { try $0.plants.entryCounts(of: plant) }
  }
}
