package import Leaflog

/// A plant in JSON.
package struct PlantDocument: Encodable {
  let id: String
  let name: String
  let scientificName: String?
  let location: String?
  let notes: String?
  let photoCount: Int
  let firstPhotoDay: String?
  let lastPhotoDay: String?
  let daysSinceLastPhoto: Int?
  /// The ids of the latest few photos, the most recent first.
  let latestPhotos: [String]
  let deletedAt: String?

  package init(_ plant: Plant, today: LocalDay) {
    id = plant.id.description
    name = plant.name
    scientificName = plant.scientificName
    location = plant.location
    notes = plant.notes
    photoCount = plant.photoCount
    firstPhotoDay = plant.firstPhotoDay?.description
    lastPhotoDay = plant.lastPhotoDay?.description
    daysSinceLastPhoto = plant.lastPhotoDay?.daysAgo(on: today)
    latestPhotos = plant.latestPhotos.map(\.description)
    deletedAt = plant.deletedAt.map { RecordedTime.instant($0).iso8601 }
  }
}

/// A plant with its record in JSON.
package struct PlantRecordDocument: Encodable {
  private let record: PlantRecord
  private let today: LocalDay

  package init(_ record: PlantRecord, today: LocalDay) {
    self.record = record
    self.today = today
  }

  private struct PhotoReference: Encodable {
    let id: String
    let occurredAt: String

    init(_ entry: Entry) {
      id = entry.id.description
      occurredAt = entry.time.recorded.iso8601
    }
  }

  private enum Key: CodingKey {
    case firstPhoto, lastPhoto, ageDays, medianDaysBetweenPhotos, months, entryCount
  }

  /// Encodes the keys of the plant and of its record into one object.
  package func encode(to encoder: any Encoder) throws {
    try PlantDocument(record.plant, today: today).encode(to: encoder)
    var object = encoder.container(keyedBy: Key.self)
    try object.encodeIfPresent(record.firstPhoto.map(PhotoReference.init), forKey: .firstPhoto)
    try object.encodeIfPresent(record.lastPhoto.map(PhotoReference.init), forKey: .lastPhoto)
    try object.encodeIfPresent(
      record.firstPhoto?.time.localDay.daysAgo(on: today), forKey: .ageDays)
    try object.encodeIfPresent(record.medianDaysBetweenPhotos, forKey: .medianDaysBetweenPhotos)
    try object.encode(record.months.map(BucketDocument.init), forKey: .months)
    try object.encode(record.entryCount, forKey: .entryCount)
  }
}
