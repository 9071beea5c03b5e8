import BlobStorage
import DiaryCatalog
import DiaryModel
import Foundation
import Leaflog
import Synchronization
import SystemPackage
import TestSupport
import Testing

/// A library with the sample photos, and a place beside it to back it up to.
struct BackupFixture {
  let base: LibraryFixture
  var library: Library { base.library }
  var place: String { base.folder.file("backup") }

  init(_ photos: String = "Photos/monstera") async throws {
    base = try LibraryFixture(policy: .exact)
    _ = try await base.run([Fixtures.path(photos)])
  }

  @discardableResult
  func backUp(
    to path: String? = nil, files: any FileSystem = POSIXFileSystem(),
    _ change: (inout BackupRequest) -> Void = { _ in }
  ) throws -> (summary: BackupSummary, damage: [Damage]) {
    var request = BackupRequest(path: path ?? place)
    change(&request)
    var damage: [Damage] = []
    let summary = try Backup(library).run(request, files: files) { damage.append($0) }
    return (summary, damage)
  }

  /// The entries on its timeline, and whether every byte is right.
  func contents(of path: String) throws -> (ids: [EntryID], damage: [String]) {
    let library = try Library.open(at: path, for: .reading)
    defer { try? library.close() }
    var request = VerifyRequest()
    request.readsEverything = true
    var damage: [String] = []
    _ = try Verifier(library).run(request) { damage.append($0.message) }
    return (try library.timeline.page(limit: 1000).elements.map(\.id), damage)
  }

  func expectWhole(_ path: String, _ ids: [EntryID]) throws {
    let found = try contents(of: path)
    #expect(found.ids == ids)
    #expect(found.damage == [])
  }

  func ids() throws -> [EntryID] { try base.entries().map(\.id) }

  func blobPath(_ role: RenditionRole, of index: Int = 0, in folder: String? = nil) throws -> String
  {
    let photo = try library.photos.find(matching: try ids()[index].description)
    let rendition = try #require(photo.renditions.first { $0.role == role })
    return LocalBlobStore(root: FilePath(folder ?? library.path)).path(of: rendition.blob).string
  }

  func catalog(in folder: String) throws -> Catalog {
    try Catalog(
      path: folder + "/catalog.sqlite",
      access: .readWrite(lock: FileLock(FilePath(folder + "/lock"))))
  }

  func add(_ fixture: String) async throws { _ = try await base.run([Fixtures.path(fixture)]) }
}

/// The real file system, save that something happens when the first file is linked.
final class HookedFileSystem: ForwardingFileSystem {
  let real = POSIXFileSystem()
  private let hook: @Sendable () -> Void
  private let isDone = Mutex(false)

  init(_ hook: @escaping @Sendable () -> Void) { self.hook = hook }

  func link(_ path: FilePath, to target: FilePath) throws(Errno) {
    isDone.withLock {
      if !$0 { hook() }
      $0 = true
    }
    try real.link(path, to: target)
  }
}
