internal import BlobStorage
internal import DiaryCatalog
internal import Foundation
internal import SystemPackage

/// Brings a library whose photos are in an object store to this machine, from that store alone, and makes this machine
/// the one that writes it: a machine that did so before finds out at its next change.
public struct LibraryAttachment: Sendable {
  /// The extent of the library in the store.
  public struct Survey: Sendable {
    /// The number of the newest commit, of whichever kind.
    public let lastCommit: Int
    /// How many objects the catalog is made of.
    public let objectCount: Int
  }

  /// As the store was found.
  public let survey: Survey

  private let settings: ObjectStoreSettings
  private let keys: ObjectStoreKeys
  private let history: ObjectHistory
  private let marker: LibraryMarker
  /// The number of the newest owner so far.
  private let ownerCount: Int

  /// Looks at the store, and changes nothing.
  ///
  /// - Throws: `LeaflogError` with code `noLibrary` when there is none.
  public init(
    _ settings: ObjectStoreSettings, keys: ObjectStoreKeys = ObjectStoreKeys()
  ) throws(LeaflogError) {
    (self.settings, self.keys) = (settings, keys)
    (history, marker, ownerCount, survey) = try translating {
      let location = try S3Location(settings)
      let client = S3Client(location, keys.find(for: location.url))
      let marker: LibraryMarker
      do {
        marker = try LibraryMarker(
          Data(client.get(ObjectHistory.marker)), of: "\(location.url)/\(ObjectHistory.marker)")
      } catch let error as BlobStoreError where error.code == .notFound {
        throw LeaflogError(.noLibrary, "There is no Leaflog library at \(location.url).")
      }
      let owners = try client.keys(ObjectHistory.owners)
      let count = owners.last.flatMap {
        Int($0.dropFirst(ObjectHistory.owners.utf8.count).prefix { $0.isNumber })
      }
      let history = ObjectHistory(client, owner: ObjectHistory.ownerKey((count ?? 0) + 1))
      let line = try Line(history)
      let survey = Survey(
        lastCommit: line.lastCommit, objectCount: line.frames.count + (line.catalog == nil ? 0 : 1))
      return (history, marker, count ?? 0, survey)
    }
  }

  /// The newest catalog and the frames behind it.
  private struct Line {
    var lineage: UUID?
    var catalog: ObjectHistory.Name?
    var frames: [ObjectHistory.Name] = []

    init(_ history: ObjectHistory) throws {
      guard let lineage = try history.ownedLineage() else { return }
      self.lineage = lineage
      // First the frames: a catalog that covers some of them may come meanwhile, and takes none away that is needed.
      let frames = try history.names(ObjectHistory.frames).filter { $0.lineage == lineage }
      catalog = try history.names(ObjectHistory.catalogs).last { $0.lineage == lineage }
      let start = catalog?.commit ?? 0
      self.frames = frames.filter { $0.commit > start }
    }

    var lastCommit: Int { frames.last?.commit ?? catalog?.commit ?? 0 }
  }

  /// Makes the library in a folder, which has to be empty or missing.
  ///
  /// - Parameter origin: the origin of changes, as in `Library.open`.
  /// - Returns: the commits that the store had, and those that it lacked.
  public func run(
    at path: String, clock: WallClock = .system, origin: String? = nil
  ) throws(LeaflogError) -> CatalogRescueReport {
    try translating {
      let files = POSIXFileSystem()
      try files.makeFolder(FilePath(path))
      let layout = LibraryLayout(try FilePath(path).resolved())
      let disk = LocalBlobStore(root: layout.root, files: files)
      guard try (disk.directoryNames(layout.root) ?? []).isEmpty else {
        throw LeaflogError.invalid("\(layout.root) is not empty.", remedy: .nameEmptyFolder)
      }
      try takeOver()
      let line = try Line(history)
      try disk.createFolders()
      let note = ObjectStore.Note(settings: settings, owner: history.owner)
      let store = try ObjectStore(note, keys, layout, disk)
      try store.writeNote()
      try bring(line, to: layout, disk, now: clock.now)
      if let lineage = line.lineage { try store.journal().setMark(lineage, line.lastCommit) }
      try marker.write(to: layout, disk)
      return try CatalogRescue(at: path).run(keys: keys)
    }
  }

  /// Puts our marker before anything is listed: who writes after that finds it.
  private func takeOver() throws {
    try history.client.put(history.owner, Data())
    guard try history.client.keys(ObjectHistory.owners).last == history.owner else {
      throw LeaflogError(
        .locked, "Another machine is taking over the library at \(history.client.location.url).")
    }
  }

  private func bring(
    _ line: Line, to layout: LibraryLayout, _ disk: LocalBlobStore, now: Timestamp
  ) throws {
    guard let lineage = line.lineage else { return }
    if let catalog = line.catalog {
      try disk.makeFolder(layout.snapshots)
      let name = CatalogSnapshot.name(takenAt: now, generation: catalog.commit)
      try disk.write(Data(history.client.get(catalog.key)), to: layout.snapshots.appending(name))
    }
    let first = line.catalog?.commit ?? 0
    let start = Frame(startAfter: first, lineage: lineage, madeAt: now)
    var frames = try start.encoded()
    for name in line.frames { frames += try Data(history.client.get(name.key)) }
    try disk.makeFolder(layout.journal)
    try disk.write(frames, to: FrameFiles(layout.journal, disk).path(first: first + 1))
  }
}
