internal import Leaflog

/// Two photos of a plant, over or beside each other.
package struct ComparePage: Screen {
  package static let template = "compare"

  /// How the two are seen.
  package enum Mode: String, CaseIterable {
    case slider, pair, onion
  }

  /// The photos and the way of comparing them; those that are left open are chosen.
  package struct Request {
    /// Name or id.
    package var plant: String?
    /// Ids of photos.
    package var first: String?
    package var second: String?
    package var mode = Mode.slider
    /// Whether the second photo is moved onto the first.
    package var isAligned = false

    package init() {}
  }

  let page: PageFrame
  let subheading: String?
  let pictureHref: String?
  let view: CompareView?
  let emptyText: String
  let plantOptions: [Option]
  let hasDates: Bool
  let firstOptions: [Option]
  let secondOptions: [Option]
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
    let asked = try request.plant.map { try library.plants.reference($0).id }
    let plant = asked.map { id in plants.first { $0.id == id } } ?? latest
    let pair = try plant.flatMap { try context.pair(of: $0, request) }
    page = try context.frame(words["compare"], at: .plants)
    subheading = pair.map {
      context.reader.count(
        "daysBetween", abs($0.first.time.localDay.daysAgo(on: $0.second.time.localDay)))
    }
    pictureHref = pair.map { pair in
      PageAddress("/compare/picture")
        .with("a", pair.first.id.description).with("b", pair.second.id.description)
        .with("align", request.isAligned ? "true" : nil).text
    }
    view = pair.flatMap { context.view(of: $0, request) }
    emptyText = words["compareEmpty"]
    plantOptions = plants.map {
      Option(value: $0.id.description, label: $0.name, isChosen: $0.id == plant?.id)
    }
    hasDates = pair != nil
    firstOptions = pair.map { context.options($0, chosen: $0.first) } ?? []
    secondOptions = pair.map { context.options($0, chosen: $0.second) } ?? []
    modes = Mode.allCases.map {
      Option(
        value: $0.rawValue, label: words["mode.\($0.rawValue)"], isChosen: $0 == request.mode)
    }
    isAligned = request.isAligned
  }
}

extension PageContext {
  /// Two photos, and those to choose from.
  fileprivate struct Pair {
    let first: Entry
    let second: Entry
    let choices: [Entry]
  }

  /// Nil for a plant that has fewer than two photos.
  fileprivate func pair(of plant: Plant, _ request: ComparePage.Request) throws -> Pair? {
    let query = TimelineQuery(plant: plant.id, kinds: [.photo], order: .oldestFirst)
    var choices = try library.timeline.sample(query, count: 240)
    guard let oldest = choices.first, let newest = choices.last, oldest.id != newest.id else {
      return nil
    }
    // The form has the photos of the plant that was shown before.
    func chosen(_ id: String?) throws -> Entry? {
      guard let id, let photo = try? library.photos.entry(id), photo.deletedAt == nil,
        photo.plant?.id == plant.id
      else { return nil }
      return photo
    }
    let first = try chosen(request.first) ?? oldest
    let second = try chosen(request.second) ?? newest
    for photo in [first, second] where !choices.contains(where: { $0.id == photo.id }) {
      let place = choices.firstIndex { $0.time.instant > photo.time.instant } ?? choices.endIndex
      choices.insert(photo, at: place)
    }
    return Pair(first: first, second: second, choices: choices)
  }

  fileprivate func options(_ pair: Pair, chosen: Entry) -> [Option] {
    pair.choices.map {
      Option(value: $0.id.description, label: ageAndDay(of: $0), isChosen: $0.id == chosen.id)
    }
  }

  fileprivate func view(of pair: Pair, _ request: ComparePage.Request) -> ComparePage.CompareView? {
    guard let below = pair.first.photo?.size(within: PhotoSummary.previewSide),
      let own = pair.second.photo?.size(within: PhotoSummary.previewSide)
    else { return nil }
    let moved = PageAddress("/compare/aligned")
      .with("a", pair.first.id.description).with("b", pair.second.id.description).text
    let isAligned = request.isAligned
    return ComparePage.CompareView(
      isSlider: request.mode == .slider, isOnion: request.mode == .onion,
      isPair: request.mode == .pair,
      rangeLabel: words[request.mode == .onion ? "onionLabel" : "sliderLabel"],
      first: compared(pair.first, below),
      second: compared(pair.second, isAligned ? below : own, src: isAligned ? moved : nil))
  }

  private func compared(
    _ photo: Entry, _ size: PixelSize, src: String? = nil
  ) -> ComparePage.ComparedPhoto {
    ComparePage.ComparedPhoto(
      tint: photo.photo?.tint ?? PhotoSummary.unknownTint,
      src: src ?? "/api/v1/photos/\(photo.id)/preview", width: size.width, height: size.height,
      alt: alt(of: photo), caption: ageAndDay(of: photo))
  }
}
