/// A time of day on a clock, whatever the day and the zone.
public struct TimeOfDay: Sendable, Hashable, CustomStringConvertible {
  /// In milliseconds after midnight, below 86,400,000; only the end of a span may be `24:00`.
  public let milliseconds: Int

  init(milliseconds: Int) { self.milliseconds = milliseconds }

  fileprivate static let endOfDay = TimeOfDay(milliseconds: LocalDateTime.millisecondsPerDay)

  /// Parses `09:30` or `9:30`, optionally with seconds; nil for anything else.
  public init?(_ text: String) {
    guard let parts = text.wholeMatch(of: /([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?/),
      let hour = Int(parts.1), let minute = Int(parts.2), let second = Int(parts.3 ?? "0")
    else { return nil }
    milliseconds = ((hour * 60 + minute) * 60 + second) * 1000
  }

  /// `09:30`, with seconds unless they are zero.
  public var description: String {
    let (minutes, rest) = (milliseconds / 60_000, milliseconds % 60_000)
    func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let text = "\(padded(minutes / 60)):\(padded(minutes % 60))"
    return rest == 0 ? text : "\(text):\(padded(rest / 1000))"
  }

  /// How far another is from it on a clock's dial, in milliseconds: at most twelve hours.
  func distance(to other: TimeOfDay) -> Int {
    let distance = abs(other.milliseconds - milliseconds)
    return min(distance, LocalDateTime.millisecondsPerDay - distance)
  }
}

extension EntryTime {
  /// The time of day on the clock; nil if it is not known.
  var timeOfDay: TimeOfDay? {
    basis == .day ? nil : TimeOfDay(milliseconds: wall.millisecondOfDay)
  }
}

/// A choice among photos by the time of day that their clocks had, and by their light. Without any condition it has all.
public struct PhotoHours: Sendable, Hashable {
  /// A part of the day.
  public struct Span: Sendable, Hashable, CustomStringConvertible {
    /// Its beginning.
    public let first: TimeOfDay
    /// Its end; the whole second belongs to it. A span whose end is before its beginning goes over midnight.
    public let last: TimeOfDay

    /// Parses `08:00-18:00`, `20:00-4:00` or `18:00-24:00`; nil for anything else.
    public init?(_ text: String) {
      let ends = text.split(separator: "-", omittingEmptySubsequences: false)
      guard ends.count == 2, let first = TimeOfDay(String(ends[0])),
        let last = ends[1] == "24:00" ? .endOfDay : TimeOfDay(String(ends[1]))
      else { return nil }
      (self.first, self.last) = (first, last)
    }

    /// `08:00-18:00`
    public var description: String { "\(first)-\(last)" }

    func contains(_ time: TimeOfDay) -> Bool {
      let (first, last, time) = (first.milliseconds, last.milliseconds + 999, time.milliseconds)
      return first <= last ? first <= time && time <= last : first <= time || time <= last
    }
  }

  /// Only photos of this part of the day.
  public var between: Span?
  /// Only one photo of each plant and day: the nearest to this time of day within 30 minutes.
  public var at: TimeOfDay?
  /// Only photos that are not dark.
  public var excludesDark = false

  private struct Day: Hashable {
    let plant: PlantID?
    let day: LocalDay
  }

  /// A choice of all photos.
  public init() {}

  /// How far a photo may be from `at`, in milliseconds.
  private static let nearness = 30 * 60_000

  /// Whether it has conditions.
  public var isLimited: Bool { between != nil || at != nil || excludesDark }

  /// Whether it has a photo if nothing is nearer to `at`. A photo whose time of day is not known has no hour.
  func includes(_ time: EntryTime, isDark: Bool) -> Bool {
    if excludesDark, isDark { return false }
    guard between != nil || at != nil else { return true }
    guard let hour = time.timeOfDay, between?.contains(hour) != false else { return false }
    return at.map { $0.distance(to: hour) <= Self.nearness } ?? true
  }

  /// The photos that it has, in their order; with `at`, of those of a plant and day that are as near the first.
  func chosen<Photo>(
    _ photos: [Photo], _ facts: (Photo) -> (plant: PlantID?, time: EntryTime, isDark: Bool)
  ) -> [Photo] {
    var indices: [Int] = []
    var nearest: [Day: (index: Int, distance: Int)] = [:]
    for (index, photo) in photos.enumerated() {
      let (plant, time, isDark) = facts(photo)
      guard includes(time, isDark: isDark) else { continue }
      guard let at, let distance = time.timeOfDay?.distance(to: at) else {
        indices.append(index)
        continue
      }
      let day = Day(plant: plant, day: time.localDay)
      if let other = nearest[day], other.distance <= distance { continue }
      nearest[day] = (index, distance)
    }
    return (indices + nearest.values.map(\.index)).sorted().map { photos[$0] }
  }
}
