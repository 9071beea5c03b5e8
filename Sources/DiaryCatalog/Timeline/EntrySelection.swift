internal import DiaryModel
internal import GRDB
internal import GRDBSQLite

/// The SQL for reading entries, and the meaning of its columns.
package enum EntrySelection {
  /// Selects everything that an entry in a listing shows.
  package static let sql = columns + " FROM entry e " + joins

  /// The order of the timeline.
  static let oldestFirst = "e.localDay, e.occurredAt, e.seq"
  static let newestFirst = "e.localDay DESC, e.occurredAt DESC, e.seq DESC"

  static let columns = """
    SELECT e.publicID, e.kind, e.seq, e.occurredAt, e.utcOffset, e.timeBasis, e.notes, e.deletedAt,
      p.publicID, p.name,
      \(PlantAge.firstDay(of: "e.plantID", isThere: "IS NULL")),
      ph.width, ph.height, ph.captureSource, ph.sourceDigest, ph.sourceByteCount,
      (SELECT sum(b.byteCount) FROM blob b
        WHERE b.id IN (SELECT r.blobID FROM rendition r WHERE r.photoID = e.id)), e.id, e.tags, e.isFavourite, ph.placeholder,
      (SELECT b.digest FROM rendition r JOIN blob b ON b.id = r.blobID
        WHERE r.photoID = e.id AND r.role = 'thumbnail'),
      e.localDay, e.datePrecision, ph.originalName
    """

  static let joins = """
    LEFT JOIN plant p ON p.id = e.plantID
    LEFT JOIN photo ph ON ph.entryID = e.id
    """
}

/// The age of plants, which begins with the first photo.
enum PlantAge {
  /// The SQL of the day of a plant's first photo. A photo that may be by a clock that was never set begins it only if
  /// there is no other, or if its date was set by hand or by a sidecar.
  static func firstDay(of plant: String, isThere: String) -> String {
    let photos = "f.plantID = \(plant) AND f.deletedAt \(isThere) AND f.kind = 'photo'"
    return """
      coalesce((SELECT min(f.localDay) FROM entry f WHERE \(photos) AND (NOT (\(isDoubtful))
        OR EXISTS (SELECT 1 FROM photo g
          WHERE g.entryID = f.id AND g.captureSource IN (\(statedSources))))),
        (SELECT min(f.localDay) FROM entry f WHERE \(photos)))
      """
  }

  private static let statedSources = UnsetClock.statedSources.map { "'\($0.rawValue)'" }
    .joined(separator: ", ")

  private static let isDoubtful = UnsetClock.doubtful
    .map { "f.localDay BETWEEN '\($0.lowerBound)' AND '\($0.upperBound)'" }
    .joined(separator: " OR ")
}

/// A row of the query, read column by column from SQLite.
///
/// GRDB's `Row` looks up each value through generics, which takes five times as long as the query.
/// Its protocol for fast columns passes the statement itself, from which this type reads all columns.
struct EntryRow: StatementColumnConvertible, DatabaseValueConvertible {
  let row: Int64
  let kind: EntryKind
  let photo: PhotoSummary?
  private let id: EntryID
  private let time: EntryTime
  private let notes: String?
  private let tags: [String]
  private let plant: PlantReference?
  private let plantDay: Int?
  private let deletedAt: Timestamp?
  private let sequence: Int64

  /// Nil when the row has values that this version does not know.
  init?(sqliteStatement statement: SQLiteStatement, index: CInt) {
    let columns = Columns(statement: statement)
    guard let kind = EntryKind(rawValue: columns.text(1)), let time = columns.time else {
      return nil
    }
    row = columns.integer(17)
    self.kind = kind
    id = EntryID(stored: columns.text(0))
    self.time = time
    notes = columns.isNull(6) ? nil : columns.text(6)
    tags = columns.isNull(18) ? [] : TagText.tags(columns.text(18))
    plant =
      columns.isNull(8)
      ? nil : PlantReference(id: PlantID(stored: columns.text(8)), name: columns.text(9))
    let isDeleted = !columns.isNull(7)
    let firstDay = columns.isNull(10) || isDeleted ? nil : LocalDay(columns.text(10))
    let day = firstDay.map { time.localDay.dayNumber - $0.dayNumber + 1 }
    plantDay = day.flatMap { $0 > 0 && time.precision == nil ? $0 : nil }
    photo = columns.isNull(11) ? nil : columns.photo
    deletedAt = isDeleted ? Timestamp(milliseconds: columns.integer(7)) : nil
    sequence = columns.integer(2)
  }

  func entry(_ content: EntryContent) -> Entry {
    Entry(
      id: id, time: time, notes: notes, tags: tags, plant: plant, plantDay: plantDay,
      content: content, deletedAt: deletedAt, sequence: sequence)
  }

  static var unknown: CatalogError {
    CatalogError(.damaged, "An entry in the catalog makes no sense to this version.")
  }

  // Never called: rows are only read, but GRDB requires these of values that could be stored as well.
  var databaseValue: DatabaseValue { .null }
  static func fromDatabaseValue(_: DatabaseValue) -> EntryRow? { nil }

  private struct Columns {
    let statement: SQLiteStatement

    func isNull(_ index: CInt) -> Bool { sqlite3_column_type(statement, index) == SQLITE_NULL }

    func integer(_ index: CInt) -> Int64 { sqlite3_column_int64(statement, index) }

    func text(_ index: CInt) -> String {
      sqlite3_column_text(statement, index).map { String(cString: $0) } ?? ""
    }

    func bytes(_ index: CInt) -> UnsafeRawBufferPointer {
      UnsafeRawBufferPointer(
        start: sqlite3_column_blob(statement, index),
        count: Int(sqlite3_column_bytes(statement, index)))
    }

    var time: EntryTime? {
      guard let offset = UTCOffset(seconds: Int(integer(4))),
        let basis = EntryTime.Basis(rawValue: text(5)), let day = LocalDay(text(22))
      else { return nil }
      let precision = isNull(23) ? nil : DatePrecision(rawValue: text(23))
      guard isNull(23) || precision != nil else { return nil }
      // The column has the place in the order.
      let instant =
        basis == .day
        ? LocalDateTime(startOf: day).timestamp(offset: offset)
        : Timestamp(milliseconds: integer(3))
      return EntryTime(
        instant: instant, offset: offset, basis: basis, day: day, precision: precision)
    }

    var photo: PhotoSummary? {
      guard let source = CaptureSource(rawValue: text(13)), let blob = BlobID(bytes: bytes(14))
      else { return nil }
      return PhotoSummary(
        size: PixelSize(width: Int(integer(11)), height: Int(integer(12))), originalName: text(24),
        captureSource: source, sourceDigest: blob, sourceByteCount: Int(integer(15)),
        storedByteCount: Int(integer(16)),
        isFavourite: integer(19) != 0, placeholder: Array(bytes(20)),
        thumbnail: BlobID(bytes: bytes(21)))
    }
  }
}
