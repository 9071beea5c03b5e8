package import Fields

extension Plant: Shown {
  package static let shown = Fields<Plant>(
    [Field(adding: "id", .id) { $0.id }]
      + PlantDetails.fields.all.map { $0.shown { $0.details } } + [
        Field(adding: "photoCount", .count) { $0.photoCount },
        Field(adding: "firstPhotoDay", .day) { $0.firstPhotoDay },
        Field(adding: "lastPhotoDay", .day) { $0.lastPhotoDay },
        // The latest few photos, the most recent first.
        Field(adding: "latestPhotos", .ids) { $0.latestPhotos },
        Field(adding: "deletedAt", .moment) { $0.deletedAt },
      ])
}

/// A plant on a day.
package struct PlantDocument: Shown {
  private let plant: Plant
  private let today: LocalDay

  package init(_ plant: Plant, today: LocalDay) { (self.plant, self.today) = (plant, today) }

  package static let shown = Fields<PlantDocument>(
    Plant.shown.all.map { $0.shown { $0.plant } } + [
      Field(adding: "daysSinceLastPhoto", .whole(.min ... .max)) { document in
        document.plant.lastPhotoDay?.daysAgo(on: document.today)
      }
    ]
  ).named("Plant")
}

/// A plant with its record.
package struct PlantRecordDocument: Shown {
  private let record: PlantRecord
  private let today: LocalDay

  package init(_ record: PlantRecord, today: LocalDay) {
    (self.record, self.today) = (record, today)
  }

  package static let shown = Fields<PlantRecordDocument>(
    PlantDocument.shown.all.map { field in
      field.shown { PlantDocument($0.record.plant, today: $0.today) }
    } + [
      Field(adding: "firstPhoto", photoReference) { $0.record.firstPhoto },
      Field(adding: "lastPhoto", photoReference) { $0.record.lastPhoto },
      Field(adding: "ageDays", .whole(.min ... .max)) { document in
        document.record.plant.firstPhotoDay?.daysAgo(on: document.today)
      },
      Field(adding: "medianDaysBetweenPhotos", .mean) { $0.record.medianDaysBetweenPhotos },
      Field(adding: "photosPerDay", .mean) { $0.record.photosPerDay },
      Field(adding: "months", each: Bucket.shown) { $0.record.months },
      Field(adding: "entryCount", .count) { $0.record.entryCount },
    ]
  ).named("PlantRecord")

  private static let photoReference = Fields<Entry>([
    Field(adding: "id", .id) { $0.id },
    Field(adding: "occurredAt", .captureTime) { $0.time.recorded },
  ])
}

/// Everything about a photo, beside the fields of its entry.
package struct PhotoDocument: Shown {
  private let photo: Photo
  private let renditions: [RenditionDocument]
  private let hasPaths: Bool

  /// - Parameter library: the library whose paths to include; nil omits them.
  package init(_ photo: Photo, pathsIn library: Library? = nil) {
    self.photo = photo
    renditions = photo.renditions.map {
      RenditionDocument(rendition: $0, path: library?.photos.path(of: $0))
    }
    hasPaths = library != nil
  }

  package static let shown = Fields<PhotoDocument>(
    Entry.shown.all.map { $0.shown { $0.photo.entry } } + [
      Field(adding: "originalName", .text) { $0.photo.originalName },
      Field(adding: "sourceMediaType", .mediaType) { $0.photo.sourceMediaType },
      Field(adding: "placeholder", .bytes) { $0.photo.placeholder.map(Int.init) },
      Field(adding: "warnings", .choices()) { $0.photo.warnings },
      Field(adding: "renditions", each: RenditionDocument.shown) { $0.renditions },
      Field(adding: "sourcePaths", .texts) { $0.hasPaths ? $0.photo.sourcePaths : nil },
    ]
  ).named("Photo")
}

private struct RenditionDocument: Shown {
  let rendition: Rendition
  let path: String?

  static let shown = Fields<RenditionDocument>([
    Field(adding: "role", .choice) { $0.rendition.role },
    Field(adding: "blob", .digest) { $0.rendition.blob },
    Field(adding: "byteCount", .byteCount) { $0.rendition.byteCount },
    Field(adding: "mediaType", .mediaType) { $0.rendition.mediaType },
    Field(adding: "width", .pixels) { $0.rendition.size.width },
    Field(adding: "height", .pixels) { $0.rendition.size.height },
    Field(adding: "recipe", .text) { $0.rendition.recipe },
    Field(adding: "path", .text) { $0.path },
  ]).named("Rendition")
}

extension Kind<[Int]> {
  fileprivate static let bytes = Kind(.list(.whole(0...255)))
}

extension RenditionRole: FieldValue {}
extension ImportWarning: FieldValue {}
