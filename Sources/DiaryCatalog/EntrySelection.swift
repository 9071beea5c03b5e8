internal import DiaryModel
internal import GRDB

/// The SQL of reading entries, and what its columns mean.
package enum EntrySelection {
  /// Everything that an entry in a listing shows. The columns are read by their position, which is
  /// several times faster than by name.
  package static let sql = """
    SELECT e.publicID, e.kind, e.seq, e.occurredAt, e.utcOffset, e.timeBasis, e.notes, e.deletedAt,
      p.publicID, p.name, e.plantID,
      ph.width, ph.height, ph.captureSource, ph.sourceDigest, ph.sourceByteCount,
      (SELECT sum(b.byteCount) FROM rendition r JOIN blob b ON b.id = r.blobID
        WHERE r.photoID = e.id)
    FROM entry e
    LEFT JOIN plant p ON p.id = e.plantID
    LEFT JOIN photo ph ON ph.entryID = e.id
    """

  /// A row of the query, with the plant's row for what a page has to look up beside.
  struct Found {
    let entry: Entry
    let plantRow: Int64?
  }

  static func found(_ row: Row, plantDay: Int? = nil) throws -> Found {
    let id: String = row[0]
    guard let kind = EntryKind(rawValue: row[1]), let offset = UTCOffset(seconds: row[4]),
      let basis = EntryTime.Basis(rawValue: row[5])
    else { throw CatalogError(.damaged, "The entry \(id) in the catalog makes no sense.") }
    let plantID: String? = row[8]
    let entry = Entry(
      id: EntryID(stored: id), kind: kind,
      time: EntryTime(instant: Timestamp(milliseconds: row[3]), offset: offset, basis: basis),
      notes: row[6],
      plant: plantID.map { PlantReference(id: PlantID(stored: $0), name: row[9]) },
      plantDay: plantDay, photo: try photo(row, id),
      deletedAt: (row[7] as Int64?).map(Timestamp.init(milliseconds:)), sequence: row[2])
    return Found(entry: entry, plantRow: row[10])
  }

  private static func photo(_ row: Row, _ id: String) throws -> PhotoSummary? {
    guard let width: Int = row[11] else { return nil }
    guard let source = CaptureSource(rawValue: row[13]),
      let digest = try row.withUnsafeData(atIndex: 14, { $0.flatMap { BlobID(bytes: $0) } })
    else { throw CatalogError(.damaged, "The photo \(id) in the catalog makes no sense.") }
    return PhotoSummary(
      size: PixelSize(width: width, height: row[12]), captureSource: source, sourceDigest: digest,
      sourceByteCount: row[15], storedByteCount: row[16] ?? 0)
  }
}
