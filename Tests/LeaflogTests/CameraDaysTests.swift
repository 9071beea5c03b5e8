import BlobStorage
import Foundation
import Imaging
import Leaflog
import TestSupport
import Testing

/// The photos of a camera that shoots day and night.
@Suite struct CameraDaysTests {
  private let fixture: LibraryFixture
  private var library: Library { fixture.library }
  private static let march = LocalDay("2026-03-02")!

  init() throws { fixture = try LibraryFixture() }

  private typealias Picture = DrawnFrame

  /// Imports photos of a plant, taken at even intervals from midnight on.
  ///
  /// - Parameter picture: by the day's number and the minute of the day; nil for none.
  private func shoot(
    _ plant: String = "tray", days: Range<Int> = 0..<1, every minutes: Int = 60,
    _ picture: (_ day: Int, _ minute: Int) -> Picture?
  ) async throws {
    for day in days {
      for minute in stride(from: 0, to: 24 * 60, by: minutes) {
        guard let picture = picture(day, minute) else { continue }
        let time = String(format: "%02d%02d00", minute / 60, minute % 60)
        let name = "\(Self.march.advanced(by: day))".replacing("-", with: "") + "_\(time).png"
        try fixture.folder.write(
          picture.png(day * 1440 + minute), to: "photos/\(plant)/\(name)")
      }
    }
    _ = try await fixture.run()
  }

  private static func isLit(_ minute: Int) -> Bool { (7 * 60..<19 * 60).contains(minute) }

  private static func daylight(_: Int, _ minute: Int) -> Picture {
    isLit(minute) ? Picture(lightness: 120) : .night
  }

  private func query(_ plant: String = "tray") throws -> TimelineQuery {
    TimelineQuery(plant: try library.plants.find(matching: plant).id, kinds: [.photo])
  }

  private func minute(_ photo: Entry?) throws -> Int {
    try #require(photo).time.wall.millisecondOfDay / 60_000
  }

  @Test
  func `where the last photo of a day is dark, one from the middle of its light stands for it`()
    async throws
  {
    try await shoot(days: 0..<3, every: 60, Self.daylight)
    let timeline = library.timeline
    let photos = try query()
    let cover = try #require(try timeline.cover(of: photos))
    #expect(cover.time.localDay == Self.march.advanced(by: 2))
    #expect(try minute(cover) / 60 == 12)
    let plant = try library.plants.find(matching: "tray")
    #expect(try library.plants.covers().map { $0.photo?.id } == [cover.id])
    #expect(plant.latestPhotos.first != cover.id && plant.latestPhotos.count == 4)
    let days = (0..<3).map { Self.march.advanced(by: $0) }
    let stacks = days.map { PhotoStack(days: $0...$0, plant: plant.id) }
    let found = try timeline.entries(TimelineQuery(), stacking: stacks, limit: 10)
    #expect(found.entries.isEmpty && found.covers.count == 3)
    #expect(try stacks.map { try minute(found.covers[$0]) / 60 } == [12, 12, 12])
    // A span is shown by its newest day; all plants' photos, too.
    let month = PhotoStack(days: days[0]...days[2])
    #expect(
      try timeline.entries(TimelineQuery(), stacking: [month], limit: 0).covers[month]?.id
        == cover.id)
  }

  @Test func `of a day with many photos some are looked at, spread over all of it`() async throws {
    try await shoot(every: 5, Self.daylight)
    #expect(try fixture.entries().count == 288)
    let middle = try minute(try library.timeline.cover(of: query()))
    #expect(abs(middle - 13 * 60) <= 60)
  }

  @Test func `a light last photo stands for its day, and the last if all are dark`() async throws {
    try await shoot("late") { _, minute in minute < 23 * 60 ? .night : Picture(lightness: 6) }
    try await shoot("cellar") { _, _ in Picture(lightness: 3) }
    try await shoot("herbs") { _, minute in Self.isLit(minute) ? Picture(lightness: 90) : nil }
    let timeline = library.timeline
    #expect(try minute(timeline.cover(of: query("late"))) == 23 * 60)
    #expect(try minute(timeline.cover(of: query("cellar"))) == 23 * 60)
    #expect(try minute(timeline.cover(of: query("herbs"))) == 18 * 60)
    #expect(try timeline.cover(of: TimelineQuery(tags: ["none"])) == nil)
    // A filter holds for what stands for the day.
    let lit = try fixture.entries(query("herbs"))
    _ = try library.diary.addTags(["kept"], to: [lit[3].id])
    var tagged = try query("herbs")
    tagged.tags = ["kept"]
    #expect(try timeline.cover(of: tagged)?.id == lit[3].id)
  }

  private func kept(_ thinning: Thinning, _ plant: String = "tray") throws -> [Entry] {
    var request = PruneRequest()
    request.thinning = thinning
    let thinned = Set(try Pruner(library).plan(request).thinned.map(\.id))
    var photos = try query(plant)
    photos.order = .oldestFirst
    return try fixture.entries(photos).filter { !thinned.contains($0.id) }
  }

  @Test func `thinning a camera's series keeps the sharpest near the usual time of day`()
    async throws
  {
    // Noise at night and in the evening looks sharp; in the light, the picture of 13:20 is sharper.
    try await shoot(days: 0..<3, every: 20) { _, minute in
      if !Self.isLit(minute) { return Picture(lightness: 2, shake: 200) }
      if minute >= 18 * 60 { return Picture(lightness: 60, shake: 100) }
      return Picture(lightness: 120, shake: minute == 13 * 60 + 20 ? 30 : 2)
    }
    let daily = try kept(Thinning(count: 1, per: .day))
    #expect(try daily.map(minute) == Array(repeating: 13 * 60 + 20, count: 3))
    // Several are spread over the day's light, and a week's over its days.
    let several = try kept(Thinning(count: 3, per: .day))
    #expect(several.count == 9)
    let hours = try several.map { photo in try minute(photo) / 60 }
    #expect(hours.allSatisfy { (7...18).contains($0) })
    #expect(Set(hours.prefix(3)).count == 3)
    let ofWeek = try kept(Thinning(count: 3, per: .week))
    #expect(ofWeek.count == 3 && Set(ofWeek.map(\.time.localDay)).count == 3)
  }

  @Test(arguments: [1, 7]) func `a series that is thinned again and again stays one`(
    dayCount: Int
  ) async throws {
    func thin() throws {
      var request = PruneRequest()
      request.thinning = Thinning(count: 1, per: .day)
      _ = try Pruner(library).run(try Pruner(library).plan(request))
    }
    for turn in 0..<3 {
      try await shoot(days: (turn * dayCount)..<((turn + 1) * dayCount), every: 60) { day, minute in
        Self.isLit(minute) ? Picture(lightness: 120, shake: minute > 17 * 60 ? 80 : 2) : .night
      }
      try thin()
    }
    let left = try fixture.entries(query())
    #expect(left.count == 3 * dayCount)
    #expect(try left.map(minute).allSatisfy { abs($0 - 13 * 60) <= 60 })
  }

  @Test func `photos that a phone took are thinned by their sharpness alone`() async throws {
    try await shoot(days: 0..<20, every: 90) { day, minute in
      // A day of many photos among days of few.
      guard day == 4 || minute < 90 * (day % 4 + 1) else { return nil }
      return Picture(lightness: 100, shake: minute == 0 ? 90 : UInt8(minute / 90))
    }
    let left = try kept(Thinning(count: 1, per: .day))
    #expect(left.count == 20)
    #expect(try left.map(minute).allSatisfy { $0 == 0 })
  }

  @Test func `photos of which only the day is known are no series`() async throws {
    try await shoot(every: 60) { _, minute in
      Picture(lightness: 100, shake: minute == 15 * 60 ? 90 : 2)
    }
    let photos = try fixture.entries(query())
    for photo in photos { _ = try library.photos.edit(photo.id, time: .day(Self.march)) }
    let left = try kept(Thinning(count: 1, per: .day))
    #expect(left.count == 1)
    let sharpest = try library.photos.find(try #require(left.first).id)
    #expect(sharpest.originalName.hasSuffix("_150000.png"))
  }

  @Test func `photos of which only the day is known do not shift the middle of a day`() async throws
  {
    try await shoot(every: 10, Self.daylight)
    let early = try #require(fixture.entries(query()).last { $0.photo?.isDark == false })
    _ = try library.photos.edit(early.id, time: .day(Self.march))
    #expect(abs(try minute(library.timeline.cover(of: query())) - 13 * 60) <= 60)
  }

  @Test func `a photo with notes counts among the photos to keep of a series`() async throws {
    try await shoot(every: 60, Self.daylight)
    let photos = try fixture.entries(query())
    _ = try library.photos.edit(photos[0].id, notes: "night")
    #expect(try kept(Thinning(count: 1, per: .day)).map(\.id) == [photos[0].id])
    let two = try kept(Thinning(count: 2, per: .day))
    #expect(two.count == 2 && two.contains { $0.id == photos[0].id })
    #expect(try two.map(minute).contains { $0 / 60 == 13 })
  }

  private func firstFrameIsDark(of path: String) throws -> Bool {
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    let film = try PhotoFile(bytes: SharedBytes(copying: data), format: .webp)
    return try Placeholder.hash(film.decode()).first.map(PhotoSummary.isDark) ?? true
  }

  private func lose(_ photo: Entry) throws {
    for rendition in try library.photos.find(photo.id).renditions {
      let path = library.photos.path(of: rendition)
      // One may serve as both.
      if FileManager.default.fileExists(atPath: path) {
        try FileManager.default.removeItem(atPath: path)
      }
    }
  }

  @Test func `a film begins with the first photo that can be read, or is not made`()
    async throws
  {
    try await shoot { _, minute in minute < 6 * 60 ? Picture(lightness: 140) : nil }
    var oldest = try query()
    oldest.order = .oldestFirst
    let photos = try fixture.entries(oldest)
    var request = try TimeLapseRequest(
      plant: library.plants.find(matching: "tray").id, path: fixture.folder.file("film.webp"))
    request.alignsPhotos = false
    for photo in photos.prefix(3) { try lose(photo) }
    let film = try await TimeLapse(library).run(request)
    #expect(film.frameCount == 6 && film.failures.count == 3)
    #expect(film.duration == .milliseconds(600))
    #expect(try !firstFrameIsDark(of: request.path))
    let written = try Data(contentsOf: URL(fileURLWithPath: request.path))
    for photo in photos.dropFirst(3) { try lose(photo) }
    let final = request
    let error = await #expect(throws: LeaflogError.self) {
      try await TimeLapse(library).run(final)
    }
    #expect(error?.message.hasPrefix("None of the 6 photos can be shown") == true)
    #expect(try Data(contentsOf: URL(fileURLWithPath: request.path)) == written)
  }

  @Test func `a GIF and a WebP have at most fifty photos a second`() async throws {
    try await shoot { _, minute in minute < 3 * 60 ? Picture(lightness: 140) : nil }
    for (ending, rate, isMade) in [
      ("gif", 50.0, true), ("gif", 51, false), ("webp", 60, false), ("webp", 0.1, true),
      ("gif", 0.05, false), ("mp4", 61, false),
    ] {
      var request = try TimeLapseRequest(
        plant: library.plants.find(matching: "tray").id, path: fixture.folder.file("film." + ending)
      )
      (request.framesPerSecond, request.alignsPhotos) = (rate, false)
      let film = try? await TimeLapse(library).run(request)
      #expect((film != nil) == isMade, "\(ending) \(rate)")
      if rate == 0.1 { #expect(film?.duration == .seconds(30)) }
    }
  }

  @Test func `a film with a photo a day shows those in light`() async throws {
    // Lamps that are on from 20 to 4 h.
    try await shoot(days: 0..<3, every: 60) { _, minute in
      minute >= 20 * 60 || minute < 4 * 60 ? Picture(lightness: 140) : .night
    }
    let plant = try library.plants.find(matching: "tray").id
    var request = try TimeLapseRequest(plant: plant, path: fixture.folder.file("film.webp"))
    (request.showsOnePerDay, request.alignsPhotos) = (true, false)
    let film = try await TimeLapse(library).run(request)
    #expect(film.frameCount == 3)
    #expect(try !firstFrameIsDark(of: request.path))
  }
}
