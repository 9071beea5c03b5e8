import Foundation
import Imaging
import Leaflog
import TestSupport
import Testing

/// Photos of the hour that clocks show twice when they are put back.
@Suite struct RepeatedHourTests {
  /// A time of day that a zone's clocks show twice, with both of its offsets.
  struct Twice: Sendable, CustomTestStringConvertible {
    let zone: String
    let wall: String
    let offsets: [String]

    var testDescription: String { zone }

    func moment(_ index: Int) throws -> Timestamp {
      EntryTime(try #require(RecordedTime(wall + offsets[index])), in: .gmt).instant
    }

    static let berlin = Twice(
      zone: "Europe/Berlin", wall: "2025-10-26T02:30:00", offsets: ["+02:00", "+01:00"])

    static let all = [
      berlin,
      // Its clocks are put back by half an hour.
      Twice(
        zone: "Australia/Lord_Howe", wall: "2025-04-06T01:45:00", offsets: ["+11:00", "+10:30"]),
      Twice(
        zone: "America/New_York", wall: "2025-11-02T01:59:59", offsets: ["-04:00", "-05:00"]),
      Twice(
        zone: "Antarctica/Troll", wall: "2025-10-26T01:00:00", offsets: ["+02:00", "Z"]),
    ]
  }

  private func library(in zone: String) throws -> LibraryFixture {
    try LibraryFixture(policy: .exact, timeZone: try #require(TimeZone(identifier: zone)))
  }

  /// Writes a photo with a time in EXIF, in a file that was changed at a moment.
  ///
  /// - Parameters:
  ///   - number: the same picture for the same number.
  ///   - comment: a text in the file.
  private func write(
    _ wall: String, number: Int = 0, offset: String? = nil, comment: String? = nil,
    changed: Timestamp, to fixture: LibraryFixture
  ) throws {
    var builder = TIFFBuilder()
    builder.exif = [
      (0x9003, .ascii(wall.replacing("-", with: ":").replacing("T", with: " ")))
    ]
    if let offset { builder.exif.append((0x9011, .ascii(offset))) }
    if let comment { builder.main.append((0x010E, .ascii(comment))) }
    let file = EmbeddedMetadata.png(
      DrawnFrame(lightness: 120).png(number), "eXIf", builder.block, .beforePixels)
    let path = try fixture.folder.write(
      Data(file), to: String(format: "photos/fern/%04d%@.png", number, comment ?? ""))
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: Double(changed.milliseconds) / 1000)],
      ofItemAtPath: path)
  }

  private func photo(_ fixture: LibraryFixture) throws -> Photo {
    let entries = try fixture.entries()
    #expect(entries.count == 1)
    return try fixture.library.photos.find(try #require(entries.first).id)
  }

  @Test(arguments: Twice.all, [0, 1])
  func `the time of a file that is near one of the moments tells which it was`(
    _ twice: Twice, _ index: Int
  ) async throws {
    let fixture = try library(in: twice.zone)
    let moment = try twice.moment(index)
    try write(
      twice.wall, changed: moment.advanced(byMilliseconds: 600_000), to: fixture)
    let (summary, outcomes) = try await fixture.run()
    #expect(summary.repeatedHours == 1 && outcomes.list.first?.warnings == [.repeatedHour])
    let photo = try photo(fixture)
    #expect(photo.entry.time.recorded == RecordedTime(twice.wall + twice.offsets[index]))
    #expect(photo.entry.time.instant == moment && photo.entry.photo?.captureSource == .exif)
    #expect(photo.warnings == [.repeatedHour])
    // What was recorded is still what other files of the photo are compared with.
    try write(
      twice.wall, comment: "leaf", changed: moment.advanced(byMilliseconds: 1), to: fixture)
    #expect(try await fixture.run().summary.duplicate == 2)
  }

  @Test(arguments: Twice.all)
  func `a file of another time leaves the first, with a warning`(_ twice: Twice) async throws {
    let fixture = try library(in: twice.zone)
    let later = try twice.moment(1).advanced(byMilliseconds: 600_001)
    try write(twice.wall, changed: later, to: fixture)
    let (summary, _) = try await fixture.run()
    #expect(summary.repeatedHours == 1)
    let photo = try photo(fixture)
    #expect(photo.entry.time.recorded == RecordedTime(twice.wall))
    #expect(try photo.entry.time.instant == twice.moment(0))
    #expect(photo.warnings == [.repeatedHour])
  }

  @Test(
    arguments: [
      // An offset, hours that were there once, and an hour that was not there.
      ("2025-10-26T02:30:00", "+01:00", "2025-10-26T01:30:00Z"),
      ("2025-10-26T01:59:59", nil, "2025-10-25T23:59:59Z"),
      ("2025-10-26T03:00:00", nil, "2025-10-26T02:00:00Z"),
      ("2025-03-30T02:30:00", nil, "2025-03-30T01:30:00Z"),
    ] as [(String, String?, String)])
  func `other times are as they were, whatever the file's`(
    _ wall: String, _ offset: String?, _ instant: String
  ) async throws {
    let fixture = try library(in: "Europe/Berlin")
    let moment = EntryTime(try #require(RecordedTime(instant)), in: .gmt).instant
    try write(
      wall, offset: offset, changed: moment.advanced(byMilliseconds: -3_600_000),
      to: fixture)
    let (summary, _) = try await fixture.run()
    #expect(summary.repeatedHours == 0)
    let photo = try photo(fixture)
    #expect(photo.entry.time.instant == moment && photo.warnings == [])
    #expect(photo.entry.time.recorded == RecordedTime(wall + (offset ?? "")))
  }

  @Test(arguments: Twice.all) func `the photos of a night keep their order`(_ twice: Twice)
    async throws
  {
    let fixture = try library(in: twice.zone)
    let start = try twice.moment(0).advanced(byMilliseconds: -3_600_000)
    for number in 0..<30 {
      let moment = start.advanced(byMilliseconds: Int64(number) * 600_000)
      let wall = EntryTime(.instant(moment), in: fixture.library.timeZone).wall
      try write("\(wall)", number: number, changed: moment, to: fixture)
    }
    _ = try await fixture.run()
    let names = try fixture.entries(TimelineQuery(order: .oldestFirst)).map {
      $0.photo?.originalName
    }
    #expect(names == (0..<30).map { String(format: "%04d.png", $0) })
  }

  @Test func `in a zone that is assumed, its own changes count`() async throws {
    let twice = Twice.all[2]
    for (index, iso) in [(0, "-04:00"), (1, "-05:00")] {
      let fixture = try library(in: "Europe/Berlin")
      try write(twice.wall, changed: try twice.moment(index), to: fixture)
      let (summary, _) = try await fixture.run {
        $0.assumedTimeZone = TimeZone(identifier: twice.zone)
      }
      #expect(summary.repeatedHours == 1)
      #expect(try photo(fixture).entry.time.recorded == RecordedTime(twice.wall + iso))
    }
    let fixture = try library(in: "Europe/Berlin")
    try write(Twice.berlin.wall, changed: try Twice.berlin.moment(1), to: fixture)
    let (summary, _) = try await fixture.run {
      $0.assumedTimeZone = TimeZone(identifier: "Asia/Tokyo")
    }
    #expect(summary.repeatedHours == 0)
    #expect(try photo(fixture).entry.time.recorded == RecordedTime(Twice.berlin.wall + "+09:00"))
  }

  @Test(arguments: [false, true])
  func `setting the offset ends the warning, and can be undone`(isDecided: Bool) async throws {
    let twice = Twice.berlin
    let fixture = try library(in: twice.zone)
    let changed = try isDecided ? twice.moment(0) : Timestamp(milliseconds: 1_770_000_000_000)
    try write(twice.wall, changed: changed, to: fixture)
    _ = try await fixture.run()
    let id = try photo(fixture).entry.id
    let before = try photo(fixture)
    _ = try fixture.library.photos.redate(
      .photos([id]), .timeZone(try #require(TimeZone(secondsFromGMT: 3600))))
    #expect(try photo(fixture).entry.time.instant == twice.moment(1))
    #expect(try photo(fixture).warnings == [])
    _ = try fixture.library.history.undo(.photoRedate)
    #expect(try photo(fixture) == before)
  }

  private func redate(_ redating: Redating, _ fixture: LibraryFixture) throws -> Photo {
    _ = try fixture.library.photos.redate(.photos([photo(fixture).entry.id]), redating)
    return try photo(fixture)
  }

  /// A library with a photo of Berlin's hour, taken at its second moment, which its file's time tells or not.
  private func second(isDecided: Bool = true) async throws -> LibraryFixture {
    let fixture = try library(in: "Europe/Berlin")
    let changed =
      try isDecided ? Twice.berlin.moment(1) : Timestamp(milliseconds: 1_770_000_000_000)
    try write(Twice.berlin.wall, changed: changed, to: fixture)
    _ = try await fixture.run()
    return fixture
  }

  @Test func `an offset that is confirmed ends the warning`() async throws {
    let fixture = try await second()
    let photo = try redate(.timeZone(try #require(TimeZone(secondsFromGMT: 3600))), fixture)
    #expect(try photo.warnings == [] && photo.entry.time.instant == Twice.berlin.moment(1))
  }

  @Test func `a zone that has both offsets settles nothing`() async throws {
    let berlin = Redating.timeZone(try #require(TimeZone(identifier: "Europe/Berlin")))
    var photo = try redate(berlin, try await second())
    #expect(
      try photo.warnings == [.repeatedHour] && photo.entry.time.instant == Twice.berlin.moment(1))
    photo = try redate(berlin, try await second(isDecided: false))
    #expect(
      try photo.warnings == [.repeatedHour] && photo.entry.time.instant == Twice.berlin.moment(0))
    let lisbon = Redating.timeZone(try #require(TimeZone(identifier: "Europe/Lisbon")))
    photo = try redate(lisbon, try await second())
    // There it was three hours earlier that clocks showed it, once.
    #expect(photo.warnings == [] && photo.entry.time.recorded == RecordedTime("2025-10-26T02:30Z"))
  }

  @Test(arguments: [
    (86_400, "2025-10-27T02:30:00", false), (-86_400, "2025-10-25T02:30:00", false),
    (600, "2025-10-26T02:40:00+01:00", true), (3600, "2025-10-26T03:30:00", false),
  ])
  func `a shift takes the decided offset along within the hour only`(
    seconds: Int, time: String, isRepeated: Bool
  ) async throws {
    let fixture = try await second()
    let photo = try redate(.shift(.seconds(seconds)), fixture)
    #expect(photo.entry.time.recorded == RecordedTime(time))
    #expect(photo.warnings == (isRepeated ? [.repeatedHour] : []))
  }

  @Test func `a time that is moved into the hour is told`() async throws {
    let fixture = try library(in: "Europe/Berlin")
    try write("2025-10-26T01:30:00", changed: try Twice.berlin.moment(1), to: fixture)
    _ = try await fixture.run()
    let photo = try redate(.shift(.seconds(3600)), fixture)
    #expect(photo.warnings == [.repeatedHour] && photo.entry.time.basis == .wall)
  }

  @Test func `an edit of the day or the time of day has no offset of the hour`() async throws {
    for (typed, warnings) in [
      ("2025-12-24T02:30:00", []), ("2025-10-26T12:00:00", []),
      ("2025-10-26T02:50:00", [ImportWarning.repeatedHour]),
    ] {
      let fixture = try await second()
      var bases: [EntryTime.Basis] = []
      _ = try fixture.library.photos.edit(.photos([photo(fixture).entry.id])) { photo in
        bases.append(photo.time.basis)
        return RecordedTime(typed)
      }
      #expect(bases == [.wall])
      let photo = try photo(fixture)
      let expected = warnings.isEmpty ? typed : typed + "+01:00"
      #expect(photo.entry.time.recorded == RecordedTime(expected) && photo.warnings == warnings)
    }
  }

  @Test func `its own EXIF is read again with the file's time`() async throws {
    let fixture = try await second()
    _ = try redate(.shift(.seconds(86_400)), fixture)
    let photo = try redate(.source(.exif), fixture)
    #expect(
      try photo.warnings == [.repeatedHour] && photo.entry.time.instant == Twice.berlin.moment(1))
  }

  @Test func `a day that is given keeps the decision`() async throws {
    let fixture = try library(in: "Europe/Berlin")
    try write("2025-10-26T02:30:00", changed: try Twice.berlin.moment(1), to: fixture)
    let (summary, _) = try await fixture.run { $0.time = RecordedTime("2025-10-26") }
    #expect(summary.repeatedHours == 1)
    #expect(try photo(fixture).entry.time.instant == Twice.berlin.moment(1))
    #expect(try photo(fixture).warnings == [.repeatedHour])
  }

  @Test func `an update of something else says nothing of the hour`() async throws {
    let fixture = try await second(isDecided: false)
    _ = try redate(.timeZone(try #require(TimeZone(secondsFromGMT: 3600))), fixture)
    let sidecar = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <rdf:Description xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="5"/></rdf:RDF></x:xmpmeta>
      """
    try fixture.folder.write(Data(sidecar.utf8), to: "photos/fern/0000.png.xmp")
    let (summary, outcomes) = try await fixture.run { $0.updatesPhotos = true }
    #expect(summary.updated == 1 && summary.repeatedHours == 0)
    #expect(outcomes.of("0000.png")?.warnings == [])
    #expect(try photo(fixture).warnings == [] && photo(fixture).entry.photo?.isFavourite == true)
  }

  @Test func `a sidecar's new time is decided, told and counted`() async throws {
    let fixture = try library(in: "Europe/Berlin")
    try write("2025-10-25T12:00:00", changed: try Twice.berlin.moment(1), to: fixture)
    _ = try await fixture.run()
    let sidecar = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <rdf:Description xmlns:exif="http://ns.adobe.com/exif/1.0/" exif:DateTimeOriginal="2025-10-26T02:30:00"/>
      </rdf:RDF></x:xmpmeta>
      """
    try fixture.folder.write(Data(sidecar.utf8), to: "photos/fern/0000.png.xmp")
    let (summary, outcomes) = try await fixture.run { $0.updatesPhotos = true }
    #expect(summary.updated == 1 && summary.repeatedHours == 1)
    #expect(outcomes.of("0000.png")?.warnings == [.repeatedHour])
    #expect(try photo(fixture).entry.time.instant == Twice.berlin.moment(1))
    #expect(try photo(fixture).warnings == [.repeatedHour])
  }

  @Test(arguments: [0, 1, nil])
  func `an edit of something else, an export and an import keep the moment and the warning`(
    _ index: Int?
  ) async throws {
    let twice = Twice.berlin
    let fixture = try library(in: twice.zone)
    let changed =
      try index.map { try twice.moment($0) } ?? Timestamp(milliseconds: 1_770_000_000_000)
    try write(twice.wall, changed: changed, to: fixture)
    _ = try await fixture.run()
    let id = try photo(fixture).entry.id
    _ = try fixture.library.photos.edit(id, notes: "first leaf")
    let before = try photo(fixture)
    #expect(try before.entry.time.instant == twice.moment(index ?? 0))
    _ = try fixture.library.photos.edit(id, time: RecordedTime("2025-10-26T12:00:00"))
    #expect(try photo(fixture).warnings == [])
    _ = try fixture.library.history.undo(.photoEdit)
    #expect(try photo(fixture) == before)
    let request = ExportRequest(.matching(TimelineQuery()), to: fixture.folder.file("out"))
    try PhotoExporter(fixture.library).run(request) { _ in }
    let other = try library(in: twice.zone)
    _ = try await other.run([fixture.folder.file("out")])
    #expect(try photo(other).entry.time == before.entry.time)
    #expect(try photo(other).warnings == [.repeatedHour])
  }
}
