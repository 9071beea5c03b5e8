import BlobStorage
import DiaryCatalog
import DiaryModel
import Foundation
import Leaflog
import Synchronization
import SystemPackage
import TestSupport
import Testing

@Suite struct BackupTests {
  @Test(arguments: [false, true])
  func `a backup is a library with the same timeline, and a second one brings nothing`(
    copiesAll: Bool
  ) async throws {
    let fixture = try await BackupFixture()
    let first = try fixture.backUp { $0.copiesAll = copiesAll }.summary
    #expect(first.blobCount > 0)
    #expect((copiesAll ? first.copiedCount : first.linkedCount) == first.blobCount)
    #expect((copiesAll ? first.linkedCount : first.copiedCount) == 0)
    try fixture.expectWhole(fixture.place, fixture.ids())
    let second = try fixture.backUp { $0.copiesAll = copiesAll }.summary
    #expect(second.linkedCount == 0 && second.copiedCount == 0)
    #expect(second.blobCount == first.blobCount)
    #expect(fixture.base.folder.files(below: "backup/tmp").isEmpty)

    try await fixture.add("Photos/basil")
    let third = try fixture.backUp { $0.copiesAll = copiesAll }.summary
    #expect(third.linkedCount + third.copiedCount == third.blobCount - first.blobCount)
    try fixture.expectWhole(fixture.place, fixture.ids())
    // A starting point for each catalog.
    let backup = try Library.open(at: fixture.place, for: .reading)
    #expect(try backup.store.snapshots().count == 2)
  }

  @Test func `linked blobs become copies when copies are asked for`() async throws {
    let fixture = try await BackupFixture()
    let count = try fixture.backUp().summary.linkedCount
    #expect(try fixture.backUp { $0.copiesAll = true }.summary.copiedCount == count)
    let path = try fixture.blobPath(.original)
    try Data("rot".utf8).write(to: URL(fileURLWithPath: path))
    try fixture.expectWhole(fixture.place, fixture.ids())
  }

  @Test func `a damaged blob is named, stays out, and replaces none that is whole`() async throws {
    let fixture = try await BackupFixture()
    let ids = try fixture.ids()
    let victim = try fixture.blobPath(.original)
    let good = try Data(contentsOf: URL(fileURLWithPath: victim))
    var bad = good
    bad[bad.count / 2] ^= 1
    try bad.write(to: URL(fileURLWithPath: victim))
    let (summary, damage) = try fixture.backUp { $0.copiesAll = true }
    #expect(summary.damageCount == 1 && summary.copiedCount == summary.blobCount - 1)
    #expect(damage.map { $0.photos.map(\.id) } == [[ids[0]]])
    #expect(damage[0].kind == .damaged && damage[0].roles == [.original])
    #expect(
      !FileManager.default.fileExists(atPath: try fixture.blobPath(.original, in: fixture.place)))

    try good.write(to: URL(fileURLWithPath: victim))
    #expect(try fixture.backUp { $0.copiesAll = true }.summary.copiedCount == 1)
    // From now on the library may rot as it likes.
    try bad.write(to: URL(fileURLWithPath: victim))
    try FileManager.default.removeItem(atPath: fixture.blobPath(.original, of: 1))
    try good.prefix(9).write(to: URL(fileURLWithPath: fixture.blobPath(.thumbnail)))
    let last = try fixture.backUp {
      $0.copiesAll = true; $0.readsEverything = true
    }
    #expect(last.summary.copiedCount == 0)
    #expect(Set(last.damage.map(\.kind)) == [.missing, .wrongSize])
    #expect(last.damage.allSatisfy { $0.message.contains("The backup has it") })
    try fixture.expectWhole(fixture.place, ids)
  }

  @Test func `damage in the backup is replaced`() async throws {
    let fixture = try await BackupFixture()
    try fixture.backUp { $0.copiesAll = true }
    let short = try fixture.blobPath(.original, in: fixture.place)
    let flipped = try fixture.blobPath(.original, of: 1, in: fixture.place)
    try Data("short".utf8).write(to: URL(fileURLWithPath: short))
    var bytes = try Data(contentsOf: URL(fileURLWithPath: flipped))
    bytes[0] ^= 1
    try bytes.write(to: URL(fileURLWithPath: flipped))
    #expect(try fixture.backUp { $0.copiesAll = true }.summary.copiedCount == 1)
    let full = try fixture.backUp {
      $0.copiesAll = true
      $0.readsEverything = true
    }
    #expect(full.summary.copiedCount == 1 && full.summary.damageCount == 0)
    try fixture.expectWhole(fixture.place, fixture.ids())
  }

  @Test(arguments: [(Errno.ioError, false), (.noSpace, true), (.ioError, true)])
  func `a backup that fails at any operation leaves the last one whole`(
    error: Errno, copiesAll: Bool
  ) async throws {
    let fixture = try await BackupFixture("Photos/basil")
    let before = try fixture.ids()
    try fixture.backUp()
    try fixture.base.folder.copy("Orientation/6.jpg", to: "more/a.jpg")
    _ = try await fixture.base.run([fixture.base.folder.file("more")])
    let after = try fixture.ids()
    #expect(after.count == before.count + 1)
    let place = fixture.base.folder.file("tried")
    var tried = 0
    for position in 0... {
      _ = try? FileManager.default.removeItem(atPath: place)
      try clone(fixture.place, to: place)
      let faults = FaultyFileSystem()
      faults.arm(FaultPlan(.fail(error), at: position))
      do {
        try fixture.backUp(to: place, files: faults) { $0.copiesAll = copiesAll }
        try fixture.expectWhole(place, after)
        if faults.log.count <= position { break }
      } catch {
        tried += 1
        let found = try fixture.contents(of: place)
        #expect(found.damage == [])
        #expect(found.ids == before || found.ids == after)
      }
    }
    #expect(tried >= 10)
    print("backup: failed at \(tried) operations with \(error)")
  }

  private func clone(_ folder: String, to target: String) throws {
    try FileManager.default.copyItem(atPath: folder, toPath: target)
  }

  @Test func `blobs that are in the trash by now are found, and pruned ones are not damage`()
    async throws
  {
    let fixture = try await BackupFixture()
    // Condemned, trashed and unlinked while a backup is under way: what it looks for is in the trash.
    let name = (try fixture.blobPath(.original) as NSString).lastPathComponent
    let store = LocalBlobStore(root: FilePath(fixture.library.path))
    let id = try #require(BlobID(hex: name))
    try store.moveToTrash(id)
    let (summary, damage) = try fixture.backUp()
    #expect(damage.isEmpty && summary.linkedCount == summary.blobCount)
    try fixture.expectWhole(fixture.place, fixture.ids())
  }

  @Test func `blobs that are pruned under way are not damage: the catalog is taken again`()
    async throws
  {
    let fixture = try await BackupFixture()
    let ids = try fixture.ids()
    let library = fixture.library.path
    // The last by name, which a backup comes to last.
    let store = LocalBlobStore(root: FilePath(library))
    var blobs: [BlobID] = []
    try store.list { blobs.append($0.id) }
    let last = try #require(blobs.max { $0.hex < $1.hex })
    let catalog = try fixture.catalog(in: library)
    let victim = try #require(try catalog.read { try $0.renditions.photos(of: last) }.first).entry
      .id
    let hook = HookedFileSystem {
      _ = try? fixture.library.photos.delete(.photos([victim]))
      try? catalog.purge(deletedBefore: Timestamp(milliseconds: .max))
      try? store.delete(last)
    }
    let (summary, damage) = try fixture.backUp(files: hook)
    #expect(damage.isEmpty && summary.damageCount == 0)
    try fixture.expectWhole(fixture.place, ids.filter { $0 != victim })
  }

  @Test func `blobs that the library does not need any more stay and are counted`() async throws {
    let fixture = try await BackupFixture()
    try fixture.backUp()
    let all = try fixture.ids()
    try fixture.library.photos.delete(.photos([all[0]]))
    let catalog = try fixture.catalog(in: fixture.library.path)
    try catalog.purge(deletedBefore: Timestamp(milliseconds: .max))
    let summary = try fixture.backUp().summary
    #expect(summary.surplusCount == 2)
    try fixture.expectWhole(fixture.place, Array(all.dropFirst()))
  }

  @Test func `a cancelled backup leaves the last one as it was`() async throws {
    let fixture = try await BackupFixture()
    try fixture.backUp()
    let before = try fixture.ids()
    try await fixture.add("Photos/basil")
    let (library, place) = (fixture.library, fixture.place)
    let summary = try await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try Backup(library).run(BackupRequest(path: place)) { _ in }
    }.value
    #expect(summary.isInterrupted)
    try fixture.expectWhole(place, before)
  }

  @Test func `places that are not for a backup are refused, with the reason`() async throws {
    let fixture = try await BackupFixture()
    let folder = fixture.base.folder
    func refusal(_ path: String) throws -> String {
      let error = #expect(throws: LeaflogError.self) { try fixture.backUp(to: path) }
      #expect(error?.code == .invalidRequest)
      return error?.message ?? ""
    }
    #expect(try refusal(fixture.library.path).contains("is the library"))
    #expect(try refusal(fixture.library.path + "/blobs/new").contains("is the library"))
    #expect(try refusal(folder.path).contains("inside"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("link"), withDestinationPath: fixture.library.path)
    #expect(try refusal(folder.file("link")).contains("is the library"))
    #expect(try refusal(folder.file("no/such")).contains("not there"))
    try folder.write(Data("x".utf8), to: "taken/file.txt")
    #expect(try refusal(folder.file("taken")).contains("file.txt"))
    #expect(try refusal(folder.file("taken/file.txt")).contains("not a folder"))
    try Library.create(at: folder.file("other")).close()
    #expect(try refusal(folder.file("other")).contains("another library"))
    try FileManager.default.copyItem(
      atPath: fixture.library.path, toPath: folder.file("copy"))
    #expect(try refusal(folder.file("copy")).contains("did not make"))
    let other = try await BackupFixture()
    try other.backUp()
    #expect(try refusal(other.place).contains("another library"))
    #expect(folder.files(below: "taken") == ["file.txt"])
    try folder.write(Data("x".utf8), to: "started/tmp/file-1")
    try FileManager.default.createDirectory(
      atPath: folder.file("started/blobs"), withIntermediateDirectories: false)
    #expect(try fixture.backUp(to: folder.file("started")).summary.linkedCount > 0)
  }

  @Test func `a backup that was worked in, or that is newer, is not overwritten`() async throws {
    let fixture = try await BackupFixture()
    try fixture.backUp()
    // Verifying is no change.
    let verified = try fixture.catalog(in: fixture.place)
    for _ in 0..<20 {
      try verified.write { try $0.blobs.setVerified([], at: Timestamp(milliseconds: 0)) }
    }
    try verified.close()
    try fixture.backUp()
    let backup = try Library.open(at: fixture.place)
    _ = try backup.photos.delete(.photos([try fixture.ids()[0]]))
    try backup.close()
    let used = #expect(throws: LeaflogError.self) { try fixture.backUp() }
    #expect(used?.code == .suspicious)
    try fixture.backUp { $0.overridesChecks = true }
    try fixture.expectWhole(fixture.place, fixture.ids())
  }

  @Test func `a backup that somebody writes to is left alone`() async throws {
    let fixture = try await BackupFixture()
    try fixture.backUp()
    let open = try Library.open(at: fixture.place)
    _ = try open.timeline.page()
    try await fixture.add("Photos/basil")
    let error = #expect(throws: LeaflogError.self) { try fixture.backUp() }
    #expect(error?.code == .locked)
    try open.close()
    try fixture.backUp()
    try fixture.expectWhole(fixture.place, fixture.ids())
  }
}
