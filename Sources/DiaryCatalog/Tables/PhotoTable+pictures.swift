package import DiaryModel
internal import Foundation
internal import GRDB

/// Photos by their pictures.
///
/// A night camera takes thousands of pictures of nothing, which are the same but for their times. So only those photos are
/// read whose times may agree.
extension PhotoTable {
  /// The photos whose source had this picture.
  ///
  /// - Parameter time: the time that was recorded for the picture; nil if there is none but a guess.
  package func known(withPicture picture: BlobID, of time: RecordedTime?) throws -> PictureMatch {
    guard let time = time.map({ ComparedTime($0) }) else {
      return try first(PictureSearch.any, picture, nil)?.match ?? (has(picture) ? .other : .noPhoto)
    }
    guard try has(picture) else { return .noPhoto }
    let found = try PictureSearch.ofTime.compactMap { try first($0, picture, time) }
    return found.min { $0.isBefore($1) }?.match ?? .other
  }

  private func has(_ picture: BlobID) throws -> Bool {
    let statement = try database.cachedStatement(
      sql: "SELECT 1 FROM photo WHERE pictureDigest = ? LIMIT 1")
    return try Int.fetchOne(statement, arguments: [Data(picture.bytes)]) != nil
  }

  /// The first photo that a search finds and whose time agrees, preferably one that is not in the trash.
  private func first(
    _ search: PictureSearch, _ picture: BlobID, _ time: ComparedTime?
  ) throws -> PhotoOfPicture? {
    let rows = try Row.fetchCursor(
      statement(search), arguments: search.arguments(picture, time))
    var deleted: PhotoOfPicture?
    while let row = try rows.next() {
      let found = PhotoOfPicture(row)
      if let time, let other = found.time, !time.agrees(with: other) { continue }
      guard found.photo.isDeleted else { return found }
      deleted = deleted ?? found
    }
    return deleted
  }

  private func statement(_ search: PictureSearch) throws -> Statement {
    let isTrusted = try tables.sentPhotos.isTrusted("p.entryID")
    return try database.cachedStatement(sql: search.sql(isTrusted: isTrusted))
  }
}

/// A photo of a picture that is looked for.
private struct PhotoOfPicture {
  let photo: KnownPhoto
  let time: ComparedTime?
  /// The role in which its exact bytes are kept, if they are.
  let role: RenditionRole?

  init(_ row: Row) {
    photo = KnownPhoto(row)
    time = (row[3] as String?).flatMap { RecordedTime($0) }.map { ComparedTime($0) }
    role = (row[4] as String?).flatMap(RenditionRole.init)
  }

  var match: PictureMatch { .same(photo, role) }

  /// Whether it is preferred to another: those in the trash come last, and else the one that was added first is.
  func isBefore(_ other: PhotoOfPicture) -> Bool {
    photo.isDeleted == other.photo.isDeleted ? photo.row < other.photo.row : other.photo.isDeleted
  }
}

/// A search for the photos of a picture, by an index.
package enum PictureSearch: CaseIterable, Sendable {
  /// Those of all times.
  case any
  /// Those without a time.
  case untimed
  /// Those of which only the day, the month or the year of the time is known.
  case dates
  /// Those whose times begin with all that is known of the time.
  case texts
  /// Those of the same second, wherever on Earth.
  case moment

  /// The searches that together find every photo whose time agrees with a time.
  static let ofTime: [PictureSearch] = [.untimed, .dates, .texts, .moment]

  /// - Parameter isTrusted: the condition of `SentPhotoTable.isTrusted`.
  package func sql(isTrusted: String = "TRUE") -> String {
    """
    SELECT e.id, e.publicID, e.deletedAt, p.foundTime,
      (SELECT role FROM rendition WHERE photoID = e.id AND role IN ('original', 'packed'))
    FROM photo p JOIN entry e ON e.id = p.entryID
    WHERE p.pictureDigest = ? AND \(condition) AND \(isTrusted) ORDER BY \(order)
    """
  }

  private var condition: String {
    switch self {
    case .any: "TRUE"
    case .untimed: "p.foundTime IS NULL"
    case .dates: "p.foundTime IN (?, ?, ?)"
    case .texts: "p.foundTime BETWEEN ? AND ?"
    case .moment: "\(Schema.foundMoment) = ?"
    }
  }

  /// The order of the index, so that thousands of rows need not be sorted for the first of them.
  private var order: String {
    switch self {
    case .any, .untimed, .moment: "p.entryID"
    case .dates, .texts: "p.foundTime, p.entryID"
    }
  }

  fileprivate func arguments(_ picture: BlobID, _ time: ComparedTime?) -> StatementArguments {
    let own: StatementArguments =
      switch self {
      case .any, .untimed: []
      case .dates: [time?.date(10), time?.date(7), time?.date(4)]
      // No character of a time comes after a tilde.
      case .texts: [time?.wallText, (time?.wallText).map { $0 + "~" }]
      case .moment: [time?.moment]
      }
    return [Data(picture.bytes)] + own
  }
}

extension ComparedTime {
  /// The first characters of its text, as many as those of a date; nil if not as much is known.
  fileprivate func date(_ count: Int) -> String? {
    wallText.count < count ? nil : String(wallText.prefix(count))
  }
}
