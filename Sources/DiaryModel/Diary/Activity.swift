package import Fields

/// A recurring activity, such as watering a plant.
public struct Activity: Sendable, Hashable, Identifiable {
  /// Stable for the activity's life.
  public let id: ActivityID
  /// The fields that the user edits.
  public var details: ActivityDetails
  /// The plant it is done for, if any.
  public let plant: PlantReference?
  /// Its place in the user-defined order, from 0.
  public let rank: Int
  /// When it was added.
  public let createdAt: Timestamp
  /// When it was deleted; nil if it is not.
  public let deletedAt: Timestamp?
  /// The last day on which it was done; nil if it never was.
  public let lastDone: LocalDay?
  /// How often it was done; nil where that was not counted.
  public let completionCount: Int?

  package init(
    id: ActivityID, details: ActivityDetails, plant: PlantReference?, rank: Int,
    createdAt: Timestamp, deletedAt: Timestamp?, lastDone: LocalDay?, completionCount: Int?
  ) {
    self.id = id
    self.details = details
    self.plant = plant
    self.rank = rank
    self.createdAt = createdAt
    self.deletedAt = deletedAt
    self.lastDone = lastDone
    self.completionCount = completionCount
  }

  /// The name in its details.
  public var name: String { details.name }

  /// Days since it was last done, or since its start if it never was; negative before that.
  public func daysSince(on today: LocalDay) -> Int {
    today.dayNumber - (lastDone ?? details.startFrom).dayNumber
  }

  /// The next due day: the interval after the day on which it was last done, or after its start if it never was; nil when
  /// it has no interval.
  public var dueDay: LocalDay? {
    details.everyDays.map { (lastDone ?? details.startFrom).advanced(by: $0) }
  }

  /// Whether it is due on or before a day.
  public func isDue(on day: LocalDay) -> Bool { dueDay.map { $0 <= day } ?? false }
}

/// The editable fields of an activity.
public struct ActivityDetails: Sendable, Hashable {
  /// A single line, unique within a library regardless of case.
  public var name: String
  /// One grapheme; an empty text is replaced by one that suits the name or the category.
  public var emoji: String
  /// One of `ActivityCategory`, or the user's own.
  public var category: String
  /// The day from which days and the first interval are counted until it is done for the first time.
  public var startFrom: LocalDay
  /// The user's notes, which may have several lines; nil for none.
  public var notes: String?
  /// The interval in days after which it is due again, 1 to 3660.
  public var everyDays: Int?
  /// The goal for a week, 1 to 7.
  public var weeklyGoal: Int?
  /// The goal for a month, 1 to 31.
  public var monthlyGoal: Int?
  /// The name of its symbol in exports from programs without emoji.
  public var iconName: String?

  /// Creates details, which are validated when they are stored.
  ///
  /// - Parameter emoji: nil for one that suits the name or the category.
  public init(
    name: String, emoji: String? = nil, category: String = ActivityCategory.others.rawValue,
    startFrom: LocalDay, notes: String? = nil, everyDays: Int? = nil, weeklyGoal: Int? = nil,
    monthlyGoal: Int? = nil, iconName: String? = nil
  ) {
    self.name = name
    self.emoji = emoji ?? ""
    self.category = category
    self.startFrom = startFrom
    self.notes = notes
    self.everyDays = everyDays
    self.weeklyGoal = weeklyGoal
    self.monthlyGoal = monthlyGoal
    self.iconName = iconName
  }

  /// The validated details, with trimmed texts and the standard spelling of built-in categories.
  ///
  /// - Parameter categoryEmoji: the emoji of a user's own category, for when no word of the name has one.
  /// - Throws: `InvalidValue` for the first field that is out of its range.
  package func checked(
    categoryEmoji: (String) -> String? = { _ in nil }
  ) throws(InvalidValue) -> ActivityDetails {
    var checked = try Self.fields.checked(self)
    if let known = ActivityCategory.allCases.first(where: {
      foldedName($0.rawValue) == foldedName(checked.category)
    }) {
      checked.category = known.rawValue
    }
    checked.emoji =
      checked.emoji.tidied ?? ActivityEmoji.suggested(for: checked.name) ?? categoryEmoji(
        checked.category)
      ?? ActivityCategory.defaultEmoji(of: checked.category)
    return checked
  }
}

extension ActivityDetails: Fielded {
  package static let blank = ActivityDetails(name: "", startFrom: LocalDay(dayNumber: 0))

  package static let fields = Fields<ActivityDetails>([
    Field("name", \.name, .line(200)),
    Field("emoji", \.emoji, .emoji, standard: ""),
    Field("category", \.category, .line(200), standard: ActivityCategory.others.rawValue),
    Field("startFrom", \.startFrom, .day),
    Field("everyDays", \.everyDays, .whole(1...3660)),
    Field("weeklyGoal", \.weeklyGoal, .whole(1...7)),
    Field("monthlyGoal", \.monthlyGoal, .whole(1...31)),
    Field("notes", \.notes, .notes),
    Field("iconName", \.iconName, .text),
  ]).named("Activity")
}

/// The built-in categories.
@nonexhaustive
public enum ActivityCategory: String, Sendable, CaseIterable {
  /// Hobbies; the default emoji is 🎨.
  case hobby = "Hobby"
  /// Health; the default emoji is 💪.
  case health = "Health"
  /// Pets; the default emoji is 🐾.
  case pet = "Pet"
  /// The home; the default emoji is 🏠.
  case home = "Home"
  /// Anything else, and the default category; the default emoji is ✅.
  case others = "Others"

  /// The emoji for activities of a category that have none of their own.
  public static func defaultEmoji(of category: String) -> String {
    let known = allCases.first { foldedName($0.rawValue) == foldedName(category) }
    return switch known {
    case .hobby: "🎨"
    case .health: "💪"
    case .pet: "🐾"
    case .home: "🏠"
    case .others, nil: "✅"
    }
  }
}

/// A completion of an activity, on its entry's day.
public struct Completion: Sendable, Hashable {
  /// The sources that Leaflog itself writes. Others come from imports and are kept unchanged.
  public enum Source {
    /// Recorded at the time, by a command or by a program that does not say where.
    public static let command = "command"
    /// Recorded at the time, on a page.
    public static let app = "app"
    /// Recorded at the time, in the small view.
    public static let widget = "widget"
    /// Recorded afterwards, for several days at once.
    public static let bulk = "bulk"
  }

  /// The activity that was done.
  public let activity: ActivityReference
  /// Where it was recorded: one of `Source`, or what an imported file names.
  public let source: String

  /// - Parameter source: one of `Source`, or what an imported file names.
  public init(activity: ActivityReference, source: String) {
    self.activity = activity
    self.source = source
  }
}

/// The activity that a completion belongs to.
public struct ActivityReference: Sendable, Hashable {
  /// Stable for the activity's life.
  public let id: ActivityID
  /// The name of the activity when this was read.
  public let name: String
  /// The emoji of the activity, one grapheme.
  public let emoji: String

  /// Creates a reference; nothing is looked up.
  public init(id: ActivityID, name: String, emoji: String) {
    self.id = id
    self.name = name
    self.emoji = emoji
  }

  /// The text shown on the timeline and found by a search.
  package var words: String { "\(emoji) \(name)" }
}

extension String {
  /// Whether this is a single grapheme that is drawn as an emoji (Unicode Technical Standard 51):
  /// sequences of several scalars count as one.
  public var isOneEmoji: Bool {
    guard count == 1, let first = unicodeScalars.first, first.properties.isEmoji,
      unicodeScalars.allSatisfy(\.isOfEmoji)
    else { return false }
    // Digits, # and * are emoji only as keycaps, and a flag takes two indicators.
    if first.isASCII { return unicodeScalars.contains("\u{20E3}") }
    let indicators = unicodeScalars.filter { (0x1F1E6...0x1F1FF).contains($0.value) }
    return indicators.isEmpty || indicators.count == 2
  }
}

extension Unicode.Scalar {
  /// Whether it can occur in an emoji sequence. A grapheme may otherwise carry any number of accents.
  fileprivate var isOfEmoji: Bool {
    switch value {
    case 0x200D, 0xFE0F, 0x20E3, 0xE0020...0xE007F: true  // joiner, selector, keycap, tags
    default: properties.isEmoji
    }
  }
}
