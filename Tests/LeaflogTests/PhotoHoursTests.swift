import Foundation
import Leaflog
import TestSupport
import Testing

/// The time of day, and the light, of photos that are shown, exported or kept.
@Suite struct PhotoHoursTests {
  private let fixture: LibraryFixture
  private var library: Library { fixture.library }

  init() throws { fixture = try LibraryFixture(policy: .exact) }

  /// Imports drawn photos of plants, dark from twenty until six.
  private func shoot(_ photos: [(plant: String, time: String)]) async throws {
    for (number, photo) in photos.enumerated() {
      let hour = try #require(Int(photo.time.dropFirst(9).prefix(2)))
      let picture = (6..<20).contains(hour) ? DrawnFrame(lightness: 120) : .night
      try fixture.folder.write(
        picture.png(number), to: "photos/\(photo.plant)/\(photo.time).png")
    }
    _ = try await fixture.run()
  }

  private func hours(
    _ between: String? = nil, at: String? = nil, isLight: Bool = false
  ) throws -> PhotoHours {
    var hours = PhotoHours()
    hours.between = try between.map { try #require(PhotoHours.Span($0)) }
    hours.at = try at.map { try #require(TimeOfDay($0)) }
    hours.excludesDark = isLight
    return hours
  }

  /// The times of the photos that an export with these hours writes, by name of the file.
  private func exported(_ hours: PhotoHours) throws -> [String] {
    let folder = fixture.folder.file(TemporaryFolder.unusedPath().replacing("/", with: "_"))
    var request = ExportRequest(.matching(TimelineQuery(order: .oldestFirst)), to: folder)
    request.hours = hours
    var names: [String] = []
    try PhotoExporter(library).run(request) { outcome in
      names.append(outcome.entry.photo.map { String($0.originalName.dropLast(4)) } ?? "")
    }
    return names
  }

  @Test(
    arguments: [
      ("8:00", "08:00"), ("08:00", "08:00"), ("23:59:59", "23:59:59"), ("00:00", "00:00"),
      ("24:00", nil), ("8", nil), ("", nil), ("08:00Z", nil), ("08:00:00.5", nil),
      ("23:59:60", nil), ("08:00:5", nil), ("8:0", nil),
      ("-8:00", nil),
    ] as [(String, String?)])
  func `a time of day is read`(_ text: String, _ description: String?) {
    #expect(TimeOfDay(text)?.description == description)
  }

  @Test(
    arguments: [
      ("08:00-18:00", "08:00-18:00"), ("18:00-24:00", "18:00-24:00"), ("24:00-8:00", nil),
      ("20:00-4:00", "20:00-04:00"), ("08:00", nil),
      ("08:00-", nil), ("-", nil), ("08:00-10:00-12:00", nil), ("8-18", nil),
    ] as [(String, String?)])
  func `a part of the day is read`(_ text: String, _ description: String?) {
    #expect(PhotoHours.Span(text)?.description == description)
  }

  private static let day = [
    "20260301_000000", "20260301_035900", "20260301_080000", "20260301_115500", "20260301_120500",
    "20260301_180000", "20260301_180001", "20260301_233000",
  ]

  @Test(
    arguments: [
      ("08:00-18:00", nil, false, [2, 3, 4, 5]), ("20:00-4:00", nil, false, [0, 1, 7]),
      ("18:00-24:00", nil, false, [5, 6, 7]), ("18:00-18:00", nil, false, [5]),
      (nil, "12:00", false, [3]), (nil, "12:01", false, [4]), (nil, "14:00", false, []),
      (nil, "12:35", false, [4]), (nil, "12:36", false, []),
      // Midnight is as near as half past eleven, and comes first in the day.
      (nil, "23:45", false, [0]), (nil, "23:46", false, [0]), (nil, "23:44", false, [7]),
      (nil, nil, true, [2, 3, 4, 5, 6]), ("17:00-23:59", nil, true, [5, 6]),
      (nil, "00:10", true, []),
    ] as [(String?, String?, Bool, [Int])])
  func `photos are chosen by their clocks and their light`(
    _ between: String?, _ at: String?, _ isLight: Bool, _ expected: [Int]
  ) async throws {
    try await shoot(Self.day.map { ("fern", $0) })
    let found = try exported(hours(between, at: at, isLight: isLight))
    #expect(found == expected.map { Self.day[$0] })
  }

  @Test func `one photo of each plant and day is nearest to an hour`() async throws {
    try await shoot([
      ("fern", "20260301_115000"), ("fern", "20260301_121000"), ("basil", "20260301_121100"),
      ("fern", "20260302_113000"), ("basil", "20260302_114000"), ("fern", "20260302_115500"),
      ("basil", "20260302_140000"),
    ])
    #expect(
      try exported(hours(at: "12:00")) == [
        "20260301_115000", "20260301_121100", "20260302_114000", "20260302_115500",
      ])
  }

  @Test func `a photo of which only the day is known has no hour, but may be light`() async throws {
    try await shoot([("fern", "20260301_120000")])
    let id = try #require(try fixture.entries().first).id
    _ = try library.photos.edit(id, time: .day(try #require(LocalDay("2026-03-01"))))
    #expect(try exported(hours("00:00-23:59")).isEmpty)
    #expect(try exported(hours(at: "12:00")).isEmpty)
    #expect(try exported(hours(isLight: true)).count == 1)
  }

  @Test func `the wall time counts, in whatever zone it was`() async throws {
    try await shoot([("fern", "20260301_120000")])
    let id = try #require(try fixture.entries().first).id
    _ = try library.photos.edit(id, time: RecordedTime("2026-03-01T08:30:00+09:00"))
    #expect(try exported(hours("08:00-09:00")).count == 1)
  }

  @Test func `a film has only photos of its hours`() async throws {
    try await shoot(
      (1...3).flatMap { day in
        ["060000", "120000", "130000", "220000"].map { ("fern", "2026030\(day)_\($0)") }
      })
    func frames(_ change: (inout TimeLapseRequest) throws -> Void) async throws -> Int {
      var request = try TimeLapseRequest(
        plant: library.plants.find(matching: "fern").id, path: fixture.folder.file("film.gif"))
      try change(&request)
      return try await TimeLapse(library).run(request) { _ in }.frameCount
    }
    #expect(try await frames { _ in } == 12)
    #expect(try await frames { $0.hours = try hours("12:00-13:00") } == 6)
    #expect(try await frames { $0.hours = try hours(at: "12:10") } == 3)
    #expect(try await frames { $0.hours = try hours(isLight: true) } == 9)
    #expect(
      try await frames {
        $0.hours = try hours("12:00-13:00")
        $0.first = TimelineBound(library.placed(try #require(RecordedTime("2026-03-02T12:30"))))
      } == 3)
    await #expect(throws: LeaflogError.self) {
      try await frames { $0.hours = try hours("01:00-02:00") }
    }
  }

  /// The times of day that thinning to one photo a day leaves.
  private func kept(_ hours: PhotoHours, _ count: Int = 1) throws -> [String] {
    var request = PruneRequest()
    request.thinning = Thinning(count: count, per: .day)
    request.hours = hours
    let plan = try Pruner(library).plan(request)
    let gone = Set(plan.thinned.map(\.id))
    return try fixture.entries(TimelineQuery(order: .oldestFirst)).filter { !gone.contains($0.id) }
      .compactMap { $0.photo.map { String($0.originalName.dropFirst(6).prefix(7)) } }
  }

  @Test(arguments: [360, 60])
  func `thinning keeps photos of the hours, and others where there are none`(every minutes: Int)
    async throws
  {
    // With many photos a day it is a camera's series.
    let clocks = stride(from: 0, to: 24 * 60, by: minutes).map {
      String(format: "%02d%02d00", $0 / 60, $0 % 60)
    }
    try await shoot(
      clocks.map { ("fern", "20260301_\($0)") } + clocks.map { ("fern", "20260302_\($0)") }
        + [("fern", "20260303_060000"), ("fern", "20260303_070000")])
    #expect(try kept(hours(at: "18:10")).prefix(2) == ["01_1800", "02_1800"])
    // A day without such a photo keeps another one.
    #expect(try kept(hours(at: "18:10")).count == 3)
    #expect(try kept(hours("17:00-19:00"), 2).prefix(4).count { $0.hasSuffix("1800") } == 2)
    #expect(try kept(hours("17:00-18:30"), 2).count == 6)
    let night = try kept(hours("23:00-01:00"))
    #expect(night.prefix(2).allSatisfy { $0.hasSuffix("0000") || $0.hasSuffix("2300") })
  }

  @Test func `a photo that stays in any case takes no place from those of the hours`() async throws
  {
    try await shoot(["030000", "120000", "120500", "180000"].map { ("fern", "20260301_\($0)") })
    let noon = try #require(
      try fixture.entries().first { $0.time.wall.minute == 0 && $0.time.wall.hour == 12 })
    _ = try library.photos.edit(noon.id, tags: ["tall"])
    #expect(try kept(hours(at: "12:00"), 2) == ["01_1200", "01_1205"])
    #expect(try kept(hours(isLight: true), 2).contains("01_0300") == false)
    let without = PhotoHours()
    #expect(try kept(without, 2).count == 2)
  }
}
