internal import BlobStorage
internal import DiaryCatalog
internal import Foundation
internal import Journal
internal import SystemPackage

/// Attaches a library whose photos are in an object store to this machine, from that store alone, and makes this
/// machine the one that writes it. A machine that did so before finds out at its next change.
public struct LibraryAttachment: Sendable {
  /// The extent of the library in the store.
  public struct Survey: Sendable {
    /// The number of the newest commit of any kind.
    public let lastCommit: Int
    /// The number of objects that make up the catalog.
    public let objectCount: Int
    /// The number of objects with commits that another copy of the library has kept out of the way: the library had
    /// forked.
    public let forkedCount: Int
  }

  /// The library as it was found in the store.
  public let survey: Survey

  private let settings: ObjectStoreSettings
  /// The head of the line of commits to follow; nil if there is one line.
  private let chosen: Head?
  private let keys: ObjectStoreKeys
  private let history: ObjectHistory
  private let marker: LibraryMarker

  /// Looks at the store, and changes nothing.
  ///
  /// - Parameter head: the head of the line of commits to follow, in hexadecimal, if the library has forked.
  /// - Throws: `LeaflogError` with code `noLibrary` when there is none.
  public init(
    _ settings: ObjectStoreSettings, to head: String? = nil,
    keys: ObjectStoreKeys = ObjectStoreKeys()
  ) throws(LeaflogError) {
    let chosen = head.flatMap { Head(hex: $0) }
    if let head, chosen == nil {
      throw .invalid("“\(shortened(head))” is not the head of a commit.")
    }
    (self.settings, self.keys, self.chosen) = (settings, keys, chosen)
    (history, marker, survey) = try translating {
      let location = try S3Location(settings)
      let client = keys.client(location)
      let marker = try LibraryMarker(in: client)
      let history = ObjectHistory(client, owner: try ObjectHistory.nextOwner(client))
      let line = try ObjectLine(history, to: chosen)
      let survey = Survey(
        lastCommit: line.lastCommit, objectCount: line.frames.count + (line.catalog == nil ? 0 : 1),
        forkedCount: try history.forked().count)
      return (history, marker, survey)
    }
  }

  /// Creates the library in a folder, which has to be empty or missing, or left behind by an attachment that was
  /// interrupted.
  ///
  /// - Parameter origin: the origin of changes, as in `Library.open`.
  /// - Returns: the commits that the store had, and those that it lacked.
  /// - Throws: `LeaflogError` with code `invalidRequest` when the folder has anything else, and `unreachable` when the
  ///   store does not answer.
  public func run(
    at path: String, clock: WallClock = .system, origin: String? = nil
  ) throws(LeaflogError) -> CatalogRescueReport {
    try translating {
      let files = POSIXFileSystem()
      try files.makeFolder(FilePath(path))
      let layout = LibraryLayout(try FilePath(path).resolved())
      let disk = LocalBlobStore(root: layout.root, files: files)
      try layout.makeRoom(forLibraryOf: settings, disk)
      try files.makeNameDurable(of: layout.root)
      try history.takeOver()
      let line = try ObjectLine(history, to: chosen)
      try disk.createFolders()
      let note = ObjectStore.Note(settings: settings, owner: history.owner)
      let store = try ObjectStore(note, keys, layout, disk)
      try store.writeNote()
      try bring(line, to: layout, disk, now: clock.now)
      if let lineage = line.lineage {
        try store.journal().setMark(lineage, line.lastCommit, line.head)
      }
      try marker.write(to: layout, disk)
      return try CatalogRescue(at: path, clock: clock).run(keys: keys)
    }
  }

  private func bring(
    _ line: ObjectLine, to layout: LibraryLayout, _ disk: LocalBlobStore, now: Timestamp
  ) throws {
    guard let lineage = line.lineage else { return }
    if let catalog = line.catalog {
      try disk.makeFolder(layout.snapshots)
      let name = CatalogSnapshot.name(takenAt: now, generation: catalog.commit)
      let copy = layout.root.appending("tmp").appending("catalog.sqlite")
      defer { try? CatalogFile(copy, disk).removeAll() }
      // A damaged one is not used by the rescue below, and its contents are reported as lost.
      _ = try history.fetch(catalog, to: copy, disk)
      try disk.replace(layout.snapshots.appending(name), with: copy)
    }
    let (first, head) = (line.catalog?.commit ?? 0, line.catalog?.head ?? .none)
    let start = Frame(startAfter: first, head, lineage: lineage, madeAt: now)
    var frames = start.bytes
    try history.readBytes(line.frames) { frames += $0 }
    try disk.makeFolder(layout.journal)
    try disk.write(frames, to: FrameFiles(layout.journal, disk).path(first: first + 1))
  }
}

extension LibraryLayout {
  /// Makes room for a library whose photos are in an object store: removes what an interrupted attachment to the same
  /// store has left, which is nothing but copies.
  ///
  /// - Throws: `LeaflogError` with code `invalidRequest` when the folder has anything else.
  func makeRoom(forLibraryOf settings: ObjectStoreSettings, _ disk: LocalBlobStore) throws {
    let names = Set(try disk.directoryNames(root) ?? [])
    let leftBehind: Set = [
      "blobs", "tmp", "trash", "cache", "snapshots", "journal", "lock", "snapshots.lock",
      "store.json",
      "pushed.json", "leaflog.json",
    ]
    let note = FileManager.default.contents(atPath: objectStore.string)
      .flatMap { SealedJSON.decode(ObjectStore.Note.self, from: $0) }
    let isSame = note?.settings.isAtPlace(of: settings) ?? !names.contains("store.json")
    guard names.isSubset(of: leftBehind), isSame,
      try (disk.directoryNames(root.appending("blobs")) ?? []).isEmpty,
      names.contains("store.json") || names.isSubset(of: ["blobs", "tmp", "trash", "cache"])
    else {
      throw LeaflogError.invalid("\(root) is not empty.", remedy: .nameEmptyFolder)
    }
    try FrameFiles(journal, disk).removeAll()
    for name in try disk.directoryNames(snapshots) ?? [] {
      try disk.remove(snapshots.appending(name))
    }
  }
}
