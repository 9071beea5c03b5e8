import Foundation
import Imaging
import Leaflog
import TestSupport
import Testing

/// The dates of photos as an import finds them.
@Suite struct ImportDateTests {
  private let fixture: LibraryFixture

  init() throws { fixture = try LibraryFixture(policy: .exact) }

  /// - Parameter picture: which fixture it is; the same picture is not taken twice.
  private func jpeg(
    _ builder: TIFFBuilder = TIFFBuilder(), of picture: String = "Colour/srgb.jpg"
  ) throws -> Data {
    Data(EmbeddedMetadata.jpeg(try Fixtures.data(picture), exif: builder))
  }

  private func changed(_ date: String) -> TIFFBuilder {
    var builder = TIFFBuilder()
    builder.main = [(0x0132, .ascii(date))]
    return builder
  }

  private func imported(
    _ name: String, _ data: Data, modified: TimeInterval = 1_700_000_000,
    _ change: (inout ImportRequest) -> Void = { _ in }
  ) async throws -> (photo: ImportedPhoto, warnings: Set<String>, summary: ImportSummary) {
    let path = try fixture.folder.write(data, to: "photos/fern/" + name)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: modified)], ofItemAtPath: path)
    let given = name.contains("/") ? fixture.photos : path
    let (summary, outcomes) = try await fixture.run([given], change)
    let outcome = outcomes.of(name)
    let photo = try #require(outcome?.added, "\(outcome as Any)")
    return (photo, Set(outcome?.warnings.map(\.rawValue) ?? []), summary)
  }

  @Test func `a folder that is a date gives it to the photo, and the one above names the plant`()
    async throws
  {
    let (photo, warnings, _) = try await imported("2026-11-25/10-00-00.jpg", jpeg())
    #expect(photo.time.recorded.iso8601 == "2026-11-25T10:00:00")
    #expect(photo.captureSource == .filename)
    #expect(photo.plantName == "fern")
    #expect(warnings.isEmpty)
  }

  @Test func `the time of day of a name that is not read is the file's, in the library's zone`()
    async throws
  {
    let noon = 1_772_362_800.0  // 2026-03-01 11:00 UTC
    let (photo, warnings, _) = try await imported(
      "tl_20260301_1200.jpg", jpeg(), modified: noon)
    #expect(photo.time.recorded.iso8601 == "2026-03-01T12:00:00")
    #expect(photo.captureSource == .filename)
    #expect(warnings == ["timeIsFileTime"])
  }

  @Test func `a clock that may never have been set does not begin a plant's age by itself`()
    async throws
  {
    _ = try await imported("20000101_000009.jpg", jpeg())
    #expect(try fixture.entries().first?.plantDay == 1)
    _ = try await imported("20260301_120000.jpg", jpeg() + Data([0]))
    let days = try fixture.entries(TimelineQuery(order: .oldestFirst)).map(\.plantDay)
    #expect(days == [nil, 1])
    let plant = try #require(try fixture.library.plants.all().first)
    #expect(plant.firstPhotoDay == LocalDay("2026-03-01"))
    // By hand it is meant.
    let old = try #require(try fixture.entries(TimelineQuery(order: .oldestFirst)).first)
    _ = try fixture.library.photos.redate(.photos([old.id]), .shift(.seconds(3600)))
    let meant = try fixture.entries(TimelineQuery(order: .oldestFirst)).compactMap(\.plantDay)
    #expect(meant == [1, 9557])
  }

  @Test func `DateTime is a guess, better than the file's time alone`() async throws {
    let (photo, warnings, summary) = try await imported(
      "scan.jpg", jpeg(changed("2021:05:03 09:05:00")))
    #expect(photo.time.recorded.iso8601 == "2021-05-03T09:05:00")
    #expect(photo.captureSource == .exif)
    #expect(warnings == ["dateIsChangeTime"])
    #expect(summary.guessedDates == 1)
    let found = try fixture.library.photos.find(photo.id)
    #expect(found.warnings.map(\.rawValue) == ["dateIsChangeTime"])
    let time = try #require(RecordedTime("1998-07-01T10:00"))
    _ = try fixture.library.photos.edit(photo.id, time: time)
    #expect(try fixture.library.photos.find(photo.id).warnings.isEmpty)
  }

  @Test func `any other date is better than DateTime`() async throws {
    let (photo, warnings, summary) = try await imported(
      "IMG-20210501-WA0001.jpg", jpeg(changed("2021:05:03 09:05:00")))
    #expect(photo.time.recorded.iso8601 == "2021-05-01")
    #expect(warnings == ["dateWithoutTime"])
    #expect(summary.guessedDates == 0)
  }

  @Test func `the time of day of DateTime is not that of a day that is given`() async throws {
    let (photo, warnings, _) = try await imported(
      "scan.jpg", jpeg(changed("2021:05:03 09:05:00"))
    ) { $0.time = LocalDay("1998-07-01").map { .day($0) } }
    #expect(photo.time.recorded.iso8601 == "1998-07-01")
    #expect(warnings == ["dateWithoutTime"])
  }

  @Test(arguments: [
    ("20210521", "131451+0200", "2021-05-21T13:14:51+02:00"),
    ("20210521", "131451", "2021-05-21T13:14:51"), ("20210521", nil, "2021-05-21"),
  ])
  func `the date in IPTC data is found`(day: String, time: String?, iso: String) async throws {
    var values: [(UInt8, String)] = [(0x37, day)]
    if let time { values.append((0x3C, time)) }
    let iptc = EmbeddedMetadata.iptc(values)
    let payload = Array("Photoshop 3.0\0".utf8) + EmbeddedMetadata.resources(iptc: iptc)
    let file = EmbeddedMetadata.jpeg(
      try Fixtures.data("Colour/srgb.jpg"), marker: 0xED, payload)
    let (photo, warnings, _) = try await imported("leaf.jpg", Data(file))
    #expect(photo.time.recorded.iso8601 == iso)
    #expect(photo.captureSource == .iptc)
    #expect(warnings == (time == nil ? ["dateWithoutTime"] : []))
  }

  @Test func `captions and keywords in a file become notes and tags`() async throws {
    let iptc = EmbeddedMetadata.iptc([
      (0x78, "First leaf"), (0x19, "aphids"), (0x19, "New\tpot"), (0x19, "Aphids"),
    ])
    let payload = Array("Photoshop 3.0\0".utf8) + EmbeddedMetadata.resources(iptc: iptc)
    let file = EmbeddedMetadata.jpeg(try Fixtures.data("Colour/srgb.jpg"), marker: 0xED, payload)
    let (photo, _, _) = try await imported("leaf.jpg", Data(file))
    let entry = try fixture.library.photos.find(photo.id).entry
    #expect(entry.notes == "First leaf" && entry.tags == ["aphids", "New pot"])
  }

  @Test(arguments: ["OLYMPUS DIGITAL CAMERA", "SONY DSC", "default"])
  func `a text that a camera writes into each picture is no caption`(caption: String) async throws {
    var packet = XMPPacket(
      time: try #require(RecordedTime("2021-05-03T09:05")), notes: caption, plant: nil,
      tags: ["leaf"])
    packet.isFavourite = true
    let payload = Array("http://ns.adobe.com/xap/1.0/\0".utf8) + packet.bytes
    let file = EmbeddedMetadata.jpeg(try Fixtures.data("Colour/srgb.jpg"), marker: 0xE1, payload)
    let (photo, _, _) = try await imported("leaf.jpg", Data(file))
    let entry = try fixture.library.photos.find(photo.id).entry
    #expect(entry.notes == nil && entry.tags == ["leaf"])
    #expect(entry.photo?.isFavourite == true)
  }

  @Test(arguments: [EmbeddedMetadata.Place.beforePixels, .atEnd])
  func `EXIF in a PNG is found wherever it is, and kept in its compressed copy`(
    place: EmbeddedMetadata.Place
  ) async throws {
    var builder = TIFFBuilder()
    builder.exif = [(0x9003, .ascii("2021:05:03 09:05:00"))]
    let file = EmbeddedMetadata.png(EmbeddedMetadata.wavyPNG, "eXIf", builder.block, place)
    let (photo, warnings, _) = try await imported("leaf.png", Data(file)) { $0.policy = .compact }
    #expect(photo.time.recorded.iso8601 == "2021-05-03T09:05:00")
    #expect(photo.captureSource == .exif && warnings.isEmpty)
    let roles = try fixture.library.photos.find(photo.id).renditions.map(\.role)
    #expect(roles.contains(.master))
    _ = try fixture.library.photos.redate(.photos([photo.id]), .source(.mtime))
    let again = try fixture.library.photos.redate(.photos([photo.id]), .source(.exif))
    #expect(again.failures.isEmpty && again.changed.count == 1)
  }

  private static let takeoutNames = [
    ("IMG_1.jpg", "IMG_1.jpg.json"), ("IMG_1.jpg", "IMG_1.jpg.supplemental-metadata.json"),
    ("IMG_1.jpg", "IMG_1.jpg.supplemental-metadat.json"),
    ("IMG_1.jpg", "IMG_1.jpg.supplemental-me.json"), ("IMG_1.jpg", "IMG_1.jpg.suppl.json"),
    ("IMG_1.jpg", "IMG_1.jpg.s.json"), ("IMG_1.jpg", "IMG_1.jpg..json"),
    ("IMG_1(2).jpg", "IMG_1.jpg.supplemental-meta(2).json"),
    ("IMG_1(2).jpg", "IMG_1.jpg(2).json"), ("IMG_1.jpg", "img_1.JPG.Supplemental-me.json"),
    ("IMG_1-edited.jpg", "IMG_1.jpg.supplem.json"), ("IMG_1-edytowane.jpg", "IMG_1.jpg.json"),
    ("IMG_1-ha editado.jpg", "IMG_1.jpg.json"), ("IMG_1-編集済み.jpg", "IMG_1.jpg.s.json"),
    ("IMG_1-SMILE.jpg", "IMG_1.jpg.json"), ("IMG_1-edi.jpg", "IMG_1.jpg.json"),
    ("IMG-1-a-modifié(2).jpg", "IMG-1-a.jpg(2).json"),
    ("IMG_1(2)-edited.jpg", "IMG_1.jpg.supplemental-metadata(2).json"),
    ("IMG_1-edited.jpg", "IMG_1.HEIC.supplemental-metadata.json"),
    ("Seeds.jpg", "Seeds.json"), ("Seeds(1).jpg", "Seeds(1).json"),
    ("Seeds.jpg", "Seeds.supplemental-metadata.json"),
    ("Seeds(1).jpg", "Seeds.supplemental-met(1).json"), ("Seeds-smile.jpg", "Seeds.suppl.json"),
    ("Bl\u{FC}te.jpg", "Blu\u{308}te.jpg.json"), ("Blu\u{308}te-edited.jpg", "bl\u{FC}te.JPG.json"),
    (
      "A photo with a name as long as they come, or.jpg",
      "A photo with a name as long as they come, or.j.json"
    ),
    (
      "A photo with a name as long as they come, .jpg",
      "A photo with a name as long as they come, .jpg.supp.json"
    ),
  ]

  @Test(arguments: takeoutNames)
  func `Takeout's names are found however they are cut`(name: String, sidecar: String) async throws
  {
    let json = #"{"photoTakenTime": {"timestamp": "1589365431"}}"#
    try fixture.folder.write(Data(json.utf8), to: "photos/fern/" + sidecar)
    try fixture.folder.write(Data(#"{"title": "an album"}"#.utf8), to: "photos/fern/metadata.json")
    try fixture.folder.write(jpeg(), to: "photos/fern/" + name)
    let (_, outcomes) = try await fixture.run()
    let photo = try #require(outcomes.of(name)?.added)
    #expect(photo.captureSource == .takeout)
    #expect(photo.time.recorded.iso8601 == "2020-05-13T10:23:51Z")
    #expect(outcomes.of(sidecar)?.skip == .sidecar)
    #expect(outcomes.of("/metadata.json")?.skip == .notAnImage)
  }

  /// Photos, each with its own JSON file, or none.
  private static let sidecarsOfPhotos: [[(photo: String, sidecar: String?)]] = [
    [("IMG_7.JPG", "IMG_7.JPG.json"), ("img_7.jpg", "img_7.jpg.json")],
    [("IMG_7.JPG", "IMG_7.JPG.suppl.json"), ("img_7.jpg", "img_7.jpg.suppl.json")],
    [("IMG_7(1).JPG", "IMG_7.JPG(1).json"), ("img_7(1).jpg", "img_7.jpg(1).json")],
    [("Bl\u{FC}te.jpg", "Bl\u{FC}te.jpg.json"), ("Blu\u{308}te.jpg", "Blu\u{308}te.jpg.json")],
    [("IMG_7.JPG", "IMG_7.JPG.json"), ("img_7.jpg", nil)],
    [("a-b.jpg", "a-b.jpg.json"), ("a.jpg", "a.jpg.json"), ("a-b-smile.jpg", "a-b.jpg.json")],
    [("fern-2.jpg", nil), ("fern.jpg", "fern.jpg.json")],
    [("Seeds.jpg", "Seeds.json"), ("Seeds(1).jpg", "Seeds(1).json")],
  ]

  @Test(arguments: sidecarsOfPhotos)
  func `each photo has its own of several JSON files`(
    photos: [(photo: String, sidecar: String?)]
  ) async throws {
    var times: [[UInt8]: Int64] = [:]
    for sidecar in photos.compactMap(\.sidecar) {
      let time = times[Array(sidecar.utf8)] ?? 1_589_365_000 + Int64(times.count)
      times[Array(sidecar.utf8)] = time
      try fixture.folder.write(
        Data(#"{"photoTakenTime": {"timestamp": \#(time)}}"#.utf8), to: "photos/fern/" + sidecar)
    }
    for (number, photo) in photos.enumerated() {
      // The data after a picture belongs to it.
      try fixture.folder.write(
        jpeg() + Data([UInt8(number)]), to: "photos/fern/" + photo.photo)
    }
    let (_, outcomes) = try await fixture.run()
    for (name, sidecar) in photos {
      let path = Array(("/" + name).utf8)
      let outcome = outcomes.list.first { $0.path.utf8.suffix(path.count).elementsEqual(path) }
      let photo = try #require(outcome?.added)
      #expect(photo.captureSource == (sidecar == nil ? .mtime : .takeout), "\(name)")
      guard let sidecar else { continue }
      #expect(photo.time.instant.milliseconds / 1000 == times[Array(sidecar.utf8)], "\(name)")
    }
  }

  @Test func `an edited copy of one of several pictures with its stem has no date of theirs`()
    async throws
  {
    for ending in ["HEIC", "png"] {
      try fixture.folder.write(
        Data(#"{"photoTakenTime": {"timestamp": "1589365431"}}"#.utf8),
        to: "photos/fern/IMG_1.\(ending).json")
    }
    let (photo, _, _) = try await imported("IMG_1-edited.jpg", jpeg())
    #expect(photo.captureSource == .mtime)
  }

  @Test func `a favourite of Takeout is one, and a photo in its bin stays out`() async throws {
    let time = #""photoTakenTime": {"timestamp": 1589365431}"#
    for (name, member) in [("good", "favorited"), ("bad", "trashed")] {
      try fixture.folder.write(
        Data(#"{\#(time), "\#(member)": true}"#.utf8), to: "photos/fern/\(name).jpg.json")
      try fixture.folder.write(
        jpeg() + Data(name.utf8), to: "photos/fern/\(name).jpg")
    }
    let (summary, outcomes) = try await fixture.run()
    #expect(summary.added == 1)
    #expect(outcomes.of("bad.jpg")?.skip == .inTrash)
    #expect(outcomes.of("bad.jpg")?.warnings == [.inForeignTrash])
    #expect(try fixture.entries().map { $0.photo?.isFavourite } == [true])
    // As with the library's own trash, a file that is named itself is meant.
    let named = try await fixture.run([fixture.photos + "/fern/bad.jpg"])
    #expect(named.summary.added == 1)
  }

  @Test(arguments: ["IMG_1.jpg.supplier.json", "IMG_1.jpg.supplemental-metadata-2.json"])
  func `a name that is no cut of Takeout's is another file's`(sidecar: String) async throws {
    let json = #"{"photoTakenTime": {"timestamp": "1589365431"}}"#
    try fixture.folder.write(Data(json.utf8), to: "photos/fern/" + sidecar)
    let (photo, _, _) = try await imported("IMG_1.jpg", jpeg())
    #expect(photo.captureSource == .mtime)
  }

  @Test func `the longest of several cuts is the photo's`() async throws {
    for (name, second) in [("s", 1), ("supplemental-metadata", 2), ("supp", 3)] {
      try fixture.folder.write(
        Data(#"{"photoTakenTime": {"timestamp": "158936543\#(second)"}}"#.utf8),
        to: "photos/fern/IMG_1.jpg.\(name).json")
    }
    let (photo, _, _) = try await imported("IMG_1.jpg", jpeg())
    #expect(photo.time.recorded.iso8601 == "2020-05-13T10:23:52Z")
  }

  private func captured(_ date: String, offset: String? = nil) throws -> Data {
    var builder = TIFFBuilder()
    builder.exif = [(0x9003, .ascii(date))]
    if let offset { builder.exif.append((0x9011, .ascii(offset))) }
    return try jpeg(builder)
  }

  @Test(
    arguments: [
      // Winter, in a zone that is an hour further ahead on the day that is given.
      ("2021:01:21 13:14:51", nil, "2021-06-01", "2021-06-01T13:14:51-04:00"),
      ("2021:01:21 13:14:51", nil, "2021-06-01T08:00", "2021-06-01T08:00:00-04:00"),
      ("2021:01:21 13:14:51", nil, "2021-06-01T08:00+02:00", "2021-06-01T08:00:00+02:00"),
      ("2021:01:21 13:14:51", "+09:00", "2021-06-01", "2021-06-01T13:14:51+09:00"),
      ("2021:01:21 13:14:51", "+09:00", "2021-06-01T08:00", "2021-06-01T08:00:00-04:00"),
      ("2021:01:21 13:14:51", nil, "2021-06-01T08:00Z", "2021-06-01T08:00:00Z"),
    ] as [(String, String?, String, String)])
  func `a zone is assumed for the time that is given, and only without an offset`(
    date: String, offset: String?, given: String, iso: String
  ) async throws {
    let (photo, _, _) = try await imported("leaf.jpg", captured(date, offset: offset)) {
      $0.time = RecordedTime(given)
      $0.assumedTimeZone = TimeZone(identifier: "America/New_York")
    }
    #expect(photo.time.recorded.iso8601 == iso)
    #expect(photo.captureSource == .manual)
  }

  @Test func `on a day that is given, a moment in UTC has the clock of the assumed zone`()
    async throws
  {
    var builder = TIFFBuilder()
    builder.gps = [(0x1D, .ascii("2021:01:21")), (0x07, .rationals([(22, 1), (30, 1), (0, 1)]))]
    let (photo, _, _) = try await imported("leaf.jpg", jpeg(builder)) {
      $0.time = LocalDay("2021-06-01").map { .day($0) }
      $0.assumedTimeZone = TimeZone(identifier: "America/New_York")
    }
    #expect(photo.time.recorded.iso8601 == "2021-06-01T17:30:00-04:00")
  }

  @Test func `a file's time in the future is not the photo's`() async throws {
    fixture.clock.set(try #require(RecordedTime("2026-03-01T12:00")))
    let now = fixture.clock.now
    let (photo, warnings, summary) = try await imported(
      "leaf.jpg", jpeg(), modified: Double(now.milliseconds) / 1000 + 86_400 * 365)
    #expect(photo.time.recorded == .instant(now))
    #expect(photo.captureSource == .mtime)
    #expect(warnings == ["dateIsImportTime"])
    #expect(summary.guessedDates == 1)
  }

  @Test func `names with the day first are told from others by their folder, old files and new`()
    async throws
  {
    func add(_ name: String, _ picture: String) throws {
      try fixture.folder.write(jpeg(of: "Colour/" + picture), to: "photos/fern/" + name)
    }
    try add("05-06-2021.jpg", "srgb.jpg")
    let alone = try await fixture.run().outcomes.of("05-06-2021.jpg")
    #expect(alone?.added?.time.recorded.iso8601 == "2021")
    #expect(alone?.warnings == [.dateWithoutDay])
    try add("21-06-2021.jpg", "grey.jpg")
    _ = try await fixture.run()
    // The name that tells was imported before.
    try add("07-06-2021.jpg", "progressive.jpg")
    let later = try await fixture.run().outcomes.of("07-06-2021.jpg")
    #expect(later?.added?.time.recorded.iso8601 == "2021-06-07")
    let photo = try #require(alone?.added?.id)
    _ = try fixture.library.photos.redate(.photos([photo]), .source(.filename))
    #expect(
      try fixture.library.photos.entry(photo).time.recorded.iso8601 == "2021-06-05")
  }

  @Test(arguments: ["IMG_1.CR2", "img_1.nef"])
  func `a sidecar of a RAW file dates the JPEG beside it only if nothing else does`(
    raw: String
  ) async throws {
    let packet = XMPPacket(
      time: try #require(RecordedTime("2019-01-02T03:04")), notes: "leaf", plant: nil)
    try fixture.folder.write(Data(packet.bytes), to: "photos/fern/IMG_1.xmp")
    try fixture.folder.write(Data("raw".utf8), to: "photos/fern/" + raw)
    var builder = TIFFBuilder()
    builder.exif = [(0x9003, .ascii("2021:05:03 09:05:00"))]
    let dated = try await imported("IMG_1.jpg", jpeg(builder)).photo
    #expect(dated.captureSource == .exif)
    #expect(dated.time.recorded.iso8601 == "2021-05-03T09:05:00")
    #expect(try fixture.library.photos.entry(dated.id).notes == "leaf")
    let undated = try await imported(
      "IMG_1.jpg", jpeg(changed("2022:05:03 09:05:00"), of: "Colour/grey.jpg")
    ).photo
    #expect(undated.captureSource == .sidecar)
    // It still is the sidecar of a photo without a RAW file.
    try FileManager.default.removeItem(atPath: fixture.folder.file("photos/fern/" + raw))
    let own = try await imported("IMG_1.jpg", jpeg(builder, of: "Colour/progressive.jpg")).photo
    #expect(own.captureSource == .sidecar)
  }

  @Test func `a sidecar that is not well-formed is read as far as it can be, and said`()
    async throws
  {
    let text = """
      \n<?xml version="1.0"?>
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
       <rdf:Description xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/"
         photoshop:DateCreated="1978-05" crs:Version="1"/>
      </rdf:RDF>
      """
    try fixture.folder.write(Data(text.utf8), to: "photos/fern/leaf.jpg.xmp")
    let (photo, warnings, _) = try await imported("leaf.jpg", jpeg())
    #expect(photo.time.recorded.iso8601 == "1978-05" && photo.captureSource == .sidecar)
    #expect(warnings == ["xmpMended", "dateWithoutDay"])
  }

  @Test func `the text of a PNG dates it, unless EXIF does`() async throws {
    let text = EmbeddedMetadata.text("Creation Time", "Sat, 06 Aug 2022 12:44:26 +0200")
    let file = EmbeddedMetadata.png(EmbeddedMetadata.wavyPNG, "tEXt", text, .beforePixels)
    let (photo, warnings, _) = try await imported("leaf.png", Data(file))
    #expect(photo.captureSource == .png && warnings.isEmpty)
    #expect(photo.time.recorded.iso8601 == "2022-08-06T12:44:26+02:00")
    var builder = TIFFBuilder()
    builder.exif = [(0x9003, .ascii("2021:05:03 09:05:00"))]
    let both = EmbeddedMetadata.png(file, "eXIf", builder.block, .beforePixels)
    #expect(try await imported("both.png", Data(both)).photo.captureSource == .exif)
  }
}

/// The dates of the files that users of other programs have reported.
@Suite(.enabled(if: Fixtures.sharedCases != nil, "needs ../shared/cases"))
struct SharedDateTests {
  @Test(arguments: [
    ("exif-clock", ["a.jpg": "2015-08-22", "b.jpg": "2016-02-02"]),
    ("day-kept", ["x24.jpg": "2015-08-22"]),
    ("gps-dates", ["dateonly.jpg": "2021-05-01", "zero.jpg": "2021-05-01T10:11:00Z"]),
    ("xmp-partial", ["month.jpg": "1978-05", "side.jpg": "1978-05-14"]),
    (
      "exif-forms",
      [
        "cn.jpg": "2012-10-03T15:23:45", "ctime.jpg": "2013-08-16T14:50:41",
        "dots.jpg": "2013-12-24T14:05:06", "pm24.jpg": "2013-12-24T14:05:06",
        "single.jpg": "2015-08-02T01:02:03",
      ]
    ), ("xmp-prefix", ["lead.jpg": "2019-07-07T07:07:07", "photopea.jpg": "2025-02-14T10:00:00"]),
    ("png-time", ["rfc.png": "2022-08-06T12:44:26+02:00"]),
  ])
  func `a part of a date that is known is never replaced by the file's time`(
    folder: String, dates: [String: String]
  ) async throws {
    let cases = try #require(Fixtures.sharedCases)
    for policy in StoragePolicy.allCases {
      let fixture = try LibraryFixture(policy: policy)
      let (_, outcomes) = try await fixture.run([cases + "/" + folder])
      for (name, date) in dates {
        #expect(outcomes.of(name)?.added?.time.recorded.iso8601 == date, "\(folder)/\(name)")
      }
    }
  }
}
