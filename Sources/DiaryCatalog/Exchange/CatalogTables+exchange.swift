package import DiaryModel
internal import Foundation
internal import GRDB

// The rows that an export reads, in an order that depends on their content and not on their ids.

extension PlantTable {
  /// All plants, but of those in the trash only the ones that the diary refers to.
  ///
  /// - Parameter all: whether to include the others as well.
  package func exchanged(all: Bool = false) throws -> [ExchangedPlant] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT * FROM plant WHERE deletedAt IS NULL OR \(all ? "TRUE" : "FALSE")
          OR id IN (SELECT plantID FROM entry WHERE plantID IS NOT NULL AND kind <> 'photo')
          OR id IN (SELECT plantID FROM activity WHERE plantID IS NOT NULL)
        ORDER BY foldedName, publicID
        """
    ).map { try ExchangedPlant($0, aliases: aliases(of: $0["id"])) }
  }
}

extension ExchangedPlant {
  fileprivate init(_ row: Row, aliases: [String]) throws {
    self.init(
      id: PlantID(stored: row["publicID"]), details: try PlantDetails(row, aliases: aliases),
      createdAt: Timestamp(stored: row["createdAt"]),
      deletedAt: Timestamp(stored: row["deletedAt"]))
  }
}

extension ActivityTable {
  /// All activities with the names of their plants.
  package func exchanged() throws -> [(activity: ExchangedActivity, plantName: String?)] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT a.*, p.publicID AS plantPublicID, p.name AS plantName
        FROM activity a LEFT JOIN plant p ON p.id = a.plantID
        ORDER BY a.rank, a.createdAt, a.publicID
        """
    ).map { row in
      let activity = ExchangedActivity(
        id: ActivityID(stored: row["publicID"]), details: try ActivityDetails(row),
        plant: (row["plantPublicID"] as String?).map { .id(PlantID(stored: $0)) },
        rank: row["rank"], createdAt: Timestamp(stored: row["createdAt"]),
        deletedAt: Timestamp(stored: row["deletedAt"]))
      return (activity, row["plantName"])
    }
  }
}

extension QuoteTable {
  /// The stored quotes: written by the user, fetched, or favourites.
  package func exchanged() throws -> [ExchangedQuote] {
    let days = try days()
    return try Row.fetchAll(database, sql: "SELECT * FROM quote ORDER BY createdAt, publicID")
      .map { row in
        ExchangedQuote(
          quote: try Quote(stored: row), createdAt: Timestamp(stored: row["createdAt"]),
          deletedAt: Timestamp(stored: row["deletedAt"]), days: days[row["id"]] ?? [])
      }
  }
}

extension SettingTable {
  /// The settings that are transferred between libraries.
  package func exchanged() throws -> [SettingKey: String] {
    try DiaryBatch.settingKeys.reduce(into: [:]) { $0[$1] = try self[$1] }
  }
}

extension EntryTable {
  /// Reads entries one by one, oldest first.
  ///
  /// - Parameters:
  ///   - kind: the kind, without entries in the trash; nil means all kinds but photos, including those in the trash.
  ///   - plant: the plant; nil reads those of all plants and of none.
  ///   - first: the first day to include; nil starts at the beginning.
  ///   - last: the last day to include; nil continues to the end.
  package func forEach(
    of kind: EntryKind? = nil, _ plant: PlantID? = nil, from first: LocalDay? = nil,
    to last: LocalDay? = nil, _ body: (Entry) throws -> Void
  ) throws {
    var (condition, arguments): (String, StatementArguments) = ("e.kind <> 'photo'", [])
    if let kind {
      (condition, arguments) = ("e.kind = ? AND e.deletedAt IS NULL", [kind.rawValue])
    }
    if let plant {
      condition += " AND e.plantID = (SELECT id FROM plant WHERE publicID = ?)"
      arguments += [plant.description]
    }
    for (day, sign) in [(first, ">="), (last, "<=")] {
      guard let day else { continue }
      condition += " AND e.localDay \(sign) ?"
      arguments += [day.description]
    }
    let rows = try EntryRow?.fetchCursor(
      database,
      sql: EntrySelection.sql + " WHERE \(condition) ORDER BY \(EntrySelection.oldestFirst)",
      arguments: arguments)
    var batch: [EntryRow] = []
    while let row = try rows.next() {
      guard let row else { throw EntryRow.unknown }
      batch.append(row)
      if batch.count == 500 {
        try entries(batch).forEach(body)
        batch.removeAll()
      }
    }
    try entries(batch).forEach(body)
  }
}

/// A photo of one catalog, in transfer to another.
package struct ExchangedPhoto: Sendable {
  /// Everything but its plant.
  package var photo: NewPhoto
  package var plant: ExchangedPlant?
  /// When it was deleted; nil if it is not in the trash.
  package var deletedAt: Timestamp?
}

extension PhotoTable {
  /// A photo with everything that another catalog takes over; nil if there is no such photo.
  package func exchanged(_ id: EntryID) throws -> ExchangedPhoto? {
    guard let entry = try tables.entries.all([id]).first, let summary = entry.photo else {
      return nil
    }
    let found = try Row.fetchOne(
      database,
      sql: "SELECT * FROM photo WHERE entryID = (SELECT id FROM entry WHERE publicID = ?)",
      arguments: [id.description])
    guard let row = found else { return nil }
    var photo = NewPhoto(
      sourceDigest: summary.sourceDigest, sourceByteCount: summary.sourceByteCount,
      sourceMediaType: row["sourceMediaType"], originalName: row["originalName"],
      size: summary.size, time: entry.time, captureSource: summary.captureSource,
      notes: entry.notes, plant: nil, placeholder: summary.placeholder,
      warnings: (row["warnings"] as String).split(separator: " ")
        .compactMap { ImportWarning(rawValue: String($0)) },
      renditions: try tables.renditions.all(ofPhoto: row["entryID"]))
    (photo.id, photo.tags, photo.isFavourite) = (id, entry.tags, summary.isFavourite)
    photo.pictureDigest = (row["pictureDigest"] as Data?).flatMap { BlobID(bytes: $0) }
    photo.foundTime = (row["foundTime"] as String?).flatMap { RecordedTime($0) }
    photo.sharpness = row["sharpness"]
    photo.sender = try tables.sentPhotos.sender(ofPhoto: row["entryID"])
    return ExchangedPhoto(
      photo: photo,
      plant: try entry.plant.flatMap { try tables.plants.exchanged($0.id) },
      deletedAt: entry.deletedAt)
  }

  /// Adds a photo of another catalog, with its plant. Its times have to be placed in this catalog's zone.
  ///
  /// - Parameters:
  ///   - now: the moment of the change.
  ///   - confirm: called for each rendition; throws when its blob is not in the store.
  /// - Returns: false when there is a photo of the same file.
  package func add(
    _ exchanged: ExchangedPhoto, now: Timestamp, confirm: (Rendition) throws -> Void
  ) throws -> Bool {
    guard try id(ofSource: exchanged.photo.sourceDigest) == nil else { return false }
    try exchanged.photo.renditions.forEach(confirm)
    let (id, _) = try insert(exchanged.photo, now)
    var edit = EntryEdit(id)
    if let plant = exchanged.plant {
      var row = try tables.plants.rowOrNew(plant, now: now).row
      if exchanged.deletedAt == nil { row = try tables.plants.undeletedRow(row) }
      edit.plant = try .some(tables.plants.id(ofRow: row))
    }
    if exchanged.deletedAt != nil { edit.isDeleted = true }
    _ = try tables.entries.apply(edit, now: exchanged.deletedAt ?? now)
    return true
  }

  /// Replaces what is kept of a photo's bytes by what another catalog has of it.
  func replaceFile(
    of id: EntryID, by photo: NewPhoto, now: Timestamp, confirm: (Rendition) throws -> Void
  ) throws {
    guard let row = try tables.entries.row(of: id) else { return }
    try photo.renditions.forEach(confirm)
    // The date stays, and the warnings about it with it.
    var photo = photo
    photo.warnings =
      (photo.warnings.filter { !$0.isAboutDate }
      + (try warnings(of: row)).filter(\.isAboutDate)).sorted()
    try replaceBytes(of: row, by: photo, now)
  }
}

extension PlantTable {
  func exchanged(_ id: PlantID) throws -> ExchangedPlant? {
    try Row.fetchOne(
      database, sql: "SELECT * FROM plant WHERE publicID = ?", arguments: [id.description]
    ).map { try ExchangedPlant($0, aliases: aliases(of: $0["id"])) }
  }
}
