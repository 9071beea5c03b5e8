internal import BlobStorage
internal import DiaryCatalog
internal import Foundation
internal import Journal
internal import SystemPackage

/// Rebuilds the newest catalog that the snapshots and frames of a library and of its backup lead to.
struct JournalRecovery {
  let layout: LibraryLayout
  let store: LocalBlobStore
  /// A backup of the same library, if any.
  var backup: BackupHistory?
  /// Whether the present catalog is good, and only older than one that was here before.
  var hasGoodCatalog = false

  struct Result {
    /// The catalog that it started from; nil when it started from nothing.
    let start: Start?
    /// The number of frames applied to it.
    let frameCount: Int
    /// The number of these frames that came from the backup.
    let backupFrameCount: Int
    let losses: [JournalLoss]
  }

  /// A catalog that frames can be applied to.
  struct Start {
    let path: String
    let generation: Int
    let madeAt: Timestamp
    let isOfBackup: Bool
  }

  /// The contents of the library's journal, without the changesets.
  private struct Contents {
    /// The lineage of the frame with the highest number; frames of others belong to replaced catalogs.
    var lineage: UUID?
    var lastCommit = 0
    /// The lineage of the very first commit, if its frame is there.
    var firstLineage: UUID?
    /// The labels of damaged frames, by commit, as far as they can be read.
    var damaged: [Int: String] = [:]
  }

  /// A catalog to start from, and the lineage of the frames that follow it.
  private struct Base {
    let lineage: UUID?
    let start: Start?
  }

  private var journal: FrameFiles { FrameFiles(layout.journal, store) }

  /// Rebuilds the catalog in a new file.
  ///
  /// - Returns: nil when there is neither a catalog to start from nor a frame.
  func make(at path: FilePath) throws -> Result? {
    let contents = try contents()
    guard let base = try base(contents) else { return nil }
    if let start = base.start {
      let catalog = try Catalog(path: start.path, access: .readOnlyOfAnyVersion)
      defer { try? catalog.close() }
      try catalog.copy(to: path.string, for: .recovery)
    }
    let catalog = try Catalog(
      path: path.string, access: .replaying(lock: FileLock(layout.lock)))
    defer { try? catalog.close() }
    var replay = JournalReplay(catalog: catalog, damaged: contents.damaged)
    var backupFrameCount = 0
    for run in try runs(of: base.lineage, after: catalog.generation()) {
      let before = replay.frameCount
      try run.files.read(base.lineage, run.commits) { try replay.add($0) }
      if run.isOfBackup { backupFrameCount += replay.frameCount - before }
    }
    try replay.finish(
      lastCommit: max(
        contents.lastCommit, GenerationNote(ofCatalogAt: layout.catalog.string).generation ?? 0))
    return Result(
      start: base.start, frameCount: replay.frameCount, backupFrameCount: backupFrameCount,
      losses: replay.losses)
  }

  private func contents() throws -> Contents {
    var contents = Contents()
    let none = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    try journal.read { finding in
      switch finding {
      case .frame(let frame):
        if frame.commit >= contents.lastCommit, frame.lineage != none {
          (contents.lineage, contents.lastCommit) = (frame.lineage, frame.commit)
        }
        if frame.commit == 1, !frame.isStart { contents.firstLineage = frame.lineage }
      case .damage(let commit, let label):
        if let commit { contents.damaged[commit] = label.flatMap(FrameLabel.words(in:)) ?? "" }
      }
    }
    return contents
  }
}

/// Catalogs to start from.
extension JournalRecovery {
  /// The newest good catalog of the present lineage. If it has none, that of another lineage is better than
  /// nothing, and the rest is lost.
  private func base(_ contents: Contents) throws -> Base? {
    let starts = try starts()
    if let (start, lineage) = newestGood(starts, of: contents.lineage) {
      return Base(lineage: lineage, start: start)
    }
    if let first = contents.firstLineage, first == contents.lineage {
      return Base(lineage: first, start: nil)
    }
    if let (start, lineage) = newestGood(starts, of: nil) {
      return Base(lineage: lineage, start: start)
    }
    return contents.firstLineage.map { Base(lineage: $0, start: nil) }
  }

  /// All catalogs to start from, the newest first; of two that are equally new, the library's own is first.
  private func starts() throws -> [Start] {
    var own = CatalogSnapshot.all(in: layout).map {
      Start(path: $0.path, generation: $0.generation, madeAt: $0.takenAt, isOfBackup: false)
    }
    if hasGoodCatalog {
      let catalog = try Catalog(path: layout.catalog.string, access: .readOnlyOfAnyVersion)
      defer { try? catalog.close() }
      let writtenAt = try Timestamp(
        milliseconds: FileStatus(layout.catalog).modifiedAt / 1_000_000)
      own.append(
        Start(
          path: layout.catalog.string, generation: try catalog.generation(), madeAt: writtenAt,
          isOfBackup: false))
    }
    let others = try backup.map { backup in
      let newest = BackupHistory.StartingPoint(backup.layout.catalog.string)
      return try backup.startingPoints() + (newest.map { [$0] } ?? [])
    }
    let foreign = (others ?? []).map {
      Start(path: $0.path, generation: $0.generation, madeAt: $0.madeAt, isOfBackup: true)
    }
    return (own + foreign).sorted {
      ($0.generation, $0.isOfBackup ? 0 : 1) > ($1.generation, $1.isOfBackup ? 0 : 1)
    }
  }

  /// - Parameter lineage: the lineage that it has to have; nil accepts any.
  private func newestGood(
    _ starts: [Start], of lineage: UUID?
  ) -> (start: Start, lineage: UUID?)? {
    for start in starts {
      guard let catalog = try? Catalog(path: start.path, access: .readOnlyOfAnyVersion) else {
        continue
      }
      defer { try? catalog.close() }
      let found = try? catalog.read { try $0.place.lineage }
      if lineage != nil, found != lineage { continue }
      if (try? catalog.read { try $0.isProved }) == true { return (start, found) }
    }
    return nil
  }
}

/// Frames of the library and of its backup, merged in order.
extension JournalRecovery {
  /// Successive commits in the same folder.
  private struct Run {
    let files: FrameFiles
    let isOfBackup: Bool
    var commits: ClosedRange<Int>
  }

  /// The runs of a lineage after a commit. The backup's frames are used where the library has none.
  private func runs(of lineage: UUID?, after commit: Int) throws -> [Run] {
    let own = Set(try journal.commits(of: lineage).map(\.commit))
    let copies = backup.flatMap { backup in lineage.map { backup.frames(of: $0) } }
    let foreign = Set(try copies?.commits(of: lineage).map(\.commit) ?? []).subtracting(own)
    var runs: [Run] = []
    for number in own.union(foreign).sorted() where number > commit {
      let isOfBackup = foreign.contains(number)
      if let last = runs.last, last.isOfBackup == isOfBackup {
        runs[runs.count - 1].commits = last.commits.lowerBound...number
      } else if let files = isOfBackup ? copies : journal {
        runs.append(Run(files: files, isOfBackup: isOfBackup, commits: number...number))
      }
    }
    return runs
  }
}

/// Commits that can no longer be restored from snapshots and journals.
public struct JournalLoss: Sendable, Hashable {
  /// The numbers of the commits.
  public let commits: ClosedRange<Int>
  /// The changes that they were part of, as far as these are known: the command as it was typed, or the kind
  /// of change.
  public let changes: [String]
}

/// Applies frames to a catalog, and records the commits that are lost.
private struct JournalReplay {
  let catalog: Catalog
  /// The labels of damaged frames, by commit, as far as they can be read.
  let damaged: [Int: String]
  private(set) var frameCount = 0
  private(set) var losses: [JournalLoss] = []

  init(catalog: Catalog, damaged: [Int: String]) {
    (self.catalog, self.damaged) = (catalog, damaged)
  }

  /// Applies frames in order, skipping duplicates. After a gap, those that still fit are applied.
  mutating func add(_ frames: [Frame]) throws {
    guard let first = frames.first, let last = frames.last else { return }
    let isUnbroken =
      try first.commit == catalog.generation() + 1
      && last.commit - first.commit == frames.count - 1
    if isUnbroken, try isFit(frames) { return }
    for frame in frames { try add(frame) }
  }

  private mutating func isFit(_ frames: [Frame]) throws -> Bool {
    do { try catalog.apply(frames, isAfterGap: !losses.isEmpty) } catch let error as CatalogError
      where error.code == .conflict
    {
      return false
    }
    frameCount += frames.count
    return true
  }

  private mutating func add(_ frame: Frame) throws {
    let generation = try catalog.generation()
    guard frame.commit > generation else { return }
    if frame.commit > generation + 1 {
      lose((generation + 1)...(frame.commit - 1))
      try catalog.skip(to: frame.commit - 1)
    }
    guard try !isFit([frame]) else { return }
    lose(frame.commit...frame.commit, FrameLabel.words(in: frame.label))
    try catalog.skip(to: frame.commit)
  }

  /// - Parameter lastCommit: the last commit that is known of.
  mutating func finish(lastCommit: Int) throws {
    let generation = try catalog.generation()
    if lastCommit > generation { lose((generation + 1)...lastCommit) }
  }

  private mutating func lose(_ commits: ClosedRange<Int>, _ words: String? = nil) {
    let known = commits.prefix(1000).compactMap { damaged[$0] }.filter { !$0.isEmpty }
    losses.append(JournalLoss(commits: commits, changes: words.map { [$0] } ?? known))
  }
}
