/// The entries to read, and their order.
public struct TimelineQuery: Sendable, Hashable {
  /// By day, and within a day by time; entries of equal time are ordered by when they were recorded.
  public enum Order: Sendable {
    /// From the latest day backwards.
    case newestFirst
    /// From the earliest day onwards.
    case oldestFirst

    /// The direction of reading.
    package var heading: Cursor.Heading { self == .newestFirst ? .older : .newer }
  }

  /// Nil means entries of every plant and of none.
  public var plant: PlantID?
  /// Only entries that belong to no plant.
  public var isWithoutPlant: Bool
  /// Empty means every kind.
  public var kinds: Set<EntryKind>
  /// Tags that an entry must all have, regardless of case; empty means entries with any tags or none.
  public var tags: [String]
  /// Only favourites: photos that were marked, and quotes.
  public var isFavourite: Bool
  /// Where it begins; nil sets no limit.
  public var first: TimelineBound?
  /// Where it ends, itself included; nil sets no limit.
  public var last: TimelineBound?
  /// Which end comes first.
  public var order: Order
  /// Reads the trash instead of the timeline.
  public var deleted: Bool

  /// The entries that meet all of these conditions; without any, the whole timeline.
  ///
  /// - Parameters:
  ///   - firstDay: the first day to include; nil sets no limit.
  ///   - lastDay: the last day to include; nil sets no limit.
  public init(
    plant: PlantID? = nil, isWithoutPlant: Bool = false, kinds: Set<EntryKind> = [],
    tags: [String] = [], isFavourite: Bool = false, firstDay: LocalDay? = nil,
    lastDay: LocalDay? = nil, order: Order = .newestFirst, deleted: Bool = false
  ) {
    self.plant = plant
    self.isWithoutPlant = isWithoutPlant
    self.kinds = kinds
    self.tags = tags
    self.isFavourite = isFavourite
    first = firstDay.map { TimelineBound($0) }
    last = lastDay.map { TimelineBound($0) }
    self.order = order
    self.deleted = deleted
  }

  /// The first day to include; setting it includes the whole day.
  public var firstDay: LocalDay? {
    get { first?.day }
    set { first = newValue.map { TimelineBound($0) } }
  }

  /// The last day to include; setting it includes the whole day.
  public var lastDay: LocalDay? {
    get { last?.day }
    set { last = newValue.map { TimelineBound($0) } }
  }
}

/// An end of a span of the timeline: a whole day or, as a place between entries, a moment of a day.
public struct TimelineBound: Sendable, Hashable {
  /// The day that entries count for.
  public let day: LocalDay
  /// The moment within it; nil means the whole day.
  public let moment: Timestamp?

  /// A whole day.
  public init(_ day: LocalDay) { (self.day, moment) = (day, nil) }

  /// The place of a time; of a day without a time of day, the whole day.
  public init(_ time: EntryTime) {
    let place = time.place
    (day, moment) = (place.day, time.basis == .day ? nil : place.moment)
  }
}

/// Where on a timeline a page starts.
public enum TimelinePosition: Sendable, Hashable {
  /// At the first entry in reading order.
  case start
  /// Where an earlier page ended, continuing in the cursor's direction.
  case cursor(Cursor)
  /// In the middle of the page, whatever the cursor's direction; an entry at that position is included.
  case around(Cursor)
}

/// A calendar span by which entries can be counted.
public enum BucketUnit: String, Sendable, CaseIterable {
  /// `2025-04-02`
  case day
  /// `2025-W14` (ISO 8601)
  case week
  /// `2025-04`
  case month
  /// `2025`
  case year
}

/// The number of entries in one span of days.
public struct Bucket: Sendable, Hashable {
  /// The span's name, in the format of its unit.
  public let name: String
  /// The number of entries, at least one.
  public let count: Int

  /// - Parameters:
  ///   - name: in the format of the span's unit, as ``BucketUnit`` has it.
  ///   - count: at least one.
  public init(name: String, count: Int) {
    self.name = name
    self.count = count
  }
}

extension BucketUnit {
  /// Whether a time is known well enough to lie in one span: a month is of a month and a year, a year of a year alone.
  package func contains(_ precision: DatePrecision?) -> Bool {
    switch precision {
    case nil: true
    case .month: self == .month || self == .year
    case .year: self == .year
    }
  }

  /// The name of the span that a day lies in.
  package func bucketName(of day: LocalDay) -> String {
    let (year, month, _) = day.civil
    switch self {
    case .day: return day.description
    case .month: return "\(padded(year, 4))-\(padded(month, 2))"
    case .year: return padded(year, 4)
    case .week:
      // ISO 8601: a week belongs to the year that has its Thursday.
      let thursday = day.advanced(by: 4 - day.weekday)
      let weekYear = thursday.civil.year
      let newYear = LocalDay(year: weekYear, month: 1, day: 1) ?? thursday
      let week = (thursday.dayNumber - newYear.dayNumber) / 7 + 1
      return "\(padded(weekYear, 4))-W\(padded(week, 2))"
    }
  }

  /// The days of the span that a day lies in.
  package func days(around day: LocalDay) -> ClosedRange<LocalDay> {
    switch self {
    case .day: return day...day
    case .week:
      let monday = day.advanced(by: 1 - day.weekday)
      return monday...monday.advanced(by: 6)
    case .month:
      let month = CalendarMonth(of: day)
      return month.firstDay...month.lastDay
    case .year:
      let year = day.civil.year
      let first = LocalDay(year: year, month: 1, day: 1) ?? day
      return first...(LocalDay(year: year, month: 12, day: 31) ?? day)
    }
  }
}

/// The number of entries on a day: photos of one plant or of none, or everything other than photos.
public struct DayTally: Sendable, Hashable {
  /// The day that the entries count for.
  public let day: LocalDay
  /// The plant of the photos; nil for photos without a plant and for other entries.
  public let plant: PlantID?
  /// Whether it counts photos; false for entries of all other kinds.
  public let isPhoto: Bool
  /// At least one.
  public let count: Int

  /// - Parameters:
  ///   - plant: nil for photos without a plant, and for other entries.
  ///   - count: at least one.
  public init(day: LocalDay, plant: PlantID?, isPhoto: Bool, count: Int) {
    self.day = day
    self.plant = plant
    self.isPhoto = isPhoto
    self.count = count
  }
}

/// Photos of some days that are shown as one: those of a plant, or all.
public struct PhotoStack: Sendable, Hashable {
  /// The days of the photos, both ends included.
  public let days: ClosedRange<LocalDay>
  /// Nil means the photos of every plant and of none.
  public let plant: PlantID?

  /// - Parameter plant: nil for the photos of every plant and of none.
  public init(days: ClosedRange<LocalDay>, plant: PlantID? = nil) {
    self.days = days
    self.plant = plant
  }
}
