package import Fields

/// An entry in JSON. Scripts that use the CLI rely on its shape.
extension Entry: Shown {
  package static let shown = Fields<Entry>(
    common + EntryKind.parts.map { field(of: $0) } + others
  ).named("Entry")

  private static func field<Part: EntryPart>(of _: Part.Type) -> Field<Entry> {
    Field(adding: Part.kind.rawValue, Part.fields) { Part($0.content) }
  }

  private static let common: [Field<Entry>] = [
    Field(adding: "id", .id) { $0.id },
    Field(adding: "kind", .choice) { $0.kind },
    Field(adding: "occurredAt", .captureTime) { $0.time.recorded },
    Field(adding: "instant", .moment) { $0.time.moment },
    Field(adding: "localDay", .day) { $0.time.localDay },
    Field(adding: "plant", PlantReference.shown) { $0.plant },
    Field(adding: "plantDay", .whole(1 ... .max)) { $0.plantDay },
    Field(adding: "notes", .verbatim) { $0.notes },
    Field(adding: "tags", .texts) { $0.tags },
    Field(adding: "deletedAt", .moment) { $0.deletedAt },
    Field(adding: "photo", PhotoSummary.shown) { $0.photo },
  ]

  private static let others: [Field<Entry>] = [
    // The length of an episode that has ended, including its first and last day.
    Field(adding: "durationDays", .whole(1 ... .max)) { $0.episodeDays?.count },
    Field(adding: "mood", .choice) { if case .mood(let mood) = $0.content { mood } else { nil } },
    Field(adding: "quote", Quote.fields) {
      if case .quote(let quote) = $0.content { quote } else { nil }
    },
    Field(adding: "completion", Completion.shown) {
      if case .completion(let completion) = $0.content { completion } else { nil }
    },
  ]
}

extension PlantReference {
  static let shown = Fields<PlantReference>([
    Field(adding: "id", .id) { $0.id }, Field(adding: "name", .line(.max)) { $0.name },
  ]).named("PlantReference")
}

extension Completion {
  fileprivate static let shown = Fields<Completion>([
    Field(adding: "activity", ActivityReference.shown) { $0.activity },
    Field(adding: "source", .text) { $0.source },
  ]).named("Completion")
}

extension ActivityReference {
  fileprivate static let shown = Fields<ActivityReference>([
    Field(adding: "id", .id) { $0.id }, Field(adding: "name", .line(200)) { $0.name },
    Field(adding: "emoji", .emoji) { $0.emoji },
  ])
}

extension PhotoSummary {
  fileprivate static let shown = Fields<PhotoSummary>([
    Field(adding: "originalName", .text) { $0.originalName },
    Field(adding: "width", .pixels) { $0.size.width },
    Field(adding: "height", .pixels) { $0.size.height },
    Field(adding: "captureSource", .choice) { $0.captureSource },
    Field(adding: "sourceDigest", .digest) { $0.sourceDigest },
    Field(adding: "sourceByteCount", .byteCount) { $0.sourceByteCount },
    Field(adding: "storedByteCount", .byteCount) { $0.storedByteCount },
    Field(adding: "favourite", .flag) { $0.isFavourite },
    // With the thumbnail's digest, its address is immutable.
    Field(adding: "thumbnailDigest", .digest) { $0.thumbnail },
  ]).named("PhotoSummary")
}

/// A field that the user has added to the daily log.
extension Factor: Shown {
  package static let shown = Fields<Factor>(
    [Field(adding: "id", .id) { $0.id }]
      + FactorDetails.fields.all.map { $0.shown { $0.details } } + [
        // The position in the user-defined order, counted from 1.
        Field(adding: "place", .whole(1 ... .max)) { $0.rank + 1 },
        Field(adding: "createdAt", .moment) { $0.createdAt },
        Field(adding: "valueCount", .count) { $0.valueCount },
      ]
  ).named("Factor")
}

/// A single thing with the ids of its neighbours on the timeline.
package struct ShownDocument<Thing: Shown>: Shown {
  private let thing: Thing
  private let previous: EntryID?
  private let next: EntryID?

  package init(_ thing: Thing, of entry: Entry, in library: Library) throws {
    self.thing = thing
    let beside = try library.diary.neighbours(of: entry)
    (previous, next) = (beside.before?.id, beside.after?.id)
  }

  package static var shown: Fields<ShownDocument> {
    Fields(
      Thing.shown.all.map { $0.shown { $0.thing } } + [
        Field(adding: "previous", .id) { $0.previous }.orNull(),
        Field(adding: "next", .id) { $0.next }.orNull(),
      ]
    ).named("Shown\(Thing.shown.name ?? "")")
  }
}

/// A page of entries.
package struct PageDocument: Shown {
  private let page: Page<Entry>

  package init(_ page: Page<Entry>) { self.page = page }

  package static let shown = Fields<PageDocument>([
    Field(adding: "items", each: Entry.shown) { $0.page.elements },
    Field(adding: "next", .cursor) { $0.page.next?.description }.orNull(),
    Field(adding: "previous", .cursor) { $0.page.previous?.description }.orNull(),
  ]).named("Page")
}

extension Listing<Entry> {
  /// A page whose listing goes on in one direction.
  package init(_ page: Page<Entry>) {
    self.init(items: page.elements, next: page.next?.description)
  }
}

/// The results of a search.
package struct SearchDocument: Shown {
  private let result: SearchResult
  private let today: LocalDay

  package init(_ result: SearchResult, today: LocalDay) {
    (self.result, self.today) = (result, today)
  }

  package static let shown = Fields<SearchDocument>([
    Field(adding: "plants", each: PlantDocument.shown) { search in
      search.result.plants.map { PlantDocument($0, today: search.today) }
    },
    Field(adding: "items", each: Entry.shown) { $0.result.page.elements },
    Field(adding: "next", .cursor) { $0.result.page.next?.description }.orNull(),
    Field(adding: "previous", .cursor) { $0.result.page.previous?.description }.orNull(),
    // Another text to search for, where nothing was found.
    Field(adding: "didYouMean", .text) { $0.result.suggestion },
  ]).named("SearchPage")
}

/// A tag and its use.
extension Tag: Shown {
  package static let shown = Fields<Tag>([
    Field(adding: "tag", .text) { $0.name }, Field(adding: "count", .count) { $0.count },
    Field(adding: "lastDay", .day) { $0.lastDay },
  ]).named("Tag")
}

extension SymptomName: Shown {
  package static let shown = Fields<SymptomName>([
    Field(adding: "name", .text) { $0.name }, Field(adding: "count", .count) { $0.count },
    Field(adding: "lastDay", .day) { $0.lastDay },
  ]).named("SymptomName")
}

/// A symptom in a span of days.
extension SymptomBucket: Shown {
  package static let shown = Fields<SymptomBucket>([
    Field(adding: "bucket", .bucket) { $0.name }, Field(adding: "count", .count) { $0.count },
    Field(adding: "averageSeverity", .mean) { $0.averageSeverity.asMean },
  ])
}
