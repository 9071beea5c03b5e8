internal import BlobStorage
internal import DiaryCatalog
internal import Foundation
internal import Journal
internal import SystemPackage

/// The stores that a library's photos were in before they were moved. They are kept until the next prune, so that a
/// move can be reversed, and listed in `former-stores.json`.
struct FormerStores {
  /// A store, with the marker by which this machine owned it.
  struct Store: Codable, Hashable {
    /// Nil for the library's own folder.
    var settings: ObjectStoreSettings?
    var owner: String?

    /// - Parameter place: nil for the library's own folder.
    func isAt(_ place: ObjectStoreSettings?) -> Bool {
      guard let settings, let place else { return settings == nil && place == nil }
      return settings.isAtPlace(of: place)
    }
  }

  private struct Contents: Codable { let stores: [Store] }

  private let layout: LibraryLayout
  private let disk: LocalBlobStore

  init(_ layout: LibraryLayout, _ disk: LocalBlobStore) {
    (self.layout, self.disk) = (layout, disk)
  }

  /// All stores but the one in use: a move may have been interrupted just before or after the switch.
  func all(besides present: ObjectStoreSettings?) throws -> [Store] {
    try read().filter { !$0.isAt(present) }
  }

  private func read() throws -> [Store] {
    guard let data = FileManager.default.contents(atPath: layout.formerStores.string) else {
      return []
    }
    guard let contents = SealedJSON.decode(Contents.self, from: data) else {
      throw LeaflogError(
        .damaged, "\(layout.formerStores) does not say where the library's photos were.")
    }
    return contents.stores
  }

  private func write(_ stores: [Store]) throws {
    try disk.write(SealedJSON.encode(Contents(stores: stores)), to: layout.formerStores)
  }

  /// Adds stores, one of which will be the former one.
  func add(_ stores: [Store]) throws {
    let others = try read().filter { store in !stores.contains { $0.isAt(store.settings) } }
    try write(others + stores)
  }

  /// The blobs in a library's former stores that its present store has, too.
  func share(of library: Library) throws -> PruneReport.Share {
    try remains(of: library).map(\.share).reduce(into: .init()) {
      $0.count += $1.count
      $0.byteCount += $1.byteCount
    }
  }

  /// Deletes from a library's former stores the blobs that its present store has, and everything that made them a
  /// library.
  ///
  /// An unreferenced blob that the present store lacks stays where it is, and is not deleted later either: by then the
  /// place may be somebody else's. With a referenced one, the former store stays as it is.
  func delete(from library: Library) throws -> PruneReport.Share {
    var share = PruneReport.Share()
    for remains in try remains(of: library) {
      if let settings = remains.settings {
        let client = try client(settings, library)
        // The marker first, so that what is left is not a library.
        for prefix in [
          ObjectHistory.marker, ObjectHistory.owners, ObjectHistory.catalogs, ObjectHistory.frames,
          ObjectHistory.forks,
        ] {
          for key in try client.keys(prefix) { try client.delete(key) }
        }
        try inParallel(remains.keys, width: Self.width) { key throws(BlobStoreError) in
          try client.delete(key)
        }
      } else {
        for blob in remains.blobs { try disk.delete(blob) }
      }
      share.count += remains.share.count
      share.byteCount += remains.share.byteCount
      try forget(remains.settings, present: library.objects?.note.settings)
    }
    return share
  }

  /// Removes a store from the list, and the list itself with the last former one.
  private func forget(_ settings: ObjectStoreSettings?, present: ObjectStoreSettings?) throws {
    let others = try read().filter { !$0.isAt(settings) }
    if others.allSatisfy({ $0.isAt(present) }) { return try disk.remove(layout.formerStores) }
    try write(others)
  }

  /// The number of objects deleted at a time.
  private static let width = 4

  /// The contents of a former store.
  private struct Remains {
    let settings: ObjectStoreSettings?
    /// The blobs to delete that are files in the library's folder.
    var blobs: [BlobID] = []
    /// The keys of the objects to delete.
    var keys: [String] = []
    var share = PruneReport.Share()
  }

  private func remains(of library: Library) throws -> [Remains] {
    let former = try all(besides: library.objects?.note.settings).filter {
      try mayGo($0, library)
    }
    guard !former.isEmpty else { return [] }
    var present: [BlobID: Int] = [:]
    try library.store.storedBlobs.list { present[$0.id] = $0.byteCount }
    let referenced = try library.catalog.read { try $0.blobs.referenced() }
    return try former.compactMap { store in
      var remains = Remains(settings: store.settings)
      var isNeeded = false
      func add(_ id: BlobID?, _ byteCount: Int) -> BlobID? {
        guard let id else { return nil }
        guard present[id] == byteCount else {
          isNeeded = isNeeded || present[id] == nil && referenced.contains(id)
          return nil
        }
        remains.share.count += 1
        remains.share.byteCount += byteCount
        return id
      }
      if let settings = store.settings {
        try client(settings, library).list(prefix: "blobs/") { object in
          let id = S3BlobStore.blob(ofKey: object.key)
          if add(id, object.byteCount) != nil { remains.keys.append(object.key) }
        }
      } else {
        try disk.list { blob in
          if let id = add(blob.id, blob.byteCount) { remains.blobs.append(id) }
        }
      }
      return isNeeded ? nil : remains
    }
  }

  /// Whether a store may be deleted. It may be the library's own store under another address, if that was changed by
  /// hand; another machine may have taken over the library there; and once a prune has begun to delete it, the place
  /// may have become another library's, or a backup's.
  private func mayGo(_ store: Store, _ library: Library) throws -> Bool {
    guard let settings = store.settings else { return true }
    let client = try client(settings, library)
    let id = try LibraryMarker.read(layout.marker).id
    guard try LibraryMarker(inStore: client).map({ $0.id == id }) ?? true,
      try client.byteCount(of: RemoteBackup.manifest) == nil
    else { return false }
    let owners = try client.keys(ObjectHistory.owners)
    if let own = library.objects?.note.owner, owners.contains(where: { $0.hasPrefix(own) }) {
      return false
    }
    guard let newest = owners.last else { return true }
    return store.owner.map(newest.hasPrefix) ?? false
  }

  private func client(_ settings: ObjectStoreSettings, _ library: Library) throws -> S3Client {
    let location = try S3Location(settings)
    return library.storeKeys.client(location)
  }
}
