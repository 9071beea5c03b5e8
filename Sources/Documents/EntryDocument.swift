package import Leaflog

/// An entry in JSON. Scripts that use the CLI rely on its shape.
package struct EntryDocument: Encodable {
  struct PlantName: Encodable {
    let id: String
    let name: String
  }

  struct PhotoPart: Encodable {
    let width: Int
    let height: Int
    let captureSource: String
    let sourceDigest: String
    let sourceByteCount: Int
    let storedByteCount: Int
    let isFavourite: Bool
    /// The thumbnail's digest, with which its address is immutable.
    let thumbnailDigest: String?

    init(_ photo: PhotoSummary) {
      width = photo.size.width
      height = photo.size.height
      captureSource = photo.captureSource.rawValue
      sourceDigest = photo.sourceDigest.hex
      sourceByteCount = photo.sourceByteCount
      storedByteCount = photo.storedByteCount
      isFavourite = photo.isFavourite
      thumbnailDigest = photo.thumbnail?.hex
    }
  }

  let id: String
  let kind: String
  let occurredAt: String
  let localDay: String
  let plant: PlantName?
  let plantDay: Int?
  let notes: String?
  let tags: [String]
  let photo: PhotoPart?
  let content: EntryContent
  let deletedAt: String?
  /// The length of an episode that has ended, including its first and last day.
  let durationDays: Int?

  package init(_ entry: Entry) {
    id = entry.id.description
    kind = entry.kind.rawValue
    occurredAt = entry.time.recorded.iso8601
    localDay = entry.time.localDay.description
    plant = entry.plant.map { PlantName(id: $0.id.description, name: $0.name) }
    plantDay = entry.plantDay
    notes = entry.notes
    tags = entry.tags
    photo = entry.photo.map(PhotoPart.init)
    content = entry.content
    deletedAt = entry.deletedAt.map { RecordedTime.instant($0).iso8601 }
    if case .episode(let episode) = entry.content {
      durationDays = episode.days(from: entry.time.localDay).count
    } else {
      durationDays = nil
    }
  }

  private enum Key: CodingKey {
    case id, kind, occurredAt, localDay, plant, plantDay, notes, tags, photo, deletedAt,
      durationDays
  }

  /// Encodes the fields specific to the kind under the name of the kind.
  package func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(id, forKey: .id)
    try object.encode(kind, forKey: .kind)
    try object.encode(occurredAt, forKey: .occurredAt)
    try object.encode(localDay, forKey: .localDay)
    try object.encodeIfPresent(plant, forKey: .plant)
    try object.encodeIfPresent(plantDay, forKey: .plantDay)
    try object.encodeIfPresent(notes, forKey: .notes)
    try object.encode(tags, forKey: .tags)
    try object.encodeIfPresent(photo, forKey: .photo)
    try object.encodeIfPresent(deletedAt, forKey: .deletedAt)
    try object.encodeIfPresent(durationDays, forKey: .durationDays)
    var own = encoder.container(keyedBy: EntryKind.self)
    try content.encode(to: &own)
  }
}

/// A single thing in JSON, with the ids of its neighbours on the timeline.
package struct ShownDocument<Thing: Encodable>: Encodable {
  private let thing: Thing
  private let previous: EntryID?
  private let next: EntryID?

  package init(_ thing: Thing, of entry: Entry, in library: Library) throws {
    self.thing = thing
    let (before, after) = try library.diary.neighbours(of: entry)
    (previous, next) = (before?.id, after?.id)
  }

  private enum Key: CodingKey { case previous, next }

  /// Encodes the keys of the thing and the ids of its neighbours into one object.
  package func encode(to encoder: any Encoder) throws {
    try thing.encode(to: encoder)
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(previous?.description, forKey: .previous)  // null at the end
    try object.encode(next?.description, forKey: .next)
  }
}

/// The number of entries in a span of days, in JSON.
package struct BucketDocument: Encodable {
  let bucket: String
  let count: Int

  package init(_ bucket: Bucket) {
    self.bucket = bucket.name
    count = bucket.count
  }
}
