internal import Leaflog

/// A plant: its growth, its care, and all its photos.
package struct PlantPage: Screen {
  package static let template = "plant"

  let page: PageFrame
  let id: String
  let name: String
  let tint: String
  let subtitle: String
  /// The photo that stands for all.
  let hero: Hero?
  let hasFilm: Bool
  let filmURL: String
  let canCompare: Bool
  let stats: [Fact]
  let hasGrowth: Bool
  let growth: [Tile]
  let firstDay: String?
  let lastDay: String?
  let hasCare: Bool
  let care: [CareRow]
  let hasFacts: Bool
  let facts: [Fact]
  let notes: String?
  /// Whether it has no photos.
  let isEmpty: Bool
  let months: MonthSections

  struct Hero {
    let id: String
    let width: Int
    let height: Int
    let alt: String
  }

  /// - Parameters:
  ///   - name: the plant's name or id.
  ///   - start: the first part whose photos are shown; nil means the latest.
  package init(_ context: PageContext, of name: String, from start: SectionStart? = nil) throws {
    let (reader, words, library) = (context.reader, context.words, context.library)
    let plant = try library.plants.find(matching: name)
    let record = try library.plants.record(of: plant)
    let photos = TimelineQuery(plant: plant.id, kinds: [.photo])
    let cover = try record.lastPhoto.map { try library.timeline.light($0, in: photos) }
    let id = plant.id.description
    page = try context.frame(plant.name, at: .plants)
    self.id = id
    self.name = plant.name
    tint = cover?.photo?.tint ?? PhotoSummary.unknownTint
    let age = plant.firstPhotoDay.map { $0.daysAgo(on: context.today) + 1 }
    subtitle = .dotted(
      age.map { words.text("dayAge", ["day": reader.number($0)]).capitalizedFirst },
      plant.details.location)
    hero = cover.flatMap { Hero($0, in: context) }
    hasFilm = plant.photoCount > 1
    canCompare = hasFilm
    filmURL = "/plants/\(id)/frames"
    let activities = try library.activities.all(isCounting: false).filter {
      $0.plant?.id == plant.id
    }
    stats = Self.stats(of: record, activities, reader)
    let tiles = hasFilm ? try Self.growth(of: record, in: context) : []
    growth = tiles
    hasGrowth = !tiles.isEmpty
    firstDay = plant.firstPhotoDay.map(reader.day)
    lastDay = plant.lastPhotoDay.map(reader.day)
    let done = try library.activities.done(on: context.today)
    care = activities.map {
      CareRow($0, on: context.today, isDone: done.contains($0.id), in: context)
    }
    hasCare = !care.isEmpty
    notes = plant.details.notes
    facts =
      PlantDetails.fields.all.filter { !["name", "notes"].contains($0.name) }.compactMap { field in
        let value = field.get(plant.details)
        let shown = [String](value)?.joined(separator: ", ") ?? value.shown
        return shown.isEmpty ? nil : Fact(label: words[field.name], value: shown)
      }
      + [plant.firstPhotoDay].compactMap { $0 }.map {
        Fact(label: words["firstPhoto"], value: reader.day($0))
      }
    hasFacts = !facts.isEmpty || notes != nil
    isEmpty = plant.photoCount == 0
    let shown = ShownEntries(
      query: photos, layout: .grid,
      address: PageAddress("/plants/\(id)"), kept: [("plant", id)])
    months = try MonthSections(
      shown, from: start, at: "/timeline/section?plant=\(id)&kind=photo&grid=true&", context)
  }
}

extension PlantPage.Hero {
  /// Nil for an entry other than a photo.
  fileprivate init?(_ entry: Entry, in context: PageContext) {
    guard let photo = entry.photo else { return nil }
    let size = photo.size(within: PhotoSummary.previewSide)
    self.init(
      id: entry.id.description, width: size.width, height: size.height,
      alt: context.alt(of: entry))
  }
}

extension PlantPage {
  private static func stats(
    of record: PlantRecord, _ activities: [Activity], _ reader: Reader
  ) -> [Fact] {
    let (plant, words, today) = (record.plant, reader.words, reader.today)
    let lately = activities.filter { $0.lastDone != nil }
      .max { $0.daysSince(on: today) > $1.daysSince(on: today) }
    return [
      Fact(label: words["stat.photos"], value: reader.number(plant.photoCount)),
      record.photosPerDay.map {
        Fact(label: words["stat.perDay"], value: reader.number(Int($0.rounded())))
      }
        ?? record.medianDaysBetweenPhotos.map { median in
          Fact(
            label: words["stat.rhythm"],
            value: words.plural("countDays", median == 1 ? 1 : 2, as: reader.number(median)))
        },
      plant.lastPhotoDay.map { Fact(label: words["stat.lastPhoto"], value: reader.ago($0)) },
      lately.map { activity in
        Fact(
          label: words.text("stat.sinceCare", ["name": activity.name]),
          value: activity.daysSince(on: today) < 1
            ? words["agoToday"] : reader.count("countDays", activity.daysSince(on: today)))
      },
    ].compactMap { $0 }
  }

  /// Nine photos, spread evenly over the plant's lifetime, oldest first; all of them if there are no more. Of a camera that
  /// shoots at night, those that stand for their days: taken at other hours, they would be in another light each.
  private static func growth(of record: PlantRecord, in context: PageContext) throws -> [Tile] {
    let (plant, timeline) = (record.plant, context.library.timeline)
    var query = TimelineQuery(plant: plant.id, kinds: [.photo], order: .oldestFirst)
    func shown(for photo: Entry) throws -> Entry {
      guard record.lastPhoto?.photo?.isDark == true else {
        return try timeline.light(photo, in: query)
      }
      let day = photo.time.localDay
      let ofDay = TimelineQuery(plant: plant.id, kinds: [.photo], firstDay: day, lastDay: day)
      return try timeline.cover(of: ofDay) ?? photo
    }
    var shown: [Entry] = []
    if plant.photoCount > 9 { query.firstDay = plant.firstPhotoDay }
    if plant.photoCount <= 9 {
      shown = try timeline.page(query, limit: 9).elements
    } else if let first = try timeline.page(query, limit: 1).elements.first?.time.instant,
      let last = record.lastPhoto?.time.instant
    {
      for step in 0..<9 {
        let wanted =
          first.milliseconds + (last.milliseconds - first.milliseconds) * Int64(step) / 8
        let moment = context.library.placed(.instant(Timestamp(milliseconds: wanted)))
        let place = Cursor.time(moment, heading: .newer)
        let next = try timeline.page(query, at: .cursor(place), limit: 1).elements.first
        guard let photo = try next.map(shown(for:)) else { continue }
        if !shown.contains(where: { $0.id == photo.id }) { shown.append(photo) }
      }
      shown.sort { $0.time.place < $1.time.place }
    }
    return shown.compactMap {
      Tile($0, keeping: "?plant=\(plant.id)", label: .date, namesPlant: false, in: context)
    }.named(context.reader)
  }
}
