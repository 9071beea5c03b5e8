internal import BlobStorage
internal import DiaryCatalog
internal import Foundation
internal import Journal
internal import Synchronization
internal import SystemPackage

/// A read-only copy of a library whose photos are in an object store, brought up to date from that store.
///
/// As long as this value exists, no other process can bring the same folder up to date. Others may read it.
public final class LibraryReplica: Sendable {
  /// The outcome of an update.
  public struct Update: Sendable, Hashable {
    /// The number of commits received, of any kind.
    public internal(set) var commitCount = 0
    /// The changes that they were part of, in order: the command as it was typed, or the kind of change.
    public internal(set) var changes: [String] = []
    /// Whether the catalog was replaced as a whole, as happens when frames have been deleted.
    public internal(set) var isReplaced = false
    /// The number of the newest commit.
    public internal(set) var lastCommit = 0
  }

  private let store: ObjectStore
  private let history: ObjectHistory
  private let layout: LibraryLayout
  private let disk: LocalBlobStore
  private let catalog: Catalog
  private let clock: WallClock
  private let lock: Mutex<HeldLock?>

  /// Whether the library in a folder is a replica.
  public static func exists(at path: String) -> Bool {
    let layout = LibraryLayout(FilePath(path))
    let store = try? ObjectStore(of: layout, LocalBlobStore(root: layout.root), ObjectStoreKeys())
    return layout.exists && store.map { $0.note.owner == nil } ?? false
  }

  /// Opens the replica in a folder.
  ///
  /// - Throws: `LeaflogError` with code `noLibrary` when there is no library, `invalidRequest` when it is not a
  ///   replica, and `locked` while another process is bringing it up to date.
  public convenience init(
    at path: String, keys: ObjectStoreKeys = ObjectStoreKeys(), clock: WallClock = .system
  ) throws(LeaflogError) {
    let given = LibraryLayout(FilePath(path))
    _ = try LibraryMarker.read(given.marker)
    let (layout, store) = try translating {
      let layout = LibraryLayout(try given.root.resolved())
      return (layout, try ObjectStore(of: layout, LocalBlobStore(root: layout.root), keys))
    }
    guard let store, store.note.owner == nil else {
      throw .invalid("\(layout.root) is a library that is written here, and follows no other.")
    }
    try self.init(store, layout, clock)
  }

  private init(_ store: ObjectStore, _ layout: LibraryLayout, _ clock: WallClock)
    throws(LeaflogError)
  {
    (self.store, self.layout, self.clock) = (store, layout, clock)
    disk = LocalBlobStore(root: layout.root)
    history = ObjectHistory(store.client)
    lock = Mutex(
      try translating {
        guard let lock = try HeldLock(layout.objectStore) else {
          throw LeaflogError(
            .locked, "Another process is bringing \(layout.root) up to date.", remedy: .endFollowing
          )
        }
        return lock
      })
    catalog = try translating {
      try Catalog(
        path: layout.catalog.string, access: .replaying(lock: FileLock(layout.lock)),
        clock: { clock.now })
    }
  }

  /// Creates a replica in a folder, which has to be empty or missing, or contain one that was never finished.
  ///
  /// - Throws: `LeaflogError` with code `noLibrary` when there is no library in the store.
  public static func create(
    _ settings: ObjectStoreSettings, at path: String, keys: ObjectStoreKeys = ObjectStoreKeys(),
    clock: WallClock = .system
  ) throws(LeaflogError) -> CreatedReplica {
    try translating {
      let files = POSIXFileSystem()
      try files.makeFolder(FilePath(path))
      let layout = LibraryLayout(try FilePath(path).resolved())
      let disk = LocalBlobStore(root: layout.root, files: files)
      let store = try ObjectStore(
        ObjectStore.Note(settings: settings, owner: nil), keys, layout, disk)
      let marker = try LibraryMarker(in: store.client)
      let names = try FileManager.default.contentsOfDirectory(atPath: layout.root.string)
      guard !layout.exists, names.allSatisfy(LibraryLayout.isOwn) else {
        throw LeaflogError.invalid("\(layout.root) is not empty.", remedy: .nameEmptyFolder)
      }
      try disk.createFolders()
      try store.writeNote()
      let replica = try LibraryReplica(store, layout, clock)
      let update = try replica.update()
      // Last, so that an interrupted creation does not leave a replica.
      try marker.write(to: layout, disk)
      return CreatedReplica(replica: replica, update: update)
    }
  }

  /// Brings the replica up to date with everything that the library's owner has reported as done.
  ///
  /// - Parameter isThorough: whether to look also for a new owner and for catalogs without frames, which arise when
  ///   data is forgotten for good; this takes two requests in addition to the one for frames.
  /// - Throws: `LeaflogError` with code `forked` when two copies of the library have written to the store, and
  ///   `unreachable` when it does not answer.
  public func update(isThorough: Bool = true) throws(LeaflogError) -> Update {
    try translating {
      var update = Update()
      let (lineage, commit, head) = try catalog.read {
        try ($0.place.lineage, $0.settings.commitCount, $0.heads.current)
      }
      let all = try history.names(after: max(0, commit - 1)).filter { $0.kind == .frames }
      try refuseForks(all)
      // A commit that its owner took back, as somebody else's came first, may have been applied.
      let ours = all.filter { $0.commit == commit && $0.lineage == lineage }
      let isOurs = ours.isEmpty || ours.contains { $0.head == head }
      let names = all.filter { $0.commit > commit }
      let isUnbroken =
        try isOurs && addPresent(names.filter { $0.lineage == lineage }, &update)
      let isAll = isUnbroken && names.allSatisfy { $0.lineage == lineage }
      if isThorough || !isAll, try leadsElsewhere(from: lineage, isUnbroken) {
        try retryingAfterDeletions { try replace(&update) }
      }
      update.lastCommit = try catalog.generation()
      return update
    }
  }

  /// Makes this machine the one that writes the library, with everything that the previous one reported as done.
  ///
  /// The previous machine finds out before it reports its next change. Do not use this value afterwards.
  ///
  /// - Throws: `LeaflogError` with code `forked` when two copies of the library have written to the store, and
  ///   `unreachable` when it does not answer.
  public func promote() throws(LeaflogError) -> Update {
    try translating {
      let owner = try ObjectHistory.nextOwner(store.client)
      try ObjectHistory(store.client, owner: owner).takeOver()
      let update = try update()
      let known = try history.names().last?.commit
      // Before this machine becomes the owner: frames that the previous one has not acknowledged may still arrive,
      // and none of ours may have the same name.
      try catalog.beginLineage(after: known)
      try catalog.close()
      var note = store.note
      note.owner = owner
      try ObjectStore(note, store.keys, layout, disk).writeNote()
      let library = try Library.reopen(layout, disk, store.keys, clock, CatalogProbe())
      try CatalogJournal(of: library.catalog).settle()
      try library.close()
      lock.withLock { $0 = nil }
      return update
    }
  }

  /// Closes the catalog, and lets other processes bring the replica up to date.
  ///
  /// - Throws: `LeaflogError` when the catalog cannot be closed.
  public func close() throws(LeaflogError) {
    try translating { try catalog.close() }
    lock.withLock { $0 = nil }
  }
}

extension LibraryReplica {
  /// Whether frames of this line lead no further, but a catalog of this or another line does.
  private func leadsElsewhere(from lineage: UUID?, _ isUnbroken: Bool) throws -> Bool {
    guard let owned = try history.ownedLineage() else { return false }
    if owned != lineage || !isUnbroken { return true }
    let commit = try catalog.generation()
    return try history.names(after: commit).contains { $0.kind == .notice && $0.lineage == owned }
  }

  /// - Throws: `LeaflogError` with code `forked` when two successors of one commit are in the journal.
  private func refuseForks(_ names: [ObjectHistory.Name]) throws {
    let heads = Dictionary(grouping: names) { "\($0.lineage) \($0.commit)" }
    guard let forked = heads.first(where: { Set($0.value.map(\.head)).count > 1 })?.value.first
    else { return }
    throw LeaflogError(
      .forked,
      "Two copies of the library have put different commits \(forked.commit) into "
        + "\(store.client.location.url).", remedy: .resolveFork)
  }

  /// Applies the frames that follow, as far as they are still there.
  ///
  /// - Returns: false when some are missing.
  private func addPresent(_ names: [ObjectHistory.Name], _ update: inout Update) throws -> Bool {
    do {
      try add(names, &update)
      return true
    } catch let error as BlobStoreError where error.code == .notFound {
      return false
    } catch let error as CatalogError where error.code == .conflict {
      return false
    }
  }

  private func add(_ names: [ObjectHistory.Name], _ update: inout Update) throws {
    try history.read(names) { frames in
      let present = try catalog.generation()
      let new = frames.filter { $0.commit > present }
      try catalog.apply(new)
      update.commitCount += new.count
      for frame in new {
        guard let words = FrameLabel.words(in: frame.label), words != update.changes.last else {
          continue
        }
        update.changes.append(words)
      }
    }
  }

  /// Switches to the newest catalog and the frames after it; without a catalog, to all frames from the first. The owner
  /// deletes what a newer catalog covers.
  private func replace(_ update: inout Update) throws {
    let line = try ObjectLine(history)
    let copy = layout.root.appending("tmp").appending("catalog.sqlite")
    defer { try? CatalogFile(copy, disk).removeAll() }
    if let name = line.catalog {
      guard try history.fetch(name, to: copy, disk) else {
        throw LeaflogError(.damaged, "\(name.key) in \(store.client.location.url) is damaged.")
      }
    } else {
      try CatalogFile(copy, disk).removeAll()
      try Catalog(path: copy.string, access: .replaying(lock: FileLock(layout.lock))).close()
    }
    let newest = try Catalog(path: copy.string, access: .readOnlyOfAnyVersion)
    defer { try? newest.close() }
    try catalog.replaceContents(with: newest)
    update.isReplaced = true
    do { try add(line.frames, &update) } catch let error as CatalogError
      where error.code == .conflict
    {
      throw LeaflogError(
        .damaged,
        "The frames in \(store.client.location.url) do not follow each other. \(error.message)")
    }
  }
}

extension LibraryReplica {
  /// The number of updates of which one is thorough.
  private static let roundsBetweenThorough = 10

  /// Keeps the replica up to date until the task is cancelled. Tries again while the store cannot be reached.
  ///
  /// - Parameters:
  ///   - pause: the time between two updates, each of which takes at least one request: a tenth of a second to a year.
  ///   - report: receives each update that changed something, and the first of consecutive errors.
  /// - Throws: errors that waiting does not resolve, and `invalidRequest` for another pause.
  public func follow(
    every pause: Duration = .seconds(1),
    report: @Sendable (Result<Update, LeaflogError>) -> Void
  ) async throws(LeaflogError) {
    try pause.checkRepeated()
    try await Library.work { () async throws(LeaflogError) in try await follow(pause, report) }
  }

  private func follow(
    _ pause: Duration, _ report: @Sendable (Result<Update, LeaflogError>) -> Void
  ) async throws(LeaflogError) {
    var isReached = true
    var round = 0
    while !Task.isCancelled {
      do throws(LeaflogError) {
        let update = try update(isThorough: round.isMultiple(of: Self.roundsBetweenThorough))
        if update.commitCount > 0 || update.isReplaced { report(.success(update)) }
        isReached = true
      } catch {
        guard [.unreachable, .locked, .forked].contains(error.code) else { throw error }
        if isReached { report(.failure(error)) }
        isReached = false
      }
      round += 1
      // Cancelling ends the sleep at once.
      try? await Task.sleep(for: pause)
    }
  }
}

/// A replica that was created.
public struct CreatedReplica: Sendable {
  /// The replica.
  public let replica: LibraryReplica
  /// The commits that it received when it was created.
  public let update: LibraryReplica.Update
}
