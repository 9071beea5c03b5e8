import BlobStorage
import DiaryCatalog
import Foundation
import Imaging
import Leaflog
import SystemPackage
import TestSupport
import Testing

private func decoded(_ path: String) throws -> DecodedPhoto {
  try decoded(bytes: Data(contentsOf: URL(fileURLWithPath: path)))
}

private func decoded(bytes: Data) throws -> DecodedPhoto {
  let buffer = SharedBytes(copying: bytes)
  guard case .image(let format) = buffer.withUnsafeBytes({ FileType(head: $0) }) else {
    throw ImagingError(.unsupported, "no image")
  }
  return try PhotoFile(bytes: buffer, format: format).decode()
}

private func colours(_ photo: DecodedPhoto, _ places: [(Int, Int)]) throws -> [[Int]] {
  try places.map { try photo.pixel(x: $0.0, y: $0.1).map(Int.init) }
}

private func isNear(_ left: [[Int]], _ right: [[Int]], _ tolerance: Int) -> Bool {
  zip(left, right).allSatisfy { zip($0, $1).allSatisfy { abs($0 - $1) <= tolerance } }
}

@Suite struct PictureTests {
  @Test(arguments: ["png", "jpg", "webp"])
  func `two photos stand upright beside each other in the right colours`(
    ending: String
  ) async throws {
    let fixture = try LibraryFixture(policy: .exact)
    _ = try await fixture.run([
      Fixtures.path("Orientation/6.jpg"), Fixtures.path("Colour/display-p3.jpg"),
    ])
    let entries = try fixture.entries()
    let turned = try #require(
      entries.first { try! fixture.library.photos.find($0.id).originalName == "6.jpg" })
    let wide = try #require(entries.first { $0.id != turned.id })
    let path = fixture.folder.file("out." + ending)
    let made = try Comparison(fixture.library).write(
      fixture.library.photos.find(turned.id),
      fixture.library.photos.find(wide.id),
      .sideBySide, to: path)
    let picture = try decoded(path)
    #expect(picture.size == made.size)
    let answers = Answers.all
    let first = try #require(answers.orientation.first { $0.path.hasSuffix("6.jpg") })
    let second = try #require(answers.colour.first { $0.path.hasSuffix("display-p3.jpg") })
    let height = min(first.uprightSize[1], second.uprightSize[1])
    #expect(made.size.height > height && made.size.height < height * 5 / 4 + 20)
    let width = first.uprightSize[0] * height / first.uprightSize[1]
    let places = [
      (width / 4, height / 4), (3 * width / 4, height / 4), (width / 4, 3 * height / 4),
    ]
    let quadrants = first.quadrants
    #expect(
      isNear(
        try colours(picture, places),
        [quadrants.topLeft, quadrants.topRight, quadrants.bottomLeft], first.tolerance + 6))
    let other = second.uprightSize[0] * height / second.uprightSize[1]
    let right = made.size.width - other
    #expect(
      isNear(
        try colours(
          picture, [(right + other / 4, height / 4), (right + 3 * other / 4, 3 * height / 4)]),
        [second.quadrants.topLeft, second.quadrants.bottomRight], second.tolerance + 6))
  }

  @Test func `a blend is half of each`() async throws {
    let fixture = try LibraryFixture()
    _ = try await fixture.run([Fixtures.path("Photos/monstera")])
    let entries = try fixture.entries(TimelineQuery(order: .oldestFirst))
    let photos = try [entries[0], entries[4]].map {
      try fixture.library.photos.find($0.id)
    }
    let path = fixture.folder.file("blend.png")
    let made = try Comparison(fixture.library).write(photos[0], photos[1], .blended, to: path)
    #expect(made.dayCount == 90)
    let picture = try decoded(path)
    let files = try photos.map { photo -> DecodedPhoto in
      let best = try #require(photo.renditions.first { $0.role != .thumbnail })
      return try decoded(fixture.library.photos.path(of: best)).frame(side: 1200)
    }
    #expect(picture.size.width == files[0].size.width)
    // The backdrop, which all five share.
    let place = (20, 20)
    let expected = zip(try colours(files[0], [place])[0], try colours(files[1], [place])[0])
      .map { ($0 + $1) / 2 }
    #expect(isNear(try colours(picture, [place]), [expected], 12))
  }

  @Test(arguments: [false, true])
  func `a blend finds its way through the photos between, also backwards`(
    isBackwards: Bool
  ) async throws {
    let fixture = try LibraryFixture()
    let size = PixelSize(width: 640, height: 480)
    let ends = try ["monstera/IMG_0001.jpg", "tomato/DSC_0101.jpg"].map {
      try decoded(Fixtures.path("Photos/" + $0)).aligned(by: .identity, size: size)
    }
    // One picture turns slowly into another.
    let count = 16
    for number in 0..<count {
      var canvas = try PixelCanvas(ends[0])
      try canvas.draw(ends[1], x: 0, y: 0, opacity: Double(number) / Double(count - 1))
      _ = try canvas.picture().preview().bytes.withUnsafeBytes {
        try fixture.folder.write(
          Data($0), to: "photos/fern/IMG_202507\(10 + number)_120000.jpg")
      }
    }
    let files = fixture.folder.files(below: "photos").sorted().map {
      fixture.folder.file("photos/" + $0)
    }
    func isAligned(_ paths: [String]) async throws -> Bool {
      let fixture = try LibraryFixture()
      _ = try await fixture.run(paths) { $0.plant = .named("fern") }
      let entries = try fixture.entries(
        TimelineQuery(order: isBackwards ? .newestFirst : .oldestFirst))
      #expect(entries.count == paths.count)
      let photos = try [#require(entries.first), #require(entries.last)].map {
        try fixture.library.photos.find($0.id)
      }
      return try Comparison(fixture.library).write(
        photos[0], photos[1], .blended, to: fixture.folder.file("blend.png")
      ).isAligned
    }
    #expect(try await !isAligned([files[0], files[count - 1]]))
    #expect(try await isAligned(files))
  }

  @Test func `an ending that cannot be written is refused before anything is done`() async throws {
    let fixture = try LibraryFixture()
    _ = try await fixture.run([Fixtures.path("Photos/basil")])
    let photo = try fixture.library.photos.find(fixture.entries()[0].id)
    for name in ["x.bmp", "x", "x.jpg/"] {
      #expect(throws: LeaflogError.self) {
        try Comparison(fixture.library).write(
          photo, photo, .sideBySide, to: fixture.folder.file(name))
      }
    }
    #expect(throws: LeaflogError.self) {
      try Comparison(fixture.library).write(photo, photo, .sideBySide, to: "/nowhere/x.png")
    }
    #expect(throws: LeaflogError.self) {
      try TimeLapseRequest(plant: fixture.library.plants.find(matching: "basil").id, path: "x.avi")
    }
    #expect(fixture.folder.files(below: "").allSatisfy { $0.hasPrefix("library/") })
  }
}

@Suite struct TimeLapseTests {
  private func film(
    _ fixture: LibraryFixture, _ name: String, _ plant: String = "basil",
    _ change: (inout TimeLapseRequest) -> Void = { _ in }
  ) async throws -> TimeLapseSummary {
    var request = try TimeLapseRequest(
      plant: fixture.library.plants.find(matching: plant).id, path: fixture.folder.file(name))
    request.side = 160
    change(&request)
    return try await TimeLapse(fixture.library).run(request)
  }

  private func basil() async throws -> LibraryFixture {
    let fixture = try LibraryFixture()
    _ = try await fixture.run([Fixtures.path("Photos/basil")])
    return fixture
  }

  @Test(arguments: ["webp", "gif"]) func `a film has a frame a photo`(ending: String) async throws {
    let fixture = try await basil()
    let made = try await film(fixture, "a." + ending) { $0.framesPerSecond = 4 }
    #expect(made.frameCount == 4 && made.failures.isEmpty)
    #expect(made.duration == .seconds(1))
    let data = try Data(contentsOf: URL(fileURLWithPath: fixture.folder.file("a." + ending)))
    #expect(data.count == made.byteCount)
    let file = try PhotoFile(
      bytes: SharedBytes(copying: data), format: ending == "gif" ? .gif : .webp)
    #expect(file.pageCount == 4)
    #expect(file.storedSize == made.size)
    #expect(max(made.size.width, made.size.height) == 160)
  }

  @Test func `a photo that is lost is replaced by the one before, and named`() async throws {
    let fixture = try await basil()
    let entries = try fixture.entries(TimelineQuery(order: .oldestFirst))
    let lost = try fixture.library.photos.find(entries[2].id)
    for rendition in lost.renditions {
      try FileManager.default.removeItem(atPath: fixture.library.photos.path(of: rendition))
    }
    let made = try await film(fixture, "a.webp")
    #expect(made.frameCount == 4)
    #expect(made.failures.map(\.id) == [entries[2].id])
  }

  @Test func `cancelling leaves nothing behind`() async throws {
    let fixture = try await basil()
    for name in ["a.webp", "a.gif"] {
      let task = Task { try await film(fixture, name) }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    #expect(fixture.folder.files().allSatisfy { $0.hasPrefix("library/") })
  }

  @Test func `one photo a day is the one nearest the usual time`() async throws {
    let fixture = try LibraryFixture()
    let photo = try Fixtures.data("Photos/tomato/IMG_20250705_190500.jpg")
    let times = [
      "20250701_120000", "20250702_080000", "20250702_120500", "20250702_180000",
      "20250703_115500",
    ]
    for (number, time) in times.enumerated() {
      try fixture.folder.write(
        photo + Data(repeating: 0, count: number), to: "photos/fern/IMG_\(time).jpg")
    }
    _ = try await fixture.run()
    #expect(try await film(fixture, "a.webp", "fern").frameCount == 5)
    #expect(try await film(fixture, "b.webp", "fern") { $0.showsOnePerDay = true }.frameCount == 3)
    let real = try await film(fixture, "c.webp", "fern") {
      ($0.showsOnePerDay, $0.pace, $0.framesPerSecond) = (true, .real, 2)
    }
    // 24:05 and 23:50 hours, and the median of the two for the last.
    #expect(abs(real.duration / .milliseconds(1500) - 1) < 0.01)
    let day = LocalDay("2025-07-02").map { TimelineBound($0) }
    await #expect(throws: LeaflogError.self) {
      try await film(fixture, "d.webp", "fern") {
        ($0.showsOnePerDay, $0.first, $0.last) = (true, day, day)
      }
    }
  }
}

@Suite struct TurnedCopyTests {
  /// A portrait as phones take it: turned by the container and, besides, by EXIF, and large enough that a copy saves a
  /// tenth.
  private func portrait() throws -> Data {
    var exif = TIFFBuilder()
    exif.main = [(0x0112, .long(6))]
    exif.exif = [
      (0x9003, .ascii("2023:04:27 19:44:18")), (0xA002, .long(160)), (0xA003, .long(120)),
    ]
    var builder = HEIFBuilder()
    builder.quarterTurns = 3
    builder.exif = HEIFBuilder.exifItem(exif.block)
    builder.further = [("free", Array(repeating: 0, count: 100_000))]
    return try Data(builder.file(Fixtures.data("Colour/photo.heic")))
  }

  @Test(arguments: StoragePolicy.allCases)
  func `a portrait of a phone is upright under every policy`(policy: StoragePolicy) async throws {
    let fixture = try LibraryFixture(policy: policy)
    try fixture.folder.write(portrait(), to: "photos/a.heic")
    // Hard edges between vivid colours do not reach the usual target.
    _ = try await fixture.run { $0.targetScore = 30 }
    let photo = try fixture.library.photos.find(fixture.entries()[0].id)
    let best = try #require(photo.renditions.first { $0.role != .thumbnail })
    #expect((best.role == .master) == (policy == .compact))
    let pictures = try [
      decoded(fixture.library.photos.path(of: best)).frame(side: 160),
      decoded(bytes: fixture.library.photos.thumbnail(of: photo)),
      decoded(bytes: fixture.library.photos.preview(of: photo)),
    ]
    for picture in pictures {
      #expect(picture.size == PixelSize(width: 120, height: 160))
      // The quadrant at the bottom left, blue, comes to the top left.
      #expect(isNear(try colours(picture, [(30, 40)]), [[35, 75, 205]], 60))
    }
  }

  @Test func `a copy that was made turned twice is found and corrected`() async throws {
    let fixture = try LibraryFixture()
    try fixture.folder.write(portrait(), to: "photos/a.heic")
    // Hard edges between vivid colours do not reach the usual target.
    _ = try await fixture.run { $0.targetScore = 30 }
    func photo() throws -> Photo {
      try fixture.library.photos.find(fixture.entries()[0].id)
    }
    func master() throws -> Rendition {
      try #require(try photo().renditions.first { $0.role == .master })
    }
    func damages() throws -> [Damage] {
      var found: [Damage] = []
      _ = try Verifier(fixture.library).run(VerifyRequest()) { found.append($0) }
      return found
    }
    #expect(try damages().isEmpty)
    let good = try Data(contentsOf: URL(fileURLWithPath: fixture.library.photos.path(of: master())))
    // As an earlier version wrote it: EXIF of the file as it was.
    var bad = good
    for (tag, value) in [
      ([0x12, 1, 4, 0, 1, 0, 0, 0], 6), ([2, 0xA0, 4, 0, 1, 0, 0, 0], 160),
      ([3, 0xA0, 4, 0, 1, 0, 0, 0], 120),
    ] as [([UInt8], UInt8)] {
      bad[try #require(bad.range(of: Data(tag))).upperBound] = value
    }
    let old = try master()
    let blob = PendingBlob(hashing: SharedBytes(copying: bad))
    try LocalBlobStore(root: FilePath(fixture.library.path)).put([blob])
    let catalog = try Catalog(
      path: fixture.library.path + "/catalog.sqlite",
      access: .readWrite(lock: FileLock(FilePath(fixture.library.path + "/lock"))))
    try catalog.write {
      try $0.renditions.set(
        Rendition(
          role: .master, blob: blob.id, byteCount: bad.count, mediaType: old.mediaType,
          size: old.size, recipe: old.recipe), of: photo().entry.id, now: fixture.clock.now
      ) { _ in }
    }
    _ = try fixture.library.photos.preview(of: photo())
    #expect(try damages().map(\.kind) == [.turned])
    var outcomes: [RepairOutcome] = []
    try Repairer(fixture.library).run(from: nil) { outcomes.append($0) }
    #expect(outcomes.map(\.result) == [.corrected])
    #expect(try damages().isEmpty)
    let mended = try Data(
      contentsOf: URL(fileURLWithPath: fixture.library.photos.path(of: master())))
    #expect(mended == good)
    let preview = try decoded(bytes: fixture.library.photos.preview(of: photo()))
    #expect(preview.size == PixelSize(width: 120, height: 160))
    outcomes = []
    try Repairer(fixture.library).run(from: nil) { outcomes.append($0) }
    #expect(outcomes.isEmpty)
  }
}
