package import DiaryModel

/// A diary without its photos, in transfer from one library to another.
package struct DiaryBatch: Sendable {
  package var plants: [ExchangedPlant] = []
  package var activities: [ExchangedActivity] = []
  package var quotes: [ExchangedQuote] = []
  package var factors: [ExchangedFactor] = []
  /// The settings that are transferred between libraries.
  package var settings: [SettingKey: String] = [:]
  package var entries: [ExchangedEntry] = []

  package static let settingKeys: [SettingKey] = [
    .quoteSource, .reminder, .reminderNames, .reminderParts, .reminderTime, .reportName,
    .severityScales,
  ]

  package init() {}
}

/// A plant in a batch.
package struct ExchangedPlant: Sendable, Equatable {
  package var id: PlantID
  package var details: PlantDetails
  /// When it was added; nil means now.
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

/// A reference to a plant: by its id in the batch or the library, or by its name. A name without a plant
/// creates one.
package enum ExchangedPlantKey: Sendable, Hashable {
  case id(PlantID)
  case named(String)
}

/// An activity in a batch.
package struct ExchangedActivity: Sendable, Equatable {
  package var id: ActivityID
  package var details: ActivityDetails
  package var plant: ExchangedPlantKey?
  /// Its rank among the batch's activities, which follow those of the library.
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

/// A quote in a batch.
package struct ExchangedQuote: Sendable, Equatable {
  package var quote: Quote
  package var createdAt: Timestamp?
  package var deletedAt: Timestamp?
  /// The days for which a service returned it as the day's quote.
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

/// A factor in a batch.
package struct ExchangedFactor: Sendable, Equatable {
  package var id: FactorID
  package var details: FactorDetails
  /// Its rank among the batch's factors, which follow those of the library.
  package var rank: Int
  package var createdAt: Timestamp?

  package init(
    id: FactorID, details: FactorDetails, rank: Int = 0, createdAt: Timestamp? = nil
  ) {
    self.id = id
    self.details = details
    self.rank = rank
    self.createdAt = createdAt
  }

  package init(_ factor: Factor) {
    self.init(
      id: factor.id, details: factor.details, rank: factor.rank, createdAt: factor.createdAt)
  }
}

/// An entry in a batch. A completion's activity is found by its id, in the batch or in the library, or by
/// its name in the library. The factors of a log are found by their names.
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

/// The place of an item in a batch.
package enum BatchPlace: Sendable, Hashable {
  case plant(Int), activity(Int), quote(Int), factor(Int), entry(Int)
}

/// The reason why a batch cannot be imported.
package struct BatchBlocker: Error {
  package let place: BatchPlace
  package let error: CatalogError
}

/// The outcome of importing a batch.
package struct BatchCounts: Sendable, Hashable {
  /// How many items of each kind were added.
  package var added: [Part: Int] = [:]
  /// How many items of each kind the library already had, by id or name; they stay as they are.
  package var present: [Part: Int] = [:]
  /// How many entries of each kind were replaced with the batch's.
  package var replaced: [Part: Int] = [:]
  /// Imported episodes that overlap others.
  package var overlaps: [Overlap] = []

  package struct Overlap: Sendable, Hashable {
    /// The episode's place in the batch.
    package let place: BatchPlace
    /// The episodes that it overlaps, of the library and of the batch before it.
    package let others: [Entry]
  }

  package enum Part: Sendable, Hashable {
    case plant, activity, quote, factor, setting
    case entry(EntryKind)
  }
}
