internal import BlobStorage
internal import DiaryCatalog
internal import Foundation
internal import Journal
internal import SystemPackage

/// The report of a move.
public struct StoreMoveSummary: Sendable, Hashable {
  /// Blobs of the library.
  public internal(set) var blobCount = 0
  /// The total size of these blobs, in bytes.
  public internal(set) var byteCount = 0
  /// Blobs that were copied; the others were there already.
  public internal(set) var copiedCount = 0
  /// The total size of the copied blobs, in bytes.
  public internal(set) var copiedByteCount = 0
  /// Blobs that are missing or damaged; if there are any, nothing is moved.
  public internal(set) var damageCount = 0
  /// Whether it was cancelled: the library is where it was, and the next run continues.
  public internal(set) var isInterrupted = false
  /// Whether the next prune deletes the store that the library was in. It does not if that has the same owner's marker,
  /// as it may be the same store under another address.
  public internal(set) var leavesFormer = false
  /// Whether the library was in that store already, and only its settings were changed.
  public internal(set) var changesSettingsOnly = false
}

/// Moves a library's photos from its folder into an object store, back, or from one such store to another.
///
/// Everything is copied first, while others use the library, and each blob is checked. Then the library switches to
/// its new store in one step; the former one stays as it was until the next prune. If the library is in that store
/// already, with other settings, only these are changed.
public struct StoreMove: Sendable {
  /// The destination of a move.
  public enum Destination: Sendable, Hashable {
    /// The library's own folder.
    case folder
    /// An S3-compatible store.
    case objectStore(ObjectStoreSettings)
  }

  private let path: String
  private let settings: ObjectStoreSettings?
  private let keys: ObjectStoreKeys
  private let clock: WallClock

  /// - Parameter path: the library's folder.
  public init(
    of path: String, to destination: Destination, keys: ObjectStoreKeys = ObjectStoreKeys(),
    clock: WallClock = .system
  ) {
    (self.path, self.keys, self.clock) = (path, keys, clock)
    if case .objectStore(let settings) = destination {
      self.settings = settings
    } else {
      settings = nil
    }
  }

  /// Moves the library. If blobs are damaged, they are reported, and the library stays where it is. Stops when the task
  /// is cancelled.
  ///
  /// - Throws: `LeaflogError` with code `invalidRequest` when the library is there already with these settings;
  ///   `libraryExists` when another one is; `refused` when the store is not suitable; and `locked` when another process
  ///   has the library open at the final step.
  public func run(
    progress: @Sendable (_ share: Double) -> Void = { _ in }, report: (Damage) -> Void
  ) throws(LeaflogError) -> StoreMoveSummary {
    try translating { try move(progress, report) }
  }

  private func move(
    _ progress: @Sendable (Double) -> Void, _ report: (Damage) -> Void
  ) throws -> StoreMoveSummary {
    let library = try Library.open(at: path, clock: clock, keys: keys)
    defer { try? library.close() }
    if FormerStores.Store(settings: settings).isAt(library.objects?.note.settings) {
      return try changeSettings(of: library)
    }
    var summary = StoreMoveSummary()
    summary.isInterrupted = Task.isCancelled
    if summary.isInterrupted { return summary }
    let target = try settings.map { try self.target($0, for: library) }
    try copy(library.catalog, library, target, progress, report, &summary)
    guard !summary.isInterrupted, summary.damageCount == 0 else { return summary }
    try library.close()
    try finish(library, target, report, &summary)
    return summary
  }

  /// Adopts other settings for the store that the library is in, if the store can be reached with them.
  private func changeSettings(of library: Library) throws -> StoreMoveSummary {
    guard let settings, let note = library.objects?.note, note.settings != settings else {
      throw LeaflogError.invalid(
        "The photos are in \(library.store.address ?? library.path) already.")
    }
    guard try presentOwner(at: settings, library) != nil else {
      throw LeaflogError(
        .refused,
        "By these settings, \(settings.url) is not a store whose library this machine owns.")
    }
    let changed = try ObjectStore(
      ObjectStore.Note(settings: settings, owner: note.owner), keys, library.layout, library.disk)
    // Sends what the former settings may have held back.
    try library.close()
    try FileLock(library.layout.lock).withLock { try changed.writeNote() }
    var summary = StoreMoveSummary()
    summary.changesSettingsOnly = true
    return summary
  }

  /// The marker by which this machine already owns the library at a place, if that is its own store under another
  /// address, or a copy of it.
  private func presentOwner(
    at settings: ObjectStoreSettings, _ library: Library
  ) throws -> String? {
    guard let owner = library.objects?.note.owner else { return nil }
    let newest = try keys.client(S3Location(settings)).keys(ObjectHistory.owners).last
    return newest?.hasPrefix(owner) == true ? owner : nil
  }

  /// The target store: a place that has no library yet, or has or had this one.
  private func target(_ settings: ObjectStoreSettings, for library: Library) throws -> ObjectStore {
    let (layout, disk) = (library.layout, library.disk)
    let former = try FormerStores(layout, disk).all(besides: library.objects?.note.settings)
      .first { $0.isAt(settings) }
    guard let owner = try former?.owner ?? presentOwner(at: settings, library) else {
      return try ObjectStore.claim(settings, keys, layout, disk)
    }
    let note = ObjectStore.Note(settings: settings, owner: owner)
    let store = try ObjectStore(note, keys, layout, disk)
    let id = try LibraryMarker.read(layout.marker).id
    guard try LibraryMarker(inStore: store.client).map({ $0.id == id }) ?? true else {
      throw ObjectStore.taken(store.client)
    }
    try ObjectStore.refuseBackup(store.client)
    try ObjectHistory(store.client, owner: owner).checkOwnership()
    // It has not been probed yet.
    if former == nil { try S3Probe(store.client).run() }
    return store
  }

  private func copy(
    _ catalog: Catalog, _ library: Library, _ target: ObjectStore?,
    _ progress: (Double) -> Void, _ report: (Damage) -> Void, _ summary: inout StoreMoveSummary
  ) throws {
    let blobs = try catalog.read { try $0.blobs.toVerify() }.sorted { $0.id < $1.id }
    let source: any BlobStore = library.objects?.objects(catalog) ?? library.disk
    let moved = try StoreTransfer(
      from: source, to: target?.blobs(catalog) ?? library.disk, mayLink: false, isFull: false,
      looksAtSource: false
    ).run(blobs, progress: progress)
    summary.blobCount = blobs.count
    summary.byteCount = blobs.reduce(0) { $0 + $1.byteCount }
    summary.copiedCount += moved.copiedCount
    summary.copiedByteCount += moved.copiedByteCount
    summary.damageCount = moved.faults.count
    summary.isInterrupted = moved.isInterrupted
    for fault in moved.faults {
      report(try Damage(fault.fault, of: fault.blob.id, in: catalog, note: "Nothing was moved."))
    }
  }

  /// Copies what was added meanwhile, and switches the library to the new store, while nobody else has it open.
  private func finish(
    _ library: Library, _ target: ObjectStore?, _ report: (Damage) -> Void,
    _ summary: inout StoreMoveSummary
  ) throws {
    let (layout, disk) = (library.layout, library.disk)
    try FileLock(layout.lock).withLock {
      guard try WriteAheadLog(ofCatalogAt: layout.catalog.string).fold() else {
        throw LeaflogError(
          .locked,
          "Another process is using the library in \(layout.root). All photos are copied; end it, and try again."
        )
      }
      let catalog = try Catalog(path: layout.catalog.string, access: .readOnly)
      defer { try? catalog.close() }
      try copy(catalog, library, target, { _ in }, report, &summary)
      guard !summary.isInterrupted, summary.damageCount == 0 else { return }
      let present = library.objects?.note
      summary.leavesFormer = present == nil || present?.owner != target?.note.owner
      if summary.leavesFormer {
        let stores = [
          FormerStores.Store(settings: present?.settings, owner: present?.owner),
          FormerStores.Store(settings: settings, owner: target?.note.owner),
        ]
        try FormerStores(layout, disk).add(stores)
      }
      if let target {
        try hand(catalog, to: target, library)
        try target.writeNote()
      } else {
        try disk.remove(layout.objectStore)
      }
    }
  }

  /// Puts everything that makes a store a library.
  private func hand(_ catalog: Catalog, to target: ObjectStore, _ library: Library) throws {
    try target.putOwner()
    if let lineage = try catalog.read({ try $0.place.lineage }) {
      try hand(catalog, of: lineage, to: target, library)
    }
    // Last, so that an incomplete store is not a library.
    try target.putMarker(LibraryMarker.read(library.layout.marker))
  }

  private func hand(
    _ catalog: Catalog, of lineage: UUID, to target: ObjectStore, _ library: Library
  ) throws {
    // A copy of the former store has the same owner, and may lack some of what that has.
    try library.disk.remove(library.layout.pushed)
    let copy = library.disk.temporaryPath("catalog")
    defer { try? CatalogFile(copy, library.disk).removeAll() }
    let generation = try catalog.copy(to: copy.string, for: .snapshot)
    let snapshot = CatalogSnapshot(
      path: copy.string, takenAt: clock.now, generation: generation,
      byteCount: try FileStatus(copy).byteCount)
    let journal = try target.journal()
    try journal.push(snapshot, of: catalog)
  }
}
