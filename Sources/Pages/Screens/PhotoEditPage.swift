internal import Foundation
internal import Leaflog

/// The form of a photo: its plant, date, notes and tags.
package struct PhotoEditPage: Screen {
  package static let template = "photo-edit"

  let page: PageFrame
  let id: String
  let backHref: String
  let version: String
  let problem: PageProblem?
  let conflict: Conflict?
  let tint: String
  let width: Int
  let height: Int
  let digest: String
  let alt: String
  let plantChoice: PlantChoice
  let newPlant: FormField
  let at: FormField
  let dateSources: [Option]
  let asksFuture: Bool
  let rows: [FormRow]

  package init(_ context: PageContext, photo id: String, refusal: Refusal? = nil) throws {
    let (reader, words) = (context.reader, context.words)
    let photo = try context.library.photos.find(matching: id)
    let entry = photo.entry
    guard let cover = Cover(entry), let summary = entry.photo else {
      throw LeaflogError(.damaged, "The photo \(entry.id) has no picture.")
    }
    let form = FormBuilder(refusal, context)
    self.id = cover.id
    backHref = context.back ?? "/photos/\(cover.id)"
    version = entry.versionDigest
    problem = context.problem(refusal)
    (tint, width, height, digest) = (cover.tint, cover.width, cover.height, cover.digest)
    let day = reader.day(entry.time)
    alt = entry.plant.map { words.text("photoAlt", ["plant": $0.name, "date": day]) } ?? day
    plantChoice = try PlantChoice(form.reader, entry.plant?.id.description, in: context)
    newPlant = form.field("newPlant", label: "orNewPlant", stored: nil, .init(maxLength: 200))
    let time = Self.typed(entry.time)
    let latest = try context.latest.map { max($0, time) }
    // A date without a time of day, which a field for a time cannot hold, is a text.
    at = form.field(
      "at", label: "dateTaken", stored: time,
      entry.time.basis == .day
        ? .init() : .init(type: "datetime-local", maximum: latest, step: "1"),
      hint: words.text(
        "dateNow", ["source": words["source.\(summary.captureSource.rawValue)"]]))
    rows = [
      FormRow(form.notes(entry.notes, rows: 4)),
      FormRow(try form.tags(entry.tags, hint: "tagsHint")),
    ]
    conflict = refusal?.conflict(at: "/photos/\(cover.id)/edit", [at] + rows.fields, words)
    dateSources = Redating.Source.allCases.map {
      Option(value: $0.rawValue, label: words["source.\($0.rawValue)"], isChosen: false)
    }
    asksFuture = refusal?.doubts.contains { $0.confirmation == .future } ?? false
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
  /// The end of the present day of the calendar, the latest time that can be entered; nil while the clock is behind.
  var latest: String? { get throws { try latestDay().map { $0 + "T23:59:59" } } }
}
