internal import BlobStorage
internal import DiaryCatalog
internal import Foundation
internal import Journal
internal import SystemPackage

/// Checks what a lost or damaged catalog would be rebuilt from: the snapshots and the frames of a library or a backup.
struct HistoryVerification {
  let layout: LibraryLayout
  let store: LocalBlobStore

  /// The snapshots that are not as they were taken, or cannot be read now.
  func damagedSnapshots() throws -> [Damage] {
    try CatalogSnapshots(layout, store).all().compactMap { snapshot in
      switch try Self.proof(of: snapshot.path) {
      case .proved: nil
      case .damaged:
        Damage(
          .snapshot, "The snapshot of the catalog at \(snapshot.path) is damaged.",
          remedy: .repair)
      case .unreadable(let reason):
        Damage(
          .snapshot, "The snapshot of the catalog at \(snapshot.path) cannot be read: \(reason)")
      }
    }
  }

  /// The finding about the catalog in a file.
  enum Proof {
    /// It is what its newest commit says.
    case proved
    case damaged
    /// The disk or the system does not give it now, which says nothing about what is in it.
    case unreadable(String)
  }

  static func proof(of path: String) throws -> Proof {
    do {
      let catalog = try Catalog(path: path, access: .readOnlyOfAnyVersion)
      defer { try? catalog.close() }
      return try catalog.read { try $0.isProved } ? .proved : .damaged
    } catch let error as CatalogError where error.code == .damaged {
      return .damaged
    } catch let error as CatalogError where [.failed, .readOnly].contains(error.code) {
      return .unreadable(error.message)
    }
  }

  static func isProved(_ path: String) throws -> Bool {
    if case .proved = try proof(of: path) { true } else { false }
  }

  /// The parts of some files of frames that are not as they were written.
  func damagedFrames(in files: FrameFiles) throws -> [Damage] {
    var found: [Damage] = []
    for part in try files.parts() {
      guard let data = try part.presentData else { continue }
      Frame.read(data) { finding in
        guard case .damage(let commit, let label) = finding else { return }
        let number = commit.map { "commit \($0)" } ?? "a commit"
        let words = label.flatMap(FrameLabel.words(in:)).map { " (\($0))" } ?? ""
        found.append(
          Damage(
            .journal, "The frame of \(number)\(words) in \(part.path) is damaged.", remedy: .repair)
        )
      }
    }
    return found
  }

  /// Whether the journal is ahead of the catalog, which then is an older one, or has lost its write-ahead log.
  static func lead(of journal: FrameFolder, over catalog: Catalog) throws -> Damage? {
    // First the journal: a frame is appended after its commit.
    guard let last = try journal.last(), !last.isStart,
      try !catalog.read({ try $0.heads.contains(last.head) })
    else { return nil }
    return Damage(
      .journal,
      "The catalog has commits up to \(try catalog.generation()), but the journal has others, up to \(last.commit): "
        + "the catalog is an older one, or has lost its write-ahead log.", remedy: .repair)
  }
}

extension FrameFiles.Part {
  /// The data; nil when the part was removed after it was listed, as snapshots include its commits then.
  var presentData: Data? {
    get throws {
      do { return try data } catch {
        guard !FileManager.default.fileExists(atPath: path.string) else { throw error }
        return nil
      }
    }
  }
}

/// The repair of damaged snapshots and frames.
public struct HistoryRepair: Sendable, Hashable {
  /// The number of damaged snapshots that were moved to the quarantine.
  public internal(set) var snapshotCount = 0
  /// The number of damaged frames that were replaced by those of a backup.
  public internal(set) var mendedFrameCount = 0
  /// The number of damaged frames of which there is no other copy. The states after them can still be restored, as a
  /// new snapshot follows them; those between them and the next snapshot cannot.
  public internal(set) var lostFrameCount = 0
  /// The number of damaged frames and catalogs in the object store. Frames were put again, and a new catalog was put for
  /// the others.
  public internal(set) var objectCount = 0
}

extension LibraryStore {
  /// Repairs the snapshots and frames from which a lost catalog would be rebuilt. The damaged files go to the quarantine.
  ///
  /// - Returns: nil when nothing is damaged.
  func repairHistory(from backup: BackupHistory?) throws -> HistoryRepair? {
    var repair = HistoryRepair()
    for snapshot in try CatalogSnapshots(layout, disk).all() {
      guard case .damaged = try HistoryVerification.proof(of: snapshot.path) else { continue }
      try setAside(FilePath(snapshot.path))
      repair.snapshotCount += 1
    }
    let journal = FrameFiles(layout.journal, disk)
    if try !HistoryVerification(layout: layout, store: disk).damagedFrames(in: journal).isEmpty {
      let copies = backup.map(FrameCopies.init)
      try CatalogJournal(of: catalog).restart {
        for part in try journal.parts() { try mend(part, copies, &repair) }
      }
    }
    if repair != HistoryRepair() {
      // The library depends on none of the lost ones any more.
      try takeSnapshot()
      try CatalogJournal(of: catalog).beginPart()
    }
    if let objects = library.objects, !isReplica {
      repair.objectCount = try StoredHistory(objects, layout, disk).mend(for: catalog, now: moment)
    }
    return repair == HistoryRepair() ? nil : repair
  }

  /// Writes a file of frames again without its damaged parts, or with intact copies in their place.
  private func mend(
    _ part: FrameFiles.Part, _ copies: FrameCopies?, _ repair: inout HistoryRepair
  ) throws {
    let data = try part.data
    var (mended, damageCount, copyCount) = (Data(), 0, 0)
    var last: Frame?
    try Frame.read(data) { finding in
      switch finding {
      case .frame(let frame):
        while let before = last, frame.parent != before.head,
          let copy = try copies?.successor(of: before), copy.commit < frame.commit
        {
          (mended, last, copyCount) = (mended + copy.bytes, copy, copyCount + 1)
        }
        (mended, last) = (mended + frame.bytes, frame)
      case .damage: damageCount += 1
      }
    }
    guard damageCount > 0 else { return }
    // Those at the end of the file have no successor in it.
    while let before = last, let copy = try copies?.successor(of: before),
      try catalog.read({ try $0.heads.contains(copy.head) })
    {
      (mended, last, copyCount) = (mended + copy.bytes, copy, copyCount + 1)
    }
    repair.mendedFrameCount += copyCount
    repair.lostFrameCount += max(0, damageCount - copyCount)
    try disk.makeFolder(layout.quarantine)
    let name = part.path.lastComponent?.string ?? "frames"
    try disk.write(data, to: try freePlace(name))
    if mended.isEmpty { try disk.remove(part.path) } else { try disk.write(mended, to: part.path) }
  }

  /// Moves a file to the quarantine.
  private func setAside(_ path: FilePath) throws {
    try disk.makeFolder(layout.quarantine)
    try disk.replace(freePlace(path.lastComponent?.string ?? "file"), with: path)
  }

  private func freePlace(_ name: String) throws -> FilePath {
    var target = layout.quarantine.appending(name)
    while FileManager.default.fileExists(atPath: target.string) {
      target = FilePath(target.string + "~")
    }
    return target
  }
}

/// The frames of a backup by the heads before them.
private struct FrameCopies {
  private let backup: BackupHistory

  init(_ backup: BackupHistory) { self.backup = backup }

  /// The frame that follows another one; nil if the backup has none.
  func successor(of frame: Frame) throws -> Frame? {
    guard frame.commit < .max else { return nil }
    var found: Frame?
    let next = frame.commit + 1
    try backup.frames(of: frame.lineage).read(frame.lineage, next...next) { frames in
      found = frames.first { $0.parent == frame.head } ?? found
    }
    return found
  }
}
