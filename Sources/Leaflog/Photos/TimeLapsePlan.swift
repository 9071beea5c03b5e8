internal import DiaryCatalog
internal import Imaging

/// The photos of a time-lapse and their durations. It keeps so little of each photo that a film can have a
/// hundred thousand.
struct TimeLapsePlan {
  struct Frame {
    let id: EntryID
    let time: EntryTime
    let plantDay: Int?
    let size: PixelSize
    let isDark: Bool
  }

  private(set) var frames: [Frame] = []

  init(_ request: TimeLapseRequest, _ catalog: Catalog) throws {
    frames = try Self.frames(
      of: request.plant, from: request.first, to: request.last, catalog)
    frames = request.hours.chosen(frames) { (nil, $0.time, $0.isDark) }
    if request.showsOnePerDay { keepOnePerDay() }
    guard frames.count >= 2 else {
      throw LeaflogError.invalid(
        frames.isEmpty
          ? "There is no photo to show." : "There is one photo only; a time-lapse needs two.")
    }
  }

  /// A plant's photos, oldest first.
  static func frames(
    of plant: PlantID, from first: TimelineBound?, to last: TimelineBound?, _ catalog: Catalog
  ) throws -> [Frame] {
    var query = TimelineQuery(plant: plant, kinds: [.photo], order: .oldestFirst)
    (query.first, query.last) = (first, last)
    var frames: [Frame] = []
    var position = TimelinePosition.start
    while true {
      let page = try catalog.read { try $0.timeline.page(query, at: position, limit: 1000) }
      frames += page.elements.compactMap { entry in
        entry.photo.map {
          Frame(
            id: entry.id, time: entry.time, plantDay: entry.plantDay, size: $0.size,
            isDark: $0.isDark)
        }
      }
      guard let next = page.next else { return frames }
      position = .cursor(next)
    }
  }

  /// Keeps the photo of each day that is nearest the usual time of day, so that the light comes from the same side; a dark
  /// one, or one without a time of day, if there is no other. Photos whose day is not known all stay.
  private mutating func keepOnePerDay() {
    let usual = UsualTime(of: frames.map { ($0.time, $0.isDark) })
    func distance(_ frame: Frame) -> (Int, Int64) {
      (frame.isDark ? 1 : 0, usual.distance(to: frame.time))
    }
    frames = frames.reduce(into: []) { kept, frame in
      guard let last = kept.last, last.time.localDay == frame.time.localDay,
        last.time.precision == nil, frame.time.precision == nil
      else { return kept.append(frame) }
      if distance(frame) < distance(last) { kept[kept.count - 1] = frame }
    }
  }

  /// The scenes that the frames were aligned in.
  func scenes(of alignments: [FrameAlignment]) -> [TimeLapseSummary.Scene] {
    let members = Dictionary(
      grouping: zip(frames, alignments).filter { $0.1.scene != nil }, by: \.1.scene)
    return members.sorted { ($0.key ?? 0) < ($1.key ?? 0) }.compactMap { _, frames in
      frames.first.map { .init(firstDay: $0.0.time.localDay, frameCount: frames.count) }
    }
  }

  /// The longest time for which a photo is shown in a film in true pace, in milliseconds, unless photos are shown longer
  /// than a third of it on average.
  private static let longest = 3000.0

  /// How long each frame is shown.
  func timing(_ request: TimeLapseRequest) -> FilmTiming {
    let unit = request.timeUnit
    let even = 1000 / request.framesPerSecond
    let shortest = max(request.shortestDelay, unit)
    guard request.pace == .real, gaps.contains(where: { $0 > 0 }) else {
      return FilmTiming(delays: frames.map { _ in max(even, shortest) }, unit: unit)
    }
    let longest = max(Self.longest, 3 * even)
    let shares = Self.shares(
      of: even * Double(frames.count), by: gaps, within: min(shortest, even)...longest)
    return FilmTiming(delays: shares.map { max($0, shortest) }, unit: unit)
  }

  /// The times until the next photo, in milliseconds; after the last one, a typical time.
  private var gaps: [Double] {
    let gaps = zip(frames.dropFirst(), frames).map {
      Double($0.time.instant.milliseconds - $1.time.instant.milliseconds)
    }
    return gaps + [gaps.sorted()[gaps.count / 2]]
  }

  /// Shares out a time in proportion to gaps, as far as the limits allow: what a long gap may not have is shared by the
  /// others, so that the sum stays the same.
  private static func shares(
    of total: Double, by gaps: [Double], within limits: ClosedRange<Double>
  ) -> [Double] {
    func shares(_ scale: Double) -> [Double] {
      gaps.map { min(max($0 * scale, limits.lowerBound), limits.upperBound) }
    }
    // The sum grows with the scale. At the upper end every gap has as much as it may.
    var low = 0.0
    var high = limits.upperBound / (gaps.filter { $0 > 0 }.min() ?? 1)
    for _ in 0..<100 {
      let middle = (low + high) / 2
      if shares(middle).reduce(0, +) < total { low = middle } else { high = middle }
    }
    return shares(high)
  }

  /// The size of the film: that of most photos, scaled down to `side` if that is smaller. Among sizes of equally many
  /// photos, that of the newest photo.
  func size(side: Int, isEven: Bool) -> PixelSize {
    var counts: [PixelSize: (count: Int, newest: Int)] = [:]
    for (index, frame) in frames.enumerated() {
      counts[frame.size] = ((counts[frame.size]?.count ?? 0) + 1, index)
    }
    let usual =
      counts.max { $0.value < $1.value }?.key ?? PixelSize(width: side, height: side)
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

/// The time of day at which a plant is usually photographed in light: the median wall time of its photos that are not dark.
struct UsualTime {
  private let moment: TimeOfDay

  /// - Parameter photos: if all are dark, these count. Those without a time of day do not.
  init(of photos: [(time: EntryTime, isDark: Bool)]) {
    let timed = photos.filter { $0.time.basis != .day }
    let light = timed.filter { !$0.isDark }
    let moments = (light.isEmpty ? timed : light).map(\.time.wall.millisecondOfDay).sorted()
    moment = TimeOfDay(milliseconds: moments.isEmpty ? 0 : moments[moments.count / 2])
  }

  /// How far a time of day is from it, in milliseconds; the maximum for one that is not known.
  func distance(to time: EntryTime) -> Int64 {
    time.timeOfDay.map { Int64($0.distance(to: moment)) } ?? .max
  }
}

/// How long each frame of a film is shown, in whole units of its format.
struct FilmTiming {
  /// For each frame.
  let counts: [Int]
  /// In milliseconds.
  let unit: Double

  /// Rounds delays, in milliseconds, so that the rounding does not add up. Each frame is shown for a unit at least.
  init(delays: [Double], unit: Double) {
    self.unit = unit
    var (asked, given) = (0.0, 0)
    counts = delays.map { delay in
      asked += delay
      let count = max(1, Int((asked / unit).rounded()) - given)
      given += count
      return count
    }
  }

  /// The length of the film.
  var duration: Duration {
    .microseconds(Int64((Double(counts.reduce(0, +)) * unit * 1000).rounded()))
  }

  /// How long each frame is shown, in milliseconds.
  var milliseconds: [Int] { counts.map { Int((Double($0) * unit).rounded()) } }
}

extension TimeLapseRequest {
  /// The film's own pictures per second, where it has that: unequal times are made of equal pictures.
  var pictureRate: Double { pace == .even ? framesPerSecond : max(25, framesPerSecond) }

  /// The unit in which the film's format counts time, in milliseconds.
  fileprivate var timeUnit: Double {
    switch format {
    case .webp: 1
    case .gif: 10
    case .mp4: 1000 / pictureRate
    }
  }

  /// - Throws: `LeaflogError` with code `invalidRequest` for a film that cannot be made.
  package func check() throws(LeaflogError) {
    guard Self.rates.contains(framesPerSecond), (16...7680).contains(side) else {
      throw .invalid("A film has 0.1 to 60 photos a second and a side of 16 to 7680 pixels.")
    }
    guard framesPerSecond * shortestDelay <= 1000 || format == .mp4 else {
      throw .invalid(
        "A \(format == .gif ? "GIF" : "WebP") has at most 50 photos a second, as browsers play faster ones slowly; "
          + "an MP4 has up to 60.")
    }
  }

  /// The shortest time for which a frame can be shown, in milliseconds. Browsers show frames of animations with a shorter
  /// one for a tenth of a second instead.
  fileprivate var shortestDelay: Double { format == .mp4 ? 1000 / pictureRate : 20 }
}
