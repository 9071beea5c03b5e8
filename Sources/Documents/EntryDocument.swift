package import Fields
package import Leaflog

/// An entry in JSON. Scripts that use the CLI rely on its shape.
extension Entry: Shown {
  package static let shown = Fields<Entry>([
    Field(adding: "id", .id) { $0.id },
    Field(adding: "kind", .choice) { $0.kind },
    Field(adding: "occurredAt", .captureTime) { $0.time.recorded },
    Field(adding: "localDay", .day) { $0.time.localDay },
    Field(adding: "plant", PlantReference.shown) { $0.plant },
    Field(adding: "plantDay", .whole(1 ... .max)) { $0.plantDay },
    Field(adding: "notes", .verbatim) { $0.notes },
    Field(adding: "tags", .texts) { $0.tags },
    Field(adding: "deletedAt", .moment) { $0.deletedAt },
    Field(adding: "photo", PhotoSummary.shown) { $0.photo },
    Field(adding: "symptom", Symptom.fields) {
      if case .symptom(let symptom) = $0.content { symptom } else { nil }
    },
    Field(adding: "dailyLog", DailyLog.fields) {
      if case .dailyLog(let log) = $0.content { log } else { nil }
    },
    Field(adding: "episode", Episode.fields) {
      if case .episode(let episode) = $0.content { episode } else { nil }
    },
    // The length of an episode that has ended, including its first and last day.
    Field(adding: "durationDays", .whole(1 ... .max)) { $0.episodeDays?.count },
    Field(adding: "mood", .choice) { if case .mood(let mood) = $0.content { mood } else { nil } },
    Field(adding: "quote", Quote.fields) {
      if case .quote(let quote) = $0.content { quote } else { nil }
    },
    Field(adding: "completion", Completion.shown) {
      if case .completion(let completion) = $0.content { completion } else { nil }
    },
  ])
}

extension PlantReference {
  static let shown = Fields<PlantReference>([
    Field(adding: "id", .id) { $0.id }, Field(adding: "name", .line(.max)) { $0.name },
  ])
}

extension Completion {
  fileprivate static let shown = Fields<Completion>([
    Field(adding: "activity", ActivityReference.shown) { $0.activity },
    Field(adding: "source", .text) { $0.source },
  ])
}

extension ActivityReference {
  fileprivate static let shown = Fields<ActivityReference>([
    Field(adding: "id", .id) { $0.id }, Field(adding: "name", .line(200)) { $0.name },
    Field(adding: "emoji", .emoji) { $0.emoji },
  ])
}

extension PhotoSummary {
  fileprivate static let shown = Fields<PhotoSummary>([
    Field(adding: "width", .whole(1 ... .max)) { $0.size.width },
    Field(adding: "height", .whole(1 ... .max)) { $0.size.height },
    Field(adding: "captureSource", .choice) { $0.captureSource },
    Field(adding: "sourceDigest", .digest) { $0.sourceDigest },
    Field(adding: "sourceByteCount", .whole(0 ... .max)) { $0.sourceByteCount },
    Field(adding: "storedByteCount", .whole(0 ... .max)) { $0.storedByteCount },
    Field(adding: "isFavourite", .flag) { $0.isFavourite },
    // With the thumbnail's digest, its address is immutable.
    Field(adding: "thumbnailDigest", .digest) { $0.thumbnail },
  ])
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
