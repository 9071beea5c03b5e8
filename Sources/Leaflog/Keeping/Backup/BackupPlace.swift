internal import BlobStorage
internal import DiaryCatalog
internal import Foundation
internal import SystemPackage

/// The folder of a backup, which only this process writes to for as long as this value exists. For a backup in an
/// object store, it is a local copy of the backup's files.
///
/// `backup.json` is written first and distinguishes a backup, even one that was never finished, from a
/// library and from any other folder. `leaflog.json` is written last, as in a library.
struct BackupPlace {
  let layout: LibraryLayout
  let store: LocalBlobStore
  /// The blobs of the backup.
  let blobs: any BlobStore
  /// Whether there was no backup before.
  let isNew: Bool
  private let marker: LibraryMarker
  private let lock: HeldLock
  private let remote: Remote?

  /// The backup in an object store that the folder is a copy of.
  private struct Remote {
    let backup: RemoteBackup
    let lock: HeldLock
    /// The list of files as it was found; nil before the first backup.
    let former: RemoteBackup.Manifest?
  }

  /// Locks the folder, which is created if necessary.
  ///
  /// - Parameter record: the last backup to it, if there was one.
  /// - Throws: when it cannot hold this library's backup, or should have it and has not.
  static func enter(
    _ request: BackupRequest, after record: BackupRecord?, of library: Library,
    files: any FileSystem
  ) throws -> BackupPlace {
    let marker = try LibraryMarker.read(library.layout.marker)
    switch request.location {
    case .folder(let path):
      let note = FilePath(path).appending("backup.json").string
      if !FileManager.default.fileExists(atPath: note) {
        if let disk = request.overridesChecks ? nil : DiskPlaces().missingDisk(at: FilePath(path)) {
          throw LeaflogError(
            .notFound, "No disk is mounted at \(disk).", remedy: .mountOrConfirm)
        }
        try checkNew(record, request, in: library)
      }
      let layout = LibraryLayout(try folder(path, of: library, files))
      return try enter(layout, nil, request, of: library, marker, files)
    case .objectStore(let settings):
      let location = try S3Location(settings)
      let backup = RemoteBackup(
        request.keys.client(location), in: library.layout.backupFiles(of: location.url))
      let lock = try backup.hold()
      let former = try backup.fetchNewest(of: marker.id)
      if former == nil {
        try checkNew(record, request, in: library)
        try backup.probe()
      }
      return try enter(
        backup.layout, Remote(backup: backup, lock: lock, former: former), request, of: library,
        marker, files)
    }
  }

  private static func enter(
    _ layout: LibraryLayout, _ remote: Remote?,
    _ request: BackupRequest, of library: Library, _ marker: LibraryMarker, _ files: any FileSystem
  ) throws -> BackupPlace {
    let store = LocalBlobStore(root: layout.root, files: files)
    try check(layout, marker)
    try store.createFolders()
    let isNew = !FileManager.default.fileExists(atPath: layout.backupNote.string)
    if isNew {
      try store.write(SealedJSON.encode(BackupNote(library: marker.id)), to: layout.backupNote)
    }
    guard let lock = try HeldLock(layout.backupNote) else {
      throw LeaflogError(.locked, "Another backup to \(layout.root) is under way.")
    }
    try store.sweepTemporaryFiles()
    try checkCatalog(layout, of: library, request)
    return BackupPlace(
      layout: layout, store: store, blobs: remote?.backup.blobs ?? store, isNew: isNew,
      marker: marker, lock: lock, remote: remote)
  }

  /// Checks that a place without a backup has had none.
  private static func checkNew(
    _ record: BackupRecord?, _ request: BackupRequest, in library: Library
  ) throws {
    guard let record, !request.recreatesMissing else { return }
    let time = EntryTime(.instant(record.lastSuccess), in: library.timeZone)
    throw LeaflogError(
      .suspicious,
      "The backup at \(record.place) is gone: this library was last backed up to it on \(time.localDay).",
      remedy: .mountOrNewBackup)
  }

  /// Creates the folder if necessary, and makes sure that neither it nor the library is inside the other.
  private static func folder(
    _ path: String, of library: Library, _ files: any FileSystem
  ) throws -> FilePath {
    let given = FilePath(path)
    let isNew = (try? FileStatus(given)) == nil
    if isNew {
      let above = given.removingLastComponent()
      guard (try? FileStatus(above.isEmpty ? "." : above))?.kind == .folder else {
        throw LeaflogError.invalid(
          "\(above) is not there. Make it, or mount the disk that it is on.")
      }
      try refuseNesting(above.isEmpty ? "." : above, library, isAbove: true)
      try files.makeFolder(given)
      try files.makeNameDurable(of: given.resolved())
    }
    guard try FileStatus(given).kind == .folder else {
      throw LeaflogError.invalid("\(path) is not a folder.")
    }
    try refuseNesting(given, library, isAbove: false)
    return try given.resolved()
  }

  /// Compares by device and inode, as links and mounts give a folder many names.
  private static func refuseNesting(
    _ path: FilePath, _ library: Library, isAbove: Bool
  ) throws {
    let outer = try chain(path.resolved())
    let root = try chain(library.layout.root)
    if let first = root.first, outer.contains(first) {
      throw LeaflogError.invalid(
        "\(path) is the library or a folder in it. Name a place outside, best on another disk.")
    }
    if !isAbove, let first = outer.first, root.contains(first) {
      throw LeaflogError.invalid("The library is inside \(path). Name another place.")
    }
  }

  /// The device and inode of a folder and of each of its ancestors.
  private static func chain(_ path: FilePath) throws -> [[UInt64]] {
    var path = path
    var chain: [[UInt64]] = []
    while true {
      let status = try FileStatus(path)
      chain.append([status.device, status.inode])
      guard path.removeLastComponent() else { return chain }
    }
  }

  private static func check(_ layout: LibraryLayout, _ marker: LibraryMarker) throws {
    let root = layout.root
    if let data = FileManager.default.contents(atPath: layout.backupNote.string) {
      guard let note = SealedJSON.decode(BackupNote.self, from: data) else {
        throw LeaflogError(
          .damaged, "\(layout.backupNote) is not a backup's note. Name another place.")
      }
      guard note.library == marker.id else {
        throw LeaflogError.invalid("\(root) is the backup of another library. Name another place.")
      }
      return
    }
    if layout.exists {
      let found = try LibraryMarker.read(layout.marker)
      guard found.id == marker.id else {
        throw LeaflogError.invalid("\(root) is another library. Name another place.")
      }
      throw LeaflogError.invalid(
        "\(root) is this library, or a copy that a backup did not make. Name another place.",
        remedy: .restoreInstead)
    }
    let files = FileManager.default
    let names = try files.contentsOfDirectory(atPath: root.string)
    // A backup that was killed before its note was written leaves two folders without blobs.
    let blobs = root.appending("blobs").string
    let isEmpty =
      try !files.fileExists(atPath: blobs) || files.contentsOfDirectory(atPath: blobs).isEmpty
    let ours: Set = isEmpty ? ["lost+found", "blobs", "tmp"] : ["lost+found"]
    if let other = names.sorted().first(where: { !ours.contains($0) }) {
      throw LeaflogError.invalid(
        "\(root) has other things in it (\(other)) and is not a backup. Name an empty folder.")
    }
  }

  /// The backup as a library; nil when its catalog is damaged, as a good one will replace it.
  private static func openReadable(_ path: String) throws -> Library? {
    do { return try Library.openBackup(at: path) } catch {
      if error.code == .damaged { return nil }
      throw error
    }
  }

  /// Checks that the backup's catalog is an earlier state of this library's, unchanged.
  private static func checkCatalog(
    _ layout: LibraryLayout, of library: Library, _ request: BackupRequest
  ) throws {
    guard layout.exists, FileManager.default.fileExists(atPath: layout.catalog.string) else {
      return
    }
    guard let backup = try openReadable(layout.root.string) else { return }
    defer { try? backup.close() }
    guard let made = try backup.catalog.read({ try $0.place.backupState }) else { return }
    if let fork = try Fork(of: library.catalog, from: backup.catalog, at: made.head) {
      guard request.keepsBothCopies else {
        throw LeaflogError(
          .forked,
          "The backup in \(layout.root) is of another copy of this library, which has gone another way. "
            + fork.description(here: "This library", there: "the backup", in: library.timeZone),
          remedy: .backUpBeside)
      }
      return try library.beginOwnLine()
    }
    if request.overridesChecks { return }
    if try backup.catalog.read({ try $0.wasWorkedInSinceBackup }) {
      throw LeaflogError(
        .suspicious,
        "\(layout.root) was used as a library since it was made: it has changes that this library "
          + "lacks.", remedy: .replaceBackup)
    }
    if try made.generation > library.catalog.generation() {
      throw LeaflogError(
        .suspicious,
        "The backup in \(layout.root) is of a newer catalog than this library has.",
        remedy: .restoreOrReplaceBackup)
    }
  }
}

extension BackupPlace {
  /// The earlier states in the backup.
  var past: BackupHistory { BackupHistory(layout, store) }

  /// Replaces the backup's catalog, once all blobs of the new one and the earlier states are durable. A
  /// catalog that was changed since it was made is kept as a snapshot.
  func put(_ copy: FilePath, as catalog: Catalog, now: Timestamp) throws {
    let erased = try EraseMarker(of: catalog)
    try CatalogFile(layout.catalog, store).replace(with: copy, layout, now: now) { present in
      let state = try present.read { try $0.place.backupState }
      let made = try state?.generation ?? present.generation()
      guard try present.read({ try $0.wasWorkedInSinceBackup }), made > erased?.commit ?? 0 else {
        return
      }
      try CatalogSnapshots(layout, store).keep(present, now: now)
    }
    if erased != nil { try past.removeUnreadable() }
    if !layout.exists {
      try store.write(SealedJSON.encode(marker), to: layout.marker)
    }
  }

  /// Uploads the folder's files to the object store, if the backup is in one.
  func publish() throws { try remote?.backup.publish(marker.id, after: remote?.former) }

  /// Whether it is a folder on the disk of the library.
  func isOnDisk(of library: Library) throws -> Bool {
    try remote == nil
      && FileStatus(layout.root).device == FileStatus(library.layout.root).device
  }

  func surplusCount(_ blobs: [CataloguedBlob]) throws -> Int {
    let needed = Set(blobs.map(\.id))
    var count = 0
    try self.blobs.list { if !needed.contains($0.id) { count += 1 } }
    return count
  }
}

/// The contents of `backup.json`.
struct BackupNote: Codable {
  var format = 1
  /// The id of the library that it is a backup of, from the library's marker.
  var library: String
}
