internal import BlobStorage
internal import DiaryCatalog
internal import Foundation
internal import Journal
internal import SystemPackage

/// The earlier states of a library that its backup can restore: starting points, which are the snapshots in
/// the backup, and the frames of the commits after them, in a folder for each line of commits.
struct BackupHistory {
  let layout: LibraryLayout
  let store: LocalBlobStore

  /// A catalog that frames can be applied to.
  struct StartingPoint: Sendable {
    let path: String
    let generation: Int
    let lineage: UUID
    /// All its commits were made by then.
    let madeAt: Timestamp

    /// Nil for a catalog that cannot be read, or that was changed after it was made. A snapshot taken by the
    /// library has its time in its name, to the second.
    init?(_ path: String) {
      guard let catalog = try? Catalog(path: path, access: .readOnlyOfAnyVersion) else {
        return nil
      }
      defer { try? catalog.close() }
      let named = CatalogSnapshot(FilePath(path))?.takenAt.advanced(byMilliseconds: 999)
      do {
        let (state, count) = try (
          catalog.read { try $0.place.backupState }, catalog.generation()
        )
        guard let found = try catalog.read({ try $0.place.lineage }),
          let time = state?.madeAt ?? named,
          state.map({ $0.generation == count }) ?? true
        else { return nil }
        (self.path, generation, lineage, madeAt) = (path, count, found, time)
      } catch { return nil }
    }
  }

  /// The past of a library in a backup's folder; nil when the folder is not a backup of the library.
  init?(of library: LibraryMarker, in folder: String) {
    let given = LibraryLayout(FilePath(folder))
    guard let data = FileManager.default.contents(atPath: given.backupNote.string),
      let note = SealedJSON.decode(BackupNote.self, from: data), note.library == library.id,
      let root = try? given.root.resolved()
    else { return nil }
    self.init(LibraryLayout(root), LocalBlobStore(root: root))
  }

  init(_ layout: LibraryLayout, _ store: LocalBlobStore) {
    (self.layout, self.store) = (layout, store)
  }

  /// The starting points, newest first.
  func startingPoints() throws -> [StartingPoint] {
    try CatalogSnapshots(layout, store).all().compactMap { StartingPoint($0.path) }
  }

  /// The frames of a line of commits.
  func frames(of lineage: UUID) -> FrameFiles {
    FrameFiles(layout.journal.appending(lineage.uuidString), store)
  }

  func lineages() throws -> [UUID] {
    try (store.directoryNames(layout.journal) ?? []).compactMap(UUID.init(uuidString:)).sorted {
      $0.uuidString < $1.uuidString
    }
  }
}

/// The part of making a backup that comes after the blobs, and before its catalog is replaced.
extension BackupHistory {
  /// The number of bytes that all starting points together may always take, even if it is more than a
  /// twentieth of the store.
  static let snapshotFloor = 64 << 20

  /// How long the last state of a replaced line is kept.
  private static let daysForReplacedLines: Int64 = 35

  /// Adds the states up to that of a catalog.
  ///
  /// - Parameters:
  ///   - catalog: the copy that will be the backup's catalog.
  ///   - isFull: whether to look at files of frames that were complete when they were copied.
  func take(
    _ catalog: Catalog, from library: LibraryLayout, now: Timestamp, isFull: Bool
  ) throws {
    let marker = try EraseMarker(of: catalog)
    if let marker { try remove(before: marker, in: catalog.read { try $0.place.lineage }) }
    guard let lineage = try catalog.read({ try $0.place.lineage }) else { return }
    let generation = try catalog.generation()
    var points = try startingPoints()
    if !points.isEmpty, !points.contains(where: { $0.lineage == lineage }) {
      try takeBeginning(of: lineage, from: library)
      points = try startingPoints()
    }
    try takeFrames(
      from: FrameFiles(library.journal, LocalBlobStore(root: library.root)), behind: points,
      upTo: generation, isFull: isFull)
    if !points.contains(where: { $0.generation == generation && $0.lineage == lineage }) {
      _ = try CatalogSnapshots(layout, store).take(
        of: catalog, now: now, waits: true, floor: Self.snapshotFloor,
        keeping: ends(of: points, now: now))
    }
    try dropUnneeded()
  }

  /// The last states of lines that were replaced not long ago: those of a copy of the library that went another way may
  /// be wanted still.
  private func ends(of points: [StartingPoint], now: Timestamp) -> Set<String> {
    // A clock that is ahead for once lets nothing go.
    let now = points.first.map { min($0.madeAt, now) } ?? now
    let oldest = now.advanced(byMilliseconds: -86_400_000 * Self.daysForReplacedLines)
    return Set(
      Dictionary(grouping: points, by: \.lineage).values
        .compactMap { $0.max { $0.generation < $1.generation } }
        .filter { $0.madeAt >= oldest }.map(\.path))
  }

  /// Copies the library's own first snapshot of a line of commits that began since the last backup, as
  /// after a restore.
  private func takeBeginning(of lineage: UUID, from library: LibraryLayout) throws {
    let snapshots = CatalogSnapshot.all(in: library)
    guard let first = snapshots.last(where: { $0.lineage == lineage }),
      let catalog = try? Catalog(path: first.path, access: .readOnlyOfAnyVersion)
    else { return }
    defer { try? catalog.close() }
    guard try catalog.read({ try $0.isProved }) else { return }
    _ = try CatalogSnapshots(layout, store).take(
      of: catalog, now: first.takenAt, waits: true, floor: Self.snapshotFloor)
  }

  /// Copies frames that follow a starting point and are not in the backup yet.
  private func takeFrames(
    from journal: FrameFiles, behind points: [StartingPoint], upTo generation: Int, isFull: Bool
  ) throws {
    let oldest = points.reduce(into: [:]) { $0[$1.lineage] = $1.generation }
    let parts = try journal.parts()
    for (index, part) in parts.enumerated() {
      let last = index + 1 < parts.count ? parts[index + 1].first - 1 : .max
      guard let data = try part.presentData, let lineage = Frame.lineage(ofPart: data),
        let start = oldest[lineage], last > start
      else { continue }
      let target = frames(of: lineage)
      let known = try target.parts()
      if !isFull, let newest = known.last, newest.first > part.first,
        known.contains(where: { $0.first == part.first })
      {
        continue
      }
      try extend(target, by: data, of: lineage, upTo: generation, first: part.first)
    }
  }

  /// Adds to a file of frames those that the library has beyond it. What the file has stays as it is, byte for byte: a
  /// frame that has been damaged in the library since never replaces a good one. Only where the file itself is damaged is
  /// it written again, with what both sides have.
  private func extend(
    _ target: FrameFiles, by data: Data, of lineage: UUID, upTo generation: Int, first: Int
  ) throws {
    let path = target.path(first: first)
    // One that is there and cannot be read ends the backup: it must not be taken for an empty one.
    let former =
      FileManager.default.fileExists(atPath: path.string)
      ? try Data(contentsOf: URL(fileURLWithPath: path.string)) : Data()
    let (known, isWhole) = former.frames(of: lineage)
    let own = data.frames(of: lineage).frames.filter { $0.commit <= generation }
    var all = known
    if isWhole {
      all += own.filter { $0.commit > known.last?.commit ?? 0 }
    } else {
      let heads = Set(known.map(\.head))
      all = (known + own.filter { !heads.contains($0.head) }).sorted { $0.commit < $1.commit }
    }
    guard all.count > known.count || !isWhole && !all.isEmpty else { return }
    try store.makeFolder(layout.journal)
    try store.makeFolder(target.folder)
    if !isWhole {
      try store.makeFolder(layout.quarantine)
      let name = "\(lineage.uuidString)-\(path.lastComponent?.string ?? "frames")"
      try store.write(former, to: layout.quarantine.appending(name))
    }
    let start = isWhole ? former : Data()
    let added = isWhole ? all.dropFirst(known.count) : all[...]
    try store.write(added.reduce(into: start) { $0 += $1.bytes }, to: path)
  }

  /// Moves damaged snapshots to the backup's quarantine. A damaged file of frames stays, as the frames around the damage
  /// are still of use.
  ///
  /// - Returns: what is damaged.
  func setDamagedAside() throws -> [Damage] {
    let verification = HistoryVerification(layout: layout, store: store)
    var found: [Damage] = []
    for snapshot in try CatalogSnapshots(layout, store).all() {
      guard case .damaged = try HistoryVerification.proof(of: snapshot.path) else { continue }
      try store.makeFolder(layout.quarantine)
      let target = layout.quarantine.appending((snapshot.path as NSString).lastPathComponent)
      try store.replace(target, with: FilePath(snapshot.path))
      found.append(
        Damage(.snapshot, "A snapshot in the backup was damaged, and is now at \(target)."))
    }
    for lineage in try lineages() {
      found += try verification.damagedFrames(in: frames(of: lineage))
    }
    return found
  }

  /// Removes frames that the oldest starting point of their line includes, or that follow none.
  private func dropUnneeded() throws {
    let oldest = try startingPoints().reduce(into: [:]) { $0[$1.lineage] = $1.generation }
    for lineage in try lineages() {
      let parts = try frames(of: lineage).parts()
      guard let start = oldest[lineage] else {
        try frames(of: lineage).removeAll()
        continue
      }
      for (part, next) in zip(parts, parts.dropFirst()) where next.first - 1 <= start {
        try store.remove(part.path)
      }
    }
  }

  /// Removes everything made before data was last erased for good.
  ///
  /// - Parameter lineage: the lineage of the catalog with the marker. Others may number their commits
  ///   differently, so their snapshots are also compared by time.
  private func remove(before marker: EraseMarker, in lineage: UUID?) throws {
    for snapshot in try CatalogSnapshots(layout, store).all() {
      let point = StartingPoint(snapshot.path)
      let isOlder =
        point.map { $0.lineage != lineage && $0.madeAt <= marker.madeAt }
        ?? (snapshot.takenAt <= marker.madeAt)
      guard isOlder || snapshot.generation <= marker.commit else { continue }
      try store.remove(FilePath(snapshot.path))
    }
    for lineage in try lineages() {
      for part in try frames(of: lineage).parts() where part.first <= marker.commit {
        try store.remove(part.path)
      }
    }
  }

  /// Removes catalogs and frames set aside as unreadable or damaged, which may be from before the marker.
  func removeUnreadable() throws {
    try store.removeHistory(in: layout.quarantine)
    for name in try store.directoryNames(layout.snapshots) ?? []
    where name.hasPrefix(CatalogFile.unreadablePrefix) {
      try store.remove(layout.snapshots.appending(name))
    }
  }
}

extension Data {
  /// The intact frames of a line of commits, and whether there is nothing else that would be of use.
  fileprivate func frames(of lineage: UUID) -> (frames: [Frame], isWhole: Bool) {
    var (frames, isWhole): ([Frame], Bool) = ([], true)
    Frame.read(self) { finding in
      switch finding {
      case .frame(let frame): if !frame.isStart, frame.lineage == lineage { frames.append(frame) }
      case .damage: isWhole = false
      }
    }
    return (frames, isWhole)
  }
}

extension Frame {
  /// The line of commits that a file of frames belongs to; nil when it has no intact ones yet. A start frame is no help, as
  /// there is no lineage before the first commit.
  fileprivate static func lineage(ofPart data: Data) -> UUID? {
    struct Found: Error { let lineage: UUID }
    do {
      try Frame.read(data) { finding in
        if case .frame(let frame) = finding, !frame.isStart { throw Found(lineage: frame.lineage) }
      }
      return nil
    } catch { return (error as? Found)?.lineage }
  }
}
