package import DiaryModel
internal import Foundation
internal import GRDB

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
      notes: entry.notes, plantName: nil, placeholder: summary.placeholder,
      warnings: (row["warnings"] as String).split(separator: " ")
        .compactMap { ImportWarning(rawValue: String($0)) },
      renditions: try tables.renditions.all(ofPhoto: row["entryID"]))
    (photo.id, photo.tags, photo.isFavourite) = (id, entry.tags, summary.isFavourite)
    photo.pictureDigest = (row["pictureDigest"] as Data?).flatMap { BlobID(bytes: $0) }
    photo.foundTime = (row["foundTime"] as String?).flatMap { RecordedTime($0) }
    photo.sharpness = row["sharpness"]
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
      if exchanged.deletedAt == nil { row = try tables.plants.livingRow(row) }
      edit.plant = try .some(tables.plants.id(ofRow: row))
    }
    if exchanged.deletedAt != nil { edit.isDeleted = true }
    _ = try tables.entries.apply(edit, now: exchanged.deletedAt ?? now)
    return true
  }

  /// Replaces the exact bytes of a photo by those that it has in another catalog.
  func replaceFile(
    of id: EntryID, by photo: NewPhoto, now: Timestamp, confirm: (Rendition) throws -> Void
  ) throws {
    guard let row = try tables.entries.row(of: id) else { return }
    try photo.renditions.filter { $0.role != .master }.forEach(confirm)
    try replaceBytes(of: row, by: photo, now)
  }
}

extension PlantTable {
  func exchanged(_ id: PlantID) throws -> ExchangedPlant? {
    try Row.fetchOne(
      database, sql: "SELECT * FROM plant WHERE publicID = ?", arguments: [id.description]
    ).map(ExchangedPlant.init)
  }
}
