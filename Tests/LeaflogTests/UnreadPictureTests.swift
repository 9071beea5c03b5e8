import BlobStorage
import DiaryCatalog
import Foundation
import Leaflog
import SystemPackage
import TestSupport
import Testing

/// Photos of kinds that are not decoded, whose files are kept.
@Suite struct UnreadPictureTests {
  static let files: [String: [UInt8]] = {
    var half = TIFFFixture.Page(
      (300, 200), samples: Array(repeating: 0x38, count: 300 * 200 * 2), bits: 16, format: 3)
    half.exif = [0x9003: .ascii("2023:04:05 06:07:08")]
    var big = half
    big.pieces = [Array(repeating: 0x3A, count: 300 * 200 * 2)]
    var planes = TIFFFixture.Page((300, 200), samples: [], bands: 3)
    planes.exif = half.exif
    planes.fields[0x011C] = .shorts([2])
    planes.fields[0x0142] = .shorts([304])
    planes.fields[0x0143] = .shorts([208])
    planes.isTiled = true
    planes.pieces = (0..<3).map { Array(repeating: UInt8(60 * $0), count: 304 * 208) }
    var exif = TIFFBuilder()
    exif.exif = [(0x9003, .ascii("2023:04:05 06:07:08"))]
    return [
      "half.tif": TIFFFixture([half]).bytes, "planes.tif": TIFFFixture([planes]).bytes,
      "big.tif": TIFFFixture([big], isBig: true).bytes,
      "sequence.avif": HEIFBuilder.sequence(size: (300, 200), exif: exif.block),
    ]
  }()

  @Test(arguments: StoragePolicy.allCases)
  func `every policy keeps the exact bytes, with their date and a grey thumbnail`(
    policy: StoragePolicy
  ) async throws {
    let fixture = try LibraryFixture(policy: policy)
    for (name, bytes) in Self.files { try fixture.folder.write(Data(bytes), to: "photos/" + name) }
    let (_, outcomes) = try await fixture.run()
    for (name, bytes) in Self.files {
      let added = try #require(outcomes.of(name)?.added, "\(name)")
      #expect(outcomes.of(name)?.warnings == [.noPreview])
      let photo = try fixture.library.photos.find(added.id)
      #expect(photo.entry.time.recorded.iso8601 == "2023-04-05T06:07:08")
      #expect(photo.entry.photo?.size == PixelSize(width: 300, height: 200))
      let original = try #require(photo.renditions.first { $0.role == .original })
      #expect(original.blob == PendingBlob(hashing: SharedBytes(copying: bytes)).id)
      let pixels = try fixture.library.photos.thumbnailPixels(of: photo)
      #expect(pixels.samples.allSatisfy { abs(Int($0) - 0xC8) < 3 })
      let error = try #require(throws: LeaflogError.self) {
        _ = try fixture.library.photos.preview(of: photo)
      }
      #expect(error.message.hasSuffix("which is not read."))
    }
    for policy in StoragePolicy.allCases {
      _ = try await Recompressor(fixture.library).run(RecompressRequest(policy: policy)) {
        let kept: [RecompressOutcome.Result] = [.kept(.alreadySo), .kept(.notCompressible)]
        #expect(kept.contains($0.result))
      }
    }
    var full = VerifyRequest()
    full.readsEverything = true
    #expect(try Verifier(fixture.library).run(full) { _ in }.damageCount == 0)
    let (_, again) = try await fixture.run()
    #expect(again.list.allSatisfy { $0.added == nil && $0.failure == nil })
  }

  @Test func `a lost thumbnail is made again`() async throws {
    let fixture = try LibraryFixture()
    for (name, bytes) in Self.files { try fixture.folder.write(Data(bytes), to: "photos/" + name) }
    let (_, outcomes) = try await fixture.run()
    let photos = try outcomes.list.compactMap(\.added)
      .map { try fixture.library.photos.find($0.id) }
    #expect(photos.count == Self.files.count)
    let thumbnails = Set(
      photos.compactMap { $0.renditions.first { $0.role == .thumbnail }?.blob })
    let store = LocalBlobStore(root: FilePath(fixture.library.path))
    for blob in thumbnails { try FileManager.default.removeItem(atPath: store.place(of: blob)) }
    var results: [RepairOutcome.Result] = []
    try Repairer(fixture.library).run(from: nil) { results.append($0.result) }
    #expect(!results.isEmpty && results.allSatisfy { $0 == .remade })
    #expect(try photos.allSatisfy { try !fixture.library.photos.thumbnail(of: $0).isEmpty })
  }

  @Test func `a RAW file whose directory is at its end is skipped`() async throws {
    let fixture = try LibraryFixture()
    var page = TIFFFixture.Page(
      (100, 100), samples: Array(repeating: 1, count: 15_000), bits: 12)
    page.fields[0x0106] = .shorts([32_803])
    try fixture.folder.write(Data(TIFFFixture([page]).bytes), to: "photos/raw.tif")
    let (_, outcomes) = try await fixture.run()
    #expect(outcomes.of("raw.tif")?.skip == .raw)
  }
}
