import BlobStorage
import Foundation
import Leaflog
import TestSupport
import Testing

@Suite struct VerifyTests {
  private func imported(_ policy: StoragePolicy = .compact) async throws -> LibraryFixture {
    let fixture = try LibraryFixture(policy: policy)
    _ = try await fixture.run([Fixtures.path("Photos")])
    return fixture
  }

  private func verify(
    _ library: Library, full: Bool = true, limit: Duration? = nil
  ) throws -> (damages: [Damage], summary: VerifySummary) {
    var request = VerifyRequest()
    (request.readsEverything, request.limit) = (full, limit)
    var damages: [Damage] = []
    let summary = try Verifier(library).run(request) { damages.append($0) }
    return (damages, summary)
  }

  private func damage(_ fixture: LibraryFixture, _ rendition: Rendition) throws {
    let url = URL(fileURLWithPath: fixture.library.photos.path(of: rendition))
    var bytes = try Data(contentsOf: url)
    bytes[Int.random(in: 0..<bytes.count)] ^= 1 << UInt8.random(in: 0..<8)
    try bytes.write(to: url)
  }

  private func repair(
    _ fixture: LibraryFixture, from folder: String? = nil
  ) throws -> [RepairOutcome] {
    var outcomes: [RepairOutcome] = []
    try Repairer(fixture.library).run(from: folder.map { .folder($0) }) { outcomes.append($0) }
    return outcomes
  }

  private func renditions(
    _ fixture: LibraryFixture, _ role: RenditionRole? = nil
  ) throws -> [(photo: EntryID, rendition: Rendition)] {
    try fixture.entries().flatMap { entry in
      try fixture.library.photos.find(entry.id).renditions
        .filter { role == nil || $0.role == role }.map { (entry.id, $0) }
    }
  }

  @Test(arguments: [false, true])
  func `a folder that cannot be read is named, and what is missing elsewhere as well`(
    isFull: Bool
  ) async throws {
    let fixture = try await imported()
    let all = try renditions(fixture)
    let folders = Dictionary(grouping: all) { $0.rendition.blob.hex.prefix(2) }.sorted {
      $0.key < $1.key
    }
    let (unreadable, other) = (folders[0], folders[folders.count - 1])
    // Root may read any folder; a file in its place is none.
    let path = fixture.folder.file("library/blobs/" + unreadable.key)
    try FileManager.default.moveItem(atPath: path, toPath: fixture.folder.file("aside"))
    try Data("no folder".utf8).write(to: URL(fileURLWithPath: path))
    try FileManager.default.removeItem(
      atPath: fixture.library.photos.path(of: other.value[0].rendition))
    let (found, summary) = try verify(fixture.library, full: isFull)
    #expect(summary.isComplete && summary.damageCount == found.count)
    #expect(found.contains { $0.kind == .missing && $0.blob == other.value[0].rendition.blob })
    #expect(found.count { $0.kind == .unreadable && $0.blob != nil } == unreadable.value.count)
    #expect(found.contains { $0.blob == nil && $0.message.contains(path) })
  }

  @Test func `every flipped bit is found, and the photos are named`() async throws {
    let fixture = try await imported()
    #expect(try verify(fixture.library).damages.isEmpty)
    let all = try renditions(fixture)
    for item in all { try damage(fixture, item.rendition) }
    // Sizes are what they were.
    #expect(try verify(fixture.library, full: false).damages.isEmpty)
    let found = try verify(fixture.library).damages
    #expect(found.count == all.count && all.count == 26)
    #expect(found.allSatisfy { $0.kind == .damaged })
    #expect(
      Set(found.flatMap { $0.photos.map(\.id) }) == Set(all.map(\.photo)))
    let from = try repair(fixture, from: Fixtures.path("Photos"))
    #expect(from.count == all.count)
    #expect(from.allSatisfy { if case .taken = $0.result { true } else { $0.role == .thumbnail } })
    #expect(try verify(fixture.library).damages.isEmpty)
    #expect(fixture.folder.files(below: "library/quarantine").isEmpty)
  }

  @Test func `without a source thumbnails come back, and the lost are named`() async throws {
    let fixture = try await imported(.exact)
    let thumbnails = try renditions(fixture, .thumbnail)
    let before = try thumbnails.map {
      try Data(contentsOf: URL(fileURLWithPath: fixture.library.photos.path(of: $0.rendition)))
    }
    for item in thumbnails { try damage(fixture, item.rendition) }
    let lost = try #require(try renditions(fixture, .original).first)
    try damage(fixture, lost.rendition)
    let outcomes = try repair(fixture)
    #expect(outcomes.filter { $0.result == .remade }.count == thumbnails.count - 1)
    let missing = outcomes.filter { $0.result == .lost }
    #expect(Set(missing.map(\.entry.id)) == [lost.photo])
    #expect(missing.count == 2)
    #expect(fixture.folder.files(below: "library/quarantine").count == 2)
    let again = try verify(fixture.library).damages
    #expect(again.count == 2 && again.allSatisfy { $0.kind == .missing })
    let healed = try thumbnails.dropFirst().map {
      try Data(contentsOf: URL(fileURLWithPath: fixture.library.photos.path(of: $0.rendition)))
    }
    #expect(healed == Array(before.dropFirst()))
    // Later, with the old photos: all is mended.
    #expect(try repair(fixture, from: Fixtures.path("Photos")).count == 2)
    #expect(try verify(fixture.library).damages.isEmpty)
  }

  @Test func `blobs come back from another library`() async throws {
    let (fixture, other) = (try await imported(), try await imported())
    for item in try renditions(fixture) {
      try FileManager.default.removeItem(atPath: fixture.library.photos.path(of: item.rendition))
    }
    let damages = try verify(fixture.library, full: false).damages
    #expect(damages.count == 26 && damages.allSatisfy { $0.kind == .missing })
    // A damaged source is no source.
    let bad = try #require(try renditions(other, .master).first)
    try damage(other, bad.rendition)
    let outcomes = try repair(fixture, from: other.library.path)
    #expect(outcomes.count { $0.result == .lost } == 1)
    #expect(try verify(fixture.library).damages.count == 1)
  }

  @Test(arguments: [StoragePolicy.lossless, .compact])
  func `a damaged rendition is made again from the imported file`(
    policy: StoragePolicy
  ) async throws {
    let fixture = try await imported(policy)
    let role: RenditionRole = policy == .lossless ? .packed : .master
    for item in try renditions(fixture, role) { try damage(fixture, item.rendition) }
    let outcomes = try repair(fixture, from: Fixtures.path("Photos"))
    #expect(outcomes.count > 10 && outcomes.allSatisfy { $0.result != .lost })
    #expect(try verify(fixture.library).damages.isEmpty)
    #expect(try renditions(fixture, role).count > 10)
  }

  @Test func `a run that ends early is gone on with`() async throws {
    let fixture = try await imported()
    let first = try verify(fixture.library, limit: .zero).summary
    #expect(!first.isComplete && first.blobCount == 0)
    #expect(try verify(fixture.library).summary.isComplete)
    let reader = try Library.open(at: fixture.library.path, for: .reading)
    #expect(try verify(reader).summary.blobCount == 26)
  }
}
