package import DiaryModel
internal import Foundation
internal import GRDB

/// The owner of `photo`: the columns that only photos have.
package struct PhotoTable: ContentTable {
  static let (kind, name) = (EntryKind.photo, "photo")
  let database: Database

  /// Empty: `EntryRow` joins what a page shows of a photo.
  func contents(of entries: RowList) throws -> [Int64: EntryContent] { [:] }

  /// Everything about the photo with this id or an unambiguous start of it, even in the trash.
  package func find(_ idOrPrefix: String) throws -> Photo {
    let entry = try tables.entries.find(idOrPrefix, of: .photo)
    let sql = "SELECT * FROM photo WHERE entryID = (SELECT id FROM entry WHERE publicID = ?)"
    guard let row = try Row.fetchOne(database, sql: sql, arguments: [entry.id.description]) else {
      throw CatalogError(.damaged, "The photo \(entry.id) is in the catalog only in part.")
    }
    return Photo(
      entry: entry, originalName: row["originalName"], sourceMediaType: row["sourceMediaType"],
      placeholder: Array(row["placeholder"] as Data),
      warnings: (row["warnings"] as String).split(separator: " ")
        .compactMap { ImportWarning(rawValue: String($0)) }
        .filter { $0.holds(for: entry.time.recorded, from: entry.photo?.captureSource) },
      renditions: try tables.renditions.all(ofPhoto: row["entryID"]),
      sourcePaths: try tables.sourceFiles.all(of: entry.id)
        .map { FileNameText.text(of: $0.path) })
  }

  /// The photo whose source, or one of whose full-size renditions, has this digest.
  package func known(withDigest digest: BlobID) throws -> KnownPhoto? {
    let bytes = Data(digest.bytes)
    return try known(
      """
      SELECT e.id, e.publicID, e.deletedAt FROM entry e WHERE e.id = coalesce(
        (SELECT p.entryID FROM photo p WHERE p.sourceDigest = ?),
        (SELECT r.photoID FROM blob b JOIN rendition r ON r.blobID = b.id
          WHERE b.digest = ? AND r.role <> 'thumbnail'))
      """, [bytes, bytes])
  }

  /// The photo whose source has this digest, even in the trash.
  func id(ofSource digest: BlobID) throws -> EntryID? {
    try String.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT e.publicID FROM photo p JOIN entry e ON e.id = p.entryID WHERE p.sourceDigest = ?
          """), arguments: [Data(digest.bytes)]
    ).map { EntryID(stored: $0) }
  }

  /// The photo that was imported from this file, if nothing about the file has changed since.
  package func known(of file: FileFingerprint) throws -> KnownPhoto? {
    let sql = """
      SELECT e.id, e.publicID, e.deletedAt, s.sidecars, s.pending
      FROM sourceFile s JOIN entry e ON e.id = s.photoID
      WHERE s.path = ? AND s.byteCount = ? AND s.modifiedAt = ? AND s.changedAt = ? AND s.inode = ?
      """
    let row = try Row.fetchOne(
      database.cachedStatement(sql: sql),
      arguments: [
        Data(file.path), file.byteCount, file.modifiedAt, file.changedAt,
        Int64(bitPattern: file.inode),
      ])
    return row.map { row in
      var photo = KnownPhoto(row)
      photo.sidecars = (row[3] as Data?).flatMap { BlobID(bytes: $0) }
      photo.pending = (row[4] as String?).flatMap(ImportWarning.init)
      return photo
    }
  }

  /// The compressed copy of a known photo; nil if there is none.
  package func copy(of photo: KnownPhoto) throws -> Rendition? {
    try tables.renditions.all(ofPhoto: photo.row).first { $0.role == .master }
  }

  private func known(_ sql: String, _ arguments: StatementArguments) throws -> KnownPhoto? {
    try Row.fetchOne(database.cachedStatement(sql: sql), arguments: arguments)
      .map(KnownPhoto.init)
  }

  /// The sharpness of a plant's photos that are not in the trash, as far as it was measured, and their thumbnails.
  package func sharpness(of plant: PlantID) throws -> [EntryID: (value: Double, thumbnail: BlobID)]
  {
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT e.publicID, p.sharpness, b.digest FROM entry e JOIN photo p ON p.entryID = e.id
        JOIN rendition r ON r.photoID = e.id AND r.role = 'thumbnail' JOIN blob b ON b.id = r.blobID
        WHERE e.plantID = (SELECT id FROM plant WHERE publicID = ?) AND e.deletedAt IS NULL
          AND e.kind = 'photo' AND p.sharpness IS NOT NULL
        """, arguments: [plant.description])
    var found: [EntryID: (value: Double, thumbnail: BlobID)] = [:]
    while let row = try rows.next() {
      guard let thumbnail = BlobID(bytes: Array(row[2] as Data)) else { continue }
      found[EntryID(stored: row[0])] = (row[1], thumbnail)
    }
    return found
  }

  /// Some of the photos, even in the trash, in the order in which they were added.
  ///
  /// - Parameters:
  ///   - plant: the plant whose photos; nil for all.
  ///   - row: the row after which to continue; 0 at first.
  package func all(
    of plant: PlantID?, after row: Int64, limit: Int
  ) throws -> [(row: Int64, id: EntryID)] {
    let ofPlant =
      plant == nil ? "" : "AND e.plantID = (SELECT id FROM plant WHERE publicID = :plant)"
    let rows = try Row.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT e.id, e.publicID FROM photo p JOIN entry e ON e.id = p.entryID
          WHERE p.entryID > :row \(ofPlant) ORDER BY p.entryID LIMIT :limit
          """),
      arguments: StatementArguments(["row": row, "limit": limit])
        + (plant.map { StatementArguments(["plant": $0.description]) } ?? StatementArguments()))
    return rows.map { ($0[0], EntryID(stored: $0[1])) }
  }

  /// The public ids of all photos, including those in the trash.
  package func ids() throws -> Set<String> {
    try String.fetchSet(database, sql: "SELECT publicID FROM entry WHERE kind = 'photo'")
  }

  /// Whether there is no photo, not even in the trash.
  package var isEmpty: Bool {
    get throws { try Int.fetchOne(database, sql: "SELECT 1 FROM photo LIMIT 1") == nil }
  }

  func setCaptureSource(_ source: String, of row: Int64) throws {
    try database.cachedStatement(sql: "UPDATE photo SET captureSource = ? WHERE entryID = ?")
      .execute(arguments: [source, row])
  }
}

extension KnownPhoto {
  /// From the columns `id`, `publicID` and `deletedAt` of `entry`.
  init(_ row: Row) {
    self.init(id: EntryID(stored: row[1]), isDeleted: (row[2] as Int64?) != nil, row: row[0])
  }
}
