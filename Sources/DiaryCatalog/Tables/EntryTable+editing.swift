package import DiaryModel
internal import GRDB

extension EntryTable {
  /// Applies edits, which may be made while they are applied.
  ///
  /// - Returns: the entries that changed, in the order given, as they are now.
  package func apply(_ edits: some Sequence<EntryEdit>, now: Timestamp) throws -> [Entry] {
    let changed = try edits.filter { try apply($0, now: now) }.map(\.id)
    // Read at the end: the day of a plant's record depends on its other entries.
    return try all(changed)
  }

  /// - Returns: whether anything changed.
  func apply(_ edit: EntryEdit, now: Timestamp) throws -> Bool {
    let find = try database.cachedStatement(
      sql: "SELECT e.*, p.captureSource FROM entry e LEFT JOIN photo p ON p.entryID = e.id "
        + "WHERE e.publicID = ?")
    guard let row = try Row.fetchOne(find, arguments: [edit.id.description]) else {
      throw CatalogError(.notFound, "No entry has the id “\(edit.id)”.")
    }
    let id: Int64 = row["id"]
    let kind = try EntryKind(stored: row["kind"])
    precondition(kind == .photo || edit.isFavourite == nil, "only photos are marked")
    let before = EntryState(row)
    let after = try before.changed(by: edit, now: now, tables.plants)
    let content = try newContent(of: kind, id, edit, day: LocalDay(stored: after.localDay))
    let isWarned =
      kind == .photo && edit.time != nil
      ? try tables.photos.setRepeatedHour(edit.isHourRepeated, of: id) : false
    guard after != before || content != nil || isWarned else { return false }
    if kind == .completion, before.deletedAt != nil, after.deletedAt == nil {
      try tables.completions.restoreActivity(ofEntry: id)
    }
    try set(after, id)
    if after.tags != before.tags { try tables.tags.set(after.tags, of: id) }
    if let content {
      try tables.setContent(content, ofEntry: id, now: now)
      try setWords(content.searchWords, of: id)
    }
    if let source = after.captureSource, source != before.captureSource {
      try tables.photos.setCaptureSource(source, of: id)
    }
    return true
  }

  /// The new content of an edit, validated; nil if the edit leaves the content as it is.
  private func newContent(
    of kind: EntryKind, _ row: Int64, _ edit: EntryEdit, day: LocalDay
  ) throws -> EntryContent? {
    // An episode's end has to fit a new first day as well.
    guard edit.content != nil || (kind == .episode && edit.time != nil) else { return nil }
    let former = try tables.content(of: kind, row)
    let content = try tables.checked(edit.content?(former) ?? former, day: day)
    precondition(content.kind == kind, "an entry stays of its kind")
    return content == former ? nil : content
  }

  private func set(_ state: EntryState, _ row: Int64) throws {
    try database.cachedStatement(
      sql: """
        UPDATE entry SET occurredAt = ?, utcOffset = ?, timeBasis = ?, datePrecision = ?, localDay = ?,
          plantID = ?, notes = ?, isFavourite = ?, deletedAt = ? WHERE id = ?
        """
    ).execute(arguments: [
      state.occurredAt, state.utcOffset, state.timeBasis, state.datePrecision, state.localDay,
      state.plant, state.notes, state.isFavourite, state.deletedAt, row,
    ])
  }

  /// Sets the text that searches match, besides notes and tags.
  private func setWords(_ words: String?, of row: Int64) throws {
    try database.cachedStatement(sql: "UPDATE entry SET words = ? WHERE id = ?")
      .execute(arguments: [words, row])
  }
}

/// The columns of an entry's row that an edit can change.
private struct EntryState: Equatable {
  var occurredAt: Int64
  var utcOffset: Int
  var timeBasis: String
  var datePrecision: String?
  var localDay: String
  var plant: Int64?
  var notes: String?
  var tags: [String]
  var isFavourite: Bool
  var deletedAt: Int64?
  /// Nil unless the entry is a photo.
  var captureSource: String?

  init(_ row: Row) {
    occurredAt = row["occurredAt"]
    utcOffset = row["utcOffset"]
    timeBasis = row["timeBasis"]
    datePrecision = row["datePrecision"]
    localDay = row["localDay"]
    plant = row["plantID"]
    notes = row["notes"]
    tags = (row["tags"] as String?).map(TagText.tags) ?? []
    isFavourite = row["isFavourite"]
    deletedAt = row["deletedAt"]
    captureSource = row["captureSource"]
  }

  func changed(by edit: EntryEdit, now: Timestamp, _ plants: PlantTable) throws -> EntryState {
    var state = self
    if let (time, source) = edit.time {
      state.occurredAt = time.place.moment.milliseconds
      state.utcOffset = time.offset.seconds
      state.timeBasis = time.basis.rawValue
      state.datePrecision = time.precision?.rawValue
      state.localDay = time.localDay.description
      if captureSource != nil { state.captureSource = source.rawValue }
    }
    if let text = edit.notes { state.notes = text.isEmpty ? nil : text }
    if let change = edit.tags { state.tags = try change(tags).checkedTags() }
    state.isFavourite = edit.isFavourite ?? isFavourite
    if let id = edit.plant { state.plant = try id.map { try plants.row(of: $0) } }
    switch edit.isDeleted {
    case true? where deletedAt == nil: state.deletedAt = now.milliseconds
    case false? where deletedAt != nil:
      state.deletedAt = nil
      state.plant = try state.plant.map { try plants.undeletedRow($0) }
    default: break
    }
    return state
  }
}
