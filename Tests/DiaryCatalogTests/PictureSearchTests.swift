import DiaryCatalog
import DiaryModel
import Testing

/// Photos that are found by their pictures.
@Suite struct PictureSearchTests {
  /// Times of all kinds, many of which agree with others.
  private static let times =
    [
      "2025-04-02T08:11:05", "2025-04-02T08:11:05.25", "2025-04-02T08:11:06",
      "2025-04-02T08:11:05Z", "2025-04-02T08:11:05.999Z", "2025-04-02T10:11:05+02:00",
      "2025-04-01T14:11:05.5-18:00", "2025-04-03T02:11:05+18:00", "2025-04-02T08:11:05+02:00",
      "2025-04-02T06:11:05", "2025-04-02T00:00:00", "2025-04-02", "2025-04-03", "2025-04",
      "2025-05",
      "2025", "2024", "1890-01-01T00:53:28+00:53:28", "1890-01-01T00:00:00Z",
      "1889-12-31T23:06:32-00:53:28", "1889-12-31", "1969-12-31T23:59:59Z",
      "1969-12-31T23:59:59.5Z", "1970-01-01T00:00:00Z", "1970-01-01T00:59:59.25+01:00",
      "0001-01-01T00:00:00Z", "9999-12-31T23:59:59-18:00", "9999",
    ].map { RecordedTime($0) } + [nil, .instant(Timestamp(milliseconds: 1_743_581_465_750))]

  private func photo(
    _ number: Int, of picture: String = "night", _ time: RecordedTime?
  ) -> NewPhoto {
    var photo = madePhoto(number)
    (photo.pictureDigest, photo.foundTime) = (BlobID(hashing: picture), time)
    return photo
  }

  @Test func `a photo of the picture is found if its time agrees, whatever is known of the times`()
    throws
  {
    #expect(Self.times.filter { $0 == nil }.count == 1)
    let catalog = try CatalogFixture().catalog
    try catalog.add(
      Self.times.enumerated().map { photo($0.offset, of: "picture \($0.offset)", $0.element) })
    try catalog.read { tables in
      for (number, theirs) in Self.times.enumerated() {
        for own in Self.times {
          let match = try tables.photos.known(
            withPicture: BlobID(hashing: "picture \(number)"), of: own)
          let isSame = if case .same = match { true } else { false }
          let agrees = own.map { own in theirs.map(own.agrees) ?? true } ?? true
          #expect(isSame == agrees, "\(own?.iso8601 ?? "-") and \(theirs?.iso8601 ?? "-")")
          #expect(match != .noPhoto)
        }
      }
      #expect(try tables.photos.known(withPicture: BlobID(hashing: "none"), of: nil) == .noPhoto)
    }
  }

  @Test func `before 1970, too, a second holds its fractions`() throws {
    let (whole, later) = ("1969-12-31T23:59:59Z", "1970-01-01T00:00:00Z")
    let fraction = try #require(RecordedTime("1969-12-31T23:59:59.5Z"))
    #expect(try fraction.agrees(with: #require(RecordedTime(whole))))
    #expect(try !fraction.agrees(with: #require(RecordedTime(later))))
  }

  @Test func `of several photos, the first that is not in the trash is found`() throws {
    let catalog = try CatalogFixture().catalog
    let times = ["2025-04-03T08:00:00", "2025-04-02T08:00:00", "2025-04-04T08:00:00"]
    try catalog.add(times.enumerated().map { photo($0.offset, RecordedTime($0.element)) })
    let ids = times.indices.map { EntryID(sourceDigest: BlobID(hashing: "photo \($0)")) }
    func found(_ time: String?) throws -> EntryID? {
      let match = try catalog.read {
        try $0.photos.known(
          withPicture: BlobID(hashing: "night"), of: time.flatMap { RecordedTime($0) })
      }
      guard case .same(let photo, _) = match else { return nil }
      return photo.id
    }
    #expect(try found(nil) == ids[0])
    #expect(try found("2025-04") == ids[1])
    #expect(try found("2025-04-04") == ids[2])
    #expect(try found("2025-04-05") == nil)
    for id in [ids[0], ids[1]] {
      _ = try catalog.change(.photoDelete, now: now) { tables, now in
        try tables.entries.apply([EntryEdit(id, isDeleted: true)], now: now)
      }
    }
    #expect(try found(nil) == ids[2])
    #expect(try found("2025-04") == ids[2])
    #expect(try found("2025-04-02") == ids[1])
  }

  @Test(arguments: PictureSearch.allCases)
  func `each search reads the rows that it looks for, in the order of an index`(
    search: PictureSearch
  ) throws {
    let steps = try CatalogFixture().plan(of: search.sql())
    let index =
      switch search {
      case .any: "INDEX photoByPicture (pictureDigest=?)"
      case .untimed, .dates: "INDEX photoByPictureAndTime (pictureDigest=? AND foundTime=?)"
      case .texts:
        "INDEX photoByPictureAndTime (pictureDigest=? AND foundTime>? AND foundTime<?)"
      case .moment: "INDEX photoByPictureAndMoment (pictureDigest=? AND <expr>=?)"
      }
    #expect(steps.first?.hasSuffix(index) == true, "\(steps)")
    #expect(!steps.contains { $0.contains("TEMP B-TREE") || $0.hasPrefix("SCAN") }, "\(steps)")
  }

  @Test(arguments: SourceFileTable.factsQueries)
  func `the facts of one of a photo's files are found by an index`(query: String) throws {
    let steps = try CatalogFixture().plan(of: query)
    #expect(steps.count == 1 && steps[0].hasPrefix("SEARCH"), "\(steps)")
    #expect(steps[0].contains("path=?") || steps[0].contains("<expr>"), "\(steps)")
  }
}
