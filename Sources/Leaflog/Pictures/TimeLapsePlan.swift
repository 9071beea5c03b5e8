internal import DiaryCatalog

/// The photos of a time-lapse and their durations. It keeps so little of each photo that a film can have a
/// hundred thousand.
struct TimeLapsePlan {
  struct Frame {
    let id: EntryID
    let time: EntryTime
    let plantDay: Int?
    let size: PixelSize
  }

  private(set) var frames: [Frame] = []

  init(_ request: TimeLapseRequest, _ catalog: Catalog) throws {
    frames = try Self.frames(
      of: request.plant, from: request.firstDay, to: request.lastDay, catalog)
    if request.isOnePerDay { keepOnePerDay() }
    guard frames.count >= 2 else {
      throw LeaflogError.invalid(
        frames.isEmpty
          ? "There is no photo to show." : "There is one photo only; a time-lapse needs two.")
    }
  }

  /// A plant's photos, oldest first.
  static func frames(
    of plant: PlantID, from firstDay: LocalDay?, to lastDay: LocalDay?, _ catalog: Catalog
  ) throws -> [Frame] {
    let query = TimelineQuery(
      plant: plant, kinds: [.photo], firstDay: firstDay, lastDay: lastDay, order: .oldestFirst)
    var frames: [Frame] = []
    var position = TimelinePosition.start
    while true {
      let page = try catalog.read { try $0.timeline.page(query, at: position, limit: 1000) }
      frames += page.elements.compactMap { entry in
        entry.photo.map {
          Frame(id: entry.id, time: entry.time, plantDay: entry.plantDay, size: $0.size)
        }
      }
      guard let next = page.next else { return frames }
      position = .cursor(next)
    }
  }

  /// Keeps the photo of each day that is nearest the median time of day, so that the light comes from the
  /// same side; one without a time of day if there is no other. Photos whose day is not known all stay.
  private mutating func keepOnePerDay() {
    let times = frames.filter { $0.time.basis != .day }.map(\.time.wall.millisecondOfDay).sorted()
    let usual = times.isEmpty ? 0 : times[times.count / 2]
    func distance(_ frame: Frame) -> Int {
      frame.time.basis == .day ? .max : abs(frame.time.wall.millisecondOfDay - usual)
    }
    frames = frames.reduce(into: []) { kept, frame in
      guard let last = kept.last, last.time.localDay == frame.time.localDay,
        last.time.precision == nil, frame.time.precision == nil
      else { return kept.append(frame) }
      if distance(frame) < distance(last) { kept[kept.count - 1] = frame }
    }
  }

  private static let longestDelay = 3000.0
  /// Browsers show frames with a shorter delay for a tenth of a second instead.
  private static let shortestDelay = 20.0

  /// How long each frame is shown, in milliseconds.
  func delays(_ request: TimeLapseRequest) -> [Int] {
    let even = 1000 / request.framesPerSecond
    guard request.pace == .real else {
      return frames.map { _ in Int(max(Self.shortestDelay, even).rounded()) }
    }
    var gaps = zip(frames.dropFirst(), frames).map {
      Double($0.time.instant.milliseconds - $1.time.instant.milliseconds)
    }
    gaps.append(gaps.sorted()[gaps.count / 2])
    let total = gaps.reduce(0, +)
    guard total > 0 else { return frames.map { _ in Int(even) } }
    return gaps.map {
      let share = even * Double(frames.count) * $0 / total
      return Int(min(Self.longestDelay, max(Self.shortestDelay, share)).rounded())
    }
  }

  /// The size of the film: that of most photos, scaled down to `side` if that is smaller.
  func size(side: Int, isEven: Bool) -> PixelSize {
    var counts: [PixelSize: Int] = [:]
    for frame in frames { counts[frame.size, default: 0] += 1 }
    let usual =
      counts.max { ($0.value, $0.key.pixelCount) < ($1.value, $1.key.pixelCount) }?.key
      ?? PixelSize(width: side, height: side)
    let longer = max(usual.width, usual.height)
    let scale = Double(min(side, longer)) / Double(longer)
    // H.264 halves the resolution of colours, and needs even numbers.
    func scaled(_ length: Int) -> Int {
      let pixels = max(2, Int((Double(length) * scale).rounded()))
      return isEven ? pixels & ~1 : pixels
    }
    return PixelSize(width: scaled(usual.width), height: scaled(usual.height))
  }
}
