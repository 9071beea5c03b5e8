import Foundation
import Imaging
import TestSupport
import Testing

/// Photos of whose date only a day, a month or a year is known.
@Suite struct PartialDateTests {
  private let fixture: CommandFixture

  private static let dates = ["1978", "1978-05", "1978-05-02", "1979-06-07T08:09:10"]

  /// A library with a photo for each date, of the plant `fern`.
  init() throws {
    fixture = try CommandFixture()
    for (number, date) in Self.dates.enumerated() {
      let photo = "photos/fern/\(number).jpg"
      try fixture.folder.write(
        try Fixtures.data("Photos/basil/20250510T120006+0100.jpg")
          + Data(repeating: 0, count: number), to: photo)
      try fixture.folder.write(Self.sidecar(date), to: photo + ".xmp")
    }
    // Their compressed copies would be the same.
    let result = try fixture.leaflog("import", fixture.photos, "--policy", "exact", "--json")
    #expect(result.status == 0, "\(result.error)")
    let times = result.json.compactMap { $0["capturedAt"] as? String }
    #expect(Set(times) == Set(Self.dates))
  }

  private static func sidecar(_ date: String) -> Data {
    Data(
      """
      <x:xmpmeta xmlns:x="adobe:ns:meta/">
       <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
        <rdf:Description xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/"
          photoshop:DateCreated="\(date)"/>
       </rdf:RDF>
      </x:xmpmeta>
      """.utf8)
  }

  private func id(_ date: String) throws -> String {
    try #require(
      try fixture.entries().first { $0["occurredAt"] as? String == date }?["id"] as? String)
  }

  @Test func `they are listed at their first day, as far as they are known`() throws {
    let text = try fixture.leaflog("timeline").output
    let headings = text.split(separator: "\n").filter { !$0.hasPrefix(" ") }
    #expect(headings == ["1979-06-07 Thursday", "1978-05-02 Tuesday", "May 1978", "1978"])
    #expect(!text.contains("00:00"))
    let entries = try fixture.entries()
    #expect(Set(entries.compactMap { $0["occurredAt"] as? String }) == Set(Self.dates))
    let month = entries.first { $0["occurredAt"] as? String == "1978-05" }
    #expect(month?["localDay"] as? String == "1978-05-01" && month?["plantDay"] == nil)
    #expect(
      try fixture.leaflog("show", id("1978-05")).output.contains("May 1978 (day not recorded)"))
    #expect(
      try fixture.leaflog("show", id("1978")).output.contains("1978 (month not recorded), from an"))
    #expect(
      try fixture.leaflog("show", id("1978-05-02")).output
        .contains("1978-05-02 (time of day not recorded)"))
    let plant = try fixture.leaflog("plant", "show", "fern").output
    #expect(plant.contains("1978, ") && plant.contains("1979-06-07 Thursday 08:09"))
  }

  @Test func `they come back from an export`() throws {
    let out = fixture.folder.file("out")
    #expect(try fixture.leaflog("photo", "export", "--plant", "fern", "-o", out).status == 0)
    let names = fixture.folder.files(below: "out/fern").filter { $0.hasSuffix(".jpg") }
    #expect(
      Set(names.map { String($0.split(separator: "/").last ?? "") })
        == ["1978.jpg", "1978-05.jpg", "1978-05-02.jpg", "1979-06-07_080910.jpg"])
    let other = fixture.folder.file("other")
    let again = try fixture.leaflog("import", out, "--json", "--library", other)
    #expect(Set(again.json.compactMap { $0["capturedAt"] as? String }) == Set(Self.dates))
  }

  @Test func `they are corrected by hand, and undone`() throws {
    let photo = try id("1978")
    #expect(try fixture.leaflog("photo", "edit", photo, "--at", "9:30").status != 0)
    #expect(
      try fixture.json("photo", "edit", photo, "--at", "1977-12")["occurredAt"] as? String
        == "1977-12")
    #expect(
      try fixture.json("photo", "edit", photo, "--at", "1977-12-24")["occurredAt"] as? String
        == "1977-12-24")
    #expect(
      try fixture.json("photo", "edit", photo, "--at", "16:05")["occurredAt"] as? String
        == "1977-12-24T16:05:00")
    #expect(!(try fixture.leaflog("show", photo).output.contains("is known")))
    for _ in 1...3 { #expect(try fixture.leaflog("undo").status == 0) }
    #expect(try id("1978") == photo)
    #expect(try fixture.leaflog("photo", "edit", photo, "--at", "9999").status != 0)
  }

  @Test func `only what is known can be shifted`() throws {
    let result = try fixture.leaflog(
      "photo", "redate", "--plant", "fern", "--shift", "1h", "--json")
    #expect(result.output.contains("1979-06-07T09:09:10"))
    #expect((result.json.first?["failed"] as? [Any])?.count == 3)
    let days = try fixture.leaflog("photo", "redate", "--plant", "fern", "--shift", "-1d", "--json")
    #expect(days.output.contains("1978-05-01") && !days.output.contains("1978-04"))
    #expect((days.json.first?["failed"] as? [Any])?.count == 2)
  }

  @Test func `a time zone that changes leaves them where they are`() throws {
    #expect(try fixture.leaflog("settings", "set", "timeZone", "Pacific/Auckland").status == 0)
    #expect(
      Set(try fixture.entries().compactMap { $0["occurredAt"] as? String }) == Set(Self.dates))
  }

  @Test func `a film and a comparison show them`() throws {
    let film = try fixture.leaflog(
      "timelapse", "fern", "-o", fixture.folder.file("film.webp"), "--pace", "true", "--json")
    #expect(film.json.first?["frames"] as? Int == 4, "\(film.error)")
    let (first, second) = (try id("1978"), try id("1979-06-07T08:09:10"))
    let pair = try fixture.leaflog(
      "compare", first, second, "-o", fixture.folder.file("pair.jpg"), "--json")
    #expect(pair.status == 0, "\(pair.error)")
  }

  @Test func `the photos of an import are given one, which keeps a date that lies in it`() throws {
    let other = fixture.folder.file("other")
    let result = try fixture.leaflog(
      "import", fixture.photos, "--json", "--library", other, "--at", "1979")
    let times = result.json.compactMap { $0["capturedAt"] as? String }
    #expect(times.sorted() == ["1979", "1979", "1979", "1979-06-07T08:09:10"])
    #expect(result.json.compactMap { $0["captureSource"] as? String }.allSatisfy { $0 == "manual" })
  }

  @Test func `a symptom has a day`() throws {
    for date in ["2025-05", "2025"] {
      #expect(
        try fixture.leaflog("symptom", "add", "cough", "--severity", "1", "--at", date).status != 0)
    }
  }
}
