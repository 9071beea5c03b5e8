import Foundation
import Leaflog
import TestSupport
import Testing

@Suite struct EditingTests {
  private func imported(_ names: String..., at zone: Bool = true) async throws -> LibraryFixture {
    let fixture = try LibraryFixture()
    for name in names {
      try fixture.folder.copy("Photos/" + name, to: "photos/" + name)
    }
    _ = try await fixture.run()
    return fixture
  }

  private func times(_ fixture: LibraryFixture) throws -> [String] {
    try fixture.entries(TimelineQuery(order: .oldestFirst)).map(\.time.recorded.iso8601)
  }

  private func all(_ fixture: LibraryFixture) throws -> PhotoSelection {
    .photos(try fixture.entries(TimelineQuery(order: .oldestFirst)).map(\.id))
  }

  @Test func `plants are listed by name, all by their names alone or some as a whole`() async throws
  {
    let fixture = try await imported(
      "basil/20250510T120006+0100.jpg", "monstera/IMG_0001.jpg")
    let plants = fixture.library.plants
    let zinnia = try plants.add(PlantDetails(name: "Zinnia"))
    let aloe = try plants.add(PlantDetails(name: "aloe"))
    let fern = try plants.add(PlantDetails(name: "fern"))
    _ = try plants.delete(fern.id)
    #expect(try plants.references().map(\.name) == ["aloe", "basil", "monstera", "Zinnia"])
    let whole = try plants.all()
    #expect(try plants.references().map(\.id) == whole.map(\.id))
    let covers = try plants.covers(of: [zinnia.id, aloe.id, fern.id, whole[1].id])
    #expect(covers.map(\.plant.id) == [whole[0], whole[1], whole[3]].map(\.id))
    #expect(covers.map { $0.photo?.id } == [nil, whole[1].latestPhotos.first, nil])
    #expect(covers.map(\.lastPhotoDay) == [nil, whole[1].lastPhotoDay, nil])
    #expect(try plants.covers(of: []).isEmpty)
    #expect(try plants.covers().map(\.plant.id) == whole.map(\.id))
  }

  @Test func `the id of another entry is none of a photo`() async throws {
    let fixture = try await imported("monstera/IMG_0001.jpg")
    let photos = fixture.library.photos
    let photo = try fixture.entries()[0].id
    let ache = try fixture.library.diary.addSymptom(Symptom(name: "ache", severity: Severity(1)))
    let mixed = PhotoSelection.photos([photo, ache.id])
    for call in [
      { try photos.setFavourite(true, for: mixed) }, { try photos.delete(mixed) },
      { try photos.move(mixed, to: nil) }, { try photos.edit(mixed, notes: "a leaf") },
      { try photos.redate(mixed, .shift(.seconds(60))) },
    ] as [() throws -> EditResult] {
      let error = #expect(throws: LeaflogError.self) { try call() }
      #expect(error?.code == .notFound)
    }
    #expect(try fixture.library.history.page(limit: 9).changes.map(\.kind).first == .symptomAdd)
  }

  @Test func `shifting moves the clock and leaves the offset`() async throws {
    let fixture = try await imported(
      "monstera/IMG_0001.jpg", "tomato/IMG_20250705_190500.jpg")
    let result = try fixture.library.photos.redate(all(fixture), .shift(.seconds(-90_000)))
    #expect(result.changed.map { $0.photo?.captureSource } == [.manual, .manual])
    #expect(try times(fixture) == ["2025-04-01T07:11:05+02:00", "2025-07-04T18:05:00"])
    #expect(try fixture.library.history.undo(.photoRedate).counts.map(\.changed) == [2])
    #expect(try times(fixture) == ["2025-04-02T08:11:05+02:00", "2025-07-05T19:05:00"])
  }

  @Test(arguments: [Int64.min, -100_000_000_000, 1_000_000_000_000, .max])
  func `a shift beyond the calendar is refused`(seconds: Int64) async throws {
    let fixture = try await imported("tomato/IMG_20250705_190500.jpg")
    let result = try fixture.library.photos.redate(
      all(fixture), .shift(.seconds(seconds)), confirmed: [.future])
    #expect(result.changed.isEmpty && result.failures.count == 1)
    #expect(try times(fixture) == ["2025-07-05T19:05:00"])
  }

  @Test func `a wall time that is shifted over a change of clocks stays one`() async throws {
    let fixture = try await imported("tomato/IMG_20250705_190500.jpg")
    // From summer into winter time: 19:05 stays 19:05.
    _ = try fixture.library.photos.redate(all(fixture), .shift(.seconds(150 * 86_400)))
    #expect(try times(fixture) == ["2025-12-02T19:05:00"])
    #expect(try fixture.entries()[0].time.offset.seconds == 3600)
  }

  @Test func `a zone is for those that have none`() async throws {
    let fixture = try await imported(
      "monstera/IMG_0001.jpg", "tomato/IMG_20250705_190500.jpg")
    let zone = try #require(TimeZone(identifier: "Asia/Tokyo"))
    let result = try fixture.library.photos.redate(all(fixture), .timeZone(zone))
    #expect(result.changed.count == 1 && result.unchangedCount == 1)
    #expect(try times(fixture) == ["2025-04-02T08:11:05+02:00", "2025-07-05T19:05:00+09:00"])
    #expect(result.changed[0].photo?.captureSource == .filename)
  }

  @Test func `another source is read again`() async throws {
    let fixture = try await imported("monstera/IMG_0001.jpg", "tomato/IMG_20250705_190500.jpg")
    let path = fixture.photos + "/tomato/IMG_20250705_190500.jpg"
    let before = try times(fixture)
    let selection = try all(fixture)
    _ = try fixture.library.photos.redate(selection, .shift(.seconds(3600)))
    let exif = try fixture.library.photos.redate(selection, .source(.exif))
    #expect(exif.changed.count == 1 && exif.failures.count == 1)
    #expect(exif.failures[0].message.contains("EXIF"))
    #expect(try times(fixture)[0] == before[0])
    #expect(
      try fixture.entries(TimelineQuery(order: .oldestFirst))[0].photo?.captureSource == .exif)
    let named = try fixture.library.photos.redate(selection, .source(.filename))
    #expect(named.changed.count == 1 && named.failures.count == 1)
    #expect(try times(fixture) == before)

    let sidecar = try fixture.library.photos.redate(selection, .source(.sidecar))
    #expect(sidecar.failures.count == 2)
    try fixture.folder.write(
      Data(
        """
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
          xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description
          xmlns:exif="http://ns.adobe.com/exif/1.0/"
          exif:DateTimeOriginal="2024-01-02T03:04:05+05:30"/></rdf:RDF></x:xmpmeta>
        """.utf8), to: "photos/tomato/IMG_20250705_190500.jpg.xmp")
    #expect(try fixture.library.photos.redate(selection, .source(.sidecar)).changed.count == 1)
    #expect(try times(fixture)[0] == "2024-01-02T03:04:05+05:30")
    // The photo's file may be gone by now, its sidecar tells all the same.
    try FileManager.default.removeItem(atPath: path)
    #expect(try fixture.library.photos.redate(selection, .source(.sidecar)).unchangedCount == 1)
    #expect(try fixture.library.photos.redate(selection, .source(.mtime)).changed.count == 2)
  }

  @Test func `the future is refused unless it is meant`() async throws {
    let fixture = try await imported("monstera/IMG_0001.jpg")
    let id = try fixture.entries()[0].id
    let next = RecordedTime("2124-01-01T00:00")
    let error = #expect(throws: LeaflogError.self) {
      try fixture.library.photos.edit(id, time: next)
    }
    #expect(error?.code == .unconfirmed)
    let century = Redating.shift(.seconds(100 * 365 * 86_400))
    #expect(try fixture.library.photos.redate(.photos([id]), century).failures.count == 1)
    #expect(try times(fixture) == ["2025-04-02T08:11:05+02:00"])
    #expect(
      try fixture.library.photos.edit(id, time: next, confirmed: [.future]).changed.count == 1)
    #expect(try times(fixture) == ["2124-01-01T00:00:00"])
  }

  @Test func `a day alone keeps the time of day`() async throws {
    let fixture = try await imported("monstera/IMG_0001.jpg", "tomato/IMG_20250705_190500.jpg")
    let day = try #require(LocalDay("2024-02-29"))
    for entry in try fixture.entries() {
      _ = try fixture.library.photos.edit(entry.id, time: entry.time.on(day))
    }
    #expect(Set(try times(fixture)) == ["2024-02-29T08:11:05+02:00", "2024-02-29T19:05:00"])
  }

  @Test func `a plant's record tells its rhythm`() async throws {
    let fixture = try LibraryFixture()
    _ = try await fixture.run([Fixtures.path("Photos/monstera")])
    let record = try fixture.library.plants.record(
      of: fixture.library.plants.find(matching: "monstera"))
    #expect(record.firstPhoto?.time.localDay == LocalDay("2025-04-02"))
    #expect(record.lastPhoto?.time.localDay == LocalDay("2025-07-01"))
    #expect(record.medianDaysBetweenPhotos == 24)
    #expect(record.months.map(\.name) == ["2025-04", "2025-05", "2025-06", "2025-07"])
    #expect(record.months.map(\.count) == [2, 1, 1, 1])
    #expect(record.entryCount == 5)
    let empty = try fixture.library.plants.add(PlantDetails(name: "seed"))
    let none = try fixture.library.plants.record(of: empty)
    #expect(none.firstPhoto == nil && none.medianDaysBetweenPhotos == nil && none.months.isEmpty)
  }
}
