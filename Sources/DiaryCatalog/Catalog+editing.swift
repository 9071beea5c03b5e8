package import DiaryModel
internal import GRDB

extension Catalog {
  /// The entries of a selection, oldest first where they are not named one by one.
  package func entries(_ selection: PhotoSelection) throws -> [Entry] {
    switch selection {
    case .photos(let ids):
      return try read { database in
        try ids.map { id in
          let found = try database.entries(
            EntrySelection.sql + " WHERE e.publicID = ?", [id.description])
          guard let entry = found.first else {
            throw CatalogError(.notFound, "No photo has the id “\(id)”.")
          }
          return entry
        }
      }
    case .matching(var query):
      query.order = .oldestFirst
      query.kinds = [.photo]
      return try page(query, at: .start, limit: Int(Int32.max)).elements
    }
  }

  /// Changes entries in one transaction that can be taken back.
  ///
  /// - Returns: those that were not so already, in the order given, as they are now.
  ///
  /// - Parameter check: looks at the catalog in the same transaction, before anything is written.
  package func apply(
    _ edits: [EntryEdit], as kind: ChangeKind, now: Timestamp,
    check: (CatalogReader) throws -> Void = { _ in }
  ) throws -> [Entry] {
    try change(kind, now: now) { database, now in
      try check(CatalogReader(database: database))
      var changed: [EntryID] = []
      for edit in edits where try Self.apply(edit, now, database) { changed.append(edit.id) }
      // Read in the end: the day of a plant's record depends on its other entries.
      return try changed.flatMap {
        try database.entries(EntrySelection.sql + " WHERE e.publicID = ?", [$0.description])
      }
    }
  }

  static func apply(
    _ edit: EntryEdit, _ now: Timestamp, _ database: Database
  ) throws -> Bool {
    let find = try database.cachedStatement(
      sql: "SELECT e.*, p.captureSource FROM entry e LEFT JOIN photo p ON p.entryID = e.id "
        + "WHERE e.publicID = ?")
    guard let row = try Row.fetchOne(find, arguments: [edit.id.description]) else {
      throw CatalogError(.notFound, "No entry has the id “\(edit.id)”.")
    }
    let id: Int64 = row["id"]
    let kind: EntryKind = try database.known(row["kind"])
    let before = EntryState(row)
    var after = before
    try after.change(edit, now, database)
    precondition(kind == .photo || edit.isFavourite == nil, "only photos are marked")
    // An episode's end has to fit a new first day, too.
    let isJudged = edit.content != nil || (kind == .episode && edit.time != nil)
    let former = isJudged ? try database.content(of: kind, id) : nil
    let content = try former.map { former in
      try (edit.content?(former) ?? former).checked(day: database.day(after.localDay))
    }
    precondition(content.map { $0.kind == kind } ?? true, "an entry stays of its kind")
    let isContentNew = content != former
    guard after != before || isContentNew else { return false }
    if kind == .completion, before.deletedAt != nil, after.deletedAt == nil {
      try restoreActivity(ofCompletion: id, database)
    }
    try database.cachedStatement(
      sql: """
        UPDATE entry SET occurredAt = ?, utcOffset = ?, timeBasis = ?, localDay = ?, plantID = ?,
          notes = ?, isFavourite = ?, deletedAt = ? WHERE id = ?
        """
    ).execute(arguments: [
      after.occurredAt, after.utcOffset, after.timeBasis, after.localDay, after.plant, after.notes,
      after.isFavourite, after.deletedAt, id,
    ])
    if after.tags != before.tags { try database.setTags(after.tags, of: id) }
    if let content, isContentNew {
      try database.store(content, id, now: now)
      try database.setWords(content.searchWords, of: id)
    }
    if after.captureSource != before.captureSource {
      try database.cachedStatement(sql: "UPDATE photo SET captureSource = ? WHERE entryID = ?")
        .execute(arguments: [after.captureSource, id])
    }
    return true
  }

  /// What of an entry's row an edit can change.
  private struct EntryState: Equatable {
    var occurredAt: Int64
    var utcOffset: Int
    var timeBasis: String
    var localDay: String
    var plant: Int64?
    var notes: String?
    var tags: [String]
    var isFavourite: Bool
    var deletedAt: Int64?
    var captureSource: String?

    init(_ row: Row) {
      occurredAt = row["occurredAt"]
      utcOffset = row["utcOffset"]
      timeBasis = row["timeBasis"]
      localDay = row["localDay"]
      plant = row["plantID"]
      notes = row["notes"]
      tags = (row["tags"] as String?).map(TagText.tags) ?? []
      isFavourite = row["isFavourite"]
      deletedAt = row["deletedAt"]
      captureSource = row["captureSource"]
    }

    mutating func change(
      _ edit: EntryEdit, _ now: Timestamp, _ database: Database
    ) throws {
      if let (time, source) = edit.time {
        occurredAt = time.instant.milliseconds
        utcOffset = time.offset.seconds
        timeBasis = time.basis.rawValue
        localDay = time.localDay.description
        if captureSource != nil { captureSource = source.rawValue }
      }
      if let text = edit.notes { notes = text.isEmpty ? nil : text }
      if let change = edit.tags { tags = try change(tags).checkedTags() }
      isFavourite = edit.isFavourite ?? isFavourite
      if let id = edit.plant { plant = try id.map { try Catalog.row(of: $0, database) } }
      switch edit.isDeleted {
      case true? where deletedAt == nil: deletedAt = now.milliseconds
      case false? where deletedAt != nil:
        deletedAt = nil
        plant = try plant.map {
          try Catalog.livePlant($0, database)
        }
      default: break
      }
    }
  }

  /// The plant that an entry from the trash comes back to: its own, which comes back with it, or the
  /// one that has the same name by now.
  static func livePlant(_ row: Int64, _ database: Database) throws -> Int64 {
    let find = try database.cachedStatement(
      sql: "SELECT foldedName FROM plant WHERE id = ? AND deletedAt IS NOT NULL")
    guard let name = try String.fetchOne(find, arguments: [row]) else { return row }
    let namesake = try Int64.fetchOne(
      database, sql: "SELECT id FROM plant WHERE foldedName = ? AND deletedAt IS NULL",
      arguments: [name])
    if let namesake { return namesake }
    try database.execute(
      sql: "UPDATE plant SET deletedAt = NULL WHERE id = ?", arguments: [row])
    return row
  }

  static func row(of plant: PlantID, _ database: Database) throws -> Int64 {
    let find = try database.cachedStatement(sql: "SELECT id FROM plant WHERE publicID = ?")
    guard let row = try Int64.fetchOne(find, arguments: [plant.description]) else {
      throw CatalogError(.notFound, "No plant has the id “\(plant)”.")
    }
    return row
  }
}
