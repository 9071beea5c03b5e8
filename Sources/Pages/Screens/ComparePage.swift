internal import Leaflog

/// Two photos of a plant, one on top of the other or side by side.
package struct ComparePage: Screen {
  package static let template = "compare"

  /// The ways of showing the two photos.
  package enum Mode: String, CaseIterable {
    case slider, pair, onion
  }

  /// The photos and the way of comparing them; defaults are chosen for those left open.
  package struct Request {
    /// The plant's name or id.
    package var plant: String?
    /// The ids of the photos.
    package var first: String?
    package var second: String?
    package var mode = Mode.slider
    /// Whether the second photo is aligned with the first.
    package var isAligned = false

    package init() {}
  }

  let page: PageFrame
  let subheading: String?
  let apartOne: String
  let apartOther: String
  let pictureHref: String?
  let view: CompareView?
  let emptyText: String
  let plantOptions: [Option]
  let hasDates: Bool
  let firstOptions: [DatedOption]
  let secondOptions: [DatedOption]
  let modes: [Option]
  let isAligned: Bool

  struct CompareView {
    let isSlider: Bool
    let isOnion: Bool
    let isPair: Bool
    let rangeLabel: String
    let first: ComparedPhoto
    let second: ComparedPhoto
  }

  /// A photo to choose, with its day's number, from which the script counts the days between.
  struct DatedOption {
    let value: String
    let label: String
    let day: Int
    let isChosen: Bool
  }

  struct ComparedPhoto {
    let tint: String
    let src: String
    let width: Int
    let height: Int
    let alt: String
    let caption: String
  }

  package init(_ context: PageContext, _ request: Request = Request()) throws {
    let (words, library) = (context.words, context.library)
    let plants = try library.plants.all().filter { $0.photoCount > 1 }
    let latest = plants.max {
      ($0.lastPhotoDay?.dayNumber ?? 0) < ($1.lastPhotoDay?.dayNumber ?? 0)
    }
    let asked = try request.plant.map { try library.plants.reference(matching: $0).id }
    let plant = asked.map { id in plants.first { $0.id == id } } ?? latest
    let pair = try plant.flatMap { try Pair(of: $0, request, in: context) }
    page = try context.frame(words["compare"], at: .plants)
    subheading = pair.map {
      context.reader.count(
        "daysBetween", abs($0.first.time.localDay.daysAgo(on: $0.second.time.localDay)))
    }
    (apartOne, apartOther) = (words["daysBetween.one"], words["daysBetween.other"])
    pictureHref = pair.map { pair in
      PageAddress("/compare/picture")
        .with("a", pair.first.id.description).with("b", pair.second.id.description)
        .with("align", request.isAligned ? "true" : nil).text
    }
    view = pair.flatMap { CompareView($0, request, in: context) }
    emptyText = words["compareEmpty"]
    plantOptions = plants.map {
      Option(value: $0.id.description, label: $0.name, isChosen: $0.id == plant?.id)
    }
    hasDates = pair != nil
    firstOptions = pair.map { $0.options(chosen: $0.first, in: context) } ?? []
    secondOptions = pair.map { $0.options(chosen: $0.second, in: context) } ?? []
    modes = Mode.allCases.map {
      Option(
        value: $0.rawValue, label: words["mode.\($0.rawValue)"], isChosen: $0 == request.mode)
    }
    isAligned = request.isAligned
  }
}

/// Two photos, and the ones to choose from.
private struct Pair {
  let first: Entry
  let second: Entry
  let choices: [Entry]

  /// Nil for a plant with fewer than two photos.
  init?(of plant: Plant, _ request: ComparePage.Request, in context: PageContext) throws {
    let library = context.library
    let query = TimelineQuery(plant: plant.id, kinds: [.photo], order: .oldestFirst)
    var choices = try library.timeline.sample(query, count: 240)
    guard let oldest = choices.first, let newest = choices.last, oldest.id != newest.id else {
      return nil
    }
    // The form still has the photos of the plant that was shown before.
    func chosen(_ id: String?) throws -> Entry? {
      guard let id, let photo = try? library.photos.entry(matching: id), photo.deletedAt == nil,
        photo.plant?.id == plant.id
      else { return nil }
      return photo
    }
    let light = try [oldest, newest].map { try library.timeline.light($0, in: query) }
    // One light photo may stand for both.
    let ends = light[0].id == light[1].id ? [oldest, newest] : light
    let first = try chosen(request.first) ?? ends[0]
    let second = try chosen(request.second) ?? ends[1]
    for photo in [first, second] where !choices.contains(where: { $0.id == photo.id }) {
      let place = choices.firstIndex { $0.time.place > photo.time.place } ?? choices.endIndex
      choices.insert(photo, at: place)
    }
    (self.first, self.second, self.choices) = (first, second, choices)
  }

  func options(chosen: Entry, in context: PageContext) -> [ComparePage.DatedOption] {
    choices.map {
      ComparePage.DatedOption(
        value: $0.id.description, label: context.ageAndDay(of: $0),
        day: $0.time.localDay.dayNumber, isChosen: $0.id == chosen.id)
    }
  }
}

extension ComparePage.CompareView {
  /// Nil if a picture is missing.
  fileprivate init?(_ pair: Pair, _ request: ComparePage.Request, in context: PageContext) {
    guard let below = pair.first.photo?.size(within: PhotoSummary.previewSide),
      let own = pair.second.photo?.size(within: PhotoSummary.previewSide)
    else { return nil }
    let moved = PageAddress("/compare/aligned")
      .with("a", pair.first.id.description).with("b", pair.second.id.description).text
    let isAligned = request.isAligned
    self.init(
      isSlider: request.mode == .slider, isOnion: request.mode == .onion,
      isPair: request.mode == .pair,
      rangeLabel: context.words[request.mode == .onion ? "onionLabel" : "sliderLabel"],
      first: ComparePage.ComparedPhoto(pair.first, below, in: context),
      second: ComparePage.ComparedPhoto(
        pair.second, isAligned ? below : own, src: isAligned ? moved : nil, in: context))
  }
}

extension ComparePage.ComparedPhoto {
  fileprivate init(
    _ photo: Entry, _ size: PixelSize, src: String? = nil, in context: PageContext
  ) {
    self.init(
      tint: photo.photo?.tint ?? PhotoSummary.unknownTint,
      src: src ?? "/api/v1/photos/\(photo.id)/preview", width: size.width, height: size.height,
      alt: context.alt(of: photo), caption: context.ageAndDay(of: photo))
  }
}
