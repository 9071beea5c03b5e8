import Foundation
import Leaflog
import TestSupport
import Testing

/// Nothing of a library is for others to look at.
@Suite struct OwnerRightsTests {
  /// Everything below a folder, and the folder, that others may read, write or enter.
  private func open(_ root: String) throws -> [String] {
    let names = try #require(FileManager.default.enumerator(atPath: root)).compactMap {
      $0 as? String
    }
    #expect(names.contains("catalog.sqlite"))
    return ([""] + names).filter {
      var status = stat()
      #expect(lstat(root + "/" + $0, &status) == 0)
      return status.st_mode & 0o077 != 0
    }
  }

  @Test func `a library, its previews, snapshots and backups are for their owner alone`()
    async throws
  {
    let fixture = try LibraryFixture(policy: .exact)
    let library = fixture.library
    _ = try await fixture.run([Fixtures.path("Photos/basil")])
    let entries = try fixture.entries()
    _ = try library.photos.edit(entries[0].id, notes: "mine")
    _ = try library.photos.preview(of: library.photos.find(entries[0].id))
    try library.store.takeSnapshot()
    try library.photos.delete(.photos([entries[1].id]))
    var prune = PruneRequest()
    (prune.waived, prune.olderThan, prune.grace) = (Set(PruneGuard.allCases), .zero, .zero)
    for hours in [1.0, 2, 3] { _ = try Pruner(library).run(prune, now: .inHours(hours)) }
    #expect(try open(library.path) == [])
    #expect(fixture.folder.files(below: "library").contains("catalog.sqlite-wal"))

    for copiesAll in [true, false] {
      let place = fixture.folder.file("backup-\(copiesAll)")
      var request = BackupRequest(path: place)
      request.copiesAll = copiesAll
      _ = try Backup(library).run(request) { _ in }
      #expect(try open(place) == [])
      let backup = try Library.open(at: place, for: .reading)
      let restored = fixture.folder.file("restored-\(copiesAll)")
      _ = try Restore(backup, to: restored).run { _ in }
      #expect(try open(restored) == [])
    }

    try library.close()
    let blob = try #require(fixture.storedFiles.first)
    try fixture.folder.write(Data("rot".utf8), to: "library/blobs/" + blob)
    chmod(fixture.folder.file("library/blobs/" + blob), 0o600)
    try FileManager.default.removeItem(atPath: library.path + "/catalog.sqlite")
    _ = try CatalogRescue(at: library.path).run()
    let rescued = try Library.open(at: library.path)
    try Repairer(rescued).run(from: .folder(Fixtures.path("Photos/basil"))) { _ in }
    #expect(try open(library.path) == [])
  }

  @Test func `a folder that is there keeps its rights`() throws {
    let folder = try TemporaryFolder()
    chmod(folder.path, 0o755)
    try Library.create(at: folder.path).close()
    #expect(try open(folder.path) == [""])
  }

  /// The names below a folder, and of the folder, that belong to somebody else than the user.
  private func others(_ root: String, than user: uid_t) throws -> [String] {
    let names = try #require(FileManager.default.enumerator(atPath: root)).compactMap {
      $0 as? String
    }
    return ([""] + names).filter {
      var status = stat()
      #expect(lstat(root + "/" + $0, &status) == 0)
      return status.st_uid != user || status.st_gid != user
    }
  }

  private static let someone: uid_t = 12345

  /// Whether this is root, in a container that knows other users.
  private static let canGive =
    (try? TemporaryFolder()).map { chown($0.path, someone, someone) == 0 } ?? false

  /// A folder of somebody else's; only root can make one.
  private func foldersOfSomeone() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    #expect(chown(folder.path, Self.someone, Self.someone) == 0)
    return folder
  }

  @Test(.enabled(if: canGive, "files of other users cannot be made here"))
  func `files that root makes in another user's library and backup belong to that user`()
    async throws
  {
    let folder = try foldersOfSomeone()
    let settings = Library.Settings(policy: .exact, timeZone: .ofTestLibraries)
    let library = try Library.create(at: folder.file("a/library"), settings)
    _ = try await Importer(library).run(ImportRequest(paths: [Fixtures.path("Photos/basil")])) {
      _ in
    }
    let entry = try #require(try library.timeline.page(limit: 1).elements.first)
    _ = try library.photos.preview(of: library.photos.find(entry.id))
    _ = try library.tokens.add("phone")
    try library.store.takeSnapshot()
    for copiesAll in [true, false] {
      var request = BackupRequest(path: folder.file("backup-\(copiesAll)"))
      request.copiesAll = copiesAll
      _ = try Backup(library).run(request) { _ in }
    }
    let files = try JobFiles(of: library)
    _ = try files.newPath(of: "result.pdf")
    #expect(try others(folder.path, than: Self.someone) == [])
    #expect(try open(library.path) == [])
    try library.close()
    #expect(try others(folder.path, than: Self.someone) == [])
  }

  @Test(.enabled(if: canGive, "files of other users cannot be made here"))
  func `verify names files of other users than the owner, and the command that mends them`()
    async throws
  {
    let fixture = try LibraryFixture()
    let path = fixture.library.path
    let theirs = try others(path, than: Self.someone)
    for name in theirs { #expect(chown(path + "/" + name, Self.someone, Self.someone) == 0) }
    var damage: [Damage] = []
    _ = try Verifier(fixture.library).run(VerifyRequest()) { damage.append($0) }
    #expect(damage == [])
    // A disk's own folder is no part of the library.
    try fixture.folder.write(Data(), to: "library/lost+found/file")
    for name in ["blobs", "leaflog.json"] { #expect(chown(path + "/" + name, 0, 0) == 0) }
    _ = try Verifier(fixture.library).run(VerifyRequest()) { damage.append($0) }
    #expect(damage.map(\.kind) == [.owner])
    let message = try #require(damage.first?.message)
    #expect(message.contains("blobs, leaflog.json") || message.contains("leaflog.json, blobs"))
    #expect(message.hasSuffix("chown -R \(Self.someone):\(Self.someone) '\(path)'"))
  }

  @Test(.enabled(if: canGive, "files of other users cannot be made here"))
  func `a backup of a library of another user is readable to the owner of its folder`()
    async throws
  {
    let fixture = try LibraryFixture(policy: .exact)
    _ = try await fixture.run([Fixtures.path("Photos/basil")])
    // Root's library, backed up into a folder of somebody's: links would stay root's.
    let theirs = try foldersOfSomeone()
    let copied = try Backup(fixture.library).run(BackupRequest(path: theirs.file("backup"))) { _ in
    }
    #expect(copied.copiedCount == 8 && copied.linkedCount == 0)
    #expect(try others(theirs.path, than: Self.someone) == [])
    // Somebody's library, backed up into a folder of root's: links are fine there, and no fault.
    for name in try others(fixture.library.path, than: Self.someone) {
      #expect(chown(fixture.library.path + "/" + name, Self.someone, Self.someone) == 0)
    }
    let place = fixture.folder.file("backup")
    let linked = try Backup(fixture.library).run(BackupRequest(path: place)) { _ in }
    #expect(linked.linkedCount == 8)
    let backup = try Library.open(at: place, for: .reading)
    var damage: [Damage] = []
    _ = try Verifier(backup).run(VerifyRequest()) { damage.append($0) }
    #expect(damage == [])
    try backup.close()
  }
}
