package import Fields

/// A plant with its details and the extent of its record.
public struct Plant: Sendable, Hashable, Identifiable {
  public let id: PlantID
  /// The fields that the user edits.
  public let details: PlantDetails
  /// The number of its photos, not counting those in the trash unless it is deleted.
  public let photoCount: Int
  /// The day of its first photo; nil while it has none.
  public let firstPhotoDay: LocalDay?
  /// The day of its last photo; nil while it has none.
  public let lastPhotoDay: LocalDay?
  /// The latest few photos, newest first.
  public let latestPhotos: [EntryID]
  /// When it was deleted; nil if it is not. The photos of a deleted plant are those in the trash.
  public let deletedAt: Timestamp?

  package init(
    id: PlantID, details: PlantDetails, photoCount: Int, firstPhotoDay: LocalDay?,
    lastPhotoDay: LocalDay?, latestPhotos: [EntryID], deletedAt: Timestamp?
  ) {
    self.id = id
    self.details = details
    self.photoCount = photoCount
    self.firstPhotoDay = firstPhotoDay
    self.lastPhotoDay = lastPhotoDay
    self.latestPhotos = latestPhotos
    self.deletedAt = deletedAt
  }

  /// The name in its details.
  public var name: String { details.name }
}

/// The editable fields of a plant.
public struct PlantDetails: Sendable, Hashable {
  /// A single line, not empty, unique within a library regardless of case.
  public var name: String
  /// The name of its species; nil for none.
  public var scientificName: String?
  /// Where it stands.
  public var location: String?
  /// Further names by which folders of photos name it, unless a plant is called so; sorted by name once stored. A plant
  /// that gets another name keeps its former one as an alias.
  public var aliases: [String]
  /// The user's notes, which may have several lines; nil for none.
  public var notes: String?

  /// Creates details, which are validated when they are stored.
  public init(
    name: String, scientificName: String? = nil, location: String? = nil, aliases: [String] = [],
    notes: String? = nil
  ) {
    self.name = name
    self.scientificName = scientificName
    self.location = location
    self.aliases = aliases
    self.notes = notes
  }
}

extension PlantDetails: Fielded {
  package static let blank = PlantDetails(name: "")

  package static let fields = Fields<PlantDetails>([
    Field("name", \.name, .line(.max)),
    Field("scientificName", \.scientificName, .text),
    Field("location", \.location, .text),
    Field("aliases", \.aliases, .lines(.max), standard: []),
    Field("notes", \.notes, .notes),
  ]).named("Plant")
}

/// The plants among which one is found.
public enum PlantScope: Sendable, Hashable, CaseIterable {
  /// Those that are not deleted.
  case undeleted
  /// All plants. A text that fits a plant that is not deleted does not find a deleted one.
  case undeletedFirst
  /// All plants. A text that fits a deleted plant does not find one that is not deleted.
  case deletedFirst
}

/// A plant with the photo that stands for it.
package struct PlantCover: Sendable {
  package let plant: PlantReference
  /// Nil without photos.
  package let lastPhotoDay: LocalDay?
  package let photo: Entry?

  package init(plant: PlantReference, lastPhotoDay: LocalDay?, photo: Entry?) {
    self.plant = plant
    self.lastPhotoDay = lastPhotoDay
    self.photo = photo
  }
}

/// A plant's record: how long, how often and when it was photographed.
public struct PlantRecord: Sendable, Hashable {
  /// The plant itself.
  public let plant: Plant
  /// Its oldest photo on the timeline; nil while it has none.
  public let firstPhoto: Entry?
  /// Its newest photo on the timeline; nil while it has none.
  public let lastPhoto: Entry?
  /// The median number of days between successive days with photos, from the plant's `firstPhotoDay` on; nil with fewer
  /// than two such days.
  public let medianDaysBetweenPhotos: Double?
  /// The mean number of photos on days that have any; nil unless it is photographed daily, and twice a day or more on
  /// average.
  public let photosPerDay: Double?
  /// How many photos each month has, oldest first; months without any are left out.
  public let months: [Bucket]
  /// The number of entries of all kinds, not counting those in the trash.
  public let entryCount: Int

  package init(
    plant: Plant, firstPhoto: Entry?, lastPhoto: Entry?, medianDaysBetweenPhotos: Double?,
    photosPerDay: Double?, months: [Bucket], entryCount: Int
  ) {
    self.plant = plant
    self.firstPhoto = firstPhoto
    self.lastPhoto = lastPhoto
    self.medianDaysBetweenPhotos = medianDaysBetweenPhotos
    self.photosPerDay = photosPerDay
    self.months = months
    self.entryCount = entryCount
  }
}
