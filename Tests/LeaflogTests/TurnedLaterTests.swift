import BlobStorage
import DiaryCatalog
import Foundation
import Imaging
import Leaflog
import TestSupport
import Testing

/// Photos that another program turns after their import, by the tag in their files, or changes in another way that leaves
/// the picture's bytes as they are.
@Suite struct TurnedLaterTests {
  private static let policies: [StoragePolicy] = [.compact, .lossless, .exact]

  /// What the library has of a photo.
  private struct State: Equatable {
    let size: PixelSize?
    let source: BlobID?
    let renditions: [Rendition]
    let placeholder: [UInt8]
    let sharpness: Double?
    let warnings: [ImportWarning]

    init(_ fixture: LibraryFixture, _ id: EntryID) throws {
      let photo = try fixture.library.photos.find(id)
      let catalog = try Catalog(
        path: fixture.library.path + "/catalog.sqlite", access: .readOnly)
      defer { try? catalog.close() }
      (size, source) = (photo.entry.photo?.size, photo.entry.photo?.sourceDigest)
      (renditions, placeholder) = (photo.renditions, photo.placeholder)
      sharpness = try catalog.read { try $0.photos.appearance(of: id).sharpness }
      warnings = photo.warnings
    }

    func rendition(_ role: RenditionRole) -> Rendition? { renditions.first { $0.role == role } }
    var kept: Rendition? { renditions.first { $0.role != .thumbnail } }
  }

  private func upright(_ file: Data) -> Data { OrientationTag.set(1, in: file) }
  private func turned(_ file: Data) -> Data { OrientationTag.set(6, in: file) }

  private func expectWhole(_ fixture: LibraryFixture) throws {
    var full = VerifyRequest()
    full.readsEverything = true
    #expect(try Verifier(fixture.library).run(full) { Issue.record("\($0.message)") }.isComplete)
  }

  /// Imports a photo, turns its file, and takes that over.
  private func expectTurned(
    _ before: Data, _ after: Data, _ policy: StoragePolicy, role: RenditionRole
  ) async throws {
    let fixture = try LibraryFixture(policy: policy)
    let path = try fixture.folder.write(before, to: "photos/a.jpg")
    let id = try #require(
      try await fixture.run { $0.targetScore = 60 }.outcomes.list.first?.added?.id)
    let first = try State(fixture, id)
    #expect(first.kept?.role == role)
    try fixture.folder.write(after, to: "photos/a.jpg")
    for _ in 1...3 {
      let outcome = try #require(try await fixture.run().outcomes.list.first)
      #expect(outcome.result == .duplicate(id) && outcome.warnings == [.otherMetadata])
    }
    #expect(try State(fixture, id) == first)

    let outcome = try #require(
      try await fixture.run { $0.updatesPhotos = true }.outcomes.list.first)
    #expect(outcome.result == .updated(id) && outcome.warnings == [])
    let second = try State(fixture, id)
    let size = try #require(first.size)
    #expect(size.width != size.height)
    #expect(second.size == PixelSize(width: size.height, height: size.width))
    let (old, new) = try (
      #require(first.rendition(.thumbnail)), #require(second.rendition(.thumbnail))
    )
    #expect(new.size == PixelSize(width: old.size.height, height: old.size.width))
    #expect(second.placeholder != first.placeholder)
    #expect(second.sharpness != nil)
    #expect(second.source == after.withUnsafeBytes { BlobID(hashing: $0) })
    #expect(second.renditions.map(\.role) == first.renditions.map(\.role))
    // At the copy's own target, not at that of this import.
    #expect(
      MasterRecipe(second.kept?.recipe ?? "")?.target
        == MasterRecipe(first.kept?.recipe ?? "")?.target)
    let photo = try fixture.library.photos.find(id)
    let best = SharedBytes(copying: try bestBytes(fixture, photo))
    #expect(try PhotoFile(bytes: best, format: .jpeg).orientation == 6)
    let preview = SharedBytes(copying: try fixture.library.photos.preview(of: photo))
    #expect(try PhotoFile(bytes: preview, format: .jpeg).storedSize.width < size.width)

    for isUpdate in [false, true] {
      let again = try await fixture.run { $0.updatesPhotos = isUpdate }.outcomes.list
      #expect(again.map(\.result) == [.duplicate(id)] && again.map(\.warnings) == [[]])
    }
    try expectWhole(fixture)
    // The file at another path is the photo's as well.
    try FileManager.default.moveItem(atPath: path, toPath: fixture.photos + "/b.jpg")
    #expect(try await fixture.run().outcomes.list.map(\.warnings) == [[]])

    // That was no change.
    _ = try fixture.library.history.undo(.importPhotos)
    #expect(try State(fixture, id) == first)
    try expectWhole(fixture)
    for _ in 1...2 {
      #expect(try await fixture.run().outcomes.list.map(\.warnings) == [[.otherMetadata]])
    }
    #expect(try await fixture.run { $0.updatesPhotos = true }.summary.updated == 1)
    #expect(try State(fixture, id) == second)
  }

  private func bestBytes(_ fixture: LibraryFixture, _ photo: Photo) throws -> Data {
    let file = try fixture.library.photos.file(.original, of: photo)
    switch file.content {
    case .bytes(let data): return data
    case .file(let path): return try Data(contentsOf: URL(fileURLWithPath: path))
    case .parts(let parts): return try parts[0..<file.byteCount]
    }
  }

  @Test(arguments: [
    (StoragePolicy.compact, RenditionRole.master), (.lossless, .packed), (.exact, .original),
  ])
  func `a photo that was turned by its tag is turned by an update`(
    policy: StoragePolicy, role: RenditionRole
  ) async throws {
    let file = try Fixtures.data("Photos/monstera/IMG_0001.jpg")
    try await expectTurned(upright(file), turned(file), policy, role: role)
  }

  @Test(
    .enabled(if: Fixtures.sharedCases != nil),
    arguments: [
      (StoragePolicy.compact, RenditionRole.master), (.lossless, .packed), (.exact, .original),
    ])
  func `a photo that a program has turned is turned by an update`(
    policy: StoragePolicy, role: RenditionRole
  ) async throws {
    let folder = URL(fileURLWithPath: try #require(Fixtures.sharedCases) + "/pictures/turned-later")
    try await expectTurned(
      Data(contentsOf: folder.appending(path: "before.jpg")),
      Data(contentsOf: folder.appending(path: "after.jpg")), policy, role: role)
  }
}
