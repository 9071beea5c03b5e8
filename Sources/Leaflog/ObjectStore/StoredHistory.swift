internal import BlobStorage
internal import DiaryCatalog
internal import Foundation
internal import Journal
internal import SystemPackage

/// Checks and mends what a lost library would be rebuilt from in its object store: the frames and the catalogs.
struct StoredHistory {
  private let objects: ObjectStore
  private let layout: LibraryLayout
  private let disk: LocalBlobStore

  init(_ objects: ObjectStore, _ layout: LibraryLayout, _ disk: LocalBlobStore) {
    (self.objects, self.layout, self.disk) = (objects, layout, disk)
  }

  private var history: ObjectHistory { ObjectHistory(objects.client) }

  /// The frames and catalogs that are not as they were put, and catalogs of which only the notice is left. Reads all of
  /// them.
  func damaged() throws -> [ObjectHistory.Name] {
    let names = try history.names()
    let frames = try history.damaged(among: names.filter { $0.kind == .frames })
    let copy = layout.root.appending("tmp").appending("stored.sqlite")
    defer { try? CatalogFile(copy, disk).removeAll() }
    let catalogs = try names.filter { $0.kind == .notice }.map(\.catalog).filter { name in
      do { return try !history.fetch(name, to: copy, disk) } catch let error as BlobStoreError
        where error.code == .notFound
      {
        // Gone with its notice, as newer ones cover it; or without it.
        return try history.names(after: name.commit - 1).contains { $0.catalog == name }
      }
    }
    return frames + catalogs
  }

  /// Puts damaged frames again from the library's journal. In place of damaged catalogs, and of frames that the journal
  /// does not have any more, the store gets a new catalog, and the damaged objects go to the quarantine.
  ///
  /// - Returns: the number of damaged objects.
  func mend(for catalog: Catalog, now: Timestamp) throws -> Int {
    let damaged = try damaged()
    guard !damaged.isEmpty else { return 0 }
    let names = try history.names().filter { $0.kind == .frames }
    let lost = try damaged.filter { name in
      guard name.kind == .frames else { return true }
      let before = names.last { $0.lineage == name.lineage && $0.commit < name.commit }
      return try !putAgain(name, after: before)
    }
    guard !lost.isEmpty else { return damaged.count }
    for name in lost { try keepCopy(of: name) }
    // The store has the new catalog before anything is taken out of it.
    let snapshot = try CatalogSnapshots(layout, disk).take(of: catalog, now: now, waits: true)
    try objects.journal().push(snapshot, of: catalog)
    for name in lost where !name.isCatalog(of: snapshot) {
      try objects.client.delete(name.key)
      if name.kind == .catalog { try objects.client.delete(name.notice.key) }
    }
    return damaged.count
  }

  /// - Returns: false when the journal does not have these frames.
  private func putAgain(
    _ name: ObjectHistory.Name, after before: ObjectHistory.Name?
  ) throws -> Bool {
    var frames: [Frame] = []
    let first = (before?.commit ?? 0) + 1
    guard first <= name.commit else { return false }
    try FrameFiles(layout.journal, disk).read(name.lineage, first...name.commit) { frames += $0 }
    guard frames.last?.head == name.head,
      zip(frames, frames.dropFirst()).allSatisfy({ $0.head == $1.parent })
    else { return false }
    try history.put(frames)
    return true
  }

  /// Keeps what there is of a damaged object in the quarantine.
  private func keepCopy(of name: ObjectHistory.Name) throws {
    try disk.makeFolder(layout.quarantine)
    let file = name.key.split(separator: "/").last.map(String.init) ?? name.key
    do {
      _ = try objects.client.fetch(name.key, to: layout.quarantine.appending(file), disk)
    } catch let error as BlobStoreError where error.code == .notFound {}
  }
}

extension ObjectHistory.Name {
  /// Whether it is the name of the catalog that a snapshot is put as.
  fileprivate func isCatalog(of snapshot: CatalogSnapshot) -> Bool {
    kind == .catalog && commit == snapshot.generation && lineage == snapshot.lineage
  }
}
