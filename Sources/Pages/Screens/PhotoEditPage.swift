internal import Documents
internal import Foundation
internal import Leaflog

/// The form of a photo: its plant, date, notes and tags.
package struct PhotoEditPage: Screen {
  package static let template = "photo-edit"

  let page: PageFrame
  let id: String
  let version: String
  let problem: PageProblem?
  let conflict: Conflict?
  let tint: String
  let width: Int
  let height: Int
  let digest: String
  let alt: String
  let plantOptions: [Option]
  let form: PhotoForm
  let latest: String
  /// Whether the date is a field for a time; one without a time of day, which such a field cannot hold, is a text.
  let hasTime: Bool
  let dateHint: String
  let dateSources: [Option]
  let asksFuture: Bool
  let tagNames: [String]

  struct PhotoForm {
    let newPlant: Field
    let at: Field
    let notes: Field
    let tags: ListField
  }

  package init(_ context: PageContext, photo id: String, refusal: Refusal? = nil) throws {
    let (reader, words) = (context.reader, context.words)
    let photo = try context.library.photos.find(id)
    let entry = photo.entry
    guard let cover = Cover(entry), let summary = entry.photo else {
      throw LeaflogError(.damaged, "The photo \(entry.id) has no picture.")
    }
    let fields = FieldReader(refusal, words)
    let at = Self.typed(entry.time)
    let stored = (notes: entry.notes ?? "", tags: entry.tags.joined(separator: ", "))
    self.id = cover.id
    version = entry.versionDigest
    problem = context.problem(refusal)
    conflict = refusal?.conflict(
      at: "/photos/\(cover.id)/edit",
      [
        (words["dateTaken"], at, "at"), (words["notes"], stored.notes, "notes"),
        (words["tags"], stored.tags, "tags"),
      ])
    (tint, width, height, digest) = (cover.tint, cover.width, cover.height, cover.digest)
    let day = reader.day(entry.time)
    alt = entry.plant.map { words.text("photoAlt", ["plant": $0.name, "date": day]) } ?? day
    plantOptions = fields.options(
      "plant", entry.plant?.id.description,
      try context.library.plants.all().map { ($0.id.description, $0.name) })
    form = PhotoForm(
      newPlant: fields.field("newPlant", nil), at: fields.field("at", at),
      notes: fields.field("notes", stored.notes),
      tags: fields.list("tags", entry.tags, hint: words["tagsHint"]))
    latest = max(context.latest, at)
    hasTime = entry.time.basis != .day
    dateHint = words.text(
      "dateNow", ["source": words["source.\(summary.captureSource.rawValue)"]])
    dateSources = Redating.Source.allCases.map {
      Option(value: $0.rawValue, label: words["source.\($0.rawValue)"], isChosen: false)
    }
    asksFuture = refusal?.typed["at"].map { [latest] in $0 > latest } ?? false
    tagNames = try context.library.diary.tags().map(\.name)
    page = try context.frame(words["editPhoto"], at: .timeline)
  }
}

extension PhotoEditPage {
  /// A time in the format of `datetime-local`, to the second: `2026-11-04T12:24:24`; a date alone as far as it is known.
  private static func typed(_ time: EntryTime) -> String {
    time.basis == .day ? time.date : String(time.wall.description.prefix { $0 != "." })
  }
}

extension PageContext {
  /// The end of the present day of the calendar, the latest time that can be entered.
  var latest: String { "\(latestDay())T23:59:59" }
}
