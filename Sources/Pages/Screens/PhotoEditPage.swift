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
  let dateHint: String
  let hasDateSources: Bool
  let dateSources: [Option]
  let asksFuture: Bool
  let tagNames: [String]

  struct PhotoForm {
    let newPlant: Field
    let at: Field
    let notes: Field
    let tags: Field
  }

  package init(_ context: PageContext, photo id: String, refusal: Refusal? = nil) throws {
    let (reader, words) = (context.reader, context.words)
    let photo = try context.library.photos.find(id)
    let entry = photo.entry
    guard let cover = Cover(entry), let summary = entry.photo else {
      throw LeaflogError(.damaged, "The photo \(entry.id) has no picture.")
    }
    let typed = refusal?.typed
    func field(_ name: String, _ stored: String?) -> Field {
      Field(typed.map { $0[name] } ?? stored, error: typed?.errors[name])
    }
    let at = context.typedTime(entry.time)
    let stored = (notes: entry.notes ?? "", tags: entry.tags.joined(separator: ", "))
    self.id = cover.id
    version = entry.versionDigest
    problem = refusal.flatMap { $0.isConflict ? nil : $0.problem(words) }
    conflict = refusal.flatMap { refusal in
      guard refusal.isConflict else { return nil }
      let rows = [
        ("dateTaken", at, refusal.typed["at"]), ("notes", stored.notes, refusal.typed["notes"]),
        ("tags", stored.tags, refusal.typed["tags"]),
      ].compactMap { key, stored, typed -> Conflict.Row? in
        stored == typed ?? ""
          ? nil : Conflict.Row(label: words[key], stored: stored, typed: typed ?? "")
      }
      return Conflict(href: "/photos/\(cover.id)/edit", rows: rows)
    }
    (tint, width, height, digest) = (cover.tint, cover.width, cover.height, cover.digest)
    let day = reader.day(entry.time.localDay)
    alt = entry.plant.map { words.text("photoAlt", ["plant": $0.name, "date": day]) } ?? day
    let chosen = typed?["plant"] ?? entry.plant?.id.description ?? ""
    plantOptions = try context.library.plants.all().map {
      Option(
        value: $0.id.description, label: $0.name, isChosen: $0.id.description == chosen)
    }
    form = PhotoForm(
      newPlant: field("newPlant", nil), at: field("at", at), notes: field("notes", stored.notes),
      tags: field("tags", stored.tags))
    latest = context.latest
    dateHint = words.text(
      "dateNow", ["source": words["source.\(summary.captureSource.rawValue)"]])
    dateSources = Redating.Source.allCases.map {
      Option(value: $0.rawValue, label: words["source.\($0.rawValue)"], isChosen: false)
    }
    hasDateSources = true
    asksFuture = typed.flatMap { $0["at"] }.map { $0 > context.latest } ?? false
    tagNames = try context.library.diary.tags().map(\.name)
    page = try context.frame(words["editPhoto"], at: .timeline)
  }
}

extension PageContext {
  /// A time as `datetime-local` has it, to the second: `2026-11-04T12:24:24`.
  func typedTime(_ time: EntryTime) -> String {
    String(time.wall.description.prefix { $0 != "." })
  }

  /// The end of today, after which nothing has happened yet.
  var latest: String { "\(today)T23:59:59" }
}
