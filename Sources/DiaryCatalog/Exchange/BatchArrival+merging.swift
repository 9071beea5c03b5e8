internal import DiaryModel

/// Entries that are both in a batch and in the library.
extension BatchArrival {
  /// The library's entry that conflicts with a draft: the one that takes its day, if there can be only one
  /// per day, or an identical one.
  ///
  /// - Throws: `CatalogError` with code `conflict` for a day that is taken when `merge` is nil.
  func twin(of draft: EntryDraft, plant: ExchangedPlantKey?) throws -> EntryID? {
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
      .first { try draft.saysTheSame(as: $0) }?.id
  }

  /// Keeps the library's entry, or replaces it with the draft. An entry that is in the trash on either side is
  /// kept as it is.
  mutating func settle(_ draft: EntryDraft, as twin: EntryID) throws {
    let kind = draft.content.kind
    let found = try tables.entries.find(twin.description, of: kind)
    guard merge == .replace, found.deletedAt == nil, draft.deletedAt == nil,
      try !draft.saysTheSame(as: found)
    else { return count(.entry(kind), isPresent: true) }
    try tables.entries.checkDay(draft.time.localDay, isFreeFor: kind, twin)
    var edit = EntryEdit(twin)
    edit.time = (draft.time, .manual)
    edit.notes = draft.notes?.tidied ?? ""
    edit.tags = { _ in draft.tags }
    edit.plant = .some(draft.plant)
    edit.content = { _ in draft.content }
    if try tables.entries.apply(edit, now: now) { touched.insert(twin) }
    counts.replaced[.entry(kind), default: 0] += 1
  }

  /// The imported episodes that overlap others.
  func overlaps(of entries: [ExchangedEntry]) throws -> [BatchCounts.Overlap] {
    let episodes = entries.indices.filter {
      entries[$0].content.kind == .episode && entries[$0].deletedAt == nil
    }
    guard !episodes.isEmpty else { return [] }
    let living = try tables.entries.all(of: .episode)
    let days = living.map(\.episodeDays)
    var later = Set(episodes.map { entries[$0].id })
    return episodes.compactMap { index in
      let id = entries[index].id
      later.remove(id)
      guard touched.contains(id), let place = living.firstIndex(where: { $0.id == id }),
        let span = days[place]
      else { return nil }
      let others = zip(living, days).filter { other, days in
        other.id != id && !later.contains(other.id) && days?.overlaps(span) == true
      }.map(\.0)
      return others.isEmpty ? nil : .init(place: .entry(index), others: others)
    }
  }
}

extension EntryDraft {
  /// Whether an entry has the same time, notes, tags, plant and content.
  fileprivate func saysTheSame(as entry: Entry) throws -> Bool {
    try time == entry.time && notes?.tidied == entry.notes && tags.checkedTags() == entry.tags
      && plant == entry.plant?.id && content.checked(day: time.localDay) == entry.content
  }
}
