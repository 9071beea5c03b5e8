internal import DiaryModel
internal import Foundation
internal import GRDB

/// Entries: by their ids, and those that only one copy has by their files, their days or their quotes.
extension SideMerge {
  mutating func mergeEntries() throws {
    let (zone, dayEnd) = (try tables.settings.zone, try tables.settings.dayEnd)
    let differences = sides.differences
    try mergeSenders()
    // Deletions first, as they free days.
    for id in differences.removed { try remove(id) }
    for isDeletion in [true, false] {
      for id in differences.changed {
        guard let theirs = try other.entries.all([id]).first,
          (theirs.deletedAt != nil) == isDeletion
        else { continue }
        try mergeChanged(theirs.moved(to: zone, dayEnd: dayEnd))
      }
    }
    for id in differences.added {
      guard let theirs = try other.entries.all([id]).first else { continue }
      try mergeAdded(theirs.moved(to: zone, dayEnd: dayEnd))
    }
  }

  /// An entry that the other copy has removed permanently.
  private mutating func remove(_ id: EntryID) throws {
    guard let former = try common?.entries.all([id]).first,
      let own = try tables.entries.all([id]).first, own.deletedAt == nil,
      try successor(of: former) == nil
    else { return }
    try delete(own, since: former, theirs: nil)
  }

  private mutating func mergeChanged(_ theirs: Entry) throws {
    let own = try tables.entries.all([theirs.id]).first
    guard let common else {
      if let own { differ(theirs, own) }
      return
    }
    guard let former = try common.entries.all([theirs.id]).first else { return }
    if theirs.deletedAt != nil, former.deletedAt == nil {
      guard let own, own.deletedAt == nil, try successor(of: former) == nil else { return }
      return try delete(own, since: former, theirs: theirs)
    }
    var present = own
    if own?.deletedAt != nil, theirs.deletedAt == nil {
      present = try counterpart(of: theirs) ?? own
    }
    if let present { return try merge(theirs, over: present, since: former) }
    guard theirs.deletedAt == nil else { return }
    // It was permanently removed here.
    try add(theirs, deletedAt: now)
    conflict(.deletedHere, theirs)
  }

  private mutating func mergeAdded(_ theirs: Entry) throws {
    let own = try tables.entries.all([theirs.id]).first ?? counterpart(of: theirs)
    guard let own else { return try add(theirs, deletedAt: deletionTime(theirs.deletedAt)) }
    guard own.kind == theirs.kind else { return conflict(.taken, theirs) }
    guard let common else { return differ(theirs, own) }
    var former = try counterpart(of: theirs, in: common)
    // Unless that is something else by now.
    if let id = former?.id, let moved = try other.entries.all([id]).first, moved.deletedAt == nil {
      former = nil
    }
    try merge(theirs, over: own, since: former)
  }

  private mutating func add(_ theirs: Entry, deletedAt: Timestamp?) throws {
    let version = EntryVersion(theirs, ids)
    let isUndeleted = deletedAt == nil
    if theirs.kind == .photo {
      guard !sides.unavailable.contains(theirs.id) else { return }
      _ = try plant(version.plant, isUndeleted: isUndeleted)
      outcome.missing.append(.init(id: theirs.id, deletedAt: deletedAt))
      return outcome.count(.photo, .added)
    }
    if case .completion(let completion) = version.content {
      try haveActivity(completion.activity, isUndeleted: isUndeleted)
    }
    let plant = try plant(version.plant, isUndeleted: isUndeleted)
    try ensureFactors(of: version, since: nil)
    try arrival.add(
      ExchangedEntry(
        id: theirs.id, time: theirs.time, notes: theirs.notes, tags: theirs.tags,
        plant: plant.map { .id($0) }, content: version.content, deletedAt: deletedAt))
    count(theirs.kind.thing, .added)
  }
}

/// Finding the same entry under another id.
extension SideMerge {
  /// The entry of this copy that is the same as one of the other copy: of the same file, of the same day, or with the
  /// same quote.
  private func counterpart(of theirs: Entry) throws -> Entry? {
    try tables.entries.entry(like: theirs, EntryVersion(theirs, ids).content)
  }

  private func counterpart(of theirs: Entry, in tables: CatalogTables) throws -> Entry? {
    try tables.entries.entry(like: theirs, theirs.content)
  }

  /// The entry of the other copy that takes the place of one that it deleted: the new one of its day.
  private func successor(of former: Entry) throws -> Entry? {
    guard former.kind != .photo, let found = try other.entries.entry(like: former, former.content),
      try common?.entries.row(of: found.id) == nil
    else { return nil }
    return found
  }
}

extension EntryTable {
  /// The entry of the same file, or the one on the timeline of the same day, activity or quote.
  ///
  /// - Parameter content: the content of `entry`, with the ids of this catalog.
  fileprivate func entry(like entry: Entry, _ content: EntryContent) throws -> Entry? {
    let day = entry.time.localDay
    let id: EntryID?
    switch content {
    case .photo(let photo): id = try tables.photos.id(ofSource: photo.sourceDigest)
    case .completion(let completion):
      id =
        try entry.deletedAt == nil
        ? tables.completions.entry(of: completion.activity.id, on: day) : nil
    case .quote(let quote):
      id =
        try entry.deletedAt == nil
        ? tables.favourites.entries(of: quote.id).first { $0.deletedAt == nil }?.id : nil
    default:
      let isOnly = content.kind.isOnceADay && entry.deletedAt == nil
      id = try isOnly ? onlyEntry(of: day, content.kind) : nil
    }
    return try id.flatMap { try all([$0]).first }
  }
}

/// Merging one entry.
extension SideMerge {
  private mutating func merge(_ theirs: Entry, over own: Entry, since former: Entry?) throws {
    let version = EntryVersion(theirs, ids)
    let present = EntryVersion(own)
    let before = former.map { EntryVersion($0, formerIDs) }
    try ensureFactors(of: version, since: before)
    var isRestored = before?.isDeleted == true && !version.isDeleted && present.isDeleted
    var merged = MergedFields(
      EntryVersion.fields(of: [version, present, before]), of: version, over: present,
      since: before)
    try checkPlace(of: &merged, own, present, isUndeleted: !present.isDeleted || isRestored)
    if isRestored, try isTaken(merged.whole, besides: own.id) {
      isRestored = false
      conflict(.taken, own)
    }
    let notes = MergedNotes(
      of: version.notes, over: present.notes, since: before.map(\.notes),
      keeping: merged.conflicts.map { ($0.field, $0.theirs) })
    let tags = MergedTags(of: version.tags, over: present.tags, since: before?.tags ?? [])
    let hasFile = try mergeFile(theirs, version, over: own, since: before)
    if notes.isConflict {
      merged.conflicts.append(
        .init(field: "notes", theirs: version.notes, present: present.notes))
    }
    for found in merged.conflicts { conflict(.bothChanged, own, found) }
    let hasNews = merged.hasNews || notes.hasNews || tags.tags != present.tags || hasFile
    if present.isDeleted, !isRestored, !version.isDeleted, hasNews || former == nil {
      conflict(.deletedHere, own)
    }
    let isChanged = try apply(
      merged.whole, notes.text, tags.tags, of: theirs.id, to: own, restores: isRestored)
    if isRestored, isChanged {
      count(own.kind.thing, .added)
    } else if isChanged || hasFile {
      count(own.kind.thing, .changed)
    }
  }

  /// Makes an entry what it has been merged to.
  ///
  /// - Returns: whether anything changed.
  private mutating func apply(
    _ version: EntryVersion, _ notes: String?, _ tags: [String], of theirs: EntryID?, to own: Entry,
    restores: Bool
  ) throws -> Bool {
    let present = EntryVersion(own)
    var edit = EntryEdit(own.id, isDeleted: restores ? false : nil)
    if version.time != present.time || version.timeSource != present.timeSource {
      edit.time = (version.time, version.timeSource ?? .manual)
      if own.kind == .photo, let theirs {
        // The warnings about a date belong to it.
        let warnings = try other.photos.warnings(of: theirs)
        try tables.photos.setDateWarnings(warnings, of: own.id)
        edit.isHourRepeated = warnings.contains(.repeatedHour)
      }
    }
    if version.isFavourite != present.isFavourite { edit.isFavourite = version.isFavourite }
    if notes != present.notes { edit.notes = notes ?? "" }
    if tags != present.tags { edit.tags = { _ in tags } }
    let isUndeleted = restores || !present.isDeleted
    if restores, case .completion(let completion) = present.content {
      try haveActivity(completion.activity, isUndeleted: true)
    }
    if version.plant?.id != present.plant?.id || restores && version.plant != nil {
      edit.plant = .some(try plant(version.plant, isUndeleted: isUndeleted))
    }
    if version.content != present.content, own.kind != .photo, own.kind != .quote,
      own.kind != .completion
    {
      edit.content = { _ in version.content }
    }
    return try tables.entries.apply(edit, now: now)
  }

  /// Takes a day back that is taken here, or that does not fit the content.
  private mutating func checkPlace(
    of merged: inout MergedFields<EntryVersion>, _ own: Entry, _ present: EntryVersion,
    isUndeleted: Bool
  ) throws {
    let isTaken = try isUndeleted && isTaken(merged.whole, besides: own.id)
    let isInvalid = !merged.whole.isValid
    guard isTaken || isInvalid else { return }
    let fields =
      isInvalid ? EntryVersion.fields(of: [merged.whole, present]) : [EntryVersion.time]
    for field in fields where !field.isEqual(merged.whole, present) {
      merged.conflicts.append(.init(field, of: merged.whole, over: present))
      field.copy(present, &merged.whole)
    }
  }

  /// Whether another entry has the day of one that there can be only one of a day.
  private func isTaken(_ version: EntryVersion, besides own: EntryID) throws -> Bool {
    let day = version.time.localDay
    let holder: EntryID?
    if case .completion(let completion) = version.content {
      holder = try tables.completions.entry(of: completion.activity.id, on: day)
    } else {
      let kind = version.content.kind
      holder = kind.isOnceADay ? try tables.entries.onlyEntry(of: day, kind) : nil
    }
    return holder != nil && holder != own
  }

  /// Moves an entry to the trash that was deleted there, unless it was changed here.
  ///
  /// - Parameter theirs: the entry in their trash; nil if it is gone.
  private mutating func delete(_ own: Entry, since former: Entry, theirs: Entry?) throws {
    let (before, present) = (EntryVersion(former, formerIDs), EntryVersion(own))
    let last = theirs.map { EntryVersion($0, ids) } ?? before
    try ensureFactors(of: last, since: before)
    let merged = MergedFields(
      EntryVersion.fields(of: [last, present, before]), of: last, over: present, since: before)
    var notes = MergedNotes(
      of: last.notes, over: present.notes, since: .some(before.notes),
      keeping: merged.conflicts.map { ($0.field, $0.theirs) })
    let tags = MergedTags(of: last.tags, over: present.tags, since: before.tags)
    let isChanged =
      merged.hasOwnChanges || notes.hasOwnChanges || tags.hasOwnChanges
      || present.file != before.file && present.file != last.file
    for found in merged.conflicts { conflict(.bothChanged, own, found) }
    if isChanged {
      conflict(.deletedThere, own)
      notes.addDeletion()
    }
    var isEdited = try apply(
      merged.whole, notes.text, tags.tags, of: theirs?.id, to: own, restores: false)
    if !isChanged {
      let time = deletionTime(theirs?.deletedAt) ?? now
      isEdited = try tables.entries.apply(EntryEdit(own.id, isDeleted: true), now: time)
    }
    if isEdited { count(own.kind.thing, isChanged ? .changed : .deleted) }
  }

  /// Replaces a photo's file that was replaced there. If both copies have replaced it, the other copy's photo goes to the
  /// trash as another photo.
  ///
  /// - Returns: whether it was replaced.
  private mutating func mergeFile(
    _ theirs: Entry, _ version: EntryVersion, over own: Entry, since former: EntryVersion?
  ) throws -> Bool {
    guard let file = version.file, let present = own.photo?.sourceDigest, file != present,
      file != former?.file
    else { return false }
    guard try tables.photos.id(ofSource: file) == nil, !sides.unavailable.contains(theirs.id) else {
      return false
    }
    if present == former?.file {
      guard let photo = try other.photos.exchanged(theirs.id)?.photo else { return false }
      try tables.photos.replaceFile(of: own.id, by: photo, now: now, confirm: confirm)
      outcome.replaced.append(theirs.id)
      return true
    }
    outcome.missing.append(.init(id: theirs.id, deletedAt: now))
    outcome.count(.photo, .added)
    outcome.conflicts.append(
      SideConflict(
        .bothChanged, .photo, id: own.id.description, name: own.title, field: "file",
        theirs: file.hex, present: present.hex))
    return false
  }

  /// Notes which photos came here by a token that may only send, and to the other copy from elsewhere, too.
  private func mergeSenders() throws {
    for (row, source) in try tables.sentPhotos.sentOnly() {
      guard let id = try other.photos.id(ofSource: source),
        let theirs = try other.entries.row(of: id)
      else { continue }
      try tables.sentPhotos.noteAgain(row, by: other.sentPhotos.sender(ofPhoto: theirs))
    }
  }

  private mutating func conflict(
    _ reason: SideConflict.Reason, _ entry: Entry,
    _ field: MergedFields<EntryVersion>.Conflict? = nil
  ) {
    outcome.conflicts.append(
      SideConflict(
        reason, entry.kind.thing, id: entry.id.description, name: entry.title,
        field: field?.field, theirs: field?.theirs, present: field?.present))
  }

  /// Lists the differences of an entry, of which it is not known who made them.
  private mutating func differ(_ theirs: Entry, _ own: Entry) {
    let (version, present) = (EntryVersion(theirs, ids), EntryVersion(own))
    let fields =
      EntryVersion.fields(of: [version, present]) + [
        MergeField(
          name: "notes", isEqual: { $0.notes == $1.notes }, copy: { _, _ in },
          text: { $0.notes }),
        MergeField(
          name: "tags", isEqual: { $0.tags == $1.tags }, copy: { _, _ in },
          text: { $0.tags.isEmpty ? nil : $0.tags.joined(separator: ", ") }),
        MergeField(
          name: "deleted", isEqual: { $0.isDeleted == $1.isDeleted }, copy: { _, _ in },
          text: { $0.isDeleted ? "yes" : "no" }),
        MergeField(
          name: "file", isEqual: { $0.file == $1.file }, copy: { _, _ in },
          text: { $0.file?.hex }),
      ]
    for found in MergeField.differences(fields, of: version, over: present) {
      conflict(.differs, own, found)
    }
  }
}

/// The tags of an entry, with those that the other side has added and without those that it has removed.
private struct MergedTags {
  let tags: [String]
  /// Whether this side has changes that the other side lacks.
  let hasOwnChanges: Bool

  init(of other: [String], over own: [String], since base: [String]) {
    let (theirs, present, former) = (Self.folded(other), Self.folded(own), Self.folded(base))
    let removed = former.subtracting(theirs)
    tags =
      own.filter { !removed.contains(foldedName($0)) }
      + other.filter {
        !former.contains(foldedName($0)) && !present.contains(foldedName($0))
      }
    hasOwnChanges = present != former && present != theirs
  }

  private static func folded(_ tags: [String]) -> Set<String> { Set(tags.map(foldedName)) }
}

extension Entry {
  /// The entry in a library of another time zone.
  fileprivate func moved(to zone: TimeZone, dayEnd: Int) -> Entry {
    Entry(
      id: id, time: time.moved(to: zone, dayEnd: dayEnd), notes: notes, tags: tags, plant: plant,
      plantDay: plantDay, content: content, deletedAt: deletedAt, sequence: sequence)
  }
}
