import BlobStorage
import DiaryModel
import Foundation
import Imaging
import Leaflog
import TestSupport
import Testing

/// Photos whose metadata other programs have changed, in the file or in a sidecar.
@Suite struct RetaggedTests {
  private static let time = "2021:06:01 10:00:00"

  /// A JPEG of a fern, as a camera and then another program write it.
  private func jpeg(_ date: String?, tags: [String] = [], notes: String? = nil) throws -> Data {
    var file = Array(try Fixtures.data("Colour/srgb.jpg"))
    if let date {
      var builder = TIFFBuilder()
      builder.exif = [(0x9003, .ascii(date))]
      file = EmbeddedMetadata.jpeg(file, exif: builder)
    }
    guard !tags.isEmpty || notes != nil else { return Data(file) }
    let values = tags.map { (UInt8(0x19), $0) } + (notes.map { [(UInt8(0x78), $0)] } ?? [])
    let resources = EmbeddedMetadata.resources(iptc: EmbeddedMetadata.iptc(values))
    return Data(
      EmbeddedMetadata.jpeg(file, marker: 0xED, Array("Photoshop 3.0\0".utf8) + resources))
  }

  private func sidecar(_ tags: [String], notes: String? = nil, rating: Int = 0) -> Data {
    let items = tags.map { "<rdf:li>\($0)</rdf:li>" }.joined()
    let description =
      notes.map { "<dc:description><rdf:Alt><rdf:li>\($0)</rdf:li></rdf:Alt></dc:description>" }
    return Data(
      """
      <x:xmpmeta xmlns:x="adobe:ns:meta/">
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
        xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"
        xmp:Rating="\(rating)"><dc:subject><rdf:Bag>\(items)</rdf:Bag></dc:subject>
      \(description ?? "")</rdf:Description></rdf:RDF></x:xmpmeta>
      """.utf8)
  }

  @Test(arguments: [StoragePolicy.compact, .lossless, .exact])
  func `a retagged file is the same photo, and an update takes its keywords over`(
    policy: StoragePolicy
  ) async throws {
    let fixture = try LibraryFixture(policy: policy)
    try fixture.folder.write(jpeg(Self.time), to: "photos/fern/a.jpg")
    let id = try #require(try await fixture.run().outcomes.list.first?.added?.id)
    let retagged = try jpeg(Self.time, tags: ["aphids"], notes: "a note")
    try fixture.folder.write(retagged, to: "photos/fern/a.jpg")
    // As often as it is asked.
    for _ in 1...2 {
      let (summary, outcomes) = try await fixture.run()
      #expect(summary.duplicate == 1 && summary.added == 0)
      #expect(outcomes.list.map(\.result) == [.duplicate(id)])
      #expect(outcomes.list.map(\.warnings) == [[.otherMetadata]])
    }
    #expect(try fixture.entries().map(\.tags) == [[]])
    let (summary, outcomes) = try await fixture.run { $0.updatesPhotos = true }
    #expect(summary.updated == 1 && summary.duplicate == 0)
    #expect(outcomes.list.map(\.result) == [.updated(id)])
    let entry = try #require(try fixture.entries().first)
    #expect(entry.tags == ["aphids"] && entry.notes == "a note")
    let roles = try fixture.library.photos.find(id).renditions.map(\.role)
    if !roles.contains(.master) {
      #expect(
        entry.photo?.sourceDigest == retagged.withUnsafeBytes { BlobID(hashing: $0) })
      var request = ExportRequest(.photos([id]), to: fixture.folder.file("out"))
      request.quality = .best
      try PhotoExporter(fixture.library).run(request) { #expect($0.result == .written) }
      let path = fixture.folder.file("out/fern/2021-06-01_100000.jpg")
      #expect(FileManager.default.contents(atPath: path) == retagged)
    }
    var check = VerifyRequest()
    check.readsEverything = true
    #expect(
      try Verifier(fixture.library).run(check) { Issue.record("\($0.message)") }.isComplete)
    let again = try await fixture.run { $0.updatesPhotos = true }.outcomes.list
    #expect(again.map(\.result) == [.duplicate(id)] && again.map(\.warnings) == [[]])
    _ = try fixture.library.history.undo(.importPhotos)
    #expect(try fixture.entries().map(\.tags) == [[]])
  }

  @Test(
    arguments: [
      (time, time, 0), (time, nil, 0), (nil, time, 0), (nil, nil, 0),
      (time, "2021:06:01 10:00:01", 1),
    ] as [(String?, String?, Int)])
  func `the same picture is another photo only if it was taken at another time`(
    first: String?, second: String?, added: Int
  ) async throws {
    let fixture = try LibraryFixture(policy: .exact)
    try fixture.folder.write(jpeg(first), to: "photos/fern/a.jpg")
    _ = try await fixture.run()
    try fixture.folder.write(jpeg(second, tags: ["night"]), to: "photos/fern/b.jpg")
    let (summary, outcomes) = try await fixture.run([fixture.photos + "/fern/b.jpg"])
    #expect(summary.added == added && summary.duplicate == 1 - added)
    let warnings = try #require(outcomes.list.first?.warnings)
    #expect(warnings.contains(.samePicture) == (added == 1))
    #expect(warnings.contains(.otherMetadata) == (added == 0))
  }

  @Test func `of two files with the same picture that come together, one is a photo`() async throws
  {
    let fixture = try LibraryFixture()
    for name in ["a", "b"] {
      try fixture.folder.write(jpeg(Self.time, tags: [name]), to: "photos/fern/\(name).jpg")
    }
    let (summary, _) = try await fixture.run()
    #expect(summary.added == 1 && summary.duplicate == 1)
  }

  @Test func `a retagged file is not moved`() async throws {
    let fixture = try LibraryFixture(policy: .exact)
    try fixture.folder.write(jpeg(Self.time), to: "photos/fern/a.jpg")
    _ = try await fixture.run { $0.movesFiles = true }
    let path = try fixture.folder.write(
      jpeg(Self.time, tags: ["aphids"]), to: "photos/fern/a.jpg")
    let outcome = try await fixture.run { $0.movesFiles = true }.outcomes.list.first
    #expect(outcome?.warnings == [.otherMetadata, .notMoved])
    #expect(FileManager.default.fileExists(atPath: path))
    // Once its bytes are the photo's, it is.
    let summary = try await fixture.run {
      $0.movesFiles = true
      $0.updatesPhotos = true
    }.summary
    #expect(summary.updated == 1)
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func `a changed sidecar is told, and an update takes what has changed in it`() async throws
  {
    let fixture = try LibraryFixture(policy: .exact)
    try fixture.folder.write(jpeg(Self.time), to: "photos/fern/a.jpg")
    try fixture.folder.write(sidecar(["old", "kept"], notes: "first"), to: "photos/fern/a.jpg.xmp")
    let id = try #require(
      try await fixture.run().outcomes.list.compactMap { $0.added?.id }.first)
    let photos = fixture.library.photos
    _ = try photos.edit(id, notes: "mine", tags: ["old", "kept", "mine"])
    // An unchanged sidecar changes nothing, however often it is written.
    try fixture.folder.write(sidecar(["old", "kept"], notes: "first"), to: "photos/fern/a.jpg.xmp")
    #expect(try await fixture.run { $0.updatesPhotos = true }.summary.updated == 0)
    #expect(try fixture.entries().map(\.notes) == ["mine"])

    try fixture.folder.write(
      sidecar(["kept", "new"], notes: "first", rating: 5), to: "photos/fern/a.jpg.xmp")
    for _ in 1...2 {
      let outcome = try await fixture.run().outcomes.of("a.jpg")
      #expect(outcome?.result == .duplicate(id) && outcome?.warnings == [.sidecarChanged])
    }
    #expect(try await fixture.run { $0.updatesPhotos = true }.summary.updated == 1)
    let entry = try #require(try fixture.entries().first)
    #expect(entry.tags == ["kept", "mine", "new"] && entry.notes == "mine")
    #expect(entry.photo?.isFavourite == true)
    #expect(try await fixture.run().outcomes.of("a.jpg")?.warnings == [])
    // The folder has another name by now.
    try FileManager.default.moveItem(
      atPath: fixture.photos + "/fern", toPath: fixture.photos + "/moved")
    #expect(try await fixture.run().outcomes.of("a.jpg")?.warnings == [])
    #expect(try await fixture.run { $0.updatesPhotos = true }.summary.updated == 0)
  }

  private static let formats = [
    "Colour/srgb.jpg", "Colour/progressive.jpg", "Colour/alpha.png", "Colour/sixteen-bit.png",
    "Colour/lossless.webp", "Colour/animated.webp", "Colour/animated.gif", "Colour/rgb.tif",
    "Colour/sixteen-bit.tif", "Colour/photo.heic", "Colour/photo.avif", "Colour/photo.jxl",
    "Places/place.jpg", "Places/place.webp", "Places/place.heic", "Places/place.avif",
  ]

  @Test(.enabled(if: ExifTool.isInstalled), arguments: formats)
  func `ExifTool's keywords and dates leave the picture's digest as it is`(file: String) throws {
    let folder = try TemporaryFolder()
    let path = try folder.copy(file, to: (file as NSString).lastPathComponent)
    func digest() throws -> BlobID? {
      let bytes = SharedBytes(copying: try Data(contentsOf: URL(fileURLWithPath: path)))
      guard case .image(let format) = bytes.withUnsafeBytes({ FileType(head: $0) }) else {
        return nil
      }
      return PictureData.ranges(of: bytes, format).map { BlobID(hashing: $0, of: bytes) }
    }
    let before = try #require(try digest())
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    try ExifTool.write(
      ["-XMP-dc:Subject=aphids", "-XMP-exif:DateTimeOriginal=2021:06:01 10:00:00"], to: path)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) != bytes)
    #expect(try digest() == before)
  }

  @Test func `each part of a picture counts, and nothing beside it`() throws {
    func digest(_ bytes: Data) -> BlobID? {
      let bytes = SharedBytes(copying: bytes)
      return PictureData.ranges(of: bytes, .jpeg).map { BlobID(hashing: $0, of: bytes) }
    }
    let plain = try Fixtures.data("Colour/srgb.jpg")
    let before = try #require(digest(plain))
    #expect(digest(try jpeg(Self.time, tags: ["a"])) == before)
    #expect(digest(plain + Data([1])) != before)
    #expect(digest(plain.dropLast(2)) == nil)
    var changed = plain
    changed[changed.count - 40] ^= 1
    #expect(digest(changed) != before)
  }
}
