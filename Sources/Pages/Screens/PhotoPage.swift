internal import Foundation
internal import Leaflog

/// A single photo, as large as the screen.
package struct PhotoPage: Screen {
  package static let template = "photo"

  let page: PageFrame
  let id: String
  let backHref: String
  let backLabel: String
  let position: String
  let tint: String
  let width: Int
  let height: Int
  let alt: String
  let previousHref: String?
  let nextHref: String?
  let plant: PlantLink?
  let plantDay: String?
  let date: String
  let dateSource: String
  let timelineHref: String
  let notes: String?
  let hasTags: Bool
  let tags: [Link]
  let isFavourite: Bool
  /// When it was moved to the trash; nil on the timeline.
  let trashed: String?
  let compareHref: String?
  let shareName: String
  let originalName: String
  let afterDelete: String
  let facts: [Fact]
  let hasWarnings: Bool
  let warnings: [String]

  struct PlantLink {
    let id: String
    let name: String
  }

  /// - Parameter filters: the filters of the list that it was opened from.
  package init(_ context: PageContext, photo id: String, _ filters: TimelineFilters) throws {
    let (reader, words) = (context.reader, context.words)
    let photo = try context.library.photos.find(matching: id)
    let entry = photo.entry
    guard let summary = entry.photo else {
      throw LeaflogError(.damaged, "The photo \(entry.id) has no picture.")
    }
    let (shown, reference) = try filters.shown(in: context.library)
    let kept = PageAddress("", shown.kept).query
    var query = shown.query
    query.kinds = [.photo]
    let place = try Place(of: entry, in: query, of: context.library)
    let month = CalendarMonth(of: entry.time.localDay)
    let list = reference.map { PageAddress("/plants/\($0.id)") } ?? shown.address
    self.id = entry.id.description
    backHref = list.with("month", "\(month)").text + "#m-\(month)"
    backLabel = reference?.name ?? words["timeline"]
    position = words.text(
      "position", ["at": reader.number(place.number), "total": reader.number(place.total)])
    tint = summary.tint
    let size = summary.size(within: PhotoSummary.previewSide)
    (width, height) = (size.width, size.height)
    let day = reader.day(entry.time)
    alt = entry.plant.map { words.text("photoAlt", ["plant": $0.name, "date": day]) } ?? day
    previousHref = place.newer.map { "/photos/\($0)\(kept)" }
    nextHref = place.older.map { "/photos/\($0)\(kept)" }
    plant = entry.plant.map { PlantLink(id: $0.id.description, name: $0.name) }
    plantDay = entry.plantDay.map { words.text("dayAge", ["day": reader.number($0)]) }
    date = [reader.longDay(entry.time), reader.clock(entry.time)].compactMap { $0 }
      .joined(separator: ", ")
    // A guess that the source alone does not tell.
    let guess = photo.warnings.first { [.dateIsChangeTime, .dateIsImportTime].contains($0) }
    dateSource = words["source.\(guess?.rawValue ?? summary.captureSource.rawValue)"]
    timelineHref = context.timelineHref(at: entry.time.localDay)
    notes = entry.notes
    tags = entry.tags.map { Link(href: PageAddress("/timeline", [("tag", $0)]).text, label: $0) }
    hasTags = !tags.isEmpty
    isFavourite = summary.isFavourite
    trashed = entry.deletedAt.map { deletedAt in
      let day = EntryTime(.instant(deletedAt), in: reader.zone).localDay
      return words.text("deletedOn", ["when": reader.ago(day)])
    }
    let ownPlant = try entry.plant.map { try context.library.plants.find($0.id) }
    compareHref = ownPlant.flatMap { plant in
      plant.photoCount > 1 ? "/compare?plant=\(plant.id)&b=\(entry.id)" : nil
    }
    let name = (entry.plant?.name ?? "leaflog").lowercased().replacing(" ", with: "-")
    shareName = "\(name)-\(entry.time.date).jpg"
    originalName = photo.originalName
    afterDelete = nextHref ?? previousHref ?? backHref
    facts = [
      Fact(label: words["fileName"], value: photo.originalName),
      Fact(label: words["pictureSize"], value: summary.size.description),
      Fact(label: words["importedSize"], value: reader.bytes(summary.sourceByteCount)),
      Fact(label: words["storedSize"], value: reader.bytes(summary.storedByteCount)),
    ]
    warnings = photo.warnings.map { words["warning.\($0.rawValue)"] }
    hasWarnings = !warnings.isEmpty
    page = try context.frame(alt, at: .timeline)
  }
}

/// The position of a photo in a list.
private struct Place {
  /// Starts at 1, newest first.
  let number: Int
  let total: Int
  let newer: EntryID?
  let older: EntryID?

  init(of entry: Entry, in query: TimelineQuery, of library: Library) throws {
    let day = entry.time.localDay
    let tallies = try library.timeline.tally(query)
    let newerCount = tallies.reduce(0) { $0 + ($1.day > day ? $1.count : 0) }
    var ofDay = query
    (ofDay.firstDay, ofDay.lastDay) = (day, day)
    let count = tallies.reduce(0) { $0 + ($1.day == day ? $1.count : 0) }
    let inDay = try library.timeline.entries(ofDay, stacking: [], limit: max(1, count)).entries
    let around = try library.timeline.page(
      query, at: .around(entry.cursor(heading: .older)), limit: 3
    ).elements
    let index = around.firstIndex { $0.id == entry.id }
    number = newerCount + (inDay.firstIndex { $0.id == entry.id } ?? 0) + 1
    total = tallies.reduce(0) { $0 + $1.count }
    newer = index.flatMap { $0 > 0 ? around[$0 - 1].id : nil }
    older = index.flatMap { $0 + 1 < around.count ? around[$0 + 1].id : nil }
  }
}
