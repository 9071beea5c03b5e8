import Foundation
import Leaflog
import TestSupport
import Testing

/// Spans of the timeline that begin or end within a day.
@Suite struct TimelineBoundTests {
  private let fixture: LibraryFixture
  private var library: Library { fixture.library }

  init() throws { fixture = try LibraryFixture(policy: .exact) }

  /// Imports photos of two plants, at four and at sixteen, on three days.
  private func shoot() async throws {
    for (number, name) in [
      "fern/20260301_040000", "basil/20260301_160000", "fern/20260302_040000",
      "basil/20260302_160000", "fern/20260303_040000", "basil/20260303_160000",
    ].enumerated() {
      try fixture.folder.write(DrawnFrame(lightness: 120).png(number), to: "photos/\(name).png")
    }
    _ = try await fixture.run()
  }

  private func bound(_ text: String?) throws -> TimelineBound? {
    try text.map { TimelineBound(library.placed(try #require(RecordedTime($0)))) }
  }

  private func query(_ first: String?, _ last: String?) throws -> TimelineQuery {
    var query = TimelineQuery(order: .oldestFirst)
    query.first = try bound(first)
    query.last = try bound(last)
    return query
  }

  private func times(_ query: TimelineQuery) throws -> [String] {
    try fixture.entries(query).map { String($0.time.wall.description.dropFirst(8).prefix(5)) }
  }

  @Test(
    arguments: [
      (nil, nil, ["01T04", "01T16", "02T04", "02T16", "03T04", "03T16"]),
      ("2026-03-01T04:00", "2026-03-01T16:00", ["01T04", "01T16"]),
      ("2026-03-01T04:00:00.001", "2026-03-02T03:59:59.999", ["01T16"]),
      ("2026-03-02T05:00", nil, ["02T16", "03T04", "03T16"]),
      (nil, "2026-03-01T15:00:00Z", ["01T04", "01T16"]),
      (nil, "2026-03-01T14:59:59Z", ["01T04"]),
      // A day alone is whole.
      ("2026-03-02T05:00", "2026-03-03", ["02T16", "03T04", "03T16"]),
      ("2026-03-02", "2026-03-02T05:00", ["02T04"]),
      ("2026-03-02T17:00", "2026-03-02T05:00", []),
    ] as [(String?, String?, [String])])
  func `a span has what lies between its ends, themselves included`(
    _ first: String?, _ last: String?, _ expected: [String]
  ) async throws {
    try await shoot()
    var query = try query(first, last)
    #expect(try times(query) == expected)
    query.order = .newestFirst
    #expect(try times(query) == expected.reversed())
    query.kinds = [.photo]
    #expect(try times(query) == expected.reversed())
    #expect(try library.timeline.tally(query).reduce(0) { $0 + $1.count } == expected.count)
    query.plant = try library.plants.find(matching: "fern").id
    #expect(try times(query) == expected.reversed().filter { $0.hasSuffix("04") })
    #expect(try library.timeline.tally(query).reduce(0) { $0 + $1.count } == times(query).count)
  }

  @Test func `a time after midnight lies in the day that it counts for`() async throws {
    try library.settings.set(.dayEnd, to: "5")
    let late = try library.refreshed()
    for (number, name) in ["20260302_040000", "20260302_160000", "20260303_040000"].enumerated() {
      try fixture.folder.write(
        DrawnFrame(lightness: 120).png(number), to: "photos/fern/\(name).png")
    }
    _ = try await Importer(late).run(ImportRequest(paths: [fixture.photos])) { _ in }
    func days(_ first: String, _ last: String) throws -> [String] {
      var query = TimelineQuery(order: .oldestFirst)
      query.first = TimelineBound(late.placed(try #require(RecordedTime(first))))
      query.last = TimelineBound(late.placed(try #require(RecordedTime(last))))
      return try late.timeline.page(query).elements.map(\.time.localDay.description)
    }
    // At four it is still the day before.
    #expect(try days("2026-03-02T03:00", "2026-03-02T20:00") == ["2026-03-01", "2026-03-02"])
    #expect(try days("2026-03-02T04:30", "2026-03-03T04:00") == ["2026-03-02", "2026-03-02"])
    #expect(try days("2026-03-01", "2026-03-02T04:30") == ["2026-03-01"])
  }

  @Test func `tags, favourites, the trash and pages keep within a span`() async throws {
    try await shoot()
    var span = try query("2026-03-01T10:00", "2026-03-03T10:00")
    let ids = try fixture.entries().map(\.id)
    _ = try library.photos.edit(.photos(ids), tags: ["tray"], isFavourite: true)
    let expected = ["01T16", "02T04", "02T16", "03T04"]
    span.tags = ["tray"]
    #expect(try times(span) == expected)
    span.isFavourite = true
    #expect(try times(span) == expected)
    span.tags = []
    #expect(try times(span) == expected)
    let page = try library.timeline.page(span, limit: 3)
    let next = try library.timeline.page(
      span, at: .cursor(try #require(page.next)), limit: 3)
    #expect(page.elements.count == 3 && next.elements.count == 1 && next.next == nil)
    _ = try library.photos.delete(.matching(span))
    #expect(try fixture.entries().count == 2)
    span.deleted = true
    #expect(try times(span) == expected)
  }

  @Test func `a clock that was wrong from an hour on is set right from there`() async throws {
    try await shoot()
    let span = try query("2026-03-02T10:00", nil)
    _ = try library.photos.redate(.matching(span), .shift(.seconds(3600)))
    #expect(
      try times(TimelineQuery(order: .oldestFirst)) == [
        "01T04", "01T16", "02T04", "02T17", "03T05", "03T17",
      ])
  }
}
