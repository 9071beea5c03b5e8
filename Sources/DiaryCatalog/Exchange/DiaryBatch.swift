package import DiaryModel

/// The parts of a diary besides its photos, on the way from one library into another.
package struct DiaryBatch: Sendable {
  package var plants: [ExchangedPlant] = []
  package var activities: [ExchangedActivity] = []
  package var quotes: [ExchangedQuote] = []
  /// Those that go from one library to another.
  package var settings: [SettingKey: String] = [:]
  package var entries: [ExchangedEntry] = []

  package static let settingKeys: [SettingKey] = [
    .quoteSource, .reminder, .reminderParts, .reminderTime, .reportName, .severityScales,
  ]

  package init() {}
}

/// A plant as a batch has it.
package struct ExchangedPlant: Sendable, Equatable {
  package var id: PlantID
  package var details: PlantDetails
  /// When it was written down; now, unless given.
  package var createdAt: Timestamp?
  package var deletedAt: Timestamp?

  package init(
    id: PlantID, details: PlantDetails, createdAt: Timestamp? = nil, deletedAt: Timestamp? = nil
  ) {
    self.id = id
    self.details = details
    self.createdAt = createdAt
    self.deletedAt = deletedAt
  }
}

/// Which plant is meant: the batch's or the library's with an id, or that of a name, which is made
/// when there is none.
package enum ExchangedPlantKey: Sendable, Hashable {
  case id(PlantID)
  case named(String)
}

/// An activity as a batch has it.
package struct ExchangedActivity: Sendable, Equatable {
  package var id: ActivityID
  package var details: ActivityDetails
  package var plant: ExchangedPlantKey?
  /// Its place among those of the batch; they come behind those that the library has.
  package var rank: Int
  package var createdAt: Timestamp?
  package var deletedAt: Timestamp?

  package init(
    id: ActivityID, details: ActivityDetails, plant: ExchangedPlantKey? = nil, rank: Int,
    createdAt: Timestamp? = nil, deletedAt: Timestamp? = nil
  ) {
    self.id = id
    self.details = details
    self.plant = plant
    self.rank = rank
    self.createdAt = createdAt
    self.deletedAt = deletedAt
  }
}

/// A quote as a batch has it.
package struct ExchangedQuote: Sendable, Equatable {
  package var quote: Quote
  package var createdAt: Timestamp?
  package var deletedAt: Timestamp?
  /// The days whose quote it was, of those on which a service was asked for one.
  package var days: [LocalDay]

  package init(
    quote: Quote, createdAt: Timestamp? = nil, deletedAt: Timestamp? = nil, days: [LocalDay] = []
  ) {
    self.quote = quote
    self.createdAt = createdAt
    self.deletedAt = deletedAt
    self.days = days
  }
}

/// An entry as a batch has it. A completion's activity is found by its id, in the batch or in the
/// library, or by its name in the library.
package struct ExchangedEntry: Sendable {
  package var id: EntryID
  package var time: EntryTime
  package var notes: String?
  package var tags: [String]
  package var plant: ExchangedPlantKey?
  package var content: EntryContent
  package var deletedAt: Timestamp?

  package init(
    id: EntryID, time: EntryTime, notes: String? = nil, tags: [String] = [],
    plant: ExchangedPlantKey? = nil, content: EntryContent, deletedAt: Timestamp? = nil
  ) {
    self.id = id
    self.time = time
    self.notes = notes
    self.tags = tags
    self.plant = plant
    self.content = content
    self.deletedAt = deletedAt
  }
}

/// A thing of a batch, by its place in it.
package enum BatchPlace: Sendable, Hashable {
  case plant(Int), activity(Int), quote(Int), entry(Int)
}

/// Why a batch cannot come in.
package struct BatchObstacle: Error {
  package let place: BatchPlace
  package let error: CatalogError
}

/// The outcome of importing a batch.
package struct BatchCounts: Sendable, Hashable {
  /// How many things of each kind were added.
  package var added: [Part: Int] = [:]
  /// How many things of each kind the library has already, by id or name; they stay as they are.
  package var present: [Part: Int] = [:]
  /// Entries that the batch's replaced.
  package var replaced: [Part: Int] = [:]
  /// Episodes that came in and share days with others.
  package var overlaps: [Overlap] = []

  package struct Overlap: Sendable, Hashable {
    /// The episode's place in the batch.
    package let place: BatchPlace
    /// Those of the library, and those of the batch that come before it.
    package let others: [Entry]
  }

  package enum Part: Sendable, Hashable {
    case plant, activity, quote, setting
    case entry(EntryKind)
  }
}
