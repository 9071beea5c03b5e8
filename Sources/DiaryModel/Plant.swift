import Foundation

/// A plant, its facts and what the library has of it.
public struct Plant: Sendable, Hashable, Identifiable {
  public let id: PlantID
  /// Unique in a library without regard to case.
  public let name: String
  public let scientificName: String?
  public let location: String?
  public let notes: String?
  public let photoCount: Int
  /// The days of its first and last photo; nil while it has none.
  public let firstPhotoDay: LocalDay?
  public let lastPhotoDay: LocalDay?

  package init(
    id: PlantID, name: String, scientificName: String?, location: String?, notes: String?,
    photoCount: Int, firstPhotoDay: LocalDay?, lastPhotoDay: LocalDay?
  ) {
    self.id = id
    self.name = name
    self.scientificName = scientificName
    self.location = location
    self.notes = notes
    self.photoCount = photoCount
    self.firstPhotoDay = firstPhotoDay
    self.lastPhotoDay = lastPhotoDay
  }
}

/// The form in which two plant names are compared: trimmed, composed, without case.
package func foldedPlantName(_ name: String) -> String {
  name.precomposedStringWithCanonicalMapping.lowercased()
}
