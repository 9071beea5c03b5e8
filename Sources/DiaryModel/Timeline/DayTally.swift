/// How many entries a day has: photos of one plant, or everything that is no photo.
public struct DayTally: Sendable, Hashable {
  public let day: LocalDay
  /// Of photos; nil for those of no plant, and for other entries.
  public let plant: PlantID?
  public let isPhoto: Bool
  /// At least one.
  public let count: Int

  public init(day: LocalDay, plant: PlantID?, isPhoto: Bool, count: Int) {
    self.day = day
    self.plant = plant
    self.isPhoto = isPhoto
    self.count = count
  }
}

/// The photos of one plant on one day.
public struct PhotoStack: Sendable, Hashable {
  public let day: LocalDay
  public let plant: PlantID

  public init(day: LocalDay, plant: PlantID) {
    self.day = day
    self.plant = plant
  }
}
