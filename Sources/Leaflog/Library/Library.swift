package import BlobStorage
package import DiaryCatalog
public import Foundation
internal import Glibc
internal import Imaging
internal import SystemPackage

/// A photo diary: one folder with everything in it.
///
/// Reading needs no lock and works beside any number of writers. Writing takes the library's lock
/// for each transaction, so several processes can write in turn.
public final class Library: CatalogUser {
  /// The purpose that a library is opened for.
  public enum Access: Sendable {
    /// Reads; every change is refused with code `readOnly`.
    case reading
    /// Reads and writes, concurrently.
    case writing
    /// Reads and writes one after the other, over a single connection: opening is faster, but a read waits for the change
    /// in progress.
    case writingSerially

    /// Whether changes are possible.
    public var allowsWriting: Bool { self != .reading }
  }

  /// The settings of a new library.
  public struct Settings: Sendable {
    /// How photos are stored.
    public var policy: StoragePolicy
    /// The zone in which photos without a zone are sorted, and instants shown.
    public var timeZone: TimeZone
    /// Whether nobody chose the zone; the welcome page of an empty library then proposes the browser's.
    public var isTimeZoneGuess: Bool
    /// The object store for its photos; nil keeps them in its folder.
    public var store: ObjectStoreSettings?

    /// By default, photos are stored compactly in the library's folder, and the zone is the system's.
    public init(
      policy: StoragePolicy = .compact, timeZone: TimeZone = .current,
      isTimeZoneGuess: Bool = false, store: ObjectStoreSettings? = nil
    ) {
      (self.policy, self.timeZone, self.store) = (policy, timeZone, store)
      self.isTimeZoneGuess = isTimeZoneGuess
    }
  }

  /// The absolute path of the library's folder.
  public let path: String
  /// The name of its folder: the heading of its reports, and the text that confirms a reset.
  public var name: String { layout.root.lastComponent?.string ?? path }
  /// The zone in which wall times without an offset are sorted, and instants shown; UTC if this system does not know it.
  public let timeZone: TimeZone
  /// The name of the zone in the settings if this system does not know it, as a newer one may; nil otherwise.
  public let unknownTimeZone: String?
  /// How many hours after midnight a day ends.
  public let dayEnd: Int
  /// The day on which weeks begin.
  public let weekStart: WeekStart
  /// The language of the service's pages.
  public let language: PageLanguage
  /// How photos are stored unless an import specifies otherwise.
  public let policy: StoragePolicy

  /// The purpose it was opened for.
  public let access: Access
  /// The source of the present time.
  public let clock: WallClock

  /// - Throws: `LeaflogError` with code `readOnly` when the library was opened for reading, and `invalidRequest` within a
  ///   change or a snapshot, for work that has commits of its own.
  func checkWritable() throws(LeaflogError) {
    try checkAlone()
    guard !access.allowsWriting else { return }
    throw LeaflogError(.readOnly, "The library was opened for reading.")
  }

  let layout: LibraryLayout
  let catalog: Catalog
  /// The number of commits that the catalog had seen when this was opened.
  private let formerGeneration: Int
  let shared: SharedParts
  /// The files of the library on this machine.
  let disk: LocalBlobStore
  let blobs: any BlobStore
  /// The object store with the blobs; nil if they are files.
  let objects: ObjectStore?
  /// Finds the access keys of object stores.
  package let storeKeys: ObjectStoreKeys

  /// Whether a folder holds a library.
  public static func exists(at path: String) -> Bool { LibraryLayout(FilePath(path)).exists }

  /// Whether a folder is on a disk that cannot be written at present: a snapshot, or one that was mounted for reading.
  public static func isOnReadOnlyDisk(_ path: String) -> Bool {
    if Glibc.access(path, W_OK) != 0 { return errno == EROFS }
    // After a fault, ext4 refuses writing but lets access(2) succeed.
    let lock = Glibc.open(LibraryLayout(FilePath(path)).lock.string, O_WRONLY | O_CLOEXEC)
    if lock < 0 { return errno == EROFS }
    Glibc.close(lock)
    return false
  }

  /// Whether it is on a disk that cannot be written at present.
  public var isOnReadOnlyDisk: Bool { Self.isOnReadOnlyDisk(path) }

  /// Creates a library in a folder, which may exist and hold other files, and opens it for writing.
  ///
  /// The folder and the library's files are accessible to their owner only; an existing folder keeps
  /// its permissions.
  ///
  /// - Throws: `LeaflogError` with code `libraryExists` when there is one already, `readOnly` when the folder cannot be
  ///   written, and `failed` when it cannot be made, such as below a file.
  public static func create(
    at path: String, _ settings: Settings = Settings(), clock: WallClock = .system,
    origin: String? = nil, keys: ObjectStoreKeys = ObjectStoreKeys()
  ) throws(LeaflogError) -> Library {
    try create(
      at: path, settings, clock: clock, origin: origin, keys: keys, files: POSIXFileSystem())
  }

  /// Creates a library on a file system that tests can make fail.
  ///
  /// - Parameter takesSnapshots: whether imports and `close` take snapshots of the catalog.
  package static func create(
    at path: String, _ settings: Settings, clock: WallClock = .system, origin: String? = nil,
    keys: ObjectStoreKeys = ObjectStoreKeys(), files: any FileSystem,
    probe: CatalogProbe = CatalogProbe(), takesSnapshots: Bool = true
  ) throws(LeaflogError) -> Library {
    guard !exists(at: path) else {
      throw LeaflogError(.libraryExists, "There is a library at \(path) already.")
    }
    return try translating {
      try files.makeFolder(FilePath(path))
      let layout = LibraryLayout(try FilePath(path).resolved())
      if layout.lacksMarker { throw LibraryMarker.missing(in: layout.root) }
      let disk = LocalBlobStore(root: layout.root, files: files)
      // Before anything is created here, as a store may refuse.
      let objects = try settings.store.map { try ObjectStore.claim($0, keys, layout, disk) }
      try disk.createFolders()
      try objects?.writeNote()
      let marker = LibraryMarker(id: UUID().uuidString)
      // Before the first commit, which is sent there.
      try objects?.putOwner()
      try objects?.putMarker(marker)
      let catalog = try Catalog(writable: layout, disk, objects, clock, origin, probe)
      try catalog.write {
        try $0.settings.set([
          .policy: settings.policy.rawValue, .timeZone: settings.timeZone.identifier,
          .libraryID: marker.id,
        ])
        if settings.isTimeZoneGuess { try $0.settings.set(.isTimeZoneGuess, "yes") }
      }
      // Last, so that an interrupted creation does not leave a library.
      try marker.write(to: layout, disk)
      try files.makeNameDurable(of: layout.root)
      return try Library(
        layout, disk, objects, catalog, .writing, clock, keys,
        SharedParts(takesSnapshots: takesSnapshots))
    }
  }

  /// Opens the library in a folder.
  ///
  /// - Parameter origin: the origin of changes that the history shows, such as a command line.
  /// - Throws: `LeaflogError` with code `noLibrary` when there is none.
  public static func open(
    at path: String, for access: Access = .writing, clock: WallClock = .system,
    origin: String? = nil, keys: ObjectStoreKeys = ObjectStoreKeys()
  ) throws(LeaflogError) -> Library {
    try open(
      at: path, for: access, clock: clock, origin: origin, keys: keys, files: POSIXFileSystem())
  }

  /// Opens a library with a file system and a catalog that tests can make fail.
  ///
  /// - Parameter takesSnapshots: whether imports and `close` take snapshots of the catalog.
  package static func open(
    at path: String, for access: Access = .writing, clock: WallClock = .system,
    origin: String? = nil, keys: ObjectStoreKeys = ObjectStoreKeys(), files: any FileSystem,
    probe: CatalogProbe = CatalogProbe(), takesSnapshots: Bool = true
  ) throws(LeaflogError) -> Library {
    let layout = try layout(at: path)
    return try translating {
      let disk = LocalBlobStore(root: layout.root, files: files)
      let objects = try ObjectStore(of: layout, disk, keys)
      if access == .reading {
        let catalog = try openReadable(layout, disk, objects, clock)
        return try Library(layout, disk, objects, catalog, .reading, clock, keys)
      }
      try disk.createFolders()
      let catalog = try Catalog(
        writable: layout, disk, objects, clock, origin, probe,
        connections: access == .writingSerially ? .one : .pool)
      // A move may have finished while this waited for the lock.
      guard FileManager.default.fileExists(atPath: layout.objectStore.string) == (objects != nil)
      else {
        throw LeaflogError(.locked, "The photos of \(layout.root) were just being moved.")
      }
      return try Library(
        layout, disk, objects, catalog, access, clock, keys,
        SharedParts(takesSnapshots: takesSnapshots))
    }
  }

  /// Opens a library for writing, and creates its catalog if it is missing.
  static func reopen(
    _ layout: LibraryLayout, _ disk: LocalBlobStore, _ keys: ObjectStoreKeys,
    _ clock: WallClock, _ probe: CatalogProbe
  ) throws -> Library {
    let objects = try ObjectStore(of: layout, disk, keys)
    let catalog = try Catalog(writable: layout, disk, objects, clock, nil, probe)
    return try Library(layout, disk, objects, catalog, .writing, clock, keys)
  }

  /// Opens a backup, at its own version of the schema, for making a library or the next backup from it.
  static func openBackup(
    at path: String, clock: WallClock = .system, keys: ObjectStoreKeys = ObjectStoreKeys()
  ) throws(LeaflogError) -> Library {
    let layout = try layout(at: path)
    return try translating {
      let disk = LocalBlobStore(root: layout.root)
      let objects = try ObjectStore(of: layout, disk, keys)
      let catalog = try Catalog(path: layout.catalog.string, access: .readOnlyOfAnyVersion) {
        clock.now
      }
      return try Library(layout, disk, objects, catalog, .reading, clock, keys)
    }
  }

  /// Opens a catalog for reading. One that an older program wrote is brought up to date first, where this is its owner's
  /// place.
  private static func openReadable(
    _ layout: LibraryLayout, _ disk: LocalBlobStore, _ objects: ObjectStore?, _ clock: WallClock
  ) throws -> Catalog {
    let path = layout.catalog.string
    do { return try Catalog(path: path, access: .readOnly) { clock.now } } catch let error
      as CatalogError where error.code == .tooOld
    {
      if let objects, objects.note.owner == nil {
        throw LeaflogError(
          .readOnly,
          "An older version of Leaflog writes the library that \(layout.root) is a replica of. Update Leaflog there "
            + "first.")
      }
      if FileManager.default.fileExists(atPath: layout.backupNote.string) {
        throw LeaflogError(
          .readOnly,
          "An older version of Leaflog made the backup in \(layout.root). It can be restored, and the next backup "
            + "brings it up to date.")
      }
      try Catalog(writable: layout, disk, objects, clock).close()
      return try Catalog(path: path, access: .readOnly) { clock.now }
    }
  }

  /// - Throws: `LeaflogError` with code `noLibrary` when there is no library, and `damaged` when it has no catalog.
  private static func layout(at path: String) throws(LeaflogError) -> LibraryLayout {
    let given = LibraryLayout(FilePath(path))
    _ = try LibraryMarker.read(given.marker)
    guard FileManager.default.fileExists(atPath: given.catalog.string) else {
      throw LeaflogError(.damaged, "The catalog of \(path) is missing.", remedy: .repair)
    }
    return try translating { LibraryLayout(try given.root.resolved()) }
  }

  private init(
    _ layout: LibraryLayout, _ disk: LocalBlobStore, _ objects: ObjectStore?, _ catalog: Catalog,
    _ access: Access, _ clock: WallClock, _ storeKeys: ObjectStoreKeys,
    _ shared: SharedParts = SharedParts()
  ) throws {
    (self.storeKeys, self.shared) = (storeKeys, shared)
    self.access = access
    self.clock = clock
    path = layout.root.string
    self.layout = layout
    self.disk = disk
    self.objects = objects
    blobs = objects?.blobs(catalog) ?? disk
    self.catalog = catalog
    // One transaction: a change of several settings is seen as a whole.
    (timeZone, unknownTimeZone, dayEnd, weekStart, language, policy, formerGeneration) =
      try catalog.read { tables in
        let settings = tables.settings
        let name = try settings[.timeZone]
        return (
          try settings.zone, name.flatMap { TimeZone(identifier: $0) == nil ? $0 : nil },
          try settings.dayEnd, try settings[.weekStart].flatMap(WeekStart.init) ?? .auto,
          try settings[.language].flatMap(PageLanguage.init) ?? .auto,
          try settings[.policy].flatMap(StoragePolicy.init) ?? .compact,
          try settings.generation
        )
      }
  }

  /// The same library in the context of a request.
  convenience init(_ other: Library, _ context: CommitContext) throws {
    try self.init(other, Catalog(other.catalog, in: context))
  }

  /// The same library with other connections to its catalog.
  convenience init(_ other: Library, _ catalog: Catalog) throws {
    try self.init(
      other.layout, other.disk, other.objects, catalog, other.access, other.clock,
      other.storeKeys, other.shared)
  }

  /// The same library in a folder that is removed with it.
  convenience init(_ other: Library, keeping folder: ScratchFolder) throws {
    try self.init(
      other.layout, other.disk, other.objects, other.catalog, other.access, other.clock,
      other.storeKeys, SharedParts(folder: folder, takesSnapshots: false))
  }

  /// Sends what the object store lacks, takes a snapshot of the catalog if something has changed and one is due,
  /// checkpoints the catalog and closes the files, once all reads and changes in progress have ended. Later ones are
  /// refused with the code `closed`. A library that is never closed loses nothing; it may be closed from any thread, and
  /// more than once.
  ///
  /// - Throws: `LeaflogError` with code `invalidRequest` within a call of the library, which it would wait for.
  ///   When the object store cannot be sent what it lacks, or the catalog cannot be checkpointed, the library is closed
  ///   nevertheless.
  public func close() throws(LeaflogError) {
    if catalog.isInUse { return try translating { try catalog.close() } }
    defer {
      shared.close()
      try? catalog.close()
      shared.remove()
    }
    do { try store.sendJournal() } catch  where error.code == .closed {
      return  // another thread is closing it
    }
    takeSnapshotIfDue(since: formerGeneration)
    try translating { try catalog.close() }
  }

  /// Takes a snapshot of the catalog if it is due, unless the library is temporary or a test has excluded that.
  func takeSnapshotIfDue(afterWorkOf work: Duration = .zero, since generation: Int? = nil) {
    guard shared.takesSnapshots else { return }
    store.takeSnapshotIfDue(afterWorkOf: work, since: generation)
  }
}
