internal import DiaryCatalog
internal import Imaging

/// The number of photos of each plant to keep per span of time.
public struct Thinning: Sendable, Hashable {
  /// At least 1.
  public let count: Int
  /// The span of time.
  public let unit: BucketUnit

  /// Keeps `count` photos per span, but at least 1.
  public init(count: Int, per unit: BucketUnit) {
    self.count = max(1, count)
    self.unit = unit
  }
}

extension Pruner {
  /// The photos that thinning would put into the trash, oldest first: for each plant and span, all but the sharpest or, for a
  /// camera's series, all but those nearest the usual time (`SeriesThinning`). Those of other hours than the given ones are kept
  /// only where a span has not enough of these. Photos without a plant stay, as do those with
  /// notes or tags, favourites, those whose thumbnail is lost, and those that lie in no span.
  ///
  /// - Returns: also how many photos lie in no span: their dates are not known well enough, or may be by a clock that
  ///   was never set.
  ///
  /// Sharpness is the variance of the thumbnail's Laplacian (Pech-Pacheco et al., "Diatom autofocusing in
  /// brightfield microscopy", 2000).
  func photosToThin(
    _ thinning: Thinning, _ hours: PhotoHours
  ) throws -> (thinned: [Entry], unthinnableCount: Int) {
    var (thinned, count): ([Entry], Int) = ([], 0)
    for plant in try library.catalog.read({ try $0.plants.all() }) {
      thinned += try photosToThin(plant.id, thinning, hours, &count)
    }
    return (thinned, count)
  }

  private func photosToThin(
    _ plant: PlantID, _ thinning: Thinning, _ hours: PhotoHours, _ unthinnableCount: inout Int
  ) throws -> [Entry] {
    let measured = try library.catalog.read { try $0.photos.sharpness(of: plant) }
    let query = TimelineQuery(plant: plant, kinds: [.photo])
    let all = try library.catalog.read { try $0.entries.all(.matching(query)) }
    let photos = all.filter {
      thinning.unit.contains($0.time.precision) && !$0.mayBeByUnsetClock
    }
    unthinnableCount += all.count - photos.count
    let series = SeriesThinning(photos, trashed: try trashedCounts(of: plant))
    let wanted =
      hours.isLimited
      ? Set(
        photos.filter { hours.includes($0.time, isDark: $0.photo?.isDark == true) }.map(\.id)) : nil
    let spans = Dictionary(grouping: photos) { thinning.unit.bucketName(of: $0.time.localDay) }
    return try spans.sorted { $0.key < $1.key }.flatMap { _, span in
      guard span.count > thinning.count else { return [Entry]() }
      let ranked = try span.map { RankedPhoto(entry: $0, rank: try rank($0, measured[$0.id])) }
      let kept = kept(of: ranked, thinning.count, series, wanted)
      return ranked.filter { !kept.contains($0.entry.id) && !$0.isKept }.map(\.entry)
        .sorted { $0.time.instant < $1.time.instant }
    }
  }

  /// The photos to keep of a span beside those that are kept in any case.
  ///
  /// - Parameter wanted: those to choose from as long as there are enough; nil for all.
  private func kept(
    of span: [RankedPhoto], _ count: Int, _ series: SeriesThinning?, _ wanted: Set<EntryID>?
  ) -> Set<EntryID> {
    let count = count - span.count(where: \.isKept)
    let others = span.filter { !$0.isKept }
    func choice(_ photos: [RankedPhoto], _ count: Int) -> Set<EntryID> {
      guard count > 0 else { return [] }
      return series?.kept(of: photos, count: count)
        ?? Set(photos.sorted { $0.rank > $1.rank }.prefix(count).map(\.entry.id))
    }
    guard let wanted else { return choice(others, count) }
    let first = choice(others.filter { wanted.contains($0.entry.id) }, count)
    return first.union(
      choice(others.filter { !wanted.contains($0.entry.id) }, count - first.count))
  }

  /// The numbers of a plant's photos in the trash by day.
  private func trashedCounts(of plant: PlantID) throws -> [LocalDay: Int] {
    var query = TimelineQuery(plant: plant, kinds: [.photo])
    query.deleted = true
    let tallies = try library.catalog.read { try $0.timeline.tally(query) }
    return Dictionary(tallies.map { ($0.day, $0.count) }, uniquingKeysWith: +)
  }

  /// The sharpness of a photo; infinite for one with notes or tags and for a favourite, which are never thinned.
  ///
  /// - Parameter measured: what the import has measured.
  private func rank(
    _ entry: Entry, _ measured: (value: Double, thumbnail: BlobID)?
  ) throws -> Double {
    guard entry.notes == nil, entry.tags.isEmpty, entry.photo?.isFavourite != true else {
      return .infinity
    }
    if let measured {
      return try library.blobs.byteCount(of: measured.thumbnail) == nil ? .infinity : measured.value
    }
    let photo = try library.catalog.read { try $0.photos.find(entry.id.description) }
    guard let thumbnail = photo.renditions.first(where: { $0.role == .thumbnail }),
      let file = try? library.photos.file(thumbnail)
    else { return .infinity }
    return try withImagingThread {
      try PhotoFile(bytes: file.bytes, format: file.format).decode().sharpness()
    }
  }
}

/// A photo and its sharpness, which is infinite if it is kept in any case.
private struct RankedPhoto {
  let entry: Entry
  let rank: Double

  var isKept: Bool { rank == .infinity }
  var isDark: Bool { entry.photo?.isDark ?? false }
}

/// The choice among the photos of a camera that shoots all day. At night, noise counts as sharpness; and a series of one
/// photo a day in the same light shows more than one of the sharpest, which are of any hour.
private struct SeriesThinning {
  /// The most photos of a plant that a phone takes on a day.
  private static let maxPhoneCount = 12
  /// The newest days of a plant whose photos in the trash count, too: of a series that is thinned each night, only the
  /// newest day is full.
  private static let newestDayCount = 14
  /// Within it, the sharpest of the photos near a time is chosen.
  private static let nearness: Int64 = 30 * 60_000
  private static let dayLength: Int64 = 86_400_000

  private let usual: UsualTime

  /// Nil unless the plant has more than twelve photos on most of its days, or had on most of its newest ones.
  ///
  /// - Parameter trashed: the numbers of its photos in the trash by day.
  init?(_ photos: [Entry], trashed: [LocalDay: Int]) {
    func isMostlyFull(_ counts: some Collection<Int>) -> Bool {
      counts.count { $0 > Self.maxPhoneCount } * 2 > counts.count
    }
    // A time of day is what a series is about.
    let timed = photos.filter { $0.time.basis != .day }
    let counts = Dictionary(grouping: timed) { $0.time.localDay }.mapValues(\.count)
    let newest = counts.sorted { $0.key > $1.key }.prefix(Self.newestDayCount)
    guard
      isMostlyFull(counts.values)
        || isMostlyFull(newest.map { day, count in count + (trashed[day] ?? 0) })
    else { return nil }
    usual = UsualTime(of: photos.map { ($0.time, $0.photo?.isDark ?? false) })
  }

  /// The photos to keep of some: one near the usual time of day or, of several, one in each of as many equal parts of the
  /// span's light. Dark photos are kept only where there are not enough others.
  func kept(of others: [RankedPhoto], count: Int) -> Set<EntryID> {
    let light = others.filter { !$0.isDark }
    var kept = Set(
      parts(of: light.isEmpty ? others : light, count: count).compactMap { nearest($0)?.entry.id })
    let sharpest = others.sorted { ($1.isDark ? 1 : 0, $0.rank) > ($0.isDark ? 1 : 0, $1.rank) }
    for photo in sharpest where kept.count < count { kept.insert(photo.entry.id) }
    return kept
  }

  /// Photos, and how far each is from the time that is wanted, in milliseconds.
  private typealias Part = [(photo: RankedPhoto, distance: Int64)]

  private func parts(of photos: [RankedPhoto], count: Int) -> [Part] {
    let instants = photos.map(\.entry.time.instant.milliseconds)
    guard let first = instants.min(), let last = instants.max() else { return [] }
    let length = max(1, (last - first) / Int64(count) + 1)
    let isByDay = count == 1 || length >= Self.dayLength
    var parts = [Part](repeating: [], count: count)
    for (photo, instant) in zip(photos, instants) {
      let number = (instant - first) / length
      let middle = first + number * length + length / 2
      let distance = isByDay ? usual.distance(to: photo.entry.time) : abs(instant - middle)
      parts[Int(number)].append((photo, distance))
    }
    return parts
  }

  private func nearest(_ part: Part) -> RankedPhoto? {
    let near = part.filter { $0.distance <= Self.nearness }
    return near.isEmpty
      ? part.min { ($0.distance, -$0.photo.rank) < ($1.distance, -$1.photo.rank) }?.photo
      : near.max { $0.photo.rank < $1.photo.rank }?.photo
  }
}

extension Entry {
  /// Whether its date may be by a clock that was never set.
  fileprivate var mayBeByUnsetClock: Bool {
    guard let source = photo?.captureSource else { return false }
    return UnsetClock.mayShow(time.localDay) && !UnsetClock.statedSources.contains(source)
  }
}
