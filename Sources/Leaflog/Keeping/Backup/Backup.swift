package import BlobStorage
internal import DiaryCatalog
internal import SystemPackage

/// The location of a backup to make, with the options.
public struct BackupRequest: Sendable {
  /// The location of the backup, which is created if it is missing. The parent of a folder must exist.
  public var location: BackupLocation
  /// Finds the access key of the backup's object store.
  public var keys = ObjectStoreKeys()
  /// Whether to copy blobs even where a hard link would do, which a fault of the disk would damage along
  /// with the original.
  public var copiesAll = false
  /// Whether to read every byte that is in the backup already.
  public var readsEverything = false
  /// Whether to replace a backup of a newer catalog than the library's, or one with changes of its own, and to make one
  /// where a disk is not mounted.
  public var overridesChecks = false
  /// Whether to make a new backup where this library was backed up to before, and there is none.
  public var recreatesMissing = false
  /// Whether to add this library to the backup of a copy of it that has gone another way. The backup then has both, and
  /// this library's is the newer one.
  public var keepsBothCopies = false

  /// Creates a request with default options.
  public init(_ location: BackupLocation) { self.location = location }

  /// Creates a request for a backup to a folder.
  public init(path: String) { self.init(.folder(path)) }
}

/// The report of a backup.
public struct BackupSummary: Sendable, Hashable {
  /// Blobs that the backed-up catalog refers to.
  public internal(set) var blobCount = 0
  /// The total size of these blobs, in bytes.
  public internal(set) var byteCount = 0
  /// Blobs that were added to the backup as hard links.
  public internal(set) var linkedCount = 0
  /// Blobs that were copied and read back.
  public internal(set) var copiedCount = 0
  /// The total size of the copied blobs, in bytes.
  public internal(set) var copiedByteCount = 0
  /// Blobs in the backup that its catalog does not refer to; they are kept.
  public internal(set) var surplusCount = 0
  /// Blobs that are missing or damaged in the library, whether the backup has them or not.
  public internal(set) var damageCount = 0
  /// How far back the backup reaches: the catalog can be restored as it was after any commit since.
  public internal(set) var reachesBackTo: Timestamp?
  /// Whether it is a new backup on the library's own disk, with which it would be lost.
  public internal(set) var isNewOnOwnDisk = false
  /// Whether it was cancelled, in which case the backup's catalog is unchanged.
  public internal(set) var isInterrupted = false
  /// The time that the backup took.
  public internal(set) var duration = Duration.zero
}

/// Backs up a library to a folder or an object store, while others use it. Copies only what is missing
/// there, the blobs first and the catalog last, so that the backup is complete at any moment. A backup in a
/// folder is a library itself.
public struct Backup: Sendable {
  let library: Library

  /// Creates a backup of a library, which may be open for reading only.
  public init(_ library: Library) { self.library = library }

  /// The maximum number of attempts, as a prune may remove blobs of the copied catalog before they are reached.
  static let maxAttemptCount = 5

  /// Backs up the library. Damage in the library is reported, and the rest is backed up all the same. Stops
  /// when the task is cancelled.
  ///
  /// - Throws: `LeaflogError` with code `invalidRequest` when the location cannot hold this library's
  ///   backup, `suspicious` when the backup has changes that the library lacks, or is not there any more, and `locked`
  ///   when another process is using it.
  public func run(
    _ request: BackupRequest, progress: @Sendable (_ share: Double) -> Void = { _ in },
    report: (Damage) -> Void
  ) throws(LeaflogError) -> BackupSummary {
    try library.checkAlone()
    return try translating {
      try run(request, files: POSIXFileSystem(), progress: progress, report: report)
    }
  }

  /// Backs up onto a file system that tests can make fail.
  package func run(
    _ request: BackupRequest, files: any FileSystem,
    progress: @Sendable (Double) -> Void = { _ in }, report: (Damage) -> Void
  ) throws -> BackupSummary {
    let start = ContinuousClock.now
    let now = library.clock.now
    let records = BackupRecords(of: library)
    let name = try request.location.place
    let record = try records.all().first { $0.place == name }
    let place = try BackupPlace.enter(request, after: record, of: library, files: files)
    let copy = place.layout.root.appending("tmp").appending("catalog.sqlite")
    defer { try? CatalogFile(copy, place.store).removeAll() }
    var summary: BackupSummary?
    for attempt in 1...Self.maxAttemptCount where summary == nil {
      try CatalogFile(copy, place.store).removeAll()
      try library.catalog.copy(to: copy.string, for: .backup)
      let catalog = try Catalog(path: copy.string, access: .readOnly)
      defer { try? catalog.close() }
      guard try catalog.read({ try $0.damagedParts() }).isEmpty else {
        throw LeaflogError(
          .damaged, "The library's catalog is damaged. The backup keeps what it has.",
          remedy: .repair)
      }
      let blobs = try catalog.read { try $0.blobs.toVerify() }.sorted { $0.id < $1.id }
      let moved = try StoreTransfer(
        from: library.store.storedBlobs, to: place.blobs, mayLink: !request.copiesAll,
        isFull: request.readsEverything, looksAtSource: true
      ).run(blobs, progress: progress)
      if !moved.isInterrupted {
        if attempt < Self.maxAttemptCount, try hasPruned(moved.faults) { continue }
        for fault in moved.faults { report(try damage(fault, catalog)) }
        try place.past.take(
          catalog, from: library.layout, now: now, isFull: request.readsEverything)
        if request.readsEverything { try place.past.setDamagedAside().forEach(report) }
        try place.put(copy, as: catalog, now: now)
        try place.publish()
        try records.note(name, at: now)
      }
      summary = BackupSummary(blobs, moved)
      summary?.reachesBackTo = try place.past.startingPoints().map(\.madeAt).min()
      summary?.surplusCount = moved.isInterrupted ? 0 : try place.surplusCount(blobs)
    }
    summary?.isNewOnOwnDisk = try place.isNew && place.isOnDisk(of: library)
    summary?.duration = ContinuousClock.now - start
    return summary ?? BackupSummary()
  }

  /// Whether some of the missing blobs are no longer referenced: then the copy of the catalog is out of
  /// date, and nothing is damaged.
  private func hasPruned(_ faults: [StoreTransfer.Fault]) throws -> Bool {
    let missing = faults.filter { $0.fault == .missing && !$0.isInTarget }
    guard !missing.isEmpty else { return false }
    let referenced = try library.catalog.read { try $0.blobs.referenced() }
    return missing.contains { !referenced.contains($0.blob.id) }
  }

  private func damage(_ fault: StoreTransfer.Fault, _ catalog: Catalog) throws -> Damage {
    try Damage(
      fault.fault, of: fault.blob.id, in: catalog,
      note: fault.isInTarget ? "The backup has it." : "It is not in the backup.",
      remedy: fault.isInTarget ? .repairFromBackup : nil)
  }
}

extension BackupSummary {
  fileprivate init(_ blobs: [CataloguedBlob], _ moved: StoreTransfer.Result) {
    self.init()
    blobCount = blobs.count
    byteCount = blobs.reduce(0) { $0 + $1.byteCount }
    linkedCount = moved.linkedCount
    copiedCount = moved.copiedCount
    copiedByteCount = moved.copiedByteCount
    damageCount = moved.faults.count
    isInterrupted = moved.isInterrupted
  }
}
