package import DiaryModel

extension DiaryBatch {
  /// Adds the batch to a catalog, all or nothing. Unless `merge` is `replace`, existing rows with the same id stay
  /// as they are.
  ///
  /// - Parameters:
  ///   - merge: how to treat days that are taken; nil makes them a conflict.
  ///   - isDryRun: rolls everything back at the end.
  ///   - today: the current day; entries in the future are rejected. Nil takes those as well.
  /// - Throws: `BatchBlocker` for an error caused by one item of the batch.
  package func add(
    to catalog: Catalog, merge: DiaryMerge? = nil, isDryRun: Bool, today: LocalDay?, now: Timestamp
  ) throws -> BatchCounts {
    struct DryRun: Error { let counts: BatchCounts }
    do {
      return try catalog.change(.importDiary, now: now) { tables, now in
        var arrival = BatchArrival(tables: tables, now: now, merge: merge, today: today)
        let counts = try arrival.run(self)
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
  let tables: CatalogTables
  /// The moment of the change.
  let now: Timestamp
  let merge: DiaryMerge?
  /// The current day, after which entries are rejected; nil if entries in the future are taken.
  let today: LocalDay?
  var counts = BatchCounts()
  /// Entries that were added or replaced.
  var touched: Set<EntryID> = []
  /// The rows of the batch's plants and activities, by their ids in the batch.
  private(set) var plants: [PlantID: Int64] = [:]
  private var activities: [ActivityID: Int64] = [:]
  /// The activities that are not in the batch's trash.
  private var undeletedActivities: Set<ActivityID> = []
  /// The names of the batch's factors in the library, by their folded names in the batch.
  private var factors: [String: String] = [:]

  init(tables: CatalogTables, now: Timestamp, merge: DiaryMerge?, today: LocalDay?) {
    (self.tables, self.now) = (tables, now)
    (self.merge, self.today) = (merge, today)
  }

  mutating func run(_ batch: DiaryBatch) throws -> BatchCounts {
    for (index, plant) in batch.plants.enumerated() {
      try at(.plant(index)) { _ = try $0.add(plant) }
    }
    let ranked = try tables.activities.nextRank(orInTrash: true)
    for (index, activity) in batch.activities.enumerated() {
      try at(.activity(index)) { _ = try $0.add(activity, after: ranked) }
    }
    for (index, quote) in batch.quotes.enumerated() {
      try at(.quote(index)) { try $0.add(quote) }
    }
    let rankedFactors = try tables.factors.nextRank(orInTrash: true)
    for (index, factor) in batch.factors.enumerated() {
      try at(.factor(index)) { try $0.add(factor, after: rankedFactors) }
    }
    for (key, value) in batch.settings { try add(key, value) }
    for (index, entry) in batch.entries.enumerated() {
      try at(.entry(index)) { try $0.add(entry) }
    }
    counts.overlaps = try overlaps(of: batch.entries)
    return counts
  }

  /// Adds the place in the batch to an error of the catalog, unless the task is cancelled.
  private mutating func at<Value>(
    _ place: BatchPlace, _ body: (inout BatchArrival) throws -> Value
  ) throws -> Value {
    try Task.checkCancellation()
    do { return try Catalog.translating { try body(&self) } } catch let error as CatalogError {
      throw BatchBlocker(place: place, error: error)
    }
  }

  mutating func count(_ part: BatchCounts.Part, isPresent: Bool = false) {
    if isPresent {
      counts.present[part, default: 0] += 1
    } else {
      counts.added[part, default: 0] += 1
    }
  }

  mutating func add(_ plant: ExchangedPlant) throws -> Int64 {
    let (row, isNew) = try tables.plants.rowOrNew(plant, now: now)
    count(.plant, isPresent: !isNew)
    plants[plant.id] = row
    return row
  }

  /// The row of the plant that something belongs to. If that is not in the trash, the plant cannot be
  /// either: it is restored.
  private mutating func row(of key: ExchangedPlantKey, isUndeleted: Bool) throws -> Int64 {
    let found: Int64
    switch key {
    case .id(let id): found = try plants[id] ?? tables.plants.row(of: id)
    case .named(let name):
      found =
        try tables.plants.row(named: name.tidied ?? name)
        ?? add(ExchangedPlant(id: .random(), details: PlantDetails(name: name)))
    }
    return isUndeleted ? try tables.plants.undeletedRow(found) : found
  }

  mutating func add(_ activity: ExchangedActivity, after ranked: Int) throws -> Int64 {
    let row = try rowOrNew(activity, after: ranked)
    activities[activity.id] = row
    return row
  }

  private mutating func rowOrNew(_ activity: ExchangedActivity, after ranked: Int) throws -> Int64 {
    let details = try activity.details.checked()
    let known =
      try tables.activities.rowIfAny(of: activity.id)
      ?? (activity.deletedAt == nil ? tables.activities.row(named: details.name) : nil)
    count(.activity, isPresent: known != nil)
    if activity.deletedAt == nil { undeletedActivities.insert(activity.id) }
    if let known { return known }
    let plant = try activity.plant.map {
      try row(of: $0, isUndeleted: activity.deletedAt == nil)
    }
    return try tables.activities.insert(
      details, id: activity.id, plantRow: plant, rank: ranked + activity.rank,
      deletedAt: activity.deletedAt, now: activity.createdAt ?? now)
  }

  mutating func add(_ exchanged: ExchangedQuote) throws {
    let known = try tables.quotes.row(of: exchanged.quote.id)
    count(.quote, isPresent: known != nil)
    let stored =
      try known ?? tables.quotes.rowOrNew(exchanged.quote, now: exchanged.createdAt ?? now)
    for day in exchanged.days { try tables.quotes.keep(stored, for: day) }
    if known == nil, let deletedAt = exchanged.deletedAt, exchanged.quote.origin == .own {
      try tables.quotes.setDeleted(exchanged.quote.id, at: deletedAt)
    }
  }

  private mutating func add(_ factor: ExchangedFactor, after ranked: Int) throws {
    let details = try factor.details.checked(over: factor.details)
    let all = try tables.factors.all()
    let known =
      all.first { $0.id == factor.id }
      ?? all.first { foldedName($0.name) == foldedName(details.name) }
    count(.factor, isPresent: known != nil)
    if let known, known.details.kind != details.kind {
      throw CatalogError(
        .conflict,
        "The factor “\(known.name)” is a \(known.details.kind.rawValue) here, not a "
          + "\(details.kind.rawValue). Rename one of the two.")
    }
    if known == nil {
      try tables.factors.insert(
        details, id: factor.id, rank: ranked + factor.rank, now: factor.createdAt ?? now)
    }
    factors[foldedName(details.name)] = known?.name ?? details.name
  }

  private mutating func add(_ key: SettingKey, _ value: String) throws {
    let known = try tables.settings[key]
    count(.setting, isPresent: known != nil)
    if known == nil { try tables.settings.set(key, value) }
  }

  mutating func add(_ entry: ExchangedEntry) throws {
    let kind = entry.content.kind
    let known = try tables.entries.kind(of: entry.id)
    if let known {
      guard known == kind else {
        throw CatalogError(
          .conflict,
          "The library has a \(known.rawValue) with this id, and this is a \(kind.rawValue).")
      }
      guard merge == .replace else { return count(.entry(kind), isPresent: true) }
    }
    try checkDays(of: entry)
    var draft = EntryDraft(
      id: entry.id, time: entry.time, notes: entry.notes, tags: entry.tags, content: entry.content,
      deletedAt: entry.deletedAt)
    if case .completion(let completion) = entry.content {
      draft.content = .completion(try resolved(completion))
    }
    if case .dailyLog(var log) = entry.content {
      log.factors = log.factors.renamed { [factors] in factors[foldedName($0)] ?? $0 }
      draft.content = try tables.checked(.dailyLog(log), day: entry.time.localDay)
    }
    if case .quote(let quote) = entry.content,
      try tables.quotes.row(of: quote.id) == nil
    {
      try add(ExchangedQuote(quote: quote))
    }
    let duplicate = try known == nil ? duplicate(of: draft, plant: entry.plant) : entry.id
    if let duplicate, merge == .skip { return try settle(draft, as: duplicate) }
    if let key = entry.plant {
      let plant = try row(of: key, isUndeleted: entry.deletedAt == nil)
      draft.plant = try tables.plants.id(ofRow: plant)
    }
    if let duplicate { return try settle(draft, as: duplicate) }
    let made = try tables.entries.insert(draft, now: now)
    if case .completion(let completion) = entry.content, entry.deletedAt == nil,
      undeletedActivities.contains(completion.activity.id)
    {
      try tables.completions.restoreActivity(ofEntry: made)
    }
    touched.insert(entry.id)
    count(.entry(kind))
  }

  /// Rejects entries that are not of the years 1 to 9999 in the library's zone, and those in the future. A day, or a time
  /// without an offset, may be ahead of the library's zone: it was recorded further east.
  private func checkDays(of entry: ExchangedEntry) throws {
    var last = entry.time.localDay
    // Other years cannot be written as a day. A moment early in year 1 is in year 0 west of Greenwich.
    guard last.civil.year >= 1 else {
      throw CatalogError(.invalid, "It is before the year 1 here.")
    }
    guard last.civil.year <= 9999 else {
      throw CatalogError(.invalid, "It is after the year 9999 here.")
    }
    guard let today else { return }
    if case .episode(let episode) = entry.content { last = max(last, episode.endDay ?? last) }
    let present = now.advanced(byMilliseconds: 60_000)
    let isLater =
      switch entry.time.basis {
      case .zoned, .instant: entry.time.instant > present
      case .wall: entry.time.wall.timestamp(offset: .easternmost) > present
      case .day: false
      }
    let easternDay = EntryTime.wall(at: now, offset: .easternmost).day
    if last > max(easternDay, today.advanced(by: 1)) || isLater {
      throw CatalogError(.invalid, "\(last) is in the future.")
    }
  }

  private func resolved(_ completion: Completion) throws -> Completion {
    let wanted = completion.activity
    let found =
      try activities[wanted.id] ?? tables.activities.rowIfAny(of: wanted.id)
      ?? tables.activities.row(named: wanted.name.tidied ?? "")
    guard let found else {
      let name = wanted.name.isEmpty ? "with the id \(wanted.id)" : "called “\(wanted.name)”"
      throw CatalogError(.notFound, "There is no activity \(name).")
    }
    return Completion(
      activity: try tables.activities.reference(found), source: completion.source)
  }
}

/// Entries that are both in a batch and in the library.
extension BatchArrival {
  /// The library's entry that conflicts with a draft: the one that takes its day, if there can be only one
  /// per day, or an identical one.
  ///
  /// - Throws: `CatalogError` with code `conflict` for a day that is taken when `merge` is nil.
  func duplicate(of draft: EntryDraft, plant: ExchangedPlantKey?) throws -> EntryID? {
    guard draft.deletedAt == nil else { return nil }
    let day = draft.time.localDay
    if case .completion(let completion) = draft.content {
      let holder = try tables.completions.entry(of: completion.activity.id, on: day)
      if holder != nil, merge == nil {
        throw CatalogError(
          .conflict, "“\(completion.activity.name)” was done on \(day) already.")
      }
      return holder
    }
    let kind = draft.content.kind
    if kind.isOnceADay {
      let holder = try tables.entries.onlyEntry(of: day, kind)
      if holder != nil, merge == nil {
        throw CatalogError(
          .conflict, "\(day) has a \(kind.words) already; there is one a day.")
      }
      return holder
    }
    return merge == nil ? nil : try identical(to: draft, plant: plant)
  }

  private func identical(to draft: EntryDraft, plant: ExchangedPlantKey?) throws -> EntryID? {
    let known: Int64? =
      switch plant {
      case .id(let id): try plants[id] ?? tables.plants.rowIfAny(of: id)
      case .named(let name): try tables.plants.row(named: name.tidied ?? name)
      case nil: nil
      }
    // A plant that does not exist yet has no entries.
    if plant != nil, known == nil { return nil }
    var draft = draft
    draft.plant = try known.flatMap { try tables.plants.id(ofRow: $0) }
    let day = draft.time.localDay
    return try tables.entries.all(of: draft.content.kind, from: day, to: day)
      .first { try draft.isEquivalent(to: $0) }?.id
  }

  /// Keeps the library's entry, or replaces it with the draft. An entry that is in the trash on either side is
  /// kept as it is.
  mutating func settle(_ draft: EntryDraft, as duplicate: EntryID) throws {
    let kind = draft.content.kind
    let found = try tables.entries.find(duplicate.description, of: kind)
    guard merge == .replace, found.deletedAt == nil, draft.deletedAt == nil,
      try !draft.isEquivalent(to: found)
    else { return count(.entry(kind), isPresent: true) }
    try tables.entries.checkDay(draft.time.localDay, isFreeFor: kind, duplicate)
    var edit = EntryEdit(duplicate)
    edit.time = (draft.time, .manual)
    edit.notes = draft.notes?.tidied ?? ""
    edit.tags = { _ in draft.tags }
    edit.plant = .some(draft.plant)
    edit.content = { _ in draft.content }
    if try tables.entries.apply(edit, now: now) { touched.insert(duplicate) }
    counts.replaced[.entry(kind), default: 0] += 1
  }

  /// The imported episodes that overlap others.
  func overlaps(of entries: [ExchangedEntry]) throws -> [BatchCounts.Overlap] {
    let episodes = entries.indices.filter {
      entries[$0].content.kind == .episode && entries[$0].deletedAt == nil
    }
    guard !episodes.isEmpty else { return [] }
    let undeleted = try tables.entries.all(of: .episode)
    let days = undeleted.map(\.episodeDays)
    var later = Set(episodes.map { entries[$0].id })
    return episodes.compactMap { index in
      let id = entries[index].id
      later.remove(id)
      guard touched.contains(id), let place = undeleted.firstIndex(where: { $0.id == id }),
        let span = days[place]
      else { return nil }
      let others = zip(undeleted, days).filter { other, days in
        other.id != id && !later.contains(other.id) && days?.overlaps(span) == true
      }.map(\.0)
      return others.isEmpty ? nil : .init(place: .entry(index), others: others)
    }
  }
}

extension EntryDraft {
  /// Whether an entry has the same time, notes, tags, plant and content.
  fileprivate func isEquivalent(to entry: Entry) throws -> Bool {
    try time == entry.time && notes?.tidied == entry.notes && tags.checkedTags() == entry.tags
      && plant == entry.plant?.id && content.checked(day: time.localDay) == entry.content
  }
}
