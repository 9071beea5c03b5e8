internal import BlobStorage
internal import DiaryCatalog
internal import Foundation
internal import SystemPackage

/// The report of a move.
public struct StoreMoveSummary: Sendable, Hashable {
  /// Blobs of the library.
  public internal(set) var blobCount = 0
  /// The bytes that they take together.
  public internal(set) var byteCount = 0
  /// Blobs that were brought over; the others were there.
  public internal(set) var copiedCount = 0
  /// The bytes of those.
  public internal(set) var copiedByteCount = 0
  /// Blobs that are missing or damaged: with one of them nothing is moved.
  public internal(set) var damageCount = 0
  /// Whether it was ended before it was done: the library is where it was, and the next run goes on.
  public internal(set) var isInterrupted = false
  /// Whether the next prune deletes the store that the library was in. It does not where that has the same owner's
  /// marker: it may be the same store by another address.
  public internal(set) var leavesFormer = false
  /// Whether the library was in that store already, and only the way to reach it was changed.
  public internal(set) var changesSettingsOnly = false
}

/// Moves a library's photos from its folder into an object store, back, or from one such store to another.
///
/// All is copied first, while others use the library, and each blob is checked. Then, in one step, the library is in
/// its new store; the former one stays as it was until the next prune. Where it is in that store already, with other
/// settings, it gets those.
public struct StoreMove: Sendable {
  /// Where to.
  public enum Destination: Sendable, Hashable {
    /// The library's own folder.
    case folder
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

  /// Reports damage as it is found; the library stays where it is then. Stops when the task is cancelled.
  ///
  /// - Throws: `LeaflogError` with code `invalidRequest` when the library is there already with these settings, or
  ///   another one is; `refused` when the store is not fit; and `locked` when another process has the library open as it
  ///   comes to the end.
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
    let target = try settings.map { try self.target($0, for: library) }
    var summary = StoreMoveSummary()
    try copy(library.catalog, library, target, progress, report, &summary)
    guard !summary.isInterrupted, summary.damageCount == 0 else { return summary }
    try library.close()
    try finish(library, target, report, &summary)
    return summary
  }

  /// Takes over other settings of the store that the library is in, when that answers by them.
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

  /// The marker by which this machine owns the library at a place already: its own store by another address, or a copy
  /// of that.
  private func presentOwner(
    at settings: ObjectStoreSettings, _ library: Library
  ) throws -> String? {
    guard let owner = library.objects?.note.owner else { return nil }
    let newest = try keys.client(S3Location(settings)).keys(ObjectHistory.owners).last
    return newest?.hasPrefix(owner) == true ? owner : nil
  }

  /// A place in an object store that is no library's yet, or is or was this one's.
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
    try ObjectHistory(store.client, owner: owner).checkOwnership()
    // Nobody has asked it yet.
    if former == nil { try S3Probe(store.client).run() }
    return store
  }

  private func copy(
    _ catalog: Catalog, _ library: Library, _ target: ObjectStore?,
    _ progress: (Double) -> Void, _ report: (Damage) -> Void, _ summary: inout StoreMoveSummary
  ) throws {
    let blobs = try catalog.read { try $0.blobs.toVerify() }.sorted { $0.id.hex < $1.id.hex }
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

  /// Copies what came meanwhile, and makes the new store the library's, while nobody else has it open.
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

  /// Puts all that makes a store a library.
  private func hand(_ catalog: Catalog, to target: ObjectStore, _ library: Library) throws {
    try target.putOwner()
    if let lineage = try catalog.read({ try $0.settings.lineage }) {
      try hand(catalog, of: lineage, to: target, library)
    }
    // Last: what lacks anything is no library.
    try target.putMarker(LibraryMarker.read(library.layout.marker))
  }

  private func hand(
    _ catalog: Catalog, of lineage: UUID, to target: ObjectStore, _ library: Library
  ) throws {
    // A copy of the former store has its owner, and may lack what that has.
    try library.disk.remove(library.layout.pushed)
    let copy = library.disk.temporaryPath("catalog")
    defer { try? CatalogFile(copy, library.disk).removeAll() }
    let generation = try catalog.copy(to: copy.string, for: .snapshot)
    let snapshot = CatalogSnapshot(
      path: copy.string, takenAt: clock.now, generation: generation,
      byteCount: try FileStatus(copy).byteCount)
    let journal = try target.journal()
    try journal.push(snapshot, lineage)
    try journal.setMark(lineage, generation)
  }
}
