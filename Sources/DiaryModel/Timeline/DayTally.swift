/// The number of entries on a day: photos of one plant or of none, or everything other than photos.
public struct DayTally: Sendable, Hashable {
  public let day: LocalDay
  /// The plant of the photos; nil for photos without a plant and for other entries.
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
