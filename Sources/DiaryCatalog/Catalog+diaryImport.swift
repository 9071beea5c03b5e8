package import DiaryModel
internal import GRDB

extension Catalog {
  /// Brings a batch in, all of it or nothing. What has the same id in the library stays as it is.
  ///
  /// - Parameters:
  ///   - merge: what becomes of days that are taken; nil is a conflict.
  ///   - isDryRun: takes everything back at the end.
  ///   - today: the last day that an entry may have.
  /// - Throws: `BatchObstacle` for what one thing of the batch is the reason of.
  package func bringIn(
    _ batch: DiaryBatch, merge: DiaryMerge? = nil, isDryRun: Bool, today: LocalDay, now: Timestamp
  ) throws -> BatchCounts {
    struct DryRun: Error { let counts: BatchCounts }
    do {
      return try change(.importDiary, now: now) { database, now in
        var arrival = BatchArrival(
          database: database, now: now, merge: merge, today: today)
        let counts = try arrival.run(batch)
        if isDryRun { throw DryRun(counts: counts) }
        return counts
      }
    } catch let dryRun as DryRun {
      return dryRun.counts
    }
  }
}

/// A batch on its way into the catalog, within one transaction.
struct BatchArrival {
  let database: Database
  /// The moment of the change.
  let now: Timestamp
  let merge: DiaryMerge?
  let today: LocalDay
  var counts = BatchCounts()
  /// Entries that were made or replaced.
  var touched: Set<EntryID> = []
  /// The rows of the batch's plants and activities, by the ids they have in it.
  private(set) var plants: [PlantID: Int64] = [:]
  private var activities: [ActivityID: Int64] = [:]
  /// Those of them that are not in the trash of the batch.
  private var livingActivities: Set<ActivityID> = []

  init(database: Database, now: Timestamp, merge: DiaryMerge?, today: LocalDay) {
    (self.database, self.now) = (database, now)
    (self.merge, self.today) = (merge, today)
  }

  mutating func run(_ batch: DiaryBatch) throws -> BatchCounts {
    for (index, plant) in batch.plants.enumerated() {
      plants[plant.id] = try at(.plant(index)) { try $0.add(plant) }
    }
    let ranked =
      try Int.fetchOne(database, sql: "SELECT coalesce(max(rank) + 1, 0) FROM activity") ?? 0
    for (index, activity) in batch.activities.enumerated() {
      activities[activity.id] = try at(.activity(index)) { try $0.add(activity, after: ranked) }
    }
    for (index, quote) in batch.quotes.enumerated() {
      try at(.quote(index)) { try $0.add(quote) }
    }
    for (key, value) in batch.settings { try add(key, value) }
    for (index, entry) in batch.entries.enumerated() {
      try at(.entry(index)) { try $0.add(entry) }
    }
    counts.overlaps = try overlaps(of: batch.entries)
    return counts
  }

  /// Says of what the catalog refuses where it stands in the batch.
  private mutating func at<Value>(
    _ place: BatchPlace, _ body: (inout BatchArrival) throws -> Value
  ) throws -> Value {
    do { return try Catalog.translating { try body(&self) } } catch let error as CatalogError {
      throw BatchObstacle(place: place, error: error)
    }
  }

  mutating func count(_ part: BatchCounts.Part, isPresent: Bool = false) {
    if isPresent {
      counts.present[part, default: 0] += 1
    } else {
      counts.added[part, default: 0] += 1
    }
  }

  func row(_ sql: String, _ argument: String) throws -> Int64? {
    try Int64.fetchOne(database.cachedStatement(sql: sql), arguments: [argument])
  }

  private mutating func add(_ plant: ExchangedPlant) throws -> Int64 {
    let details = try plant.details.checked()
    let known =
      try row("SELECT id FROM plant WHERE publicID = ?", plant.id.description)
      ?? (plant.deletedAt == nil ? living(plantNamed: details.name) : nil)
    count(.plant, isPresent: known != nil)
    if let known { return known }
    try database.execute(
      sql: """
        INSERT INTO plant (publicID, name, foldedName, scientificName, location, notes, createdAt,
          deletedAt)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        plant.id.description, details.name, foldedName(details.name), details.scientificName,
        details.location, details.notes, (plant.createdAt ?? now).milliseconds,
        plant.deletedAt?.milliseconds,
      ])
    return database.lastInsertedRowID
  }

  func living(plantNamed name: String) throws -> Int64? {
    try row(
      "SELECT id FROM plant WHERE foldedName = ? AND deletedAt IS NULL",
      foldedName(name.tidied ?? name))
  }

  /// The plant that something belongs to. What is not in the trash cannot belong to a plant that is:
  /// such a plant comes back.
  private mutating func row(of key: ExchangedPlantKey, isLiving: Bool) throws -> Int64 {
    let found: Int64
    switch key {
    case .id(let id): found = try plants[id] ?? Catalog.row(of: id, database)
    case .named(let name):
      found =
        try living(plantNamed: name)
        ?? add(ExchangedPlant(id: .random(), details: PlantDetails(name: name)))
    }
    return isLiving ? try Catalog.livePlant(found, database) : found
  }

  private mutating func add(_ activity: ExchangedActivity, after ranked: Int) throws -> Int64 {
    let details = try activity.details.checked()
    let folded = foldedName(details.name)
    let known =
      try row("SELECT id FROM activity WHERE publicID = ?", activity.id.description)
      ?? (activity.deletedAt == nil ? living(activityNamed: folded) : nil)
    count(.activity, isPresent: known != nil)
    if activity.deletedAt == nil { livingActivities.insert(activity.id) }
    if let known { return known }
    let plant = try activity.plant.map {
      try row(of: $0, isLiving: activity.deletedAt == nil)
    }
    return try Catalog.insert(
      details, id: activity.id, plantRow: plant, rank: ranked + activity.rank,
      createdAt: activity.createdAt, deletedAt: activity.deletedAt, now, database)
  }

  private func living(activityNamed folded: String) throws -> Int64? {
    try row("SELECT id FROM activity WHERE foldedName = ? AND deletedAt IS NULL", folded)
  }

  private mutating func add(_ exchanged: ExchangedQuote) throws {
    let quote = exchanged.quote
    let known = try row("SELECT id FROM quote WHERE publicID = ?", quote.id.description)
    count(.quote, isPresent: known != nil)
    let stored = try known ?? database.quoteRow(quote, now: exchanged.createdAt ?? now)
    for day in exchanged.days.map(\.description) {
      guard try row("SELECT 1 FROM dayQuote WHERE day = ?", day) == nil else { continue }
      try database.execute(
        sql: "INSERT INTO dayQuote (day, quoteID) VALUES (?, ?)", arguments: [day, stored])
    }
  }

  private mutating func add(_ key: SettingKey, _ value: String) throws {
    let known = try row("SELECT 1 FROM setting WHERE key = ?", key.rawValue)
    count(.setting, isPresent: known != nil)
    guard known == nil else { return }
    try database.execute(
      sql: "INSERT INTO setting (key, value) VALUES (?, ?)", arguments: [key.rawValue, value])
  }

  private mutating func add(_ entry: ExchangedEntry) throws {
    let kind = entry.content.kind
    let known = try String.fetchOne(
      database.cachedStatement(sql: "SELECT kind FROM entry WHERE publicID = ?"),
      arguments: [entry.id.description])
    if let known {
      guard known == kind.rawValue else {
        throw CatalogError(
          .conflict, "The library has a \(known) with this id, and this is a \(kind.rawValue).")
      }
      guard merge == .replace else { return count(.entry(kind), isPresent: true) }
    }
    try checkPast(entry)
    var draft = EntryDraft(
      id: entry.id, time: entry.time, notes: entry.notes, tags: entry.tags, content: entry.content,
      deletedAt: entry.deletedAt)
    if case .completion(let completion) = entry.content {
      draft.content = .completion(try resolved(completion))
    }
    if case .quote(let quote) = entry.content,
      try row("SELECT id FROM quote WHERE publicID = ?", quote.id.description) == nil
    {
      try add(ExchangedQuote(quote: quote))
    }
    let twin = try known == nil ? twin(of: draft, plant: entry.plant) : entry.id
    if let twin, merge == .skip { return try settle(draft, as: twin) }
    if let key = entry.plant {
      let plant = try row(of: key, isLiving: entry.deletedAt == nil)
      draft.plant = try String.fetchOne(
        database.cachedStatement(sql: "SELECT publicID FROM plant WHERE id = ?"),
        arguments: [plant]
      ).map { PlantID(stored: $0) }
    }
    if let twin { return try settle(draft, as: twin) }
    let made = try Catalog.insert(draft, now, database)
    if case .completion(let completion) = entry.content, entry.deletedAt == nil,
      livingActivities.contains(completion.activity.id)
    {
      try Catalog.restoreActivity(ofCompletion: made, database)
    }
    touched.insert(entry.id)
    count(.entry(kind))
  }

  /// Nothing of a diary is still to come, or older than the calendar.
  private func checkPast(_ entry: ExchangedEntry) throws {
    var last = entry.time.localDay
    // A moment early in year 1 is in year 0 west of Greenwich, and no day is written so.
    guard last.civil.year >= 1 else {
      throw CatalogError(.invalid, "It is before the year 1 here.")
    }
    if case .episode(let episode) = entry.content { last = max(last, episode.endDay ?? last) }
    let isLater =
      entry.time.basis != .day
      && entry.time.instant > now.advanced(byMilliseconds: 60_000)
    if last > today.advanced(by: 1) || (entry.time.basis == .day && last > today) || isLater {
      throw CatalogError(.invalid, "\(last) is in the future.")
    }
  }

  private func resolved(_ completion: Completion) throws -> Completion {
    let wanted = completion.activity
    let found =
      try activities[wanted.id]
      ?? row("SELECT id FROM activity WHERE publicID = ?", wanted.id.description)
      ?? living(activityNamed: foldedName(wanted.name.tidied ?? ""))
    guard let found,
      let row = try Row.fetchOne(
        database.cachedStatement(sql: "SELECT publicID, name, emoji FROM activity WHERE id = ?"),
        arguments: [found])
    else {
      let name = wanted.name.isEmpty ? "with the id \(wanted.id)" : "called “\(wanted.name)”"
      throw CatalogError(.notFound, "There is no activity \(name).")
    }
    return Completion(
      activity: ActivityReference(
        id: ActivityID(stored: row["publicID"]), name: row["name"], emoji: row["emoji"]),
      source: completion.source)
  }
}
