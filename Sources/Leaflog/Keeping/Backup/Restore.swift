package import BlobStorage
package import DiaryCatalog
internal import Foundation
internal import Journal
internal import SystemPackage

/// The contents of a library and a backup, compared before a restore.
public struct RestoreSurvey: Sendable, Hashable {
  /// The contents of a catalog, without the trash.
  public struct Contents: Sendable, Hashable {
    /// Photos on the timeline.
    public let photoCount: Int
    /// Plants that are not deleted.
    public let plantCount: Int
    /// Entries other than photos.
    public let entryCount: Int
  }

  /// The library at the destination.
  @nonexhaustive
  public enum Present: Sendable, Hashable {
    /// There is no library.
    case nothing
    /// A library whose catalog cannot be read, with the reason.
    case unreadable(String)
    /// A library with these contents.
    case library(Contents)
  }

  /// The library at the destination.
  public let present: Present
  /// The contents of the backup, at the moment to restore.
  public let backup: Contents
  /// Photos that are in the library but not in the backup; their blobs stay.
  public let lacking: [EntryID]
  /// Other entries that are in the library but not in the backup.
  public let lackingEntryCount: Int
}

/// The report of a restore.
public struct RestoreSummary: Sendable, Hashable {
  /// Blobs that the restored catalog refers to.
  public internal(set) var blobCount = 0
  /// The total size of these blobs, in bytes.
  public internal(set) var byteCount = 0
  /// Blobs that were added to the library as hard links.
  public internal(set) var linkedCount = 0
  /// Blobs that were copied.
  public internal(set) var copiedCount = 0
  /// Blobs that are missing or damaged both in the library and in the backup.
  public internal(set) var damageCount = 0
  /// Whether the store has blobs of photos that the restored catalog does not know: `repair` brings
  /// them back, and `prune` refuses to touch them.
  public internal(set) var hasUnknownPhotos = false
  /// Whether it was cancelled, in which case the catalog is unchanged.
  public internal(set) var isInterrupted = false
  /// The time that the restore took.
  public internal(set) var duration = Duration.zero
}

/// Restores a library from a backup, either where there is none or over one with the same id. Nothing of an
/// existing library is lost: its catalog is kept as a snapshot, and its blobs stay; only missing and damaged
/// ones are copied. Blobs in an object store are compared by length only.
public struct Restore: Sendable {
  private let backup: Library
  private let blobs: any BlobStore
  /// Keeps the backup open for as long as it is read.
  private let source: OpenBackup?
  private let layout: LibraryLayout
  private let store: LocalBlobStore
  /// The object store of the existing library; nil if its photos are files, or if there is no library.
  private let objects: ObjectStore?
  private let probe: CatalogProbe
  /// The catalog as it was at an earlier moment; nil to restore the backup's own.
  private let past: HistoryCatalog?

  /// Prepares to restore a backup, in a folder or an object store.
  ///
  /// - Parameters:
  ///   - path: the folder of the library, which need not exist yet.
  ///   - moment: restores the catalog as it was then; nil restores the backup's newest one.
  ///   - commit: restores the catalog as it was after this commit.
  ///   - keys: finds the access key of the library's object store.
  /// - Throws: `LeaflogError` with code `invalidRequest` when something else is at `path`, and `notKept` when
  ///   the backup cannot restore that moment.
  public init(
    _ backup: OpenBackup, to path: String, at moment: RecordedTime? = nil, commit: Int? = nil,
    keys: ObjectStoreKeys = ObjectStoreKeys()
  ) throws(LeaflogError) {
    try self.init(
      backup.library, backup, to: path,
      choosing: .init(moment, commit, in: backup.library), keys: keys, files: POSIXFileSystem())
  }

  /// Prepares to restore a backup in a folder.
  ///
  /// - Parameters:
  ///   - backup: the backup's folder, open for reading.
  ///   - path: the folder of the library, which need not exist yet.
  ///   - moment: restores the catalog as it was then; nil restores the backup's newest one.
  ///   - commit: restores the catalog as it was after this commit.
  ///   - keys: finds the access key of the library's object store.
  /// - Throws: `LeaflogError` with code `invalidRequest` when something else is at `path`, and `notKept` when
  ///   the backup cannot restore that moment.
  public init(
    _ backup: Library, to path: String, at moment: RecordedTime? = nil, commit: Int? = nil,
    keys: ObjectStoreKeys = ObjectStoreKeys()
  ) throws(LeaflogError) {
    try self.init(
      backup, nil, to: path, choosing: .init(moment, commit, in: backup), keys: keys,
      files: POSIXFileSystem())
  }

  /// Prepares a restore with a file system and a catalog that tests can make fail.
  package init(
    _ backup: Library, _ source: OpenBackup? = nil, to path: String, at moment: Timestamp? = nil,
    keys: ObjectStoreKeys = ObjectStoreKeys(), files: any FileSystem,
    probe: CatalogProbe = CatalogProbe()
  ) throws(LeaflogError) {
    try self.init(
      backup, source, to: path, choosing: moment.map { BackupHistory.Choice(time: $0) }, keys: keys,
      files: files, probe: probe)
  }

  private init(
    _ backup: Library, _ source: OpenBackup?, to path: String,
    choosing choice: BackupHistory.Choice?,
    keys: ObjectStoreKeys, files: any FileSystem, probe: CatalogProbe = CatalogProbe()
  ) throws(LeaflogError) {
    (self.source, blobs) = (source, source?.blobs ?? backup.store.storedBlobs)
    let layout = LibraryLayout(FilePath(path).resolvedAsFarAsThere)
    let store = LocalBlobStore(root: layout.root, files: files)
    (objects, past) = try translating {
      try Self.check(layout, backup.layout)
      let objects = try ObjectStore(of: layout, store, keys)
      try objects?.checkOwnership()
      // The newest state again, from a snapshot and frames, if the backup's own catalog has been damaged.
      let isDamaged = try choice == nil && !backup.catalog.read { try $0.damagedParts() }.isEmpty
      let newest = BackupHistory.Choice(commit: try backup.catalog.generation())
      let past = try (isDamaged ? newest : choice).map {
        try HistoryCatalog(
          BackupHistory(backup.layout, backup.disk).way(to: $0, in: backup.timeZone),
          of: BackupHistory(backup.layout, backup.disk), in: layout, store)
      }
      return (objects, past)
    }
    (self.backup, self.layout, self.store, self.probe) = (backup, layout, store, probe)
  }

  /// The last commit of the state to restore; nil for the backup's newest one.
  public var moment: BackupMoment? { past?.way.last }

  /// All states that there may have been at the given time, in the order in which they were made, where the times of
  /// commits go back because a clock was wrong; empty otherwise. The last is the one to restore.
  public var candidates: [BackupMoment] { past?.way.candidates ?? [] }

  /// The catalog that will be the library's.
  private var restored: Catalog { past?.catalog ?? backup.catalog }

  private static let toleratedNames: Set = ["README.md", ".gitignore", "lost+found"]

  private static func check(_ layout: LibraryLayout, _ backup: LibraryLayout) throws {
    let (here, there) = (layout.root, backup.root)
    if here == there || here.starts(with: there) || there.starts(with: here) {
      throw LeaflogError.invalid(
        "\(there) is the library itself, or one is inside the other. Name the folder of a backup.")
    }
    if FileManager.default.fileExists(atPath: layout.backupNote.string) {
      throw LeaflogError.invalid("\(here) is a backup itself.", remedy: .nameLibrary)
    }
    if layout.exists {
      let ids = try (LibraryMarker.read(layout.marker).id, LibraryMarker.read(backup.marker).id)
      guard ids.0 == ids.1 else {
        throw LeaflogError.invalid(
          "\(there) is not a backup of the library in \(here), but of another one.",
          remedy: .restoreElsewhere)
      }
      return
    }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: here.string)) ?? []
    if let other = names.first(where: {
      !toleratedNames.contains($0) && !LibraryLayout.isOwn($0)
    }) {
      throw LeaflogError.invalid(
        "\(here) has other things in it (\(other)) and is not a library.", remedy: .nameEmptyFolder)
    }
  }

  /// Compares the contents of the library and the backup, and changes nothing.
  ///
  /// - Throws: `LeaflogError` when a catalog cannot be read. If that of the library is damaged, the survey says so,
  ///   unless its photos are in an object store.
  public func survey() throws(LeaflogError) -> RestoreSurvey {
    try translating {
      let contents = try Self.contents(restored)
      guard layout.exists || FileManager.default.fileExists(atPath: layout.catalog.string) else {
        return RestoreSurvey(
          present: .nothing, backup: contents, lacking: [], lackingEntryCount: 0)
      }
      switch try openPresent() {
      case .failure(let error):
        return RestoreSurvey(
          present: .unreadable(error.message), backup: contents, lacking: [], lackingEntryCount: 0)
      case .success(let present):
        defer { try? present.close() }
        let lacking = try present.read({ try $0.photos.ids() }).subtracting(
          restored.read { try $0.photos.ids() })
        let lackingEntries = try present.read({ try $0.entries.idsBesidesPhotos() }).subtracting(
          restored.read { try $0.entries.idsBesidesPhotos() })
        return RestoreSurvey(
          present: .library(try Self.contents(present)), backup: contents,
          lacking: lacking.sorted().map { EntryID(stored: $0) },
          lackingEntryCount: lackingEntries.count)
      }
    }
  }

  private static func contents(_ catalog: Catalog) throws -> RestoreSurvey.Contents {
    try catalog.read { tables in
      let entries = try tables.totals.entries()
      let photoCount = entries[.photo]?.count ?? 0
      return RestoreSurvey.Contents(
        photoCount: photoCount, plantCount: try tables.plants.count(),
        entryCount: entries.values.reduce(0) { $0 + $1.count } - photoCount)
    }
  }

  /// The present catalog, or the reason why it cannot be read. Never creates one.
  ///
  /// - Throws: when it cannot be read and photos are in an object store, whose keys only the catalog knows.
  private func openPresent() throws -> Result<Catalog, LeaflogError> {
    let present = try readPresent()
    if objects != nil, case .failure(let error) = present {
      throw LeaflogError(error.code, error.message, remedy: .repair)
    }
    return present
  }

  private func readPresent() throws -> Result<Catalog, LeaflogError> {
    guard FileManager.default.fileExists(atPath: layout.catalog.string) else {
      return .failure(LeaflogError(.damaged, "\(layout.catalog) is missing."))
    }
    do {
      return .success(try Catalog(path: layout.catalog.string, access: .readOnlyOfAnyVersion))
    } catch let error as CatalogError where error.code == .damaged {
      return .failure(LeaflogError(error))
    }
  }

  /// Restores the library, whatever `survey` found. Existing blobs are read in full, except in an object store. Stops
  /// when the task is cancelled.
  ///
  /// - Throws: `LeaflogError` when the backup cannot be read, or the library cannot be written.
  public func run(
    copiesAll: Bool = false, progress: @Sendable (_ share: Double) -> Void = { _ in },
    report: (Damage) -> Void
  ) throws(LeaflogError) -> RestoreSummary {
    try translating { try run(copiesAll, backup.clock.now, progress, report) }
  }

  private func target(_ present: Result<Catalog, LeaflogError>) throws -> any BlobStore {
    try objects?.objects(present.get(), restored) ?? store
  }

  private func run(
    _ copiesAll: Bool, _ now: Timestamp, _ progress: @Sendable (Double) -> Void,
    _ report: (Damage) -> Void
  ) throws -> RestoreSummary {
    let started = ContinuousClock.now
    try store.files.makeFolder(layout.root)
    try store.files.makeNameDurable(of: layout.root)
    try store.createFolders()
    let needed = try restored.read { try $0.blobs.toVerify() }.sorted { $0.id < $1.id }
    let present = try openPresent()
    defer { if case .success(let catalog) = present { try? catalog.close() } }
    let start = try (try? present.get())?.generation()
    let moved = try StoreTransfer(
      from: blobs, to: target(present), mayLink: !copiesAll, isFull: objects == nil,
      looksAtSource: false
    ).run(needed, progress: progress)
    var summary = RestoreSummary()
    summary.blobCount = needed.count
    summary.byteCount = needed.reduce(0) { $0 + $1.byteCount }
    summary.linkedCount = moved.linkedCount
    summary.copiedCount = moved.copiedCount
    summary.damageCount = moved.faults.count
    summary.isInterrupted = moved.isInterrupted
    if !summary.isInterrupted {
      for fault in moved.faults {
        report(
          try Damage(
            fault.fault, of: fault.blob.id, in: restored,
            note: "Neither the backup nor the library has it."))
      }
      summary.hasUnknownPhotos = try switchCatalog(present, at: start, now)
    }
    summary.duration = ContinuousClock.now - started
    return summary
  }
}

extension BackupHistory.Choice {
  /// Nil for the newest state.
  fileprivate init?(
    _ moment: RecordedTime?, _ commit: Int?, in backup: Library
  ) throws(LeaflogError) {
    if let moment { try backup.checkZone(of: moment) }
    guard moment != nil || commit != nil else { return nil }
    self.init(time: moment.map { EntryTime($0, in: backup.timeZone).instant }, commit: commit)
  }
}

extension Restore {
  /// Replaces the library's catalog with the restored one.
  ///
  /// - Parameter start: the number of commits of the present catalog when the restore began. Later commits may delete
  ///   blobs that the restored catalog needs.
  /// - Returns: whether the store has photos that the restored catalog does not know.
  private func switchCatalog(
    _ present: Result<Catalog, LeaflogError>, at start: Int?, _ now: Timestamp
  ) throws -> Bool {
    let referenced = try restored.read { try $0.blobs.referenced() }
    let unknown = try hasUnknownPhotos(present, referenced)
    let known = try latestGeneration(present)
    let retired = try (try? present.get())?.read { try $0.retiredKeys.all() }
    var replaced = ReplacedLines()
    if case .success(let catalog) = present { try replaced.add(catalog) }
    try replaced.add(FrameFolder(layout, store))
    if case .success(let catalog) = present { try catalog.close() }

    let copy = layout.root.appending("tmp").appending("catalog.sqlite")
    try CatalogFile(copy, store).removeAll()
    defer { try? CatalogFile(copy, store).removeAll() }
    let after = try known.map { max($0, try restored.generation()) }
    try restored.copy(
      to: copy.string,
      for: .restoring(
        after: after, retiredKeys: retired ?? [], replaced: replaced, now: now))
    // Before the switch: after a crash in between, a prune refuses too much, never too little.
    if unknown { try GenerationNote(ofCatalogAt: layout.catalog.string).hold() }
    try CatalogFile(layout.catalog, store).replace(with: copy, layout, now: now) { present in
      guard try present.generation() == start else {
        throw LeaflogError(
          .locked, "The library in \(layout.root) was changed meanwhile. Restore it again.")
      }
      try CatalogSnapshots(layout, store).keep(present, now: now)
    }
    if !layout.exists {
      let marker = try LibraryMarker.read(backup.layout.marker)
      try store.write(SealedJSON.encode(marker), to: layout.marker)
    }
    let switched = try Catalog(writable: layout, store, objects, backup.clock, nil, probe)
    defer { try? switched.close() }
    // This takes a snapshot of its own, so that nobody continues from one of the replaced catalog any longer.
    try CatalogJournal(of: switched).settle()
    if !unknown { try CatalogAge(of: switched).accept() }
    return unknown
  }

  /// Whether a prune by the restored catalog would remove blobs of photos that it does not know. Unless there is a
  /// present catalog that knows every photo, which an older one that was put back does not, any blob that the restored
  /// catalog does not refer to counts.
  private func hasUnknownPhotos(
    _ present: Result<Catalog, LeaflogError>, _ referenced: Set<BlobID>
  ) throws -> Bool {
    let wasHeld = GenerationNote(ofCatalogAt: layout.catalog.string).isHeld
    if case .success(let catalog) = present, !wasHeld,
      try !CatalogAge(of: catalog).isOlderThanBefore()
    {
      return try !catalog.read { try $0.blobs.referenced() }.isSubset(of: referenced)
    }
    var found = false
    try target(present).list { if !referenced.contains($0.id) { found = true } }
    return found
  }

  /// The highest number of commits recorded anywhere here; nil if there was nothing. The restored catalog
  /// continues from it, so that it is newer than any snapshot, and than any copy that is put back by hand.
  private func latestGeneration(_ present: Result<Catalog, LeaflogError>) throws -> Int? {
    var known = try CatalogSnapshots(layout, store).all().map(\.generation)
    if case .success(let catalog) = present { known.append(try catalog.generation()) }
    if let noted = GenerationNote(ofCatalogAt: layout.catalog.string).generation {
      known.append(noted)
    }
    return known.max()
  }
}
